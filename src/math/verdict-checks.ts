/**
 * What voids a verdict before its contrasts are read: an arm that plays no better than at random, arms that are all at the ceiling, arms
 * that had unequal steps or parameters, a comparator that was tuned less than what it is compared with. What rivals must be is in
 * verdict-rivals.ts. What the scores alone show (a control, no spread, runs cut short) is in rule.ts. A failed check leaves the outcome open.
 */

import { armsOf, type Contrast, groupsOf, type Scores } from './contrasts.ts';
import { iqm } from './stats.ts';
import type { ArmFacts, CheckId, Exempt, Scale, Void } from './verdict-facts.ts';
import { favoured, height, rivalVoids } from './verdict-rivals.ts';

/** Steps and parameters of compared arms may differ by this factor. */
export const UNEQUAL = 1.1;
/** Share of the way from random play to the ceiling (without one: to the best arm) below which an arm is at random level. */
const NEAR_RANDOM = 0.05;
/** Share of that way within which an arm is at the ceiling. */
const NEAR_CEILING = 0.02;

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
    const groups = groupsOf(contrast);
    const middle = (arm: string): number => sign * iqm(scores[arm] ?? []);
    const score = arms.map(middle);
    const bounded = arms.map((arm, k) => {
      const { random, ceiling } = known(arm);
      const beside = groups.filter((group) => group.includes(arm)).flat();
      const top = ceiling === undefined ? Math.max(...beside.map(middle)) : sign * ceiling;
      const up = height(score[k]!, random, top, sign);
      if (up !== null && up <= NEAR_RANDOM && !free('random', arm))
        add({ check: 'random', text: `${arm} plays no better than at random.` });
      if (ceiling === undefined) return false;
      return up === null ? score[k]! >= top - NEAR_CEILING * Math.abs(top) : up >= 1 - NEAR_CEILING;
    });
    const judged = bounded.filter((_, k) => !free('ceiling', arms[k]!));
    if (judged.length > 1 && judged.every(Boolean))
      add({ check: 'ceiling', text: `${arms.join(', ')} are all at the ceiling: nothing is left to compare.` });
    for (const found of rivalVoids(contrast, scores, known, better, free)) add(found);
    for (const group of groups) {
      const compared = (check: CheckId): string[] => group.filter((arm) => !free(check, arm));
      add(unequal('steps', compared('steps'), known));
      add(unequal('parameters', compared('parameters'), known));
      const first = favoured(group, contrast, better);
      const trials = known(first).trials;
      for (const other of compared('trials')) {
        const fewer = known(other).trials;
        if (trials === null || fewer === null || fewer >= trials) continue;
        add({ check: 'trials', text: `${other} was tuned with ${fewer} trials, ${first} with ${trials}.` });
      }
    }
  }
  return out;
}
