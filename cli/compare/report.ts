/** Groups of runs held against each other: the numbers of every environment, the sentence, and both as text and CSV. */
import { quantityOf } from '#claims/quantity.ts';
import { csvCell } from '#contract/kit/csv.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { taskNames } from '#contract/run/task-names.ts';
import { judgeGroups, type Sample, type Standing, sharedTasks } from '#contract/sweep/comparison.ts';
import { iqmText } from '#contract/sweep/report.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { number, table } from '../kit/output.ts';
import { envTitle } from '../kit/titles.ts';
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
  /** What a reader has to know beside the numbers. */
  readonly notes: readonly string[];
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
    ([name, own]): Sample => ({ name, tasks: new Map(cellsOf(own).map(({ task, scores }) => [task, scores])) }),
  );
  const shared = sharedTasks(samples);
  const every = [...groups.values()].flatMap(cellsOf);
  const cells = every.filter(({ task }) => shared.includes(task)).toSorted((a, b) => byName(a.task, b.task) || byName(a.group, b.group));
  const left = [...new Set(every.map(({ task }) => task))].filter((task) => !shared.includes(task)).sort(byName);
  return { counted, cells, standing: judgeGroups(samples, better), left, scored, notes: notesOf(cells, scored, left) };
}

function notesOf(cells: readonly Cell[], scored: readonly Scored[], left: readonly string[]): readonly string[] {
  const notes = left.length === 0 ? [] : [`Not every group has runs in ${left.join(', ')}: left out of the table.`];
  for (const [task, own] of groupBy(cells, (cell) => cell.task)) {
    const budgets = [...new Set(own.flatMap(({ runs }) => runs.map(({ config }) => config.run.steps)))].sort((a, b) => a - b);
    if (budgets.length > 1) notes.push(`Runs in ${task} have different budgets: ${budgets.map(number).join(', ')} steps.`);
  }
  const missing = scored.filter(({ score }) => score === null).length;
  if (missing > 0) notes.push(`${missing} of ${scored.length} runs did not measure it and are not counted.`);
  return notes;
}

export function comparedText({ counted, cells, standing, notes }: Compared): string {
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
  ].join('\n');
}

/** Lines of --json: one for every cell, then the comparison. */
export function comparedRecords({ counted, cells, standing, left, notes }: Compared): readonly object[] {
  return [
    ...cells.map(({ task, group, scores }) => ({ type: 'group', environment: task, group, scores, ...summariseSeeds(scores) })),
    { type: 'comparison', ...counted, environments: standing.tasks, left, sentence: standing.sentence, pairs: standing.pairs, notes },
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
