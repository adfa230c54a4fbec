/**
 * The interactive chart: a thin layer over uPlot that is given a ChartModel and a view and draws it. Data are decimated here to two
 * places per pixel before uPlot sees them, so that a redraw costs pixels, not points. Knows nothing of React or stores.
 */
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { present } from '#contract/kit/errors.ts';
import { processorDraws } from '#stores/update-clock.ts';
import { t } from '#text/text.ts';
import { shapeAt, shapePlaces } from '#ui/kit/charts/shapes.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { lastAtOrBefore } from './aggregate.ts';
import { columnGrid, decimate, extent, fittedExtent } from './decimate.ts';
import { type ChartModel, DASHES, yRange } from './model.ts';
import { type ChartPalette, fade, lineColour } from './palette.ts';

export interface ChartHandlers {
  /** The x under the cursor, in the model's units. */
  hover(x: number): void;
  /** A new range of x; null: all of it. */
  view(range: readonly [from: number, to: number] | null): void;
  /** A click without dragging. */
  pick(x: number): void;
}

export interface PlotArea {
  readonly left: number;
  readonly width: number;
}

export interface CurveChart {
  draw(model: ChartModel, view: readonly [number, number] | null, palette: ChartPalette): void;
  /** Puts the cursor at x without telling anybody. */
  setHover(x: number | null): void;
  resize(width: number, height: number): void;
  /** Where the plot lies in the element, CSS px: for what is drawn below it. */
  area(): PlotArea;
  destroy(): void;
}

/** px, as the sizes of the axes, at scale 1. */
const TEXT = 12;
const AXIS_WIDTH = 44;
const AXIS_HEIGHT = 26;
const CLICK_MS = 260;

