/** What the methods over tables reach: against exact optima, and against each other where the book says which is better. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '../../envs/all.ts';
import { exactReturn } from '../../run/evaluate.ts';
import { type Trained, trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { greedyAction } from '../lib/table.ts';
import { monteCarloUpdate } from './monte-carlo.ts';
import { nStepUpdate } from './n-step-sarsa.ts';

const SEEDS = [1, 2, 3] as const;

/** Exact return of the greedy policy of a table, within so many steps. */
function greedyReturn({ saved }: Trained, env: string, limit: number): number {
  const model = getEnv(env).create({}, 1).model?.();
  const { q } = saved.arrays;
  if (model === undefined || !(q instanceof Float64Array)) throw new Error('no table');
  const choice = Int32Array.from({ length: model.states }, (_, s) => greedyAction({ ...model, q }, s));
  return exactReturn(model, choice, limit);
}

async function returns(id: string, env: string, limit: number, steps: number, preset = env): Promise<number[]> {
  const algo = getAlgo(id);
  const config: JsonObject = algo.presets.find((p) => p.id === preset)?.config ?? {};
  const out: number[] = [];
  for (const seed of SEEDS) out.push(greedyReturn(await trained({ algo, env: getEnv(env), config, steps, seed }), env, limit));
  return out;
}

describe('cliff walking, 500 episodes', () => {
  it.each(['q-learning', 'dyna-q', 'prioritised-sweeping'])('%s finds the way along the edge, 13 steps', async (id) => {
    expect(await returns(id, 'cliff-walking', 200, 60_000)).toEqual([-13, -13, -13]);
  });
  it('R-max, which knows that nothing is random, finds it too', async () => {
    expect(await returns('r-max', 'cliff-walking', 200, 60_000, 'deterministic')).toEqual([-13, -13, -13]);
  });
  it('Expected SARSA keeps a row from the edge, 15 steps', async () => {
    expect(await returns('expected-sarsa', 'cliff-walking', 200, 60_000)).toEqual([-15, -15, -15]);
  });
  it('double Q-learning finds it by its preset, which tries at random in half of its moves, in 200,000 steps', async () => {
    expect(await returns('double-q-learning', 'cliff-walking', 200, 200_000)).toEqual([-13, -13, -13]);
  });
  it.each(['sarsa-lambda', 'n-step-sarsa', 'q-lambda'])('%s walks to the goal, by no more than a detour of 6', async (id) => {
    for (const value of await returns(id, 'cliff-walking', 200, 60_000)) {
      expect(value).toBeLessThanOrEqual(-13);
      expect(value).toBeGreaterThanOrEqual(-19);
    }
  });
});

describe('slippery frozen lake: the best stationary policy arrives with chance 0.740 within 100 steps', () => {
  it.each(['policy-iteration', 'value-iteration', 'r-max'])('%s is at the optimum', async (id) => {
    for (const value of await returns(id, 'frozen-lake', 100, 100_000)) expect(value).toBeCloseTo(0.7401648977587011, 3);
  });
  it.each(['expected-sarsa', 'q-lambda', 'sarsa-lambda'])('%s, median of three seeds at least 0.7 after 10,000 episodes', async (id) => {
    const found = (await returns(id, 'frozen-lake', 100, 300_000)).sort((a, b) => a - b);
    expect(found[1]).toBeGreaterThan(0.7);
  });
  it('Monte Carlo control learns it, more slowly', async () => {
    const found = (await returns('monte-carlo', 'frozen-lake', 100, 300_000)).sort((a, b) => a - b);
    expect(found[1]).toBeGreaterThan(0.5); // playing at random: 0.014
  });
  it('TD(0) prediction comes near the exact values of random play', async () => {
    const { rows } = await trained({ algo: getAlgo('td-prediction'), env: getEnv('frozen-lake'), config: { alpha: 0.01 }, steps: 100_000 });
    const error = rows.at(-1)![1].valueError!;
    expect(error).toBeLessThan(0.03);
    expect(error).toBeLessThan(0.5 * rows[0]![1].valueError!);
  });
});

it('Dyna-Q needs a fraction of the real steps of Q-learning until its greedy way is the best one', async () => {
  const needed = async (id: string, config: JsonObject): Promise<number[]> => {
    const found: number[] = [];
    for (const seed of SEEDS) {
      let steps = 250;
      while (steps < 20_000) {
        const run = await trained({ algo: getAlgo(id), env: getEnv('cliff-walking'), config, steps, seed });
        if (greedyReturn(run, 'cliff-walking', 200) === -13) break;
        steps = Math.ceil(steps * 1.25);
      }
      found.push(steps);
    }
    return found;
  };
  const alone = await needed('q-learning', { gamma: 0.95 });
  const planned = await needed('dyna-q', { gamma: 0.95, planningSteps: 50 });
  SEEDS.forEach((_, i) => {
    expect(planned[i], `${planned} against ${alone}`).toBeLessThan(0.5 * alone[i]!);
  });
});

describe('by hand', () => {
  const table = () => ({ states: 2, actions: 2, q: Float64Array.of(0, 0, 0, 1) });

  it('Monte Carlo: the first visit counts, later ones of the same action do not', () => {
    const t = table();
    const counts = new Float64Array(4);
    const episode = { cells: Int32Array.of(0, 2, 0), rewards: Float64Array.of(1, 0, 4), length: 3 };
    // G of cell 0 from its first visit: 1 + 0.5 (0 + 0.5 * 4) = 2; of cell 2: 0 + 0.5 * 4 = 2
    expect(monteCarloUpdate(t, counts, episode, 0, 0.5, null)).toBeCloseTo(2, 12);
    expect([...t.q]).toEqual([2, 0, 2, 1]);
    expect([...counts]).toEqual([1, 0, 1, 0]);
    monteCarloUpdate(t, counts, { cells: Int32Array.of(0), rewards: Float64Array.of(4), length: 1 }, 0, 0.5, null);
    expect(t.q[0]).toBe(3); // the mean of 2 and 4
  });

  it('n-step: rewards of the ring, then the value behind them', () => {
    const t = table();
    const ring = { cells: Int32Array.of(2, 0, 1), rewards: Float64Array.of(8, 1, 2) };
    // from place 1: 1 + 0.5 (2 + 0.5 (8 + 0.5 * 4))
    expect(nStepUpdate(t, ring, 1, 3, 4, 0.5, 0.5)).toBeCloseTo(1 + 0.5 * (2 + 0.5 * 10), 12);
    expect(t.q[0]).toBeCloseTo(2.25, 12);
  });
});
