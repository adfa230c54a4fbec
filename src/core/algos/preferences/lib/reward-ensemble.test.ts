import { expect, it } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { Rng } from '#math/rng.ts';
import { createAnswers } from './answers.ts';
import { comparisonLoss, rewardEnsemble } from './reward-ensemble.ts';

it('an answer against the odds costs at most the logarithm of the errors assumed', () => {
  const g = createGraph();
  const [first, second, choice] = [g.input('first', [3]), g.input('second', [3]), g.input('choice', [3])];
  const outputs = [comparisonLoss(first, second, choice), comparisonLoss(first, second, choice, 0.1)];
  const found = interpret(outputs, { inputs: { first: [30, 1, 0], second: [0, 0, 0], choice: [0, 1, 0.5] } });
  const [sure, doubting] = outputs.map((output) => Array.from(found.get(output)!));
  const p = 1 / (1 + Math.exp(-1));
  [30, -Math.log(p), Math.log(2)].forEach((want, i) => {
    expect(sure![i]).toBeCloseTo(want, 6);
  });
  [-Math.log(0.1), -Math.log(0.1 + 0.8 * p), Math.log(2)].forEach((want, i) => {
    expect(doubting![i]).toBeCloseTo(want, 6);
  });
});

/** Share of pairs of fresh rows that the reward orders by the first number of the observation, learned from 60 answers, each fifth wrong. */
async function agreement(errors: number, decay: number, seed: number): Promise<number> {
  const meta = getEnv('pendulum').meta({});
  const engine = await createEngine('wasm');
  const rng = Rng.from(seed);
  const ensemble = rewardEnsemble(engine, meta, { size: 1, hidden: [32, 32], segment: 1, errors, decay }, rng.split('reward'));
  const answers = createAnswers(meta, 60, 1, 1);
  const rows = (count: number): Float32Array => Float32Array.from({ length: 3 * count }, () => 2 * rng.uniform() - 1);
  for (let i = 0; i < 60; i++) {
    const pair = rows(2);
    const right = pair[0]! > pair[3]! ? 1 : 0;
    answers.add(i % 5 === 0 ? 1 - right : right, rng, (which, obs, at) => obs.set(pair.subarray(3 * which, 3 * which + 3), at));
  }
  await ensemble.fit(answers, 1000, 3e-3, rng.split('drawing'));
  const fresh = rows(400);
  const found = await ensemble.predict(fresh, new Float32Array(400), 400);
  let right = 0;
  for (let i = 0; i < 400; i += 2) if (fresh[3 * i]! > fresh[3 * i + 3]! === found[i]! > found[i + 1]!) right++;
  engine.dispose();
  return right / 200;
}
async function middle(errors: number, decay: number): Promise<number> {
  const seeds = [1, 2, 3, 4, 5, 6];
  let sum = 0;
  for (const seed of seeds) sum += await agreement(errors, decay, seed);
  return sum / seeds.length;
}

it('networks that count on errors see through more of them, and kept smooth as well through most', async () => {
  const [plain, counting, smooth] = [await middle(0, 0), await middle(0.2, 0), await middle(0.2, 0.03)];
  expect(counting).toBeGreaterThan(plain + 0.02);
  expect(smooth).toBeGreaterThan(counting + 0.05);
});