export function createUplotChart(host: HTMLElement, width: number, height: number, handlers: ChartHandlers): CurveChart {
  let model: ChartModel | null = null;
  let palette: ChartPalette | null = null;
  let plot: UPlot | null = null;
  let structure = '';
  let range: readonly [number, number] = [0, 1];
  let zero = true;
  let off: 'below' | 'above' | null = null;
  let size = { width, height };
  let silent = false;
  let dragged = false;
  let clickTimer: ReturnType<typeof setTimeout> | undefined;

  function rows(m: ChartModel): UPlot.AlignedData {
    const columns = Math.max(
      20,
      Math.round((plot?.bbox.width ?? (size.width - AXIS_WIDTH * (palette?.scale ?? 1)) * devicePixelRatio) / devicePixelRatio),
    );
    const view = { from: range[0], to: range[1], columns };
    const data: (number | null)[][] = [];
    for (const band of m.bands) {
      data.push(decimate({ x: band.x, y: band.low }, view, 'low'), decimate({ x: band.x, y: band.high }, view, 'high'));
    }
    for (const line of m.lines) data.push(decimate(line.xy, view));
    return [columnGrid(view), ...data];
  }

  function build(m: ChartModel, colours: ChartPalette): void {
    plot?.destroy();
    const tone = (index: number, opacity: number): string => fade(colours.series[index % 8]!, opacity);
    const series: UPlot.Series[] = [{}];
    const bands: UPlot.Band[] = [];
    for (const band of m.bands) {
      const i = series.length;
      series.push({ width: 0, points: { show: false }, spanGaps: true }, { width: 0, points: { show: false }, spanGaps: true });
      bands.push({ series: [i + 1, i], fill: tone(band.colour, band.faint ? 0.06 : 0.15) });
    }
    for (const line of m.lines) {
      const stroke = fade(lineColour(colours, line), line.opacity);
      series.push({
        width: line.width,
        stroke,
        dash: [...DASHES[line.dash % DASHES.length]!],
        // A single measurement has no line to be seen by.
        points: { show: line.xy.x.length < 3, size: 5, fill: stroke, width: 0 },
        spanGaps: true,
      });
    }
    const axis = { stroke: colours.muted, font: `${TEXT * colours.scale}px ${colours.font}`, ticks: { show: false } };
    plot = offTheCard(
      () =>
        new UPlot(
          {
            ...size,
            series,
            bands,
            legend: { show: false },
            padding: [12, 20, 0, 0],
            scales: { x: { time: false, range: () => [range[0], range[1]] }, y: { range: (_, low, high) => [low, high] } },
            axes: [
              {
                ...axis,
                size: AXIS_HEIGHT * colours.scale,
                gap: 4,
                space: 56 * colours.scale,
                grid: { show: false },
                values: (_, values) => values.map((v) => compact(v)),
              },
              {
                ...axis,
                size: AXIS_WIDTH * colours.scale,
                gap: 4,
                // About five labels, however high the chart is.
                space: (_chart, _axis, _low, _high, height) => Math.max(32 * colours.scale, height / 6),
                grid: { stroke: colours.line, width: 1 },
                values: (_, values) => values.map((v) => measure(v, 3)),
              },
            ],
            cursor: {
              y: false,
              points: { show: false },
              drag: { x: true, y: false, setScale: false, dist: 5 },
              move: (_, left, top) => [left, top],
            },
            hooks: {
              setCursor: [
                (u) => {
                  const left = u.cursor.left ?? -1;
                  if (!silent && left >= 0) handlers.hover(u.posToVal(left, 'x'));
                },
              ],
              setSelect: [
                (u) => {
                  const { left, width: w } = u.select;
                  if (w < 5) return;
                  dragged = true;
                  const from = u.posToVal(left, 'x');
                  const to = u.posToVal(left + w, 'x');
                  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                  handlers.view([from, to]);
                },
              ],
              draw: [(u) => decorate(u, m, colours)],
            },
          },
          [[0, 1], ...series.slice(1).map(() => [null, null])] as unknown as UPlot.AlignedData,
          host,
        ),
    );
    listen(plot.over);
  }

  function listen(over: HTMLElement): void {
    over.addEventListener('pointerdown', () => {
      dragged = false;
    });
    over.addEventListener('click', (event) => {
      if (dragged) return;
      clearTimeout(clickTimer);
      const x = plot?.posToVal(event.offsetX, 'x');
      // A double click resets the view; its first half must not pick.
      if (event.detail === 1 && x !== undefined) clickTimer = setTimeout(() => handlers.pick(x), CLICK_MS);
    });
    over.addEventListener('dblclick', () => {
      clearTimeout(clickTimer);
      handlers.view(null);
    });
  }

  /** References, line ends and the broken axis, over the curves. */
  function decorate(u: UPlot, m: ChartModel, colours: ChartPalette): void {
    const { ctx, bbox } = u;
    const px = devicePixelRatio;
    const row = (TEXT + 2) * colours.scale * px;
    const { min: low, max: high } = present(u.scales.y, 'scale of y');
    ctx.save();
    ctx.font = `${TEXT * colours.scale * px}px ${colours.font}`;
    ctx.textBaseline = 'bottom';
    const taken: number[] = [];
    const free = (y: number): number => {
      // Labels that would lie on another one move up by a line, or down where there is no room above.
      const from = Math.max(bbox.top + row, y);
      const lies = (at: number): boolean => taken.some((other) => Math.abs(other - at) < row);
      let at = from;
      for (let i = 0; i < 8 && lies(at); i++) at -= row;
      if (at < bbox.top + row) for (at = from; lies(at) && at < bbox.top + bbox.height; ) at += row;
      taken.push(at);
      return at;
    };
    const halo = (text: string, x: number, y: number, fill: string): void => {
      ctx.lineWidth = 3 * px;
      ctx.strokeStyle = fade(colours.surface, 0.85);
      ctx.lineJoin = 'round';
      ctx.strokeText(text, x, y);
      ctx.fillStyle = fill;
      ctx.fillText(text, x, y);
    };
    ctx.textAlign = 'left';
    let band: { readonly top: number; readonly bottom: number } | null = null;
    if (m.expected !== null && low !== undefined && high !== undefined && m.expected.low < high && m.expected.high > low) {
      const top = u.valToPos(Math.min(high, m.expected.high), 'y', true);
      const bottom = u.valToPos(Math.max(low, m.expected.low), 'y', true);
      ctx.fillStyle = fade(colours.muted, 0.12);
      ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
      band = { top, bottom };
    }
    /** Writes at the first of these places (left end, lower edge) that is inside the chart and free; nowhere if none is: its line or area stays. */
    const written: { readonly x: number; readonly right: number; readonly y: number }[] = [];
    const write = (text: string, places: readonly (readonly [x: number, y: number])[]): void => {
      const wide = ctx.measureText(text).width;
      const gap = 8 * px;
      const place = places.find(
        ([x, y]) =>
          x >= bbox.left &&
          x + wide <= bbox.left + bbox.width &&
          y >= row && // above the canvas it would be cut
          !written.some((other) => Math.abs(other.y - y) < row && x < other.right + gap && x + wide + gap > other.x),
      );
      if (place === undefined) return;
      const [x, y] = place;
      halo(text, x, y, colours.muted);
      written.push({ x, right: x + wide, y });
    };
    // Names of lines have their places first, so that nothing else is written there; they are drawn last, over the lines.
    const ends = m.lines.flatMap(({ end, xy: { x, y }, colour }) => {
      if (end === '') return [];
      let at = x.length - 1;
      while (at > 0 && x[at]! > range[1]) at--;
      if (at < 0 || x[at]! < range[0]) return [];
      const right = Math.min(bbox.left + bbox.width, Math.max(bbox.left + 60 * px, u.valToPos(x[at]!, 'x', true))) - 2 * px;
      const lower = free(u.valToPos(y[at]!, 'y', true) - 4 * px);
      written.push({ x: right - ctx.measureText(end).width, right, y: lower });
      return [{ end, right, lower, colour }];
    });
    let beside: (typeof written)[number] | undefined;
    const near = bbox.left + 4 * px;
    for (const { name, value } of m.references.toSorted((a, b) => b.value - a.value)) {
      if (low === undefined || high === undefined || value < low || value > high) continue;
      const y = u.valToPos(value, 'y', true);
      ctx.strokeStyle = colours.faint;
      ctx.lineWidth = px;
      ctx.setLineDash([3 * px, 4 * px]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.setLineDash([]);
      write(`${name} ${measure(value, 4)}`, [
        [near, y - px],
        ...(beside === undefined ? [] : [[beside.right + 12 * px, y - px] as const]),
        [near, y + row],
      ]);
      beside = written.at(-1);
    }
    if (band !== null) {
      const words = 'expected at the end';
      const x = bbox.left + bbox.width - 4 * px - ctx.measureText(words).width;
      write(words, [
        [x, band.top + row],
        [x, band.bottom],
        [x, band.top],
        [x, band.bottom + row],
        [x, band.bottom + 2 * row],
      ]);
    }
    for (const [i, line] of m.lines.entries()) {
      if (line.shape === null) continue;
      const { x, y } = line.xy;
      ctx.fillStyle = colours.series[line.colour % 8]!;
      for (const place of shapePlaces(bbox.width, i, m.lines.length)) {
        const at = lastAtOrBefore(x, u.posToVal(bbox.left + place, 'x', true));
        if (at < 0 || x[at]! < range[0]) continue;
        ctx.beginPath();
        for (const [left, top] of shapeAt(line.shape, u.valToPos(x[at]!, 'x', true), u.valToPos(y[at]!, 'y', true), 4 * px))
          ctx.lineTo(left, top);
        ctx.fill();
      }
    }
    ctx.textAlign = 'right';
    for (const { end, right, lower, colour } of ends) halo(end, right, lower, colours.series[colour % 8]!);
    if (off !== null) {
      ctx.textAlign = 'left';
      const y = off === 'below' ? bbox.top + bbox.height - 4 * px : bbox.top + row;
      halo(`${off === 'below' ? '↓' : '↑'} ${t('start off the chart')}`, bbox.left + 12 * px, y, colours.muted);
    }
    if (!zero) zigzag(ctx, bbox.left, bbox.top + bbox.height, px, colours);
    ctx.restore();
  }

  function rescale(data: UPlot.AlignedData, m: ChartModel): [number, number] {
    const rows = data.slice(1) as (number | null)[][];
    const whole = range[0] === m.extent[0] && range[1] === m.extent[1];
    const all = extent(rows);
    const found = whole && m.fromStart !== true ? fittedExtent(rows) : all && { low: all[0], high: all[1], off: null };
    off = found?.off ?? null;
    if (found === null) return [0, 1];
    const [low, high] = yRange(found.low, found.high, m.references);
    zero = low <= 0 && high >= 0;
    return [low, high];
  }

  return {
    draw(next, view, colours) {
      model = next;
      range = view ?? next.extent;
      const shape = [
        ...next.bands.map((b) => b.key),
        ...next.lines.map((l) => `${l.key}${l.width}${l.opacity}${l.dash}${l.colour}${l.shared}${l.shape}${l.xy.x.length < 3}`),
      ].join();
      if (plot === null || shape !== structure || colours !== palette) {
        structure = shape;
        palette = colours;
        build(next, colours);
      } else {
        // The draw hook reads the newest model, not the one it was built with.
        plot.hooks.draw = [(u) => decorate(u, next, colours)];
      }
      const target = plot;
      if (target === null) return;
      const data = rows(next);
      const [low, high] = rescale(data, next);
      target.batch(() => {
        target.setData(data, false);
        target.setScale('x', { min: range[0], max: range[1] });
        target.setScale('y', { min: low, max: high });
      });
    },
    setHover(x) {
      if (plot === null) return;
      const left = x === null || x < range[0] || x > range[1] ? -10 : plot.valToPos(x, 'x');
      if (Math.abs((plot.cursor.left ?? -10) - left) < 0.5) return;
      silent = true;
      plot.setCursor({ left, top: left < 0 ? -10 : 10 }, false);
      silent = false;
    },
    resize(w, h) {
      size = { width: w, height: h };
      plot?.setSize(size);
      if (model !== null && palette !== null) this.draw(model, range, palette);
    },
    area() {
      const px = devicePixelRatio;
      return plot === null
        ? { left: AXIS_WIDTH * (palette?.scale ?? 1), width: size.width - AXIS_WIDTH * (palette?.scale ?? 1) }
        : { left: plot.bbox.left / px, width: plot.bbox.width / px };
    },
    destroy() {
      clearTimeout(clickTimer);
      plot?.destroy();
      plot = null;
    },
  };
}

/**
 * Where the processor plays the graphics card, a canvas that is sent there makes the page wait for it at every picture. uPlot asks for
 * its canvas without a word about that, so the word is put in for as long as it is being made.
 */
function offTheCard<T>(make: () => T): T {
  if (!processorDraws()) return make();
  const canvas = HTMLCanvasElement.prototype;
  const own = canvas.getContext;
  canvas.getContext = function (this: HTMLCanvasElement, kind: string) {
    return own.call(this, kind, { willReadFrequently: true });
  } as typeof own;
  try {
    return make();
  } finally {
    canvas.getContext = own;
  }
}

/** The mark of an axis that does not reach zero. */
function zigzag(ctx: CanvasRenderingContext2D, x: number, y: number, px: number, colours: ChartPalette): void {
  ctx.strokeStyle = colours.faint;
  ctx.lineWidth = 1.25 * px;
  ctx.lineJoin = 'round';
  ctx.beginPath();
  ctx.moveTo(x, y - 14 * px);
  ctx.lineTo(x, y - 11 * px);
  ctx.lineTo(x + 4 * px, y - 9 * px);
  ctx.lineTo(x - 4 * px, y - 6 * px);
  ctx.lineTo(x, y - 4 * px);
  ctx.lineTo(x, y);
  ctx.stroke();
}
