/** The first policy gradients on CartPole: what they reach with their defaults. Measured over seeds 1 to 5: greedy 500 each, all methods. */
import { expect, it } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';

const onCartpole = (id: string, steps: number, seed: number, config = {}) =>
  trained({ algo: getAlgo(id), env: getEnv('cartpole'), config, steps, seed });

it('REINFORCE with a baseline: at least 400 while it still draws its actions, 475 greedily, on five seeds @night', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { rows, evalReturn } = await onCartpole('reinforce', 300_000, seed);
    expect(rows.at(-1)![1].episodicReturn, `seed ${seed}`).toBeGreaterThanOrEqual(400);
    expect(evalReturn, `seed ${seed}`).toBeGreaterThanOrEqual(475);
  }
}, 120_000);

it('A2C: at least 475, drawn and greedily', async () => {
  const { rows, evalReturn } = await onCartpole('a2c', 500_000, 1);
  expect(rows.at(-1)![1].episodicReturn).toBeGreaterThanOrEqual(475);
  expect(evalReturn).toBeGreaterThanOrEqual(475);
}, 240_000);

it('IMPALA with actors that are four updates behind: at least 475 greedily @night', async () => {
  expect((await onCartpole('impala', 500_000, 1)).evalReturn).toBeGreaterThanOrEqual(475);
}, 240_000);
