/**
 * Where cells lie as seen from the start pose: bits 1 in front, 2 behind, 4 left, 8 right; 0 outside the room the agent started in.
 * A room is what is reached without passing walls or doors; its doors belong to it, what is behind them does not.
 */
import { DOOR, objectOf, WALL } from './cells.ts';
import { DX, DY } from './view.ts';

const REACHED = 16;

/** Fills out[at .. at + width * height) for the map at words[base..]. */
export function writePlaces(
  words: Uint32Array,
  base: number,
  width: number,
  height: number,
  startX: number,
  startY: number,
  startDir: number,
  out: Uint8Array,
  at: number,
): void {
  out.fill(0, at, at + width * height);
  const first = startY * width + startX;
  out[at + first] = REACHED;
  const queue = [first];
  for (let here = queue.pop(); here !== undefined; here = queue.pop())
    for (let d = 0; d < 4; d++) {
      const x = (here % width) + DX[d]!;
      const y = Math.floor(here / width) + DY[d]!;
      const to = y * width + x;
      if (x < 0 || y < 0 || x >= width || y >= height || out[at + to] !== 0) continue;
      const object = objectOf(words[base + to]!);
      if (object === WALL) continue;
      out[at + to] = REACHED;
      if (object !== DOOR) queue.push(to);
    }
  const dx = DX[startDir]!;
  const dy = DY[startDir]!;
  for (let i = 0; i < width * height; i++) {
    if (out[at + i] === 0) continue;
    const vx = (i % width) - startX;
    const vy = Math.floor(i / width) - startY;
    const ahead = vx * dx + vy * dy;
    const right = vy * dx - vx * dy;
    out[at + i] = (ahead > 0 ? 1 : ahead < 0 ? 2 : 0) | (right < 0 ? 4 : right > 0 ? 8 : 0);
  }
}
