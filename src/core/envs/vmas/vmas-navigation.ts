/**
 * Every agent goes to its own goal and keeps clear of the others, which it senses by lidar. VMAS navigation. Obs per agent: own place and velocity,
 * self - goal, 12 numbers `range` - distance of the rays. Reward: sum over agents (own with `sharedReward` off) of the decrease of the
 * distance to the goal + 0.01 when all are on their goals - 1 per other agent nearer than 0.005 m. Terminates when all are within 0.1 m.
 * The reference looks at a pair only where it overlaps in some environment of its batch: with one environment gaps of 0 to 5 mm cost nothing
 * there, with hundreds they do, as here. Physics: vmas/lib/world.ts, 2 sub-steps. Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/navigation.py`.
 */
import { z } from 'zod';
import { standard } from '../lib/references.ts';
import { agents, agentsField, contactField, disc, drag, gap, OWN, own, scatter, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { createLidar } from './lib/lidar.ts';
import { references } from './lib/references.ts';
import { navigationRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(4, 1, 8),
  sharedReward: z
    .boolean()
    .default(true)
    .meta({ title: 'shared progress', description: 'All agents are rewarded for the progress of all.', source: 'VMAS' }),
  maxSteps: limitField(100),
  ...drag,
  collisionForce: contactField(100),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const RADIUS = 0.1;
const GOAL = 0.05;
const APART = 2 * RADIUS + 0.05;
const RANGE = 0.35;
const RAYS = 12;

function scene(c: Config): Scene {
  const A = c.agents;
  const at = offsets(A, A);
  const lidar = createLidar(RAYS, RANGE);
  const others = Array.from({ length: A }, (_, i) => 2 * i);
  const far = (floats: Float64Array, s: number, i: number) => gap(floats, s + 2 * i, s + at.landmark + 2 * i);
  return {
    ...WORLD,
    drag: c.drag,
    collisionForce: c.collisionForce,
    substeps: 2,
    agents: agents(A, RADIUS),
    landmarks: Array.from({ length: A }, (_, i) => disc(`goal ${i}`, GOAL, { collides: false })),
    looks: Array.from({ length: A }, () => ({ shape: 'goal' as const, colour: 2 })),
    scripted: 0,
    multiplier: 1,
    sees: [...OWN, 'from goal dx', 'from goal dy', ...Array.from({ length: RAYS }, (_, k) => `near at ${30 * k}°`)],
    lidar: { rays: RAYS, range: RANGE },
    flags: null,
    shared: false,
    bounds: 1.3,
    references: references('vmas-navigation', isStandard(c)),
    start(floats, s, u) {
      const taken: number[] = [];
      for (let i = 0; i < 2 * A; i++) {
        const place = i < A ? s + 2 * i : s + at.landmark + 2 * (i - A);
        scatter(floats, place, taken, APART, 1, u);
        taken.push(place);
      }
    },
    before(floats, s, memo) {
      for (let i = 0; i < A; i++) memo[i] = far(floats, s, i);
    },
    reward(floats, s, _words, _w, memo, out, from) {
      let progress = 0;
      let on = 0;
      let near = 0;
      for (let i = 0; i < A; i++) {
        const now = far(floats, s, i);
        progress += memo[i]! - now;
        out[from + i] = memo[i]! - now;
        if (now < GOAL) on++;
        if (now < RADIUS) near++;
      }
      const bonus = on === A ? 0.01 : 0;
      for (let i = 0; i < A; i++) out[from + i] = (c.sharedReward ? progress : out[from + i]!) + bonus;
      for (let i = 0; i < A; i++)
        for (let j = 0; j < i; j++) {
          if (gap(floats, s + 2 * i, s + 2 * j) - 2 * RADIUS > 0.005) continue;
          out[from + i] = out[from + i]! - 1;
          out[from + j] = out[from + j]! - 1;
        }
      return near === A;
    },
    observe(floats, s, _words, _w, out, from) {
      for (let i = 0; i < A; i++) {
        const k = own(floats, s, A, i, out, from + (6 + RAYS) * i);
        for (let d = 0; d < 2; d++) out[k + d] = floats[s + 2 * i + d]! - floats[s + at.landmark + 2 * i + d]!;
        lidar.measure(floats, s + 2 * i, s, others, RADIUS, out, k + 2);
        for (let r = k + 2; r < k + 2 + RAYS; r++) out[r] = RANGE - out[r]!;
      }
    },
    rays: (floats, s, i, out, to) => lidar.measure(floats, s + 2 * i, s, others, RADIUS, out, to),
  };
}

export const vmasNavigation = defineVmas<Config>({
  id: 'vmas-navigation',
  title: 'VMAS Navigation',
  summary: 'Each agent goes to its own goal; it senses the others only by short rays.',
  config,
  presets: [
    { id: '4-agents', title: '4 agents', config: {} },
    { id: '8-agents', title: '8 agents', config: { agents: 8 } },
    { id: 'own-reward', title: '4 agents, each paid for itself', config: { sharedReward: false } },
  ],
  scene,
  policies: { scripted: () => navigationRule(RAYS, RANGE) },
});
