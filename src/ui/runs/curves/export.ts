/** Curves as files: CSV in long form (unsmoothed, with the events), SVG, and PNG at twice the size; pictures carry the config they show. */

import { csvCell } from '#contract/kit/csv.ts';
import { curves } from '#stores/curves.ts';
import type { Mark, RunGroup } from '#stores/types.ts';
import { shapeAt } from '#ui/kit/charts/shapes.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { drawCurves } from './figure.ts';
import { type ChartModel, readAt } from './model.ts';
import type { ChartPalette } from './palette.ts';
import { canvasPen, type Pen, svgPen } from './pens.ts';
import { withText } from './png-text.ts';

const WIDTH = 880;
const HEIGHT = 520;

/** run,seed,step,metric,value: one row per measurement; events stand as metric `event:<type>` with their text. */
export function toCsv(groups: readonly RunGroup[], names: ReadonlyMap<string, string>): string {
  const rows = ['run,seed,step,metric,value'];
  for (const group of groups) {
    const run = csvCell(names.get(group.id) ?? group.name);
    for (const { seed, marks } of group.seeds) {
      for (const metric of curves.metrics(group.id)) {
        const series = curves.series(group.id, seed, metric);
        if (series === null) continue;
        for (let i = 0; i < series.steps.length; i++) rows.push(`${run},${seed},${series.steps[i]},${metric},${series.values[i]}`);
      }
      for (const mark of marks as readonly Mark[]) rows.push(`${run},${seed},${mark.step},event:${mark.type},${csvCell(mark.text)}`);
    }
  }
  return `${rows.join('\n')}\n`;
}

/** Once each, though all its agents may be drawn. */
const runsOf = (model: ChartModel): readonly RunGroup[] => [...new Set(model.groups.map(({ group }) => group))];

function drawFigure(pen: Pen, model: ChartModel, view: readonly [number, number], palette: ChartPalette): void {
  pen.box(0, 0, WIDTH, HEIGHT, palette.surface);
  pen.text(model.title, 24, 34, palette.text, 16, 'left', 600);
  const readings = model.groups.flatMap((group) => readAt(group, Number.POSITIVE_INFINITY) ?? []);
  readings.slice(0, 6).forEach((r, i) => {
    const spread = Number.isFinite(r.low)
      ? ` [${measure(r.low)}, ${measure(r.high)}], IQM n=${r.n}`
      : `, ${r.n === 1 ? 'one seed' : `${r.n} seeds`}`;
    const y = 58 + 18 * Math.floor(i / 2);
    const x = 24 + (i % 2) * (WIDTH / 2 - 12);
    if (r.look.shape !== null) pen.area(shapeAt(r.look.shape, x + 9, y - 4, 5), palette.series[r.look.colour % 8]!, 1);
    pen.box(x, y - 5, 18, 3, palette.series[r.look.colour % 8]!);
    pen.text(`${r.look.name}: ${measure(r.value)}${spread}`, x + 26, y, palette.text, 12);
  });
  const top = 78 + 18 * Math.floor((Math.max(1, Math.min(6, readings.length)) - 1) / 2);
  const frame = { x: 68, y: top, width: WIDTH - 68 - 24, height: HEIGHT - top - 82 };
  drawCurves(pen, model, view, frame, palette, { axes: true });
  pen.text(model.xTitle, frame.x + frame.width / 2, HEIGHT - 46, palette.muted, 12, 'center');
  const smoothing = model.smoothing === 0 ? 'not smoothed' : `smoothed ${model.smoothing}`;
  const footer = runsOf(model)
    .map((group) => `${group.config.env.id} · ${group.config.algo.id} · config ${group.hash}`)
    .join('   ');
  pen.text(`${footer}   ${smoothing}`, 24, HEIGHT - 16, palette.muted, 11);
}

function configs(model: ChartModel): string {
  const names = new Map(
    model.groups
      .filter(({ look }) => look.beside !== true)
      .map(({ group, look }) => [group.id, look.shape === null ? look.name : group.name]),
  );
  return JSON.stringify(
    runsOf(model).map((group) => ({ name: names.get(group.id) ?? group.name, hash: group.hash, config: group.config })),
  );
}

export function toSvg(model: ChartModel, view: readonly [number, number], palette: ChartPalette): string {
  const pen = svgPen(palette.font);
  drawFigure(pen, model, view, palette);
  return pen.finish(WIDTH, HEIGHT, configs(model));
}

export async function toPng(model: ChartModel, view: readonly [number, number], palette: ChartPalette): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * 2;
  canvas.height = HEIGHT * 2;
  const g = canvas.getContext('2d');
  if (g === null) throw new Error('No 2D canvas to draw the picture on.');
  g.scale(2, 2);
  drawFigure(canvasPen(g, palette.font), model, view, palette);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error('The browser could not encode the picture.');
  return new Blob([withText(new Uint8Array(await blob.arrayBuffer()), 'config', configs(model)) as BlobPart], { type: 'image/png' });
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
