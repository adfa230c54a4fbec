/** KernelSHAP against the golden numbers: with all coalitions it is the Shapley value; with some, its spread holds the truth. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { shapley } from './exact.ts';
import { airport, gameOf } from './games.ts';
import { kernelPlan, kernelValues, kernelWeight } from './kernel.ts';

interface Case {
  readonly name: string;
  readonly input: {
    readonly background: number[][];
    readonly x: number[];
    readonly W1: number[][];
    readonly W2: number[][];
    readonly M: number[];
  };
  readonly expected: {
    readonly base: number;
    readonly fx: number;
    readonly phi: number[];
    readonly weights_by_size: number[][];
  };
}
const { cases } = JSON.parse(readFileSync(new URL('../golden/shapley-kernelshap.json', import.meta.url), 'utf8')) as { cases: Case[] };
const caseOf = (name: string): Case => cases.find((c) => c.name === name)!;

function kernelOf(table: Float64Array, budget: number, seed: number): Float64Array {
  const n = Math.log2(table.length);
  const plan = kernelPlan(n, budget, Rng.from(seed));
  const values = Float64Array.from({ length: plan.weight.length }, (_, row) => {
    let mask = 0;
    for (let i = 0; i < n; i++) mask |= plan.members[row * n + i]! << i;
    return table[mask]!;
  });
  return kernelValues(plan, values, table[0]!, table.at(-1)!, n);
}

test('weights by size', () => {
  const { input, expected } = caseOf('kernel_weights');
  input.M.forEach((n, i) => {
    expected.weights_by_size[i]!.forEach((weight, k) => {
      expect(kernelWeight(n, k + 1)).toBeCloseTo(weight, 12);
    });
  });
  expect(kernelWeight(4, 0)).toBe(Number.POSITIVE_INFINITY);
});

test('a small policy: the probability of its first action', () => {
  const { input, expected } = caseOf('policy_prob_action0');
  const f = (x: readonly number[]): number => {
    const inner = input.W1.map((row) => Math.tanh(row.reduce((sum, w, i) => sum + w * x[i]!, 0)));
    const logits = input.W2.map((row) => row.reduce((sum, w, i) => sum + w * inner[i]!, 0));
    const top = Math.max(...logits);
    const weights = logits.map((v) => Math.exp(v - top));
    return weights[0]! / weights.reduce((a, b) => a + b, 0);
  };
  const table = gameOf(3, (has) => {
    const rows = input.background.map((row) => f(input.x.map((v, i) => (has(i) ? v : row[i]!))));
    return rows.reduce((a, b) => a + b, 0) / rows.length;
  });
  expect(table[0]).toBeCloseTo(expected.base, 9);
  expect(table[7]).toBeCloseTo(expected.fx, 9);
  const phi = kernelOf(table, 100, 1);
  expected.phi.forEach((wanted, i) => {
    expect(phi[i]).toBeCloseTo(wanted, 9);
  });
});

describe('coalitions', () => {
  test('all of them give the Shapley value', () => {
    for (const table of [airport([1, 2, 3, 5]), gameOf(6, (_, mask) => (mask * 7919) % 13)]) {
      const exact = shapley(table);
      kernelOf(table, table.length, 1).forEach((value, i) => {
        expect(value).toBeCloseTo(exact[i]!, 9);
      });
    }
  });

  test('some of them add up all the same, and come close', () => {
    const table = gameOf(10, (has, mask) => (has(0) && has(3) ? 4 : 0) + ((mask * 31) % 17) / 17);
    const exact = shapley(table);
    const got = kernelOf(table, 400, 3);
    expect(got.reduce((a, b) => a + b, 0)).toBeCloseTo(table.at(-1)! - table[0]!, 9);
    got.forEach((value, i) => {
      expect(Math.abs(value - exact[i]!)).toBeLessThan(0.12);
    });
    expect(Math.abs(got[0]! - exact[0]!)).toBeGreaterThan(0); // a sample, not the whole
  });

  test('the plan stays within its budget and keeps pairs together', () => {
    const { members, weight } = kernelPlan(12, 200, Rng.from(1));
    expect(weight.length).toBeLessThanOrEqual(200);
    let present = 0;
    for (const x of members) present += x;
    expect(present * 2).toBe(members.length); // every coalition comes with its complement
  });
});
