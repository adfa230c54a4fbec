/** Settings that Q-learning and SARSA have in common. Step sizes and exploration may fall over episodes. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';

const source = 'Sutton and Barto 2018, example 6.6';

export const tabularConfig = z.strictObject({
  alpha: z
    .number()
    .gt(0)
    .max(1)
    .default(0.5)
    .meta({
      title: 'step size',
      description: 'How far one surprise moves the value.',
      source,
      live: true,
      depth: 'teach',
      group: 'learning',
      slider: [0.01, 1],
    }),
  alphaFinal: z.number().gt(0).max(1).nullable().default(null).meta({
    title: 'final step size',
    description: 'Step size after the decay; empty keeps it constant.',
    depth: 'lab',
    group: 'learning',
  }),
  gamma: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source,
      live: true,
      depth: 'teach',
      group: 'learning',
      slider: [0.5, 1],
    }),
  epsilon: z.number().min(0).max(1).default(0.1).meta({
    title: 'exploration',
    description: 'Share of actions taken at random, at the start.',
    source,
    live: true,
    depth: 'teach',
    group: 'exploration',
  }),
  epsilonFinal: z.number().min(0).max(1).nullable().default(null).meta({
    title: 'final exploration',
    description: 'Share of random actions after the decay; empty keeps it constant.',
    live: true,
    group: 'exploration',
  }),
  decayEpisodes: z
    .int()
    .min(1)
    .max(1e7)
    .default(5000)
    .meta({
      title: 'decay over',
      unit: 'episodes',
      description: 'Episodes until step size and exploration reach their final values.',
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
  { id: 'tdError', title: 'surprise', description: 'Mean size of the temporal-difference error since the last row.' },
  { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
  { id: 'alpha', title: 'step size', description: 'Step size now.' },
];

/** Environment steps between two safe points: some 2,000 rows a run, never more often than every 50. */
export function yieldEvery(steps: number): number {
  return Math.max(50, Math.ceil(steps / 2000));
}
