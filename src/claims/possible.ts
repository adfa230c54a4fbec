/**
 * The least and the most that a contrast can be, given what bounds the scores of its arms: the budget of runs that count the steps to a level,
 * and the best possible score. A size outside of that cannot come out, whatever the runs do.
 */
import { objectOf } from '#contract/kit/json.ts';
import { armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { Contrast } from '#math/contrasts.ts';
import { log } from '#math/functions.ts';
import { quantityOfArm } from './facts.ts';

/** From the least to the most that a number can be; infinite where nothing bounds it. */
export type Range = readonly [least: number, most: number];

const ANY: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** The best possible score of arms, by id, where it was found elsewhere than on the card. */
type Ceilings = { readonly [arm: string]: number | undefined };

/** What bounds one score of each arm, by id. */
export function scoreRanges(paper: JudgedCard, ceilings: Ceilings = {}): { readonly [arm: string]: Range } {
  return Object.fromEntries(
    paper.arms.map((arm, k): [string, Range] => {
      const quantity = quantityOfArm(paper, k);
      const budget = objectOf(armConfig(paper, arm).run).steps;
      if ('reaches' in quantity && typeof budget === 'number') return [arm.id, quantity.log10 ? [0, log(budget) / Math.LN10] : [1, budget]];
      const { ceiling = ceilings[arm.id] } = { ...paper.scale, ...arm.scale };
      if (ceiling === undefined) return [arm.id, ANY];
      return [arm.id, paper.scale.better === 'more' ? [ANY[0], ceiling] : [ceiling, ANY[1]]];
    }),
  );
}

const minus = ([a, b]: Range, [c, d]: Range): Range => [a - d, b - c];

/** Of positive numbers; of others nothing is known. */
function over([a, b]: Range, [c, d]: Range): Range {
  if (!(a > 0 && c > 0)) return ANY;
  return [a / d, b / c];
}

/** The range of a contrast by those of its arms' middles. */
export function rangeOf(contrast: Contrast, ranges: { readonly [arm: string]: Range }): Range {
  const of = (arm: string): Range => ranges[arm] ?? ANY;
  if (contrast.share) return contrast.kind === 'level' ? [0, 1] : contrast.kind === 'slope' ? ANY : [-1, 1];
  switch (contrast.kind) {
    case 'difference':
      return minus(of(contrast.arm), of(contrast.over));
    case 'ratio':
      return over(of(contrast.arm), of(contrast.over));
    case 'level':
    case 'every':
      return of(contrast.arm);
    case 'published': {
      const { mean } = contrast.theirs;
      return minus(of(contrast.arm), [mean, mean]);
    }
    case 'rank':
    case 'agree':
    case 'pairs':
      return [-1, 1];
    case 'order': {
      // the smallest of the steps is at most the smallest of what each step can be
      const steps = contrast.arms.slice(1).map((arm, i) => minus(of(contrast.arms[i]!), of(arm)));
      return [Math.min(...steps.map(([least]) => least)), Math.min(...steps.map(([, most]) => most))];
    }
    case 'cells': {
      const cells = contrast.cells.map(([first = '', ...rivals], k) => {
        const unit = contrast.units?.[k] ?? 1;
        const steps = rivals.map((rival) => minus(of(first), of(rival)));
        return [Math.min(...steps.map(([least]) => least)) / unit, Math.max(...steps.map(([, most]) => most)) / unit] as const;
      });
      return [Math.min(...cells.map(([least]) => least)), Math.max(...cells.map(([, most]) => most))];
    }
    case 'slope':
      return ANY;
  }
}

/** Contrasts whose size, or bar, lies outside of what they can be, each in a sentence. `ranges` by arm. */
export function impossible(paper: JudgedCard, ranges: { readonly [arm: string]: Range } = scoreRanges(paper)): readonly string[] {
  return paper.contrasts.flatMap((contrast) => {
    const [least, most] = rangeOf(contrast, ranges);
    const asked = contrast.kind === 'level' || contrast.kind === 'every' ? contrast.none : contrast.size;
    if (asked === undefined) return [];
    if (contrast.claim === 'above' ? asked <= most : asked >= least) return [];
    const end = contrast.claim === 'above' ? `at most ${Number(most.toPrecision(4))}` : `at least ${Number(least.toPrecision(4))}`;
    return [`"${contrast.id}" asks for ${asked}, and can be ${end} with this budget.`];
  });
}

/**
 * The range with the arm that stands still where the pilot found it: what the claimed arm can still win over its rival, or how late a rival can
 * come beside its winner. Runs that count steps to a level are bounded above alone.
 */
export function rangeWith(
  paper: JudgedCard,
  contrast: Contrast,
  found: { readonly [arm: string]: number | undefined },
  ceilings: Ceilings = {},
): Range {
  if (contrast.kind !== 'difference' && contrast.kind !== 'ratio') return ANY;
  const ranges = scoreRanges(paper, ceilings);
  const timed = (arm: string): boolean =>
    'reaches' in
    quantityOfArm(
      paper,
      paper.arms.findIndex(({ id }) => id === arm),
    );
  const still = (arm: string): Range => {
    const value = found[arm];
    return value === undefined ? ANY : [value, value];
  };
  const moving = (arm: string): Range => {
    const [least, most] = ranges[arm] ?? ANY;
    return timed(arm) ? [Number.NEGATIVE_INFINITY, most] : [least, most];
  };
  const of = contrast.kind === 'difference' ? minus : overTop;
  const { arm, over: rival } = contrast;
  const [a, b] = [of(moving(arm), still(rival)), of(still(arm), moving(rival))];
  return [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
}

/** A ratio of positive numbers of which some have no lower bound. */
function overTop([a, b]: Range, [c, d]: Range): Range {
  return [a > 0 && d > 0 ? a / d : Number.NEGATIVE_INFINITY, c > 0 && b > 0 ? b / c : Number.POSITIVE_INFINITY];
}
