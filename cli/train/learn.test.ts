import { expect, test } from 'vitest';
import { bestKnown } from '#contract/catalog/best-known.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { envCard } from '#core/cards.ts';
import { getEnv } from '#core/envs/all.ts';
import { opponentsOf } from '#core/run/yardstick.ts';
import { bandOf, canBeLearned, type Learned, sharesOf } from '../../tools/facts/learned.ts';
import { episodesFor, fractionOf, isOf, learn, offerHash, shortened, yardstickOf } from './learn.ts';

const options = { seeds: 2, budget: 60, stopped: () => false, say: () => {} };
const cardOf = (id: string, recommended: Partial<EnvCard['recommended']> = {}): EnvCard => {
  const card = envCard(getEnv(id));
  return { ...card, recommended: { ...card.recommended, ...recommended } };
};

test('an environment is trained by what is recommended for it and measured between random and best known', async () => {
  const card = cardOf('bandit', { steps: 3000 });
  const found = (await learn(getEnv('bandit'), card, 'abc', options)) as Learned;
  expect(found).toMatchObject({ algo: 'q-learning', steps: 3000, offered: 3000, judged: 'return', random: 0.5, best: 1, reached: 1 });
  expect(found).toMatchObject({ fraction: 1, bestIs: 'optimal', commit: 'abc', offer: offerHash(card, 2) });
  expect(found.seeds.map(({ seed }) => seed)).toEqual([1, 2]);
  expect(found.cpuSeconds).toBeGreaterThan(0);
  // another recommendation is another offer, which --resume measures again
  expect(offerHash(cardOf('bandit', { steps: 3001 }), 2)).not.toBe(found.offer);
});

test('fresh seeds are those asked for, and train the same offer otherwise', async () => {
  const found = (await learn(getEnv('bandit'), cardOf('bandit', { steps: 3000 }), 'abc', { ...options, firstSeed: 41 })) as Learned;
  expect(found.seeds.map(({ seed }) => seed)).toEqual([41, 42]);
  const offer = offerHash(cardOf('bandit', { steps: 3000 }), 2);
  expect(found.offer).toBe(offer);
  // resuming: another offer or other seeds than those asked for are measured again
  expect(isOf(found, offer, undefined)).toBe(true);
  expect(isOf(found, offer, 41)).toBe(true);
  expect(isOf(found, offer, 1)).toBe(false);
  expect(isOf(found, 'another', 41)).toBe(false);
  expect(isOf(undefined, offer, undefined)).toBe(false);
});

test('shares count environments by how far they come, without those that nothing better is known of', () => {
  const came = (fraction: number | null) => ({ fraction }) as Learned;
  const results = { a: came(0.9), b: came(0.75), c: came(0.25), d: came(0.2), e: came(-1), f: came(null) };
  expect(sharesOf(results)).toEqual({ known: 5, quarter: 3, threeQuarters: 2, below: ['d', 'e'] });
});

test('a command that is asked to stop leaves nothing half measured', async () => {
  expect(await learn(getEnv('cartpole'), cardOf('cartpole'), 'abc', { ...options, stopped: () => true })).toBeNull();
});

test('where rewards are mostly noise, as many more episodes are played as tell what was learned', async () => {
  expect(episodesFor(new Float64Array(50).fill(3), 1)).toBe(50);
  expect(episodesFor(Float64Array.of(-0.5, 0.5), 1)).toBe(100); // a deviation of 0.5, and 0.05 asked for
  expect(episodesFor(Float64Array.of(-1e9, 1e9), 1)).toBe(4000);
  // nine of ten rewards are -1 or 1 at random: 50 episodes of the best policy return 0.44, not the 1 that is expected of it
  const { config } = cardOf('umbrella-chain').recommended;
  const card = cardOf('umbrella-chain', { steps: 40_000, config: { ...config, lr: 2e-3 } }); // on the way: a fifth of the offer's steps
  const found = (await learn(getEnv('umbrella-chain'), card, 'abc', { ...options, seeds: 1 })) as Learned;
  expect(found.fraction).toBeGreaterThan(0.6);
}, 60_000);

test('small games are measured by exploitability, board games by wins, sides with interests of their own against random', async () => {
  expect(await yardstickOf(getEnv('kuhn-poker'), cardOf('kuhn-poker'))).toMatchObject({ judged: 'exploitability', best: 0 });
  const boards = await yardstickOf(getEnv('tic-tac-toe'), cardOf('tic-tac-toe'));
  expect(boards).toMatchObject({ judged: 'share of wins against random', random: 0.5, best: 1 });
  const push = await yardstickOf(getEnv('mpe-simple-push'), cardOf('mpe-simple-push'));
  expect(push.judged).toBe('return against random');
  expect(push.random).toBeLessThan(-20);
  expect(push.best).toBeGreaterThan(-12);
  expect(opponentsOf(getEnv('mpe-simple-tag').meta({}))).toEqual(['agent_0']);
  expect(opponentsOf(getEnv('mpe-simple-spread').meta({}))).toEqual([]);
});

test('the best known is the highest reference that was played; a bound counts only alone', () => {
  const named = (...list: readonly (readonly [string, number])[]) => list.map(([name, value]) => ({ name, value, source: '' }));
  expect(bestKnown(named(['random', 9], ['expert', 3], ['published PPO', 4], ['upper bound', 8]))?.name).toBe('published PPO');
  expect(bestKnown(named(['random', 9], ['published random', 8], ['upper bound', 7]))?.name).toBe('upper bound');
  expect(bestKnown(named(['random', 9]))).toBeUndefined();
});

test('there is something to learn where better play than random is known', () => {
  expect(canBeLearned(cardOf('cartpole'))).toBe(true);
  expect(canBeLearned(cardOf('leduc-poker'))).toBe(true);
  for (const id of ['boids', 'minigrid-playground', 'drone-free-flight']) expect(canBeLearned(cardOf(id)), id).toBe(false);
});

test('a band holds what the measured seeds reached and a tenth of the way more, up to the best known; none where something is missing', () => {
  const seeds = [480, 500, 490].map((reached, i) => ({ seed: i + 1, reached, training: null, cpuSeconds: 1, parameterHash: '' }));
  expect(bandOf({ seeds, random: 20, best: 500 })).toEqual([432, 500]);
  expect(bandOf({ seeds, random: 1000, best: 0 })).toEqual([380, 600]); // less is better
  expect(bandOf({ seeds, random: 520, best: 475 })).toEqual([475.5, 504.5]);
  expect(bandOf({ seeds: [{ ...seeds[0]!, reached: null }], random: 20, best: 500 })).toBeNull();
  expect(bandOf({ seeds, random: null, best: 500 })).toBeNull();
});

test('the way from random to best known, where both are known and differ', () => {
  expect(fractionOf(-5, -10, 0)).toBe(0.5);
  expect(fractionOf(0.2, 0.8, 0)).toBeCloseTo(0.75, 12); // less is better
  expect(fractionOf(null, 0, 1)).toBeNull();
  expect(fractionOf(1, null, 1)).toBeNull();
  expect(fractionOf(0, 0, 0)).toBeNull();
});

test('a budget that does not fit is cut to round steps, always below what was tried', () => {
  expect(shortened(123_456, 500_000)).toBe(100_000);
  expect(shortened(99, 1000)).toBe(84);
  expect(shortened(1_000_000, 1000)).toBe(850);
  expect(shortened(0.1, 10)).toBe(1);
});
