/** `judge FILE` over its own lines: words, states and messages. */
import { expect, test } from 'vitest';
import { type JudgedTable, judgeTables } from '#claims/judge-table.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';

const near = [9, 10, 11, 10, 10, 9.5, 10.5, 10, 9, 11];
const plus = (more: number): number[] => near.map((value) => value + more);
const main = { id: 'main', kind: 'difference', arm: 'a', over: 'b', claim: 'above', size: 4 };
const one = (value: Json): JudgedTable => judgeTables(value)[0]!;
const of = (contrasts: JsonObject[], scores: JsonObject, more: JsonObject = {}): JudgedTable => one({ contrasts, scores, ...more });

test('one object or a list of them, in its order', () => {
  const table = { contrasts: [main], scores: { a: plus(5), b: near }, looks: [5, 10, 20, 40] };
  const found = one(table);
  expect(found).toMatchObject({ outcome: 'shown', seeds: 5, contrasts: [{ id: 'main', state: 'held' }] });
  expect(found.contrasts[0]!.low).toBeLessThan(found.contrasts[0]!.estimate);
  expect(judgeTables([table, { ...table, scores: { a: near, b: plus(5) } }]).map(({ outcome }) => outcome)).toEqual(['shown', 'reversed']);
});

test('a true control beside a reversed main contrast rescues nothing, and one that is not held voids', () => {
  const control = { id: 'learns', kind: 'difference', arm: 'a', over: 'random', claim: 'above', control: true };
  expect(of([main, control], { a: near, b: plus(5), random: plus(-50) }).outcome).toBe('reversed');
  const void_ = of([main, control], { a: plus(5), b: near, random: plus(60) });
  expect(void_.outcome).toBe('open');
  expect(void_.voids.map(({ check }) => check)).toEqual(['control']);
  // outside the count: the main interval is as wide as alone
  expect(of([main, control], { a: plus(5), b: near, random: plus(-50) }).contrasts[0]).toEqual(
    of([main], { a: plus(5), b: near }).contrasts[0],
  );
});

const theirs = { mean: 10, deviation: 1, seeds: 10 };
const beside: JsonObject = { id: 'main', kind: 'published', arm: 'a', theirs, claim: 'above', none: -2.5, middle: 'mean' };

test('a published mean: at most so much worse, and no more looks than its seeds carry', () => {
  const word = (more: number): string => of([beside], { a: plus(more) }, { looks: [5, 10] }).outcome;
  expect([word(0), word(-2), word(-5)]).toEqual(['shown', 'open', 'not shown']);
  // ten scores without spread: what is left is Student's t of their ten seeds, 2.262 x 1 / sqrt(10)
  const [found] = of([beside], { a: near.map(() => 10) }, { looks: [10] }).contrasts;
  expect(found!.high).toBeCloseTo(0.7153, 3);
  expect(found!.low).toBeCloseTo(-0.7153, 3);
  // without their spread it would be held
  const wide = { ...beside, theirs: { ...theirs, deviation: 9 } };
  expect(of([wide], { a: near }, { looks: [5, 10] }).outcome).toBe('open');
});

test.each<readonly [string, JsonObject]>([
  ['contrasts[0].theirs: it is missing', { contrasts: [{ id: 'p', kind: 'published', arm: 'a', claim: 'above', none: -1 }] }],
  ['contrasts[0].theirs.seeds: it must be a whole number', { contrasts: [{ ...beside, theirs: { ...theirs, seeds: 1 } }] }],
  ['contrasts[0].theirs.deviation: it must be 0 or more', { contrasts: [{ ...beside, theirs: { ...theirs, deviation: -1 } }] }],
  ['looks: "main" is held against a published mean of 10 seeds', { contrasts: [beside], scores: { a: near } }],
  ['contrasts: it is missing', {}],
  ['contrasts[0].kind: it is unknown', { contrasts: [{ ...main, kind: 'bigger' }] }],
  ['contrasts[0].size: the size must lie above', { contrasts: [{ ...main, size: -1 }] }],
  ['contrasts[0].size: it needs a size', { contrasts: [{ id: 'main', kind: 'difference', arm: 'a', over: 'b', claim: 'above' }] }],
  ['contrasts[0].none: it is missing', { contrasts: [{ id: 'l', kind: 'level', arm: 'a', claim: 'above' }] }],
  ['contrasts[0].margin: difference has no such field', { contrasts: [{ ...main, margin: 1 }], scores: {} }],
  ['scores.b: a contrast names this arm', { contrasts: [main], scores: { a: near } }],
  ['scores.b: it has 9 scores, a has 10', { contrasts: [main], scores: { a: near, b: near.slice(1) } }],
  ['scores.a[1]: it is no finite number', { contrasts: [main], scores: { a: [1, null], b: [1, 2] } }],
  ['rising whole numbers', { contrasts: [main], scores: { a: near, b: near }, looks: [10, 5] }],
])('a wrong file: "%s"', (message, table) => {
  expect(() => judgeTables(table)).toThrow(message);
});

test('a slope is judged where the ends of its middle arm, which has no weight, stand on two humps', () => {
  const humped = [-0.06, -0.38, -0.08, -0.42, -0.07];
  const slope = { id: 'main', kind: 'slope', arms: ['a', 'b', 'c'], x: [0, 1, 2], claim: 'above', size: 1 };
  const [found] = of([slope], { a: [-1.04, 0.92, 0.01, -1.14, 0.59], b: humped, c: [0.87, -0.05, -1.31, -1.58, -1.02] }).contrasts;
  expect(found!.low).toBeLessThan(found!.estimate);
  expect(found!.high).toBeGreaterThan(found!.estimate);
});
