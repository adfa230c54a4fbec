/**
 * The wasm executor: SIMD kernels over one linear memory, the same bits on every machine. compile() traces, lowers, plans and binds;
 * everything that allocates happens there. Programs run one at a time and to their end, so they share one arena.
 */

import { present } from '#contract/kit/errors.ts';
import type { EngineUsage, Saved } from '#contract/run/events.ts';
import { initialSlot } from '../optimisers.ts';
import { checkSavedNames, hashParameters, paramKey, savedArray, savedSteps, slotKey } from '../saved.ts';
import { sizeOf } from '../shapes.ts';
import { type Build, compileWith, trace } from '../trace.ts';
import type { CompileOptions, Engine, Param, ParamGroup, PolyakProgram, Program, Tensor } from '../types.ts';
import { lowerProgram, type Pin, type Storage } from './lower.ts';
import { type Machine, type Memory, openMachine } from './memory.ts';
import { optimiserCommand, SCALARS } from './optimise.ts';
import { asWasm, asWasmGroup, type OptimiserState, WasmGroup } from './params.ts';
import { planArena } from './plan.ts';
import { type Block, WasmProgram } from './program.ts';
import type { Command, Step } from './step.ts';
import type { ThreadHost } from './threads.ts';
import { type Buffer, newBuffer } from './view.ts';

class WasmEngine implements Engine {
  readonly executor = 'wasm';
  readonly exact = true;
  readonly compile = compileWith((build, options) => this.build(build, options));
  private readonly machine: Machine;
  private readonly poison: boolean;
  private readonly groups = new Map<string, WasmGroup>();
  /** Shared by all programs; a larger program gets a larger one. */
  private arena: Block = { address: 0, floats: 0 };
  /** Optimiser state that was loaded before a program with that optimiser was compiled. */
  private waiting: Saved | undefined;

  constructor(machine: Machine, poison: boolean) {
    this.machine = machine;
    this.poison = poison;
  }

  get memory(): Memory {
    return this.machine.memory;
  }

  group(name: string): ParamGroup {
    if (this.groups.has(name)) throw new Error(`there is a parameter group "${name}" already`);
    const group = new WasmGroup(this.machine.memory, name);
    this.groups.set(name, group);
    return group;
  }

  private build(build: Build, options: CompileOptions): Program {
    const { machine } = this;
    const { memory } = machine;
    const traced = trace(build, options);
    const owned: Block[] = [];
    const allocate = (floats: number): Block => {
      const block = { address: memory.allocate(floats * 4), floats };
      owned.push(block);
      return block;
    };
    const inputs = new Map<string, Block>();
    for (const [name, t] of traced.inputs) inputs.set(name, allocate(sizeOf(t.shape)));
    const outputs = new Map<string, Block>();
    const pins: Pin[] = [];
    for (const [name, node] of traced.outputs) {
      const block = allocate(sizeOf(node.shape));
      outputs.set(name, block);
      pins.push({ node, buffer: newBuffer(block.floats, block.address) });
    }
    for (const [param, node] of traced.gradients)
      if (node !== undefined) pins.push({ node, buffer: asWasm(param).buffer(asWasmGroup(param.group).gradients()) });
    // A new value is computed aside and copied when the run is over: the program may still read the old one.
    const assigned = traced.assigns.map(({ param, value }) => ({ param: asWasm(param), value, buffer: newBuffer(sizeOf(param.shape)) }));
    for (const { value, buffer } of assigned) pins.push({ node: value, buffer });

    const storage: Storage = {
      input: (name) => {
        const { floats, address } = present(inputs.get(name), 'the block of an input');
        return newBuffer(floats, address);
      },
      param: (param) => {
        const p = asWasm(param);
        p.group.layout();
        return p.buffer(p.group.values);
      },
      constant: (data) => {
        const { address } = allocate(data.length);
        if (data instanceof Int32Array) memory.i32.set(data, address >> 2);
        else memory.f32.set(data, address >> 2);
        return address;
      },
    };
    const lowered = lowerProgram(machine, traced, storage, pins);
    const steps: Step[] = [...lowered.steps];
    const last: Step[] = assigned.map(({ param, buffer }) => {
      param.group.layout();
      return copyWhole(buffer, param.buffer(param.group.values));
    });
    const { buffers, bytes } = planArena([...steps, ...last]);
    const base = this.arenaOf(bytes);
    for (const buffer of buffers) buffer.address += base;
    const commands: Command[] = steps.map((s) => s.bind(machine));
    const optimise = this.optimiser(options, traced.gradients, inputs, outputs, allocate);
    commands.push(...optimise, ...last.map((s) => s.bind(machine)));
    const stats = { kernels: commands.length, arenaBytes: bytes, flops: lowered.flops };
    const derive: Program['derive'] = (change) =>
      this.build((g) => change(build(g)), options.name === undefined ? {} : { name: options.name });
    return new WasmProgram(machine, { inputs, outputs, owned, commands, stats, derive });
  }

