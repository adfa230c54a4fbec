/**
 * What each forager sees (Level-Based Foraging v3). Vector: [row, column, level] of the foods in its window in row-major order
 * (missing: -1, -1, 0), then of the players it sees, itself first; coordinates count from the window's corner inside the field.
 * Players are seen up to 2 * sight from that corner, as in the reference. Grid: three layers of side 2 * sight + 1 around the
 * player: player levels, food levels, cells that can be entered (1).
 */
export interface Field {
  readonly rows: number;
  readonly columns: number;
  readonly sight: number;
  readonly players: number;
  readonly foods: number;
}

/**
 * Writes the vector of player `self` at out[o..]. `p` is where [row, column, level] of the players begin in `words`, the foods come
 * behind them; `order` lists the foods row by row from order[first] on.
 */
export function writeVector(
  f: Field,
  words: Uint32Array,
  p: number,
  order: Uint8Array,
  first: number,
  self: number,
  out: Float32Array,
  o: number,
): void {
  const { rows, columns, sight, players, foods } = f;
  const r = words[p + self * 3]!;
  const c = words[p + self * 3 + 1]!;
  const top = r > sight ? r - sight : 0;
  const left = c > sight ? c - sight : 0;
  const bottom = r + sight < rows ? r + sight : rows - 1;
  const right = c + sight < columns ? c + sight : columns - 1;
  let at = o;
  const foodEnd = o + foods * 3;
  for (let k = first; k < first + foods; k++) {
    const food = p + (players + order[k]!) * 3;
    const level = words[food + 2]!;
    const y = words[food]!;
    const x = words[food + 1]!;
    if (level === 0 || y < top || y > bottom || x < left || x > right) continue;
    out[at] = y - top;
    out[at + 1] = x - left;
    out[at + 2] = level;
    at += 3;
  }
  for (; at < foodEnd; at += 3) {
    out[at] = -1;
    out[at + 1] = -1;
    out[at + 2] = 0;
  }
  out[at] = r - top;
  out[at + 1] = c - left;
  out[at + 2] = words[p + self * 3 + 2]!;
  at += 3;
  for (let i = 0; i < players; i++) {
    if (i === self) continue;
    const y = words[p + i * 3]! - top;
    const x = words[p + i * 3 + 1]! - left;
    if (y < 0 || x < 0 || y > 2 * sight || x > 2 * sight) continue;
    out[at] = y;
    out[at + 1] = x;
    out[at + 2] = words[p + i * 3 + 2]!;
    at += 3;
  }
  for (const end = foodEnd + players * 3; at < end; at += 3) {
    out[at] = -1;
    out[at + 1] = -1;
    out[at + 2] = 0;
  }
}

/** Whether every player sees the whole field, so that all coordinates count from its corner. */
export function seesAll(f: Field): boolean {
  return f.sight >= Math.max(f.rows, f.columns) - 1;
}

/**
 * Where every agent sees everything, only the places of players change from step to step: writes them, and no levels and foods, into
 * vectors that writeVector has written before. Row by row for rows with changed[row] = 0; `state` gets the same numbers.
 */
export function movePlayers(
  f: Field,
  words: Uint32Array,
  wordStride: number,
  batch: number,
  changed: Uint8Array,
  out: Float32Array,
  state: Float32Array | undefined,
): void {
  const { players, foods } = f;
  const size = 3 * (foods + players);
  for (let row = 0; row < batch; row++) {
    if (changed[row] === 1) continue;
    const p = row * wordStride;
    for (let self = 0; self < players; self++) {
      let at = (row * players + self) * size + 3 * foods;
      for (let n = 0; n < players; n++, at += 3) {
        // itself first, then the others in their order
        const i = n === 0 ? self : n <= self ? n - 1 : n;
        const y = words[p + 3 * i]!;
        const x = words[p + 3 * i + 1]!;
        out[at] = y;
        out[at + 1] = x;
        if (state === undefined) continue;
        state[at] = y;
        state[at + 1] = x;
      }
    }
  }
}

/** The grid of player `self`; `food` is the field with a border of one cell, see forage.ts. */
export function writeLayers(
  f: Field,
  words: Uint32Array,
  p: number,
  food: Uint8Array,
  base: number,
  self: number,
  out: Float32Array,
  o: number,
): void {
  const { rows, columns, sight } = f;
  const side = 2 * sight + 1;
  const layer = side * side;
  const top = words[p + self * 3]! - sight;
  const left = words[p + self * 3 + 1]! - sight;
  out.fill(0, o, o + 3 * layer);
  for (let i = 0; i < side; i++) {
    const y = top + i;
    if (y < 0 || y >= rows) continue;
    for (let j = 0; j < side; j++) {
      const x = left + j;
      if (x < 0 || x >= columns) continue;
      const level = food[base + (y + 1) * (columns + 2) + x + 1]!;
      out[o + layer + i * side + j] = level;
      out[o + 2 * layer + i * side + j] = level === 0 ? 1 : 0;
    }
  }
  for (let k = 0; k < f.players; k++) {
    const i = words[p + k * 3]! - top;
    const j = words[p + k * 3 + 1]! - left;
    if (i < 0 || j < 0 || i >= side || j >= side) continue;
    out[o + i * side + j] = words[p + k * 3 + 2]!;
    out[o + 2 * layer + i * side + j] = 0;
  }
}
