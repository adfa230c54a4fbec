/** What may be said of two groups of runs, in words: never a winner where intervals overlap, nothing below five seeds. */
import { fewest, type Improvement, improvement, stratifiedInterval, type Tasks } from '#math/improvement.ts';
import { SEEDS_FOR_INTERVAL } from '#math/seeds.ts';

export interface Sample {
  readonly name: string;
  /** Scores of its runs by task, where more is better unless said otherwise. */
  readonly tasks: ReadonlyMap<string, readonly number[]>;
}

export interface Judged extends Improvement {
  /** few: below five seeds; open: they cannot be told apart; first, second: that one is above the other. none: they share no task. */
  readonly state: 'none' | 'few' | 'open' | 'first' | 'second';
  readonly text: string;
}

const two = (value: number): string => value.toFixed(2);
const seeds = (count: number): string => `${count} ${count === 1 ? 'seed' : 'seeds'}`;

/**
 * The verdict on two groups over the tasks that both have. A winner needs both: the interval of the probability of improvement without one
 * half, and intervals of the interquartile means that do not overlap. `better`: less turns the scores round (steps to a level).
 * `comparable`: scores of different tasks stand on one scale, so that their means may be pooled; otherwise means decide task by task.
 */
export function judgePair(
  a: Sample,
  b: Sample,
  { better, comparable }: { readonly better: 'more' | 'less'; readonly comparable: boolean },
): Judged {
  const shared = [...a.tasks.keys()].filter((task) => (a.tasks.get(task)?.length ?? 0) > 0 && (b.tasks.get(task)?.length ?? 0) > 0);
  const sign = better === 'more' ? 1 : -1;
  const of = ({ tasks }: Sample): Tasks => shared.map((task) => (tasks.get(task) ?? []).map((score) => sign * score));
  if (shared.length === 0)
    return { p: Number.NaN, interval: null, runs: 0, state: 'none', text: `${a.name} and ${b.name} share no environment.` };
  const [ofA, ofB] = [of(a), of(b)];
  const found = improvement(ofA, ofB);
  const { p, interval, runs } = found;
  const word = better === 'more' ? 'above' : 'sooner than';
  if (interval === null)
    return {
      ...found,
      state: 'few',
      text: `${a.name} ${word} ${b.name}: ${two(p)}, only ${seeds(runs)}. No verdict below ${SEEDS_FOR_INTERVAL} seeds.`,
    };
  const range = `[${two(interval[0])}, ${two(interval[1])}], ${seeds(runs)}`;
  // The second bootstrap is drawn only where the first one leaves a winner possible.
  const possible = interval[0] > 0.5 || interval[1] < 0.5;
  const apart =
    possible &&
    (comparable || shared.length === 1 ? separate(ofA, ofB) : ofA.every((runsOfTask, k) => separate([runsOfTask], [ofB[k] ?? []])));
  if (apart && interval[0] > 0.5) return { ...found, state: 'first', text: `${a.name} ${word} ${b.name}: ${two(p)} ${range}.` };
  if (apart && interval[1] < 0.5)
    return {
      ...found,
      state: 'second',
      text: `${b.name} ${word} ${a.name}: ${two(1 - p)} [${two(1 - interval[1])}, ${two(1 - interval[0])}], ${seeds(runs)}.`,
    };
  return { ...found, state: 'open', text: `${a.name} and ${b.name} cannot be told apart: ${two(p)} ${range}.` };
}

/** Whether the intervals of both interquartile means lie apart. */
function separate(a: Tasks, b: Tasks): boolean {
  if (Math.min(fewest(a), fewest(b)) < SEEDS_FOR_INTERVAL) return false;
  const [x, y] = [stratifiedInterval(a), stratifiedInterval(b)];
  return x !== null && y !== null && (x[0] > y[1] || y[0] > x[1]);
}

/** Scores of one task on the scale of two reference scores: 0 is the low one, 1 the high one. */
export function normalised(scores: readonly number[], low: number, high: number): readonly number[] {
  return scores.map((score) => (high === low ? 0 : (score - low) / (high - low)));
}
