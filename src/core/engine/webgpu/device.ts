/**
 * One WebGPU device and what is recorded for it. Runs of programs are collected and go out in one submit when something is read, when
 * a program has used up its input slots, or when something is written from the host, so that the device sees everything in order. A submit
 * holds no more work than a slow device does before its system takes it for hung; more is cut into several, between dispatches.
 * Throws LabError('gpu-missing') where there is no adapter, LabError('gpu-lost') once the device is gone.
 */
import { fail } from '#contract/kit/errors.ts';
import {
  COMPUTE_STAGE,
  COPY_DST,
  COPY_SRC,
  type ComputePass,
  type Gpu,
  type GpuBuffer,
  type GpuDevice,
  type GpuHandle,
  MAP_READ,
  READ_MODE,
  STORAGE,
} from './api.ts';
import { BUFFERS } from './emit.ts';

/** Something whose runs wait to be sent. */
export interface Recorded {
  /** Writes the inputs of the waiting runs to the device. */
  send(queue: GpuDevice['queue']): void;
}

export interface Dispatch {
  readonly pipeline: GpuHandle;
  /** Workgroups. */
  readonly x: number;
  readonly y: number;
  /** Operations, about. */
  readonly work: number;
}

/** One run: its dispatches, and what they are bound to, in every pass anew. */
export interface Run {
  readonly of: Recorded;
  readonly bind: (pass: ComputePass) => void;
  readonly dispatches: readonly Dispatch[];
}

/** Work of one dispatch and of one submit, as far as dispatches can be told apart: 100 ms at 80 GFLOP/s; Windows takes a device for hung after 2 s. */
export const MOST_WORK = 2 ** 33;

const missing = (why: string): Error =>
  fail(
    'gpu-missing',
    `WebGPU is not available here (${why}).`,
    'Choose the executor "wasm": it runs everywhere and is exact.',
    'run.executor',
  );

const mega = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;

/** `bytes` in one buffer are more than the device takes. */
const tooLarge = (bytes: number, most: number): Error =>
  fail(
    'incompatible',
    `This run needs ${mega(bytes)} in one block of graphics memory; this device takes ${mega(most)}.`,
    'Choose the executor "wasm", or fewer copies, rows or hidden units.',
    'run.executor',
  );

const lost = (): Error =>
  fail('gpu-lost', 'The graphics device was lost.', 'Resume the run from its last checkpoint, or choose the executor "wasm".');

/** A buffer that programs share; it only grows, and keeps what it holds if it is asked to. */
export class SharedBuffer {
  buffer: GpuBuffer;
  /** Another number for another buffer. */
  generation = 0;
  bytes: number;
  private readonly device: Device;
  private readonly keeps: boolean;

  constructor(device: Device, keeps: boolean) {
    this.device = device;
    this.keeps = keeps;
    this.bytes = 1024;
    this.buffer = device.storage(this.bytes);
  }
  reserve(floats: number): void {
    if (floats * 4 <= this.bytes) return;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.device.gpu.limits;
    const bytes = Math.max(floats * 4, Math.min(2 * this.bytes, maxBufferSize, maxStorageBufferBindingSize));
    const next = this.device.storage(bytes);
    this.device.flush();
    if (this.keeps) this.device.copy(this.buffer, next, this.bytes);
    this.buffer.destroy();
    this.buffer = next;
    this.bytes = bytes;
    this.generation++;
  }
}

export class Device {
  /** Dispatches and submits so far, for tests and benchmarks. */
  readonly counts = { dispatches: 0, submits: 0 };
  readonly gpu: GpuDevice;
  readonly layout: GpuHandle;
  readonly pipelineLayout: GpuHandle;
  /** Whether threads of a workgroup wait for each other: where a processor plays the graphics card, that costs more than the arithmetic. */
  readonly barriers: boolean;
  private readonly waiting: Run[] = [];
  private waitingWork = 0;
  private readonly staging: { readonly buffer: GpuBuffer; readonly bytes: number }[] = [];
  private trouble: Error | undefined;
  private disposed = false;

  constructor(gpu: GpuDevice, barriers: boolean) {
    this.gpu = gpu;
    this.barriers = barriers;
    const gone = (): void => {
      if (!this.disposed) this.trouble = lost();
    };
    gpu.lost.then(gone, gone);
    gpu.addEventListener('uncapturederror', ({ error }) => {
      this.trouble ??= new Error(`webgpu: ${error.message}`);
    });
    this.layout = gpu.createBindGroupLayout({
      entries: BUFFERS.map((name, binding) => ({
        binding,
        visibility: COMPUTE_STAGE,
        buffer: { type: name === 'feed' || name === 'fixed' ? 'read-only-storage' : 'storage', hasDynamicOffset: name === 'feed' },
      })),
    });
    this.pipelineLayout = gpu.createPipelineLayout({ bindGroupLayouts: [this.layout] });
  }

