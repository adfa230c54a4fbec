/** Settings that all learners of messages share: PPO's (ppo-config.ts) with values that suit small teams, the channel, who shares a network. */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { ppoFields, ppoMetrics, type RewardMix, rewardFields, withDefault } from '../ppo/common.ts';
import { agentIdConfig, sharingConfig } from '../sharing.ts';

const TUNED = 'tuned here on MPE';

const { annealLr, lambda, epochs, clip, valueCoef, normaliseAdvantages, adamEps, bootstrapAtTruncation } = ppoFields;

export const commsFields = {
  width: z
    .int()
    .min(4)
    .max(1024)
    .default(64)
    .meta({
      title: 'width',
      description: 'Units of every hidden layer; of CommNet also the length of a message.',
      source: TUNED,
      slider: [16, 256],
      group: 'network',
    }),
  sharing: sharingConfig,
  agentId: agentIdConfig,
  ...rewardFields,
  lr: withDefault(ppoFields.lr, 1e-3, TUNED),
  annealLr,
  gamma: withDefault(ppoFields.gamma, 0.9, 'JaxMARL on MPE'),
  lambda,
  bootstrapAtTruncation,
  envs: withDefault(ppoFields.envs, 16, 'JaxMARL on MPE'),
  rolloutSteps: withDefault(ppoFields.rolloutSteps, 128, 'JaxMARL on MPE'),
  minibatches: withDefault(ppoFields.minibatches, 4, TUNED),
  epochs,
  clip,
  clipValue: withDefault(ppoFields.clipValue, false, TUNED),
  entropyCoef: withDefault(ppoFields.entropyCoef, 0.01, TUNED),
  valueCoef,
  normaliseAdvantages,
  maxGradNorm: withDefault(ppoFields.maxGradNorm, 0.5, TUNED),
  adamEps,
};

export const channelField = z.enum(['learned', 'silent']).default('learned').meta({
  title: 'channel',
  description: 'Silent: the same learner, but nobody hears anything.',
  source: 'own choice: what talking is worth',
  depth: 'teach',
  group: 'messages',
});

export interface CommsConfig extends RewardMix {
  readonly lr: number;
  readonly annealLr: boolean;
  readonly gamma: number;
  readonly lambda: number;
  readonly bootstrapAtTruncation: boolean;
  readonly envs: number;
  readonly rolloutSteps: number;
  readonly minibatches: number;
  readonly epochs: number;
  readonly clip: number;
  readonly clipValue: boolean;
  readonly entropyCoef: number;
  readonly valueCoef: number;
  readonly normaliseAdvantages: boolean;
  readonly maxGradNorm: number;
  readonly adamEps: number;
  readonly channel: 'learned' | 'random' | 'silent';
}

export const commsMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'listening',
    title: 'listening',
    description: 'How much messages change what agents do: KL of their choices with and without them; 0 while nobody listens.',
    unit: 'nats',
  },
];
