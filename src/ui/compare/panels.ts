/** From groups to what is drawn: a panel of curves for each facet, and one of performance profiles. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import { SEEDS_FOR_INTERVAL } from '#math/seeds.ts';
import { curves } from '#stores/curves.ts';
import type { CatalogState } from '#stores/types.ts';
import { lastAtOrBefore, type XY } from '#ui/runs/curves/aggregate.ts';
import { aggregateOf } from '#ui/runs/curves/aggregator.ts';
import { AXES, onAxis, sharedReferences } from '#ui/runs/curves/data.ts';
import type { Band, ChartModel, Line } from '#ui/runs/curves/model.ts';
import type { Facet, Grouped, Member, RunSet } from './grouping.ts';
import type { Evidence, ScoredFacet } from './scores.ts';
import { SCORES, type View } from './view.ts';

/** Steps at which a group is drawn. A panel is a few hundred pixels wide, and a bootstrap of hundreds of runs at each step takes time. */
const POINTS = 240;
/** Of more runs than this the bootstrap takes places instead: the worker answers for hundreds of runs within seconds. */
const MANY = 30;
const pointsFor = (runs: number): number => (runs > MANY ? Math.max(60, Math.floor((POINTS * MANY) / runs)) : POINTS);
/** Runs of a small group that are drawn one by one. */
const MOST_THIN = SEEDS_FOR_INTERVAL - 1;

/** A line of a panel in numbers: for the table, for hovering and for files. */
export interface SetCurve {
  readonly set: RunSet;
  readonly x: Float64Array;
  readonly value: Float64Array;
  /** NaN below five runs. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly n: number;
}

export interface Reading {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Panel {
  readonly title: string;
  readonly model: ChartModel;
  readonly curves: readonly SetCurve[];
  /** What stands beside each line while no place is pointed at, by its key, and what it is called; without it the ends of the lines. */
  readonly rest?: ReadonlyMap<string, Reading>;
  readonly restTitle?: string;
  /** The worker still counts. */
  readonly waiting: boolean;
}

interface Read {
  readonly xy: XY;
  readonly signature: string;
}

/** One run on the chosen axis. */
function read({ group, run }: Member, view: View): Read | null {
  const series = curves.series(group.id, run.seed, view.metric);
  if (series === null) return null;
  const x = onAxis(group.id, run.seed, series.steps, view.axis);
  if (x === null) return null;
  return { xy: { x, y: series.values }, signature: `${group.id}:${run.seed}:${x.length}:${x[x.length - 1]}` };
}

/** The values of a run at even steps, the last one carried. */
function atSteps({ x, y }: XY, grid: Float64Array): Float64Array {
  return grid.map((step) => {
    const at = lastAtOrBefore(x, step);
    return at < 0 ? Number.NaN : y[at]!;
  });
}

const none = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);

function curveOf(
  set: RunSet,
  facet: Facet,
  view: View,
): { readonly curve: SetCurve | null; readonly runs: readonly XY[]; readonly waiting: boolean } {
  const found = set.members.flatMap((member) => read(member, view) ?? []);
  const from = Math.max(...found.map(({ xy }) => xy.x[0]!));
  const to = Math.min(...found.map(({ xy }) => xy.x[xy.x.length - 1]!));
  const runs = found.map(({ xy }) => xy);
  if (found.length === 0 || !(from <= to)) return { curve: null, runs, waiting: false };
  const points = pointsFor(found.length);
  const grid = Float64Array.from({ length: points }, (_, i) => (i === points - 1 ? to : from + ((to - from) * i) / (points - 1)));
  const key = `compare/${facet.key}/${set.key}/${view.metric}/${view.axis}`;
  if (found.length >= SEEDS_FOR_INTERVAL) {
    const signature = found.map((one) => one.signature).join(';');
    const lines = (): readonly XY[] => runs.map((xy) => ({ x: grid, y: atSteps(xy, grid) }));
    const result = aggregateOf(key, signature, lines, points);
    if (result === null) return { curve: null, runs: [], waiting: true };
    return { curve: { set, x: result.x, value: result.line, low: result.low, high: result.high, n: result.n }, runs, waiting: false };
  }
  const rows = runs.map((xy) => atSteps(xy, grid));
  const value = grid.map((_, k) => rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length);
  return { curve: { set, x: grid, value, low: none(points), high: none(points), n: found.length }, runs, waiting: false };
}

