/**
 * The returns of a run and what they are called everywhere: in the table, the legend, the charts and in words. The greedy test is the headline: what was
 * learned, always the best action, on fixed seeds. The other is what was scored while exploring. Where neither can show what was learned, because
 * another side learns as well, the test against random is (contract/catalog/strength.ts).
 */
import type { Strength } from '#contract/catalog/catalog.ts';
import { msg } from '#text/text.ts';

export const GREEDY_TEST = 'greedy test return';
export const EXPLORING = 'return while exploring';

/** What is measured of the kept policies of a run. */
export const STRENGTHS: { readonly [S in Strength]: { readonly title: string; readonly description: string } } = {
  return: {
    title: GREEDY_TEST,
    description: 'Mean score of greedy episodes of the kept policies on fixed seeds, played beside the training.',
  },
  'return against random': {
    title: msg('return against random play'),
    description:
      'Mean score of greedy episodes of the kept policies. The other side acts at random: in training it learns as well, and what one side gains the other loses.',
  },
  'share of wins against random': {
    title: msg('wins against random play'),
    description: 'Of games of the kept policies against random actions, half of them from each seat. A draw is half a win.',
  },
};
