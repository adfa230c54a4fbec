/**
 * A body with two legs, two arms and 17 motors: walk ahead without falling. Gymnasium Humanoid-v5.
 * Obs [height, orientation (quaternion), 17 joint angles, 23 speeds, inertias and speeds of 13 parts, motor forces, contact forces]; the position
 * (x, y) comes first unless it is left out. Action: torques over the gears, -0.4..0.4. Reward forward weight x speed of the mass centre
 * along x + healthy reward - control weight x |action|² - cost of contacts. Healthy: the height in its range.
 * Ends when unhealthy; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `humanoid_v5.py` (Tassa, Erez and Todorov 2012); dimensions of its `humanoid.xml`; 5 x 0.003 s, RK4.
 */
import { z } from 'zod';
import { defineBody } from './lib/define.ts';
import {
  contactCost,
  contactRange,
  contactWeight,
  controlCost,
  HUMANOID_ACTIONS,
  HUMANOID_READS,
  humanoidBody,
  humanoidFields,
  humanoidSenses,
} from './lib/humanoid.ts';
import { CONTROL, controlWeight, ENDS_UNHEALTHY, FORWARD, forwardWeight, healthyWeight, SURVIVE, spreadStart } from './lib/rules.ts';
import { holds } from './lib/scripts.ts';
import { rangeField, switchField, within } from './lib/settings.ts';

const SOURCE = 'Gymnasium Humanoid-v5';
const body = humanoidBody(false);

const config = z.strictObject({
  ...humanoidFields(SOURCE),
  terminateWhenUnhealthy: switchField(true, ENDS_UNHEALTHY.title, ENDS_UNHEALTHY.description, SOURCE),
  healthyZRange: rangeField(1, 2, 'healthy height', 'Of the torso, m.', SOURCE),
  contactCostRange: contactRange(SOURCE),
  forwardRewardWeight: forwardWeight(1.25, SOURCE),
  healthyReward: healthyWeight(5, SOURCE),
  ctrlCostWeight: controlWeight(0.1, SOURCE),
  contactCostWeight: contactWeight(SOURCE),
});

export const mujocoHumanoid = defineBody<z.infer<typeof config>>({
  id: 'mujoco-humanoid',
  title: 'Humanoid (MuJoCo)',
  summary: 'Walk ahead on two legs in space.',
  learnNote:
    'Not learned by anything here yet: a million steps bring PPO to 670, a ninth of the way to published SAC. Published PPO gets 716 by then.',
  config,
  body,
  actions: HUMANOID_ACTIONS,
  terms: [FORWARD, SURVIVE, CONTROL, { id: 'contact', title: 'contact', weights: ['contactCostWeight'] }],
  look: { bounds: [-1.2, -1.2, 0, 1.2, 1.2, 1.8], travels: true, numbers: ['distance (m)', 'height (m)'] },
  reads: HUMANOID_READS,
  contactForces: true,
  start: ({ resetNoiseScale }, qpos, qvel, draw) => spreadStart(resetNoiseScale, qpos, qvel, draw),
  rules(c) {
    const { centre, ...senses } = humanoidSenses(body, c);
    const dt = c.frameSkip * body.timestep;
    return {
      ...senses,
      judge({ floats, kept }, seen, _actions, _action, terms, at) {
        const well = within(seen.qpos[2]!, c.healthyZRange);
        terms[at] = (c.forwardRewardWeight * (centre(seen) - floats[kept]!)) / dt;
        terms[at + 1] = well ? c.healthyReward : 0;
        terms[at + 2] = -controlCost(seen, c.ctrlCostWeight);
        terms[at + 3] = -contactCost(seen.cfrc_ext, c.contactCostWeight, c.contactCostRange);
        return !well && c.terminateWhenUnhealthy;
      },
    };
  },
  policies: holds(body, 1, 0.033),
  references: [
    { name: 'random', value: 112, source: 'uniform actions, 334 episodes' },
    { name: 'published PPO', value: 716, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published SAC', value: 4996, source: 'CleanRL benchmark, 1M steps' },
  ],
});
