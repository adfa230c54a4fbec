/**
 * The part of WebGPU that this executor calls, as the standard names it: the core is typed without a browser's library, and Node's
 * implementation has no types of that library either.
 */
export interface GpuBuffer {
  mapAsync(mode: number): Promise<undefined>;
  getMappedRange(): ArrayBuffer;
  unmap(): void;
  destroy(): void;
}
/** A handle that is only passed on. */
export interface GpuHandle {
  readonly label: string;
}
interface BindingLayout {
  readonly binding: number;
  readonly visibility: number;
  readonly buffer: { readonly type: 'storage' | 'read-only-storage'; readonly hasDynamicOffset?: boolean };
}
export interface ComputePass {
  setPipeline(pipeline: GpuHandle): void;
  setBindGroup(index: number, group: GpuHandle, offsets?: readonly number[]): void;
  dispatchWorkgroups(x: number, y?: number): void;
  end(): void;
}
interface RenderPass {
  setPipeline(pipeline: GpuHandle): void;
  setBindGroup(index: number, group: GpuHandle): void;
  draw(vertices: number, instances: number): void;
  end(): void;
}
interface RenderAttachment {
  readonly view: GpuHandle;
  readonly clearValue: { readonly r: number; readonly g: number; readonly b: number; readonly a: number };
  readonly loadOp: 'clear';
  readonly storeOp: 'store';
}
/** What a canvas answers when it is asked for `webgpu`. */
export interface GpuCanvasContext {
  configure(what: { readonly device: GpuDevice; readonly format: string; readonly alphaMode: 'opaque' }): void;
  getCurrentTexture(): { createView(): GpuHandle };
}
interface CommandEncoder {
  beginComputePass(): ComputePass;
  beginRenderPass(what: { readonly colorAttachments: readonly RenderAttachment[] }): RenderPass;
  copyBufferToBuffer(from: GpuBuffer, fromOffset: number, to: GpuBuffer, toOffset: number, size: number): void;
  finish(): GpuHandle;
}
export interface ComputePipeline {
  readonly layout: GpuHandle;
  readonly label?: string;
  readonly compute: { readonly module: GpuHandle; readonly entryPoint: string; readonly constants?: { readonly [name: string]: number } };
}
export interface GpuDevice {
  readonly lost: Promise<{ readonly reason?: string; readonly message: string }>;
  readonly limits: { readonly maxBufferSize: number; readonly maxStorageBufferBindingSize: number };
  readonly queue: {
    writeBuffer(to: GpuBuffer, offset: number, data: Float32Array<ArrayBuffer>, from?: number, size?: number): void;
    submit(commands: readonly GpuHandle[]): void;
    /** Settles after what was submitted, and after the errors of what was asked before. */
    onSubmittedWorkDone(): Promise<unknown>;
  };
  addEventListener(type: 'uncapturederror', listener: (event: { readonly error: { readonly message: string } }) => void): void;
  createBuffer(what: { readonly size: number; readonly usage: number }): GpuBuffer;
  createShaderModule(what: { readonly code: string; readonly label?: string }): GpuHandle;
  createBindGroupLayout(what: { readonly entries: readonly BindingLayout[] }): GpuHandle;
  createPipelineLayout(what: { readonly bindGroupLayouts: readonly GpuHandle[] }): GpuHandle;
  createBindGroup(what: {
    readonly layout: GpuHandle;
    readonly entries: readonly { readonly binding: number; readonly resource: { readonly buffer: GpuBuffer; readonly size?: number } }[];
  }): GpuHandle;
  createComputePipeline(what: ComputePipeline): GpuHandle;
  /** Compiles beside what else runs; refuses what does not compile. */
  createComputePipelineAsync(what: ComputePipeline): Promise<GpuHandle>;
  createRenderPipeline(what: {
    readonly layout: GpuHandle;
    readonly vertex: { readonly module: GpuHandle; readonly entryPoint: string };
    readonly fragment: {
      readonly module: GpuHandle;
      readonly entryPoint: string;
      readonly targets: readonly { readonly format: string }[];
    };
    readonly primitive: { readonly topology: 'triangle-list' };
  }): GpuHandle;
  createCommandEncoder(): CommandEncoder;
  destroy(): void;
}
export interface GpuAdapter {
  readonly limits: { readonly maxBufferSize: number; readonly maxStorageBufferBindingSize: number };
  /** Missing in older browsers. */
  readonly info?: { readonly architecture: string; readonly isFallbackAdapter?: boolean };
  requestDevice(what: { readonly requiredLimits: { readonly [limit: string]: number } }): Promise<GpuDevice>;
}
export interface Gpu {
  requestAdapter(what?: { readonly powerPreference: 'high-performance' }): Promise<GpuAdapter | null>;
}

/** The standard's bits of GPUBufferUsage, GPUMapMode and GPUShaderStage. */
export const MAP_READ = 1;
export const COPY_SRC = 4;
export const COPY_DST = 8;
export const STORAGE = 128;
export const READ_MODE = 1;
export const COMPUTE_STAGE = 4;
