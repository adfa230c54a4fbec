import { describe, expect, test } from 'vitest';
import { contrastInterval } from './contrast-interval.ts';
import type { Contrast } from './contrasts.ts';
import { looksAt } from './looks.ts';
import { type JudgeOptions, judge, NO_EFFECT, stateOf } from './rule.ts';

const difference = (id: string, arm: string, over: string, more: object = {}): Contrast => ({
  id,
  kind: 'difference',
  arm,
  over,
  claim: 'above',
  size: 4,
  ...more,
});
const near = [9, 10, 11, 10, 10, 9.5, 10.5, 10, 9, 11];
const plus = (values: readonly number[], more: number): number[] => values.map((value) => value + more);
const word = (contrasts: readonly Contrast[], scores: { readonly [arm: string]: readonly number[] }, options?: JudgeOptions): string =>
  judge(contrasts, scores, options).outcome;

describe('looks', () => {
  test('the tails of four looks spend 0.025 in proportion to n^1.5', () => {
    const tails = looksAt([5, 10, 20, 40]).map(({ tail }) => tail);
    [0.0011048, 0.0023054, 0.0066155, 0.019446].forEach((tail, k) => {
      expect(tails[k]).toBeCloseTo(tail, 6);
    });
    expect(looksAt([10])[0]!.tail).toBeCloseTo(0.025, 10);
    expect(() => looksAt([10, 5])).toThrow('rising');
    // forms of a paper share 0.05 a side: a half, a quarter, an eighth ...
    expect(looksAt([10], 3)[0]!.tail).toBeCloseTo(0.05 / 8, 8);
    expect(() => looksAt([10], 0)).toThrow('counted from 1');
  });
});

describe('states', () => {
  const contrast = difference('d', 'a', 'b');
  test.each([
    ['held', 3, 1, 6],
    ['held', 2, 0.1, 4],
    ['smaller', 1.9, 0.1, 6], // the estimate is short of half of the size
    ['smaller', 3, 2, 3.9], // the size is excluded
    [NO_EFFECT, 0, -1.9, 1.9],
    ['refuted', 1, -0.5, 3.9], // a smaller effect may be there
    ['refuted', -2, -5, 1],
    ['reversed', -5, -6, -4.5],
    ['reversed', -1, -2, -0.1],
    ['open', 1, -1, 5],
    ['open', 1, 0, 4],
  ])('%s: %d in %d to %d', (state, estimate, low, high) => {
    expect(stateOf(contrast, { estimate, low, high })).toBe(state);
    const turned = { estimate: -estimate, low: -high, high: -low };
    expect(stateOf({ ...contrast, claim: 'below', size: -4 }, turned)).toBe(state);
  });
  test('half of the size of a ratio is its root', () => {
    const ratio: Contrast = { id: 'r', kind: 'ratio', arm: 'a', over: 'b', claim: 'above', size: 4 };
    expect(stateOf(ratio, { estimate: 2.1, low: 1.1, high: 5 })).toBe('held');
    expect(stateOf(ratio, { estimate: 1.9, low: 1.1, high: 5 })).toBe('smaller');
    expect(stateOf(ratio, { estimate: 1, low: 0.51, high: 1.9 })).toBe(NO_EFFECT);
  });
  test('a margin and a bar are held, refuted or open', () => {
    const margin: Contrast = { id: 'm', kind: 'difference', arm: 'a', over: 'b', claim: 'above', none: -1 };
    expect(stateOf(margin, { estimate: 0, low: -0.9, high: 1 })).toBe('held');
    expect(stateOf(margin, { estimate: 0, low: -1, high: 1 })).toBe('open');
    expect(stateOf(margin, { estimate: -2, low: -3, high: -1.1 })).toBe('refuted');
    expect(stateOf({ id: 'l', kind: 'level', arm: 'a', claim: 'above', none: 1 }, { estimate: 1, low: 1, high: 1 })).toBe('held');
    expect(() => judge([{ ...margin, size: 1 }], { a: near, b: near })).toThrow('have no size');
  });
  test('clear of arms that are alike, and short of a null beyond them: smaller, not "no effect"', () => {
    const twice: Contrast = { id: 'r', kind: 'ratio', arm: 'a', over: 'b', claim: 'above', none: 2, size: 5 };
    expect(stateOf(twice, { estimate: 1.6, low: 1.17, high: 2.48 })).toBe('smaller');
    expect(stateOf(twice, { estimate: 1.1, low: 0.9, high: 1.3 })).toBe(NO_EFFECT);
    expect(stateOf(twice, { estimate: 0.5, low: 0.4, high: 0.6 })).toBe('reversed');
  });
});

