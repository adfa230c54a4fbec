/** One swarm on the graphics device, drawn on the canvas of the page. Loaded when its page is opened. */
import { fail } from '#contract/kit/errors.ts';
import type { SwarmAsk, SwarmCanvas, SwarmFrame, SwarmTold } from '#contract/run/swarm.ts';
import { createWebgpuEngine } from '#core/engine/webgpu/engine.ts';
import { boids } from '#core/rollouts/swarms/boids.ts';
import { deviceSwarm, type Swarm } from '#core/rollouts/swarms/swarm.ts';
import { vicsek } from '#core/rollouts/swarms/vicsek.ts';
import { Rng } from '#math/rng.ts';

/** Length of an arrowhead beside the mean distance of members. */
const LENGTH = 0.35;
/** Middle and swing of the colours' channels: seen on dark paper and on light. */
const INK = { dark: [0.62, 0.36], light: [0.4, 0.34] } as const;

const rulesOf = ({ model, config, members }: SwarmAsk): Swarm => (model === 'boids' ? boids : vicsek)(config, members);

export interface SwarmHost {
  frame(ask: SwarmFrame): Promise<SwarmTold>;
  change(ask: SwarmAsk): void;
  dispose(): void;
}

/** Throws LabError('gpu-missing' | 'config-invalid'). */
export async function openSwarm(canvas: SwarmCanvas, ask: SwarmAsk): Promise<SwarmHost> {
  const swarm = rulesOf(ask);
  const engine = await createWebgpuEngine();
  const { device } = engine;
  const rng = Rng.from(ask.seed);
  const members = deviceSwarm(device, swarm);
  device.write(members.state, swarm.start(rng.split('start')));
  const noise = rng.split('noise');
  const picture = device.picture(canvas, members.state);
  let told: Promise<number> | undefined;
  return {
    async frame({ steps, width, height, paper, dark }) {
      if (!(steps >= 0 && steps <= 64))
        throw fail('config-invalid', `${steps} steps a frame are not possible.`, 'Ask for 0 to 64.', 'steps');
      for (let i = 0; i < steps; i++) members.step(noise);
      const size = LENGTH * (swarm.box / Math.sqrt(swarm.sizes.members));
      const now = members.order();
      picture.draw({ width, height, low: swarm.low, box: swarm.box, size, ink: dark ? INK.dark : INK.light, paper });
      // The device computes this frame while the page waits for the one before: never more than two are under way.
      const before = told ?? now;
      told = now;
      return { order: await before };
    },
    change(next) {
      members.change(rulesOf(next));
    },
    dispose: () => engine.dispose(),
  };
}
