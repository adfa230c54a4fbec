/** Methods that learn a model: their parts by hand, and what they reach where the optimum is known. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Finding } from '#contract/run/findings.ts';
import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import { getEnv } from '../../envs/all.ts';
import { rewardEntry } from '../../own/reward.ts';
import { completeRun } from '../../run/complete.ts';
import { registryOf } from '../../run/registry.ts';
import { createSession } from '../../run/session.ts';
import { cuedTable } from '../../testing/probes.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { cloneOf, demonstrate, regularisedValue, softChances } from './demonstration-regularised.ts';
import { LearnedModel, solve } from './lib/learned-model.ts';
import { tiltedChances } from './mex.ts';
import { drawReward, posteriorWorld } from './posterior-sampling.ts';
import { addReturns, fittedBackup } from './sqirl.ts';
import { hoeffdingBonus, optimisticWorld, valueBound } from './ucbvi.ts';

const SIX = { states: 6, actions: 2, branching: 2, sparsity: 0.5, discount: 0.9 };
const meta = getEnv('random-mdp').meta({ ...SIX, states: 2 });
const step = (next: number, terminated = false) => ({ terminated, ended: terminated, next, nextMask: undefined });

/** Two states, two actions: pair 0 led to state 1 three times and ended once, and paid 1, 0, 1, 0. */
function small(): LearnedModel {
  const model = new LearnedModel(meta);
  model.learn(0, 1, step(1));
  model.learn(0, 0, step(1));
  model.learn(0, 1, step(1));
  model.learn(0, 0, step(0, true));
  return model;
}

