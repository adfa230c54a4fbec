/** A graphics device that takes everything and computes nothing: what is sent to one can be counted anywhere. */
import type { Gpu, GpuBuffer, GpuDevice } from '#core/engine/webgpu/api.ts';

const LIMITS = { maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27 };

/** A device that takes everything and answers zeros; the shaders it was given, and the offsets its passes were bound at. */
export function idleGpu() {
  const shaders: string[] = [];
  const offsets: number[] = [];
  let lose = (_: { message: string }): void => undefined;
  const handle = { label: '' };
  const buffer = (size: number): GpuBuffer => ({
    mapAsync: async () => undefined,
    getMappedRange: () => new ArrayBuffer(size),
    unmap: () => undefined,
    destroy: () => undefined,
  });
  const device: GpuDevice = {
    lost: new Promise((resolve) => {
      lose = resolve;
    }),
    limits: LIMITS,
    queue: { writeBuffer: () => undefined, submit: () => undefined },
    addEventListener: () => undefined,
    createBuffer: ({ size }) => buffer(size),
    createShaderModule: ({ code }) => {
      shaders.push(code);
      return handle;
    },
    createBindGroupLayout: () => handle,
    createPipelineLayout: () => handle,
    createBindGroup: () => handle,
    createComputePipeline: () => handle,
    createRenderPipeline: () => handle,
    createCommandEncoder: () => ({
      beginComputePass: () => ({
        setPipeline: () => undefined,
        setBindGroup: (_index, _group, at = []) => offsets.push(...at),
        dispatchWorkgroups: () => undefined,
        end: () => undefined,
      }),
      beginRenderPass: () => ({ setPipeline: () => undefined, setBindGroup: () => undefined, draw: () => undefined, end: () => undefined }),
      copyBufferToBuffer: () => undefined,
      finish: () => handle,
    }),
    destroy: () => undefined,
  };
  const gpu: Gpu = { requestAdapter: async () => ({ limits: LIMITS, requestDevice: async () => device }) };
  return { gpu, shaders, offsets, lose: () => lose({ message: 'gone' }) };
}
