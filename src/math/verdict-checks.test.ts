import { describe, expect, test } from 'vitest';
import type { Contrast } from './contrasts.ts';
import { voids } from './verdict-checks.ts';
import type { ArmFacts } from './verdict-facts.ts';

const difference = (id: string, arm: string, over: string): Contrast => ({ id, kind: 'difference', arm, over, claim: 'above', size: 1 });
const near = [9, 10, 11, 10, 10, 9.5, 10.5, 10, 9, 11];
const plus = (values: readonly number[], more: number): number[] => values.map((value) => value + more);

describe('what voids a verdict', () => {
  const facts: ArmFacts = { steps: 1000, parameters: 50, trials: 4 };
  const contrasts = [difference('d', 'a', 'b')];
  const scores = { a: plus(near, 5), b: near };
  const failed = (
    more: { readonly a?: Partial<ArmFacts>; readonly b?: Partial<ArmFacts> },
    scale: Partial<ArmFacts> = {},
    exempt: Parameters<typeof voids>[4] = [],
    better: 'more' | 'less' = 'more',
  ) =>
    voids(contrasts, scores, { a: { ...facts, ...scale, ...more.a }, b: { ...facts, ...scale, ...more.b } }, better, exempt).map(
      ({ check }) => check,
    );
  test('nothing where all is fair', () => {
    expect(failed({}, { random: 0, ceiling: 20 })).toEqual([]);
    expect(failed({ b: { steps: 1090, parameters: 46, trials: 9 } })).toEqual([]);
  });
  test('each unfairness by its name, unless it is exempt with a reason', () => {
    expect(failed({}, { random: 9.9 })).toEqual(['random']);
    expect(failed({}, { random: 9.9 }, [{ check: 'random', arms: ['b'], why: 'a control' }])).toEqual([]);
    expect(failed({}, { random: 15 }, [], 'less')).toEqual(['random']);
    expect(failed({}, { ceiling: 10 })).toEqual(['ceiling']);
    expect(failed({ a: { ceiling: 15 }, b: { ceiling: 10 } })).toEqual(['ceiling']); // worlds of their own
    expect(failed({ a: { steps: 1200 } })).toEqual(['steps']);
    expect(failed({ b: { parameters: 56 } })).toEqual(['parameters']);
    expect(failed({ b: { parameters: null, steps: null, trials: null } })).toEqual([]);
    expect(failed({ b: { trials: 3 } })).toEqual(['trials']);
  });
  test('cells are worlds of their own: arms are compared within one', () => {
    const cells: Contrast = {
      id: 'c',
      kind: 'cells',
      cells: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      of: 2,
      claim: 'above',
      size: 1,
    };
    const far = { a: plus(near, 5), b: near, c: plus(near, 995), d: plus(near, 990) };
    const found = (more: { readonly [arm: string]: Partial<ArmFacts> }) =>
      voids([cells], far, Object.fromEntries(['a', 'b', 'c', 'd'].map((arm) => [arm, { ...facts, random: 0, ...more[arm] }])), 'more').map(
        ({ text }) => text,
      );
    const second = { steps: 5000, parameters: 900, trials: 2 };
    expect(found({ c: second, d: second })).toEqual([]);
    expect(found({ c: second, d: { ...second, steps: 4000, trials: 1 } })).toEqual([
      'c has 5000 steps, d has 4000: more than 10 % apart.',
      'd was tuned with 1 trials, c with 2.',
    ]);
    expect(found({ b: { random: 9.9 } })).toEqual(['b plays no better than at random.']);
  });
  test('an order speaks for its best arm, which is its last where less is better', () => {
    const order: Contrast = { id: 'o', kind: 'order', arms: ['a', 'b'], claim: 'above' };
    const said = (better: 'more' | 'less', a: number, b: number) =>
      voids([order], scores, { a: { ...facts, trials: a }, b: { ...facts, trials: b } }, better).map(({ text }) => text);
    expect(said('more', 9, 2)).toEqual(['b was tuned with 2 trials, a with 9.']);
    expect(said('less', 9, 2)).toEqual([]);
    expect(said('less', 2, 9)).toEqual(['a was tuned with 2 trials, b with 9.']);
  });
});
