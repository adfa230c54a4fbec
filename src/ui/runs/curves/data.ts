/** From the run list and the curve tables to what a chart draws: per group its seeds on the chosen x axis and, from five on, their aggregate. */
import { strengthWanted } from '#client/runs/strength.ts';
import type { AlgoCard, Catalog, EnvCard, MetricCard, ReferenceReturn, Strength } from '#contract/catalog/catalog.ts';
import { agentOfMetric, HELD_OUT, taskOfMetric } from '#contract/game/metrics.ts';
import { spoken } from '#contract/game/seats.ts';
import { sameRef } from '#contract/run/flat-settings.ts';
import { SEEDS_FOR_INTERVAL } from '#math/seeds.ts';
import { alikeSeeds } from '#stores/alike.ts';
import { referencesOf } from '#stores/catalog.ts';
import { curves } from '#stores/curves.ts';
import { forkStep } from '#stores/runs.ts';
import { strengths } from '#stores/strength.ts';
import type { CatalogState, CurvesState, RunGroup } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { SHAPE_COUNT } from '#ui/kit/charts/shapes.ts';
import { EXPLORING, GREEDY_TEST, STRENGTHS } from '#ui/kit/format/returns.ts';
import { shortNames } from '#ui/kit/format/short-names.ts';
import { type Aggregate, lastAtOrBefore, type XY } from './aggregate.ts';
import { aggregateOf } from './aggregator.ts';

export type Axis = CurvesState['xAxis'];

/** What distinguishes a curve from the others. */
export interface Look {
  readonly id: string;
  readonly name: string;
  readonly colour: number; // palette index
  readonly dash: number;
  /** Figure on the line (shapes.ts); null: none. */
  readonly shape: number | null;
  /** Text at the end of its line in place of how the line was made; '': none. */
  readonly end: string;
  /** Of the same run and on the same scale as another line of it, which stands for the run. */
  readonly beside?: true;
}

export interface SeedCurve {
  readonly seed: number;
  readonly xy: XY;
  readonly sharedUpTo: number;
  /** 95 % intervals of its values, each by the episodes of a test; left out: of no test. */
  readonly spread?: { readonly low: Float64Array; readonly high: Float64Array; readonly episodes: Float64Array };
}

export interface GroupCurve {
  readonly group: RunGroup;
  /** Of the run; of one of its agents, where those are drawn apart. */
  readonly look: Look;
  /** `sharedUpTo`: of a fork, the x up to which this seed is its parent's; 0 for other runs. */
  readonly seeds: readonly SeedCurve[];
  /** Seeds that had other live edits than those: drawn one by one, and in no mean. Left out: there are none. */
  readonly apart?: readonly SeedCurve[];
  /** Null below five seeds, and until the first answer of the worker. */
  readonly aggregate: Aggregate | null;
  readonly enough: boolean;
  /** The x up to which all seeds of a fork are its parent's. */
  readonly sharedUpTo: number;
}

export const AXES: { readonly [A in Axis]: { readonly title: string; readonly unit: string } } = {
  steps: { title: 'environment steps', unit: 'steps' },
  updates: { title: 'updates', unit: 'updates' },
  episodes: { title: 'episodes', unit: 'episodes' },
  seconds: { title: 'seconds of training', unit: 's' },
};

/** In environments that are written in tokens a step is one token. */
const TOKENS = { title: 'tokens', unit: msg('tokens') };
export const axisOf = (axis: Axis, env: Pick<EnvCard, 'tokens'> | undefined): (typeof AXES)[Axis] =>
  axis === 'steps' && env?.tokens !== undefined ? TOKENS : AXES[axis];

