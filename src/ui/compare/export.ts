/** The whole figure as a file: all panels in one picture with its legend, or their numbers. */
import { csvCell } from '#contract/kit/csv.ts';
import type { RunGroup } from '#stores/types.ts';
import { download } from '#ui/runs/curves/export.ts';
import { drawCurves } from '#ui/runs/curves/figure.ts';
import { DASHES } from '#ui/runs/curves/model.ts';
import type { ChartPalette } from '#ui/runs/curves/palette.ts';
import { canvasPen, type Pen, svgPen } from '#ui/runs/curves/pens.ts';
import { withText } from '#ui/runs/curves/png-text.ts';
import type { Panel } from './panels.ts';

export type FigureKind = 'svg' | 'png' | 'csv' | 'bundle';

export interface FigureData {
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly legend: readonly { readonly name: string; readonly colour: number; readonly dash: number }[];
  /** Below the panels: what was pooled, how scores were scaled, the verdicts. */
  readonly notes: readonly string[];
  /** Configs and the address of the view, kept inside the file. */
  readonly source: string;
}

const PANEL = { width: 380, height: 264 };
const EDGE = 24;
const GAP = 22;
const LINE = 18; // px, a row of the legend or of the notes
const NOTE_CHARS = 150;

function columnsFor(count: number): number {
  if (count <= 3) return Math.max(1, count);
  return count === 4 ? 2 : 3;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function wrapped(notes: readonly string[], width: number): readonly string[] {
  const most = Math.min(NOTE_CHARS, Math.floor((width - 2 * EDGE) / 5.6));
  return notes.flatMap((note) => {
    const lines: string[] = [];
    let line = '';
    for (const word of note.split(' ')) {
      if (line !== '' && line.length + word.length >= most) {
        lines.push(line);
        line = '';
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}

/** Draws everything and answers how large it is; with `pen` null only the size. */
function draw(pen: Pen | null, figure: FigureData, palette: ChartPalette): Size {
  const { panels, legend } = figure;
  const columns = columnsFor(panels.length);
  const rows = Math.ceil(panels.length / columns);
  const width = Math.max(560, 2 * EDGE + columns * PANEL.width + (columns - 1) * GAP);
  const perRow = Math.max(1, Math.floor((width - 2 * EDGE) / 260));
  const top = 50 + LINE * Math.ceil(legend.length / perRow);
  const notes = wrapped(figure.notes, width);
  const height = top + rows * (PANEL.height + GAP) + LINE * notes.length + EDGE;
  if (pen === null) return { width, height };
  pen.box(0, 0, width, height, palette.surface);
  pen.text(figure.title, EDGE, 34, palette.text, 16, 'left', 600);
  legend.forEach(({ name, colour, dash }, i) => {
    const x = EDGE + (i % perRow) * 260;
    const y = 56 + LINE * Math.floor(i / perRow);
    pen.line([[x, y - 4], [x + 22, y - 4]], palette.series[colour % 8]!, 2, DASHES[dash % DASHES.length]); // biome-ignore format: one segment
    pen.text(name.length > 38 ? `${name.slice(0, 37)}…` : name, x + 28, y, palette.text, 12);
  });
  panels.forEach((panel, i) => {
    const x = EDGE + (i % columns) * (PANEL.width + GAP);
    const y = top + Math.floor(i / columns) * (PANEL.height + GAP);
    pen.text(panel.title || panel.model.title, x, y + 12, palette.text, 13, 'left', 600);
    pen.text(panel.model.title, x, y + 30, palette.muted, 11); // of the y axis
    const frame = { x: x + 46, y: y + 38, width: PANEL.width - 52, height: PANEL.height - 80 };
    drawCurves(pen, panel.model, panel.model.extent, frame, palette, { axes: true, ends: false });
    pen.text(panel.model.xTitle, frame.x + frame.width / 2, y + PANEL.height - 8, palette.muted, 11, 'center');
  });
  notes.forEach((note, i) => {
    pen.text(note, EDGE, height - EDGE - LINE * (notes.length - 1 - i), palette.muted, 11);
  });
  return { width, height };
}

export function figureSvg(figure: FigureData, palette: ChartPalette): string {
  const pen = svgPen(palette.font);
  const { width, height } = draw(pen, figure, palette);
  return pen.finish(width, height, figure.source);
}

async function figurePng(figure: FigureData, palette: ChartPalette): Promise<Blob> {
  const { width, height } = draw(null, figure, palette);
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  const g = canvas.getContext('2d');
  if (g === null) throw new Error('No 2D canvas to draw the picture on.');
  g.scale(2, 2);
  draw(canvasPen(g, palette.font), figure, palette);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error('The browser could not encode the picture.');
  const bytes = withText(new Uint8Array(await blob.arrayBuffer()), 'config', figure.source);
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
}

/** panel,line,x,value,low,high,runs: one row for each plotted place; no interval below five runs. */
export function figureCsv({ panels }: FigureData): string {
  const rows = ['panel,line,x,value,low,high,runs'];
  for (const { title, curves, model } of panels) {
    for (const { set, x, value, low, high, n } of curves) {
      const head = `${csvCell(title || model.title)},${csvCell(set.name)}`;
      for (let i = 0; i < x.length; i++) {
        const interval = Number.isNaN(low[i]) ? ',' : `${low[i]},${high[i]}`;
        if (!Number.isNaN(value[i])) rows.push(`${head},${x[i]},${value[i]},${interval},${n}`);
      }
    }
  }
  return `${rows.join('\n')}\n`;
}

/** `runs`: those in the figure that a bundle can repeat, of 'bundle' alone. */
export async function saveFigure(
  kind: FigureKind,
  figure: FigureData,
  palette: ChartPalette,
  runs: readonly RunGroup[],
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const name = `comparison-${figure.title.replace(/\W+/g, '-')}.${kind === 'bundle' ? 'zip' : kind}`;
  if (kind === 'csv') download(name, new Blob([figureCsv(figure)], { type: 'text/csv' }));
  else if (kind === 'svg') download(name, new Blob([figureSvg(figure, palette)], { type: 'image/svg+xml' }));
  else if (kind === 'png') download(name, await figurePng(figure, palette));
  else {
    const { bundle } = await import('#ui/runs/bundle.ts');
    download(name, await bundle(runs, names, { svg: figureSvg(figure, palette), csv: figureCsv(figure) }, name));
  }
}