  /** Adds `lr` and `gradNorm` and gives the commands of one optimiser step. */
  private optimiser(
    options: CompileOptions,
    gradients: ReadonlyMap<Param, Tensor | undefined>,
    inputs: Map<string, Block>,
    outputs: Map<string, Block>,
    allocate: (floats: number) => Block,
  ): Command[] {
    if (options.minimise === undefined || options.group === undefined || options.with === undefined) return [];
    const { machine } = this;
    const group = asWasmGroup(options.group);
    const fresh = group.state === undefined;
    const state = group.optimiserState(options.with);
    if (fresh && this.waiting !== undefined) this.savedState(group, state, this.waiting)();
    const lr = allocate(1);
    const norm = allocate(1);
    inputs.set('lr', lr);
    outputs.set('gradNorm', norm);
    const at = { lr: lr.address, gradNorm: norm.address, scalars: allocate(SCALARS).address };
    // Another program may have left gradients where this loss has none.
    const missing = [...gradients].filter(([, node]) => node === undefined).map(([p]) => asWasm(p).buffer(group.gradients()));
    const zeros = missing.map(
      (b): Command =>
        () =>
          machine.kernels.fill(b.address, 0, b.size),
    );
    return [...zeros, optimiserCommand(machine, group, options.with, options, at)];
  }

  private arenaOf(bytes: number): number {
    if (this.arena.floats * 4 < bytes) this.arena = { address: this.machine.memory.allocate(bytes), floats: Math.ceil(bytes / 4) };
    if (this.poison) this.memory.f32.fill(Number.NaN, this.arena.address >> 2, (this.arena.address >> 2) + this.arena.floats);
    return this.arena.address;
  }

  polyak(target: ParamGroup, source: ParamGroup): PolyakProgram {
    const { memory, kernels } = this.machine;
    const to = asWasmGroup(target);
    const from = asWasmGroup(source);
    to.layout();
    from.layout();
    const tau: Block = { address: memory.allocate(4), floats: 1 };
    const pairs = to.params.flatMap((p) => {
      const q = from.params.find((other) => other.name === p.name);
      if (q === undefined) return [];
      if (q.size !== p.size) throw new Error(`polyak: "${p.name}" is [${p.shape}] in ${to.name} and [${q.shape}] in ${from.name}`);
      return [{ a: to.values + p.offset * 4, b: from.values + q.offset * 4, n: (p.size + 7) & ~7, same: p.offset === q.offset }];
    });
    const whole = pairs.length === to.params.length && pairs.every((p) => p.same);
    const parts = whole ? [{ a: to.values, b: from.values, n: to.floats }] : pairs;
    const commands = parts.map(
      ({ a, b, n }): Command =>
        () =>
          kernels.polyak(a, b, n, tau.address),
    );
    const stats = { kernels: commands.length, arenaBytes: 0, flops: 0 };
    const derive = (): never => {
      throw new Error('polyak: there are no outputs to derive from');
    };
    const program: Program = new WasmProgram(this.machine, {
      inputs: new Map([['tau', tau]]),
      outputs: new Map(),
      owned: [tau],
      commands,
      stats,
      derive,
    });
    return program as PolyakProgram;
  }