/** Columns the session adds to an algorithm's own. */
const COMMON: readonly MetricCard[] = [
  { id: 'episodicReturn', title: EXPLORING, description: 'Mean score of the last 100 training episodes, exploration included.' },
  { id: 'evalReturn', title: GREEDY_TEST, description: 'Mean score of greedy episodes on fixed seeds.' },
  {
    id: HELD_OUT,
    title: msg('held-out tasks'),
    description: 'Mean score of episodes of tasks that are never trained on, acting as in training.',
  },
  {
    id: 'startSteps',
    title: 'steps with those of starts',
    description: 'Environment steps of training so far, and those that made the states in which episodes begin.',
    unit: 'steps',
  },
  {
    id: 'emergence',
    title: 'emergence of hidden units',
    description: 'What two hidden units tell of their next step only together: mean over pairs.',
    unit: 'nats',
  },
];
/** Stands for the returns of all agents, a column each: they are drawn in one chart, of one run. */
export const PER_AGENT = 'perAgent';
const PER_AGENT_CARD: MetricCard = {
  id: PER_AGENT,
  title: 'return per agent',
  description: 'Mean return of each agent in the last 100 training episodes, of the active run.',
};
/** Bookkeeping, not curves. */
const HIDDEN: ReadonlySet<string> = new Set(['seconds', 'episodes']);
/** Tests of kept policies beside the run: no column of its rows (stores/strength.ts). */
export const STRENGTH = 'strength';
export const RETURNS: ReadonlySet<string> = new Set(['episodicReturn', 'evalReturn', 'return']);

/** What is measured of the kept policies of these runs; null: their returns while exploring show what they learn. */
export function strengthHere(groups: readonly RunGroup[]): Strength | null {
  const own = groups.filter(({ imported }) => imported === undefined);
  for (const { id } of own) {
    const kind = strengths.kind(id);
    if (kind !== null) return kind;
  }
  return own.map(({ config }) => strengthWanted(config)).find((kind) => kind !== null) ?? null;
}

/** Metrics measured by any of these groups: tests beside them and returns first, then in the algorithm's own order. */
export function metricsOf(groups: readonly RunGroup[], catalog: Catalog | null): readonly MetricCard[] {
  const strength = strengthHere(groups);
  const tests = strength === null ? [] : [{ id: STRENGTH, ...STRENGTHS[strength] }];
  const cards = new Map<string, MetricCard>([...tests, ...COMMON, PER_AGENT_CARD].map((card) => [card.id, card]));
  const measured = new Set<string>(tests.map(({ id }) => id));
  for (const group of groups) {
    const algo: AlgoCard | undefined = catalog?.algos.find((a) => a.id === group.config.algo.id);
    const env = catalog?.envs.find((e) => e.id === group.config.env.id);
    for (const card of [...(algo?.metrics ?? []), ...(env?.measures ?? [])]) if (!cards.has(card.id)) cards.set(card.id, card);
    for (const id of curves.metrics(group.id)) if (!HIDDEN.has(id)) measured.add(agentOfMetric(id) === null ? id : PER_AGENT);
  }
  const known = [...cards.values()].filter((card) => measured.has(card.id));
  const unknown = [...measured].filter((id) => !cards.has(id)).map(namedByRule);
  return [...known, ...unknown];
}

/** Columns that no card describes. */
function namedByRule(id: string): MetricCard {
  const task = taskOfMetric(id);
  if (task === null) return { id, title: id, description: '' };
  return { id, title: `return in task ${task + 1}`, description: 'Mean return of greedy episodes in this task of the sequence.' };
}

/** Reference returns of the environment all these groups share, config included; none for other metrics or mixed environments. */
export function sharedReferences(groups: readonly RunGroup[], metric: string, known: CatalogState): readonly ReferenceReturn[] {
  const [first, ...others] = groups;
  const strength = metric === STRENGTH ? strengthHere(groups) : null;
  if (strength !== null && strength !== 'return') return randomLine(groups);
  if ((!RETURNS.has(metric) && strength === null) || first === undefined) return [];
  return others.every((group) => sameRef(group.config.env, first.config.env)) ? referencesOf(first.config.env, known) : [];
}

/** What random actions give where returns of both sides say nothing: measured like the line, against the same. */
function randomLine(groups: readonly RunGroup[]): readonly ReferenceReturn[] {
  const [first, ...others] = groups;
  if (first === undefined || !others.every((group) => sameRef(group.config.env, first.config.env))) return [];
  const found = groups.map(({ id }) => strengths.random(id)).find((tested) => tested !== null);
  return found == null ? [] : [{ name: 'random', value: found.value, source: 'random actions against random actions' }];
}

