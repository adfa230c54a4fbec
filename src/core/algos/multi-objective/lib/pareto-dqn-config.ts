/** Settings of the weight-conditioned network. */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { frontMetrics, preferenceField, referenceField } from './pareto-front.ts';

const ABELS = 'Abels et al. 2019';

export const paretoDqnConfig = z.strictObject({
  parts: z
    .int()
    .min(1)
    .max(200)
    .default(10)
    .meta({
      title: 'weights from 0 to 1',
      unit: 'parts',
      description: 'Weights that are trained and looked at are all multiples of one part that sum to 1: 66 of three rewards at 10 parts.',
      depth: 'lab',
      group: 'preferences',
      log: true,
      slider: [2, 100],
    }),
  preference: preferenceField,
  referencePoint: referenceField,
  lookEpisodes: z.int().min(1).max(100).default(1).meta({
    title: 'episodes per look',
    unit: 'episodes',
    description: 'Played greedily for every weighting when the front is measured; more where episodes differ.',
    depth: 'research',
    group: 'preferences',
  }),
  lr: z
    .number()
    .gt(0)
    .max(1)
    .default(1e-3)
    .meta({
      title: 'learning rate',
      description: 'Step size of Adam.',
      source: 'own choice',
      live: true,
      depth: 'teach',
      group: 'learning',
      log: true,
      slider: [1e-5, 1e-2],
    }),
  gamma: z
    .number()
    .min(0)
    .max(1)
    .default(0.95)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source: ABELS,
      depth: 'teach',
      group: 'learning',
      slider: [0.5, 1],
    }),
  hidden: z
    .array(z.int().min(1).max(1024))
    .min(1)
    .max(4)
    .default([128, 128])
    .meta({ title: 'hidden layers', unit: 'units', description: 'Sizes of the layers.', group: 'network' }),
  envs: z
    .int()
    .min(1)
    .max(256)
    .default(8)
    .meta({ title: 'copies', description: 'Environments that are stepped together.', group: 'collecting' }),
  bufferSize: z
    .int()
    .min(64)
    .max(2_000_000)
    .default(50_000)
    .meta({
      title: 'memory',
      unit: 'transitions',
      description: 'The newest transitions are kept.',
      group: 'memory',
      log: true,
      slider: [1000, 1e6],
    }),
  batchSize: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .meta({ title: 'minibatch', unit: 'transitions', description: 'Drawn for one gradient step.', group: 'learning' }),
  learningStarts: z
    .int()
    .min(0)
    .max(1e7)
    .default(1000)
    .meta({ title: 'learning starts', unit: 'steps', description: 'Steps before the first gradient step.', group: 'learning' }),
  trainEvery: z
    .int()
    .min(1)
    .max(10_000)
    .default(8)
    .meta({ title: 'train every', unit: 'steps', description: 'Environment steps between gradient steps.', group: 'learning' }),
  targetEvery: z
    .int()
    .min(1)
    .max(1e6)
    .default(1000)
    .meta({ title: 'target copied every', unit: 'steps', description: 'How long the targets stand still.', group: 'learning' }),
  epsilonStart: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ title: 'exploration', description: 'Share of random actions at the start.', group: 'exploration' }),
  epsilonEnd: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .meta({ title: 'final exploration', description: 'Share of random actions at the end.', group: 'exploration' }),
  epsilonFraction: z.number().min(0.01).max(1).default(0.5).meta({
    title: 'exploration falls over',
    description: 'Share of the run until exploration reaches its final value.',
    group: 'exploration',
  }),
});
export type ParetoDqnConfig = z.infer<typeof paretoDqnConfig>;

export const paretoDqnMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  ...frontMetrics,
  { id: 'loss', title: 'loss', description: 'Mean squared error of all objectives against their targets.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Before any clipping.' },
  { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
];
