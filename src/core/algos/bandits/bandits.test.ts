/** What is known about the regret of bandit methods, over fixed seeds: 10 unlike arms (mapping seeds), 2,000 pulls each. */
import { describe, expect, it } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { rankOneUpdate } from './linucb.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
const PULLS = 2000;

/** Regret at every row: [seed][row]. Where arms stay, short episodes change nothing and are judged faster. */
async function regrets(
  id: string,
  config = {},
  env = 'noisy-bandit',
  envConfig: object = { pulls: 20 },
  seeds: readonly number[] = SEEDS,
): Promise<number[][]> {
  const out: number[][] = [];
  for (const seed of seeds) {
    const task = { algo: getAlgo(id), env: getEnv(env), envConfig: { mappingSeed: seed, ...envConfig }, config, steps: PULLS, seed };
    const { rows } = await trained(task);
    out.push(rows.map(([, metrics]) => metrics.regret!));
  }
  return out;
}
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const atEnd = (runs: readonly number[][]): number => mean(runs.map((rows) => rows.at(-1)!));
const half = (runs: readonly number[][]): number => mean(runs.map((rows) => rows[rows.length / 2 - 1]!));

describe('ten arms of the testbed', () => {
  it('UCB1 pulls bad arms ever more seldom: its regret grows like a logarithm', async () => {
    const runs = await regrets('ucb1');
    // From 1,000 to 2,000 pulls a straight line would double; c (ln 2000 / ln 1000) is a growth of 10 %.
    expect(atEnd(runs) / half(runs)).toBeLessThan(1.3);
    expect(atEnd(runs) / half(runs)).toBeGreaterThan(1);
  });

  it('epsilon-greedy pays for every pull at random: its regret goes on in a straight line', async () => {
    const runs = await regrets('epsilon-greedy');
    expect(atEnd(runs) - half(runs)).toBeGreaterThan(0.06 * (PULLS / 2)); // a tenth of the pulls at a mean gap above 0.6
  });

  it('Thompson sampling regrets less than epsilon-greedy and than pulling at random, and UCB1 less than random', async () => {
    const [thompson, greedy, ucb, random] = [
      atEnd(await regrets('thompson')),
      atEnd(await regrets('epsilon-greedy')),
      atEnd(await regrets('ucb1')),
      atEnd(await regrets('epsilon-greedy', { epsilon: 1 })),
    ];
    expect(thompson).toBeLessThan(0.6 * greedy);
    expect(ucb).toBeLessThan(0.25 * random);
    expect(greedy).toBeLessThan(0.25 * random);
  });

  it('the gradient bandit regrets less than a quarter of what pulling at random does', async () => {
    const random = atEnd(await regrets('epsilon-greedy', { epsilon: 1 }));
    expect(atEnd(await regrets('gradient-bandit'))).toBeLessThan(0.25 * random);
  });

  it('where arms drift a constant step size regrets less than the mean of all', async () => {
    const drifting = { drift: 0.05, pulls: PULLS, arms: 4 };
    const constant = atEnd(await regrets('epsilon-greedy', { alpha: 0.1 }, 'noisy-bandit', drifting, [1, 2, 3]));
    const average = atEnd(await regrets('epsilon-greedy', {}, 'noisy-bandit', drifting, [1, 2, 3]));
    expect(constant).toBeLessThan(0.8 * average);
  });
});

it('LinUCB regrets far less than pulling at random in a contextual bandit, and ever less', async () => {
  const runs = await regrets('linucb', {}, 'contextual-bandit', {});
  const optimal = getEnv('contextual-bandit')
    .meta({})
    .references.find(({ name }) => name === 'optimal')!.value;
  expect(atEnd(runs)).toBeLessThan(0.15 * optimal * PULLS); // a random arm pays 0 on average
  expect(atEnd(runs) - half(runs)).toBeLessThan(0.5 * half(runs));
});

it('the inverse of LinUCB is that of the matrix it stands for', () => {
  const inverse = Float64Array.of(1, 0, 0, 1);
  rankOneUpdate(inverse, 0, [1, 2], new Float64Array(2));
  // I + x x^T = [[2, 2], [2, 5]], of determinant 6
  [5 / 6, -2 / 6, -2 / 6, 2 / 6].forEach((v, i) => {
    expect(inverse[i]).toBeCloseTo(v, 12);
  });
});

it('methods that see nothing refuse worlds in which something is seen', () => {
  const lake = getEnv('frozen-lake').meta({});
  expect(() => getAlgo('ucb1').fits(lake, {})).toThrow(/where nothing is shown/);
  expect(() => getAlgo('linucb').fits(lake, {})).not.toThrow();
  expect(() => getAlgo('ucb1').fits(getEnv('bandit').meta({}), {})).not.toThrow();
});

it('in a bandit without noise what was missed is the difference to the best arm', async () => {
  const { rows } = await trained({
    algo: getAlgo('epsilon-greedy'),
    env: getEnv('bandit'),
    config: { epsilon: 0, initialValue: 5 },
    steps: 200,
  });
  // Every arm is tried once, 0 + 0.1 + .. + 1 = 5.5 of 11; then only the best.
  expect(rows.at(-1)![1].regret).toBeCloseTo(5.5, 5);
});