describe('by hand', () => {
  it('the model counts, and asks for a plan when a pair was tried twice as often', () => {
    const model = small();
    expect([...model.visits]).toEqual([4, 0, 0, 0]);
    expect([...model.successors.subarray(0, 3)]).toEqual([0, 3, 1]);
    expect([model.mean[0], model.squares[0]]).toEqual([0.5, 1]);
    model.markPlanned();
    expect([model.doubled(0), model.doubled(1)]).toEqual([false, false]);
    for (let k = 0; k < 4; k++) model.learn(0, 0, step(1));
    model.learn(1, 0, step(1));
    expect([model.doubled(0), model.doubled(1), model.known()]).toEqual([true, true, 2]);
  });

  it('optimism: the mean, Hoeffding’s width, and the largest return where nothing was tried', () => {
    const width = hoeffdingBonus(0.1, 2, 4, 9, 4);
    expect(width).toBeCloseTo(0.2 * Math.sqrt(Math.log(40 / 0.05) / 4), 12);
    const world = optimisticWorld(small(), { bonus: 0.1, maxValue: 2 }, 9);
    expect(world.reward[0]).toBeCloseTo(0.5 + width, 12);
    expect([...world.reward.subarray(1)]).toEqual([2, 2, 2]);
    expect([...world.chance]).toEqual([0.75]);
    // state 1 is worth 2, so Q of the tried pair is its reward and 0.9 x 0.75 x 2, cut at 2
    const table = { states: 2, actions: 2, q: new Float64Array(4) };
    const worth = (s: number) => Math.max(table.q[2 * s]!, table.q[2 * s + 1]!);
    solve(table, world, { gamma: 0.9, most: 2, worth });
    expect(table.q[0]).toBeCloseTo(Math.min(2, 0.5 + width + 0.9 * 0.75 * 2), 6);
  });

  it('the posterior’s mean: counts and the prior’s mass, which ends in a third of its cases with two states', () => {
    const prior = { belief: 'mean', priorWeight: 1, rewardMean: 0, rewardSpread: 1 } as const;
    const world = posteriorWorld(small(), prior, Rng.from(1));
    expect(world.reward[0]).toBeCloseTo(2 / 5, 12);
    expect([...world.chance]).toEqual([0.6]);
    expect(world.anywhere[0]).toBeCloseTo((1 / 5) * (2 / 3), 12);
    expect(world.anywhere[1]).toBeCloseTo(2 / 3, 12);
  });

  it('draws of the posterior lie about its mean, and closer the more was seen', () => {
    const prior = { belief: 'sample', priorWeight: 1, rewardMean: 0, rewardSpread: 1 } as const;
    const rng = Rng.from(2);
    const chances = Array.from({ length: 4000 }, () => posteriorWorld(small(), prior, rng).chance[0]!);
    // Dirichlet(3, 1, 1): Beta(3, 2) with mean 0.6 and variance 0.04
    expect(Math.abs(mean(chances) - 0.6)).toBeLessThan(5 * Math.sqrt(0.04 / 4000));
    expect(mean(chances.map((p) => (p - 0.6) ** 2))).toBeCloseTo(0.04, 2);
    const rewards = (n: number) => Array.from({ length: 4000 }, () => drawReward(n, 0.5, n / 4, 0, 1, rng));
    const spread = (list: number[]) => mean(list.map((r) => Math.abs(r - mean(list))));
    expect(mean(rewards(99))).toBeCloseTo(0.495, 1);
    expect(spread(rewards(99))).toBeLessThan(0.3 * spread(rewards(4)));
  });

  it('returns of random play count every visit, discounted', () => {
    const [sums, counts] = [new Float64Array(4), new Float64Array(4)];
    addReturns({ pairs: Int32Array.of(0, 2, 0), rewards: Float64Array.of(1, 0, 4), length: 3 }, 0.5, sums, counts);
    expect([...sums]).toEqual([1 + 1 + 4, 0, 2, 0]);
    expect([...counts]).toEqual([2, 0, 1, 0]);
  });

  it('a fitted backup moves tried pairs only', () => {
    const table = { states: 2, actions: 2, q: Float64Array.of(0, 0, 0, 2) };
    fittedBackup(table, small(), 0.5);
    expect([...table.q]).toEqual([0.5 + 0.5 * 0.75 * 2, 0, 0, 2]);
  });

  it('the most promising chances: what was seen, tilted to what is worth more, and the rest to the best of all', () => {
    // nothing pulls: the shares of the counts
    expect(tiltedChances([3, 1], [0, 0], 0, 2).chances.map((p) => Number(p.toFixed(9)))).toEqual([0.75, 0.25]);
    // P = eta n / (mu - pull): with pulls 0 and 1 and one try each, 1 / mu + 1 / (mu - 1) = 1 gives mu = (3 + sqrt 5) / 2
    const mu = (3 + Math.sqrt(5)) / 2;
    const { chances, rest } = tiltedChances([1, 1], [0, 1], 1, 1);
    expect([...chances, rest].map((p) => Number(p.toFixed(6)))).toEqual([1 / mu, 1 / (mu - 1), 0].map((p) => Number(p.toFixed(6))));
    // one try that paid nothing, and a state of pull 4 that was never reached: a quarter stays, the rest goes there
    expect(tiltedChances([1], [0], 4, 1)).toEqual({ chances: [0.25], rest: 0.75 });
  });

  it('the clone, the regularised value and the policy', () => {
    const clone = cloneOf(Float64Array.of(2, 0, 0, 0), 2);
    [3 / 4, 1 / 4, 1 / 2, 1 / 2].forEach((chance, pair) => {
      expect(clone[pair]).toBeCloseTo(Math.log(chance), 12);
    });
    const q = Float64Array.of(0, Math.log(3), 0, 0);
    expect(regularisedValue({ states: 2, actions: 2, q }, clone, 1, 0)).toBeCloseTo(Math.log(3 / 4 + 3 / 4), 12);
    const out = new Float64Array(2);
    softChances({ states: 2, actions: 2, q: Float64Array.of(clone[0]!, Math.log(3) + clone[1]!, 0, 0) }, 1, 0, undefined, out, 0);
    expect([...out].map((chance) => Number(chance.toFixed(9)))).toEqual([0.5, 0.5]);
  });

  it('demonstrations do what the best policy does, for about as long as episodes last', () => {
    const model = getEnv('random-mdp').create(SIX, 1).model?.();
    if (model === undefined) throw new Error('no table');
    const shown = demonstrate(model, Int32Array.of(1, 0, 1, 0, 1, 0), 500, Rng.from(3));
    const steps = shown.reduce((sum, n) => sum + n, 0);
    for (let s = 0; s < 6; s++) expect(shown[2 * s + (s % 2)]).toBe(0);
    expect(Math.abs(steps / 500 - 10)).toBeLessThan(5 * Math.sqrt(90 / 500)); // geometric: mean 10, variance 90
  });
});