describe('outcomes', () => {
  const main = difference('main', 'a', 'b');
  const scores = { a: plus(near, 5), b: near, c: plus(near, 5), low: plus(near, -90) };
  const control = difference('learns', 'a', 'low', { control: true });
  test('the main contrast decides', () => {
    expect(word([main], scores)).toBe('shown');
    expect(word([main, control], { ...scores, a: near, b: plus(near, 5) })).toBe('reversed');
    expect(word([main, difference('more', 'c', 'b')], { ...scores, a: near, b: plus(near, 5), c: plus(near, 50) })).toBe('reversed');
    expect(word([main], { a: near, b: near })).toBe('not shown');
  });
  test('smaller than claimed, and mixed where a further contrast is not on the claimed side: never "shown"', () => {
    expect(word([difference('main', 'a', 'b', { size: 12 })], scores)).toBe('smaller');
    expect(word([main, difference('more', 'c', 'b', { size: 12 })], scores)).toBe('smaller');
    expect(word([main, difference('more', 'c', 'a')], scores)).toBe('mixed');
    expect(word([main, difference('more', 'low', 'a')], scores)).toBe('mixed');
    expect(word([difference('main', 'a', 'b', { size: 12 }), difference('more', 'c', 'a')], scores)).toBe('mixed');
  });
  test('a control that is not held voids, and is not counted', () => {
    const failed = judge([main, difference('learns', 'low', 'a', { control: true })], scores);
    expect(failed).toMatchObject({ outcome: 'open', voids: [{ check: 'control' }] });
    expect(judge([main, control], scores).findings[0]).toEqual(judge([main], scores).findings[0]);
  });
  test('without its premise nothing is said of the method', () => {
    const premise = difference('deficit', 'low', 'a', { premise: true });
    expect(judge([main, premise], scores)).toMatchObject({ outcome: 'open', absent: ['deficit'], voids: [] });
    expect(judge([main, { ...control, control: false, premise: true }], scores)).toMatchObject({ outcome: 'shown', absent: [] });
    expect(() => judge([main, { ...control, premise: true }], scores)).toThrow('not both');
  });
  test('looks go on while an open contrast can change the outcome, and no longer', () => {
    const wild = [0, 30, -30, 12, -14, 25, -25, 8, -6, 3];
    const open = difference('open', 'wild', 'b');
    const more = { ...scores, wild: plus(near, 0).map((value, i) => value + wild[i]!) };
    expect(judge([main, open], more)).toMatchObject({ outcome: 'mixed', seeds: 10, wanted: 20 });
    // another contrast is the other way round already: "mixed" stays
    expect(judge([main, open, difference('no', 'low', 'b')], more)).toMatchObject({ outcome: 'mixed', seeds: 5, wanted: null });
    // the main one is the other way round already
    expect(judge([difference('main', 'b', 'a'), open], more)).toMatchObject({ outcome: 'reversed', seeds: 5, wanted: null });
    expect(judge([open], more)).toMatchObject({ outcome: 'open', wanted: 20 });
    expect(judge([open], more, { looks: [5, 10] }).wanted).toBeGreaterThanOrEqual(20);
  });
  test('the seeds that could decide are those of a look at which it may be decided', () => {
    const bar: Contrast = { id: 'bar', kind: 'level', arm: 'a', claim: 'above', none: 0.9, middle: 'mean' };
    const a = Array.from({ length: 10 }, () => 1);
    expect(judge([bar], { a })).toMatchObject({ outcome: 'open', seeds: 10, wanted: 40 }); // a mean needs forty
  });
  test('fewer seeds than the first look: open', () => {
    expect(judge([main], { a: [1, 2, 3], b: [0, 0, 1] })).toMatchObject({ outcome: 'open', wanted: 5, findings: [{ state: 'open' }] });
  });
  test('an arm against itself, clusters of one, and numbers that overflow are refused with the reason', () => {
    expect(() => judge([difference('d', 'a', 'a')], scores)).toThrow('compared with itself');
    expect(() => judge([{ ...main, clusters: 1 }], scores)).toThrow('whole number, 2 or more');
    const huge = near.map((value) => value * 1e307);
    expect(() => judge([main], { a: huge, b: huge.map((value) => -value) })).toThrow('overflows');
  });
});

