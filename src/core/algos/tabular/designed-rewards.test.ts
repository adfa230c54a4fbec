/** Designed rewards: what a teacher chooses and pays by hand, and that designs leave the optimum where it is, by the exact solver. */
import { describe, expect, it } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import type { TabularModel } from '../../envs/api/types.ts';
import { buildModel } from '../../envs/lib/tabular/model.ts';
import { optimalValues, startValue } from '../../envs/lib/tabular/values.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { learnReturns, writeChances } from './designed-rewards.ts';
import { evaluatePolicy, uniformChances } from './lib/evaluation.ts';
import { costliest, designLoss, discountedVisits, lossFromStart, paidModel, taught, writeFines } from './lib/reward-design.ts';

const GAMMA = 0.9;
/** Three places in a row; action 1 goes on, action 0 stays. The last step pays 1 and ends. */
const row = buildModel(
  3,
  2,
  (s, a) => [
    { probability: 1, next: a === 1 ? Math.min(2, s + 1) : s, reward: a === 1 && s === 2 ? 1 : 0, terminated: a === 1 && s === 2 },
  ],
  [0],
);
const rooms = getEnv('key-grid').create({}, 1).model?.() as TabularModel;
const startOf = (model: TabularModel): number => startValue(model, optimalValues(model, GAMMA).values);

describe('by hand', () => {
  it('what a mistake loses', () => {
    const { values, loss } = taught(row, GAMMA);
    expect([...values].map((v) => Math.round(1e6 * v) / 1e6)).toEqual([0.81, 0.9, 1]);
    // staying costs one step of discount
    expect(loss[0]).toBeCloseTo(0.081, 12);
    expect(loss[2]).toBeCloseTo(0.09, 12);
    expect(loss[4]).toBeCloseTo(0.1, 12);
    expect([loss[1], loss[3], loss[5]]).toEqual([0, 0, 0]);
  });

  it('visits of a policy that stays in half of its steps', () => {
    const visits = discountedVisits(row, uniformChances(row), GAMMA);
    // sum over t of (0.9 / 2)^t
    expect(visits[0]).toBeCloseTo(1 / 0.55, 3);
  });

  it('fines are paid at the chosen places alone, and best actions pay none', () => {
    const { loss } = taught(row, GAMMA);
    const fines = new Float64Array(6).fill(7);
    writeFines(loss, [1], 2, 3, fines);
    expect([...fines].map((x) => (x === 0 ? 0 : Math.round(1e6 * x) / 1e6))).toEqual([0, 0, -0.27, 0, 0, 0]);
  });

  it('chances are shared by equal actions, and illegal ones have none', () => {
    const out = new Float64Array(4);
    const table = { states: 1, actions: 4, q: Float64Array.of(1, 2, 2, 0) };
    writeChances(table, 0, 0.2, out, 0);
    expect([...out].map((p) => Math.round(100 * p))).toEqual([5, 45, 45, 5]);
    writeChances(table, 0, 0.2, out, 0, Uint8Array.of(1, 0, 1, 0));
    expect([...out].map((p) => Math.round(100 * p))).toEqual([10, 0, 90, 0]);
  });

  it('returns are discounted from the end', () => {
    const returns = new Float64Array(3);
    learnReturns(returns, Int32Array.of(0, 1, 2), Float64Array.of(0, 0, 1), 3, 0.5, 0.1);
    expect([...returns].map((x) => Math.round(1e6 * x) / 1e6)).toEqual([0.025, 0.05, 0.1]);
  });
});

describe('what places are chosen by', () => {
  const { loss } = taught(rooms, GAMMA);
  const chances = uniformChances(rooms);

  it('adds up to the loss of the learner from the start (performance difference lemma)', () => {
    const visits = discountedVisits(rooms, chances, GAMMA);
    let sum = 0;
    for (let pair = 0; pair < chances.length; pair++) sum += visits[Math.floor(pair / 4)]! * chances[pair]! * loss[pair]!;
    const values = new Float64Array(rooms.states);
    evaluatePolicy(rooms, chances, GAMMA, 1e-12, values);
    expect(sum).toBeCloseTo(startOf(rooms) - startValue(rooms, values), 3);
  });

  it('follows the learner: who makes no mistake at a place is not told of it', () => {
    const [first] = costliest(rooms, loss, chances, GAMMA, 1) as [number];
    const learned = chances.slice();
    for (let a = 0; a < 4; a++) learned[4 * first + a] = loss[4 * first + a] === 0 ? 1 : 0;
    expect(costliest(rooms, loss, learned, GAMMA, 3)).not.toContain(first);
    expect(costliest(rooms, loss, chances, GAMMA, 3)).toContain(first);
  });

  it('is nothing for the optimum', () => {
    const best = new Float64Array(chances.length);
    for (const [s, [a]] of optimalValues(rooms, GAMMA).best.entries()) best[4 * s + a!] = 1;
    expect(costliest(rooms, loss, best, GAMMA, 3)).toEqual([]);
    expect(lossFromStart(rooms, best, GAMMA, startOf(rooms), new Float64Array(rooms.states))).toBeCloseTo(0, 8);
  });
});

describe('the optimum', () => {
  const { values, loss } = taught(rooms, GAMMA);
  const best = startValue(rooms, values);
  const designLossOf = (extra: Parameters<typeof paidModel>[1]) => designLoss(rooms, paidModel(rooms, extra), GAMMA, best);

  it.each([0.1, 1, 50])('stays under fines of %d, wherever they are', (size) => {
    for (const places of [[0], [3, 17, 40], Array.from({ length: rooms.states }, (_, s) => s)]) {
      const fines = new Float64Array(loss.length);
      writeFines(loss, places, 4, size, fines);
      expect(designLossOf((pair) => fines[pair]!)).toBeLessThan(1e-9);
    }
  });

  it('stays under any potential', () => {
    const phi = Float64Array.from({ length: rooms.states }, (_, s) => ((s * 7) % 5) - 2);
    const shaped = designLossOf((pair, next, over) => (over ? 0 : GAMMA * phi[next]!) - phi[Math.floor(pair / 4)]!);
    expect(shaped).toBeLessThan(1e-9);
  });

  it('moves where every step is paid, and that is seen', () => {
    expect(designLossOf(() => 0.5)).toBeGreaterThan(0.1);
  });
});

it('along a chain a teacher who watches is faster than one who speaks once, and both than the world’s own reward', async () => {
  const reached = async (design: string): Promise<number> => {
    const task = {
      algo: getAlgo('designed-rewards'),
      env: getEnv('key-grid'),
      envConfig: { map: ['S.............G'] },
      steps: 9000,
      seed: 5,
    };
    const { rows } = await trained({ ...task, config: { design, alpha: 0.5, epsilon: 0.1 } });
    return rows.find(([, metrics]) => metrics.optimalityGap! <= 0.02)?.[0] ?? 9000;
  };
  const [watched, once, alone] = [await reached('adaptive'), await reached('fixed'), await reached('none')];
  expect(watched).toBeLessThan(0.7 * once);
  expect(once).toBeLessThan(0.7 * alone);
});
