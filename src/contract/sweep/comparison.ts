/**
 * Conclusions on groups of runs, in words: the one rule of comparing, for the pages and the command line alike. Nothing below five
 * seeds; a winner needs two things over the environments that both groups have, each counting alike: the 95 % interval of the chance that a
 * run of one scores above one of the other (probability of improvement, Agarwal et al. 2021) without one half, and in each environment its
 * interquartile mean higher, the 95 % intervals of both not overlapping. Scores of different environments are never pooled, so that the
 * sentence depends on no scale and on no other group.
 */
import { type Improvement, improvement, probability, stratifiedInterval, type Tasks } from '#math/improvement.ts';
import { SEEDS_FOR_INTERVAL } from '#math/seeds.ts';
import { listed } from '../kit/listed.ts';
import { number } from '../kit/numbers.ts';

export interface Sample {
  readonly name: string;
  /** Scores of its runs by environment (task-names.ts), where more is better unless said otherwise. */
  readonly tasks: ReadonlyMap<string, readonly number[]>;
  /** Environment steps of these runs by environment, where they are known. */
  readonly budgets?: ReadonlyMap<string, readonly number[]>;
}

export type Better = 'more' | 'less';

export interface Judged extends Improvement {
  /** few: below five seeds; open: no winner; first, second: that one is above the other; none: they share no environment. */
  readonly state: 'none' | 'few' | 'open' | 'first' | 'second';
  /** The whole sentence. */
  readonly text: string;
  /** Its second half: how often one is higher, and what decides. */
  readonly why: string;
}

const percent = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

/** " in Catch", " over Acrobot and Catch"; "" where the environment has no name. */
function placeOf(tasks: readonly string[]): string {
  if (tasks.length === 1) return tasks[0] === '' ? '' : ` in ${tasks[0]}`;
  return ` over ${listed(tasks)}`;
}

/** Groups whose budgets are told one by one. */
const FEW = 3;

/** ", with different budgets (PPO 8,000 and DQN 50,000 steps)"; "" where all have as many steps. What had more of them need not be the better method. */
export function budgetWords(samples: readonly Sample[], tasks: readonly string[]): string {
  const stepsIn = (task: string, some: readonly Sample[]): readonly number[] =>
    [...new Set(some.flatMap(({ budgets }) => budgets?.get(task) ?? []))].sort((a, b) => a - b);
  const unlike = tasks.filter((task) => stepsIn(task, samples).length > 1);
  const [task] = unlike;
  if (task === undefined) return '';
  const own = samples.flatMap((sample) => {
    const steps = stepsIn(task, [sample]);
    return steps.length === 0 ? [] : [`${sample.name} ${listed(steps.map(number))}`];
  });
  const all = stepsIn(task, samples).map(number);
  const where = tasks.length < 2 ? '' : unlike.length < 2 ? ` in ${task}` : ` in ${task} and ${unlike.length - 1} more`;
  return `, with different budgets (${samples.length > FEW ? `${all[0]} to ${all.at(-1)}` : listed(own)} steps${where})`;
}

const WORDS = { more: { is: 'above', often: 'higher' }, less: { is: 'sooner than', often: 'sooner' } } as const;

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Environments in which all of these have runs, in one order everywhere: bootstraps draw environment by environment. */
export function sharedTasks(samples: readonly Sample[]): readonly string[] {
  const [first, ...others] = samples;
  const has = (sample: Sample, task: string): boolean => (sample.tasks.get(task)?.length ?? 0) > 0;
  const tasks = first === undefined ? [] : [...first.tasks.keys()].filter((task) => has(first, task));
  return tasks.filter((task) => others.every((sample) => has(sample, task))).sort(byName);
}

/** Scores over these environments, turned round where less is better. */
const scoresOf = ({ tasks }: Sample, shared: readonly string[], better: Better): Tasks =>
  shared.map((task) => (tasks.get(task) ?? []).map((score) => (better === 'more' ? score : -score)));

