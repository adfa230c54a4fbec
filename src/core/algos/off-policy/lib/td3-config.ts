/** TD3's settings. Defaults are CleanRL's td3_continuous_action.py, but for a replay memory of 100,000 and a start after 1,000 steps. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { gammaField, hiddenField, lrField, replayFields, tauField } from '../../lib/off-policy-fields.ts';

const source = 'CleanRL td3_continuous_action.py';

export const td3Config = z.strictObject({
  lr: lrField(3e-4, 'learning rate', 'Step size of Adam for the policy.', source),
  criticLr: lrField(3e-4, 'critic learning rate', 'Step size of Adam for the critics.', source),
  gamma: gammaField(0.99, source),
  tau: tauField(0.005, source),
  explorationNoise: z
    .number()
    .min(0)
    .max(2)
    .default(0.1)
    .meta({
      title: 'exploration noise',
      description: 'Deviation of the noise on actions taken; 1 is half the width of the box.',
      source,
      live: true,
      depth: 'teach',
      slider: [0, 0.5],
      group: 'exploration',
    }),
  twin: z.boolean().default(true).meta({
    title: 'two critics',
    description: 'The smaller of two predictions counts, against over-estimation; off: DDPG.',
    source,
    depth: 'teach',
    group: 'variant',
  }),
  smoothing: z
    .number()
    .min(0)
    .max(2)
    .default(0.2)
    .meta({
      title: 'target smoothing',
      description: 'Deviation of the noise on the target’s action, so that neighbouring actions get similar values; 0: none.',
      source,
      live: true,
      slider: [0, 0.5],
      group: 'variant',
    }),
  smoothingLimit: z.number().min(0).max(2).default(0.5).meta({
    title: 'smoothing limit',
    description: 'That noise is cut here.',
    source,
    depth: 'research',
    group: 'variant',
  }),
  actorEvery: z
    .int()
    .min(1)
    .max(64)
    .default(2)
    .meta({
      title: 'policy update every',
      unit: 'critic updates',
      description: 'Critic updates for one of the policy and of all targets.',
      source,
      slider: [1, 4],
      group: 'variant',
    }),
  ...replayFields(source, { batch: 256, start: 1000 }),
  hidden: hiddenField([256, 256], source),
});
export type Td3Config = z.infer<typeof td3Config>;

const ddpg = { twin: false, smoothing: 0, actorEvery: 1 };

export const td3Presets: readonly Preset[] = [
  { id: 'cleanrl', title: 'CleanRL td3_continuous_action.py', config: { learningStarts: 25_000 } },
  { id: 'sb3', title: 'Stable-Baselines3', config: { lr: 1e-3, criticLr: 1e-3, learningStarts: 100, hidden: [400, 300] } },
  {
    id: 'pendulum',
    title: 'RL Zoo settings for Pendulum (20,000 steps)',
    config: { lr: 1e-3, criticLr: 1e-3, gamma: 0.98, learningStarts: 10_000, hidden: [400, 300] },
  },
  { id: 'small', title: '64-64, batch 64: quick on any machine', config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] } },
  { id: 'ddpg', title: 'DDPG (CleanRL ddpg_continuous_action.py)', config: { ...ddpg, learningStarts: 25_000 } },
  {
    id: 'ddpg-pendulum',
    title: 'DDPG, RL Zoo settings for Pendulum (20,000 steps)',
    config: { ...ddpg, lr: 1e-3, criticLr: 1e-3, gamma: 0.98, learningStarts: 10_000, hidden: [400, 300] },
  },
];

export const td3Metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, added, mean since the last row.' },
  { id: 'actorLoss', title: 'policy loss', description: 'Minus the predicted value of the policy’s actions.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions: runs away when values are over-estimated.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the critics’ gradient.' },
];
