/** SAC's settings. Defaults are Stable-Baselines3's, but for a replay memory of 100,000. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { gammaField, hiddenField, lrField, replayFields, tauField } from '../../lib/off-policy-fields.ts';

const source = 'Stable-Baselines3 SAC';

export const sacConfig = z.strictObject({
  lr: lrField(3e-4, 'learning rate', 'Step size of Adam for the policy.', source),
  criticLr: lrField(3e-4, 'critic learning rate', 'Step size of Adam for the critics and the temperature.', source),
  gamma: gammaField(0.99, source),
  tau: tauField(0.005, source),
  autoTemperature: z.boolean().default(true).meta({
    title: 'automatic temperature',
    description: 'The weight of the entropy is learned, so that the policy stays about as random as the target says.',
    source,
    depth: 'teach',
    group: 'entropy',
  }),
  temperature: z
    .number()
    .gt(0)
    .max(100)
    .default(1)
    .meta({
      title: 'temperature',
      description: 'Weight of the entropy: at the start, or always if it is not automatic.',
      source,
      depth: 'teach',
      log: true,
      slider: [0.01, 1],
      group: 'entropy',
    }),
  targetEntropy: z.number().min(-100).max(100).nullable().default(null).meta({
    title: 'target entropy',
    unit: 'nats',
    description: 'How random the policy shall stay, in the units of the actions; empty: minus the number of action dimensions.',
    source,
    group: 'entropy',
  }),
  temperatureLoss: z.enum(['log', 'exp']).default('log').meta({
    title: 'temperature loss',
    description: 'Slope by ln alpha times the gap (Stable-Baselines3) or by alpha times the gap (CleanRL): the same aim at another speed.',
    source,
    depth: 'research',
    group: 'entropy',
  }),
  logStd: z.enum(['clamp', 'tanh']).default('clamp').meta({
    title: 'log-deviation',
    description: 'Cut to [-20, 2], or bent into [-5, 2] by a tanh as CleanRL does.',
    source,
    depth: 'research',
    group: 'network',
  }),
  actorEvery: z
    .int()
    .min(1)
    .max(64)
    .default(1)
    .meta({
      title: 'policy update every',
      unit: 'critic updates',
      description: 'Critic updates between two turns of the policy.',
      source,
      slider: [1, 4],
      group: 'optimisation',
    }),
  actorUpdates: z
    .int()
    .min(1)
    .max(64)
    .default(1)
    .meta({ title: 'policy updates', description: 'Policy updates at each turn.', source, slider: [1, 4], group: 'optimisation' }),
  ...replayFields(source, { batch: 256, start: 100 }),
  hidden: hiddenField([256, 256], source),
});
export type SacConfig = z.infer<typeof sacConfig>;

export const sacPresets: readonly Preset[] = [
  {
    id: 'cleanrl',
    title: 'CleanRL sac_continuous_action.py',
    config: { criticLr: 1e-3, learningStarts: 5000, actorEvery: 2, actorUpdates: 2, temperatureLoss: 'exp', logStd: 'tanh' },
  },
  {
    id: 'spinning-up',
    title: 'Spinning Up (fixed temperature 0.2)',
    config: {
      lr: 1e-3,
      criticLr: 1e-3,
      batchSize: 100,
      learningStarts: 10_000,
      trainEvery: 50,
      gradientSteps: 50,
      autoTemperature: false,
      temperature: 0.2,
    },
  },
  {
    id: 'pendulum',
    title: 'RL Zoo settings for Pendulum (20,000 steps)',
    config: { lr: 1e-3, criticLr: 1e-3 },
  },
  { id: 'drone-hover', title: 'Drone hover, one speed for all motors (30,000 steps)', config: { hidden: [64, 64] } },
  {
    id: 'small',
    title: '64-64, batch 64: quick on any machine',
    config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] },
  },
  {
    id: 'learning-to-fly',
    title: 'RLtools settings for the quadrotor (280,000 steps)',
    config: {
      lr: 1e-3,
      criticLr: 2e-3,
      gamma: 0.98,
      temperature: 0.5,
      envs: 8,
      bufferSize: 80_000,
      learningStarts: 1600,
      batchSize: 32,
      trainEvery: 16,
      actorEvery: 2,
      hidden: [16, 16, 16, 16],
    },
  },
];

export const sacMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of both critics, added, mean since the last row.' },
  {
    id: 'actorLoss',
    title: 'policy loss',
    description: 'Price of certainty minus predicted value: falls as the policy finds better actions.',
  },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions.' },
  { id: 'entropy', title: 'entropy', description: 'How undecided the policy is, in the units of the actions.', unit: 'nats' },
  { id: 'temperature', title: 'temperature', description: 'Weight of the entropy now.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the critics’ gradient.' },
];
