/**
 * Beams: one lane ahead, or three, of which the outer ones start beside the shooter, so that the middle one ends a cell further.
 * A wall stops a lane before it, an agent in it; a cleaning lane also ends in the first waste, which becomes water when all lanes
 * have been drawn.
 */
import { AHEAD_COLUMN, AHEAD_ROW, type Ground } from './ground.ts';
import { type Beam, WASTE_HERE } from './rules.ts';

export const TAGGING = 1;
export const CLEANING = 2;

export interface Shot {
  /** [cells] agent that stands there, + 1. */
  readonly stands: Int32Array;
  readonly words: Uint32Array;
  readonly things: number; // where things and beams of the row begin in words
  readonly beams: number;
}

/** Draws a beam and returns how much waste it cleaned; agents hit are written to `hit` (-1: none), one per lane. */
export function shoot(g: Ground, cell: number, heading: number, beam: Beam, kind: number, shot: Shot, hit: Int32Array): number {
  const { words, things, beams, stands } = shot;
  const { width, height } = g;
  const dy = AHEAD_ROW[heading]!;
  const dx = AHEAD_COLUMN[heading]!;
  let cleaned = 0;
  hit.fill(-1);
  for (let lane = 0; lane < beam.width; lane++) {
    // 0: ahead, 1: right of the shooter, 2: left of it; to the right of (dy, dx) lies (dx, -dy)
    const aside = lane === 0 ? 0 : lane === 1 ? 1 : -1;
    let y = Math.floor(cell / width) + (lane === 0 ? dy : aside * dx);
    let x = (cell % width) + (lane === 0 ? dx : -aside * dy);
    for (let i = 0; i < beam.length; i++, y += dy, x += dx) {
      if (y < 0 || x < 0 || y >= height || x >= width) break;
      const at = y * width + x;
      if (g.walls[at] === 1) break;
      words[beams + at] = words[beams + at]! | kind;
      const dirty = kind === CLEANING && words[things + at] === WASTE_HERE;
      if (dirty) {
        words[things + at] = 0; // lanes do not cross, so no other lane can have met it
        cleaned++;
      }
      const who = stands[at]!;
      if (who > 0) hit[lane] = who - 1;
      if (who > 0 || dirty) break;
    }
  }
  return cleaned;
}
