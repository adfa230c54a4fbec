/** From the run list and the curve tables to what a chart draws: per group its seeds on the chosen x axis and, from five on, their aggregate. */
import type { AlgoCard, Catalog, MetricCard, ReferenceReturn } from '#contract/catalog.ts';
import { curves } from '#stores/curves.ts';
import type { CurvesState, RunGroup } from '#stores/types.ts';
import { type Aggregate, ENOUGH_SEEDS, lastAtOrBefore, type XY } from './aggregate.ts';
import { aggregateOf } from './aggregator.ts';

export type Axis = CurvesState['xAxis'];

export interface GroupCurve {
  readonly group: RunGroup;
  readonly seeds: readonly { readonly seed: number; readonly xy: XY }[];
  /** Null below five seeds, and until the first answer of the worker. */
  readonly aggregate: Aggregate | null;
  readonly enough: boolean;
}

export const AXES: readonly { readonly id: Axis; readonly title: string; readonly unit: string }[] = [
  { id: 'steps', title: 'environment steps', unit: 'steps' },
  { id: 'updates', title: 'updates', unit: 'updates' },
  { id: 'episodes', title: 'episodes', unit: 'episodes' },
  { id: 'seconds', title: 'seconds of training', unit: 's' },
];

/** Columns the session adds to an algorithm's own. */
const COMMON: readonly MetricCard[] = [
  { id: 'episodicReturn', title: 'return', description: 'Mean score of the last 100 training episodes, exploration included.' },
  { id: 'evalReturn', title: 'evaluation return', description: 'Mean score of greedy episodes on fixed seeds.' },
];
/** Bookkeeping, not curves. */
const HIDDEN: ReadonlySet<string> = new Set(['seconds', 'episodes']);
export const RETURNS: ReadonlySet<string> = new Set(['episodicReturn', 'evalReturn', 'return']);

/** Metrics measured by any of these groups, returns first, then in the algorithm's own order. */
export function metricsOf(groups: readonly RunGroup[], catalog: Catalog | null): readonly MetricCard[] {
  const cards = new Map<string, MetricCard>(COMMON.map((card) => [card.id, card]));
  const measured = new Set<string>();
  for (const group of groups) {
    const algo: AlgoCard | undefined = catalog?.algos.find((a) => a.id === group.config.algo.id);
    for (const card of algo?.metrics ?? []) if (!cards.has(card.id)) cards.set(card.id, card);
    for (const id of curves.metrics(group.id)) if (!HIDDEN.has(id)) measured.add(id);
  }
  const known = [...cards.values()].filter((card) => measured.has(card.id));
  const unknown = [...measured].filter((id) => !cards.has(id)).map((id) => ({ id, title: id, description: '' }));
  return [...known, ...unknown];
}

/** Reference returns of the environment all these groups share; none for other metrics or mixed environments. */
export function referencesOf(groups: readonly RunGroup[], metric: string, catalog: Catalog | null): readonly ReferenceReturn[] {
  const ids = new Set(groups.map((group) => group.config.env.id));
  if (!RETURNS.has(metric) || ids.size !== 1) return [];
  return catalog?.envs.find((env) => env.id === [...ids][0])?.references ?? [];
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

export function groupCurve(group: RunGroup, metric: string, axis: Axis, limit: number): GroupCurve {
  const seeds: { seed: number; xy: XY }[] = [];
  let signature = '';
  for (const { seed } of group.seeds) {
    const series = curves.series(group.id, seed, metric);
    if (series === null) continue;
    const x = onAxis(group.id, seed, series.steps, axis);
    if (x === null) continue;
    seeds.push({ seed, xy: { x, y: series.values } });
    signature += `${seed}:${series.steps.length}:${series.steps[series.steps.length - 1]};`;
  }
  const enough = seeds.length >= ENOUGH_SEEDS;
  const aggregate = enough
    ? aggregateOf(
        `${group.id}/${metric}/${axis}/${limit}`,
        signature,
        seeds.map((s) => s.xy),
        limit,
      )
    : null;
  return { group, seeds, aggregate, enough };
}
