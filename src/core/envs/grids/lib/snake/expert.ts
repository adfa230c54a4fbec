/**
 * A snake that fills the board. It follows a closed path through all cells and cuts corners of it while it is short: a cut never
 * passes the tail on that path, so the body stays in its order and the snake cannot crash. Boards of two odd sides have no such path;
 * there the corner (0, 0) shares its place on the path with its neighbour (1, 1): each lap takes one of the two.
 */
import type { ScriptedPolicy } from '#core/envs/api/types.ts';

export const DROW = [-1, 0, 1, 0] as const; // up, right, down, left
export const DCOLUMN = [0, 1, 0, -1] as const;
/** Free cells kept between head and tail when cutting. */
const MARGIN = 3;

/** Place of each cell on the closed path. */
export function closedPath(rows: number, columns: number): Int32Array {
  const out = new Int32Array(rows * columns);
  const odd = rows % 2 === 1 && columns % 2 === 1;
  const down = rows % 2 === 0 || odd; // lines are rows, else columns
  const top = odd ? 1 : 0;
  const lines = (down ? rows : columns) - top; // an even number
  const wide = down ? columns : rows;
  const cell = (line: number, k: number) => (down ? (line + top) * columns + k : k * columns + line);
  let at = 0;
  out[cell(0, 0)] = at++;
  for (let line = 0; line < lines; line++)
    for (let i = 1; i < wide; i++) {
      const k = line % 2 === 0 ? i : wide - i;
      if (odd && line === 0 && k % 2 === 0) {
        // the row above is taken in pairs: up at an odd column, down at the next
        out[k] = at++;
        out[cell(line, k)] = at++;
      } else {
        out[cell(line, k)] = at++;
        if (odd && line === 0) out[k] = at++;
      }
    }
  for (let line = lines - 1; line > 0; line--) out[cell(line, 0)] = at++; // back along the first column
  if (odd) out[0] = out[columns + 1]!;
  return out;
}

/** The neighbour in a direction, -1 beyond the edge. */
function neighbour(rows: number, columns: number, cell: number, action: number): number {
  const row = Math.floor(cell / columns) + DROW[action]!;
  const column = (cell % columns) + DCOLUMN[action]!;
  return row < 0 || row >= rows || column < 0 || column >= columns ? -1 : row * columns + column;
}

/** Reads observations [rows, columns, 5]: body, head, tail, food, order. */
export function snakeExpert(rows: number, columns: number): ScriptedPolicy {
  const cells = rows * columns;
  const path = closedPath(rows, columns);
  const n = Math.max(...path) + 1;
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const from = row * cells * 5;
        let [head, tail, food, length] = [0, 0, 0, 0];
        for (let cell = 0; cell < cells; cell++) {
          const at = from + cell * 5;
          if (obs[at] === 1) length++;
          if (obs[at + 1] === 1) head = cell;
          if (obs[at + 2] === 1) tail = cell;
          if (obs[at + 3] === 1) food = cell;
        }
        const ahead = (cell: number) => (path[cell]! - path[head]! + n) % n;
        const most = length > n / 2 ? 1 : Math.max(1, Math.min(ahead(food), (length === 1 ? n : ahead(tail)) - MARGIN));
        let best = 0;
        let action = 0;
        for (let a = 0; a < 4; a++) {
          const next = neighbour(rows, columns, head, a);
          if (next < 0) continue;
          const step = ahead(next);
          // of two cells in one place the one with food, else the one that is not the corner
          const better = step > best || (step === best && (next === food || (next !== 0 && food !== 0)));
          if (step > 0 && step <= most && better) {
            best = step;
            action = a;
          }
        }
        out[row] = action;
      }
    },
  };
}
