/** What one chart shows, as plain data: built from group curves, drawn by uPlot on the page and by pens in files and small charts. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { Mark } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { type Aggregate, lastAtOrBefore, type XY } from './aggregate.ts';
import type { GroupCurve, Look } from './data.ts';
import { smooth } from './smooth.ts';

export const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export interface Line {
  readonly key: string;
  readonly colour: number; // palette index
  readonly dash: number;
  readonly width: number; // px
  readonly opacity: number;
  readonly xy: XY;
  /** What a fork shares with its parent: drawn in grey. */
  readonly shared?: true;
  /** Figure that stands on it here and there (shapes.ts); null: none. */
  readonly shape: number | null;
  /** Text at its end, '' for none. */
  readonly end: string;
}

export interface Band {
  readonly key: string;
  readonly colour: number;
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** One of several that lie over each other. */
  readonly faint?: true;
}

export interface ChartMark {
  readonly x: number;
  readonly type: Mark['type'];
  readonly text: string;
  readonly group: string;
  readonly colour: number;
}

/** One line of the legend: what a group's value is at some x. */
export interface Reading {
  readonly look: Look;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Seeds behind the value; below five `value` is the mean of what is there and has no interval. */
  readonly n: number;
  readonly seeds: readonly { readonly seed: number; readonly value: number }[];
  /** Of one seed whose value is a test: its episodes, of which the interval is. */
  readonly episodes?: number;
}

/** What runs like the shown one are known to reach. */
export interface Expected {
  readonly low: number;
  readonly high: number;
}

export interface ChartModel {
  readonly title: string;
  readonly xTitle: string;
  readonly lines: readonly Line[];
  readonly bands: readonly Band[];
  readonly references: readonly ReferenceReturn[];
  readonly expected: Expected | null;
  readonly marks: readonly ChartMark[];
  readonly smoothing: number;
  /** Its start is what the end is compared with, so it is in the picture however far away it lies. */
  readonly fromStart?: boolean;
  /** Range of all x, [0, 1] when there is nothing. */
  readonly extent: readonly [from: number, to: number];
  readonly groups: readonly GroupCurve[];
}

export interface ModelOptions {
  readonly title: string;
  readonly xTitle: string;
  readonly smoothing: number;
  readonly rawSeeds: boolean;
  readonly references: readonly ReferenceReturn[];
  readonly expected?: Expected | null;
  readonly marks: readonly ChartMark[];
  readonly fromStart?: boolean;
  /** No statistics at the ends of lines. */
  readonly plain?: boolean;
}

// Smoothing a long line again for every hover would cost; it changes only with its data or its amount.
const smoothed = new WeakMap<Float64Array, { amount: number; length: number; result: Float64Array }>();
function smoothOnce(x: Float64Array, y: Float64Array, amount: number): Float64Array {
  if (amount === 0) return y;
  const known = smoothed.get(y);
  if (known !== undefined && known.amount === amount && known.length === y.length) return known.result;
  const result = smooth(x, y, amount);
  smoothed.set(y, { amount, length: y.length, result });
  return result;
}

/** Opacity of lines that stand behind others. */
const FAINT = 0.5;

/** A line in two: what a fork shares with its parent, and the rest, which begins where the first ends. */
function split(line: Line, sharedUpTo: number): Line[] {
  const { x, y } = line.xy;
  const at = sharedUpTo > 0 ? lastAtOrBefore(x, sharedUpTo) : -1;
  if (at < 1) return [line];
  const shared: Line = {
    ...line,
    key: `${line.key}/shared`,
    opacity: line.opacity < FAINT ? line.opacity : 1,
    dash: 0,
    xy: { x: x.subarray(0, at + 1), y: y.subarray(0, at + 1) },
    shape: null,
    end: '',
    shared: true,
  };
  return at === x.length - 1 ? [shared] : [shared, { ...line, xy: { x: x.subarray(at), y: y.subarray(at) } }];
}

function after(xy: XY, x: number): XY {
  const at = Math.max(0, lastAtOrBefore(xy.x, x));
  return { x: xy.x.subarray(at), y: xy.y.subarray(at) };
}

