/** MADDPG's settings. Defaults are the original's, but for a replay memory of 100,000 and copies that are stepped together. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { gammaField, hiddenField, lrField, replayFields, tauField } from '../../lib/off-policy-fields.ts';
import { agentIdConfig } from '../../lib/sharing.ts';

const source = 'openai/maddpg';

export const maddpgConfig = z.strictObject({
  sharing: z.enum(['grouped', 'shared', 'independent']).default('independent').meta({
    title: 'who shares networks',
    description: 'Nobody, agents of one role, or all agents that see and do the same. A shared critic knows whom it judges.',
    source,
    group: 'team',
  }),
  agentId: agentIdConfig,
  lr: lrField(1e-2, 'learning rate', 'Step size of Adam for the policies.', source),
  criticLr: lrField(1e-2, 'critic learning rate', 'Step size of Adam for the critics.', source),
  gamma: gammaField(0.95, source),
  tau: tauField(0.01, source),
  relaxation: z.number().gt(0).max(10).default(1).meta({
    title: 'relaxation',
    description: 'Temperature of the Gumbel-softmax that stands for a discrete action while the policy learns.',
    source,
    depth: 'research',
    group: 'optimisation',
  }),
  logitPenalty: z.number().min(0).max(1).default(1e-3).meta({
    title: 'logit penalty',
    description: 'Weight of the mean square of the policy’s outputs before softmax or tanh: keeps it from being certain too soon.',
    source,
    live: true,
    group: 'optimisation',
  }),
  explorationNoise: z
    .number()
    .min(0)
    .max(2)
    .default(0.1)
    .meta({
      title: 'exploration noise',
      description: 'Continuous actions: deviation of the noise; 1 is half the width of the box. Discrete ones are drawn.',
      source: 'TD3',
      live: true,
      slider: [0, 0.5],
      group: 'exploration',
    }),
  maxGradNorm: z.number().gt(0).max(1e6).default(0.5).meta({
    title: 'gradient norm limit',
    description: 'For all policies together, and for all critics together.',
    source,
    depth: 'research',
    group: 'optimisation',
  }),
  ...replayFields(source, { batch: 1024, start: 25_600, every: 100, envs: 8 }),
  hidden: hiddenField([64, 64], source),
});
export type MaddpgConfig = z.infer<typeof maddpgConfig>;

export const maddpgPresets: readonly Preset[] = [
  {
    id: 'shared',
    title: 'alike agents share networks, small steps (EPyMARL’s learning rate)',
    config: { sharing: 'grouped', agentId: true, lr: 5e-4, criticLr: 5e-4 },
  },
];

export const maddpgMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, mean over agents.' },
  { id: 'actorLoss', title: 'policy loss', description: 'Minus the predicted value of the policies’ actions, mean over agents.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the critics’ gradient before any limit.' },
];