describe('humps that few seeds have not seen', () => {
  const main = difference('main', 'a', 'b', { size: 0.3 });
  const steadyNear = near.map((value) => 1 + value / 1000);
  const failing = [1, 1.01, 0.99, 0, 1, 1.01, 0, 0.99, 1, 1];
  test('alike within a thousandth of the scale, by mean or beside a margin: five seeds decide nothing', () => {
    const alike = [0, 0, 0, 0, 1e-6, 0, 0, 0, 0, 0];
    expect(judge([main], { a: steadyNear, b: alike }, { looks: [5] }).outcome).toBe('open');
    expect(judge([main], { a: steadyNear, b: alike }, { looks: [10] }).outcome).toBe('shown');
    const [a, b] = [steadyNear, near.map((value) => value / 1000)];
    expect(judge([main], { a, b }, { looks: [5] }).outcome).toBe('shown');
    expect(judge([{ ...main, middle: 'mean' }], { a, b }, { looks: [10] }).outcome).toBe('open');
    const { size: _, ...margin } = main;
    expect(judge([{ ...margin, none: -0.5 } as Contrast], { a, b }, { looks: [5] }).outcome).toBe('open');
  });
  test('the interval of an arm that fails now and then is wider beside one that hardly varies, and by its share of failures', () => {
    const beside = contrastInterval(main, { a: failing, b: steadyNear }, 0.0023);
    expect(beside.estimate).toBeCloseTo(0, 1);
    expect(beside.low).toBeLessThan(-0.4);
  });
  test('runs that come in clusters have the interval of the clusters', () => {
    const wide = contrastInterval({ ...main, clusters: 3 }, { a: near, b: plus(near, 1) }, 0.025);
    const narrow = contrastInterval(main, { a: near, b: plus(near, 1) }, 0.025);
    expect(wide.high - wide.low).toBeGreaterThan(1.8 * (narrow.high - narrow.low));
  });
});

test('a published mean: five seeds without spread decide nothing', () => {
  const beside: Contrast = {
    id: 'p',
    kind: 'published',
    arm: 'a',
    theirs: { mean: 10, deviation: 0, seeds: 10 },
    claim: 'above',
    none: -1,
  };
  expect(word([beside], { a: [10, 10, 10, 10, 10] }, { looks: [5] })).toBe('open');
  expect(word([beside], { a: [10, 10.1, 9.9, 10, 10] }, { looks: [5] })).toBe('shown');
});

describe('one arm against a bar', () => {
  const level: Contrast = { id: 'l', kind: 'level', arm: 'a', none: 400, claim: 'above' };
  const every: Contrast = { ...level, kind: 'every' };
  const same = (n: number, value = 500): number[] => Array(n).fill(value) as number[];
  test('five seeds without spread decide nothing, ten do', () => {
    for (const contrast of [level, every]) {
      expect(judge([contrast], { a: same(5) })).toMatchObject({ outcome: 'open', wanted: 10 });
      expect(judge([contrast], { a: same(10) })).toMatchObject({ outcome: 'shown', seeds: 10 });
      expect(judge([contrast], { a: same(5) }, { steady: ['a'] }).outcome).toBe('shown');
    }
  });
  test('"every" says what its seeds exclude; one that fails refutes', () => {
    expect(judge([every], { a: [490, 500, 495, 480, 470] }).findings[0]!.failsBelow).toBeCloseTo(0.4507, 4);
    expect(judge([every], { a: same(10) }).findings[0]!.failsBelow).toBeCloseTo(0.2589, 4);
    expect(judge([every], { a: [500, 399, 500, 500, 500] }).outcome).toBe('not shown');
  });
});