/** Where other metrics stood at the start of the shown run: means over its seeds of their first values. Empty unless the card asks for it. */
export function startLines(
  group: RunGroup | undefined,
  { startOf = [] }: MetricCard,
  cards: readonly MetricCard[],
): readonly ReferenceReturn[] {
  if (group === undefined) return [];
  return startOf.flatMap((id) => {
    const firsts = alikeSeeds(group).flatMap(({ seed }) => {
      const value = curves.series(group.id, seed, id)?.values[0];
      return value === undefined || !Number.isFinite(value) ? [] : [value];
    });
    if (firsts.length === 0) return [];
    const name = `${cards.find((card) => card.id === id)?.title ?? id} at the start`;
    return [{ name, value: firsts.reduce((a, b) => a + b, 0) / firsts.length, source: 'the first update of this run' }];
  });
}

/** Where bounds of a metric stand now: the newest values in the shown runs, one line for each that differs. Empty unless the card asks for it. */
export function boundLines(
  groups: readonly RunGroup[],
  { bounds = [] }: MetricCard,
  cards: readonly MetricCard[],
): readonly ReferenceReturn[] {
  return bounds.flatMap((id) => {
    const values = groups.flatMap((group) => {
      const newest = group.seeds.map(({ seed }) => curves.series(group.id, seed, id)?.values.at(-1));
      return newest.filter((value) => value !== undefined && Number.isFinite(value)) as readonly number[];
    });
    const name = cards.find((card) => card.id === id)?.title ?? id;
    return [...new Set(values)].map((value) => ({ name, value, source: 'the newest update of the run', stays: true }));
  });
}

/** The step counts of `steps` on another axis; null where this run did not measure it. */
export function onAxis(runId: string, seed: number, steps: Float64Array, axis: Axis): Float64Array | null {
  if (axis === 'steps') return steps;
  // Every row carries the seconds, so its number is the number of updates.
  const measured = curves.series(runId, seed, axis === 'updates' ? 'seconds' : axis);
  if (measured === null) return null;
  const out = new Float64Array(steps.length);
  for (let i = 0; i < steps.length; i++) {
    const at = lastAtOrBefore(measured.steps, steps[i]!);
    out[i] = axis === 'updates' ? at + 1 : at < 0 ? 0 : measured.values[at]!;
  }
  return out;
}

/** One step on the axis of this group's first seed; NaN where unknown. */
export function stepToAxis(group: RunGroup, step: number, axis: Axis): number {
  if (axis === 'steps') return step;
  for (const { seed } of group.seeds) {
    const value = onAxis(group.id, seed, Float64Array.of(step), axis)?.[0];
    if (value !== undefined) return value;
  }
  return Number.NaN;
}

/** The environment step at x of this group's first seed. */
export function axisToStep(group: RunGroup, x: number, axis: Axis): number {
  if (axis === 'steps') return x;
  for (const { seed } of group.seeds) {
    const measured = curves.series(group.id, seed, axis === 'updates' ? 'seconds' : axis);
    if (measured === null) continue;
    const at = axis === 'updates' ? Math.round(x) - 1 : lastAtOrBefore(measured.values, x);
    return measured.steps[Math.min(measured.steps.length - 1, Math.max(0, at))]!;
  }
  return Number.NaN;
}

/** Runs whose names have room at the ends of their lines. */
const MOST_ENDS = 10;
const LONGEST_END = 34; // characters

const lookOf = ({ id, name, colour, dash }: RunGroup): Look => ({ id, name, colour, dash, shape: null, end: '' });

/**
 * The curves of one chart: one of each run, or, of the active run (else the first), one of each agent. Those without numbers are left out.
 * `names`: what runs are called beside each other; where there are several of them, each name stands at the end of its line.
 */
export function curvesOf(
  groups: readonly RunGroup[],
  activeId: string | null,
  metric: string,
  axis: Axis,
  limit: number,
  names?: ReadonlyMap<string, string>,
): readonly GroupCurve[] {
  const called = groups.map(({ id, name }) => names?.get(id) ?? name);
  const ends = names !== undefined && groups.length > 1 && groups.length <= MOST_ENDS ? shortNames(called, LONGEST_END) : [];
  const all =
    metric === PER_AGENT
      ? agentCurves(groups.find(({ id }) => id === activeId) ?? groups[0], axis, limit)
      : groups.map((group, i) => {
          const curve = groupCurve(group, metric, axis, limit);
          return { ...curve, look: { ...curve.look, name: called[i] ?? group.name, end: ends[i] ?? '' } };
        });
  return all.filter(({ seeds }) => seeds.length > 0);
}

