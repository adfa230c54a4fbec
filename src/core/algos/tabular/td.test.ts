import { describe, expect, it } from 'vitest';
import type { TabularModel } from '../../envs/api/types.ts';
import { exactReturn } from '../../run/evaluate.ts';
import golden from '../golden/algo-tabular.json' with { type: 'json' };
import type { Table } from '../lib/table.ts';
import { qUpdate } from './q-learning.ts';
import { sarsaUpdate } from './sarsa.ts';
import { sweep } from './value-iteration.ts';

type Transition = readonly [s: number, a: number, r: number, next: number, terminal: number];

function find<T>(name: string): T {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as T;
}

const empty = (states: number): Table => ({ states, actions: 2, q: new Float64Array(states * 2) });

/** The reference's chain: exits to the left and right of five states, the intended move with probability 0.9. */
function chain(): TabularModel {
  const moves: { p: number; next: number; reward: number; end: boolean }[][] = [];
  for (let s = 0; s < 5; s++) {
    for (const a of [0, 1]) {
      moves.push(
        [0, 1].map((direction) => {
          const next = s + (direction === 1 ? 1 : -1);
          return { p: direction === a ? 0.9 : 0.1, next, reward: next > 4 ? 1 : next < 0 ? 0.1 : -0.01, end: next > 4 || next < 0 };
        }),
      );
    }
  }
  const flat = moves.flat();
  return {
    states: 5,
    actions: 2,
    offset: Int32Array.from({ length: 11 }, (_, i) => 2 * i),
    probability: Float64Array.from(flat, (m) => m.p),
    next: Int32Array.from(flat, (m) => Math.min(4, Math.max(0, m.next))),
    reward: Float64Array.from(flat, (m) => m.reward),
    terminated: Uint8Array.from(flat, (m) => (m.end ? 1 : 0)),
    start: Float64Array.of(1, 0, 0, 0, 0),
  };
}

describe('temporal differences repeat the reference', () => {
  const { input, expected } = find<{
    input: { transitions: Transition[]; alpha: number; gamma: number; passes: number };
    expected: { Q: number[][] };
  }>('q_learning');

  it('Q-learning bootstraps from legal actions only', () => {
    const table = empty(2);
    table.q.set([0, 0, 5, -1]); // state 1: action 0 is illegal and still has its optimistic initial value
    expect(qUpdate(table, 0, 1, 2, 1, false, 0.5, 0.9, Uint8Array.of(0, 1))).toBeCloseTo(2 - 0.9, 12);
    expect(table.q[1]).toBeCloseTo(0.55, 12);
    expect(qUpdate(table, 0, 0, 2, 1, false, 0.5, 0.9)).toBeCloseTo(2 + 4.5, 12);
  });

  it('Q-learning', () => {
    const table = empty(7);
    for (let pass = 0; pass < input.passes; pass++) {
      for (const [s, a, r, next, end] of input.transitions) qUpdate(table, s, a, r, next, end === 1, input.alpha, input.gamma);
    }
    expected.Q.flat().forEach((v, i) => {
      expect(table.q[i]).toBeCloseTo(v, 12);
    });
  });

  it('SARSA', () => {
    const table = empty(7);
    for (let pass = 0; pass < input.passes; pass++) {
      input.transitions.forEach(([s, a, r, next, end], i) => {
        const following = input.transitions[i + 1]?.[1] ?? 0;
        sarsaUpdate(table, s, a, r, next, following, end === 1, input.alpha, input.gamma);
      });
    }
    const want = find<{ expected: { Q: number[][] } }>('sarsa').expected.Q.flat();
    want.forEach((v, i) => {
      expect(table.q[i]).toBeCloseTo(v, 12);
    });
  });
});

it('value iteration finds the values of the chain', () => {
  const { input, expected } = find<{ input: { gamma: number }; expected: { V: number[]; Q: number[][]; greedy: number[] } }>(
    'value_iteration',
  );
  const table = empty(5);
  while (sweep(chain(), table, input.gamma) > 1e-14);
  expected.Q.flat().forEach((v, i) => {
    expect(table.q[i]).toBeCloseTo(v, 11);
  });
  expected.V.forEach((v, s) => {
    expect(Math.max(table.q[2 * s]!, table.q[2 * s + 1]!)).toBeCloseTo(v, 11);
  });
});

it('the exact return of a policy counts every path with its probability', () => {
  const model = chain();
  const right = Int32Array.of(1, 1, 1, 1, 1);
  expect(exactReturn(model, right, 1)).toBeCloseTo(0.9 * -0.01 + 0.1 * 0.1, 12);
  // By hand: two steps from state 0.
  const two = 0.1 * 0.1 + 0.9 * (-0.01 + 0.9 * -0.01 + 0.1 * -0.01);
  expect(exactReturn(model, right, 2)).toBeCloseTo(two, 12);
});
