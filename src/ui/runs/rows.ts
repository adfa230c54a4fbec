/** What the table of runs shows and how it sorts and filters: numbers from the stores, no React. */
import { strengthWanted } from '#client/runs/strength.ts';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { capital } from '#contract/kit/capital.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { differingFields, type FieldName, fieldsOf, isAside } from '#contract/run/config-diff.ts';
import { originText } from '#contract/run/origin.ts';
import { type SeedSummary, summariseSeeds } from '#math/seeds.ts';
import { alikeSeeds } from '#stores/alike.ts';
import { curves } from '#stores/curves.ts';
import { strengths } from '#stores/strength.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { finder } from '#ui/kit/format/search.ts';
import { progressOf, speedOf, statusText } from '#ui/kit/progress.ts';
import { fieldText, runNames, wordsOf } from './names.ts';

export interface Outcome {
  readonly n: number;
  readonly iqm: number | null;
  readonly ci: readonly [number, number] | null;
}

const outcomes = { evalReturn: new WeakMap<RunGroup, Outcome>(), finalReturn: new WeakMap<RunGroup, Outcome>() };

function over(group: RunGroup, which: keyof typeof outcomes): Outcome {
  let outcome = outcomes[which].get(group);
  if (outcome === undefined) {
    const values = alikeSeeds(group).flatMap(({ result }) => (result === null || !Number.isFinite(result[which]) ? [] : [result[which]]));
    const { iqm, ci95 } = summaryOf(values);
    outcome = { n: values.length, iqm, ci: ci95 };
    outcomes[which].set(group, outcome);
  }
  return outcome;
}

/** The headline of a run: greedy test returns of the finished seeds. */
export function outcomeOf(group: RunGroup): Outcome {
  return over(group, 'evalReturn');
}

/** Whether the greedy test return says what was learned: not where a side that learns as well plays the other one. */
export const greedyTells = ({ config }: RunGroup): boolean => (strengthWanted(config) ?? 'return') === 'return';

/**
 * What the table says of a run: the greedy test return of its finished seeds, or, where that says nothing, the tests of their last policies against
 * random play, as far as they were made on this visit.
 */
export function headlineOf(group: RunGroup): Outcome {
  if (greedyTells(group)) return outcomeOf(group);
  const values = alikeSeeds(group)
    .map((seed) => headlineOfSeed(group, seed))
    .filter(Number.isFinite);
  const { iqm, ci95 } = summaryOf(values);
  return { n: values.length, iqm, ci: ci95 };
}

/** The same of one seed. NaN: there is none yet. */
export function headlineOfSeed(group: RunGroup, { seed, step, result }: SeedRun): number {
  if (greedyTells(group)) return result?.evalReturn ?? Number.NaN;
  const tests = strengths.series(group.id, seed);
  return result === null || (tests?.steps.at(-1) ?? -1) < step ? Number.NaN : (tests?.values.at(-1) ?? Number.NaN);
}

/** What the finished seeds scored over their last 100 training episodes, exploration included. */
export function exploringOf(group: RunGroup): Outcome {
  return over(group, 'finalReturn');
}

/** A group is a new object at every event; its summary changes only with its results. */
const summaries = new Map<string, SeedSummary>();
function summaryOf(values: readonly number[]): SeedSummary {
  const key = values.join(' ');
  const known = summaries.get(key);
  if (known !== undefined) return known;
  if (summaries.size > 2000) summaries.clear();
  const found = summariseSeeds(values);
  summaries.set(key, found);
  return found;
}

interface Best {
  readonly length: number;
  readonly value: number;
}
const bests = new Map<string, Best>();

/** Highest point of one seed's return curve; reads only what is new since the last look. NaN: nothing measured. */
export function bestOf(runId: string, seed: SeedRun): number {
  const series = curves.series(runId, seed.seed, 'episodicReturn');
  if (series === null) return seed.result?.finalReturn ?? Number.NaN;
  const key = `${runId}/${seed.seed}`;
  const known = bests.get(key);
  const { values } = series;
  let value = known !== undefined && known.length <= values.length ? known.value : Number.NEGATIVE_INFINITY;
  for (let i = known !== undefined && known.length <= values.length ? known.length : 0; i < values.length; i++) {
    if (values[i]! > value) value = values[i]!;
  }
  bests.set(key, { length: values.length, value });
  return value === Number.NEGATIVE_INFINITY ? Number.NaN : value;
}

