/**
 * One room locked, its key in another, distractors in all others, the agent outside (Minigrid `babyai/unlock.py`, `goto.py`). The
 * reference compares room numbers by identity, which lets the key fall into the locked room in one of nine levels; here it never does.
 */
import { colourOf, KEY } from '../cells.ts';
import type { LevelRooms } from './level-rooms.ts';

/** `connect` joins the other rooms, given the locked door. Returns the locked room and its door. */
export function lockedAway(
  r: LevelRooms,
  distractors: number,
  connect: (door: number) => void,
): { readonly i: number; readonly j: number; readonly door: number } {
  const { builder: b } = r;
  const i = b.int(0, r.columns - 1, 'locked column');
  const j = b.int(0, r.rows - 1, 'locked row');
  const door = r.anyDoor(i, j, true);
  for (;;) {
    const keyColumn = b.int(0, r.columns - 1, 'key column');
    const keyRow = b.int(0, r.rows - 1, 'key row');
    if (keyColumn === i && keyRow === j) continue;
    r.thing(keyColumn, keyRow, KEY, colourOf(r.kindAt(door)));
    break;
  }
  connect(door);
  for (let column = 0; column < r.columns; column++)
    for (let row = 0; row < r.rows; row++) if (column !== i || row !== j) r.distract(distractors, false, column, row);
  do r.agent();
  while (r.agentIn(i, j));
  r.mustReachAll();
  return { i, j, door };
}
