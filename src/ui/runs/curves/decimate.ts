/**
 * Any number of series on one shared x axis of two places per pixel column: in each column a line keeps its smallest and its
 * largest value in the order they came, so that no peak is lost. Cost is linear in the points in view, drawing in pixels.
 */
import { lastAtOrBefore, type XY } from './aggregate.ts';

export interface View {
  readonly from: number;
  readonly to: number;
  /** Pixel columns. */
  readonly columns: number;
}

/** x of the shared places: two inside every column, and one beyond each end so that lines leave the picture. */
export function columnGrid(view: View): Float64Array {
  const { from, to, columns } = view;
  const width = (to - from) / columns;
  const x = new Float64Array(columns * 2 + 2);
  x[0] = from - width;
  for (let c = 0; c < columns; c++) {
    x[2 * c + 1] = from + (c + 0.25) * width;
    x[2 * c + 2] = from + (c + 0.75) * width;
  }
  x[x.length - 1] = to + width;
  return x;
}

/** `keep`: both extremes (lines) or only one of them (edges of a band). Columns without a point are null. */
export function decimate(series: XY, view: View, keep: 'both' | 'low' | 'high' = 'both'): (number | null)[] {
  const { from, to, columns } = view;
  const out: (number | null)[] = new Array(columns * 2 + 2).fill(null);
  const { x, y } = series;
  const scale = columns / (to - from);
  const start = lastAtOrBefore(x, from);
  if (start >= 0 && x[start]! < from && Number.isFinite(y[start])) out[0] = y[start]!;
  let i = start < 0 ? 0 : x[start] === from ? start : start + 1;
  while (i < x.length && x[i]! <= to) {
    const column = Math.min(columns - 1, Math.floor((x[i]! - from) * scale));
    const end = column === columns - 1 ? to : from + (column + 1) / scale;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let lowAt = i;
    let highAt = i;
    const first = i;
    do {
      const v = y[i]!;
      if (v < low) {
        low = v;
        lowAt = i;
      }
      if (v > high) {
        high = v;
        highAt = i;
      }
      i++;
    } while (i < x.length && (x[i]! < end || (column === columns - 1 && x[i]! <= to)));
    if (low > high) continue; // nothing finite in this column
    if (keep !== 'both') out[2 * column + 1] = keep === 'low' ? low : high;
    else if (i - first === 1 || low === high) out[2 * column + 1] = low;
    else {
      out[2 * column + 1] = lowAt < highAt ? low : high;
      out[2 * column + 2] = lowAt < highAt ? high : low;
    }
  }
  if (i < x.length && Number.isFinite(y[i])) out[out.length - 1] = y[i]!;
  return out;
}

/** Smallest and largest finite value of some columns; null where there is none. */
export function extent(rows: readonly (readonly (number | null)[])[], from = 1): [low: number, high: number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    for (let i = Math.max(1, from); i < row.length - 1; i++) {
      const v = row[i];
      if (v === null || v === undefined) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return low > high ? null : [low, high];
}

/** Share of the columns that counts as the start of a run. */
const START = 0.06;
/** The start lies off the chart where with it all later values would have less than this share of the height. */
const LEAST = 0.25;

/**
 * The range that matters: without the start of the run where that would press the rest flat, as the first episodes of a cliff do. `off`: the side
 * on which the start then lies. null: there is nothing to draw.
 */
export function fittedExtent(rows: readonly (readonly (number | null)[])[]): {
  readonly low: number;
  readonly high: number;
  readonly off: 'below' | 'above' | null;
} | null {
  const all = extent(rows);
  if (all === null) return null;
  const later = extent(rows, Math.ceil(START * (rows[0]?.length ?? 0)) + 1);
  const whole = { low: all[0], high: all[1], off: null };
  if (later === null || later[0] === later[1] || later[1] - later[0] >= LEAST * (all[1] - all[0])) return whole;
  return { low: later[0], high: later[1], off: later[0] - all[0] > all[1] - later[1] ? 'below' : 'above' };
}
