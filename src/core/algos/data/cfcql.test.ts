/** Penalties of CFCQL in float64 against plain loops over joint actions. */
import { expect, it } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { mean } from '#core/engine/ops.ts';
import { mixMonotone, sumOfValues } from '#core/nets/mixing.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { conservativePenalty, counterfactualPenalty, counterfactualValues, jointPenalty } from '../lib/data/losses.ts';
import { drawnActions } from './cfcql.ts';

const [M, A, N, E] = [2, 3, 2, 2] as const;
const numbers = (count: number, phase: number): number[] => Array.from({ length: count }, (_, i) => Math.sin(3 * i + phase));
const q = numbers(M * A * N, 1);
const action = [1, 0, 1, 0, 0, 1];
const mixing = { w1: numbers(M * A * E, 2), b1: numbers(M * E, 3), w2: numbers(M * E, 4), v: numbers(M, 5) };
const logSum = (x: readonly number[]): number => Math.log(x.reduce((sum, one) => sum + Math.exp(one), 0));
const elu = (x: number): number => (x > 0 ? x : Math.expm1(x));
const all = Array.from({ length: N ** A }, (_, k) => Array.from({ length: A }, (__, i) => Math.floor(k / N ** i) % N));

/** Q_tot of row m where the agents do `joint`. */
function total(m: number, joint: readonly number[]): number {
  const values = joint.map((b, i) => q[(m * A + i) * N + b]!);
  const hidden = Array.from({ length: E }, (_, e) =>
    elu(values.reduce((sum, value, i) => sum + value * Math.abs(mixing.w1[(m * A + i) * E + e]!), mixing.b1[m * E + e]!)),
  );
  return hidden.reduce((sum, h, e) => sum + h * Math.abs(mixing.w2[m * E + e]!), mixing.v[m]!);
}

function graph() {
  const g = createGraph();
  const weights = { w1: g.input('w1', [M, A, E]), b1: g.input('b1', [M, E]), w2: g.input('w2', [M, E]), v: g.input('v', [M]) };
  return { g, values: g.input('q', [M, A, N]), taken: g.input('action', [M, A]), weights };
}
const inputs = { q, action, ...mixing };

it('the counterfactual penalty: one agent deviates, the others do what was recorded', () => {
  const { values, taken, weights } = graph();
  const done = [0, 1].map((m) => total(m, action.slice(m * A, (m + 1) * A)));
  const found = counterfactualPenalty(mixMonotone(counterfactualValues(values, taken), weights), values.graph.constant(done, [M]), N);
  const got = interpret([found], { inputs }).get(found)!;
  for (let m = 0; m < M; m++) {
    const recorded = action.slice(m * A, (m + 1) * A);
    const each = recorded.map((_, i) =>
      logSum(
        [0, 1].map((b) =>
          total(
            m,
            recorded.map((a, j) => (j === i ? b : a)),
          ),
        ),
      ),
    );
    expect(got[m]).toBeCloseTo(each.reduce((a, b) => a + b, 0) / A - done[m]!, 6);
  }
});

it('over a sum of values it is the mean of the agents’ own penalties', () => {
  const { g, values, taken } = graph();
  const chosen = interpret([values], { inputs }).get(values)!;
  const done = [0, 1].map((m) => action.slice(m * A, (m + 1) * A).reduce((sum, a, i) => sum + chosen[(m * A + i) * N + a]!, 0));
  const joint = counterfactualPenalty(sumOfValues(counterfactualValues(values, taken)), g.constant(done, [M]), N);
  const own = mean(conservativePenalty(values, taken), -1);
  const found = interpret([joint, own], { inputs });
  found.get(own)!.forEach((value, m) => {
    expect(found.get(joint)![m]).toBeCloseTo(value, 6);
  });
});

it('the joint penalty over every joint action once is the whole sum', () => {
  const { g } = graph();
  const totals = [0, 1].flatMap((m) => all.map((joint) => total(m, joint)));
  const done = [0.25, -0.5];
  const evenly = g.constant(
    Array.from({ length: M * all.length }, () => -A * Math.log(N)),
    [M, all.length],
  );
  const found = jointPenalty(g.constant(totals, [M, all.length]), evenly, g.constant(done, [M]));
  const got = interpret([found], { inputs }).get(found)!;
  for (let m = 0; m < M; m++) expect(got[m]).toBeCloseTo(logSum(totals.slice(m * all.length, (m + 1) * all.length)) - done[m]!, 5);
});

it('joint actions are drawn by each agent’s chances', () => {
  const g = createGraph();
  const found = drawnActions(g.constant([0.25, 0.5, 0.25, 0, 1, 0], [1, 2, 3]), g.constant([0.1, 0.1, 0.3, 0.9, 0.8, 0.99], [1, 3, 2]));
  expect(Array.from(interpret([found], { inputs: {} }).get(found)!)).toEqual([0, 1, 1, 1, 2, 1]);
});
