/** What stands for 0 and 1 where scores of several environments are put on one scale. */
import type { ReferenceReturn } from './catalog.ts';

/** The highest reference that is not random play. Bounds that nothing reaches count only where there is nothing else. */
export function bestKnown(references: readonly ReferenceReturn[]): ReferenceReturn | undefined {
  const known = references.filter(({ name }) => !/\brandom\b/.test(name));
  const played = known.filter(({ name }) => name !== 'upper bound');
  return (played.length > 0 ? played : known).toSorted((a, b) => b.value - a.value)[0];
}

/** Policies that do nothing towards the task. */
const NOTHING = /^(random|free riders|doing nothing)$/;

/** What is reached without learning: by random play, or by doing nothing where that is better. */
export const reachedByNothing = (references: readonly ReferenceReturn[]): ReferenceReturn | undefined =>
  references.filter(({ name }) => NOTHING.test(name)).toSorted((a, b) => b.value - a.value)[0];

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Where the ends come from. */
  readonly from: string;
}

/** 0 is what is reached without learning and 1 the best known of the environment; without those, the lowest and highest of these scores. */
export function scaleOf(references: readonly ReferenceReturn[], scores: readonly number[]): Scale {
  const floor = reachedByNothing(references);
  const top = bestKnown(references);
  if (floor !== undefined && top !== undefined && top.value > floor.value)
    return { low: floor.value, high: top.value, from: `0 is ${floor.name}, 1 is ${top.name}` };
  if (scores.length === 0) return { low: 0, high: 1, from: 'nothing measured' };
  return { low: Math.min(...scores), high: Math.max(...scores), from: '0 is the lowest run here, 1 the highest' };
}
