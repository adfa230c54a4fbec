import { describe, expect, test } from 'vitest';
import type { Contrast } from './contrasts.ts';
import { voids } from './verdict-checks.ts';
import type { ArmFacts } from './verdict-facts.ts';

const near = [9, 10, 11, 10, 10, 9.5, 10.5, 10, 9, 11];
const plus = (more: number): number[] => near.map((value) => value + more);
const difference = (arm: string, over: string, none?: number): Contrast =>
  none === undefined
    ? { id: 'd', kind: 'difference', arm, over, claim: 'above', size: 1 }
    : { id: 'd', kind: 'difference', arm, over, claim: 'above', none };

describe('what a rival must be', () => {
  const facts: ArmFacts = { steps: 1000, parameters: 50, trials: 4 };
  const failed = (
    contrast: Contrast,
    scores: { readonly [arm: string]: readonly number[] },
    more: { readonly [arm: string]: Partial<ArmFacts> },
    exempt: Parameters<typeof voids>[4] = [],
    better: 'more' | 'less' = 'more',
  ) => {
    const all = Object.fromEntries(Object.keys(scores).map((arm) => [arm, { ...facts, ...more[arm] }]));
    return voids([contrast], scores, all, better, exempt).map(({ check }) => check);
  };
  const bounds = { random: 0, ceiling: 10.4 };

  test('below the ceiling where an arm is to be better; one that is to be no worse may stand beside it', () => {
    const scores = { a: plus(-5), b: near };
    const known = { a: bounds, b: bounds };
    expect(failed(difference('a', 'b'), scores, known)).toEqual(['headroom']);
    expect(failed(difference('a', 'b', -1), scores, known)).toEqual([]);
    expect(failed(difference('b', 'a'), scores, known)).toEqual([]);
    expect(failed(difference('a', 'b'), scores, { b: { ceiling: 10.4 } })).toEqual([]); // the way from random play is not known
    expect(failed(difference('a', 'b'), scores, known, [{ check: 'ceiling', arms: ['b'], why: 'it is asked' }])).toEqual([]);
    expect(failed(difference('a', 'b'), { a: plus(5), b: near }, { b: { random: 100, ceiling: 9.6 } }, [], 'less')).toEqual(['headroom']);
    expect(failed({ id: 'o', kind: 'order', arms: ['a', 'b'], claim: 'above', size: 1 }, scores, known)).toEqual(['headroom']);
  });

  test('of cells only where too few are left', () => {
    const scores = { a: plus(-5), b: near, c: plus(-2), d: plus(-5) };
    const known = { a: bounds, b: bounds, c: bounds, d: bounds };
    const cells = (of: number): Contrast => ({
      id: 'c',
      kind: 'cells',
      cells: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      of,
      claim: 'above',
      size: 1,
    });
    expect(failed(cells(2), scores, known)).toEqual(['headroom']);
    expect(failed(cells(1), scores, known)).toEqual([]);
  });

  test('at the end of its learning, and competent, where an arm is to be no worse', () => {
    const scores = { a: near, b: near };
    const rising = (rise: number) => ({ b: { random: 0, ceiling: 20, rise } });
    expect(failed(difference('a', 'b', -1), scores, rising(0.61))).toEqual(['rising']);
    expect(failed(difference('a', 'b', -1), scores, rising(0.59))).toEqual([]);
    expect(failed(difference('a', 'b', -1), scores, rising(-3))).toEqual([]);
    expect(failed(difference('a', 'b'), scores, rising(3))).toEqual([]);
    expect(failed(difference('a', 'b', -1), scores, { b: { rise: 3 } })).toEqual([]); // no way to hold it against
    expect(failed(difference('a', 'b', -1), scores, { b: { competent: 12 } })).toEqual(['competence']);
    expect(failed(difference('a', 'b', -1), scores, { b: { competent: 9 } })).toEqual([]);
    expect(failed(difference('a', 'b', -1), scores, { a: { competent: 12 } })).toEqual([]);
  });

  test('another one: arms of other configs that end alike on a fifth of the seeds', () => {
    const scores = { a: near, b: near };
    const of = (alike: number) => ({
      a: { config: 'one', learned: near.map((_, i) => `a${i}`) },
      b: { config: 'two', learned: near.map((_, i) => `${i < alike ? 'a' : 'b'}${i}`) },
    });
    expect(failed(difference('a', 'b'), scores, of(1))).toEqual([]);
    expect(failed(difference('a', 'b'), scores, of(2))).toEqual(['acts']);
    expect(failed(difference('a', 'b', -1), scores, of(2))).toEqual(['acts']);
    const same = of(10);
    expect(failed(difference('a', 'b'), scores, { ...same, b: { ...same.b, config: 'one' } })).toEqual([]); // the same runs, read elsewhere
    expect(failed(difference('a', 'b'), scores, of(2), [{ check: 'acts', arms: ['b'], why: 'a guard that seldom acts' }])).toEqual([]);
  });
});
