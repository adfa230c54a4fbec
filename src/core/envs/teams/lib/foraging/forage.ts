/**
 * One step of Level-Based Foraging for all rows, on plain arrays. `food` is derived from the state: levels by cell, with a border
 * of BORDER around the field, so that a move or a look never leaves the array.
 */
import type { Actions, StepBuffers } from '#core/envs/api/types.ts';

export const BORDER = 255;
export const LOAD = 5;

export interface Forage {
  readonly words: Uint32Array;
  readonly wordStride: number;
  readonly food: Uint8Array; // [B, (rows + 2) * (columns + 2)]
  readonly cells: number; // of one row, border included
  readonly width: number; // columns + 2
  readonly moves: Int32Array; // movesOf(width)
  readonly players: number;
  readonly foods: number;
  readonly penalty: number;
  readonly normalise: boolean;
  readonly maxSteps: number;
  /** [B] foods that are left, derived. */
  readonly left: Int32Array;
  /** [B] set to 1 where a food goes: the row must be observed anew. */
  readonly changed: Uint8Array;
  /** Scratch, [players]. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly loading: Uint8Array;
  readonly helping: Uint8Array;
}

/** Cell of a food next to cell `at` of the bordered field: north, south, west, east; -1 none. */
export function foodBeside(food: Uint8Array, at: number, width: number): number {
  const north = food[at - width]!;
  if (north !== 0 && north !== BORDER) return at - width;
  const south = food[at + width]!;
  if (south !== 0 && south !== BORDER) return at + width;
  const west = food[at - 1]!;
  if (west !== 0 && west !== BORDER) return at - 1;
  const east = food[at + 1]!;
  return east !== 0 && east !== BORDER ? at + 1 : -1;
}

/** What each action adds to row and column. */
const DROW = Int32Array.of(0, -1, 1, 0, 0, 0);
const DCOLUMN = Int32Array.of(0, 0, 0, -1, 1, 0);

/** How far each action moves in the bordered field. */
export function movesOf(width: number): Int32Array {
  return Int32Array.of(0, -width, width, -1, 1, 0);
}

/** Moves, loads, rewards and the end of every row; observations are written by the caller. */
export function forageAll(e: Forage, batch: number, actions: Actions, out: StepBuffers): void {
  const { words, wordStride, food, cells, width, moves, players, from, to, loading, left, maxSteps } = e;
  const clock = 3 * players + 3 * e.foods + 1;
  const { reward, terminated, truncated } = out;
  for (let row = 0; row < batch; row++) {
    const s = row * wordStride;
    const base = row * cells;
    let loaders = 0;
    for (let i = 0; i < players; i++) {
      const at = base + (words[s + 3 * i]! + 1) * width + words[s + 3 * i + 1]! + 1;
      const action = actions[row * players + i]!;
      let target = at;
      loading[i] = 0;
      if (action === LOAD) {
        if (foodBeside(food, at, width) >= 0) {
          loading[i] = 1;
          loaders++;
        }
      } else {
        const next = at + moves[action]!;
        target = food[next] === 0 ? next : at;
      }
      from[i] = at;
      to[i] = target;
      reward[row * players + i] = 0;
    }
    for (let i = 0; i < players; i++) {
      const target = to[i]!;
      if (target === from[i]) continue;
      let alone = true;
      for (let k = 0; k < players; k++) if (k !== i && to[k] === target) alone = false;
      if (!alone) continue;
      const action = actions[row * players + i]!;
      const at = s + 3 * i;
      words[at] = words[at]! + DROW[action]!;
      words[at + 1] = words[at + 1]! + DCOLUMN[action]!;
    }
    if (loaders > 0) loadFood(e, row, reward);
    const t = words[s + clock]! + 1;
    words[s + clock] = t;
    terminated[row] = left[row] === 0 || t >= maxSteps ? 1 : 0;
    truncated[row] = 0;
  }
}

/** Loaders stand still, so `from` is where they are. Taken in the order of players. */
function loadFood(e: Forage, row: number, reward: Float32Array): void {
  const { words, wordStride, food, cells, width, players, foods, from, loading, helping } = e;
  const s = row * wordStride;
  const list = s + 3 * players;
  const total = words[list + 3 * foods]!;
  for (let i = 0; i < players; i++) {
    if (loading[i] === 0) continue;
    const at = foodBeside(food, from[i]!, width);
    if (at < 0) continue; // an agent before this one has taken it
    const level = food[at]!;
    let sum = 0;
    for (let k = 0; k < players; k++) {
      const d = from[k]! - at;
      const helps = loading[k] === 1 && (d === 1 || d === -1 || d === width || d === -width);
      helping[k] = helps ? 1 : 0;
      if (!helps) continue;
      sum += words[s + 3 * k + 2]!;
      loading[k] = 0;
    }
    for (let k = 0; k < players; k++) {
      if (helping[k] === 0) continue;
      const own = words[s + 3 * k + 2]! * level;
      reward[row * players + k] = sum < level ? -e.penalty : e.normalise ? own / (sum * total) : own;
    }
    if (sum < level) continue;
    food[at] = 0;
    const local = at - row * cells;
    const y = Math.floor(local / width) - 1;
    const x = (local % width) - 1;
    for (let k = 0; k < foods; k++) if (words[list + 3 * k] === y && words[list + 3 * k + 1] === x) words[list + 3 * k + 2] = 0;
    e.left[row] = e.left[row]! - 1;
    e.changed[row] = 1;
  }
}
