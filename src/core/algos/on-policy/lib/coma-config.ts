/** COMA's settings. Defaults are EPyMARL's where it has them; its whole episodes are pieces of `rolloutSteps` here. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { gammaField, lrField, tauField } from '../../lib/off-policy-fields.ts';
import { agentIdConfig, sharingConfig } from '../../lib/sharing.ts';

const source = 'EPyMARL coma';

const layers = (standard: readonly number[], title: string) =>
  z
    .array(z.int().min(1).max(2048))
    .min(1)
    .max(6)
    .default([...standard])
    .meta({ title, description: 'Units of each layer.', source: 'own choice', group: 'network' });

export const comaConfig = z.strictObject({
  sharing: sharingConfig,
  agentId: agentIdConfig,
  reward: z.enum(['team', 'own']).default('team').meta({
    title: 'reward',
    description: 'What a critic predicts: the mean of everybody’s rewards, or each agent’s own.',
    source: 'Foerster et al. 2018: one reward for the team',
    group: 'returns',
  }),
  lr: lrField(3e-4, 'learning rate', 'Step size of Adam for the policies.', source),
  criticLr: lrField(3e-4, 'critic learning rate', 'Step size of Adam for the critics.', source),
  gamma: gammaField(0.99, source),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .meta({
      title: 'TD lambda',
      description: '0 trusts the critic’s next value, 1 only the rewards seen.',
      source: 'Foerster et al. 2018',
      live: true,
      slider: [0, 1],
      group: 'returns',
    }),
  tau: tauField(0.01, source),
  entropyCoef: z
    .number()
    .min(0)
    .max(1)
    .default(0.001)
    .meta({
      title: 'entropy bonus',
      description: 'Reward for staying undecided.',
      source,
      live: true,
      depth: 'teach',
      slider: [0, 0.1],
      group: 'optimisation',
    }),
  normaliseAdvantages: z.boolean().default(false).meta({
    title: 'normalise advantages',
    description: 'Mean 0 and deviation 1 in every update.',
    source,
    group: 'optimisation',
  }),
  envs: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .meta({ title: 'parallel copies', description: 'Environments stepped together.', source, slider: [1, 64], group: 'rollout' }),
  rolloutSteps: z
    .int()
    .min(1)
    .max(4096)
    .default(25)
    .meta({
      title: 'steps per update',
      unit: 'steps',
      description: 'Of each copy, before every update.',
      source,
      slider: [5, 200],
      group: 'rollout',
    }),
  criticEpochs: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .meta({
      title: 'critic epochs',
      description: 'Times the critics see the new experience.',
      source: 'own choice',
      slider: [1, 10],
      group: 'optimisation',
    }),
  criticMinibatches: z
    .int()
    .min(1)
    .max(256)
    .default(4)
    .meta({
      title: 'critic minibatches',
      description: 'Parts of it that make one update each.',
      source: 'own choice',
      slider: [1, 16],
      group: 'optimisation',
    }),
  maxGradNorm: z.number().gt(0).max(1e6).default(10).meta({
    title: 'gradient norm limit',
    description: 'For all policies together, and for all critics together.',
    source,
    depth: 'research',
    group: 'optimisation',
  }),
  hidden: layers([64, 64], 'hidden layers of policies'),
  criticHidden: layers([128, 128], 'hidden layers of critics'),
});
export type ComaConfig = z.infer<typeof comaConfig>;

export const comaPresets: readonly Preset[] = [
  {
    id: 'simple-spread',
    title: 'Particles: spread (2,000,000 steps)',
    config: { agentId: true, gamma: 0.9, lr: 1e-3, criticLr: 1e-3, entropyCoef: 0.01, normaliseAdvantages: true },
  },
];

export const comaMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the values of the actions taken, mean over the update.' },
  { id: 'policyLoss', title: 'policy loss', description: 'Minus the counterfactual advantage times ln pi.' },
  { id: 'entropy', title: 'entropy', description: 'How undecided the policies are; ln(actions) is pure chance.', unit: 'nats' },
  { id: 'advantage', title: 'advantage size', description: 'Mean size of the counterfactual advantages: 0 once no action matters.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the actions taken.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the policies’ gradient before any limit.' },
];
