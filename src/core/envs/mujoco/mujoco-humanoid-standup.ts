/**
 * The humanoid lies on its back: stand up. Gymnasium HumanoidStandup-v5.
 * Obs as the humanoid's; action: torques over the gears, -0.4..0.4. Reward height / physics step + 1 - control weight x |action|² - cost
 * of contacts. Never ends; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `humanoidstandup_v5.py`; dimensions of its `humanoidstandup.xml`; 5 x 0.003 s, RK4.
 */
import { z } from 'zod';
import { weightField } from '../api/terms.ts';
import { defineBody } from './lib/define.ts';
import {
  contactCost,
  contactRange,
  controlCost,
  HUMANOID_ACTIONS,
  HUMANOID_READS,
  humanoidBody,
  humanoidFields,
  humanoidSenses,
} from './lib/humanoid.ts';
import { CONTROL, controlWeight, spreadStart } from './lib/rules.ts';
import { follow, type Gait } from './lib/scripts.ts';

const SOURCE = 'Gymnasium HumanoidStandup-v5';
const body = humanoidBody(true);

const STRAIGHT = [0, 0, 0] as const;
/** Hip about x, z and y, knee; the same on both sides. */
const LEG: Gait['joints'] = [[0.11, 0, 0], STRAIGHT, [-2.12, 0, 0], [-1.82, 0, 0]];
/** Bent belly, hips and knees raise the trunk. Found by a random search for height. */
const SITS: Gait = {
  frequency: 0,
  stiffness: 2.18,
  damping: 0.14,
  joints: [
    [-0.87, 0, 0],
    STRAIGHT,
    STRAIGHT,
    ...LEG,
    ...LEG,
    ...[1, -1].flatMap((side): Gait['joints'] => [
      [-1.24 * side, 0, 0],
      [1.77 * side, 0, 0],
      [-0.51, 0, 0],
    ]),
  ],
};

const config = z.strictObject({
  ...humanoidFields(SOURCE),
  impactCostRange: contactRange(SOURCE),
  ctrlCostWeight: controlWeight(0.1, SOURCE),
  impactCostWeight: weightField(5e-7, {
    title: 'impact',
    description: 'Taken off per sum of squared contact forces.',
    slider: [0, 1e-5],
    source: SOURCE,
  }),
});

export const mujocoHumanoidStandup = defineBody<z.infer<typeof config>>({
  id: 'mujoco-humanoid-standup',
  title: 'Humanoid standup (MuJoCo)',
  summary: 'Stand up from the back.',
  config,
  body,
  actions: HUMANOID_ACTIONS,
  terms: [
    { id: 'up', title: 'height', weights: [] },
    CONTROL,
    { id: 'impact', title: 'impact', weights: ['impactCostWeight'] },
    { id: 'base', title: 'every step', weights: [] },
  ],
  look: { bounds: [-1, -1.1, 0, 1.4, 1.1, 1.6], travels: true, numbers: ['distance (m)', 'height (m)'] },
  reads: HUMANOID_READS,
  contactForces: true,
  start: ({ resetNoiseScale }, qpos, qvel, draw) => spreadStart(resetNoiseScale, qpos, qvel, draw),
  rules(c) {
    const { centre: _, ...senses } = humanoidSenses(body, c);
    return {
      ...senses,
      judge(_row, seen, _actions, _action, terms, at) {
        terms[at] = seen.qpos[2]! / body.timestep;
        terms[at + 1] = -controlCost(seen, c.ctrlCostWeight);
        terms[at + 2] = -contactCost(seen.cfrc_ext, c.impactCostWeight, c.impactCostRange);
        terms[at + 3] = 1;
        return false;
      },
    };
  },
  policies: { 'sit-up': () => follow(body, SITS, 0) },
  references: [
    { name: 'random', value: 32515, source: 'uniform actions, 8 episodes' },
    { name: 'sit-up', value: 156134, source: 'own script: sits, does not stand; 20 episodes' },
    { name: 'published PPO', value: 150105, source: 'SLM-Lab benchmark of v5, 4M frames' },
  ],
});