  private current(param: Param): Float32Array {
    const p = asWasm(param);
    return p.group.values === 0 ? p.initial : this.machine.memory.view(p.group.values + p.offset * 4, p.size);
  }

  read(param: Param): Float32Array {
    return this.current(param).slice();
  }

  write(param: Param, data: Float32Array): void {
    const to = this.current(param);
    if (data.length !== to.length) throw new Error(`write: ${data.length} numbers do not fill "${param.name}" [${param.shape}]`);
    to.set(data);
  }

  private all(): Map<string, Float32Array> {
    const out = new Map<string, Float32Array>();
    for (const group of this.groups.values()) for (const p of group.params) out.set(paramKey(group.name, p.name), this.current(p));
    return out;
  }

  save(): Saved {
    const arrays: { [name: string]: Float32Array } = {};
    const steps: { [group: string]: number } = {};
    for (const [key, data] of this.all()) arrays[key] = data.slice();
    for (const group of this.groups.values()) {
      if (group.state === undefined) continue;
      steps[group.name] = group.state.t;
      for (const [slot, block] of group.state.slots)
        for (const p of group.params)
          arrays[slotKey(group.name, p.name, slot)] = this.machine.memory.view(block + p.offset * 4, p.size).slice();
    }
    return { meta: { steps }, arrays };
  }

  load(saved: Saved): void {
    const params = this.all();
    checkSavedNames(saved, new Set(params.keys()));
    // everything is looked at before anything changes
    const found = [...params].map(([key, to]) => ({ to, data: savedArray(saved, key, to.length) }));
    const states = [...this.groups.values()].flatMap((g) => (g.state === undefined ? [] : [this.savedState(g, g.state, saved)]));
    for (const { to, data } of found) to.set(data);
    for (const apply of states) apply();
    this.waiting = saved;
  }

  /** Checks the optimiser's slots in the file; the answer puts them in place. A file without them (a policy) makes the optimiser as new. */
  private savedState(group: WasmGroup, state: OptimiserState, saved: Saved): () => void {
    const t = savedSteps(saved, group.name);
    const parts = [...state.slots].flatMap(([slot, block]) =>
      group.params.map((p) => ({
        to: this.machine.memory.view(block + p.offset * 4, p.size),
        data: t === 0 ? undefined : savedArray(saved, slotKey(group.name, p.name, slot), p.size),
        initial: initialSlot(state.optimiser, slot),
      })),
    );
    return () => {
      state.t = t;
      for (const { to, data, initial } of parts) {
        if (data === undefined) to.fill(initial);
        else to.set(data);
      }
    };
  }

  hash(): string {
    return hashParameters(this.all());
  }

  usage(): EngineUsage {
    let tensors = 0;
    for (const { params, state } of this.groups.values()) tensors += params.length * (1 + (state?.slots.size ?? 0));
    const threads = this.machine.threads?.count ?? 1;
    return { bytes: this.memory.object.buffer.byteLength, tensors, ...(threads > 1 && { threads }) };
  }

  dispose(): void {
    this.groups.clear();
    this.machine.threads?.close();
  }
}

/** Copies one dense buffer onto another of the same size. */
function copyWhole(from: Buffer, to: Buffer): Step {
  return {
    reads: [{ buffer: from, offset: 0, shape: [from.size], strides: [1] }],
    write: to,
    bind: ({ kernels: { copy } }) => {
      return () => copy(to.address, from.address, 0, 1, from.size);
    },
  };
}

export interface WasmOptions {
  /** Memory to start with, in pages of 64 KiB; it grows as programs are compiled. */
  readonly pages?: number;
  /** For tests: unused memory holds NaN. */
  readonly poison?: boolean;
  /** Makes the threads on which large products are computed; without it the engine computes alone. Same bits. */
  readonly threads?: ThreadHost;
}

export async function createWasmEngine(options: WasmOptions = {}): Promise<WasmEngine> {
  return new WasmEngine(await openMachine(options.pages, options.poison, options.threads), options.poison ?? false);
}