const intervals = new WeakMap<readonly number[], ReturnType<typeof stratifiedInterval>>();

/** Of the interquartile mean of one group's runs in one environment; computed once, however many rivals it has. */
function intervalOf(scores: readonly number[]): ReturnType<typeof stratifiedInterval> {
  let found = intervals.get(scores);
  if (found === undefined) intervals.set(scores, (found = stratifiedInterval([scores])));
  return found;
}

/** In each environment: 1 where the first is apart and better, -1 where it is worse, 0 where the intervals of the interquartile means overlap. */
function sides(a: Sample, b: Sample, tasks: readonly string[], better: Better): readonly number[] {
  return tasks.map((task) => {
    const [x, y] = [intervalOf(a.tasks.get(task) ?? []), intervalOf(b.tasks.get(task) ?? [])];
    if (x === null || y === null || (x[0] <= y[1] && y[0] <= x[1])) return 0;
    return x[0] > y[1] === (better === 'more') ? 1 : -1;
  });
}

/** The verdict on two groups over the environments that both have, or over `tasks`. `better`: less for steps to a level. */
export function judgePair(a: Sample, b: Sample, better: Better, tasks: readonly string[] = sharedTasks([a, b])): Judged {
  if (tasks.length === 0) {
    const text = `${a.name} and ${b.name} share no environment.`;
    return { p: Number.NaN, interval: null, runs: 0, state: 'none', text, why: text };
  }
  const [ofA, ofB] = [scoresOf(a, tasks, better), scoresOf(b, tasks, better)];
  const found = improvement(ofA, ofB);
  const { p, interval, runs } = found;
  const turned = p < 0.5;
  const [ahead, behind] = turned ? [b, a] : [a, b];
  const place = `${placeOf(tasks)}${budgetWords([a, b], tasks)}`;
  const { is, often } = WORDS[better];
  const seeds = `${runs} ${runs === 1 ? 'seed' : 'seeds'}`;
  const chance = `${often} in ${percent(turned ? 1 - p : p)} of pairs of runs`;
  if (interval === null) {
    const why = `${ahead.name} is ${chance}, and an interval needs ${SEEDS_FOR_INTERVAL} seeds where there ${runs === 1 ? 'is' : 'are'} ${runs}.`;
    return { ...found, state: 'few', text: `No verdict on ${ahead.name} and ${behind.name}${place}: ${why}`, why };
  }
  const [low, high] = turned ? [1 - interval[1], 1 - interval[0]] : interval;
  const often95 = `${chance} [${percent(low)}, ${percent(high)}]`;
  const open = (reason: string): Judged => {
    const why = `${ahead.name} is ${often95}, ${reason}; ${seeds}.`;
    return { ...found, state: 'open', text: `No winner between ${ahead.name} and ${behind.name}${place}: ${why}`, why };
  };
  if (low <= 0.5) return open('which may be half');
  const side = sides(a, b, tasks, better).map((one) => (turned ? -one : one));
  const where = (value: number): string => placeOf(tasks.filter((_, k) => side[k] === value)).replace(' over ', ' in ');
  if (side.includes(-1)) return open(`but the interquartile mean of ${behind.name} is ${often}${where(-1)}`);
  if (side.includes(0)) return open(`but the intervals of the interquartile means overlap${where(0)}`);
  const why = `${often95}, and its interquartile mean is ${often}${tasks.length > 1 ? ' in each of them' : ''}; ${seeds}.`;
  return { ...found, state: turned ? 'second' : 'first', text: `${ahead.name} is ${is} ${behind.name}${place}: ${why}`, why };
}

/** Pairs that are judged; of more groups, the one that leads against each of the others. */
const MOST_PAIRS = 6;
const MOST_RIVALS = 12;