describe('runs that are cut short', () => {
  const fewer: Contrast = { id: 'f', kind: 'ratio', arm: 'a', over: 'b', claim: 'below', size: 0.5 };
  const fast = [20, 22, 19, 21, 20, 20, 22, 19, 21, 20];
  const budget = Array(10).fill(100) as number[];
  const never = budget.map(() => 100_000);
  test('the rival counts as the budget, which may hold the claim and never refutes it', () => {
    expect(judge([fewer], { a: fast, b: budget }, { upTo: { b: never } })).toMatchObject({ outcome: 'shown' });
    const ten: Contrast = { ...fewer, size: 0.1 };
    // five times at least: ten times is not excluded, and not shown
    expect(judge([ten], { a: fast, b: budget }).outcome).toBe('smaller');
    const one = difference('d', 'b', 'a', { size: 200 });
    expect(judge([one], { a: plus(fast, 75), b: budget }, { upTo: { b: never } }).findings[0]!.state).not.toBe('refuted');
  });
  test('more than a third in the claimed arm voids', () => {
    const upTo = { a: fast.map((_, i) => (i < 4 ? 100_000 : null)) };
    expect(judge([fewer], { a: fast, b: plus(fast, 200) }, { upTo }).voids.map(({ check }) => check)).toEqual(['censored']);
  });
  test('of a slope, the runs of the end that needs less', () => {
    const falls: Contrast = { id: 's', kind: 'slope', arms: ['few', 'some', 'many'], x: [0, 1, 2], claim: 'below', size: -20 };
    const scores = { few: budget, some: plus(fast, 40), many: fast };
    const cut = (n: number) => fast.map((_, i) => (i < n ? 100_000 : null));
    expect(judge([falls], scores, { upTo: { few: never } })).toMatchObject({ outcome: 'shown', voids: [] });
    expect(judge([falls], scores, { upTo: { many: cut(4) } }).voids.map(({ check }) => check)).toEqual(['censored']);
  });
  describe('a correlation over places', () => {
    const places = Array.from({ length: 8 }, (_, k) => k);
    const [a, b] = [places.map((k) => `a${k}`), places.map((k) => `b${k}`)];
    const agree: Contrast = { id: 'g', kind: 'agree', arms: a, others: b, claim: 'above', size: 0.6 };
    /** Two methods, ten seeds: the last `cut` places end at the budget on both sides. */
    const cutTo = (cut: number) => {
      const ends = (k: number): readonly number[] => (k < 8 - cut ? plus(fast, 5 * k) : budget);
      const of = (names: readonly string[]) => names.map((name, k) => [name, ends(k)] as const);
      const last = [...a.slice(8 - cut), ...b.slice(8 - cut)];
      return { scores: Object.fromEntries([...of(a), ...of(b)]), upTo: Object.fromEntries(last.map((name) => [name, never])) };
    };
    test('one place that never arrives has its rank all the same', () => {
      const { scores, upTo } = cutTo(1);
      expect(judge([agree], scores, { upTo })).toMatchObject({ outcome: 'shown', voids: [] });
    });
    test('places whose order is not known may hold nothing by their ties', () => {
      const { scores, upTo } = cutTo(2);
      expect(contrastInterval(agree, scores, 0.025, upTo, 'most').estimate).toBeCloseTo(1, 12);
      // the last two the other way round on one side: 1 - 6 (1 + 1) / (8 63)
      expect(contrastInterval(agree, scores, 0.025, upTo, 'least').estimate).toBeCloseTo(1 - 12 / 504, 12);
    });
    test('more than a third of a side’s runs void', () => {
      const { scores, upTo } = cutTo(3);
      expect(judge([agree], scores, { upTo }).voids.map(({ check }) => check)).toEqual(['censored', 'censored']);
    });
    test('of pairs and ranks too, runs that are cut short have no order among themselves', () => {
      const pairs: Contrast = { id: 'p', kind: 'pairs', arms: ['a'], others: ['b'], claim: 'above', size: 0.5 };
      const scores = { a: fast.map((_, i) => i), b: fast.map((_, i) => Math.min(i, 8)) };
      const upTo = { b: fast.map((_, i) => (i >= 8 ? 8000 : null)) };
      expect(contrastInterval(pairs, scores, 0.025, upTo, 'most').estimate).toBeCloseTo(1, 12);
      expect(contrastInterval(pairs, scores, 0.025, upTo, 'least').estimate).toBeCloseTo(1 - 12 / 990, 12);
      const rank: Contrast = { id: 'r', kind: 'rank', arms: ['few', 'many'], x: [1, 2], claim: 'below', size: -0.5 };
      const ends = { few: budget, many: [...fast.slice(1), 100] };
      const cut = { few: never, many: fast.map((_, i) => (i === 9 ? 100_000 : null)) };
      const of = (end: 'least' | 'most') => contrastInterval(rank, ends, 0.025, cut, end).estimate;
      expect(of('least')).toBeLessThan(contrastInterval(rank, ends, 0.025).estimate);
      expect(of('most')).toBeGreaterThan(of('least'));
    });
  });
});

