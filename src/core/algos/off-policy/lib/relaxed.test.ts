import { expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { mul, sum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import golden from '../golden/algo-offline-hrl.json' with { type: 'json' };
import { gumbelNoise, gumbelSoftmax, straightThrough } from './actor-critic.ts';

const { input, expected } = golden.cases.find((c) => c.name === 'gumbel_softmax') as unknown as {
  readonly input: { readonly logits: number[]; readonly uniform: number[]; readonly temperature: number };
  readonly expected: { readonly sample: number[] };
};

it('draws as the reference does; one-hot forward, the relaxed slope backward', () => {
  const g = createGraph();
  const logits = g.input('logits', [1, 3]);
  const soft = gumbelSoftmax(logits, gumbelNoise(g.input('uniform', [1, 3])), input.temperature);
  const hard = straightThrough(soft);
  const weights = g.constant([3, -1, 2], [1, 3]);
  const [byHard] = gradients(sum(mul(hard, weights)), [logits]) as [Tensor];
  const [bySoft] = gradients(sum(mul(soft, weights)), [logits]) as [Tensor];
  const found = interpret([soft, hard, byHard, bySoft], { inputs: { logits: input.logits, uniform: input.uniform } });
  expected.sample.forEach((v, i) => {
    expect(found.get(soft)![i]).toBeCloseTo(v, 6);
  });
  expect(Array.from(found.get(hard)!, Math.round)).toEqual([0, 1, 0]);
  expect([...found.get(byHard)!]).toEqual([...found.get(bySoft)!]);
  expect(found.get(byHard)!.some((v) => Math.abs(v) > 0.1)).toBe(true);
});
