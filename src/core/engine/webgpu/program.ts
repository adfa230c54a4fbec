/**
 * A compiled program on the device. Pipelines are made once, beside what else happens; the first run waits for them. Every run takes a slot of the input buffer (bound at a dynamic offset), so
 * that several runs with inputs of their own wait for one submit.
 */
import { present } from '#contract/kit/errors.ts';
import type { Program } from '../types.ts';
import type { ComputePipeline, GpuBuffer, GpuDevice, GpuHandle } from './api.ts';
import type { Compiled, Range } from './compile.ts';
import type { Device, Dispatch, Recorded, SharedBuffer } from './device.ts';

/** Bytes of inputs that may wait, and the most runs. */
const MOST_WAITING_BYTES = 2 ** 20;
const MOST_WAITING = 32;
/** Offsets of bindings are multiples of this on every device. */
const ALIGNMENT = 256;
/** Workgroups along one axis. */
const WIDEST = 65535;

/** A dispatch whose pipeline is still to be made. */
interface Planned extends Omit<Dispatch, 'pipeline'> {
  readonly pipeline: ComputePipeline;
}

export interface Shared {
  readonly device: Device;
  readonly arena: SharedBuffer;
  readonly params: SharedBuffer;
}

function views(ranges: ReadonlyMap<string, Range>, data: Float32Array): { [name: string]: Float32Array } {
  return Object.fromEntries([...ranges].map(([name, { offset, floats }]) => [name, data.subarray(offset, offset + floats)]));
}

export class WebgpuProgram implements Program, Recorded {
  readonly in: { [name: string]: Float32Array };
  readonly out: { [name: string]: Float32Array };
  readonly stats: Program['stats'];
  readonly derive: Program['derive'];
  private readonly shared: Shared;
  private readonly planned: readonly Planned[];
  private dispatches: readonly Dispatch[] | undefined;
  /** Settles once they are made. */
  readonly ready: Promise<void>;
  private readonly current: Float32Array;
  private readonly results: Float32Array;
  /** Floats from slot to slot. */
  private readonly pitch: number;
  private readonly waiting: Float32Array<ArrayBuffer>;
  private readonly slots: number;
  /** Whether it has inputs at all: without, any number of runs may wait. */
  private readonly fed: boolean;
  private used = 0;
  private readonly feed: GpuBuffer;
  private readonly fixed: GpuBuffer;
  private readonly outputs: GpuBuffer;
  /** Whether `outputs` are another program's. */
  private readonly borrowed: boolean;
  /** Ranges of the program's outputs in those buffers, by name. */
  readonly places: ReadonlyMap<string, Range>;
  private bound: { readonly group: GpuHandle; readonly generation: string } | undefined;
  /** Called before a run with its inputs: writes the optimiser's scalars behind them. */
  private readonly prepare: (feed: Float32Array) => void;
  private disposed = false;