export function buildModel(groups: readonly GroupCurve[], options: ModelOptions): ChartModel {
  const lines: Line[] = [];
  const bands: Band[] = [];
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const curve of groups) {
    const { look, seeds, apart = [], aggregate } = curve;
    const style = { colour: look.colour, dash: look.dash };
    const thin = (key: string, xy: XY, sharedUpTo: number, opacity: number, end = '', shape: number | null = null): void => {
      const line = { ...style, key: `${look.id}/${key}`, width: 1, opacity, xy, shape, end };
      if (xy.x.length > 0) lines.push(...split(line, sharedUpTo));
    };
    for (const { seed, xy, sharedUpTo } of apart) thin(`apart${seed}`, xy, sharedUpTo, FAINT);
    for (const { xy } of [...seeds, ...apart]) {
      from = Math.min(from, xy.x[0]!);
      to = Math.max(to, xy.x[xy.x.length - 1]!);
    }
    if (aggregate === null) {
      const faint = seeds.length > 1 ? ({ faint: true } as const) : {};
      for (const { seed, xy, spread } of seeds)
        if (spread !== undefined)
          bands.push({ key: `${look.id}/band${seed}`, colour: look.colour, x: xy.x, low: spread.low, high: spread.high, ...faint });
      const nameOn = seeds[0]?.seed; // once, not on every seed
      for (const { seed, xy, sharedUpTo } of seeds) {
        const y = smoothOnce(xy.x, xy.y, options.smoothing);
        if (y !== xy.y) thin(`raw${seed}`, xy, sharedUpTo, 0.25);
        thin(
          `seed${seed}`,
          { x: xy.x, y },
          sharedUpTo,
          0.85,
          seed === nameOn ? look.end || (seeds.length === 1 && look.shape === null ? t('one seed') : '') : '',
          look.shape,
        );
      }
      continue;
    }
    const { x } = aggregate;
    const line = smoothOnce(x, aggregate.line, options.smoothing);
    // Where a fork is its parent, the parent has the band.
    const own = curve.sharedUpTo > 0 ? Math.max(0, lastAtOrBefore(x, curve.sharedUpTo)) : 0;
    bands.push({
      key: `${look.id}/band`,
      colour: look.colour,
      x: x.subarray(own),
      low: smoothOnce(x, aggregate.low, options.smoothing).subarray(own),
      high: smoothOnce(x, aggregate.high, options.smoothing).subarray(own),
    });
    const last = x[x.length - 1]!;
    for (const { seed, xy, sharedUpTo } of seeds) {
      if (options.rawSeeds) thin(`seed${seed}`, xy, sharedUpTo, 0.45);
      // Seeds that are ahead of the slowest one run on as thin lines: the interval stands only where every seed has a value.
      else if (xy.x[xy.x.length - 1]! > last) thin(`ahead${seed}`, after(xy, last), sharedUpTo, 0.45);
    }
    if (line !== aggregate.line)
      lines.push({ ...style, key: `${look.id}/unsmoothed`, width: 1, opacity: 0.25, xy: { x, y: aggregate.line }, shape: null, end: '' });
    const iqm: Line = {
      ...style,
      key: `${look.id}/iqm`,
      width: 1.75,
      opacity: 1,
      xy: { x, y: line },
      shape: look.shape,
      end: look.end || (look.shape === null && options.plain !== true ? `IQM n=${aggregate.n}` : ''),
    };
    lines.push(...split(iqm, curve.sharedUpTo));
  }
  // What is shared lies over the parent's own line: from where it ends, each goes its way in its colour.
  lines.sort((a, b) => Number(a.shared === true) - Number(b.shared === true));
  return {
    ...options,
    expected: options.expected ?? null,
    lines,
    bands,
    extent: from < to ? [from, to] : from === to ? [Math.min(0, to), Math.max(to, 1)] : [0, 1],
    groups,
  };
}

/** The last x at which a group reads: of an interval, where the slowest seed is; of fewer seeds null, where each reads at its own newest value unless all have ended at the same. */
export function endOf({ seeds, aggregate }: Pick<GroupCurve, 'seeds' | 'aggregate'>): number | null {
  if (aggregate !== null && aggregate.x.length > 0) return aggregate.x[aggregate.x.length - 1]!;
  const [end, ...others] = new Set(seeds.map(({ xy }) => xy.x[xy.x.length - 1]!));
  return end === undefined || others.length > 0 ? null : end;
}

/**
 * What every group reads at x (its newest value at or before), unsmoothed; infinity asks for the end, where seeds that have only their first
 * value do not count beside others: a start is no result.
 */
export function readAt(curve: GroupCurve, x: number): Reading | null {
  const all = curve.seeds.flatMap((one) => {
    const row = lastAtOrBefore(one.xy.x, x);
    return row < 0 ? [] : [{ one, row }];
  });
  const trained = x === Number.POSITIVE_INFINITY ? all.filter(({ row }) => row > 0) : [];
  const here = trained.length > 0 ? trained : all;
  const seeds = here.map(({ one, row }) => ({ seed: one.seed, value: one.xy.y[row]! }));
  const { aggregate } = curve;
  const row = aggregate === null ? -1 : lastAtOrBefore(aggregate.x, x);
  if (aggregate !== null && row >= 0) return { look: curve.look, ...valueAt(aggregate, row), n: aggregate.n, seeds };
  if (seeds.length === 0) return null;
  const value = seeds.reduce((sum, s) => sum + s.value, 0) / seeds.length;
  const reading = { look: curve.look, value, low: Number.NaN, high: Number.NaN, n: seeds.length, seeds };
  const [only] = here;
  const spread = only?.one.spread;
  if (here.length > 1 || only === undefined || spread === undefined) return reading;
  return { ...reading, low: spread.low[only.row]!, high: spread.high[only.row]!, episodes: spread.episodes[only.row]! };
}

function valueAt(a: Aggregate, at: number): { value: number; low: number; high: number } {
  return { value: a.line[at]!, low: a.low[at]!, high: a.high[at]! };
}

/** y range for what is in view: a little air, honest zero where zero is near. */
export function yRange(low: number, high: number, references: readonly ReferenceReturn[]): [number, number] {
  let a = low;
  let b = high;
  const span = Math.max(high - low, Math.abs(high) * 0.02, 1e-9);
  for (const { value, stays = false } of references) {
    // A reference far away would squash the curve; it is left out instead, but for one that has to be passed.
    if (value > b && (stays || value <= high + 0.7 * span)) b = value;
    if (value < a && (stays || value >= low - 0.7 * span)) a = value;
  }
  if (a > 0 && a < 0.5 * b) a = 0;
  if (b < 0 && b > 0.5 * a) b = 0;
  if (a === 0 && b === 0) return [0, 1]; // nothing but zeros: a line along the axis
  if (a === b) {
    const pad = Math.max(Math.abs(a) * 0.1, 0.5); // a constant: room enough that its ticks differ
    return [a - pad, b + pad];
  }
  const air = Math.max(b - a, span * 0.2) * 0.06;
  return [a === 0 ? 0 : a - air, b === 0 ? 0 : b + air];
}
