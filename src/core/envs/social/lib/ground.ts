/**
 * The ground of a social dilemma, read from rows of letters: what stands still, and where things may grow. Cells are numbered row by
 * row. Also the directions, as they turn with an agent. Throws LabError('config-invalid').
 */
import { badConfig } from '../../api/parse.ts';

export interface Ground {
  readonly width: number;
  readonly height: number;
  readonly cells: number;
  readonly letters: string; // [cells]
  readonly walls: Uint8Array; // [cells] 1: wall
  readonly starts: Int32Array; // cells where agents appear
  /** Cells with this letter. */
  of(...letters: readonly string[]): Int32Array;
}

export function readGround(rows: readonly string[], agents: number): Ground {
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) throw badConfig('map', 'The rows of the map differ in length.', 'Give rows of one length.');
  const letters = rows.join('');
  const of = (...wanted: readonly string[]) =>
    Int32Array.from([...letters].flatMap((letter, cell) => (wanted.includes(letter) ? [cell] : [])));
  const starts = of('P');
  if (starts.length < agents)
    throw badConfig(
      'map',
      `There are ${starts.length} starts for ${agents} agents.`,
      'Paint a start P for each agent, or take fewer agents.',
    );
  return {
    width,
    height: rows.length,
    cells: letters.length,
    letters,
    walls: Uint8Array.from(letters, (letter) => (letter === '#' ? 1 : 0)),
    starts,
    of,
  };
}

/** Up, right, down, left: what a heading adds to row and column. */
export const AHEAD_ROW = [-1, 0, 1, 0] as const;
export const AHEAD_COLUMN = [0, 1, 0, -1] as const;

/** Actions that every agent has; beams come behind them. */
export const MOVES = 4; // left, right, ahead, back, as seen by the agent
export const STAY = 4;
export const TURN_RIGHT = 5;
export const TURN_LEFT = 6;
export const FIRE = 7;

/** Quarter turns to the right from the heading to where each move leads. */
export const MOVE_TURN = [3, 1, 0, 2] as const;

/** The move of an agent that looks to `heading` towards `direction` (both 0 up, 1 right, 2 down, 3 left). */
export function moveTowards(heading: number, direction: number): number {
  return MOVE_TURN.indexOf(((direction - heading + 4) % 4) as 0);
}