export function bestOfGroup(group: RunGroup): number {
  const all = group.seeds.map((seed) => bestOf(group.id, seed)).filter(Number.isFinite);
  return all.length === 0 ? Number.NaN : Math.max(...all);
}

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly numeric: boolean;
  readonly value: (group: RunGroup) => number | string;
  /** Of a column that stands for a field of the config: what its cell says. */
  readonly text?: (group: RunGroup) => string;
}

/** Where a run was started, in words; '' where it is not known. */
export function fromText({ origin, imported }: RunGroup): string {
  return origin === undefined && imported !== undefined ? t('file: {file}', { file: imported.file }) : originText(origin);
}

const COLUMNS: readonly Column[] = [
  {
    id: 'name',
    title: msg('Run'),
    hint: msg('Name; the mark shows or hides its curves'),
    numeric: false,
    value: (group) => group.name.toLowerCase(),
  },
  { id: 'env', title: msg('Environment'), hint: msg('Environment'), numeric: false, value: (group) => group.config.env.id },
  { id: 'algo', title: msg('Algorithm'), hint: msg('Algorithm'), numeric: false, value: (group) => group.config.algo.id },
  {
    id: 'origin',
    title: msg('From'),
    hint: msg('Where it was started: an own configuration, a lesson, a paper, a link, a file, a sweep; empty in runs of earlier versions'),
    numeric: false,
    value: fromText,
  },
  { id: 'seeds', title: msg('Seeds'), hint: msg('Finished seeds, of all'), numeric: true, value: (group) => group.seeds.length },
  {
    id: 'steps',
    title: msg('Steps'),
    hint: msg('Environment steps, summed over seeds'),
    numeric: true,
    value: (group) => progressOf(group).step,
  },
  {
    id: 'return',
    title: msg('Greedy test return'),
    hint: msg(
      'Always the best action, on fixed seeds: interquartile mean over finished seeds; 95 % interval from five on. Against random play where another side learns as well',
    ),
    numeric: true,
    value: (group) => headlineOf(group).iqm ?? Number.NEGATIVE_INFINITY,
  },
  {
    id: 'exploring',
    title: msg('While exploring'),
    hint: msg('Return of the last 100 training episodes: interquartile mean over finished seeds'),
    numeric: true,
    value: (group) => exploringOf(group).iqm ?? Number.NEGATIVE_INFINITY,
  },
  {
    id: 'best',
    title: msg('Best'),
    hint: msg('Highest point of any seed’s training curve'),
    numeric: true,
    value: (group) => nothingLast(bestOfGroup(group)),
  },
  { id: 'speed', title: msg('Steps/s'), hint: msg('Environment steps per second, learning included'), numeric: true, value: speedOf },
  {
    id: 'time',
    title: msg('Time'),
    hint: msg('Seconds spent by the slowest seed'),
    numeric: true,
    value: (group) => progressOf(group).spent,
  },
  { id: 'createdAt', title: msg('Started'), hint: msg('When Train was pressed'), numeric: true, value: (group) => group.createdAt },
  { id: 'status', title: msg('Status'), hint: msg('What the run is doing'), numeric: false, value: statusText },
  { id: 'note', title: msg('Note'), hint: msg('Your own words'), numeric: false, value: (group) => group.note.toLowerCase() },
];

/** Columns that fields may take: more of them hide the results. */
const MOST_FIELDS = 8;
let fieldAnswer: { readonly key: string; readonly catalog: Catalog | null; readonly columns: readonly Column[] } = {
  key: '',
  catalog: null,
  columns: [],
};

