/**
 * A ball with four legs of two joints each: walk ahead in space. Gymnasium Ant-v5.
 * Obs [height, orientation (quaternion), eight joint angles rad, 14 speeds, contact force and torque on each of 13 parts, cut]; the position (x, y)
 * comes first unless it is left out. Action: torques over the gears (150 Nm), -1..1. Reward forward weight x speed along x + healthy
 * reward - control weight x |action|² - contact weight x |cut contact forces|². Healthy: the state is finite, the height in its range.
 * Ends when unhealthy; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `ant_v5.py` (Schulman et al. 2016); dimensions of its `ant.xml`; 5 x 0.01 s, RK4.
 */
import { z } from 'zod';
import { weightField } from '../api/terms.ts';
import { ANT_ACTIONS, ANT_PARTS, antBody } from './lib/ant.ts';
import { defineBody } from './lib/define.ts';
import { bodyNumber, coordinatesOf } from './lib/mjcf.ts';
import {
  CONTROL,
  controlWeight,
  copy,
  ENDS_UNHEALTHY,
  EXCLUDED,
  FORWARD,
  forceLabels,
  forwardWeight,
  healthyWeight,
  normalStart,
  SURVIVE,
  squares,
} from './lib/rules.ts';
import { holds } from './lib/scripts.ts';
import {
  clipped,
  frameSkipField,
  noiseField,
  observedField,
  physicsFields,
  rangeField,
  stepsField,
  switchField,
  withinOrOn,
} from './lib/settings.ts';

const SOURCE = 'Gymnasium Ant-v5';
const body = antBody();
const { positions, speeds } = coordinatesOf(body);
const NQ = positions.length;
const NV = speeds.length;
const TORSO = 3 * bodyNumber(body, 'torso');
/** Six numbers for each body but the world. */
const FORCES = 6 * ANT_PARTS.length;

const config = z.strictObject({
  maxSteps: stepsField(1000, SOURCE),
  frameSkip: frameSkipField(5, SOURCE),
  resetNoiseScale: noiseField(0.1, SOURCE),
  excludeCurrentPositions: observedField(EXCLUDED.title, EXCLUDED.description, SOURCE),
  includeCfrcExt: observedField('contact forces', 'The forces of contacts on every part are observed.', SOURCE),
  terminateWhenUnhealthy: switchField(true, ENDS_UNHEALTHY.title, ENDS_UNHEALTHY.description, SOURCE),
  healthyZRange: rangeField(0.2, 1, 'healthy height', 'Of the torso, m.', SOURCE),
  contactForceRange: rangeField(
    -1,
    1,
    'range of contact forces',
    'Forces and torques are cut to it before they are observed and paid for.',
    SOURCE,
  ),
  forwardRewardWeight: forwardWeight(1, SOURCE),
  healthyReward: healthyWeight(1, SOURCE),
  ctrlCostWeight: controlWeight(0.5, SOURCE),
  contactCostWeight: weightField(5e-4, {
    title: 'contact',
    description: 'Taken off per sum of squared contact forces.',
    slider: [0, 0.01],
    source: SOURCE,
  }),
  ...physicsFields(9.81, SOURCE),
});

export const mujocoAnt = defineBody<z.infer<typeof config>>({
  id: 'mujoco-ant',
  title: 'Ant (MuJoCo)',
  summary: 'Walk ahead on four legs.',
  learnNote:
    'Not learned by anything here yet: a million steps bring PPO to 934, a sixth of the way to the 6,000 at which Gymnasium calls it solved. Published PPO gets 650 (Spinning Up) and 1,327 (RL Zoo) by then, and 2,138 in ten million steps.',
  config,
  body,
  actions: ANT_ACTIONS,
  terms: [FORWARD, SURVIVE, CONTROL, { id: 'contact', title: 'contact', weights: ['contactCostWeight'] }],
  look: { bounds: [-1.6, -1.6, 0, 1.6, 1.6, 1.3], travels: true, numbers: ['distance (m)', 'speed (m/s)'] },
  reads: ['xpos', 'cfrc_ext'],
  contactForces: true,
  start: ({ resetNoiseScale }, qpos, qvel, draw) => normalStart(resetNoiseScale, qpos, qvel, draw),
  rules(c) {
    const skip = c.excludeCurrentPositions ? 2 : 0;
    const dt = c.frameSkip * body.timestep;
    const forces = c.includeCfrcExt ? FORCES : 0;
    const own = NQ - skip + NV;
    return {
      labels: [...positions.slice(skip), ...speeds, ...(c.includeCfrcExt ? forceLabels(ANT_PARTS) : [])],
      kept: 1 + forces, // x of the torso, forces as observed
      keep({ xpos, cfrc_ext }, floats, at) {
        floats[at] = xpos[TORSO]!;
        for (let i = 0; i < forces; i++) floats[at + 1 + i] = clipped(cfrc_ext[6 + i]!, c.contactForceRange);
      },
      observe({ floats, q, v, kept }, obs, at) {
        copy(floats, q + skip, NQ - skip, obs, at);
        copy(floats, v, NV, obs, at + NQ - skip);
        copy(floats, kept + 1, forces, obs, at + own);
      },
      judge({ floats, kept }, { qpos, qvel, xpos, cfrc_ext }, actions, action, terms, at) {
        const well = finite(qpos) && finite(qvel) && withinOrOn(qpos[2]!, c.healthyZRange);
        let contact = 0;
        for (let i = 0; i < cfrc_ext.length; i++) contact += clipped(cfrc_ext[i]!, c.contactForceRange) ** 2;
        terms[at] = (c.forwardRewardWeight * (xpos[TORSO]! - floats[kept]!)) / dt;
        terms[at + 1] = well ? c.healthyReward : 0;
        terms[at + 2] = -c.ctrlCostWeight * squares(actions, action, 8);
        terms[at + 3] = -c.contactCostWeight * contact;
        return !well && c.terminateWhenUnhealthy;
      },
      show({ floats, q, v }, out, at) {
        out[at] = floats[q]!;
        out[at + 1] = floats[v]!;
      },
    };
  },
  policies: holds(body, 0, 0),
  references: [
    { name: 'random', value: -69.1, source: 'uniform actions, 96 episodes' },
    { name: 'published PPO', value: 2138, source: 'SLM-Lab benchmark of v5, 10M frames' },
    { name: 'published SAC', value: 4943, source: 'SLM-Lab benchmark of v5, 2M frames' },
    { name: 'solved', value: 6000, source: 'Gymnasium, reward threshold of Ant-v5' },
  ],
});

function finite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i]!)) return false;
  return true;
}
