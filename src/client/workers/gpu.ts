/**
 * Asks for a GPU adapter, where its answer is needed: the first question of a page takes up to half a second of its thread where the processor plays the
 * graphics card.
 */
import { machineStore } from '#stores/machine.ts';

/** Whether a GPU answers, unless that is known; the reason is shown beside the executor. Never rejects. */
export async function probeGpu(): Promise<void> {
  if (machineStore.getState().gpu !== 'unknown') return;
  const gpu = 'gpu' in navigator ? navigator.gpu : undefined;
  if (gpu === undefined) {
    machineStore.setState({ gpu: 'none', gpuReason: 'this browser has no WebGPU' });
    return;
  }
  try {
    const adapter = await gpu.requestAdapter();
    if (adapter === null) machineStore.setState({ gpu: 'none', gpuReason: 'WebGPU finds no adapter here' });
    else {
      const { vendor, architecture, isFallbackAdapter } = adapter.info;
      machineStore.setState({
        gpu: 'present',
        gpuInSoftware: isFallbackAdapter === true || /swiftshader|llvmpipe|software/i.test(`${vendor} ${architecture}`),
        gpuReason: [vendor, architecture].filter((part) => part !== '').join(' ') || 'WebGPU adapter',
      });
    }
  } catch {
    machineStore.setState({ gpu: 'none', gpuReason: 'WebGPU is switched off here' });
  }
}
