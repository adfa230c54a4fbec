/** The page's door to a swarm on the graphics device: a worker of its own that holds the canvas, gone with it. */
import { transfer } from 'comlink';
import { knowGpu } from '#client/workers/machine.ts';
import { spawnWatch } from '#client/workers/workers.ts';
import { fail } from '#contract/kit/errors.ts';
import type { SwarmAsk, SwarmFrame, SwarmTold } from '#contract/run/swarm.ts';
import { machineStore } from '#stores/machine.ts';

export interface SwarmOnDevice {
  /** Settles once the swarm stands there; rejects with what kept it from it: LabError('gpu-missing'), say. */
  readonly ready: Promise<void>;
  frame(look: SwarmFrame): Promise<SwarmTold>;
  change(ask: SwarmAsk): Promise<void>;
  close(): void;
}

async function needGpu(): Promise<void> {
  await knowGpu();
  const { gpu, gpuReason } = machineStore.getState();
  if (gpu === 'none') throw fail('gpu-missing', `A swarm of this size needs WebGPU: ${gpuReason}.`, 'Open this page in another browser.');
}

/** A canvas can be handed over once: the caller makes a new one for every swarm. */
export function openSwarm(canvas: HTMLCanvasElement, ask: SwarmAsk): SwarmOnDevice {
  let ended = (_: Error): void => undefined;
  const death = new Promise<never>((_, reject) => {
    ended = reject;
  });
  const worker = spawnWatch(`rl-workbench:swarm ${crypto.getRandomValues(new Uint32Array(1))}`, (message) => ended(new Error(message)));
  const start = async (): Promise<void> => {
    await needGpu();
    const offscreen = canvas.transferControlToOffscreen();
    await worker.api.swarm(transfer(offscreen, [offscreen]), ask);
  };
  return {
    ready: Promise.race([start(), death]),
    frame: (look) => Promise.race([worker.api.swarmFrame(look), death]),
    change: (next) => Promise.race([worker.api.swarmChange(next), death]),
    close: () => worker.terminate(),
  };
}