  check(): void {
    if (this.trouble !== undefined) throw this.trouble;
  }
  /** Something that was asked for beside the runs went wrong: the next run says so. */
  report(error: unknown): void {
    if (!this.disposed) this.trouble ??= new Error(`webgpu: ${error instanceof Error ? error.message : String(error)}`);
  }
  storage(bytes: number): GpuBuffer {
    const size = Math.max(16, (bytes + 15) & ~15);
    const most = Math.min(this.gpu.limits.maxBufferSize, this.gpu.limits.maxStorageBufferBindingSize);
    if (size > most) throw tooLarge(size, most);
    return this.gpu.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST });
  }

  /** Keeps a run for the next submit, which is now if there is enough. */
  record(run: Run): void {
    this.waiting.push(run);
    for (const { work } of run.dispatches) this.waitingWork += work;
    if (this.waitingWork > MOST_WORK) this.flush();
  }
  /** Sends all that waits, and then a copy if one is asked for: one submit, or more where it is much work. */
  flush(copy?: { readonly from: GpuBuffer; readonly at?: number; readonly to: GpuBuffer; readonly bytes: number }): void {
    if (this.waiting.length === 0 && copy === undefined) return;
    const { queue } = this.gpu;
    for (const of of new Set(this.waiting.map((w) => w.of))) of.send(queue);
    let encoder = this.gpu.createCommandEncoder();
    const submit = (): void => {
      queue.submit([encoder.finish()]);
      this.counts.submits++;
    };
    if (this.waiting.length > 0) {
      let pass = encoder.beginComputePass();
      let sum = 0;
      for (const { bind, dispatches } of this.waiting) {
        bind(pass);
        for (const { pipeline, x, y, work } of dispatches) {
          if (sum > 0 && sum + work > MOST_WORK) {
            pass.end();
            submit();
            encoder = this.gpu.createCommandEncoder();
            pass = encoder.beginComputePass();
            bind(pass);
            sum = 0;
          }
          sum += work;
          pass.setPipeline(pipeline);
          pass.dispatchWorkgroups(x, y);
          this.counts.dispatches++;
        }
      }
      pass.end();
      this.waiting.length = 0;
      this.waitingWork = 0;
    }
    if (copy !== undefined) encoder.copyBufferToBuffer(copy.from, copy.at ?? 0, copy.to, 0, copy.bytes);
    submit();
  }
  copy(from: GpuBuffer, to: GpuBuffer, bytes: number): void {
    this.flush({ from, to, bytes });
  }
  write(to: GpuBuffer, offset: number, data: Float32Array<ArrayBuffer>): void {
    this.flush();
    this.gpu.queue.writeBuffer(to, offset * 4, data);
  }

  /** Floats of a buffer from place `first` on, through a staging buffer that goes back to the ring. */
  async read(from: GpuBuffer, floats: number, first = 0): Promise<Float32Array> {
    this.check();
    const bytes = floats * 4;
    const at = this.staging.findIndex((s) => s.bytes >= bytes);
    const size = Math.max(256, (bytes + 255) & ~255);
    const [free] = at < 0 ? [] : this.staging.splice(at, 1);
    const to = free ?? { buffer: this.gpu.createBuffer({ size, usage: MAP_READ | COPY_DST }), bytes: size };
    this.flush({ from, at: first * 4, to: to.buffer, bytes });
    try {
      await to.buffer.mapAsync(READ_MODE);
    } catch (error) {
      // What is under way is refused first. Why comes after: the device is lost, there is no memory for a buffer, or a call was wrong.
      await Promise.race([this.gpu.queue.onSubmittedWorkDone(), this.gpu.lost]).catch(() => undefined);
      this.check();
      const { name } = error as { readonly name?: unknown };
      if (name !== 'AbortError' && name !== 'OperationError') throw error;
      throw lost();
    }
    this.check();
    const data = new Float32Array(to.buffer.getMappedRange(), 0, floats).slice();
    to.buffer.unmap();
    this.staging.push(to);
    return data;
  }

  dispose(): void {
    this.disposed = true;
    this.waiting.length = 0;
    this.waitingWork = 0;
    this.gpu.destroy();
  }
}

/** The platform's WebGPU, if it has one. */
export const platformGpu = (): Gpu | undefined => (globalThis as { readonly navigator?: { readonly gpu?: Gpu } }).navigator?.gpu;

/** `barriers`: as the adapter wants it if missing. */
export async function openDevice(gpu: Gpu | undefined, barriers?: boolean): Promise<Device> {
  if (gpu === undefined) throw missing('there is no navigator.gpu');
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) throw missing('no adapter answers');
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const processor = adapter.info?.isFallbackAdapter === true || adapter.info?.architecture === 'swiftshader';
  const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
  return new Device(device, barriers ?? !processor);
}
