import { expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { sum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { mixMonotone, sumOfValues } from '#core/nets/mixing.ts';
import { greedyAction, maxQ } from '#core/nets/q-values.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import golden from '../golden/algo-value-mixing.json' with { type: 'json' };

type Rows = readonly (readonly number[])[];
const find = <T>(name: string): T => golden.cases.find((c) => c.name === name) as unknown as T;
const g = createGraph();
const feeds: Record<string, readonly number[]> = {};
let count = 0;
function input(data: readonly number[], shape: readonly number[]): Tensor {
  const name = `x${count++}`;
  feeds[name] = data;
  return g.input(name, shape);
}
const rows = (data: Rows) => input(data.flat(), [data.length, data[0]!.length]);
const value = (t: Tensor) => [...interpret([t], { inputs: feeds }).get(t)!];
const close = (found: readonly number[], want: readonly number[]) => {
  expect(found.length).toBe(want.length);
  want.forEach((v, i) => {
    expect(found[i]).toBeCloseTo(v, 7);
  });
};

it('vdn', () => {
  const { input: i, expected } = find<{ input: { agent_qs: Rows }; expected: { q_tot: number[] } }>('vdn');
  close(value(sumOfValues(rows(i.agent_qs))), expected.q_tot);
});

it.each(['qmix', 'qmix_negative_hidden'])('%s: joint value and its slopes', (name) => {
  const { input: i, expected } = find<{
    input: { agent_qs: Rows; w1_raw: readonly (number | readonly number[])[][]; b1: Rows; w_final_raw: Rows; v: number[] };
    expected: { q_tot: number[]; dqtot_dq: Rows };
  }>(name);
  const R = i.agent_qs.length;
  const A = i.agent_qs[0]!.length;
  const E = i.b1[0]!.length;
  const perRow = i.w1_raw.flat(2).length === R * A * E ? i.w1_raw.flat(2) : i.agent_qs.flatMap(() => i.w1_raw.flat(2));
  const q = rows(i.agent_qs);
  const tot = mixMonotone(q, {
    w1: input(perRow as number[], [R, A, E]),
    b1: rows(i.b1),
    w2: rows(i.w_final_raw),
    v: input(i.v, [R]),
  });
  close(value(tot), expected.q_tot);
  const slopes = value(gradients(sum(tot), [q])[0]!);
  close(slopes, expected.dqtot_dq.flat());
  expect(slopes.every((d) => d >= 0)).toBe(true);
});

it('greedy_decomposition_vdn: the best actions of all agents are the best joint action', () => {
  const { input: i, expected } = find<{ input: { per_agent_q: Rows }; expected: { joint_greedy: number[]; q_tot_max: number } }>(
    'greedy_decomposition_vdn',
  );
  const q = rows(i.per_agent_q);
  expect(value(greedyAction(q))).toEqual(expected.joint_greedy);
  close(value(sum(maxQ(q))), [expected.q_tot_max]);
  expect(value(greedyAction(rows([[1, 3, 3, 0]])))).toEqual([1]); // ties to the lowest
});
