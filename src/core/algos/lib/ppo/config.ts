/** Settings of the team methods: PPO's own (ppo-config.ts) and what teams add. */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { agentIdConfig, sharingConfig } from '../sharing.ts';
import { ppoConfig, ppoMetrics } from './ppo-config.ts';
import { rewardFields } from './rewards.ts';

const own = ppoConfig.shape;

/** A field with another default and the same words. */
export function withDefault<T extends z.ZodDefault<z.ZodType>>(field: T, value: z.output<T>, source: string): T {
  return field
    .removeDefault()
    .default(value as never)
    .meta({ ...field.meta(), source }) as unknown as T;
}

/** What PPO and its team forms share. */
export const commonFields = {
  lr: own.lr,
  annealLr: own.annealLr,
  gamma: own.gamma,
  lambda: own.lambda,
  bootstrapAtTruncation: own.bootstrapAtTruncation,
  envs: own.envs,
  rolloutSteps: own.rolloutSteps,
  minibatches: own.minibatches,
  epochs: own.epochs,
  clip: own.clip,
  clipValue: own.clipValue,
  entropyCoef: own.entropyCoef,
  valueCoef: own.valueCoef,
  maxGradNorm: own.maxGradNorm,
  adamEps: own.adamEps,
  hidden: own.hidden,
  activation: own.activation,
  normaliseObs: own.normaliseObs,
};

export const teamFields = {
  sharing: sharingConfig,
  agentId: agentIdConfig,
  ...rewardFields,
  deathEnds: z.boolean().default(true).meta({
    title: 'death is for good',
    description: 'An agent that is gone expects nothing more of its own. Off where agents come back.',
    source: 'active masks of MAPPO',
    depth: 'research',
    group: 'team',
  }),
  shapingUntil: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({
      title: 'helping reward until',
      description: 'Share of the budget over which the environment’s helping reward fades to nothing; 0: never used.',
      source: 'Carroll et al. 2019',
      slider: [0, 1],
      group: 'team',
    }),
  advantages: z.enum(['minibatch', 'rollout', 'none']).default('minibatch').meta({
    title: 'standardise advantages',
    description: 'Per minibatch (JaxMARL), over the whole rollout (on-policy), or not at all.',
    source: 'JaxMARL',
    group: 'loss',
  }),
  valueNorm: z.boolean().default(false).meta({
    title: 'normalise values',
    description: 'The critic learns returns in units of their running spread.',
    source: 'MAPPO (ValueNorm)',
    group: 'normalisation',
  }),
  huberDelta: z.number().gt(0).max(1000).nullable().default(null).meta({
    title: 'Huber loss from',
    description: 'Value errors beyond this count linearly; empty: squared.',
    source: '10 in MAPPO',
    depth: 'research',
    group: 'loss',
  }),
  layerNorm: z.boolean().default(false).meta({
    title: 'layer normalisation',
    description: 'Of inputs and hidden layers.',
    source: 'on in MAPPO',
    depth: 'research',
    group: 'network',
  }),
};

/** Of a recurrent network, beside its kind of cell. */
export const memoryFields = {
  units: z
    .int()
    .min(1)
    .max(1024)
    .default(64)
    .meta({ title: 'memory', unit: 'units', description: 'Size of the cell.', source: '64 in MAPPO', slider: [16, 256], group: 'network' }),
  sequence: z
    .int()
    .min(1)
    .max(64)
    .default(16)
    .meta({
      title: 'sequence',
      unit: 'steps',
      description: 'Through how many steps gradients go back; it divides the rollout.',
      source: '10 in MAPPO',
      slider: [4, 32],
      group: 'rollout',
    }),
};

export const teamMetrics: readonly MetricCard[] = ppoMetrics;
