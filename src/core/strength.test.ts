/** What shows the learning of every method in the world that is offered with it first. */
import { expect, test } from 'vitest';
import { strengthOf } from '#contract/catalog/strength.ts';
import { algos } from './algos/all.ts';
import { algoCard, envCard } from './cards.ts';
import { envs, getEnv } from './envs/all.ts';

const cards = new Map(algos.map((entry) => [entry.id, algoCard(entry)]));

/** Those whose return while exploring shows nothing, by what shows it. */
const BESIDE: { readonly [strength: string]: readonly string[] } = {
  'share of wins against random': ['connect-four', 'tic-tac-toe'],
  'return against random': [
    'drone-volleyball',
    'mpe-simple-adversary',
    'mpe-simple-crypto',
    'mpe-simple-push',
    'mpe-simple-tag',
    'mpe-simple-world-comm',
  ],
  return: [
    'deep-sea-treasure', // acts at random all along, for every weighting
    'drone-formation', // DAgger: the expert plays first
    'frozen-lake', // a fifth of its steps or more are random
    'hidden-chain', // likewise
    'markov-game', // exact: no episodes
    'mountain-car-continuous', // noise of half the range
    'mujoco-table-pick', // learned from recordings
    'mujoco-table-push',
    'quick-point-maze', // likewise
    'volley-back-and-forth',
    'volley-bump-and-pass',
    'volley-set-and-spike',
  ],
};

test('of every first offer, what shows that it learned', () => {
  const found: { [strength: string]: string[] } = {};
  for (const entry of envs) {
    const card = envCard(entry);
    const algo = cards.get(card.recommended.algo);
    if (algo === undefined) throw new Error(`${card.recommended.algo} has no card`);
    const strength = strengthOf(card, algo, { ...algo.defaults, ...card.recommended.config });
    if (strength !== null) (found[strength] ??= []).push(entry.id);
  }
  expect(found).toEqual(BESIDE);
});

test.each([
  ['cartpole', 'ppo', {}, null],
  ['cartpole', 'behaviour-cloning', {}, 'return'],
  ['cartpole', 'dqn', {}, null],
  ['cartpole', 'dqn', { epsilonEnd: 0.3 }, 'return'],
  ['cliff-walking', 'q-learning', {}, null],
  ['cliff-walking', 'q-learning', { epsilon: 0.5 }, 'return'],
  ['frozen-lake', 'value-iteration', {}, 'return'],
  ['pendulum', 'td3', { explorationNoise: 0.6 }, 'return'],
  ['pendulum', 'td3', {}, null],
  ['connect-four', 'alpha-zero', {}, 'share of wins against random'],
  ['connect-four', 'minimax', {}, null],
  ['kuhn-poker', 'cfr', {}, null],
  ['kuhn-poker', 'ippo', {}, 'return against random'],
] as const)('%s by %s, %o: %s', (env, algo, settings, expected) => {
  const card = cards.get(algo);
  if (card === undefined) throw new Error(`${algo} has no card`);
  expect(strengthOf(envCard(getEnv(env)), card, { ...card.defaults, ...settings })).toBe(expected);
});