/** A metric that is drawn in the chart of another as a second line of each run, since it is on the same scale. */
export const BESIDE: Readonly<Record<string, string>> = { episodicReturn: HELD_OUT };

/** The second lines of the chart of a metric, of runs that have measured what stands there. */
export function curvesBeside(
  groups: readonly RunGroup[],
  metric: string,
  axis: Axis,
  limit: number,
  names: ReadonlyMap<string, string>,
): readonly GroupCurve[] {
  const beside = BESIDE[metric];
  if (beside === undefined) return [];
  const what = t(COMMON.find(({ id }) => id === beside)?.title ?? beside);
  return groups
    .map((group) => {
      const curve = groupCurve(group, beside, axis, limit);
      const name = groups.length > 1 ? `${names.get(group.id) ?? group.name}: ${what}` : what;
      const look: Look = {
        ...curve.look,
        id: `${group.id}/${beside}`,
        name,
        dash: group.dash + 1,
        end: groups.length > 1 ? '' : what,
        beside: true,
      };
      return { ...curve, look };
    })
    .filter(({ seeds }) => seeds.length > 0);
}

function agentCurves(group: RunGroup | undefined, axis: Axis, limit: number): readonly GroupCurve[] {
  if (group === undefined) return [];
  const found = curves.metrics(group.id).flatMap((metric) => {
    const who = agentOfMetric(metric);
    return who === null ? [] : [{ metric, ...who }];
  });
  return found
    .toSorted((a, b) => a.agent - b.agent)
    .map(({ metric, agent, name }) => ({
      ...groupCurve(group, metric, axis, limit),
      look: {
        id: `${group.id}/${agent}`,
        name: spoken(name),
        colour: agent % 8,
        dash: Math.floor(agent / 8),
        shape: agent % SHAPE_COUNT,
        end: '',
      },
    }));
}

export function groupCurve(group: RunGroup, metric: string, axis: Axis, limit: number): GroupCurve {
  const seeds: SeedCurve[] = [];
  const apart: SeedCurve[] = [];
  const alike = alikeSeeds(group);
  let signature = '';
  for (const run of group.seeds) {
    const { seed } = run;
    const into = alike.includes(run) ? seeds : apart;
    const tests = metric === STRENGTH ? strengths.series(group.id, seed) : null;
    const series = metric === STRENGTH ? tests : curves.series(group.id, seed, metric);
    if (series === null) continue;
    const x = onAxis(group.id, seed, series.steps, axis);
    if (x === null) continue;
    const spread = tests === null ? {} : { spread: { low: tests.low, high: tests.high, episodes: tests.episodes } };
    into.push({ seed, xy: { x, y: series.values }, sharedUpTo: sharedIn(group, seed, axis), ...spread });
    if (into === apart) continue;
    // A policy that is tested again has the same step and another value.
    const played = tests === null ? '' : `:${tests.episodes.join()}`;
    signature += `${seed}:${series.steps.length}:${series.steps[series.steps.length - 1]}${played};`;
  }
  const enough = seeds.length >= SEEDS_FOR_INTERVAL;
  const aggregate = enough ? aggregateOf(`${group.id}/${metric}/${axis}/${limit}`, signature, () => seeds.map((s) => s.xy), limit) : null;
  const sharedUpTo = seeds.length === 0 ? 0 : Math.min(...seeds.map((one) => one.sharedUpTo));
  return { group, look: lookOf(group), seeds, ...(apart.length > 0 && { apart }), aggregate, enough, sharedUpTo };
}

/** The x at which a seed of a fork leaves its parent; 0 for other runs. */
function sharedIn(group: RunGroup, seed: number, axis: Axis): number {
  const step = forkStep(group, seed);
  const x = step === null ? 0 : onAxis(group.id, seed, Float64Array.of(step), axis)?.[0];
  return x ?? 0;
}