/** The columns of the table: those of every run, and behind the algorithm one for each field in which these runs differ. */
export function columnsFor(groups: readonly RunGroup[], catalog: Catalog | null): readonly Column[] {
  const key = groups.map(({ hash }) => hash).join(' ');
  if (fieldAnswer.key !== key || fieldAnswer.catalog !== catalog) {
    const own = groups.filter(({ imported }) => imported === undefined);
    const fields = differingFields(own.map(({ config }) => config)).filter(
      (field) => field !== 'env' && field !== 'algo' && !isAside(field),
    );
    const found = fields.slice(0, MOST_FIELDS).map((field) => fieldColumn(field, groups, catalog));
    const at = COLUMNS.findIndex(({ id }) => id === 'algo') + 1;
    fieldAnswer = { key, catalog, columns: COLUMNS.toSpliced(at, 0, ...found) };
  }
  return fieldAnswer.columns;
}

function fieldColumn(field: FieldName, groups: readonly RunGroup[], catalog: Catalog | null): Column {
  const owner = groups.find(({ config }) => fieldsOf(config).has(field));
  const { title } = owner === undefined ? { title: field } : wordsOf(field, owner.config, catalog);
  const values = groups.map(({ config }) => fieldsOf(config).get(field)).filter((value) => value !== undefined && value !== null);
  const numeric = values.every((value) => typeof value === 'number');
  const text = ({ config }: RunGroup): string => fieldText({ field, value: fieldsOf(config).get(field) }, config, catalog);
  return {
    id: field,
    title: field === 'run.steps' ? msg('Budget') : capital(t(title)), // "Steps" are those that were done
    hint: t('{field}: these runs differ in it', { field }),
    numeric,
    value: (group) => {
      const value = fieldsOf(group.config).get(field);
      return numeric ? (typeof value === 'number' ? value : Number.NEGATIVE_INFINITY) : text(group);
    },
    text,
  };
}

const nothingLast = (value: number) => (Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY);

/** How many forks lie between a run and the first of its line that is in the list. */
export function depthOf(group: RunGroup, byId: ReadonlyMap<string, RunGroup>): number {
  let depth = 0;
  let at = group;
  for (let parent = parentIn(at, byId); parent !== undefined && depth < byId.size; parent = parentIn(at, byId)) {
    depth++;
    at = parent;
  }
  return depth;
}

const parentIn = ({ parent }: RunGroup, byId: ReadonlyMap<string, RunGroup>): RunGroup | undefined =>
  parent === null ? undefined : byId.get(parent.id);

/** The same runs with each fork below the run it goes on from; among forks of one run the order stays. A run whose parent is not there stands by itself. */
export function asTree(groups: readonly RunGroup[]): readonly RunGroup[] {
  if (groups.every(({ parent }) => parent === null)) return groups;
  const byId = new Map(groups.map((group) => [group.id, group]));
  const children = groupBy(
    groups.filter((group) => parentIn(group, byId) !== undefined),
    ({ parent }) => parent?.id ?? '',
  );
  const seen = new Set<string>();
  const out: RunGroup[] = [];
  const visit = (group: RunGroup): void => {
    if (seen.has(group.id)) return;
    seen.add(group.id);
    out.push(group);
    for (const child of children.get(group.id) ?? []) visit(child);
  };
  for (const group of groups) if (parentIn(group, byId) === undefined) visit(group);
  for (const group of groups) visit(group); // a file may name parents in a circle
  return out;
}

export function arrange(
  groups: readonly RunGroup[],
  filter: string,
  sort: { readonly column: string; readonly down: boolean },
  catalog: Catalog | null = null,
): readonly RunGroup[] {
  const names = runNames(groups, catalog, 'alike');
  const sought = finder(filter);
  const kept =
    filter.trim() === ''
      ? groups
      : groups.filter((group) =>
          sought(
            `${group.name} ${names.get(group.id) ?? ''} ${group.config.env.id} ${group.config.algo.id} ${group.note} ${statusText(group)} ${fromText(group)} ${group.hash}`,
          ),
        );
  const column = columnsFor(kept, catalog).find((candidate) => candidate.id === sort.column);
  if (column === undefined) return asTree(kept);
  // Each value once, not once per comparison.
  const readOf = column.id === 'name' ? (group: RunGroup) => (names.get(group.id) ?? group.name).toLowerCase() : column.value;
  const keyed = kept.map((group) => [readOf(group), group] as const);
  const direction = sort.down ? -1 : 1;
  return asTree(keyed.sort(([a], [b]) => (a < b ? -direction : a > b ? direction : 0)).map(([, group]) => group));
}
