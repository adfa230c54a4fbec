// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { encodeCard, type OwnCard } from '#contract/link/card.ts';

const CARD: OwnCard = {
  title: 'Counting tries',
  question: 'Does UCB1 earn more?',
  config: { env: { id: 'bandit' }, algo: { id: 'ucb1' }, run: { steps: 300 } },
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
const packed = (title: string): string => encodeCard({ ...CARD, title });

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

test('cards are kept newest first, each once, and outlive the visit', async () => {
  const { useKeptCards } = await import('./kept.ts');
  const [a, b] = [packed('A'), packed('B')];
  for (const one of [a, b, a]) useKeptCards.getState().keep(one);
  expect(useKeptCards.getState().packed).toEqual([a, b]);
  useKeptCards.getState().leave(a);
  vi.resetModules();
  const later = await import('./kept.ts');
  expect(later.useKeptCards.getState().packed).toEqual([b]);
  expect(later.readable(later.useKeptCards.getState().packed).map(({ own }) => own.title)).toEqual(['B']);
});

test('what another tab kept meanwhile is not lost, and a card too long for a link is not kept', async () => {
  const { useKeptCards } = await import('./kept.ts');
  const [mine, other] = [packed('mine'), packed('other')];
  localStorage.setItem('rl-workbench:own-cards', JSON.stringify([other]));
  useKeptCards.getState().keep(mine);
  useKeptCards.getState().keep('x'.repeat(4000));
  expect(useKeptCards.getState().packed).toEqual([mine, other]);
});

test('damaged, foreign and too many entries are left out', async () => {
  localStorage.setItem('rl-workbench:own-cards', '{"a":1}');
  expect((await import('./kept.ts')).useKeptCards.getState().packed).toEqual([]);
  vi.resetModules();
  const many = Array.from({ length: 200 }, (_, i) => `n${i}`);
  localStorage.setItem('rl-workbench:own-cards', JSON.stringify([4, null, packed('good'), ...many]));
  const { useKeptCards, readable, MOST_KEPT } = await import('./kept.ts');
  expect(useKeptCards.getState().packed).toHaveLength(MOST_KEPT);
  expect(readable(useKeptCards.getState().packed)).toHaveLength(1);
});
