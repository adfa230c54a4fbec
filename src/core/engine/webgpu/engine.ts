/**
 * The executor `webgpu`: programs of our graph compiled to WGSL, a handful of dispatches each (compile.ts). Results are within
 * tolerance, not bit for bit: drivers differ in exp, log and division. Loaded by dynamic import only.
 * Throws LabError('gpu-missing' | 'gpu-lost'), Error for a wrong program.
 */
import { present } from '#contract/kit/errors.ts';
import type { EngineUsage, Saved } from '#contract/run/events.ts';
import { compilePolyak } from '../polyak.ts';
import { checkSavedNames, hashParameters, paramKey } from '../saved.ts';
import { sizeOf } from '../shapes.ts';
import { type Build, compileWith, groupsOf, trace } from '../trace.ts';
import type { CompileOptions, DeviceSide, Engine, Param, ParamGroup, PolyakProgram, Program } from '../types.ts';
import type { Gpu } from './api.ts';
import { compileProgram, type ParamLayout } from './compile.ts';
import { type Device, openDevice, platformGpu, SharedBuffer } from './device.ts';
import { createKernel, Workspace } from './kernel.ts';
import { writeScalars } from './optimise.ts';
import { createPicture } from './picture.ts';
import { type Shared, WebgpuProgram } from './program.ts';
import { GroupStore } from './store.ts';

class WebgpuEngine implements Engine {
  readonly executor: 'webgpu' | 'webgpu-rollouts';
  readonly exact = false;
  readonly compile = compileWith((build, options) => this.build(build, options));
  private readonly shared: Shared;
  readonly device: DeviceSide;
  private readonly stores = new Map<ParamGroup, GroupStore>();
  private readonly workspace: Workspace;
  /** Floats of the buffer of parameters that are taken, and up to where they belong to groups that are saved. */
  private taken = 0;
  private kept = 0;
  /** Optimiser state that was loaded before a program with that optimiser was compiled. */
  private waiting: Saved | undefined;

  constructor(device: Device, executor: 'webgpu' | 'webgpu-rollouts') {
    this.executor = executor;
    const params = new SharedBuffer(device, true);
    const shared = { device, arena: new SharedBuffer(device, false), params };
    this.shared = shared;
    const workspace = new Workspace((floats) => this.allocate(floats));
    this.workspace = workspace;
    this.device = {
      memory: (name, shape) => workspace.memory(name, shape),
      kernel: (options) => createKernel(shared, workspace, options),
      picture: (canvas, members) => createPicture(shared, canvas, members, workspace.placeOf(members)),
      // A view of the same bytes: they are copied as they are, words too.
      write: (param, data) => {
        if (data.length !== sizeOf(param.shape)) throw new Error(`write: ${data.length} numbers do not fill "${param.name}"`);
        device.write(params.buffer, workspace.placeOf(param), new Float32Array(data.buffer, data.byteOffset, data.length));
      },
      read: (param) => device.read(params.buffer, sizeOf(param.shape), workspace.placeOf(param)),
    };
  }

  private allocate(floats: number): number {
    const at = this.taken;
    this.taken += (floats + 3) & ~3;
    this.shared.params.reserve(this.taken);
    return at;
  }

  /** Dispatches and submits so far. */
  get counts(): Device['counts'] {
    return this.shared.device.counts;
  }

  group(name: string): ParamGroup {
    if ([...this.stores.keys()].some((g) => g.name === name)) throw new Error(`there is a parameter group "${name}" already`);
    const { device, params } = this.shared;
    const store = new GroupStore(name, {
      allocate: (floats) => {
        const at = this.allocate(floats);
        this.kept = this.taken;
        return at;
      },
      write: (at, data) => device.write(params.buffer, at, data),
    });
    this.stores.set(store.group, store);
    return store.group;
  }
  private storeOf(group: ParamGroup): GroupStore {
    const store = this.stores.get(group);
    if (store === undefined) throw new Error(`the group "${group.name}" belongs to another engine`);
    return store;
  }

  private placesOf(group: ParamGroup): GroupStore | Workspace {
    return group === this.workspace.group ? this.workspace : this.storeOf(group);
  }

  private build(build: Build, options: CompileOptions): Program {
    const traced = trace(build, options, true);
    const trains = options.minimise !== undefined;
    const store = trains ? this.storeOf(present(options.group, 'the group')) : undefined;
    const slots = store?.train(present(options.with, 'the optimiser'), this.waiting);
    for (const g of groupsOf(traced, options)) this.placesOf(g).layOut();
    const layout: ParamLayout = {
      placeOf: (p) => this.placesOf(p.group).placeOf(p),
      trained: store === undefined || slots === undefined ? undefined : { values: store.values, slots },
    };
    const compiled = compileProgram(traced, options, layout, this.shared.device.barriers);
    const derive: Program['derive'] = (change) =>
      this.build((g) => change(build(g)), options.name === undefined ? {} : { name: options.name });
    const lr = new Float32Array(1);
    const prepare = (feed: Float32Array): void => {
      if (store === undefined || compiled.scalars === undefined) return;
      store.t++;
      writeScalars(present(options.with, 'the optimiser'), store.t, lr[0]!, feed, compiled.scalars);
    };
    const program = new WebgpuProgram(this.shared, compiled, prepare, derive, options.name);
    if (trains) program.in.lr = lr;
    return program;
  }

  polyak(target: ParamGroup, source: ParamGroup): PolyakProgram {
    return compilePolyak(this.compile, target, source);
  }

  read(param: Param): Float32Array | Promise<Float32Array> {
    const store = this.storeOf(param.group);
    return (
      store.early(param) ?? this.everything().then((all) => all.slice(store.placeOf(param), store.placeOf(param) + sizeOf(param.shape)))
    );
  }
  write(param: Param, data: Float32Array): void {
    this.storeOf(param.group).write(param, data);
  }
  private everything(): Promise<Float32Array> {
    const { device, params } = this.shared;
    return device.read(params.buffer, Math.max(1, this.kept));
  }
  private async arrays(slots: boolean): Promise<[string, Float32Array][]> {
    const all = await this.everything();
    return [...this.stores.values()].flatMap((s) => s.arrays(all, slots));
  }
  async save(): Promise<Saved> {
    const steps: { [group: string]: number } = {};
    for (const s of this.stores.values()) if (s.steps !== undefined) steps[s.group.name] = s.steps;
    return { meta: { steps }, arrays: Object.fromEntries(await this.arrays(true)) };
  }
  load(saved: Saved): void {
    const stores = [...this.stores.values()];
    checkSavedNames(saved, new Set(stores.flatMap((s) => s.group.params.map((p) => paramKey(s.group.name, p.name)))));
    // Everything is looked at before anything changes.
    for (const apply of stores.map((s) => s.stateFrom(saved))) apply();
    this.waiting = saved;
  }
  async hash(): Promise<string> {
    return hashParameters(new Map(await this.arrays(false)));
  }
  usage(): EngineUsage {
    const { arena, params } = this.shared;
    return { bytes: arena.bytes + params.bytes, tensors: [...this.stores.values()].reduce((sum, store) => sum + store.tensors, 0) };
  }
  dispose(): void {
    this.shared.device.dispose();
  }
}

/** `barriers`: whether shaders let threads wait for each other; missing: as is faster on this adapter (device.ts). */
export async function createWebgpuEngine(
  gpu: Gpu | undefined = platformGpu(),
  executor: 'webgpu' | 'webgpu-rollouts' = 'webgpu',
  barriers?: boolean,
): Promise<WebgpuEngine> {
  return new WebgpuEngine(await openDevice(gpu, barriers), executor);
}
