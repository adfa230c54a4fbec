/** Contrasts: the comparisons that a claim stands on, one number each, made of the scores of runs. */

/** How the seeds of an arm become one number. */
export type Middle = 'iqm' | 'median' | 'mean';

/** Scores that others published: their mean, standard deviation over seeds, and how many seeds, two at least. */
export interface Theirs {
  readonly mean: number;
  readonly deviation: number;
  readonly seeds: number;
}

interface Claimed {
  /** Names the contrast within its paper. */
  readonly id: string;
  /** On which side of the null the claim says it lies. */
  readonly claim: 'above' | 'below';
  /** What it is where the claim's effect is absent. Default: 0; 1 for a ratio. On the other side of that: a margin ("no worse than"). */
  readonly none?: number;
  /** The effect of the claim, as a value of the contrast beyond `none`. `level`, `every`, margins and controls may have none. */
  readonly size?: number;
  /** Every sane learner passes it (above random play, say): it does not count as a part of the claim, and voids the verdict where it is not held. */
  readonly control?: boolean;
  /**
   * The deficit that a method mends is there, without the method: it does not count as a part of the claim, and where it is not held nothing is
   * said of the method.
   */
  readonly premise?: boolean;
  /** Default: 'iqm'. */
  readonly middle?: Middle;
  /** In place of a middle: the share of an arm's seeds that pass a level. For ends with two humps: solved or not. */
  readonly share?: { readonly atLeast: number } | { readonly atMost: number };
  /** Resample seeds of all arms together: where runs of one seed share what they start from (the same frozen team, say). Default: false. */
  readonly paired?: boolean;
  /** So many recordings, families of worlds or the like, two at least, that the runs or places come from: they are the sample. Default: each run. */
  readonly clusters?: number;
}

/**
 * difference: middle(arm) - middle(over).  ratio: middle(arm) / middle(over); every score positive.
 * order: the smallest step down the list arms[0] > arms[1] > ..., so above 0 means that all of the order holds.
 * slope: least-squares slope of the arms' middles over the swept number x, per unit of x; with `over`, of what lies between them and those arms.
 * rank: Spearman's correlation of x and score over all runs, -1..1.
 * cells: in each cell, the first arm's middle less the best of the others' (claim below: less the smallest); of these the `of`-th largest
 *   (smallest). Above -m: in at least `of` cells the first arm is the best or at most m behind.
 *   `units` of both: what each place is divided by, the way from random play to the best in its world, say.
 * agree: Spearman's correlation of the arms' middles with those of `others`, place by place, -1..1. The places (worlds, tasks) are the sample.
 * pairs: Spearman's correlation of two quantities over runs, -1..1: the scores of `arms` and those of `others`, place by place and seed by
 *   seed. One place: its runs are the sample; several: the places are, four at least.
 * level: middle(arm) against the fixed number `none`, which must be given; reaching it is enough.
 * every: the worst seed of an arm against the fixed number `none`; no interval, one seed below it refutes.
 * published: middle(arm) - theirs.mean, where the interval holds the spread of what was published, too. Above -m: at most m worse.
 */
export type Contrast = Claimed &
  (
    | { readonly kind: 'difference' | 'ratio'; readonly arm: string; readonly over: string }
    | { readonly kind: 'order'; readonly arms: readonly string[] }
    | { readonly kind: 'rank'; readonly arms: readonly string[]; readonly x: readonly number[] }
    | {
        readonly kind: 'slope';
        readonly arms: readonly string[];
        readonly x: readonly number[];
        readonly over?: readonly string[];
        readonly units?: readonly number[];
      }
    | { readonly kind: 'cells'; readonly cells: readonly (readonly string[])[]; readonly of: number; readonly units?: readonly number[] }
    | { readonly kind: 'agree' | 'pairs'; readonly arms: readonly string[]; readonly others: readonly string[] }
    | { readonly kind: 'level' | 'every'; readonly arm: string; readonly none: number }
    | { readonly kind: 'published'; readonly arm: string; readonly theirs: Theirs }
  );

/** Scores by arm, in the order of the seeds. */
export type Scores = { readonly [arm: string]: readonly number[] };

/** Runs that were cut short: the highest value that each score may have; null: the score is what it is. Arms that are missing have no such run. */
export type UpTo = { readonly [arm: string]: readonly (number | null)[] };

/** Names of the arms that a contrast reads, in its order. */
export function armsOf(contrast: Contrast): readonly string[] {
  switch (contrast.kind) {
    case 'difference':
    case 'ratio':
      return [contrast.arm, contrast.over];
    case 'level':
    case 'every':
    case 'published':
      return [contrast.arm];
    case 'agree':
    case 'pairs':
      return [...contrast.arms, ...contrast.others];
    case 'slope':
      return [...contrast.arms, ...(contrast.over ?? [])];
    case 'cells':
      return contrast.cells.flat();
    default:
      return contrast.arms;
  }
}

