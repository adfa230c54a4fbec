/**
 * A team finds targets that count only when enough agents are near at once. VMAS discovery. Obs per agent: own place and velocity, 15 rays
 * to the targets (distance, at most 0.35 m). A target is covered when `agentsPerTarget` agents are within 0.25 m: +1 to each of them
 * (with `sharedReward` half of the sum to all), + `timePenalty`. Covered targets appear elsewhere, or with `targetsRespawn` off are
 * gone; then the episode terminates when all are. Physics: vmas/lib/world.ts, 2 sub-steps.
 * Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/discovery.py`.
 */
import { z } from 'zod';
import { standard } from '../lib/references.ts';
import { agents, agentsField, contactField, disc, drag, gap, OWN, own, scatter, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { createLidar } from './lib/lidar.ts';
import { references } from './lib/references.ts';
import { discoveryRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(5),
  targets: z.int().min(1).max(15).default(7).meta({ title: 'targets', description: 'Places to be found.', source: 'VMAS' }),
  targetsRespawn: z
    .boolean()
    .default(true)
    .meta({ title: 'targets come back', description: 'A covered target appears elsewhere.', source: 'VMAS' }),
  agentsPerTarget: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .meta({ title: 'agents per target', description: 'How many must be near at once.', source: 'VMAS' }),
  sharedReward: z
    .boolean()
    .default(false)
    .meta({ title: 'shared reward', description: 'All agents are rewarded for every covered target.', source: 'VMAS' }),
  timePenalty: z
    .number()
    .min(-10)
    .max(0)
    .default(0)
    .meta({ title: 'time penalty', description: 'Added to every reward.', source: 'VMAS', slider: [-0.1, 0] }),
  maxSteps: limitField(100),
  ...drag,
  collisionForce: contactField(500),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const RADIUS = 0.05;
const RAYS = 15;
const RANGE = 0.35;
const COVER = 0.25;
const APART = 0.2;

function scene(c: Config): Scene {
  const A = c.agents;
  const T = c.targets;
  const at = offsets(A, T);
  const lidar = createLidar(RAYS, RANGE);
  const targets = Array.from({ length: T }, (_, i) => at.landmark + 2 * i);
  const bodies = Array.from({ length: A }, (_, i) => 2 * i);
  const covers = (floats: Float64Array, s: number, i: number, t: number) => gap(floats, s + 2 * i, s + targets[t]!) < COVER;
  const covered = new Uint8Array(T);
  return {
    ...WORLD,
    drag: c.drag,
    collisionForce: c.collisionForce,
    substeps: 2,
    halfX: 1,
    halfY: 1,
    agents: agents(A, RADIUS),
    landmarks: targets.map((_, i) => disc(`target_${i}`, RADIUS)),
    looks: targets.map(() => ({ shape: 'landmark' as const, colour: 2 })),
    scripted: 0,
    multiplier: 1,
    sees: [...OWN, ...Array.from({ length: RAYS }, (_, k) => `target at ${24 * k}°`)],
    lidar: { rays: RAYS, range: RANGE },
    flags: 'covered',
    shared: c.sharedReward,
    bounds: 1.1,
    references: references('vmas-discovery', isStandard(c)),
    start(floats, s, u) {
      const taken: number[] = [];
      for (const place of [...targets, ...bodies]) {
        scatter(floats, s + place, taken, APART, 1, u);
        taken.push(s + place);
      }
    },
    reward(floats, s, words, w, _memo, out, from, u) {
      out.fill(0, from, from + A);
      let total = 0;
      for (let t = 0; t < T; t++) {
        let near = 0;
        for (let i = 0; i < A; i++) if (covers(floats, s, i, t)) near++;
        covered[t] = near >= c.agentsPerTarget ? 1 : 0;
        if (covered[t] === 0) continue;
        total += near;
        for (let i = 0; i < A; i++) if (covers(floats, s, i, t)) out[from + i] = out[from + i]! + 1;
      }
      for (let i = from; i < from + A; i++) out[i] = (c.sharedReward ? total / 2 : out[i]!) + c.timePenalty;
      let left = 0;
      for (let t = 0; t < T; t++) {
        if (covered[t] === 1) {
          const place = s + targets[t]!;
          if (c.targetsRespawn) scatter(floats, place, taken(s), APART, 1, u);
          else {
            words[w + t] = 1;
            floats[place] = -10 - 990 * u(); // far outside, as in the reference
            floats[place + 1] = -10 - 990 * u();
          }
        }
        if (words[w + t] === 0) left++;
      }
      return left === 0;
    },
    observe(floats, s, _words, _w, out, from) {
      for (let i = 0; i < A; i++) {
        const k = own(floats, s, A, i, out, from + (4 + RAYS) * i);
        lidar.measure(floats, s + 2 * i, s, targets, RADIUS, out, k);
      }
    },
    rays: (floats, s, i, out, to) => lidar.measure(floats, s + 2 * i, s, targets, RADIUS, out, to),
  };

  function taken(s: number): number[] {
    return [...bodies, ...targets].map((place) => s + place);
  }
}

export const vmasDiscovery = defineVmas<Config>({
  id: 'vmas-discovery',
  title: 'VMAS Discovery',
  summary: 'Search in pairs: a target counts only when two are near it at once.',
  config,
  presets: [
    { id: '5-agents', title: '5 agents, 7 targets', config: {} },
    { id: 'once', title: 'every target once', config: { targetsRespawn: false } },
    { id: 'alone', title: '5 agents, one is enough', config: { agentsPerTarget: 1 } },
  ],
  scene,
  policies: { scripted: (c) => discoveryRule(c, RAYS, RANGE) },
});
