/**
 * A team keeps close to each other and to a target that circles, between obstacles. VMAS flocking. Obs per agent: own place and velocity,
 * self - target, 12 rays to the obstacles (distance, at most 0.2 m). Own reward: decrease of the mean over all others, the target too, of
 * (distance - 0.1)^2, - 0.1 per other nearer than 0.005 m. The target, agent 0 of the state, is pushed by (cos, sin)(t / 30). Never
 * terminates. Physics: vmas/lib/world.ts, 5 sub-steps. Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/flocking.py`.
 */
import { z } from 'zod';
import { cos, sin } from '#math/functions.ts';
import { standard } from '../lib/references.ts';
import { agents, agentsField, contactField, disc, drag, gap, OWN, own, scatter, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { createLidar } from './lib/lidar.ts';
import { references } from './lib/references.ts';
import { flockingRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(4),
  obstacles: z.int().min(0).max(10).default(5).meta({ title: 'obstacles', description: 'Pillars in the way.', source: 'VMAS' }),
  maxSteps: limitField(100),
  ...drag,
  collisionForce: contactField(400),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const RADIUS = 0.05;
const WANTED = 0.1; // m
const RAYS = 12;
const RANGE = 0.2;

function scene(c: Config): Scene {
  const A = c.agents;
  const all = A + 1; // the target is number 0
  const at = offsets(all, c.obstacles);
  const lidar = createLidar(RAYS, RANGE);
  const obstacles = Array.from({ length: c.obstacles }, (_, i) => at.landmark + 2 * i);
  const spread = (floats: Float64Array, s: number, i: number): number => {
    let sum = 0;
    for (let j = 0; j < all; j++) {
      if (j === i) continue;
      const off = gap(floats, s + 2 * i, s + 2 * j) - WANTED;
      sum += off * off;
    }
    return sum / A;
  };
  return {
    ...WORLD,
    drag: c.drag,
    collisionForce: c.collisionForce,
    substeps: 5,
    agents: [disc('target', RADIUS, { moves: true }), ...agents(A, RADIUS)],
    landmarks: obstacles.map((_, i) => disc(`obstacle_${i}`, 0.1)),
    looks: obstacles.map(() => ({ shape: 'obstacle' as const, colour: 7 })),
    scripted: 1,
    multiplier: 1,
    sees: [...OWN, 'from target dx', 'from target dy', ...Array.from({ length: RAYS }, (_, k) => `obstacle at ${30 * k}°`)],
    lidar: { rays: RAYS, range: RANGE },
    flags: null,
    shared: false,
    bounds: 1.4,
    references: references('vmas-flocking', isStandard(c)),
    start(floats, s, u) {
      floats[s + 1] = -1;
      const taken = [s];
      for (const place of [...obstacles.map((o) => s + o), ...Array.from({ length: A }, (_, i) => s + 2 * (i + 1))]) {
        scatter(floats, place, taken, 0.15, 1, u);
        taken.push(place);
      }
    },
    script(drive, steps) {
      drive[0] = cos(steps / 30);
      drive[1] = sin(steps / 30);
    },
    before(floats, s, memo) {
      for (let i = 0; i < A; i++) memo[i] = spread(floats, s, i + 1);
    },
    reward(floats, s, _words, _w, memo, out, from) {
      for (let i = 0; i < A; i++) {
        let bumps = 0;
        for (let j = 0; j < all; j++) if (j !== i + 1 && gap(floats, s + 2 * (i + 1), s + 2 * j) - 2 * RADIUS <= 0.005) bumps++;
        out[from + i] = memo[i]! - spread(floats, s, i + 1) - 0.1 * bumps;
      }
      return false;
    },
    observe(floats, s, _words, _w, out, from) {
      for (let i = 0; i < A; i++) {
        const self = s + 2 * (i + 1);
        const k = own(floats, s, all, i + 1, out, from + (6 + RAYS) * i);
        out[k] = floats[self]! - floats[s]!;
        out[k + 1] = floats[self + 1]! - floats[s + 1]!;
        lidar.measure(floats, self, s, obstacles, 0.1, out, k + 2);
      }
    },
    rays: (floats, s, i, out, to) => lidar.measure(floats, s + 2 * (i + 1), s, obstacles, 0.1, out, to),
  };
}

export const vmasFlocking = defineVmas<Config>({
  id: 'vmas-flocking',
  title: 'VMAS Flocking',
  summary: 'Stay together with a circling target and keep clear of pillars.',
  config,
  // The number of the agent is seen: agents that share a network and see the same would do the same without drawing, and bump.
  recommended: { algo: 'ippo', preset: 'simple-spread', config: { agentId: true }, steps: 600_000 },
  presets: [
    { id: '4-agents', title: '4 agents, 5 obstacles', config: {} },
    { id: 'open', title: '4 agents, no obstacles', config: { obstacles: 0 } },
    { id: '8-agents', title: '8 agents', config: { agents: 8 } },
  ],
  scene,
  policies: { scripted: (c) => flockingRule(c) },
});