/** Where the curve is not what is compared: that of every group, so that numbers and conclusions are of one kind. */
function comparedOf(scored: ScoredFacet | undefined, { score, metric }: View): Pick<Panel, 'rest' | 'restTitle'> {
  if (scored === undefined || score !== 'greedy' || metric === 'evalReturn') return {};
  const rest = scored.sets.flatMap(({ set, summary }) => {
    const { iqm, ci95 } = summary[score];
    return iqm === null ? [] : [[set.key, { value: iqm, low: ci95?.[0] ?? Number.NaN, high: ci95?.[1] ?? Number.NaN }] as const];
  });
  return rest.length === 0 ? {} : { rest: new Map(rest), restTitle: `the ${SCORES[score]} at the end, which is compared` };
}

export function curvePanels(
  grouped: Grouped,
  view: View,
  title: string,
  known: CatalogState,
  scored: readonly ScoredFacet[],
): readonly Panel[] {
  const several = grouped.names.size > 1;
  return grouped.facets.map((facet) => {
    const parts = facet.sets.map((set) => ({ set, ...curveOf(set, facet, view) }));
    const lines: Line[] = [];
    const bands: Band[] = [];
    for (const { set, curve, runs } of parts) {
      if (curve === null) continue;
      const style = { colour: set.colour, dash: set.dash, shape: null };
      const end = several ? set.name : '';
      if (curve.n < SEEDS_FOR_INTERVAL) {
        for (const [i, xy] of runs.slice(0, MOST_THIN).entries()) {
          lines.push({ ...style, key: `${set.key}/${i}`, width: 1, opacity: 0.8, xy, end: i === 0 ? end : '' });
        }
        continue;
      }
      bands.push({ key: `${set.key}/band`, colour: set.colour, x: curve.x, low: curve.low, high: curve.high });
      lines.push({ ...style, key: set.key, width: 1.75, opacity: 1, xy: { x: curve.x, y: curve.value }, end });
    }
    const groups = [...new Set(facet.sets.flatMap(({ members }) => members.map(({ group }) => group)))];
    const references: readonly ReferenceReturn[] = sharedReferences(groups, view.metric, known);
    return {
      title: facet.title,
      model: chart(title, AXES[view.axis].title, lines, bands, references),
      curves: parts.flatMap(({ curve }) => curve ?? []),
      ...comparedOf(
        scored.find((one) => one.facet.key === facet.key),
        view,
      ),
      waiting: parts.some(({ waiting }) => waiting),
    };
  });
}

export function profilePanel({ overall, thresholds }: Evidence): Panel {
  const x = Float64Array.from(thresholds);
  const curvesOf = overall.flatMap(({ key, name, colour, dash, profile, runs }): SetCurve[] =>
    runs === 0
      ? []
      : [
          {
            set: { key, name, plain: name, colour, dash, members: [], setups: 0 },
            x,
            value: Float64Array.from(profile.share),
            low: profile.band === null ? none(x.length) : Float64Array.from(profile.band.low),
            high: profile.band === null ? none(x.length) : Float64Array.from(profile.band.high),
            n: runs,
          },
        ],
  );
  const lines = curvesOf.map(({ set, value }): Line => {
    const style = { colour: set.colour, dash: set.dash, shape: null };
    return { ...style, key: set.key, width: 1.75, opacity: 1, xy: { x, y: value }, end: '' };
  });
  const bands = curvesOf.flatMap(({ set, low, high }): Band[] =>
    Number.isNaN(low[0]) ? [] : [{ key: `${set.key}/band`, colour: set.colour, x, low, high }],
  );
  return {
    title: 'Performance profile',
    restTitle: 'its mean (IQM)',
    rest: new Map(
      overall.flatMap(({ key, iqm, interval }) =>
        iqm === null ? [] : [[key, { value: iqm, low: interval?.[0] ?? Number.NaN, high: interval?.[1] ?? Number.NaN }] as const],
      ),
    ),
    model: chart('share of runs above', 'normalised score', lines, bands, []),
    curves: curvesOf,
    waiting: false,
  };
}

function chart(
  title: string,
  xTitle: string,
  lines: readonly Line[],
  bands: readonly Band[],
  references: readonly ReferenceReturn[],
): ChartModel {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { xy } of lines) {
    if (xy.x.length === 0) continue;
    from = Math.min(from, xy.x[0]!);
    to = Math.max(to, xy.x[xy.x.length - 1]!);
  }
  const extent = from < to ? ([from, to] as const) : ([0, 1] as const);
  return { title, xTitle, lines, bands, references, expected: null, marks: [], smoothing: 0, extent, groups: [] };
}

/** What a line reads at x: its newest value at or before. */
export function readCurve({ x, value, low, high }: SetCurve, at: number): Reading | null {
  const i = lastAtOrBefore(x, at);
  return i < 0 ? null : { value: value[i]!, low: low[i]!, high: high[i]! };
}
