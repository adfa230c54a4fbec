/**
 * Agents start in one place and eat food that lies around: best one each. VMAS dispersion. Obs per agent: own place and velocity, per food
 * where it is and whether it was eaten. Reward: 1 per food that is eaten in this step, split among those on it (with `sharedReward` 1 to
 * all); with `penaliseByTime` -0.01 where it would be 0. Terminates when all is eaten. No contact. Physics: vmas/lib/world.ts.
 * Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/scenarios/dispersion.py`.
 */
import { z } from 'zod';
import { standard } from '../lib/references.ts';
import { agents, agentsField, disc, drag, gap, OWN, own, WORLD } from './lib/bodies.ts';
import { defineVmas, limitField } from './lib/define.ts';
import { references } from './lib/references.ts';
import { dispersionRule } from './lib/rules.ts';
import type { Scene } from './lib/scene.ts';
import { offsets } from './lib/world.ts';

const config = z.strictObject({
  agents: agentsField(4),
  sharedReward: z
    .boolean()
    .default(false)
    .meta({ title: 'shared reward', description: 'All agents are rewarded for every food.', source: 'VMAS' }),
  penaliseByTime: z.boolean().default(false).meta({ title: 'time costs', description: 'A step without food costs 0.01.', source: 'VMAS' }),
  maxSteps: limitField(100),
  ...drag,
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const REACH = 0.035 + 0.05; // m

function scene(c: Config): Scene {
  const A = c.agents;
  const at = offsets(A, A);
  const food = (s: number, l: number) => s + at.landmark + 2 * l;
  return {
    ...WORLD,
    drag: c.drag,
    halfX: 1,
    halfY: 1,
    agents: agents(A, 0.035, { collides: false }),
    landmarks: Array.from({ length: A }, (_, i) => disc(`food_${i}`, 0.05, { collides: false })),
    looks: Array.from({ length: A }, () => ({ shape: 'food' as const, colour: 2 })),
    scripted: 0,
    multiplier: 1,
    sees: [...OWN, ...Array.from({ length: A }, (_, k) => [`food ${k} dx`, `food ${k} dy`, `food ${k} eaten`]).flat()],
    flags: 'eaten',
    shared: false,
    bounds: 1.1,
    references: references('vmas-dispersion', isStandard(c)),
    start(floats, s, u) {
      for (let k = 0; k < 2 * A; k++) floats[s + at.landmark + k] = 2 * u() - 1;
    },
    reward(floats, s, words, w, _memo, out, from) {
      out.fill(0, from, from + A);
      let left = 0;
      for (let l = 0; l < A; l++) {
        if (words[w + l]! > 0) continue;
        let on = 0;
        for (let i = 0; i < A; i++) if (gap(floats, s + 2 * i, food(s, l)) < REACH) on++;
        if (on === 0) {
          left++;
          continue;
        }
        words[w + l] = 1;
        for (let i = 0; i < A; i++) {
          if (c.sharedReward) out[from + i] = out[from + i]! + 1;
          else if (gap(floats, s + 2 * i, food(s, l)) < REACH) out[from + i] = out[from + i]! + 1 / on;
        }
      }
      if (c.penaliseByTime) for (let i = from; i < from + A; i++) if (out[i] === 0) out[i] = -0.01;
      return left === 0;
    },
    observe(floats, s, words, w, out, from) {
      const width = 4 + 3 * A;
      for (let i = 0; i < A; i++) {
        let k = own(floats, s, A, i, out, from + width * i);
        for (let l = 0; l < A; l++) {
          out[k++] = floats[food(s, l)]! - floats[s + 2 * i]!;
          out[k++] = floats[food(s, l) + 1]! - floats[s + 2 * i + 1]!;
          out[k++] = words[w + l]!;
        }
      }
    },
  };
}

export const vmasDispersion = defineVmas<Config>({
  id: 'vmas-dispersion',
  title: 'VMAS Dispersion',
  summary: 'All start together; food lies around, one for each.',
  config,
  // The number of the agent is seen: all start in one place, and agents that share a network would go the same way without drawing.
  recommended: { algo: 'ippo', config: { lr: 0.001, gamma: 0.95, agentId: true }, steps: 1_500_000 },
  presets: [
    { id: '4-agents', title: '4 agents, 4 foods', config: {} },
    { id: '8-agents', title: '8 agents, 8 foods', config: { agents: 8 } },
    { id: 'shared', title: '4 agents, shared reward, time costs', config: { sharedReward: true, penaliseByTime: true } },
  ],
  scene,
  policies: { scripted: (c) => dispersionRule(c.agents) },
});
