/** Groups of runs held against each other: the numbers of every environment, the sentence, and both as text and CSV. */
import { quantityOf } from '#claims/quantity.ts';
import { type Scale, scaleOf } from '#contract/catalog/best-known.ts';
import { csvCell } from '#contract/kit/csv.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { measure } from '#contract/kit/numbers.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { taskNames } from '#contract/run/task-names.ts';
import { judgeGroups, normalised, type Sample, type Standing, sharedTasks } from '#contract/sweep/comparison.ts';
import { iqmText } from '#contract/sweep/report.ts';
import { AGGREGATES, type Aggregate, type AggregateId, aggregates } from '#math/aggregates.ts';
import { type Profile, profile, thresholdsOver } from '#math/improvement.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { number, table } from '../kit/output.ts';
import { envReferences, envTitle } from '../kit/titles.ts';
import { standingLines } from '../sweep/report.ts';
import type { NamedRun } from './gather.ts';

export interface Counted {
  readonly quantity: Quantity;
  readonly better: 'more' | 'less';
}

/** A run with the number that counts; null where it was not measured. */
interface Scored {
  readonly run: NamedRun;
  readonly task: string;
  readonly score: number | null;
}

/** Runs of one group in one environment. */
export interface Cell {
  readonly task: string;
  readonly group: string;
  readonly runs: readonly NamedRun[];
  readonly scores: readonly number[];
}

export interface Compared {
  readonly counted: Counted;
  /** Of the environments that all groups have, by environment and group. */
  readonly cells: readonly Cell[];
  readonly standing: Standing;
  /** Environments that some group lacks. */
  readonly left: readonly string[];
  readonly scored: readonly Scored[];
  /** Every group over all shared environments on one scale; null for fewer than two environments, and where less is better. */
  readonly overall: Overall | null;
  /** What a reader has to know beside the numbers. */
  readonly notes: readonly string[];
}

/** All shared environments together, each on its scale from random (0) to the best known (1). */
export interface Overall {
  readonly scales: readonly (Scale & { readonly task: string })[];
  readonly thresholds: readonly number[];
  readonly groups: readonly {
    readonly group: string;
    readonly runs: number;
    readonly aggregates: ReturnType<typeof aggregates>;
    readonly profile: Profile;
  }[];
}

