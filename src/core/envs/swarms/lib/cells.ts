/**
 * Neighbour search: members of a swarm sorted into square cells no narrower than what they see, so that all neighbours of one stand in
 * its cell and the eight around it. Places are copied in cell order, which keeps the loops over them short and close in memory.
 * Flat arrays made once; a build is three passes over the members. Metres.
 */
export interface Cells {
  /** Places in cell order. [N] */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Which member stands at a slot. [N] */
  readonly member: Int32Array;
  /** Slots of a cell: from first[c] to first[c + 1]. [columns * rows + 1] */
  readonly first: Int32Array;
  columns: number;
  rows: number;
  /** Side of what repeats, Infinity where nothing does: neighbours over the edge are that far off. */
  width: number;
  height: number;
  /** One cell that is its own neighbour over the edge: the caller takes the nearest image. */
  readonly wraps: boolean;
}

const MOST_SIDE = 256; // cells along a side: beyond, building costs more than it saves

export interface Neighbourhood extends Cells {
  /** Sorts N members whose places (x, y) begin at floats[s]. */
  sort(floats: Float64Array, s: number): void;
}

function counting(n: number, side: number) {
  return {
    x: new Float64Array(n),
    y: new Float64Array(n),
    member: new Int32Array(n),
    first: new Int32Array(side * side + 2),
    cell: new Int32Array(n),
  };
}

/** Fills slots from `cell`, the cell of each member. */
function place(into: ReturnType<typeof counting>, n: number, cells: number, floats: Float64Array, s: number): void {
  const { x, y, member, first, cell } = into;
  first.fill(0, 0, cells + 2);
  for (let i = 0; i < n; i++) first[cell[i]! + 2] = first[cell[i]! + 2]! + 1;
  for (let c = 2; c < cells + 2; c++) first[c] = first[c]! + first[c - 1]!;
  for (let i = 0; i < n; i++) {
    const c = cell[i]! + 1;
    const slot = first[c]!;
    first[c] = slot + 1;
    member[slot] = i;
    x[slot] = floats[s + 2 * i]!;
    y[slot] = floats[s + 2 * i + 1]!;
  }
}

/** A square of side `box` whose opposite edges are one, corner at (low, low); all places must lie in it. */
export function periodicCells(n: number, box: number, low: number, sight: number): Neighbourhood {
  const fit = Math.min(MOST_SIDE, Math.max(1, Math.floor(box / sight)), Math.ceil(Math.sqrt(n)) + 2);
  const side = fit < 3 ? 1 : fit; // fewer than three: a cell would be its own neighbour twice
  const store = counting(n, side);
  const scale = side / box;
  return {
    ...store,
    columns: side,
    rows: side,
    width: box,
    height: box,
    wraps: side === 1,
    sort(floats, s) {
      const { cell } = store;
      for (let i = 0; i < n; i++) {
        const cx = Math.min(side - 1, Math.max(0, Math.floor((floats[s + 2 * i]! - low) * scale)));
        const cy = Math.min(side - 1, Math.max(0, Math.floor((floats[s + 2 * i + 1]! - low) * scale)));
        cell[i] = cy * side + cx;
      }
      place(store, n, side * side, floats, s);
    },
  };
}

/** The open plane: cells cover the members wherever they are. */
export function openCells(n: number, sight: number): Neighbourhood {
  const most = Math.min(MOST_SIDE, Math.ceil(Math.sqrt(n)) + 2);
  const store = counting(n, most);
  const found: Neighbourhood = {
    ...store,
    columns: 1,
    rows: 1,
    width: Number.POSITIVE_INFINITY,
    height: Number.POSITIVE_INFINITY,
    wraps: false,
    sort(floats, s) {
      const { cell } = store;
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      let bottom = Number.POSITIVE_INFINITY;
      let top = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < n; i++) {
        const px = floats[s + 2 * i]!;
        const py = floats[s + 2 * i + 1]!;
        if (px < left) left = px;
        if (px > right) right = px;
        if (py < bottom) bottom = py;
        if (py > top) top = py;
      }
      const columns = Math.min(most, Math.max(1, Math.floor((right - left) / sight)));
      const rows = Math.min(most, Math.max(1, Math.floor((top - bottom) / sight)));
      const sx = right > left ? columns / (right - left) : 0;
      const sy = top > bottom ? rows / (top - bottom) : 0;
      for (let i = 0; i < n; i++) {
        const cx = Math.min(columns - 1, Math.floor((floats[s + 2 * i]! - left) * sx));
        const cy = Math.min(rows - 1, Math.floor((floats[s + 2 * i + 1]! - bottom) * sy));
        cell[i] = cy * columns + cx;
      }
      found.columns = columns;
      found.rows = rows;
      place(store, n, columns * rows, floats, s);
    },
  };
  return found;
}

export type Visit = (a: number, a1: number, b: number, b1: number, dx: number, dy: number) => void;

/**
 * Calls `visit` once for every two cells that may hold neighbours, and for every cell with itself (then a = b): slots a..a1 meet slots
 * b..b1, the latter moved by (dx, dy) over an edge. So every two members that may be neighbours meet once.
 */
export function eachPairOfCells(cells: Cells, visit: Visit): void {
  const { columns, rows, first, width, height } = cells;
  const around = width < Number.POSITIVE_INFINITY;
  for (let cy = 0; cy < rows; cy++)
    for (let cx = 0; cx < columns; cx++) {
      const c = cy * columns + cx;
      const a = first[c]!;
      const a1 = first[c + 1]!;
      if (a === a1) continue;
      visit(a, a1, a, a1, 0, 0);
      if (cells.wraps) continue;
      for (let k = 0; k < 4; k++) {
        let x = cx + (k === 0 ? 1 : k - 2); // right; then below: left, middle, right
        let y = cy + (k === 0 ? 0 : 1);
        let dx = 0;
        let dy = 0;
        if (y >= rows) {
          if (!around) continue;
          dy = height;
          y = 0;
        }
        if (x < 0 || x >= columns) {
          if (!around) continue;
          dx = x < 0 ? -width : width;
          x = x < 0 ? columns - 1 : 0;
        }
        const d = y * columns + x;
        const b = first[d]!;
        const b1 = first[d + 1]!;
        if (b < b1) visit(a, a1, b, b1, dx, dy);
      }
    }
}

/** The nearest image of a difference in a box of that side. */
export function nearestImage(d: number, side: number): number {
  return d - side * Math.round(d / side);
}

/** Where the members of some slots are, and the sum of their places. */
export interface Bounds {
  left: number;
  bottom: number;
  right: number;
  top: number;
  sumX: number;
  sumY: number;
}

export function bound({ x, y }: Cells, from: number, to: number, out: Bounds): void {
  let left = Number.POSITIVE_INFINITY;
  let bottom = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let top = Number.NEGATIVE_INFINITY;
  let sumX = 0;
  let sumY = 0;
  for (let i = from; i < to; i++) {
    const px = x[i]!;
    const py = y[i]!;
    if (px < left) left = px;
    if (px > right) right = px;
    if (py < bottom) bottom = py;
    if (py > top) top = py;
    sumX += px;
    sumY += py;
  }
  out.left = left;
  out.bottom = bottom;
  out.right = right;
  out.top = top;
  out.sumX = sumX;
  out.sumY = sumY;
}

/** Squared distance that two members of these bounds can have at most. */
export function farthest(a: Bounds, b: Bounds): number {
  const wide = Math.max(b.right - a.left, a.right - b.left);
  const high = Math.max(b.top - a.bottom, a.top - b.bottom);
  return wide * wide + high * high;
}
