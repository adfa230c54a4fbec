/** A whole chart with any pen: small multiples on the page, and the figure that goes into PNG and SVG files. */

import { ticksIn } from '#report/ticks.ts';
import { shapeAt, shapePlaces } from '#ui/kit/charts/shapes.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { columnGrid, decimate, extent } from './decimate.ts';
import { type ChartModel, DASHES, yRange } from './model.ts';
import { type ChartPalette, lineColour } from './palette.ts';
import type { Pen } from './pens.ts';

const LABEL_SIZE = 11; // px

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws lines and bands into `frame`; returns the y range it used, null when there is nothing to draw. */
export function drawCurves(
  pen: Pen,
  model: ChartModel,
  view: readonly [number, number],
  frame: Frame,
  palette: ChartPalette,
  /** `ends`: names at the ends of the lines, unless false. */
  options: { readonly axes: boolean; readonly ends?: boolean },
): [number, number] | null {
  const columns = Math.max(10, Math.round(frame.width));
  const window = { from: view[0], to: view[1], columns };
  const grid = columnGrid(window);
  const bands = model.bands.map((band) => ({
    band,
    low: decimate({ x: band.x, y: band.low }, window, 'low'),
    high: decimate({ x: band.x, y: band.high }, window, 'high'),
  }));
  const lines = model.lines.map((line) => ({ line, row: decimate(line.xy, window) }));
  const found = extent([...bands.flatMap((b) => [b.low, b.high]), ...lines.map((l) => l.row)]);
  if (found === null) return null;
  const [low, high] = yRange(found[0], found[1], options.axes ? model.references : []);
  const px = (x: number): number => frame.x + Math.min(1, Math.max(0, (x - view[0]) / (view[1] - view[0]))) * frame.width;
  const py = (y: number): number => frame.y + (1 - (y - low) / (high - low)) * frame.height;
  const trace = (row: readonly (number | null)[]): [number, number][] =>
    row.flatMap((v, i): [number, number][] => (v === null ? [] : [[px(grid[i]!), py(v)]]));

  if (options.axes) {
    for (const y of ticksIn(low, high, 5)) {
      pen.line([[frame.x, py(y)], [frame.x + frame.width, py(y)]], palette.line, 1); // biome-ignore format: one segment
      pen.text(measure(y, 3), frame.x - 6, py(y) + 4, palette.muted, 11, 'right');
    }
    for (const x of ticksIn(view[0], view[1], 6)) pen.text(compact(x), px(x), frame.y + frame.height + 16, palette.muted, 11, 'center');
    if (model.expected !== null && model.expected.low < high && model.expected.high > low) {
      const [top, bottom] = [py(Math.min(high, model.expected.high)), py(Math.max(low, model.expected.low))];
      const right = frame.x + frame.width;
      pen.area([[frame.x, top], [right, top], [right, bottom], [frame.x, bottom]], palette.muted, 0.12); // biome-ignore format: one shape
      pen.text('expected at the end', right - 4, top + 12, palette.muted, LABEL_SIZE, 'right');
    }
    let before = { y: Number.NEGATIVE_INFINITY, right: 0 };
    for (const { name, value } of model.references.toSorted((p, q) => q.value - p.value)) {
      if (value < low || value > high) continue;
      const y = py(value);
      pen.line([[frame.x, y], [frame.x + frame.width, y]], palette.faint, 1, [3, 4]); // biome-ignore format: one segment
      // Two references close together stand side by side.
      const text = `${name} ${measure(value, 4)}`;
      const x = y - before.y < 13 ? before.right + 12 : frame.x + 4;
      pen.text(text, x, y - 3, palette.muted, LABEL_SIZE);
      before = { y, right: x + text.length * LABEL_SIZE * 0.56 };
    }
  }
  for (const { band, low: l, high: h } of bands) pen.area([...trace(l), ...trace(h).reverse()], palette.series[band.colour % 8]!, 0.15);
  for (const [i, { line, row }] of lines.entries()) {
    const points = trace(row);
    const colour = lineColour(palette, line);
    if (points.length === 1) pen.box(points[0]![0] - 2, points[0]![1] - 2, 4, 4, colour);
    else pen.line(points, colour, line.width, DASHES[line.dash % DASHES.length], line.opacity);
    if (options.axes && line.shape !== null) {
      for (const place of shapePlaces(frame.width, i, lines.length)) {
        const at = points.findLast(([x]) => x <= frame.x + place);
        if (at !== undefined) pen.area(shapeAt(line.shape, at[0], at[1], 4), colour, 1);
      }
    }
    if (options.axes && options.ends !== false && line.end !== '' && points.length > 0) {
      const [x, y] = points[points.length - 1]!;
      pen.text(line.end, x - 2, y - 5, colour, 11, 'right', 600);
    }
  }
  return [low, high];
}
