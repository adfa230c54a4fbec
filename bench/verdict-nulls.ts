/**
 * Papers without the effect that is claimed, whose ends are hard for a rule of verdicts: an arm with two humps beside one that hardly varies,
 * rare failures beside a margin or a mean, heavy tails, ties. In each the two true middles (as the contrast reads them) are equal, or the true
 * loss exceeds the margin.
 */
import type { Contrast, Middle, Scores } from '#math/contrasts.ts';
import { exp } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { iqm } from '#math/stats.ts';

type Draw = (rng: Rng) => number;
const SEEDS = 40;
/** Draws from which the middle of a distribution is known to 0.002. */
const MANY = 100_001;

const fails =
  (share: number, deviation = 0.02): Draw =>
  (rng) =>
    (rng.uniform() < share ? 0 : 1) + deviation * normal(rng);
const constant =
  (value: number): Draw =>
  () =>
    value;
const around =
  (value: number, deviation: number): Draw =>
  (rng) =>
    value + deviation * normal(rng);
/** Student with two degrees of freedom: normal over the root of an exponential of mean 1. */
const student: Draw = (rng) => normal(rng) / Math.sqrt((normal(rng) ** 2 + normal(rng) ** 2) / 2);
const threeValues: Draw = (rng) => rng.int(3) / 2;
const yesNo =
  (share: number): Draw =>
  (rng) =>
    rng.uniform() < share ? 1 : 0;

const many = (rng: Rng, draw: Draw): readonly number[] => Array.from({ length: SEEDS }, () => draw(rng));
const middleOf = (draw: Draw): number => {
  const rng = Rng.from(99);
  return iqm(Array.from({ length: MANY }, () => draw(rng)));
};

interface NullPaper {
  readonly contrasts: readonly Contrast[];
  readonly scores: Scores;
}
type Make = (rng: Rng) => NullPaper;

const claim = { id: 'main', kind: 'difference', arm: 'a', over: 'b', claim: 'above' } as const;

/** Two arms with these ends. */
const beside =
  (a: Draw, b: Draw, more: Partial<Contrast> = {}, size = 0.3): Make =>
  (rng) => ({
    contrasts: [{ ...claim, ...(more.none === undefined && { size }), ...more } as Contrast],
    scores: { a: many(rng, a), b: many(rng, b) },
  });
const byMean: { readonly middle: Middle } = { middle: 'mean' };

const cellsOf =
  (draws: readonly (readonly [Draw, Draw])[], more: Partial<Contrast>): Make =>
  (rng) => ({
    contrasts: [
      { id: 'main', kind: 'cells', cells: draws.map((_, k) => [`a${k}`, `b${k}`]), of: draws.length, claim: 'above', ...more } as Contrast,
    ],
    scores: Object.fromEntries(
      draws.flatMap(([a, b], k) => [
        [`a${k}`, many(rng, a)],
        [`b${k}`, many(rng, b)],
      ]),
    ),
  });

const levelAt = (draw: Draw): Make => {
  const none = middleOf(draw);
  return (rng) => ({ contrasts: [{ id: 'main', kind: 'level', arm: 'a', claim: 'above', none }], scores: { a: many(rng, draw) } });
};

const correlated: Make = (rng) => {
  const shared = many(rng, normal);
  return {
    contrasts: [{ ...claim, size: 0.5, paired: true }],
    scores: { a: shared.map((value) => value + 0.5 * normal(rng)), b: shared.map((value) => value + 0.5 * normal(rng)) },
  };
};

const reversedBesideTrue: Make = (rng) => ({
  contrasts: [
    { ...claim, size: 1 },
    { ...claim, id: 'second', over: 'c', size: 1 },
    { ...claim, id: 'third', over: 'd', size: 1 },
  ],
  scores: { a: many(rng, normal), b: many(rng, around(1, 1)), c: many(rng, around(-3, 1)), d: many(rng, around(-4, 1)) },
});

const loses: readonly [Draw, Draw] = [fails(0.34), around(1, 0.02)];
const safe: readonly [Draw, Draw] = [around(1, 0.02), around(1, 0.02)];

/** By name: papers that should not say that the effect is there. */
export const NULLS: { readonly [name: string]: Make } = {
  'unequal deviations, 3 beside 0.3': beside(around(0, 3), around(0, 0.3), {}, 1),
  'unequal deviations, 0.3 beside 3': beside(around(0, 0.3), around(0, 3), {}, 1),
  'normal beside a constant': beside(normal, constant(0), {}, 1),
  'Student with 2 degrees': beside(student, student, {}, 1),
  'Student with 2 degrees, mean': beside(student, student, byMean, 1),
  'three values': beside(threeValues, threeValues),
  'yes or no': beside(yesNo(0.5), yesNo(0.5)),
  'yes or no at 0.2, mean': beside(yesNo(0.2), yesNo(0.2), byMean),
  'yes or no at 0.1, share': beside(yesNo(0.1), yesNo(0.1), { share: { atLeast: 0.5 } }),
  'skewed ratio': beside(
    (rng) => exp(1.2 * normal(rng)),
    (rng) => exp(1.2 * normal(rng)),
    { kind: 'ratio' },
    2,
  ),
  'paired and correlated': correlated,
  'two of three cells true, all three asked': cellsOf(
    [
      [around(3, 1), normal],
      [around(3, 1), normal],
      [normal, normal],
    ],
    { size: 1 },
  ),
  'reversed by one deviation, two others true': reversedBesideTrue,
  'both fail in 0.1, mean': beside(fails(0.1), fails(0.1), byMean),
  'both fail in 0.2, mean': beside(fails(0.2), fails(0.2), byMean),
  'fails in 0.3 beside a constant': beside(fails(0.3), constant(middleOf(fails(0.3)))),
  'fails in 0.4 beside a constant': beside(fails(0.4), constant(middleOf(fails(0.4)))),
  'fails in 0.3 beside a deviation of 0.05': beside(fails(0.3), around(middleOf(fails(0.3)), 0.05)),
  'fails in 0.34, no worse by 0.15': beside(...loses, { none: -0.15 }),
  'fails in 0.34, no worse by 0.15, in one of three cells': cellsOf([loses, safe, safe], { none: -0.15 }),
  'fails in 0.1 beside 0.9, mean': beside(fails(0.1), around(0.9, 0.05), byMean, 0.1),
  'fails in 0.2 beside 0.8, mean': beside(fails(0.2), around(0.8, 0.05), byMean, 0.1),
  'fails in 0.1 beside the constant 0.9, mean': beside(fails(0.1), constant(0.9), byMean, 0.1),
  'level, fails in 0.3': levelAt(fails(0.3)),
  'level, fails in 0.4': levelAt(fails(0.4)),
};

/** A rival at 36 in this share of runs, else at 0, beside one that stays near 0: less by 36 times the share in truth, claimed is less by 4. */
const rareRival =
  (share: number): Make =>
  (rng) => ({
    contrasts: [{ id: 'main', kind: 'difference', arm: 'a', over: 'b', claim: 'below', size: -4, middle: 'mean' }],
    scores: { a: many(rng, around(0.02, 0.001)), b: many(rng, (r) => (r.uniform() < share ? 36 : 0)) },
  });

/** By name: papers whose effect is there and larger than claimed, so that "no effect of that size" is false. */
export const EFFECTS: { readonly [name: string]: Make } = {
  'a rival that fails in 0.2': rareRival(0.2),
  'a rival that fails in 0.45': rareRival(0.45),
};