export interface Standing {
  /** Environments in which every group has runs. */
  readonly tasks: readonly string[];
  /** The conclusion on all of them; "" for fewer than two groups. */
  readonly sentence: string;
  readonly pairs: readonly Judged[];
  /** Pairs that were left out. */
  readonly left: number;
}

/** Mean chance to score above each of the others, over what the two share; one half where they share nothing. */
function lead(of: Sample, samples: readonly Sample[], better: Better): number {
  const chances = samples.flatMap((other) => {
    if (other === of) return [];
    const tasks = sharedTasks([of, other]);
    return [tasks.length === 0 ? 0.5 : probability(scoresOf(of, tasks, better), scoresOf(other, tasks, better))];
  });
  return chances.reduce((sum, chance) => sum + chance, 0) / Math.max(1, chances.length);
}

/** Groups of runs against each other: one sentence about all, over the environments that all have, and one about every two. */
export function judgeGroups(samples: readonly Sample[], better: Better): Standing {
  const tasks = sharedTasks(samples);
  const ranked = samples
    .map((sample) => ({ sample, chance: lead(sample, samples, better) }))
    .toSorted((x, y) => y.chance - x.chance || byName(x.sample.name, y.sample.name))
    .map(({ sample }) => sample);
  const every = ranked.flatMap((a, i) => ranked.slice(i + 1).map((b) => [a, b] as const));
  const chosen = every.length <= MOST_PAIRS ? every : every.slice(0, Math.min(ranked.length - 1, MOST_RIVALS));
  const judged = new Map<string, Judged>();
  const judge = (a: Sample, b: Sample, over: readonly string[]): Judged => {
    const key = JSON.stringify([a.name, b.name, over]);
    const found = judged.get(key) ?? judgePair(a, b, better, over);
    judged.set(key, found);
    return found;
  };
  const pairs = chosen.map(([a, b]) => judge(a, b, sharedTasks([a, b])));
  const against = ranked.slice(1).map((rival) => ({ rival, judged: () => judge(ranked[0] ?? rival, rival, tasks) }));
  return { tasks, sentence: sentenceOf(ranked, against, tasks, better), pairs, left: every.length - chosen.length };
}

interface Against {
  readonly rival: Sample;
  readonly judged: () => Judged;
}

/** About the first against each of its rivals over the environments that all have. */
function sentenceOf(ranked: readonly Sample[], rivals: readonly Against[], tasks: readonly string[], better: Better): string {
  const [first] = ranked;
  if (first === undefined || rivals.length === 0) return '';
  if (rivals.length === 1) return rivals[0]?.judged().text ?? '';
  if (tasks.length === 0) return `No environment has runs of all ${ranked.length}: ${listed(ranked.map(({ name }) => name))}.`;
  const judged = rivals.map((one) => ({ rival: one.rival, found: one.judged() }));
  const place = `${placeOf(tasks)}${budgetWords(ranked, tasks)}`;
  const few = judged.find(({ found }) => found.state === 'few');
  if (few !== undefined) return `No verdict on the ${ranked.length}${place}: against ${few.rival.name}, ${few.found.why}`;
  const against = judged.find(({ found }) => found.state !== 'first');
  if (against !== undefined) return `No winner of the ${ranked.length}${place}: against ${against.rival.name}, ${against.found.why}`;
  const { is, often } = WORDS[better];
  const least = Math.min(...judged.map(({ found }) => found.p));
  const runs = Math.min(...judged.map(({ found }) => found.runs));
  const others = listed(rivals.map(({ rival }) => rival.name));
  return `${first.name} is ${is} ${others}${place}: ${often} in at least ${percent(least)} of pairs of runs with each, and its interquartile mean is ${often}${tasks.length > 1 ? ' in each of them' : ''}; ${runs} seeds.`;
}

/** Scores of one environment on the scale of two reference scores: 0 is the low one, 1 the high one. */
export function normalised(scores: readonly number[], low: number, high: number): readonly number[] {
  return scores.map((score) => (high === low ? 0 : (score - low) / (high - low)));
}
