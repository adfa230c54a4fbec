/** An own card that takes seconds to run. */
import type { OwnCard } from '../src/contract/link/card.ts';

export const CARD: OwnCard = {
  title: 'Counting tries',
  question: 'Does UCB1 earn more than epsilon-greedy in 300 pulls?',
  author: 'A. Reader',
  config: { env: { id: 'bandit' }, algo: { id: 'ucb1' }, run: { steps: 300, evalEpisodes: 1 } },
  arms: [
    { id: 'ucb', title: 'UCB1' },
    { id: 'greedy', title: 'epsilon-greedy', differs: { algo: { id: 'epsilon-greedy' } } },
  ],
  quantity: { title: 'return', of: 'finalReturn' },
  contrasts: [{ id: 'counts', kind: 'difference', arm: 'ucb', over: 'greedy', claim: 'above', size: 0.01 }],
  better: 'more',
  looks: [5],
  firstSeed: 3001,
};
