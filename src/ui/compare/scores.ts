/** From groups to numbers: the scores of every run, their summaries, normalised scores over environments, and the verdicts. */

import { type Scale, scaleOf } from '#contract/catalog/best-known.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { taskNames } from '#contract/run/task-names.ts';
import { judgeGroups, normalised, type Sample, type Standing, sharedTasks } from '#contract/sweep/comparison.ts';
import { finiteOrNull } from '#math/finite.ts';
import { type Profile, profile, stratifiedInterval, thresholdsOver } from '#math/improvement.ts';
import { type SeedSummary, summariseSeeds } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';
import { referencesOf } from '#stores/catalog.ts';
import { curves } from '#stores/curves.ts';
import type { CatalogState } from '#stores/types.ts';
import { lastAtOrBefore } from '#ui/runs/curves/aggregate.ts';
import { onAxis } from '#ui/runs/curves/data.ts';
import type { Facet, Grouped, Member, RunSet } from './grouping.ts';
import type { Score, View } from './view.ts';

export interface Columns {
  readonly greedy: number | null;
  readonly last: number | null;
  readonly best: number | null;
  readonly at: number | null;
  readonly reach: number | null;
}

interface Known {
  readonly length: number;
  readonly best: number;
}
const bests = new Map<string, Known>();
const MOST_KNOWN = 5000;

/** Highest value, reading only what is new. */
function bestOf(key: string, values: Float64Array): number {
  const before = bests.get(key);
  const from = before !== undefined && before.length <= values.length ? before.length : 0;
  let best = from > 0 && before !== undefined ? before.best : Number.NEGATIVE_INFINITY;
  for (let i = from; i < values.length; i++) best = Math.max(best, values[i]!);
  if (bests.size > MOST_KNOWN) bests.clear();
  bests.set(key, { length: values.length, best });
  return best;
}

/** All scores of one run; null where it measured nothing of the kind. */
export function columnsOf({ group, run }: Member, { metric, axis, at, level }: View): Columns {
  const series = curves.series(group.id, run.seed, metric);
  const greedy = finiteOrNull(run.result?.evalReturn);
  if (series === null) return { greedy, last: null, best: null, at: null, reach: null };
  const { steps, values } = series;
  const x = at === null ? null : onAxis(group.id, run.seed, steps, axis);
  const place = at === null || x === null ? -1 : lastAtOrBefore(x, at);
  // A run that ended before the step was never there.
  const there = x !== null && at !== null && place >= 0 && (x[x.length - 1]! >= at || run.state === 'done');
  let reach: number | null = null;
  if (level !== null) {
    const found = values.findIndex((value) => value >= level);
    // A run that never reached it took at least its budget.
    reach = found >= 0 ? steps[found]! : run.state === 'done' ? group.config.run.steps : null;
  }
  return {
    greedy,
    last: finiteOrNull(values[values.length - 1]),
    best: finiteOrNull(bestOf(`${group.id}/${run.seed}/${metric}`, values)),
    at: there ? finiteOrNull(values[place]) : null,
    reach,
  };
}

type Summary = SeedSummary & { readonly n: number };
export type Summaries = { readonly [S in Score]: Summary };

export interface ScoredSet {
  readonly set: RunSet;
  readonly columns: readonly Columns[];
  readonly summary: Summaries;
}

export interface ScoredFacet {
  readonly facet: Facet;
  readonly sets: readonly ScoredSet[];
}

export function scoreFacets(grouped: Grouped, view: View): readonly ScoredFacet[] {
  return grouped.facets.map((facet) => ({
    facet,
    sets: facet.sets.map((set) => {
      const columns = set.members.map((member) => columnsOf(member, view));
      const of = (key: Score): Summary => {
        const values = columns.map((column) => column[key]).filter((value) => value !== null);
        return { ...summariseSeeds(values), n: values.length };
      };
      const summary = { greedy: of('greedy'), last: of('last'), best: of('best'), at: of('at'), reach: of('reach') };
      return { set, columns, summary };
    }),
  }));
}

export interface Overall {
  readonly key: string;
  readonly name: string;
  readonly colour: number;
  readonly dash: number;
  /** Interquartile mean of normalised scores over the shared environments, with its interval. */
  readonly iqm: number | null;
  readonly interval: readonly [number, number] | null;
  readonly profile: Profile;
  readonly runs: number;
}

interface TaskScale extends Scale {
  readonly task: string;
}

