/**
 * The way-point expert of OGBench 1.2.1 (`data_gen_scripts/generate_locomaze.py`): it walks towards the middle of the next cell on a
 * shortest way; in the goal's own cell towards the middle of that cell.
 */
import { sqrt } from '#math/functions.ts';
import { cellAt, type Places, xOfCell, yOfCell } from './places.ts';
import type { Ways } from './ways.ts';

/** The cell that one at (x, y) walks to on the way to the goal (goalX, goalY), m. */
export const subgoalOf = (ways: Ways, places: Places, x: number, y: number, goalX: number, goalY: number): number =>
  ways.next(cellAt(places, x, y), cellAt(places, goalX, goalY));

const TINY = 1e-6;

/** Writes the direction from (x, y) to the expert's next cell into out[at], out[at + 1]: length 1, less within micrometres of it. Allocates nothing. */
export function directionTo(
  ways: Ways,
  places: Places,
  x: number,
  y: number,
  goalX: number,
  goalY: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  const cell = subgoalOf(ways, places, x, y, goalX, goalY);
  const dx = xOfCell(places, cell) - x;
  const dy = yOfCell(places, cell) - y;
  const norm = sqrt(dx * dx + dy * dy) + TINY;
  out[at] = dx / norm;
  out[at + 1] = dy / norm;
}
