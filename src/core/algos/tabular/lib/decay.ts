/** How epsilon and the step size of tables may fall over the first episodes: not at all, or each in a straight line to its end value. */
import { z } from 'zod';
import { linear } from '#math/schedules.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

const words = { title: 'decay', description: 'None, or in a straight line to end values over the first episodes.', group: 'exploration' };

/** Share of uniformly random actions after the decay, 0 to 1. */
const ending = z.number().min(0).max(1);
const endingWords = { title: 'epsilon end', live: true, group: 'exploration' };

const length = (episodes: number, description: string) =>
  fields.integer(episodes, {
    min: 1,
    max: 1e7,
    title: 'decay length',
    unit: 'episodes',
    description,
    log: true,
    slider: [10, 1e5],
    group: 'exploration',
  });

/** The setting `decay` of a table with epsilon and step size; `shown`: forms have the end of the step size. An end that is null stays as it begins. */
export const decayOf = (shown: boolean) =>
  variant(
    'none',
    [
      kind('none', {}),
      kind('linear', {
        alphaFinal: z
          .number()
          .gt(0)
          .max(1)
          .nullable()
          .default(null)
          .meta({
            title: 'step size end',
            description: 'Step size after the decay; empty keeps it constant.',
            empty: 'constant',
            depth: shown ? 'lab' : 'stored',
            group: 'learning',
          }),
        epsilonFinal: ending
          .nullable()
          .default(0.05)
          .meta({
            ...endingWords,
            description: 'Share of uniformly random actions after the decay; empty keeps it constant.',
            empty: 'constant',
          }),
        episodes: length(5000, 'Episodes until step size and epsilon reach their end values.'),
      }),
    ],
    words,
  );

/** The setting `decay` of tables whose epsilon alone may fall. */
export const epsilonDecay = variant(
  'none',
  [
    kind('none', {}),
    kind('linear', {
      epsilonFinal: ending.default(0.05).meta({ ...endingWords, description: 'Share of uniformly random actions after the decay.' }),
      episodes: length(1000, 'Episodes until epsilon reaches its end value.'),
    }),
  ],
  words,
);

type Decay =
  | { readonly kind: 'none' }
  | { readonly kind: 'linear'; readonly alphaFinal?: number | null; readonly epsilonFinal: number | null; readonly episodes: number };

/** What began as `start` after so many episodes. */
export function decayed(start: number, decay: Decay, end: 'alphaFinal' | 'epsilonFinal', finished: number): number {
  return decay.kind === 'none' ? start : linear(start, decay[end] ?? start, decay.episodes, finished);
}
