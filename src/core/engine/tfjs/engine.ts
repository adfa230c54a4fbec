/**
 * The executor `tfjs`: the nodes of a program as operations of tfjs-core on its webgpu, webgl, wasm or cpu backend. Gradients
 * are ours (forward operations), so tfjs's own are never loaded. Results are within tolerance, not bit for bit.
 * Loaded by dynamic import only. Throws LabError('gpu-missing' | 'gpu-lost'), Error for a wrong program.
 */

import * as tf from '@tensorflow/tfjs-core';
import { present } from '#contract/kit/errors.ts';
import type { EngineUsage, Saved } from '#contract/run/events.ts';
import { type HostGroup, hostGroup } from '../params.ts';
import { compilePolyak } from '../polyak.ts';
import { checkSavedNames, hashParameters, paramKey } from '../saved.ts';
import { type Build, compileWith, groupsOf, trace } from '../trace.ts';
import type { CompileOptions, Engine, Param, ParamGroup, PolyakProgram, Program } from '../types.ts';
import { type Backend, openBackend, type TfjsExecutor } from './backend.ts';
import { TfjsProgram } from './program.ts';
import { GroupStore } from './store.ts';

class TfjsEngine implements Engine {
  readonly executor: TfjsExecutor;
  readonly exact = false;
  readonly compile = compileWith((build, options) => this.build(build, options));
  private readonly backend: Backend;
  private readonly stores = new Map<ParamGroup, GroupStore>();
  private readonly programs: Program[] = [];

  constructor(executor: TfjsExecutor, backend: Backend) {
    this.executor = executor;
    this.backend = backend;
  }

  group(name: string): ParamGroup {
    if ([...this.stores.keys()].some((g) => g.name === name)) throw new Error(`there are two parameter groups "${name}"`);
    const group: HostGroup = hostGroup(name);
    this.stores.set(group, new GroupStore(group));
    return group;
  }
  private storeOf(group: ParamGroup): GroupStore {
    const store = this.stores.get(group);
    if (store === undefined) throw new Error(`the group "${group.name}" belongs to another engine`);
    return store;
  }

  private build(build: Build, options: CompileOptions): Program {
    const traced = trace(build, options);
    if (options.minimise !== undefined) this.storeOf(present(options.group, 'the group')).train(present(options.with, 'the optimiser'));
    for (const g of groupsOf(traced, options)) this.storeOf(g).group.freeze();
    const derive: Program['derive'] = (change) =>
      this.build((g) => change(build(g)), options.name === undefined ? {} : { name: options.name });
    const program = new TfjsProgram(traced, options, this.backend, (p: Param) => this.storeOf(p.group), derive);
    this.programs.push(program);
    return program;
  }

  polyak(target: ParamGroup, source: ParamGroup): PolyakProgram {
    return compilePolyak(this.compile, target, source);
  }

  private async ready(): Promise<GroupStore[]> {
    const wait = this.backend.activate();
    if (wait) await wait;
    const all = [...this.stores.values()];
    for (const s of all) s.flush();
    return all;
  }
  async read(param: Param): Promise<Float32Array> {
    const store = this.storeOf(param.group);
    await this.ready();
    return Float32Array.from((await this.backend.guard(store.view(param).data())) as Float32Array);
  }
  write(param: Param, data: Float32Array): void {
    this.storeOf(param.group).write(param, data);
  }
  async save(): Promise<Saved> {
    const stores = await this.ready();
    const steps: { [group: string]: number } = {};
    for (const s of stores) if (s.steps !== undefined) steps[s.group.name] = s.steps;
    return { meta: { steps }, arrays: Object.fromEntries(await this.arrays(stores, true)) };
  }
  load(saved: Saved): void {
    const stores = [...this.stores.values()];
    checkSavedNames(saved, new Set(stores.flatMap((s) => s.group.params.map((p) => paramKey(s.group.name, p.name)))));
    for (const s of stores) s.check(saved);
    for (const s of stores) s.load(saved);
  }
  async hash(): Promise<string> {
    return hashParameters(await this.arrays(await this.ready(), false));
  }
  private async arrays(stores: readonly GroupStore[], slots: boolean): Promise<Map<string, Float32Array>> {
    const all = await this.backend.guard(Promise.all(stores.map((s) => s.arrays(slots))));
    return new Map(all.flatMap((m) => [...m]));
  }
  /** Of all engines of this thread: tfjs counts them together. */
  usage(): EngineUsage {
    const { numBytes, numTensors } = tf.memory();
    return { bytes: numBytes, tensors: numTensors };
  }
  dispose(): void {
    for (const p of this.programs) p.dispose();
    for (const s of this.stores.values()) s.dispose();
  }
}

export async function createTfjsEngine(executor: TfjsExecutor): Promise<Engine> {
  return new TfjsEngine(executor, await openBackend(executor));
}
