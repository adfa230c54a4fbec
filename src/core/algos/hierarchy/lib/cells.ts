/**
 * Cells as goals, for agents that are told no coordinates: how far an agent came and which cell it changed follow from two observations and the
 * action between them (EnvMeta.cells). A pose counts from where the episode began: x to the right, y ahead, quarter turns to the right; worlds
 * without headings never turn, and y grows to the north. A cell is reached by who stands in it, or changes what lies there: takes a key, opens
 * a door, loads food.
 */
import type { CellSight, EnvMeta } from '#core/envs/api/types.ts';

/** x, y, quarter turns. */
export const POSE = 3;

/** Writes where a cell lies from a pose, in the agent's own axes, at out[o]: right, ahead. */
export function offsetOf(pose: Int32Array, p: number, x: number, y: number, out: Int32Array, o = 0): void {
  const [dx, dy] = [x - pose[p]!, y - pose[p + 1]!];
  const turns = pose[p + 2]!;
  out[o] = turns === 0 ? dx : turns === 1 ? -dy : turns === 2 ? -dx : dy;
  out[o + 1] = turns === 0 ? dy : turns === 1 ? dx : turns === 2 ? -dy : -dx;
}

/** The other way round: the cell that lies there from a pose. */
export function cellFrom(pose: Int32Array, p: number, right: number, ahead: number, out: Int32Array, o = 0): void {
  const turns = pose[p + 2]!;
  out[o] = pose[p]! + (turns === 0 ? right : turns === 1 ? ahead : turns === 2 ? -right : -ahead);
  out[o + 1] = pose[p + 1]! + (turns === 0 ? ahead : turns === 1 ? -right : turns === 2 ? -ahead : right);
}

/** The goals that an upper policy chooses among, [right, ahead] each: `reach` cells to each side, and ahead; behind too where agents have no heading. */
export function goalOffsets({ kind }: CellSight, reach: number): Int32Array {
  const found: number[] = [];
  for (let ahead = kind === 'view' ? 0 : -reach; ahead <= reach; ahead++)
    for (let right = -reach; right <= reach; right++) found.push(right, ahead);
  return Int32Array.from(found);
}

/**
 * Moves pose[p ..] on by one step between the observations at before[b ..] and after[a ..]. True: the action changed a cell, which stands at
 * touched[t], touched[t + 1].
 */
export type Advance = (
  before: Float32Array,
  b: number,
  after: Float32Array,
  a: number,
  action: number,
  pose: Int32Array,
  p: number,
  touched: Int32Array,
  t: number,
) => boolean;

/** How observations of this environment are read. */
export const advanceOf = (meta: EnvMeta, sight: CellSight): Advance => (sight.kind === 'view' ? ahead(sight) : beside(sight, meta.obsSize));

function ahead({ size, forward, changes, enter, door }: Extract<CellSight, { kind: 'view' }>): Advance {
  const front = ((size * (size + 1)) / 2 - 2) * 3; // the cell before the agent's own, in the middle of the near edge
  const compass = size * size * 3;
  const heading = (obs: Float32Array, o: number): number => {
    for (let d = 1; d < 4; d++) if (obs[o + compass + d] === 1) return d;
    return 0;
  };
  return (before, b, after, a, action, pose, p, touched, t) => {
    const turned = (heading(after, a) - heading(before, b) + 4) & 3;
    const object = before[b + front]!;
    if (action === forward) {
      if (enter.includes(object) || (object === door && before[b + front + 2] === 0)) cellFrom(pose, p, 0, 1, pose, p);
      return false;
    }
    pose[p + 2] = (pose[p + 2]! + turned) & 3;
    if (!changes.includes(action)) return false;
    let same = true;
    for (let c = 0; c < 3; c++) if (before[b + front + c] !== after[a + front + c]) same = false;
    if (!same) cellFrom(pose, p, 0, 1, touched, t);
    return !same;
  };
}

/** Places are written as row and column. */
function beside({ self, things, changes }: Extract<CellSight, { kind: 'places' }>, O: number): Advance {
  return (before, b, after, a, action, pose, p, touched, t) => {
    const [row, column] = [before[b + self]!, before[b + self + 1]!];
    const [x, y] = [pose[p]!, pose[p + 1]!];
    pose[p] = x + after[a + self + 1]! - column;
    pose[p + 1] = y - (after[a + self]! - row);
    if (!changes.includes(action)) return false;
    for (const at of things) {
      const [r, c] = [before[b + at]!, before[b + at + 1]!];
      if (r < 0 || Math.abs(r - row) + Math.abs(c - column) !== 1) continue;
      if (things.some((k) => after[a + k] === r && after[a + k + 1] === c && k < O)) continue;
      touched[t] = x + c - column;
      touched[t + 1] = y - (r - row);
      return true;
    }
    return false;
  };
}
