/** One step of a swarm on the device from states met on the host, beside the environment's. Posts the largest distance. */
import type { JsonObject } from '#contract/kit/json.ts';
import { createWebgpuEngine } from '#core/engine/webgpu/engine.ts';
import { deviceSwarm } from '#core/rollouts/swarms/swarm.ts';
import { farOff, metStates, type SwarmName, swarmOf } from '#core/testing/rollouts/swarms.ts';
import { Rng } from '#math/rng.ts';

export interface Task {
  readonly swarm: SwarmName;
  readonly config: JsonObject;
  /** Steps of the host's episode after which states are taken. */
  readonly times: readonly number[];
}

async function compare({ swarm: name, config, times }: Task): Promise<unknown> {
  const engine = await createWebgpuEngine();
  const swarm = swarmOf(name, config);
  const { device } = engine;
  const on = deviceSwarm(device, swarm);
  let worst = 0;
  let moved = 0;
  for (const { before, after, noise } of await metStates(name, config, times)) {
    device.write(on.state, Float32Array.from(before));
    on.step(new Rng(noise));
    const found = await device.read(on.state);
    worst = Math.max(worst, farOff(found, after, swarm.box));
    moved = Math.max(moved, farOff(before, after, swarm.box));
  }
  engine.dispose();
  return { worst, moved };
}

self.addEventListener('message', ({ data }: MessageEvent<Task>) => {
  compare(data).then(postMessage, (error: unknown) =>
    postMessage({ error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }),
  );
});
