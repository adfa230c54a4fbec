/** Settings of the strategist: PPO's own, what decides when it chooses again, and who chooses. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { ppoFields as own, ppoMetrics, withDefault } from '../../lib/ppo/common.ts';

const options = 'Sutton, Precup & Singh 1999';

export const strategistConfig = z.strictObject({
  strategy: z.enum(['learned', 'random', 'fixed']).default('learned').meta({
    title: 'who chooses',
    description: 'A learned strategist, chance, or always the same skill: what skills are worth without a strategist.',
    source: 'own choice',
    depth: 'teach',
    group: 'decisions',
  }),
  skill: z.string().max(64).default('').meta({
    title: 'always',
    description: 'With a fixed choice: the name of the skill; empty: the first.',
    depth: 'research',
    group: 'decisions',
  }),
  decisionInterval: z
    .int()
    .min(1)
    .max(1000)
    .default(25)
    .meta({
      title: 'chooses every',
      unit: 'steps',
      description: 'After this many steps an agent chooses a skill again, whatever has happened.',
      source: 'own choice',
      depth: 'teach',
      slider: [1, 100],
      group: 'decisions',
    }),
  moments: z.boolean().default(true).meta({
    title: 'chooses at moments',
    description: 'Also as soon as something has happened: a touch, a turn.',
    source: options,
    group: 'decisions',
  }),
  lr: withDefault(own.lr, 1e-3, 'own choice'),
  annealLr: own.annealLr,
  gamma: own.gamma.meta({
    ...own.gamma.meta(),
    description: 'What a reward one environment step later is worth, however long skills last.',
  }),
  lambda: own.lambda.meta({
    ...own.lambda.meta(),
    description: 'Per decision: 0 trusts the value of the next one, 1 only the rewards seen.',
  }),
  bootstrapAtTruncation: own.bootstrapAtTruncation,
  envs: withDefault(own.envs, 16, 'own choice'),
  rolloutDecisions: z
    .int()
    .min(1)
    .max(4096)
    .default(32)
    .meta({
      title: 'rollout',
      unit: 'decisions',
      description: 'Finished decisions of each agent of each copy, on average, between two updates.',
      source: 'own choice',
      slider: [4, 256],
      log: true,
      group: 'rollout',
    }),
  minibatches: own.minibatches,
  epochs: own.epochs,
  clip: own.clip,
  clipValue: withDefault(own.clipValue, false, 'own choice'),
  entropyCoef: own.entropyCoef,
  valueCoef: own.valueCoef,
  maxGradNorm: own.maxGradNorm,
  hidden: own.hidden,
  activation: own.activation,
  normaliseObs: own.normaliseObs,
  normaliseReward: withDefault(own.normaliseReward, true, 'own choice'),
});
export type StrategistConfig = z.infer<typeof strategistConfig>;

export const strategistPresets: readonly Preset[] = [
  { id: 'random', title: 'skills by chance', config: { strategy: 'random' } },
  { id: 'fixed', title: 'always the first skill', config: { strategy: 'fixed' } },
];

/** Beside these every skill has a column of its own: its share of the steps (metrics.ts). */
export const strategistMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'decisionLength',
    title: 'length of a decision',
    description: 'Mean number of environment steps until the next choice.',
    unit: 'steps',
  },
];
