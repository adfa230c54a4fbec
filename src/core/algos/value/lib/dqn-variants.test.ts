import { expect, it } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import type { Tensor } from '#core/engine/types.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { categoricalTerms, munchausenBonus, ofAction, quantileTerms, softNext } from './dqn-variants.ts';

type Feeds = { readonly [name: string]: { readonly shape: readonly number[]; readonly data: readonly number[] } };

function computed<T extends { readonly [name: string]: Tensor }>(feeds: Feeds, build: (x: { [name: string]: Tensor }) => T) {
  const g = createGraph();
  const x = Object.fromEntries(Object.entries(feeds).map(([name, { shape }]) => [name, g.input(name, shape)]));
  const outputs = build(x);
  const found = interpret(Object.values(outputs), {
    inputs: Object.fromEntries(Object.entries(feeds).map(([name, { data }]) => [name, data])),
  });
  return (name: keyof T): number[] => [...found.get(outputs[name]!)!];
}

const q = { shape: [2, 3], data: [1, 2, 0.5, -1, -1, 4] };
const softmaxOf = (row: readonly number[], tau: number) => {
  const e = row.map((v) => Math.exp((v - Math.max(...row)) / tau));
  const total = e.reduce((a, b) => a + b, 0);
  return e.map((v) => v / total);
};
const rows = [q.data.slice(0, 3), q.data.slice(3)];

it('Munchausen: the bonus is the scaled log-probability, not below -1', () => {
  const out = computed({ q, a: { shape: [2], data: [1, 1] } }, (x) => ({ bonus: munchausenBonus(x.q!, x.a!, 0.9, 0.5) }))('bonus');
  expect(out[0]).toBeCloseTo(0.9 * 0.5 * Math.log(softmaxOf(rows[0]!, 0.5)[1]!), 6);
  expect(out[1]).toBeCloseTo(-0.9, 6); // tau ln pi is about -5
});

it('Munchausen: the next state counts with its entropy, for means and for samples', () => {
  const z = { shape: [2, 3, 2], data: [1, 1, 2, 3, 0, 1, -2, 0, -1, -1, 4, 4] };
  const out = computed({ q, z }, (x) => ({ mean: softNext(x.q!, x.q!, 0.5), samples: softNext(x.q!, x.z!, 0.5) }));
  const expected = (row: number, value: (b: number) => number): number =>
    softmaxOf(rows[row]!, 0.5).reduce((total, p, b) => total + p * (value(b) - 0.5 * Math.log(p)), 0);
  [0, 1].forEach((row) => {
    expect(out('mean')[row]).toBeCloseTo(
      expected(row, (b) => rows[row]![b]!),
      5,
    );
    [0, 1].forEach((l) => {
      expect(out('samples')[2 * row + l]).toBeCloseTo(
        expected(row, (b) => z.data[6 * row + 2 * b + l]!),
        5,
      );
    });
  });
});

const step = { reward: { shape: [2], data: [0.5, 1] }, discount: { shape: [2], data: [0.9, 0] }, action: { shape: [2], data: [2, 0] } };

it('categorical: expected values of the action taken, and cross-entropies as priorities', () => {
  const logits = { shape: [2, 3, 3], data: [...new Array(6).fill(9), 0, 0, 0, 0, 0, 0, ...new Array(6).fill(9)] };
  const next = { shape: [2, 3], data: [0, 0, 0, 5, 0, 0] };
  const out = computed({ logits, next, ...step }, (x) =>
    categoricalTerms(ofAction(x.logits!, x.action!), x.next!, { reward: x.reward!, discount: x.discount!, weight: null }, [-1, 1]),
  );
  expect(out('qMean')[0]).toBeCloseTo(0, 6);
  for (const error of out('error')) expect(error).toBeCloseTo(Math.log(3), 5); // uniform chances, whatever the target
  // -1, 0, 1 at a third each move to -0.4, 0.5 and 1 (clipped): mean 1.1 / 3; the second row ended at 1
  expect(out('errorMean')[0]).toBeCloseTo((1.1 / 3 + 1) / 2, 5);
  expect(out('targetsClipped')[0]).toBeCloseTo(1 / 6, 5); // a third of the first row's chances
});

it('quantiles: errors of means; the loss falls to 0 where a quantile meets its target', () => {
  const quantiles = { shape: [2, 1], data: [1.4, 1] };
  const samples = { shape: [2, 2], data: [1, 1, 7, 8] };
  const taus = { shape: [1], data: [0.5] };
  const out = computed({ quantiles, samples, taus, ...step }, (x) =>
    quantileTerms(x.quantiles!, x.taus!, x.samples!, { reward: x.reward!, discount: x.discount!, weight: null }),
  );
  out('error').forEach((error) => {
    expect(error).toBeCloseTo(0, 6);
  });
  expect(out('loss')[0]).toBeCloseTo(0, 6);
});
