/** Settings that IQL, VDN and QMIX share. Defaults are JaxMARL's ql_rnn on its particle worlds. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import { agentIdConfig, sharingConfig } from '../../lib/sharing.ts';

const source = 'JaxMARL ql_rnn, MPE';

export const replayedFields = {
  lr: z
    .number()
    .gt(0)
    .max(1)
    .default(0.005)
    .meta({
      title: 'learning rate',
      description: 'Step size of the optimiser at the start.',
      source,
      live: true,
      log: true,
      slider: [1e-5, 1e-2],
      depth: 'teach',
      group: 'optimisation',
    }),
  annealLr: z.boolean().default(true).meta({
    title: 'anneal',
    description: 'The learning rate falls in a straight line to 0 at the end of the budget.',
    source,
    group: 'optimisation',
  }),
  optimiser: z.enum(['adam', 'radam']).default('radam').meta({
    title: 'optimiser',
    description: 'RAdam takes careful first steps; Adam does not.',
    source: 'RAdam in JaxMARL, Adam in EPyMARL',
    depth: 'research',
    group: 'optimisation',
  }),
  maxGradNorm: z
    .number()
    .gt(0)
    .max(1e6)
    .default(25)
    .meta({ title: 'gradient norm limit', description: 'Longer gradients are shortened to this.', source, group: 'optimisation' }),
  gamma: z
    .number()
    .min(0)
    .max(1)
    .default(0.9)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source,
      live: true,
      depth: 'teach',
      slider: [0.9, 1],
      group: 'returns',
    }),
  standardiseReward: z.boolean().default(false).meta({
    title: 'standardise rewards',
    description: 'Rewards minus their running mean, over their running deviation.',
    source: 'EPyMARL; off in JaxMARL',
    group: 'returns',
  }),
  epsilonStart: z.number().min(0).max(1).default(1).meta({
    title: 'exploration at the start',
    description: 'Share of actions taken at random at first.',
    source,
    live: true,
    group: 'exploration',
  }),
  epsilonEnd: z.number().min(0).max(1).default(0.05).meta({
    title: 'exploration at the end',
    description: 'Share of actions taken at random after the decay.',
    source,
    live: true,
    depth: 'teach',
    group: 'exploration',
  }),
  epsilonFraction: z.number().gt(0).max(1).default(0.1).meta({
    title: 'exploration decay',
    description: 'Share of the budget over which exploration falls in a straight line.',
    source,
    live: true,
    group: 'exploration',
  }),
  double: z.boolean().default(true).meta({
    title: 'double Q',
    description: 'The online network chooses the next actions, the target network values them.',
    source: 'EPyMARL',
    group: 'variant',
  }),
  recurrent: z.boolean().default(true).meta({
    title: 'memory',
    description: 'A recurrent network that learns from whole episodes; off: from single steps.',
    source,
    depth: 'teach',
    group: 'network',
  }),
  memoryUnits: z
    .int()
    .min(1)
    .max(512)
    .default(64)
    .meta({ title: 'memory units', description: 'Size of the GRU.', source, slider: [16, 256], log: true, group: 'network' }),
  hidden: z
    .array(z.int().min(1).max(2048))
    .min(1)
    .max(6)
    .default([64])
    .meta({ title: 'hidden layers', description: 'Units of each layer before the memory.', source, group: 'network' }),
  sharing: sharingConfig,
  agentId: agentIdConfig
    .unwrap()
    .default(true)
    .meta({ ...agentIdConfig.meta(), source }),
  envs: z
    .int()
    .min(1)
    .max(256)
    .default(8)
    .meta({ title: 'parallel copies', description: 'Environments stepped together.', source, slider: [1, 64], log: true, group: 'replay' }),
  rolloutSteps: z
    .int()
    .min(1)
    .max(2048)
    .default(26)
    .meta({
      title: 'update every',
      unit: 'steps',
      description: 'Steps of every copy between updates.',
      source,
      slider: [1, 128],
      log: true,
      group: 'replay',
    }),
  gradientSteps: z
    .int()
    .min(1)
    .max(256)
    .default(1)
    .meta({ title: 'gradient steps', description: 'Updates each time.', source, slider: [1, 16], group: 'replay' }),
  sequence: z.int().min(1).max(64).default(25).meta({
    title: 'episode length',
    unit: 'steps',
    description: 'Steps a recurrent network is unrolled over; longer episodes are cut into pieces that start from an empty memory.',
    source: 'the length of episodes in MPE',
    group: 'replay',
  }),
  bufferSize: z
    .int()
    .min(10)
    .max(200_000)
    .default(5000)
    .meta({
      title: 'replay memory',
      unit: 'episodes',
      description: 'The newest that are kept: episodes, or single steps without memory.',
      source,
      log: true,
      slider: [100, 100_000],
      group: 'replay',
    }),
  batchSize: z
    .int()
    .min(1)
    .max(4096)
    .default(32)
    .meta({
      title: 'batch',
      unit: 'episodes',
      description: 'Episodes (or single steps) per update.',
      source,
      slider: [8, 512],
      log: true,
      group: 'replay',
    }),
  learningStarts: z
    .int()
    .min(1)
    .max(1e6)
    .default(10_000)
    .meta({
      title: 'learning starts',
      unit: 'steps',
      description: 'Steps before the first update.',
      source,
      log: true,
      slider: [100, 50_000],
      group: 'replay',
    }),
  targetEvery: z
    .int()
    .min(1)
    .max(1e6)
    .default(200)
    .meta({
      title: 'target copied every',
      unit: 'updates',
      description: 'Updates between two moves of the target network.',
      source,
      log: true,
      slider: [1, 1000],
      group: 'target',
    }),
  tau: z.number().gt(0).max(1).default(1).meta({
    title: 'target step',
    description: '1 copies the network, less moves the target part of the way (Polyak).',
    source,
    group: 'target',
  }),
} as const;
const base = z.strictObject(replayedFields);
export type ReplayedConfig = z.infer<typeof base>;

/** Whole published settings beside the defaults. */
export const replayedPresets: readonly Preset[] = [
  {
    id: 'epymarl',
    title: 'EPyMARL settings',
    config: {
      lr: 5e-4,
      annealLr: false,
      optimiser: 'adam',
      maxGradNorm: 10,
      gamma: 0.99,
      standardiseReward: true,
      envs: 1,
      rolloutSteps: 25,
      learningStarts: 800,
      targetEvery: 200,
    },
  },
  {
    id: 'jaxmarl-feed-forward',
    title: 'JaxMARL settings without memory (vdn_ff)',
    config: { recurrent: false, hidden: [64, 64], envs: 32, rolloutSteps: 16, bufferSize: 100_000 },
  },
];

export const replayedMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Half the squared error of the value predictions, mean since the last row.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions: runs away when values are over-estimated.' },
  { id: 'tdError', title: 'surprise', description: 'Mean size of the temporal-difference error.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the gradient before any limit.' },
  { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
  { id: 'learningRate', title: 'learning rate', description: 'Step size now.' },
];
