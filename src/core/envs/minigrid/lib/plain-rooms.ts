/** Rooms that are generated alike on the host (envs/minigrid) and on a graphics device (core/rollouts). */
import type { Builds } from './builder.ts';
import { cell, DOOR, GOAL_CELL, KEY, LOCKED, YELLOW } from './cells.ts';

export function doorkeyRoom<W>(_c: object, b: Builds<W>): void {
  b.walls(0, 0, b.width, b.height);
  b.set(b.width - 2, b.height - 2, GOAL_CELL);
  const split = b.int(2, b.width - 3, 'split');
  b.vertical(split, 0, b.height);
  b.placeAgent(0, 0, split, b.height);
  b.set(split, b.int(1, b.height - 3, 'door'), cell(DOOR, YELLOW, LOCKED));
  b.place(cell(KEY, YELLOW), 'key', 0, 0, split, b.height);
}

export function emptyRoom<W>(c: { readonly randomStart: boolean }, b: Builds<W>): void {
  b.walls(0, 0, b.width, b.height);
  b.set(b.width - 2, b.height - 2, GOAL_CELL);
  if (c.randomStart) b.placeAgent();
  else b.agent(1, 1, 0);
}