describe('where the optimum is known', () => {
  const last = async (algo: string, config: JsonObject, steps: number, seed: number) => {
    const { rows } = await trained({ algo: getAlgo(algo), env: getEnv('random-mdp'), envConfig: SIX, config, steps, seed });
    return rows.at(-1)![1];
  };
  const exact = { gamma: 0.9999 };
  const reference = (name: string) =>
    getEnv('random-mdp')
      .meta(SIX)
      .references.find((found) => found.name === name)!.value;

  it.each([
    ['posterior-sampling', { ...exact, rewardSpread: 0.3 }],
    ['posterior-sampling', { ...exact, rewardSpread: 0.3, replan: 'doubling' }],
    ['ucbvi', { ...exact, maxValue: 10, bonus: 0.1 }],
    ['mex', { ...exact, maxValue: 10 }],
  ])('%s comes near the best policy, and loses less than half of what random play does on the way', async (algo, config) => {
    for (const seed of [1, 2]) {
      const row = await last(algo, config, 8000, seed);
      const random = 800 * (reference('optimal') - reference('random')); // 8,000 steps are some 800 episodes
      expect(row.optimalityGap, `seed ${seed}`).toBeLessThan(0.4);
      expect(row.regret, `seed ${seed}`).toBeLessThan(0.5 * random);
      expect(row.regret).toBeGreaterThan(0);
    }
  });

  it('optimism by its preset: the gap shrinks and regret grows slower than in a line; with a tenth of the bonus it does not', async () => {
    const preset = getAlgo('ucbvi').presets.find(({ id }) => id === 'random-mdp')!.config;
    const play = async (config: JsonObject, seed: number) => {
      const { rows } = await trained({ algo: getAlgo('ucbvi'), env: getEnv('random-mdp'), config, steps: 80_000, seed });
      return rows.at(-1)![1];
    };
    for (const seed of [1, 2]) {
      const row = await play(preset, seed);
      expect(row.optimalityGap, `seed ${seed}`).toBeLessThan(1);
      expect(row.regretGrowth, `seed ${seed}`).toBeLessThan(0.65);
    }
    expect((await play({ ...preset, bonus: 0.01 }, 1)).optimalityGap).toBeGreaterThan(1);
  }, 60_000);

  it('the largest return follows from the rewards and the discount, and all pairs are tried', async () => {
    const place = { envEntry: getEnv('random-mdp'), envConfig: getEnv('random-mdp').parse({}) };
    expect(valueBound({ maxValue: null, gamma: 0.99 }, place)).toBeCloseTo(100, 9);
    expect(valueBound({ maxValue: 3, gamma: 0.99 }, place)).toBe(3);
    for (const id of ['ucbvi', 'mex']) {
      const { rows } = await trained({ algo: getAlgo(id), env: getEnv('random-mdp'), steps: 4000, seed: 1 });
      expect(rows.at(-1)![1].known, id).toBe(80);
    }
  });

  it.each([
    ['mex', 2, 'algo.maxReward'],
    ['ucbvi', 300, 'algo.maxValue'],
  ])('%s says by its defaults when steps pay more than it takes a step to pay, and only then', async (id, factor, path) => {
    const found = async (by: number) => {
      const env = rewardEntry(
        { title: 'More', env: cuedTable.id, reward: ({ reward }: { reward: number }) => by * reward },
        cuedTable,
        'own-more',
      );
      const config = completeRun({ env: { id: env.id }, algo: { id }, run: { steps: 3000 } }, registryOf([env], [getAlgo(id)]));
      const findings: Finding[] = [];
      for await (const event of createSession({ config, env, algo: getAlgo(id), seed: 1, now: () => 0 }))
        if (event.kind === 'mark' && event.finding?.id === 'value-range') findings.push(event.finding);
      return findings;
    };
    expect(await found(1)).toEqual([]);
    const [finding] = await found(factor);
    expect(finding?.evidence[0]).toContain(`A step pays ${factor} on average`);
    expect(finding?.ways[0]?.path).toBe(path);
  });

  it('random play, a plan made once from hardly anything, goes on losing', async () => {
    const row = await last('posterior-sampling', { ...exact, replan: 'once', belief: 'mean' }, 4000, 1);
    expect(row.regretGrowth).toBeGreaterThan(0.95);
    expect(row.plans).toBe(1);
  });

  it('SQIRL finds it from random play and thirty backups', async () => {
    expect((await last('sqirl', { ...exact, backups: 30, episodes: 50 }, 8000, 1)).optimalityGap).toBeLessThan(0.05);
  });

  it('with demonstrations it begins near the optimum, with a large trust it stays the clone', async () => {
    const gaps = async (config: JsonObject) =>
      (await last('demonstration-regularised', { ...exact, maxValue: 10, ...config }, 500, 1)).optimalityGap!;
    const [none, many] = [await gaps({ demonstrations: 0 }), await gaps({ demonstrations: 1000, trust: 1e6 })];
    expect(many).toBeLessThan(0.1);
    expect(none).toBeGreaterThan(many);
  });
});
