/**
 * What voids a verdict before its contrasts are read: an arm that plays no better than at random, arms that are all at the ceiling, arms
 * that had unequal steps or parameters, a comparator that was tuned less than what it is compared with. A void verdict is inconclusive.
 */
import { iqm } from './stats.ts';
import { armsOf, type Contrast, type Scores } from './verdict.ts';

/** What is known of an arm beside its scores. */
export interface ArmFacts {
  /** Environment steps of one run; null: nothing is trained. */
  readonly steps: number | null;
  /** Numbers that one run learns; null: not counted or nothing is learned. */
  readonly parameters: number | null;
  /** Configurations tried for this arm, on other seeds, before its settings were fixed; null: nothing to tune. */
  readonly trials: number | null;
}

export type CheckId = 'seeds' | 'random' | 'ceiling' | 'steps' | 'parameters' | 'trials';

/** A check that failed, in words. */
export interface Void {
  readonly check: CheckId;
  readonly text: string;
}

export interface Scale {
  /** Score of random play, in the unit of the quantity. */
  readonly random?: number;
  /** Best score that there is. */
  readonly ceiling?: number;
  readonly better: 'more' | 'less';
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

/** Every failed check over the arms of the contrasts. Scores by arm; every arm needs its facts. Throws RangeError for one without. */
export function voids(
  contrasts: readonly Contrast[],
  scores: Scores,
  facts: { readonly [arm: string]: ArmFacts },
  scale: Scale,
  exempt: Exempt = [],
): readonly Void[] {
  const known = (arm: string): ArmFacts => {
    const found = facts[arm];
    if (found === undefined) throw new RangeError(`Nothing is known of the arm "${arm}".`);
    return found;
  };
  const free = (check: CheckId, arm: string): boolean => exempt.some((one) => one.check === check && one.arms.includes(arm));
  const arms = [...new Set(contrasts.flatMap(armsOf))];
  const sign = scale.better === 'more' ? 1 : -1;
  const score = new Map(arms.map((arm) => [arm, sign * iqm(scores[arm] ?? [])]));
  const out: Void[] = [];

  const random = scale.random === undefined ? undefined : sign * scale.random;
  const top = scale.ceiling === undefined ? Math.max(...score.values()) : sign * scale.ceiling;
  if (random !== undefined) {
    for (const [arm, value] of score) {
      if (!free('random', arm) && value <= random + NEAR_RANDOM * Math.max(0, top - random))
        out.push({ check: 'random', text: `${arm} plays no better than at random.` });
    }
  }
  if (scale.ceiling !== undefined) {
    const range = random === undefined ? Math.abs(top) : top - random;
    const judged = arms.filter((arm) => !free('ceiling', arm));
    if (judged.length > 1 && judged.every((arm) => score.get(arm)! >= top - NEAR_CEILING * range))
      out.push({ check: 'ceiling', text: 'All arms are at the ceiling: nothing is left to compare.' });
  }

  for (const contrast of contrasts) {
    const compared = armsOf(contrast);
    for (const check of ['steps', 'parameters'] as const) {
      const found = unequal(
        check,
        compared.filter((arm) => !free(check, arm)),
        known,
      );
      if (found && !out.some(({ text }) => text === found.text)) out.push(found);
    }
    const [claiming, ...others] = compared;
    const trials = claiming === undefined ? null : known(claiming).trials;
    for (const other of contrast.kind === 'difference' || contrast.kind === 'ratio' || contrast.kind === 'order' ? others : []) {
      const fewer = known(other).trials;
      if (trials === null || fewer === null || fewer >= trials || free('trials', other)) continue;
      out.push({ check: 'trials', text: `${other} was tuned with ${fewer} trials, ${claiming} with ${trials}.` });
    }
  }
  return out;
}
