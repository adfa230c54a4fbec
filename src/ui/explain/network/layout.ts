/** Where the units and weights of a drawing stand, CSS px. Pure. */
import type { NetworkValues, NetworkView } from '#contract/game/network-view.ts';
import { activation, columnsOf, drawnUnits, eachRow, type Half, layersOf, shownUnits, type UnitAt, type WeightAt } from './model.ts';

export interface Spot extends UnitAt {
  readonly x: number;
  readonly y: number;
  /** Present output of the unit; NaN: not known yet. */
  readonly value: number;
}

export interface Line extends WeightAt {
  readonly from: Spot;
  readonly to: Spot;
  readonly weight: number;
  /** -1..1 of the largest of this matrix. */
  readonly share: number;
}

export interface Block {
  readonly layer: number;
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly hidden: number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly spots: readonly Spot[];
  readonly lines: readonly Line[];
  readonly blocks: readonly Block[];
  /** Pairs of layers whose weights are not drawn one by one: convolutions, sums without weights. */
  readonly bands: readonly { readonly from: Block; readonly to: Block }[];
}

export interface LayoutOptions {
  readonly width: number;
  readonly height: number;
  readonly half: Half;
  /** Room for the names of inputs and outputs. */
  readonly left: number;
  readonly right: number;
  /** Lines as weights, or as what they carry now: weight times activation. */
  readonly lines: 'weights' | 'flow';
}

const TITLE = 30;
const FOOT = 30;
/** Between layers of one column: the count of one, the title of the next. */
const GAP = 46;
/** Between columns at least, so that titles stand beside each other; narrower places scroll. */
const LEAST_STEP = 58;
const PITCH = 21;
const LEAST_PITCH = 17;
/** Units of a layer that are drawn at least, where there are so many. */
const LEAST_UNITS = 5;

/** Px of a picture in which `layers` layers stand above each other. */
export const leastHeight = (layers: number): number => TITLE + FOOT + layers * LEAST_UNITS * LEAST_PITCH + (layers - 1) * GAP;

export function pictureOf(view: NetworkView, values: NetworkValues | null, options: LayoutOptions): Picture {
  const { height, half, left, right } = options;
  const layers = layersOf(view, half);
  const column = columnsOf(view, layers);
  const columns = Math.max(1, ...[...column.values()]) + 1;
  const width = Math.max(options.width, left + right + LEAST_STEP * (columns - 1));
  const step = columns < 2 ? 0 : (width - left - right) / (columns - 1);
  const spots: Spot[] = [];
  const blocks: Block[] = [];
  for (let c = 0; c < columns; c++) {
    const here = layers.filter((layer) => column.get(layer) === c);
    const room = (height - TITLE - FOOT - (here.length - 1) * GAP) / Math.max(1, here.length);
    here.forEach((layer, k) => {
      const count = drawnUnits(view.layers[layer]!);
      const most = Math.max(1, Math.floor(room / (count * PITCH <= room ? PITCH : LEAST_PITCH)));
      const shown = shownUnits(view, values, layer, most);
      const pitch = Math.min(PITCH, room / shown.length);
      const top = TITLE + k * (room + GAP) + (room - pitch * shown.length) / 2;
      const x = left + c * step;
      shown.forEach((unit, i) => {
        const value = values === null ? Number.NaN : activation(view, values, { layer, unit });
        spots.push({ layer, unit, x, y: top + (i + 0.5) * pitch, value });
      });
      blocks.push({ layer, x, top, bottom: top + pitch * shown.length, hidden: count - shown.length });
    });
  }
  const { lines, drawn } = linesOf(view, layers, spots, options.lines);
  const blockOf = new Map(blocks.map((block) => [block.layer, block]));
  const bands = layers.flatMap((layer) =>
    [...new Set([...view.layers[layer]!.from, ...view.layers[layer]!.weights.flatMap(({ from }) => from.map((part) => part.layer))])]
      .filter((source) => !drawn.has(`${source} ${layer}`))
      .flatMap((source) => {
        const [from, to] = [blockOf.get(source), blockOf.get(layer)];
        return from === undefined || to === undefined ? [] : [{ from, to }];
      }),
  );
  return { width, height, spots, lines, blocks, bands };
}

function linesOf(view: NetworkView, layers: readonly number[], spots: readonly Spot[], kind: LayoutOptions['lines']) {
  const at = new Map(spots.map((spot) => [`${spot.layer} ${spot.unit}`, spot]));
  const lines: Line[] = [];
  const drawn = new Set<string>();
  for (const layer of layers) {
    const of = view.layers[layer]!;
    const own = spots.filter((spot) => spot.layer === layer);
    of.weights.forEach((matrix, m) => {
      // of a cell the block that proposes its next content
      const gate = Math.max(0, matrix.gates.indexOf('candidate'));
      const found: Omit<Line, 'share'>[] = [];
      for (const source of new Set(matrix.from.map((part) => part.layer))) {
        if (view.layers[source]?.map !== null) continue;
        eachRow(matrix, source, (row, unit) => {
          const from = at.get(`${source} ${unit}`);
          if (from === undefined) return;
          drawn.add(`${source} ${layer}`);
          for (const to of own) {
            const c = gate * of.units + to.unit;
            const weight = matrix.weights[row * matrix.outputs + c]!;
            found.push({ layer, matrix: m, row, column: c, from, to, weight });
          }
        });
      }
      const size = ({ weight, from }: Omit<Line, 'share'>): number => (kind === 'weights' ? weight : weight * (from.value || 0));
      const most = found.reduce((top, line) => Math.max(top, Math.abs(size(line))), 0);
      for (const line of found) lines.push({ ...line, share: most > 0 ? size(line) / most : 0 });
    });
  }
  return { lines: lines.toSorted((a, b) => Math.abs(a.share) - Math.abs(b.share)), drawn };
}

/** The line nearest to a point, within `reach` px; null: none. */
export function lineAt(lines: readonly Line[], x: number, y: number, reach: number): Line | null {
  let best: Line | null = null;
  let near = reach;
  for (const line of lines) {
    const { from, to } = line;
    if (x < Math.min(from.x, to.x) - 2 || x > Math.max(from.x, to.x) + 2) continue;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const along = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy)));
    const far = Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
    // of those that lie on top of each other the stronger
    if (far < near - 0.5 || (best !== null && far <= near + 0.5 && Math.abs(line.share) > Math.abs(best.share) && far < reach)) {
      best = line;
      near = Math.min(near, far);
    }
  }
  return best;
}

/** The unit whose key leads from `at` in this direction; null: there is none. */
export function neighbour({ spots }: Picture, at: UnitAt, key: string): Spot | null {
  const here = spots.find(({ layer, unit }) => layer === at.layer && unit === at.unit);
  if (here === undefined) return spots[0] ?? null;
  const same = spots.filter(({ x }) => Math.abs(x - here.x) < 1);
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const sorted = same.toSorted((a, b) => a.y - b.y);
    return sorted[sorted.indexOf(here) + (key === 'ArrowUp' ? -1 : 1)] ?? null;
  }
  if (key === 'Home' || key === 'End') return same.toSorted((a, b) => a.y - b.y).at(key === 'Home' ? 0 : -1) ?? null;
  const side = spots.filter(({ x }) => (key === 'ArrowLeft' ? x < here.x - 1 : x > here.x + 1));
  const next = side.reduce((x, spot) => (key === 'ArrowLeft' ? Math.max(x, spot.x) : Math.min(x, spot.x)), key === 'ArrowLeft' ? -1 : 1e9);
  return side.filter(({ x }) => Math.abs(x - next) < 1).toSorted((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y))[0] ?? null;
}
