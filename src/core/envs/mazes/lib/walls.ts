/**
 * A disc among walls, in closed form. Lengths in cells, (0, 0) the lower left corner of the map, y up the page. A disc whose middle may be as near to
 * a wall as its radius, never nearer, is put back along the wall's normal, at a corner along the line from the corner; walls have no friction, and
 * what a velocity has towards them is lost. Exact for discs smaller than half a cell that move less than their radius in a step.
 */
import { sqrt } from '#math/functions.ts';
import type { MazeRows } from '../../lib/maze/maps.ts';

export interface Walls {
  /** Puts the disc back whose middle is floats[at], floats[at + 1]; `speed`: the index of its velocity, -1: it has none. Answers whether it touched. */
  settle(floats: Float64Array, at: number, speed: number): boolean;
}

export function createWalls(rows: MazeRows, radius: number): Walls {
  const height = rows.length;
  const width = rows[0]!.length;
  const wall = new Uint8Array(width * height); // from the lowest row up
  rows.forEach((row, i) => {
    for (let j = 0; j < width; j++) wall[(height - 1 - i) * width + j] = row[j] === '#' ? 1 : 0;
  });
  return {
    settle(floats, at, speed) {
      const j = Math.floor(floats[at]!);
      const i = Math.floor(floats[at + 1]!);
      let u = floats[at]! - j;
      let v = floats[at + 1]! - i;
      const far = 1 - radius;
      if (u >= radius && u <= far && v >= radius && v <= far) return false;
      const c = i * width + j;
      const across = u < radius ? -1 : u > far ? 1 : 0;
      const up = v < radius ? -1 : v > far ? 1 : 0;
      let touched = false;
      if (across !== 0 && wall[c + across] === 1) {
        u = across < 0 ? radius : far;
        floats[at] = j + u;
        if (speed >= 0 && floats[speed]! * across > 0) floats[speed] = 0;
        touched = true;
      }
      if (up !== 0 && wall[c + up * width] === 1) {
        v = up < 0 ? radius : far;
        floats[at + 1] = i + v;
        if (speed >= 0 && floats[speed + 1]! * up > 0) floats[speed + 1] = 0;
        touched = true;
      }
      if (touched || across === 0 || up === 0 || wall[c + up * width + across] === 0) return touched;
      // the corner between two free cells
      const x = across < 0 ? u : u - 1;
      const y = up < 0 ? v : v - 1;
      const square = x * x + y * y;
      if (square >= radius * radius || square === 0) return false;
      const distance = sqrt(square);
      floats[at] = j + (across < 0 ? 0 : 1) + (x * radius) / distance;
      floats[at + 1] = i + (up < 0 ? 0 : 1) + (y * radius) / distance;
      if (speed < 0) return true;
      const towards = (floats[speed]! * x + floats[speed + 1]! * y) / distance;
      if (towards >= 0) return true;
      floats[speed] = floats[speed]! - (towards * x) / distance;
      floats[speed + 1] = floats[speed + 1]! - (towards * y) / distance;
      return true;
    },
  };
}
