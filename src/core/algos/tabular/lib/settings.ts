/** What Q-learning and SARSA share: settings, metrics and presets. Step sizes and epsilon may decay over episodes. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import * as fields from '../../api/fields.ts';
import { episodeMetrics } from '../../api/metrics.ts';

const source = 'Sutton and Barto 2018, example 6.6';

export const tabularConfig = z.strictObject({
  alpha: fields.lr(0.5, source, {
    title: 'step size (alpha)',
    description: 'Share of the TD error that is added to the value.',
    log: false,
    slider: [0.01, 1],
    group: 'learning',
  }),
  alphaFinal: z.number().gt(0).max(1).nullable().default(null).meta({
    title: 'step size end',
    description: 'Step size after the decay; empty keeps it constant.',
    empty: 'constant',
    depth: 'lab',
    group: 'learning',
  }),
  gamma: fields.gamma(1, source, { slider: [0.5, 1], group: 'learning' }),
  epsilon: fields.epsilonStart(0.1, source, { depth: 'teach' }),
  epsilonFinal: z.number().min(0).max(1).nullable().default(null).meta({
    title: 'epsilon end',
    description: 'Share of uniformly random actions after the decay; empty keeps it constant.',
    empty: 'constant',
    live: true,
    group: 'exploration',
  }),
  decayEpisodes: z
    .int()
    .min(1)
    .max(1e7)
    .default(5000)
    .meta({
      title: 'decay length',
      unit: 'episodes',
      description: 'Episodes until step size and epsilon reach their end values.',
      log: true,
      slider: [10, 1e5],
      group: 'exploration',
    }),
  maxEpisodes: z.int().min(0).max(1e8).default(0).meta({
    title: 'stop after',
    unit: 'episodes',
    description: 'Ends the run after this many episodes; 0: only the number of steps counts.',
    group: 'length',
  }),
  initialValue: z.number().min(-1e6).max(1e6).default(0).meta({
    title: 'initial value',
    description: 'Optimistic values make the agent try everything once.',
    depth: 'lab',
    group: 'learning',
  }),
});
export type TabularConfig = z.infer<typeof tabularConfig>;

/** Settings whose outcome is known and checked by the claims. */
export const tabularPresets: readonly Preset[] = [
  {
    id: 'cliff-walking',
    title: 'Cliff walking (Sutton and Barto, example 6.6)',
    config: { alpha: 0.5, gamma: 1, epsilon: 0.1, maxEpisodes: 500 },
  },
  {
    id: 'frozen-lake',
    title: 'Slippery frozen lake, 10,000 episodes',
    config: { alpha: 0.1, gamma: 0.99, epsilon: 1, epsilonFinal: 0.05, decayEpisodes: 5000, maxEpisodes: 10_000 },
  },
];

export const tabularMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'tdError', title: 'TD error', description: 'Mean absolute TD error since the last row.' },
  { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
  { id: 'alpha', title: 'step size', description: 'Step size now.' },
];
