/** The three questions against the golden numbers of small tabular worlds. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shapley } from './exact.ts';
import { behaviourGame, expectedReturn, outcomeGame, predictionGame, type SmallWorld, steadyState } from './sverl.ts';

interface Golden {
  readonly cases: readonly { readonly name: string; readonly input: never; readonly expected: never }[];
}
const file = JSON.parse(readFileSync(new URL('../golden/shapley-sverl.json', import.meta.url), 'utf8')) as Golden;
const golden = (name: string): { input: never; expected: never } => file.cases.find((c) => c.name === name)!;

const near = (actual: ArrayLike<number>, wanted: readonly number[]): void => {
  expect(actual.length).toBe(wanted.length);
  wanted.forEach((x, i) => {
    expect(Math.abs(actual[i]! - x)).toBeLessThan(1e-9 * Math.max(1, Math.abs(x)));
  });
};

test('what it does, in four states', () => {
  const { input, expected } = golden('behaviour') as unknown as {
    input: { states: number[][]; steady_state: number[]; prob_right: number[] };
    expected: { per_state: { base: number; phi: number[]; prob: number }[] };
  };
  const policy = input.prob_right.map((p) => [p]);
  expected.per_state.forEach(({ base, phi, prob }, s) => {
    const table = behaviourGame(input.states, input.steady_state, policy, s, 0);
    expect(table[0]).toBeCloseTo(base, 12);
    expect(table[3]).toBeCloseTo(prob, 12);
    near(shapley(table), phi);
  });
});

describe('the world of two coins', () => {
  const { input, expected } = golden('flip_world_distribution_and_value') as unknown as {
    input: SmallWorld & { policy: number[][] };
    expected: { steady_state: number[]; value: number[] };
  };
  const { policy, states } = input;
  const weight = steadyState(input, policy);
  const value = expectedReturn(input, policy);
  const masks: readonly string[] = ['[]', '[0]', '[1]', '[0, 1]'];

  test('where it is, and what it may expect', () => {
    near(weight, expected.steady_state);
    near(value, expected.value);
  });

  test('behaviour', () => {
    const wanted = golden('flip_world_behaviour').expected as unknown as {
      v: Record<string, number[][]>;
      shapley_x: number[][];
      shapley_y: number[][];
    };
    for (let s = 0; s < 4; s++)
      for (let a = 0; a < 2; a++) {
        const table = behaviourGame(states, weight, policy, s, a);
        near(
          table,
          masks.map((mask) => wanted.v[mask]![s]![a]!),
        );
        near(shapley(table), [wanted.shapley_x[s]![a]!, wanted.shapley_y[s]![a]!]);
      }
  });

  for (const [name, game] of [
    ['prediction', (s: number) => predictionGame(states, weight, value, s)],
    ['outcome_local', (s: number) => outcomeGame(input, weight, policy, s, 'here')],
    ['outcome_global', (s: number) => outcomeGame(input, weight, policy, s, 'everywhere')],
  ] as const)
    test(name, () => {
      const wanted = golden(`flip_world_${name}`).expected as unknown as {
        v: Record<string, number[]>;
        shapley_x: number[];
        shapley_y: number[];
      };
      for (let s = 0; s < 4; s++) {
        near(
          game(s),
          masks.map((mask) => wanted.v[mask]![s]!),
        );
        near(shapley(game(s)), [wanted.shapley_x[s]!, wanted.shapley_y[s]!]);
      }
    });
});