describe('intervals', () => {
  test('one place of pairs: the runs are the sample', () => {
    const pairs: Contrast = { id: 'p', kind: 'pairs', arms: ['a'], others: ['b'], claim: 'above', size: 0.5 };
    const found = contrastInterval(pairs, { a: near, b: plus(near, 3) }, 0.025);
    expect(found.estimate).toBeCloseTo(1, 12);
    expect(found.low).toBeLessThan(0.96);
    expect(contrastInterval(pairs, { a: [1, 2, 3], b: [1, 2, 3] }, 0.025)).toEqual({ estimate: 1, low: -1, high: 1 });
  });
  test('agreement over eight places is as wide as eight places make it', () => {
    const places = Array.from({ length: 8 }, (_, k) => k);
    const scores = Object.fromEntries(
      places.flatMap((k) => [
        [`a${k}`, plus(near, 10 * k)],
        [`b${k}`, plus(near, 10 * [0, 2, 1, 4, 3, 5, 7, 6][k]!)],
      ]),
    );
    const agree: Contrast = {
      id: 'g',
      kind: 'agree',
      arms: places.map((k) => `a${k}`),
      others: places.map((k) => `b${k}`),
      claim: 'above',
      size: 0.6,
    };
    const { estimate, low, high } = contrastInterval(agree, scores, 0.025);
    expect(estimate).toBeCloseTo(1 - (6 * 6) / (8 * 63), 12);
    expect(low).toBeLessThan(0.75);
    expect(high).toBeLessThanOrEqual(1);
  });
  test('shares of seeds that pass keep an interval where all of them do', () => {
    const share = difference('s', 'a', 'b', { share: { atLeast: 5 }, size: 0.3 });
    const { estimate, low } = contrastInterval(share, { a: near, b: plus(near, -9) }, 0.0023);
    expect(estimate).toBe(1);
    expect(low).toBeLessThan(0.7);
  });
  test('cells: the second best of four is held where two are, at a share of the tail', () => {
    const scores = { a: plus(near, 5), b: near, c: plus(near, 6), d: plus(near, -5) };
    const cells: Contrast = {
      id: 'c',
      kind: 'cells',
      cells: [
        ['a', 'b'],
        ['c', 'b'],
        ['d', 'b'],
        ['b', 'a'],
      ],
      of: 2,
      claim: 'above',
      size: 4,
    };
    const found = contrastInterval(cells, scores, 0.01);
    expect(found.estimate).toBeCloseTo(5, 12);
    expect(found.low).toBeGreaterThan(3);
    expect(contrastInterval({ ...cells, of: 3 }, scores, 0.01).estimate).toBeCloseTo(-5, 12);
    const below = contrastInterval({ ...cells, claim: 'below', size: -4 }, scores, 0.01);
    expect(below.estimate).toBeCloseTo(-5, 12);
    expect(below.low).toBeLessThan(below.estimate);
    expect(below.high).toBeGreaterThan(below.estimate);
  });
});
