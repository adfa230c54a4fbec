/** Which three presses stand below a run that has ended, chosen from what it showed. Pure. */
import type { Course } from '#math/standing.ts';

export type Press = 'seeds' | 'longer' | 'world' | 'lesson' | 'paper';

export interface Seen {
  /** null: too little was measured to say. */
  readonly course: Course | null;
  /** Start and end differ by no more than chance. */
  readonly chance: boolean;
  readonly seeds: number;
  /** What there is beside it: another form of the world, a lesson, a paper. */
  readonly world: boolean;
  readonly lesson: boolean;
  readonly paper: boolean;
}

const MOST = 3;
/** Of fewer seeds no interval is drawn. */
const FEW_SEEDS = 5;

/** Who learned meets another world and what others know of it; who did not gets more time; what may be chance is tried with other seeds. */
export function nextPresses({ course, chance, seeds, world, lesson, paper }: Seen): readonly Press[] {
  const learned = course === 'up' && !chance;
  const order: readonly Press[] = learned
    ? seeds < FEW_SEEDS
      ? ['world', 'seeds', 'lesson', 'paper', 'longer']
      : ['world', 'lesson', 'paper', 'seeds', 'longer']
    : chance
      ? ['seeds', 'longer', 'lesson', 'paper', 'world']
      : ['longer', 'lesson', 'seeds', 'paper', 'world'];
  const there = { seeds: true, longer: true, world, lesson, paper };
  return order.filter((press) => there[press]).slice(0, MOST);
}
