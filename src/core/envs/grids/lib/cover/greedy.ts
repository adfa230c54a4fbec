/**
 * Goes to the cell that adds most for each step of the way, all that lies on the way included, and looks again after every step. Of two shortest
 * ways, along the row first or along the column first, the one that adds more. Stays where nothing within the steps left adds anything.
 */
import type { ScriptedPolicy } from '../../../api/types.ts';
import { neighbour } from '../../../lib/tabular/neighbour.ts';
import type { Worth } from './worth.ts';

const STAY = 4;
/** [row, column] of left, down, right, up, stay. */
const MOVES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, 0],
] as const;

/** Where a step leads; walls around the grid stop it. */
export function moved(size: number, cell: number, action: number): number {
  return neighbour(size, size, cell, MOVES[action]!);
}

/** Actions of the way from one cell to another, along the row or along the column first. */
function way(size: number, from: number, to: number, rowFirst: boolean): number[] {
  const [dx, dy] = [(to % size) - (from % size), Math.floor(to / size) - Math.floor(from / size)];
  const across = new Array<number>(Math.abs(dx)).fill(dx < 0 ? 0 : 2);
  const along = new Array<number>(Math.abs(dy)).fill(dy < 0 ? 3 : 1);
  return rowFirst ? [...across, ...along] : [...along, ...across];
}

/** The first step of the best way, `left` steps before the end. */
function best(size: number, worth: Worth, visited: Uint32Array, cell: number, left: number): number {
  const now = worth.of(visited, 0);
  const after = new Uint32Array(visited.length);
  let [action, most] = [STAY, 0];
  for (let to = 0; to < visited.length; to++)
    for (const rowFirst of [true, false]) {
      const steps = way(size, cell, to, rowFirst);
      if (steps.length === 0 || steps.length > left) continue;
      after.set(visited);
      let at = cell;
      for (const step of steps) {
        at = moved(size, at, step);
        after[at] = 1;
      }
      const rate = (worth.of(after, 0) - now) / steps.length;
      if (rate > most + 1e-12) [action, most] = [steps[0]!, rate];
    }
  return action;
}

/** Reads observations alone: [here n, visited n, .., share of the steps left]. */
export function greedy(size: number, worth: Worth, maxSteps: number): ScriptedPolicy {
  const n = size * size;
  const visited = new Uint32Array(n);
  return {
    act(env, { obs }, out) {
      const width = env.meta.obsSize;
      for (let row = 0; row < env.batch; row++) {
        const from = row * width;
        for (let cell = 0; cell < n; cell++) visited[cell] = obs[from + n + cell]!;
        const here = obs.subarray(from, from + n).indexOf(1);
        out[row] = best(size, worth, visited, here, Math.round(obs[from + width - 1]! * maxSteps));
      }
    },
  };
}
