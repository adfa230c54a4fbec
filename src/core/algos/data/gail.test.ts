import { expect, it } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { coinEntropy, discriminatorLoss, imitationReward } from './gail.ts';

const PLAYER = [0, 1.5, -0.5];
const POLICY = [-2, 0.25, 3];
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const mean = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length;

it('the discriminator’s loss is the cross-entropy of both halves less the weighted entropy of its answers', () => {
  const g = createGraph();
  const [player, policy] = [g.input('player', [3]), g.input('policy', [3])];
  const outputs = [discriminatorLoss(player, policy, 0), discriminatorLoss(player, policy, 0.1), coinEntropy(player)];
  const found = interpret(outputs, { inputs: { player: PLAYER, policy: POLICY } });
  const apart = -mean(PLAYER.map((f) => Math.log(sigmoid(f)))) - mean(POLICY.map((f) => Math.log(1 - sigmoid(f))));
  const doubt = (f: number): number => -sigmoid(f) * Math.log(sigmoid(f)) - (1 - sigmoid(f)) * Math.log(1 - sigmoid(f));
  expect(found.get(outputs[0]!)![0]).toBeCloseTo(apart, 6); // a mean over three is times a float32 third
  expect(found.get(outputs[1]!)![0]).toBeCloseTo(apart - 0.1 * mean([...PLAYER, ...POLICY].map(doubt)), 6);
  PLAYER.forEach((f, i) => {
    expect(found.get(outputs[2]!)![i]).toBeCloseTo(doubt(f), 10);
  });
});

it('rewards: always positive, always negative, or both, and the last is the sum of the others', () => {
  const g = createGraph();
  const f = g.input('f', [3]);
  const outputs = (['positive', 'negative', 'difference'] as const).map((form) => imitationReward(f, form));
  const found = interpret(outputs, { inputs: { f: POLICY } });
  POLICY.forEach((x, i) => {
    const [positive, negative, difference] = outputs.map((output) => found.get(output)![i]!);
    expect(positive).toBeCloseTo(-Math.log(1 - sigmoid(x)), 10);
    expect(negative).toBeCloseTo(Math.log(sigmoid(x)), 10);
    expect(difference).toBeCloseTo(positive! + negative!, 10);
  });
});
