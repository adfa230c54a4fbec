import { describe, expect, test } from 'vitest';
import { type Contrast, contrastInterval, judge, LOOKS, stateOf } from './verdict.ts';
import { type ArmFacts, voids } from './verdict-checks.ts';

const difference = (id: string, arm: string, over: string, more: object = {}): Contrast => ({
  id,
  kind: 'difference',
  arm,
  over,
  claim: 'above',
  ...more,
});

const TAIL = LOOKS[1].tail;
const near = [9, 10, 11, 10, 10, 9.5, 10.5, 10, 9, 11];
const plus = (values: readonly number[], more: number): number[] => values.map((value) => value + more);

describe('contrasts', () => {
  test('one of every kind has its value inside its interval, and the same digits again', () => {
    const scores = { a: plus(near, 4), b: plus(near, 2), c: near };
    const kinds: readonly (readonly [Contrast, number])[] = [
      [difference('d', 'a', 'c'), 4],
      [{ id: 'r', kind: 'ratio', arm: 'a', over: 'c', claim: 'above' }, 1.4],
      [{ id: 'o', kind: 'order', arms: ['a', 'b', 'c'], claim: 'above' }, 2],
      [{ id: 's', kind: 'slope', arms: ['a', 'b', 'c'], x: [2, 1, 0], claim: 'above' }, 2],
      [{ id: 'l', kind: 'level', arm: 'a', none: 12, claim: 'above' }, 14],
    ];
    for (const [contrast, value] of kinds) {
      const found = contrastInterval(contrast, scores, TAIL);
      expect(found.estimate, contrast.kind).toBeCloseTo(value, 12);
      expect(found.low).toBeLessThan(value);
      expect(found.high).toBeGreaterThan(value);
      expect(found).toEqual(contrastInterval(contrast, scores, TAIL));
      expect(stateOf(contrast, found), contrast.kind).toBe('held');
    }
    const rank: Contrast = { id: 'k', kind: 'rank', arms: ['a', 'b', 'c'], x: [3, 2, 1], claim: 'above' };
    const found = contrastInterval(rank, scores, TAIL);
    expect(found.estimate).toBeGreaterThan(0.8);
    expect(found.high).toBeLessThanOrEqual(1);
    expect(stateOf(rank, found)).toBe('held');
  });

  test("the rank correlation is Spearman's, ties included", () => {
    // by hand: ranks of x 1.5 1.5 3.5 3.5, of the scores 1 2.5 2.5 4 -> 4 / sqrt(4 * 4.5)
    const contrast: Contrast = { id: 'k', kind: 'rank', arms: ['low', 'high'], x: [0, 1], claim: 'above' };
    expect(contrastInterval(contrast, { low: [1, 2], high: [2, 3] }, TAIL).estimate).toBeCloseTo(3 / Math.sqrt(18), 12);
  });

  test('a slope over other arms is that of what lies between, in units of each place', () => {
    const scores = { a: plus(near, 1), b: plus(near, 4), c: plus(near, 9), x: near, y: near, z: near };
    const contrast: Contrast = { id: 's', kind: 'slope', arms: ['a', 'b', 'c'], over: ['x', 'y', 'z'], x: [0, 1, 2], claim: 'above' };
    expect(contrastInterval(contrast, scores, TAIL).estimate).toBeCloseTo(4, 12);
    expect(contrastInterval({ ...contrast, units: [1, 1, 3] }, scores, TAIL).estimate).toBeCloseTo(1, 12);
  });

  test('cells: the first arm against the best of the others, in so many cells at least', () => {
    const scores = { a: plus(near, 3), b: plus(near, 1), c: near, d: near, e: plus(near, 4), f: plus(near, 2) };
    const cells = [
      ['a', 'b', 'c'], // 2 ahead
      ['d', 'b'], // 1 behind
      ['e', 'f', 'a'], // 1 ahead
    ];
    const of = (count: number, more: object = {}): number =>
      contrastInterval({ id: 'n', kind: 'cells', cells, of: count, claim: 'above', ...more }, scores, TAIL).estimate;
    expect([of(1), of(2), of(3)].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([2, 1, -1]);
    expect(of(1, { units: [4, 1, 1] })).toBeCloseTo(1, 12);
    expect(of(3, { claim: 'below' })).toBeCloseTo(3, 12); // a less c: where less is better, its worst cell
    const found = contrastInterval({ id: 'n', kind: 'cells', cells, of: 2, claim: 'above' }, scores, TAIL);
    expect(found.low).toBeLessThan(1);
    expect(found.high).toBeGreaterThan(1);
  });

  test('two lists of arms agree as far as their middles have the same order', () => {
    const scores = { a: near, b: plus(near, 5), c: plus(near, 9), x: plus(near, 50), y: plus(near, 90), z: plus(near, 70) };
    const agree = (others: readonly string[]): Contrast => ({ id: 'g', kind: 'agree', arms: ['a', 'b', 'c'], others, claim: 'above' });
    expect(contrastInterval(agree(['x', 'y', 'z']), scores, TAIL).estimate).toBeCloseTo(0.5, 12); // ranks 1 2 3 and 1 3 2: 1 - 6 * 2 / 24
    const alike = contrastInterval(agree(['x', 'z', 'y']), scores, TAIL);
    expect([alike.estimate, alike.high]).toEqual([1, 1]);
    expect(contrastInterval(agree(['y', 'z', 'x']), scores, TAIL).estimate).toBeCloseTo(-1, 12);
  });

  test('pairs that move together give a narrower interval than arms on their own', () => {
    const scores = { a: [1.1, 4.9, 9.2, 13, 17.1], b: [0, 4, 8, 12, 16] };
    const own = contrastInterval(difference('d', 'a', 'b'), scores, TAIL);
    const pairs = contrastInterval(difference('d', 'a', 'b', { paired: true }), scores, TAIL);
    expect(own.low).toBeLessThan(0);
    expect(pairs.low).toBeGreaterThan(0.5);
    expect(pairs.estimate).toBe(own.estimate);
  });

  test('an order is as strong as its weakest step', () => {
    const order: Contrast = { id: 'o', kind: 'order', arms: ['a', 'b', 'c'], claim: 'above' };
    const found = contrastInterval(order, { a: near, b: plus(near, 2), c: plus(near, -9) }, TAIL);
    expect(found.estimate).toBeCloseTo(-2, 12);
    expect(stateOf(order, found)).toBe('refuted');
  });

  test('scores that cannot be compared are refused', () => {
    const bad = (scores: { readonly [arm: string]: readonly number[] }, contrast = difference('d', 'a', 'b')) =>
      contrastInterval(contrast, scores, TAIL);
    expect(() => bad({ a: near })).toThrow('no scores of the arm "b"');
    expect(() => bad({ a: near, b: near.slice(1) })).toThrow('equally many');
    expect(() => bad({ a: [1, Number.NaN], b: [1, 2] })).toThrow('finite');
    expect(() => bad({ a: [1, 2], b: [0, 1] }, { id: 'r', kind: 'ratio', arm: 'a', over: 'b', claim: 'above' })).toThrow('positive');
  });
});

describe('verdicts', () => {
  const five = [0, 1, 2, 3, 4];
  test('a large effect is decided after five seeds, and later ones change nothing', () => {
    const early = judge([difference('d', 'a', 'b')], { a: plus(five, 100), b: five });
    expect(early).toMatchObject({ verdict: 'reproduced', seeds: 5, wanted: null });
    const later = judge([difference('d', 'a', 'b')], { a: [...plus(five, 100), ...plus(five, -900)], b: [...five, ...five] });
    expect(later).toEqual(early);
  });

  test('where the claim names ten seeds, five decide nothing, however clear they are', () => {
    const contrast = [difference('d', 'a', 'b')];
    expect(judge(contrast, { a: plus(five, 100), b: five }, true)).toEqual({ verdict: 'inconclusive', seeds: 5, findings: [], wanted: 10 });
    const ten = { a: [...plus(five, 100), ...plus(five, -100)], b: [...five, ...five] };
    expect(judge(contrast, ten)).toMatchObject({ verdict: 'reproduced', seeds: 5 });
    expect(judge(contrast, ten, true)).toMatchObject({ verdict: 'inconclusive', seeds: 10 });
  });

  test('an interval that holds the null asks for ten seeds, and then for more', () => {
    const contrast = [difference('d', 'a', 'b', { size: 2 })];
    expect(judge(contrast, { a: plus(five, 0.5), b: five })).toMatchObject({ verdict: 'inconclusive', seeds: 5, wanted: 10 });
    const ten = judge(contrast, { a: plus([...five, ...five], 0.5), b: [...five, ...five] });
    expect(ten).toMatchObject({ verdict: 'inconclusive', seeds: 10 });
    expect(ten.wanted).toBeGreaterThanOrEqual(20);
    expect(judge(contrast, { a: [1, 2], b: [1, 2] })).toEqual({ verdict: 'inconclusive', seeds: 2, findings: [], wanted: 5 });
  });

  test('smaller than the claim is partly; the size excluded or the wrong side is not reproduced', () => {
    const scores = { a: plus(near, 5), b: near };
    expect(judge([difference('d', 'a', 'b', { size: 8 })], scores).verdict).toBe('partly');
    expect(judge([difference('d', 'a', 'b', { size: 8, part: false })], scores).verdict).toBe('inconclusive');
    expect(judge([difference('d', 'b', 'a')], scores).verdict).toBe('not reproduced');
    expect(judge([difference('d', 'a', 'b', { claim: 'below' })], scores).verdict).toBe('not reproduced');
    expect(judge([difference('d', 'b', 'a', { claim: 'below' })], scores).verdict).toBe('reproduced');
    expect(judge([difference('d', 'a', 'b', { size: 3 })], { a: near, b: near }).verdict).toBe('not reproduced');
  });

  test('several contrasts: all, some, none; each interval wider than alone', () => {
    const scores = { a: plus(near, 5), b: near, c: plus(near, 5) };
    const both = [difference('d', 'a', 'b'), difference('e', 'c', 'b')];
    expect(judge(both, scores).verdict).toBe('reproduced');
    const some = judge([difference('d', 'a', 'b'), difference('e', 'c', 'a')], scores);
    expect(some.verdict).toBe('partly');
    const alone = judge([difference('d', 'a', 'b')], scores);
    expect(some.findings[0]!.low).toBeLessThan(alone.findings[0]!.low);
    expect(some.findings[0]!.level).toBeGreaterThan(alone.findings[0]!.level);
  });

  test('a level that is reached exactly is reached; one bad seed refutes "every"', () => {
    const same = [500, 500, 500, 500, 500];
    expect(judge([{ id: 'l', kind: 'level', arm: 'a', none: 500, claim: 'above' }], { a: same }).verdict).toBe('reproduced');
    const every: Contrast = { id: 'e', kind: 'every', arm: 'a', none: 500, claim: 'above' };
    expect(judge([every], { a: same }).verdict).toBe('reproduced');
    expect(judge([every], { a: [500, 499, 500, 500, 500] }).verdict).toBe('not reproduced');
  });
});

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
  test('runs that no seed changes are one run', () => {
    const same = { a: [5, 5, 5, 5, 5], b: [4, 4, 4, 4, 4] };
    expect(voids(contrasts, same, { a: facts, b: facts }, 'more').map(({ check }) => check)).toEqual(['spread']);
    const level: Contrast = { id: 'l', kind: 'level', arm: 'a', none: 5, claim: 'above' };
    expect(voids([level], same, { a: facts }, 'more')).toEqual([]); // an optimum may be reached exactly
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
  test('an order speaks for its best arm, which is its last where less is better', () => {
    const order: Contrast = { id: 'o', kind: 'order', arms: ['a', 'b'], claim: 'above' };
    const said = (better: 'more' | 'less', a: number, b: number) =>
      voids([order], scores, { a: { ...facts, trials: a }, b: { ...facts, trials: b } }, better).map(({ text }) => text);
    expect(said('more', 9, 2)).toEqual(['b was tuned with 2 trials, a with 9.']);
    expect(said('less', 9, 2)).toEqual([]);
    expect(said('less', 2, 9)).toEqual(['a was tuned with 2 trials, b with 9.']);
  });
});
