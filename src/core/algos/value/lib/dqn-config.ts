/** DQN's settings. Defaults are CleanRL's dqn.py. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { episodeMetrics } from '../../api/metrics.ts';

const source = 'CleanRL dqn.py';

export const dqnConfig = z.strictObject({
  lr: z
    .number()
    .gt(0)
    .max(1)
    .default(2.5e-4)
    .meta({
      title: 'learning rate',
      description: 'Step size of Adam.',
      source,
      live: true,
      log: true,
      slider: [1e-5, 1e-2],
      depth: 'teach',
      group: 'optimisation',
    }),
  gamma: z
    .number()
    .min(0)
    .max(1)
    .default(0.99)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source,
      live: true,
      depth: 'teach',
      slider: [0.9, 1],
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
  epsilonFraction: z.number().gt(0).max(1).default(0.5).meta({
    title: 'exploration decay',
    description: 'Share of the budget over which exploration falls in a straight line.',
    source,
    live: true,
    group: 'exploration',
  }),
  double: z.boolean().default(false).meta({
    title: 'double Q',
    description: 'The online network chooses the next action, the target network values it.',
    source: 'van Hasselt et al. 2016; off in CleanRL dqn.py',
    depth: 'teach',
    group: 'variant',
  }),
  dueling: z.boolean().default(false).meta({
    title: 'dueling heads',
    description: 'Separate heads for the value of the state and the advantage of each action.',
    source: 'Wang et al. 2016; off in CleanRL dqn.py',
    group: 'variant',
  }),
  nStep: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({
      title: 'n-step returns',
      unit: 'steps',
      description: 'Rewards summed before the network is trusted; Rainbow uses 3.',
      source,
      slider: [1, 10],
      group: 'variant',
    }),
  prioritised: z.boolean().default(false).meta({
    title: 'prioritised replay',
    description: 'Surprising transitions are replayed more often.',
    source: 'Schaul et al. 2016; off in CleanRL dqn.py',
    group: 'variant',
  }),
  priorityAlpha: z.number().min(0).max(1).default(0.6).meta({
    title: 'priority exponent',
    description: '0 is uniform, 1 fully proportional to surprise.',
    source: 'Schaul et al. 2016, proportional',
    depth: 'research',
    group: 'variant',
  }),
  priorityBeta: z.number().min(0).max(1).default(0.4).meta({
    title: 'importance correction',
    description: 'At the start; grows to 1 at the end of the budget.',
    source: 'Schaul et al. 2016, proportional',
    depth: 'research',
    group: 'variant',
  }),
  loss: z.enum(['mse', 'huber']).default('mse').meta({
    title: 'loss',
    description: 'Squared error, or Huber: squared near 0 and linear beyond 1.',
    source,
    group: 'optimisation',
  }),
  envs: z
    .int()
    .min(1)
    .max(256)
    .default(1)
    .meta({
      title: 'parallel copies',
      description: 'Environments stepped together.',
      source,
      slider: [1, 16],
      group: 'replay',
    }),
  bufferSize: z
    .int()
    .min(100)
    .max(100_000)
    .default(10_000)
    .meta({
      title: 'replay memory',
      unit: 'transitions',
      description: 'The newest transitions that are kept.',
      source,
      log: true,
      slider: [1000, 100_000],
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
  batchSize: z
    .int()
    .min(1)
    .max(4096)
    .default(128)
    .meta({
      title: 'batch',
      unit: 'transitions',
      description: 'Transitions per update.',
      source,
      slider: [16, 512],
      log: true,
      group: 'replay',
    }),
  trainEvery: z
    .int()
    .min(1)
    .max(10_000)
    .default(10)
    .meta({
      title: 'update every',
      unit: 'steps',
      description: 'Steps between two updates.',
      source,
      slider: [1, 64],
      group: 'replay',
    }),
  gradientSteps: z
    .int()
    .min(1)
    .max(1024)
    .default(1)
    .meta({
      title: 'gradient steps',
      description: 'Updates each time.',
      source,
      slider: [1, 128],
      log: true,
      group: 'replay',
    }),
  targetEvery: z
    .int()
    .min(1)
    .max(1e6)
    .default(500)
    .meta({
      title: 'target copied every',
      unit: 'steps',
      description: 'Steps between two updates of the target network.',
      source,
      log: true,
      slider: [1, 10_000],
      group: 'target',
    }),
  tau: z.number().gt(0).max(1).default(1).meta({
    title: 'target step',
    description: '1 copies the network, less moves the target part of the way (Polyak).',
    source,
    group: 'target',
  }),
  maxGradNorm: z.number().gt(0).max(1e6).nullable().default(null).meta({
    title: 'gradient norm limit',
    description: 'Empty: no limit, as in CleanRL; Stable-Baselines3 uses 10.',
    source,
    depth: 'research',
    group: 'optimisation',
  }),
  hidden: z.array(z.int().min(1).max(2048)).min(1).max(6).default([120, 84]).meta({
    title: 'hidden layers',
    description: 'Units of each layer.',
    source,
    group: 'network',
  }),
});
export type DqnConfig = z.infer<typeof dqnConfig>;

export const dqnPresets: readonly Preset[] = [
  {
    id: 'rainbow-lite',
    title: 'Double, dueling, 3-step, prioritised',
    config: { double: true, dueling: true, nStep: 3, prioritised: true },
  },
  {
    id: 'cartpole-fast',
    title: 'RL Zoo settings for CartPole (50,000 steps)',
    config: {
      lr: 2.3e-3,
      batchSize: 64,
      bufferSize: 100_000,
      learningStarts: 1000,
      targetEvery: 10,
      trainEvery: 256,
      gradientSteps: 128,
      epsilonFraction: 0.16,
      epsilonEnd: 0.04,
      hidden: [256, 256],
      loss: 'huber',
      maxGradNorm: 10,
    },
  },
];

export const dqnMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Error of the value predictions, mean since the last row.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions: runs away when values are over-estimated.' },
  { id: 'tdError', title: 'surprise', description: 'Mean size of the temporal-difference error.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the gradient before any limit.' },
  { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
];
