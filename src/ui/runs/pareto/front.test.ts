import { describe, expect, it } from 'vitest';
import type { Front } from '#contract/files/pareto.ts';
import { choiceFor, choicesOf, missing, stretches, weightsFor } from './front.ts';

const front: Front = {
  objectives: ['treasure', 'time'],
  points: [
    { weights: [0, 1], value: [1, -1] },
    { weights: [0.25, 0.75], value: [1, -1] },
    { weights: [0.5, 0.5], value: [0.5, -3] },
    { weights: [0.75, 0.25], value: [9, -6] },
    { weights: [1, 0], value: [9, -6] },
  ],
  known: [
    { value: [1, -1], supported: true },
    { value: [3, -4], supported: false },
    { value: [9.00000001, -6], supported: true },
  ],
  reference: [0, -10],
};

describe('a front as it is looked at', () => {
  const choices = choicesOf(front);
  it('shows equal policies once and marks what is beaten', () => {
    expect(choices.map(({ value, weightings, dominated }) => [value, weightings, dominated])).toEqual([
      [[1, -1], [0, 1], false],
      [[0.5, -3], [2], true],
      [[9, -6], [3, 4], false],
    ]);
  });
  it('goes from weights to a choice and back', () => {
    expect(choiceFor(front, choices, [0.9, 0.1])).toBe(choices[2]);
    for (const choice of choices) expect(choiceFor(front, choices, weightsFor(front, choice))).toBe(choice);
  });
  it('knows what is missing, rounding apart', () => {
    expect(missing(front, choices).map(({ value }) => value)).toEqual([[3, -4]]);
  });
  it('joins neighbouring weights that choose alike', () => {
    expect(stretches(front, choices).map(({ from, to }) => [from, to])).toEqual([
      [0, 0.25],
      [0.5, 0.5],
      [0.75, 1],
    ]);
  });
});
