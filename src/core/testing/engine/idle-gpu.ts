/** A graphics device that takes everything and computes nothing: what is sent to one can be counted anywhere. */
import type { Gpu, GpuBuffer, GpuDevice } from '#core/engine/webgpu/api.ts';

const LIMITS = { maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27 };

/** A device that takes everything and answers zeros; the shaders it was given, and the offsets its passes were bound at. */
export function idleGpu() {
  const shaders: string[] = [];
  const offsets: number[] = [];
  let lose = (_: { message: string }): void => undefined;
  let complain = (_: { readonly error: { readonly message: string } }): void => undefined;
  /** What the device says, later, of a mapping that it refuses; null: it refuses none. */
  let refused: string | null = null;
  /** What is wrong with every pipeline; null: nothing. */
  let faulty: string | null = null;
  /** Pipelines that were waited for where they were made, and others. */
  const made = { atOnce: 0, beside: 0 };
  const handle = { label: '' };
  const buffer = (size: number): GpuBuffer => ({
    mapAsync: async () => {
      if (refused !== null) throw Object.assign(new Error('refused'), { name: 'OperationError' });
    },
    getMappedRange: () => new ArrayBuffer(size),
    unmap: () => undefined,
    destroy: () => undefined,
  });
  const device: GpuDevice = {
    lost: new Promise((resolve) => {
      lose = resolve;
    }),
    limits: LIMITS,
    queue: {
      writeBuffer: () => undefined,
      submit: () => undefined,
      onSubmittedWorkDone: async () => {
        for (let later = 0; later < 5; later++) await Promise.resolve();
        if (refused !== null && refused !== '') complain({ error: { message: refused } });
      },
    },
    addEventListener: (_type, listener) => {
      complain = listener;
    },
    createBuffer: ({ size }) => buffer(size),
    createShaderModule: ({ code }) => {
      shaders.push(code);
      return handle;
    },
    createBindGroupLayout: () => handle,
    createPipelineLayout: () => handle,
    createBindGroup: () => handle,
    createComputePipeline: () => {
      made.atOnce++;
      return handle;
    },
    createComputePipelineAsync: async () => {
      made.beside++;
      if (faulty !== null) throw new Error(faulty);
      return handle;
    },
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
  /** From now on mappings are refused, and `message` says why after what was submitted; '' says nothing. */
  const refuse = (message: string): void => {
    refused = message;
  };
  const refusePipelines = (message: string): void => {
    faulty = message;
  };
  return { gpu, shaders, offsets, made, refuse, refusePipelines, lose: () => lose({ message: 'gone' }) };
}
