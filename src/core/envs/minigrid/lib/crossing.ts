/**
 * Rivers of lava or wall on even rows and columns, each with one opening, so that a path from the first to the last corner remains
 * (Minigrid `envs/crossing.py`): the openings lie along a random monotone walk through the rooms between the rivers.
 */
import { z } from 'zod';
import { badConfig } from '../../api/parse.ts';
import type { Builder } from './builder.ts';
import { EMPTY_CELL, GOAL_CELL } from './cells.ts';
import type { GridConfig } from './config.ts';

export const crossingShape = {
  crossings: z
    .int()
    .min(1)
    .max(30)
    .default(1)
    .meta({ title: 'rivers', description: 'How many rivers cross the room.', source: 'Minigrid SxxNx' }),
};

export const crossingPresets = [
  { id: 's9n1', title: '9x9, 1 river', config: {} },
  { id: 's9n2', title: '9x9, 2 rivers', config: { crossings: 2 } },
  { id: 's9n3', title: '9x9, 3 rivers', config: { crossings: 3 } },
  { id: 's11n5', title: '11x11, 5 rivers', config: { width: 11, height: 11, crossings: 5 } },
];

export function checkCrossing(c: GridConfig & { readonly crossings: number }): void {
  if (c.width % 2 === 0 || c.height % 2 === 0 || c.width < 5 || c.height < 5)
    throw badConfig('width', 'Rivers need odd sides.', 'Width and height odd, 5 or more.');
  const places = (c.width - 3) / 2 + (c.height - 3) / 2; // even columns and rows that leave a start and a goal
  if (c.crossings > places) throw badConfig('crossings', `There is room for ${places} rivers.`, 'Fewer rivers or a larger map.');
}

export function generateCrossing(b: Builder, crossings: number, obstacle: number): void {
  b.walls(0, 0, b.width, b.height);
  b.agent(1, 1, 0);
  b.set(b.width - 2, b.height - 2, GOAL_CELL);
  const rivers: { readonly upright: boolean; readonly at: number }[] = [];
  for (let x = 2; x < b.width - 2; x += 2) rivers.push({ upright: true, at: x });
  for (let y = 2; y < b.height - 2; y += 2) rivers.push({ upright: false, at: y });
  b.shuffle(rivers, 'rivers');
  const chosen = rivers.slice(0, crossings);
  const ascending = (upright: boolean) =>
    chosen
      .filter((r) => r.upright === upright)
      .map((r) => r.at)
      .sort((p, q) => p - q);
  const columns = ascending(true);
  const rows = ascending(false);
  for (const y of rows) for (let x = 1; x < b.width - 1; x++) b.set(x, y, obstacle);
  for (const x of columns) for (let y = 1; y < b.height - 1; y++) b.set(x, y, obstacle);
  // The walk crosses every upright river once to the right and every flat one once downwards.
  const walk = [...columns.map(() => true), ...rows.map(() => false)];
  b.shuffle(walk, 'walk');
  const xs = [0, ...columns, b.width - 1];
  const ys = [0, ...rows, b.height - 1];
  let i = 0;
  let j = 0;
  for (const right of walk) {
    if (right) {
      b.set(xs[i + 1]!, b.int(ys[j]! + 1, ys[j + 1]! - 1, 'opening'), EMPTY_CELL);
      i++;
    } else {
      b.set(b.int(xs[i]! + 1, xs[i + 1]! - 1, 'opening'), ys[j + 1]!, EMPTY_CELL);
      j++;
    }
  }
}