  /** `results`: works on the outputs of that program instead of outputs of its own. */
  constructor(
    shared: Shared,
    compiled: Compiled,
    prepare: (feed: Float32Array) => void,
    derive: Program['derive'],
    name = 'program',
    results?: WebgpuProgram,
  ) {
    this.shared = shared;
    this.prepare = prepare;
    this.derive = derive;
    const { device, arena } = shared;
    const { gpu } = device;
    arena.reserve(compiled.arenaFloats);
    this.current = new Float32Array(Math.max(1, compiled.feedFloats));
    this.in = views(compiled.feed, this.current);
    this.results = new Float32Array(Math.max(1, compiled.outFloats));
    this.out = views(compiled.out, this.results);
    this.pitch = Math.ceil((this.current.length * 4) / ALIGNMENT) * (ALIGNMENT / 4);
    this.fed = compiled.feedFloats > 0;
    this.slots = this.fed ? Math.max(1, Math.min(MOST_WAITING, Math.floor(MOST_WAITING_BYTES / (this.pitch * 4)))) : 1;
    this.waiting = new Float32Array(this.slots * this.pitch);
    this.feed = device.storage(this.waiting.byteLength);
    this.fixed = device.storage(compiled.fixed.byteLength);
    if (compiled.fixed.length > 0) gpu.queue.writeBuffer(this.fixed, 0, compiled.fixed);
    this.borrowed = results !== undefined;
    this.places = compiled.out;
    this.outputs = results?.outputs ?? device.storage(this.results.byteLength);
    this.planned = compiled.shaders.flatMap(({ code, groups, parts, work }, i): Planned[] => {
      const label = `${name} ${i + 1} of ${compiled.shaders.length}`;
      const module = gpu.createShaderModule({ code, label });
      const each = Math.ceil(groups / parts);
      return Array.from({ length: parts }, (_, k): Planned => {
        const count = Math.min(each, groups - k * each);
        const compute = { module, entryPoint: 'main', constants: { first: k * each } };
        const y = Math.ceil(count / WIDEST);
        return { pipeline: { layout: device.pipelineLayout, label, compute }, x: Math.ceil(count / y), y, work: work / parts };
      });
    });
    this.ready = Promise.all(this.planned.map(({ pipeline }) => gpu.createComputePipelineAsync(pipeline))).then(
      (pipelines) => {
        this.dispatches ??= this.planned.map((dispatch, i) => ({ ...dispatch, pipeline: present(pipelines[i], 'a pipeline') }));
      },
      // what a device says that was lost or closed meanwhile is reported by the next run
      (error: unknown) => device.report(error),
    );
    this.stats = { kernels: this.planned.length, arenaBytes: compiled.arenaFloats * 4, flops: compiled.flops };
  }

  async run(options: { readonly read?: boolean } = {}): Promise<void> {
    if (this.dispatches === undefined) await this.ready;
    this.record();
    if (options.read !== false) await this.read();
  }
  async read(): Promise<void> {
    if (this.disposed) throw new Error('this program was disposed');
    this.results.set(await this.shared.device.read(this.outputs, this.results.length));
  }

  /** Asks for a run with the inputs as they are; makes pipelines that are not there yet while everything waits. Throws Error if it was disposed, LabError('gpu-lost'). */
  record(): void {
    if (this.disposed) throw new Error('this program was disposed');
    const { device } = this.shared;
    device.check();
    if (this.fed && this.used === this.slots) device.flush();
    const slot = this.fed ? this.used++ : 0;
    this.prepare(this.current);
    this.waiting.set(this.current, slot * this.pitch);
    this.dispatches ??= this.planned.map((dispatch) => ({ ...dispatch, pipeline: device.gpu.createComputePipeline(dispatch.pipeline) }));
    device.record({
      of: this,
      bind: (pass) => pass.setBindGroup(0, this.group(), [slot * this.pitch * 4]),
      dispatches: this.dispatches,
    });
  }
  send(queue: GpuDevice['queue']): void {
    if (this.used > 0) queue.writeBuffer(this.feed, 0, this.waiting, 0, this.used * this.pitch);
    this.used = 0;
  }

  /** Made anew when a shared buffer was exchanged for a larger one. */
  private group(): GpuHandle {
    const { device, arena, params } = this.shared;
    const generation = `${arena.generation} ${params.generation}`;
    if (this.bound?.generation === generation) return this.bound.group;
    const buffers = [arena.buffer, params.buffer, this.feed, this.fixed, this.outputs];
    const group = device.gpu.createBindGroup({
      layout: device.layout,
      entries: buffers.map((buffer, binding) => ({
        binding,
        resource: buffer === this.feed ? { buffer, size: this.pitch * 4 } : { buffer },
      })),
    });
    this.bound = { group, generation };
    return group;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.shared.device.flush();
    for (const buffer of [this.feed, this.fixed, ...(this.borrowed ? [] : [this.outputs])]) buffer.destroy();
  }
}
