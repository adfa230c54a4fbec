/**
 * Asks for a GPU adapter, where its answer is needed: the first question of a page takes up to half a second of its thread where the processor plays the
 * graphics card.
 */
import { gpuFound, gpuMissing, machineStore } from '#stores/machine.ts';

/** Whether a GPU answers, unless that is known; the reason is shown beside the executor. Never rejects. */
export async function probeGpu(): Promise<void> {
  if (machineStore.getState().gpu !== 'unknown') return;
  const gpu = 'gpu' in navigator ? navigator.gpu : undefined;
  if (gpu === undefined) {
    gpuMissing('this browser has no WebGPU');
    return;
  }
  try {
    const adapter = await gpu.requestAdapter();
    if (adapter === null) gpuMissing('WebGPU finds no adapter here');
    else {
      const { vendor, architecture, isFallbackAdapter } = adapter.info;
      const inSoftware = isFallbackAdapter === true || /swiftshader|llvmpipe|software/i.test(`${vendor} ${architecture}`);
      gpuFound([vendor, architecture].filter((part) => part !== '').join(' ') || 'WebGPU adapter', inSoftware);
    }
  } catch {
    gpuMissing('WebGPU is switched off here');
  }
}
