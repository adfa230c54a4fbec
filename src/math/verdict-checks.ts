/**
 * What voids a verdict before its contrasts are read: an arm that plays no better than at random, arms that are all at the ceiling, arms
 * that had unequal steps or parameters, a comparator that was tuned less than what it is compared with. What the scores alone show
 * (a control, no spread, runs cut short) is in rule.ts. A void verdict is inconclusive.
 */

import { armsOf, type Contrast, type Scores } from './contrasts.ts';
import type { ScoreVoid } from './rule.ts';
import { iqm } from './stats.ts';

/** What is known of an arm beside its scores. */
export interface ArmFacts {
  /** Environment steps of one run; null: nothing is trained. */
  readonly steps: number | null;
  /** Numbers that one run learns; null: not counted or nothing is learned. */
  readonly parameters: number | null;
  /** Configurations tried for this arm, on other seeds, before its settings were fixed; null: nothing to tune. */
  readonly trials: number | null;
  /** In its world, in the unit of the quantity. */
  readonly random?: number | undefined;
  readonly ceiling?: number | undefined;
}

export type CheckId = 'seeds' | 'random' | 'ceiling' | 'steps' | 'parameters' | 'trials' | ScoreVoid['check'];

/** A check that failed, in words. */
export interface Void {
  readonly check: CheckId;
  readonly text: string;
}

/** Which scores are good, and what bounds them; an arm in another world has bounds of its own. */
export interface Scale {
  readonly better: 'more' | 'less';
  /** Score of random play. */
  readonly random?: number;
  /** Best score that there is. */
  readonly ceiling?: number;
}

/** Steps and parameters of compared arms may differ by this factor. */
const UNEQUAL = 1.1;
/** Share of the way from random play to the ceiling (without one: to the best arm) below which an arm is at random level. */
const NEAR_RANDOM = 0.05;
/** Share of that way within which an arm is at the ceiling. */
const NEAR_CEILING = 0.02;

/** Checks and arms that a paper exempts, each with its reason: a script learns nothing, a control is meant to fail. */
export type Exempt = readonly { readonly check: CheckId; readonly arms: readonly string[]; readonly why: string }[];

function unequal(check: 'steps' | 'parameters', arms: readonly string[], facts: (arm: string) => ArmFacts): Void | null {
  const counted = arms.flatMap((arm) => {
    const value = facts(arm)[check];
    return value === null ? [] : [{ arm, value }];
  });
  if (counted.length < 2) return null;
  const most = counted.reduce((a, b) => (b.value > a.value ? b : a));
  const least = counted.reduce((a, b) => (b.value < a.value ? b : a));
  if (most.value <= UNEQUAL * least.value) return null;
  return { check, text: `${most.arm} has ${most.value} ${check}, ${least.arm} has ${least.value}: more than 10 % apart.` };
}

/** The arm that a contrast speaks for: its first, but the last of an order that is claimed to go from the worst to the best. */
function favoured(contrast: Contrast, better: Scale['better']): string {
  const arms = armsOf(contrast);
  const upwards = contrast.kind === 'order' && (contrast.claim === 'above') !== (better === 'more');
  return arms[upwards ? arms.length - 1 : 0]!;
}

/** How far up an arm is from random play (0) to the best (1); null where random play is not known. */
function height(score: number, random: number | undefined, top: number, sign: 1 | -1): number | null {
  if (random === undefined) return null;
  const range = top - sign * random;
  return range > 0 ? (score - sign * random) / range : 0;
}

/** Every failed check over the arms of the contrasts. Scores by arm; every arm needs its facts. Throws RangeError for one without. */
export function voids(
  contrasts: readonly Contrast[],
  scores: Scores,
  facts: { readonly [arm: string]: ArmFacts },
  better: Scale['better'],
  exempt: Exempt = [],
): readonly Void[] {
  const known = (arm: string): ArmFacts => {
    const found = facts[arm];
    if (found === undefined) throw new RangeError(`Nothing is known of the arm "${arm}".`);
    return found;
  };
  const free = (check: CheckId, arm: string): boolean => exempt.some((one) => one.check === check && one.arms.includes(arm));
  const sign = better === 'more' ? 1 : -1;
  const out: Void[] = [];
  const add = (found: Void | null): void => {
    if (found && !out.some(({ text }) => text === found.text)) out.push(found);
  };
  for (const contrast of contrasts) {
    const arms = armsOf(contrast);
    const score = arms.map((arm) => sign * iqm(scores[arm] ?? []));
    const best = Math.max(...score);
    const bounded = arms.map((arm, k) => {
      const { random, ceiling } = known(arm);
      const top = ceiling === undefined ? best : sign * ceiling;
      const up = height(score[k]!, random, top, sign);
      if (up !== null && up <= NEAR_RANDOM && !free('random', arm))
        add({ check: 'random', text: `${arm} plays no better than at random.` });
      if (ceiling === undefined) return false;
      return up === null ? score[k]! >= top - NEAR_CEILING * Math.abs(top) : up >= 1 - NEAR_CEILING;
    });
    const judged = bounded.filter((_, k) => !free('ceiling', arms[k]!));
    if (judged.length > 1 && judged.every(Boolean))
      add({ check: 'ceiling', text: `${arms.join(', ')} are all at the ceiling: nothing is left to compare.` });
    for (const check of ['steps', 'parameters'] as const) {
      add(
        unequal(
          check,
          arms.filter((arm) => !free(check, arm)),
          known,
        ),
      );
    }
    const first = favoured(contrast, better);
    const trials = known(first).trials;
    for (const other of arms) {
      const fewer = known(other).trials;
      if (trials === null || fewer === null || fewer >= trials || free('trials', other)) continue;
      add({ check: 'trials', text: `${other} was tuned with ${fewer} trials, ${first} with ${trials}.` });
    }
  }
  return out;
}