export interface Evidence {
  /** Every group over the environments that all of them have. */
  readonly overall: readonly Overall[];
  /** Environments in which every group has runs: those of `overall`. */
  readonly shared: readonly string[];
  /** Groups with a score anywhere. */
  readonly measured: number;
  readonly scales: readonly TaskScale[];
  readonly thresholds: readonly number[];
  /** Conclusions over all environments (title ""), where there are several, and in each. */
  readonly verdicts: readonly { readonly title: string; readonly standing: Standing }[];
}

interface Entry {
  readonly key: string;
  readonly set: RunSet;
  readonly task: string;
  readonly env: Member['group']['config']['env'];
  readonly values: readonly number[];
  readonly steps: readonly number[];
}

/** What the scores of all groups say together. Tasks are environments with their settings, whatever the panels are. */
export function evidenceOf(facets: readonly ScoredFacet[], score: Score, known: CatalogState): Evidence {
  const members = facets.flatMap(({ sets }) => sets.flatMap(({ set }) => set.members));
  const nameOf = taskNames(
    members.map(({ group }) => group.config.env),
    (id) => known.catalog?.envs.find((card) => card.id === id)?.title ?? id,
  );
  const entries: Entry[] = facets.flatMap(({ sets }) =>
    sets.flatMap(({ set, columns }) => {
      const rows = set.members.map(({ group }, i) => ({
        task: nameOf(group.config.env),
        env: group.config.env,
        value: columns[i]?.[score] ?? null,
        steps: group.config.run.steps,
      }));
      return [...groupBy(rows, ({ task }) => task)].map(([task, own]) => ({
        key: set.key,
        set,
        task,
        env: own[0]!.env,
        values: own.flatMap(({ value }) => (value === null ? [] : [value])),
        steps: own.flatMap(({ value, steps }) => (value === null ? [] : [steps])),
      }));
    }),
  );
  const better = score === 'reach' ? 'less' : 'more';
  const scales = [...groupBy(entries, ({ task }) => task)].map(([task, own]) => scaleIn(task, own, score, known));
  const groups = [...groupBy(entries, ({ key }) => key)].map(([key, own]) => {
    const tasks = new Map([...groupBy(own, ({ task }) => task)].map(([task, parts]) => [task, parts.flatMap(({ values }) => values)]));
    const budgets = new Map([...groupBy(own, ({ task }) => task)].map(([task, parts]) => [task, parts.flatMap(({ steps }) => steps)]));
    return { key, set: own[0]!.set, sample: { name: own[0]!.set.name, tasks, budgets } };
  });
  const some = groups.filter(({ sample }) => [...sample.tasks.values()].some((values) => values.length > 0));
  const samples = some.map(({ sample }): Sample => sample);
  const shared = sharedTasks(samples);
  const scaled = some.map(({ key, set, sample }) => ({
    key,
    set,
    tasks: shared.map((task) => {
      const { low, high } = scales.find((scale) => scale.task === task) ?? { low: 0, high: 1 };
      return normalised(sample.tasks.get(task) ?? [], low, high);
    }),
  }));
  const thresholds = thresholdsOver(scaled.map(({ tasks }) => tasks));
  const overall = scaled.map(({ key, set, tasks }): Overall => {
    const values = tasks.flat();
    return {
      key,
      name: set.name,
      colour: set.colour,
      dash: set.dash,
      iqm: values.length === 0 ? null : iqm(values),
      interval: tasks.length === 0 ? null : stratifiedInterval(tasks),
      profile: profile(tasks, thresholds),
      runs: values.length,
    };
  });
  const inOne = scales.map(({ task }) => ({
    title: task,
    standing: judgeGroups(
      samples.flatMap(({ name, tasks, budgets = new Map() }): Sample[] => {
        const values = tasks.get(task) ?? [];
        return values.length === 0 ? [] : [{ name, tasks: new Map([[task, values]]), budgets }];
      }),
      better,
    ),
  }));
  const together = scales.length < 2 ? [] : [{ title: '', standing: judgeGroups(samples, better) }];
  return { overall, shared, measured: some.length, scales, thresholds, verdicts: [...together, ...inOne] };
}

/** Of an environment with its settings; steps to a level have no reference. */
function scaleIn(task: string, entries: readonly Entry[], score: Score, known: CatalogState): TaskScale {
  const env = entries[0]?.env;
  const references = env === undefined || score === 'reach' ? [] : referencesOf(env, known);
  const values = entries.flatMap((entry) => entry.values);
  return { task, ...scaleOf(references, values) };
}