function overallOf(cells: readonly Cell[], better: Counted['better']): Overall | null {
  const byTask = [...groupBy(cells, ({ task }) => task)];
  if (byTask.length < 2 || better === 'less') return null;
  const scales = byTask.map(([task, own]) => {
    const env = own[0]?.runs[0]?.config.env;
    return {
      task,
      ...scaleOf(
        env === undefined ? [] : envReferences(env),
        own.flatMap(({ scores }) => scores),
      ),
    };
  });
  const groups = [...groupBy(cells, ({ group }) => group)].map(([group, own]) => ({
    group,
    tasks: scales.map(({ task, low, high }) => normalised(own.find((cell) => cell.task === task)?.scores ?? [], low, high)),
  }));
  const thresholds = thresholdsOver(groups.map(({ tasks }) => tasks));
  return {
    scales,
    thresholds,
    groups: groups.map(({ group, tasks }) => ({
      group,
      runs: tasks.flat().length,
      aggregates: aggregates(tasks),
      profile: profile(tasks, thresholds),
    })),
  };
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Holds named groups of runs against each other. */
export function compareRuns(runs: readonly NamedRun[], counted: Counted): Compared {
  const { quantity, better } = counted;
  const nameOf = taskNames(
    runs.map(({ config }) => config.env),
    envTitle,
  );
  const scored = runs.map((run): Scored => {
    const score = quantityOf(quantity, better, run.outcome, run.curves, run.config.run.steps);
    return { run, task: nameOf(run.config.env), score };
  });
  const groups = groupBy(scored, ({ run }) => run.group);
  const cellsOf = (own: readonly Scored[]): readonly Cell[] =>
    [...groupBy(own, ({ task }) => task)].map(([task, some]) => ({
      task,
      group: some[0]?.run.group ?? '',
      runs: some.map(({ run }) => run),
      scores: some.flatMap(({ score }) => (score === null ? [] : [score])),
    }));
  const samples = [...groups].map(
    ([name, own]): Sample => ({
      name,
      tasks: new Map(cellsOf(own).map(({ task, scores }) => [task, scores])),
      budgets: new Map(cellsOf(own).map(({ task, runs: some }) => [task, some.map(({ config }) => config.run.steps)])),
    }),
  );
  const shared = sharedTasks(samples);
  const every = [...groups.values()].flatMap(cellsOf);
  const cells = every.filter(({ task }) => shared.includes(task)).toSorted((a, b) => byName(a.task, b.task) || byName(a.group, b.group));
  const left = [...new Set(every.map(({ task }) => task))].filter((task) => !shared.includes(task)).sort(byName);
  return {
    counted,
    cells,
    standing: judgeGroups(samples, better),
    left,
    scored,
    overall: overallOf(cells, better),
    notes: notesOf(scored, left),
  };
}

function notesOf(scored: readonly Scored[], left: readonly string[]): readonly string[] {
  const notes = left.length === 0 ? [] : [`Not every group has runs in ${left.join(', ')}: left out of the table.`];
  const missing = scored.filter(({ score }) => score === null).length;
  if (missing > 0) notes.push(`${missing} of ${scored.length} runs did not measure it and are not counted.`);
  return notes;
}

/** "0.655 [0.61, 0.7]" */
const aggregateText = ({ value, interval }: Aggregate): string =>
  `${measure(value, 3)}${interval === null ? '' : ` [${measure(interval[0], 3)}, ${measure(interval[1], 3)}]`}`;

/** What stands for 0 and 1 in each environment. */
export const scaleText = ({ scales }: Overall): string =>
  `Normalised scores: ${scales.map(({ task, low, high, from }) => `${task} from ${measure(low)} to ${measure(high)} (${from})`).join('; ')}.`;

function overallText(overall: Overall): readonly string[] {
  const ids = Object.keys(AGGREGATES) as AggregateId[];
  const rows = overall.groups.map(({ group, runs, aggregates: found }) => [
    group,
    String(runs),
    ...ids.map((id) => aggregateText(found[id])),
  ]);
  return [
    '',
    `Over ${overall.scales.length} environments, normalised, with 95 % stratified bootstrap intervals from five runs of each environment on:`,
    table(['group', 'runs', ...ids.map((id) => AGGREGATES[id])], rows),
    scaleText(overall),
  ];
}

export function comparedText({ counted, cells, standing, overall, notes }: Compared): string {
  const rows = cells.map(({ task, group, runs, scores }) => [
    task,
    group,
    String(scores.length),
    number(Math.max(...runs.map(({ config }) => config.run.steps))),
    iqmText(scores),
  ]);
  return [
    ...(rows.length === 0 ? [] : [table(['environment', 'group', 'runs', 'steps', `${counted.quantity.title}: IQM [95 %]`], rows), '']),
    ...standingLines(standing).map((line) => line.replace(/^ {2}/, '')),
    ...notes,
    ...(overall === null ? [] : overallText(overall)),
  ].join('\n');
}

/** Lines of --json: one for every cell, then the comparison. */
export function comparedRecords({ counted, cells, standing, left, overall, notes }: Compared): readonly object[] {
  return [
    ...cells.map(({ task, group, scores }) => ({ type: 'group', environment: task, group, scores, ...summariseSeeds(scores) })),
    { type: 'comparison', ...counted, environments: standing.tasks, left, sentence: standing.sentence, pairs: standing.pairs, notes },
    ...(overall === null ? [] : [{ type: 'overall', ...overall }]),
  ];
}

/** A row for every run. */
export function comparedCsv({ scored }: Compared): string {
  const rows = scored.map(({ run: { group, config, seed }, task, score }) => [
    task,
    group,
    seed,
    score ?? '',
    config.run.steps,
    configHash({ ...config, run: { ...config.run, seeds: 1, seedStart: 1 } }),
  ]);
  const lines = [['environment', 'group', 'seed', 'score', 'steps', 'config'], ...rows];
  return `${lines.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}
