/**
 * Whether the goal can be reached at all: a search over neighbouring cells. Keys open locked doors of their colour as soon as they can
 * be reached; what can be carried is no obstacle. Approximate on purpose: it ignores that a hand holds one thing.
 */
import { type Cells, seen, type Written } from './tiles.ts';

export type Reach = 'reachable' | 'unreachable' | 'no goal' | 'no start';

export function reach(written: Written, cells: Cells, start: readonly [x: number, y: number] | null): Reach {
  const height = cells.length;
  const width = cells[0]?.length ?? 0;
  const at = (x: number, y: number) => seen(written, cells[y]?.[x] ?? '').tile.look;
  const colourAt = (x: number, y: number) => seen(written, cells[y]?.[x] ?? '').colour;
  const every = cells.flatMap((row, y) => row.map((_, x) => [x, y] as const));
  if (!every.some(([x, y]) => at(x, y) === 'goal')) return 'no goal';
  const from = start ?? every.find(([x, y]) => at(x, y) === 'start') ?? null;
  if (from === null) return 'no start';

  const keys = new Set<string>();
  for (;;) {
    const before = keys.size;
    const reached = new Set<number>([from[1] * width + from[0]]);
    const queue: (readonly [number, number])[] = [from];
    for (const [x, y] of queue) {
      const look = at(x, y);
      if (look === 'goal') return 'reachable';
      if (look === 'key') keys.add(colourAt(x, y));
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const [nx, ny] = [x + dx, y + dy];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height || reached.has(ny * width + nx)) continue;
        const next = at(nx, ny);
        if (next === 'wall' || next === 'hole' || next === 'lava') continue;
        if (next === 'door-locked' && !keys.has(colourAt(nx, ny))) continue;
        reached.add(ny * width + nx);
        queue.push([nx, ny]);
      }
    }
    if (keys.size === before) return 'unreachable';
  }
}
