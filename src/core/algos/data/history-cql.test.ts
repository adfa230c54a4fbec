/** The bisimulation loss in float64 against a plain loop, recorded episodes as pieces, and what is learned from histories. */
import { expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { sum } from '#core/engine/ops.ts';
import { getEnv } from '#core/envs/all.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { play } from '#core/testing/play.ts';
import { Rng } from '#math/rng.ts';
import { recordGrade } from '../lib/data/recording.ts';
import { bisimulationLoss, dataPieces } from './history-cql.ts';

it('two histories are as far apart as their rewards and what follows', () => {
  const g = createGraph();
  const given = { codes: g.input('codes', [3, 2]), next: g.input('next', [3, 2]), reward: g.input('reward', [3]) };
  const loss = bisimulationLoss(given, g.input('partner', [3]), g.constant(0.5, [1]));
  const [codes, next, reward, partner] = [
    [0.1, -0.4, 0.7, 0.2, -0.3, 0.9],
    [0.5, 0.5, -0.2, 0.1, 0, 0],
    [1, 0, -0.5],
    [2, 0, 1],
  ];
  const apart = (x: readonly number[], width: number, i: number, j: number): number =>
    Array.from({ length: width }, (_, k) => Math.abs(x[i * width + k]! - x[j * width + k]!)).reduce((a, b) => a + b, 0);
  const slopes = gradients(sum(loss), [given.next, given.reward]);
  const found = interpret([loss, ...slopes], { inputs: { codes, next, reward, partner } });
  partner.forEach((j, i) => {
    const want = apart(codes, 2, i, j) - (apart(reward, 1, i, j) + 0.5 * apart(next, 2, i, j));
    expect(found.get(loss)![i]).toBeCloseTo(want * want, 12);
  });
  for (const slope of slopes) expect(Array.from(found.get(slope)!).every((value) => value === 0)).toBe(true); // they are only aimed at
});

it('recorded episodes become pieces, whole where they are short enough', async () => {
  const entry = getEnv('gridworld-memory');
  const config = entry.parse({ length: 4 });
  const data = await recordGrade({ entry, config, steps: 200, seed: 5 }, 'expert', 0);
  const pieces = dataPieces(data, 8);
  expect(pieces.size).toBe(data.header.episodes);
  const [L, M, O] = [8, 1, 3];
  const batch = {
    obs: new Float32Array((L + 1) * M * O),
    action: new Float32Array(L),
    reward: new Float32Array(L),
    filled: new Float32Array(L),
    goesOn: new Float32Array(L),
  };
  pieces.read(pieces.draw(Rng.from(1)), 0, 1, batch);
  expect(Array.from(batch.filled)).toEqual([1, 1, 1, 1, 1, 0, 0, 0]); // four steps and the turn
  expect(batch.goesOn[4]).toBe(0);
  expect(batch.reward[4]).toBe(4);
  expect(Array.from(batch.obs.subarray(4 * O, 5 * O))).toEqual([0, 1, 0]); // the junction
});

it('a T-maze of errors is solved, which takes a memory', async () => {
  const env = getEnv('gridworld-memory');
  const settings = { dataset: 'medium', recordSteps: 3000, lr: 3e-3, alpha: 0.3 };
  const run = await play(env, 'history-cql', 1500, settings);
  expect(run.evalReturn).toBeGreaterThan(3.5); // 1.95: always the same turn
});
