/** Draws numbers of a lattice in bands of colour, so that places equally far lie along lines, and strokes through the places that are marked. */
import type { Lattice } from '#contract/game/frames.ts';
import { scaleColour } from '#scenes/lib/colours.ts';

/** Colours of a scale: few enough that their borders are seen. */
export const BANDS = 14;
const PIXELS = 8; // along a point
/** Widths and colours, one over the other: seen on every band. */
const STROKES = [
  [4, '#ffffff'],
  [2, '#c4001a'],
] as const;

/** Least and greatest of the finite numbers; [0, 0]: there are none. */
export function rangeOf(of: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of of) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? [0, 0] : [low, high];
}

/** Bands by the order of the finite numbers, equally many in each, from 0, the least, to 1; NaN elsewhere. Equal numbers share the lowest band of theirs. */
export function bandsOf(of: readonly number[]): number[] {
  const sorted = of.filter(Number.isFinite).toSorted((a, b) => a - b);
  const first = new Map<number, number>();
  for (const [place, value] of sorted.entries()) if (!first.has(value)) first.set(value, place);
  return of.map((value) => Math.floor((BANDS * (first.get(value) ?? Number.NaN)) / sorted.length) / (BANDS - 1));
}

/** The part of a lattice that holds all finite numbers. */
export interface Part extends Lattice {
  readonly left: number;
  readonly below: number;
}

export function partOf(of: readonly number[], { columns }: Lattice): Part {
  let [left, right, below, above] = [Infinity, 0, Infinity, 0];
  of.forEach((value, point) => {
    if (!Number.isFinite(value)) return;
    left = Math.min(left, point % columns);
    right = Math.max(right, point % columns);
    below = Math.min(below, Math.floor(point / columns));
    above = Math.max(above, Math.floor(point / columns));
  });
  return left > right ? { left: 0, below: 0, columns: 1, lines: 1 } : { left, below, columns: right - left + 1, lines: above - below + 1 };
}

/** `bands`, `wrong` [lines * columns] of a lattice `width` wide, line by line from below; NaN is left out. `far`: the first bands are light. */
export function paint(
  canvas: HTMLCanvasElement,
  { left, below, columns, lines }: Part,
  {
    width,
    bands,
    wrong,
    far,
  }: { readonly width: number; readonly bands: readonly number[]; readonly wrong: readonly number[] | null; readonly far: boolean },
): void {
  canvas.width = PIXELS * columns;
  canvas.height = PIXELS * lines;
  const g = canvas.getContext('2d');
  if (g === null) return;
  const strokes = new Path2D();
  for (let line = 0; line < lines; line++)
    for (let column = 0; column < columns; column++) {
      const point = (below + line) * width + left + column;
      const band = bands[point]!;
      if (!Number.isFinite(band)) continue;
      const [x, y] = [PIXELS * column, PIXELS * (lines - 1 - line)];
      g.fillStyle = `rgb(${scaleColour('viridis', far ? 1 - band : band).map(Math.round)})`;
      g.fillRect(x, y, PIXELS, PIXELS);
      if (wrong?.[point] !== 1) continue;
      strokes.moveTo(x, y + PIXELS);
      strokes.lineTo(x + PIXELS, y);
    }
  for (const [wide, colour] of STROKES) {
    g.lineWidth = wide;
    g.strokeStyle = colour;
    g.stroke(strokes);
  }
}

/** How points of a plane lie in a picture that holds them all with a margin. */
export interface Spread {
  /** Width over height. */
  readonly aspect: number;
  /** From the left and from the top, 0..1. */
  of(x: number, y: number): readonly [number, number];
}

const MARGIN = 0.06; // of the longer side
const FLATTEST = 2.2;

/** `at`: two numbers a point, NaN left out. */
export function spreadOf(at: readonly number[]): Spread {
  const [left, right] = rangeOf(at.filter((_, k) => k % 2 === 0));
  const [below, above] = rangeOf(at.filter((_, k) => k % 2 === 1));
  const longer = Math.max(right - left, above - below, 1e-9);
  const side = (length: number): number => Math.max(length, longer / FLATTEST) + 2 * MARGIN * longer;
  const [width, height] = [side(right - left), side(above - below)];
  const [midX, midY] = [(left + right) / 2, (below + above) / 2];
  return { aspect: width / height, of: (x, y) => [0.5 + (x - midX) / width, 0.5 - (y - midY) / height] };
}

/** Pairs of places that are neighbours in the lattice, beside or above one another. */
export function netOf(at: readonly number[], { columns, lines }: Lattice): readonly (readonly [number, number])[] {
  const stands = (point: number): boolean => Number.isFinite(at[2 * point]!);
  const pairs: [number, number][] = [];
  for (let point = 0; point < columns * lines; point++) {
    if (!stands(point)) continue;
    if (point % columns < columns - 1 && stands(point + 1)) pairs.push([point, point + 1]);
    if (point + columns < columns * lines && stands(point + columns)) pairs.push([point, point + columns]);
  }
  return pairs;
}

const NET_WIDTH = 560; // pixels

/** Neighbours are joined by lines of their colour; `bands` as `bandsOf` gives them, the first ones light. */
export function paintNet(
  canvas: HTMLCanvasElement,
  spread: Spread,
  at: readonly number[],
  net: readonly (readonly [number, number])[],
  bands: readonly number[],
): void {
  canvas.width = NET_WIDTH;
  canvas.height = Math.round(NET_WIDTH / spread.aspect);
  const g = canvas.getContext('2d');
  if (g === null) return;
  const place = (point: number): [number, number] => {
    const [x, y] = spread.of(at[2 * point]!, at[2 * point + 1]!);
    return [x * canvas.width, y * canvas.height];
  };
  const colour = (point: number): string => `rgb(${scaleColour('viridis', 1 - bands[point]!).map(Math.round)})`;
  g.lineWidth = 3;
  g.lineCap = 'round';
  for (const [from, to] of net) {
    g.strokeStyle = colour(from);
    g.beginPath();
    g.moveTo(...place(from));
    g.lineTo(...place(to));
    g.stroke();
  }
  const radius = 5;
  for (let point = 0; 2 * point < at.length; point++) {
    if (!Number.isFinite(at[2 * point]!) || !Number.isFinite(bands[point]!)) continue;
    g.fillStyle = colour(point);
    g.beginPath();
    g.arc(...place(point), radius, 0, 2 * Math.PI);
    g.fill();
  }
}
