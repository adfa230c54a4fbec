/**
 * What the rivals of a contrast must be before it says anything: below the ceiling where another arm is to be better than them; at the end of
 * their learning, and competent, where another arm is to be no worse; and other, in what was learned, than the arm that they are compared with.
 */

import { type Contrast, isBar, isMargin, type Scores } from './contrasts.ts';
import { iqm } from './stats.ts';
import type { ArmFacts, CheckId, Scale, Void } from './verdict-facts.ts';

/** Share of the way from random play to the ceiling from which on a rival leaves too little to be better by. */
const AT_CEILING = 0.95;
/** Share of that way by which the last fifth of training may lie above the fifth before. */
const MOST_RISE = 0.03;
/** Share of seeds from which on a mechanism that did not act voids. */
const MOST_ALIKE = 0.2;

/** One arm beside those that it is compared with, in one world. */
export interface Place {
  readonly first: string;
  readonly rivals: readonly string[];
}

/** The arm that a contrast speaks for: its first, but the last of an order that is claimed to go from the worst to the best. */
export function favoured(arms: readonly string[], contrast: Contrast, better: Scale['better']): string {
  const upwards = contrast.kind === 'order' && (contrast.claim === 'above') !== (better === 'more');
  return arms[upwards ? arms.length - 1 : 0]!;
}

/** How far up an arm is from random play (0) to the best (1); null where random play is not known. `score` and `top` times `sign`: 1, or -1 where less is better. */
export function height(score: number, random: number | undefined, top: number, sign: 1 | -1): number | null {
  if (random === undefined) return null;
  const range = top - sign * random;
  return range > 0 ? (score - sign * random) / range : 0;
}

/** Where a contrast sets one arm against others, and in how many of these places its claim must hold. Of other kinds: nowhere. */
export function placesOf(contrast: Contrast, better: Scale['better']): { readonly places: readonly Place[]; readonly need: number } {
  switch (contrast.kind) {
    case 'difference':
    case 'ratio':
      return { places: [{ first: contrast.arm, rivals: [contrast.over] }], need: 1 };
    case 'order': {
      const first = favoured(contrast.arms, contrast, better);
      return { places: [{ first, rivals: contrast.arms.filter((arm) => arm !== first) }], need: 1 };
    }
    case 'cells':
      return { places: contrast.cells.map(([first = '', ...rivals]) => ({ first, rivals })), need: contrast.of };
    default:
      return { places: [], need: 0 };
  }
}

/** Whether a contrast claims that one arm is better than others. Of a bar, and of correlations and slopes, none is a rival. */
export const isSuperiority = (contrast: Contrast, better: Scale['better']): boolean =>
  !isBar(contrast) && !isMargin(contrast) && !contrast.control && placesOf(contrast, better).places.length > 0;

/** Two arms of other configs that ended alike, bit for bit. */
export interface Alike {
  readonly first: string;
  readonly rival: string;
  /** Seeds on which they did, of how many. */
  readonly seeds: number;
  readonly of: number;
}

/** Arms that are compared, that were set otherwise, and ended alike on some seed: what sets them apart did not act there. */
export function alikeIn(contrast: Contrast, factsOf: (arm: string) => ArmFacts, better: Scale['better']): readonly Alike[] {
  const pairs = placesOf(contrast, better).places.flatMap(({ first, rivals }) => rivals.map((rival) => ({ first, rival })));
  return pairs.flatMap(({ first, rival }): readonly Alike[] => {
    const { learned: ours = [], config } = factsOf(first);
    const { learned: theirs = [], config: other } = factsOf(rival);
    if (config === other) return [];
    const of = Math.min(ours.length, theirs.length);
    const seeds = ours.slice(0, of).filter((learned, i) => learned !== '' && learned === theirs[i]).length;
    return seeds === 0 ? [] : [{ first, rival, seeds, of }];
  });
}

/** "a and b learned the same, bit for bit, on 2 of 5 seeds". */
export const alikeInWords = ({ first, rival, seeds, of }: Alike): string =>
  `${first} and ${rival} learned the same, bit for bit, on ${seeds} of ${of} seeds: what sets them apart did not act there.`;

/**
 * What its rivals lack for one contrast. `free`: arms that the paper exempts. Of cells it is void only where fewer places are left than must
 * hold. A check for which an arm lacks a number finds nothing: claims/checks.ts lists it as not run.
 */
export function rivalVoids(
  contrast: Contrast,
  scores: Scores,
  factsOf: (arm: string) => ArmFacts,
  better: Scale['better'],
  free: (check: CheckId, arm: string) => boolean,
): readonly Void[] {
  const sign = better === 'more' ? 1 : -1;
  const { places, need } = placesOf(contrast, better);
  const heightOf = (arm: string, score: number): number | null => {
    const { random, ceiling } = factsOf(arm);
    return ceiling === undefined ? null : height(sign * score, random, sign * ceiling, sign);
  };
  /** The sentences of a check, where so many places fail it that the claim cannot hold in enough of the others. */
  const failing = (check: CheckId, fault: (rival: string) => string | null): readonly Void[] => {
    const faults = places.map(({ rivals }) => rivals.flatMap((rival) => (free(check, rival) ? [] : (fault(rival) ?? []))));
    const sound = faults.filter((texts) => texts.length === 0).length;
    return sound >= need ? [] : faults.flat().map((text): Void => ({ check, text }));
  };
  const alike = alikeIn(contrast, factsOf, better)
    .filter(({ seeds, of, first, rival }) => seeds >= MOST_ALIKE * of && !free('acts', first) && !free('acts', rival))
    .map((one): Void => ({ check: 'acts', text: alikeInWords(one) }));
  if (isSuperiority(contrast, better))
    return [
      ...failing('headroom', (rival) => {
        const up = free('ceiling', rival) ? null : heightOf(rival, iqm(scores[rival] ?? []));
        if (up === null || up < AT_CEILING) return null;
        return `${rival} alone is at ${Math.floor(100 * up)} % of the way from random play to the ceiling: nothing is left to be better by.`;
      }),
      ...alike,
    ];
  if (!isMargin(contrast)) return alike;
  return [
    ...failing('rising', (rival) => {
      const { random, ceiling, rise } = factsOf(rival);
      if (random === undefined || ceiling === undefined || rise === undefined) return null;
      const share = (sign * rise) / Math.abs(ceiling - random);
      if (share <= MOST_RISE) return null;
      return `${rival} is still rising: by ${(100 * share).toFixed(1)} % of the way from random play to the ceiling in the last fifth of its training.`;
    }),
    ...failing('competence', (rival) => {
      const { competent } = factsOf(rival);
      const score = iqm(scores[rival] ?? []);
      if (competent === undefined || sign * score >= sign * competent) return null;
      return `${rival} is not competent: it got ${Number(score.toPrecision(4))}, and should have ${competent}.`;
    }),
    ...alike,
  ];
}