/** Arms that are compared with one another: of cells, which are worlds or tasks of their own, those of each by itself. */
export const groupsOf = (contrast: Contrast): readonly (readonly string[])[] =>
  contrast.kind === 'cells' ? contrast.cells : [armsOf(contrast)];

/** What the contrast is where its arms are alike. */
export const neutralOf = (contrast: Contrast): number => (contrast.kind === 'ratio' ? 1 : 0);

/** Whether it counts as a part of the claim: neither a control nor a premise. */
export const isCounted = ({ control = false, premise = false }: Contrast): boolean => !control && !premise;

/** What the contrast is where the effect is absent. */
export const noneOf = (contrast: Contrast): number => contrast.none ?? neutralOf(contrast);

/** Whether one arm stands against a fixed number. */
export const isBar = (contrast: Contrast): contrast is Contrast & { readonly kind: 'level' | 'every' } =>
  contrast.kind === 'level' || contrast.kind === 'every';

/** Own seeds that a published mean can be held against: with more of them its own few seeds would decide (bench/verdict-simulation.ts). */
export const seedsBeside = ({ seeds }: Theirs): number => Math.max(5, seeds);

/** Whether the claim is "no worse than": arms that are alike lie on the claimed side of `none`. */
export function isMargin(contrast: Contrast): boolean {
  const beyond = neutralOf(contrast) - noneOf(contrast);
  return !isBar(contrast) && (contrast.claim === 'above' ? beyond > 0 : beyond < 0);
}

/** Whether its states are held, refuted and open alone. */
export const hasNoSize = (contrast: Contrast): boolean => isBar(contrast) || isMargin(contrast) || contrast.size === undefined;

/** Whether a size would mean nothing. */
const takesNoSize = (contrast: Contrast): boolean => isBar(contrast) || isMargin(contrast);

/** What is wrong with the form of a contrast, beside the names of its arms: the field and a sentence; null: nothing. */
export function faultOf(contrast: Contrast): { readonly field: string; readonly text: string } | null {
  const { kind, claim, size, clusters } = contrast;
  const none = noneOf(contrast);
  const arms = armsOf(contrast);
  if (kind !== 'cells' && new Set(arms).size < arms.length) return { field: 'arms', text: 'an arm is compared with itself: name another.' };
  if (kind === 'cells' && contrast.cells.some((cell) => new Set(cell).size < cell.length))
    return { field: 'cells', text: 'an arm is compared with itself in a cell: name another.' };
  if (contrast.control && contrast.premise) return { field: 'premise', text: 'a contrast is a control or a premise, not both.' };
  if (clusters !== undefined && !(Number.isInteger(clusters) && clusters > 1))
    return { field: 'clusters', text: 'it must be a whole number, 2 or more.' };
  if (kind === 'ratio' && none <= 0) return { field: 'none', text: 'the null of a ratio must be above 0.' };
  if (kind === 'ratio' && contrast.share) return { field: 'share', text: 'shares of seeds may be 0: take their difference.' };
  if (contrast.share && (kind === 'rank' || kind === 'pairs' || kind === 'every'))
    return { field: 'share', text: `${kind} reads single runs: it has no share of seeds.` };
  if (contrast.kind === 'published') {
    const { mean, deviation, seeds } = contrast.theirs;
    if (!Number.isFinite(mean)) return { field: 'theirs.mean', text: 'it must be a number.' };
    if (!(deviation >= 0)) return { field: 'theirs.deviation', text: 'it must be 0 or more: the standard deviation over their seeds.' };
    if (!(Number.isInteger(seeds) && seeds > 1)) return { field: 'theirs.seeds', text: 'it must be a whole number, 2 or more.' };
    if (contrast.share) return { field: 'share', text: 'a published mean is held against a middle: leave it out.' };
  }
  if (size === undefined) {
    if (takesNoSize(contrast) || contrast.control || contrast.premise) return null;
    return { field: 'size', text: 'it needs a size: the effect of the claim, as a value of the contrast.' };
  }
  if (takesNoSize(contrast)) return { field: 'size', text: 'level, every and a margin ("no worse than") have no size: leave it out.' };
  if (kind === 'ratio' && size <= 0) return { field: 'size', text: 'the size of a ratio must be above 0.' };
  if (claim === 'above' ? size <= none : size >= none)
    return { field: 'size', text: `the size must lie ${claim} the null, which is ${none}.` };
  return null;
}
