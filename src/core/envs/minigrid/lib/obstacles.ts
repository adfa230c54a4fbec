/**
 * Balls that walk about (Minigrid `envs/dynamicobstacles.py`): before the agent acts, each in turn tries random cells of the 3 x 3
 * block around it until one is free (not its own, not the agent's), and stays after 101 tries. Which goes first is its identity,
 * the order in which they were placed; the cells where they are follow from the map.
 */
import type { Draws } from '../../api/draws.ts';
import { BALL, EMPTY, EMPTY_CELL, objectOf, originOf } from './cells.ts';

const TRIES = 101;

export interface Obstacles {
  /** Finds the balls of a row again, after a start or a load. */
  find(row: number): void;
  move(row: number, agentCell: number): void;
}

/** `stride`: words from one row to the next; a row begins with its cells. */
export function createObstacles(words: Uint32Array, stride: number, width: number, height: number, batch: number, draws: Draws): Obstacles {
  const cells = width * height;
  const where = new Int32Array(batch * cells); // cells of the balls of each row, in turn
  const count = new Int32Array(batch);
  return {
    find(row) {
      const base = row * stride;
      const balls: number[] = [];
      for (let i = 0; i < cells; i++) if (objectOf(words[base + i]!) === BALL) balls.push(i);
      balls.sort((p, q) => originOf(words[base + p]!) - originOf(words[base + q]!));
      count[row] = balls.length;
      where.set(balls, row * cells);
    },
    move(row, agentCell) {
      const base = row * stride;
      for (let k = row * cells; k < row * cells + count[row]!; k++) {
        const at = where[k]!;
        const left = Math.max(0, (at % width) - 1);
        const top = Math.max(0, Math.floor(at / width) - 1);
        const across = Math.min(left + 3, width) - left;
        const down = Math.min(top + 3, height) - top;
        for (let t = 0; t < TRIES; t++) {
          const x = left + draws.int(row, across, 'obstacle x');
          const y = top + draws.int(row, down, 'obstacle y');
          const to = y * width + x;
          if (objectOf(words[base + to]!) !== EMPTY || to === agentCell) continue;
          words[base + to] = words[base + at]!;
          words[base + at] = EMPTY_CELL;
          where[k] = to;
          break;
        }
      }
    },
  };
}
