import { expect, test } from 'vitest';
import { playScripted } from '#core/run/replay.ts';
import { createBuffers } from '../api/buffers.ts';
import { NAMED_MAZES } from './lib/mazes.ts';
import { minigridMaze as entry } from './minigrid-maze.ts';

interface Drawn {
  readonly cells: readonly string[];
  readonly agent: { readonly x: number; readonly y: number; readonly dir: number };
}

/** The map of an episode: # a wall, G the goal, and where the agent stands. */
function drawn(config: object, seed: number): Drawn {
  const env = entry.create(entry.parse(config), 1);
  const out = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(seed), out);
  const json = env.meta.state.toJSON(env.save(0));
  const { layout, agentPos: [x, y], agentDir: dir } = json as unknown as Readonly<{ layout: string[]; agentPos: [number, number]; agentDir: number }>; // biome-ignore format: one line
  const cells = layout.map((row) => row.split(' ').map(([kind]) => (kind === 'W' ? '#' : kind === 'G' ? 'G' : '.')).join('')); // biome-ignore format: one line
  return { cells, agent: { x, y, dir } };
}

test('walls are drawn within the outline, at most as many as asked for, and agent and goal stand free', () => {
  const places = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    const { cells, agent } = drawn({}, seed);
    const inner = cells.slice(1, -1).map((row) => row.slice(1, -1));
    const walls = inner.join('').split('#').length - 1;
    expect(walls).toBeGreaterThan(15); // 25 draws from 169 cells: some fall on one another
    expect(walls).toBeLessThanOrEqual(25);
    expect(inner.join('').split('G')).toHaveLength(2);
    expect(cells[agent.y]![agent.x]).toBe('.');
    places.add(`${agent.x},${agent.y}`);
  }
  expect(places.size).toBeGreaterThan(80);
  expect(drawn({ walls: 0 }, 1).cells.slice(1, -1).map((row) => row.slice(1, -1)).join('')).not.toContain('#'); // biome-ignore format: one line
});

/** Whether the goal can be walked to. */
function reachable({ cells, agent }: Drawn): boolean {
  const seen = new Set<string>();
  const open: [number, number][] = [[agent.x, agent.y]];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = at;
    if (cells[y]![x] === 'G') return true;
    if (cells[y]![x] === '#' || seen.has(at.join())) continue;
    seen.add(at.join());
    open.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
  }
  return false;
}

test('the expert finds the goal where it can be reached, and only there', async () => {
  const config = entry.parse({ walls: 60 });
  const seeds = Array.from({ length: 60 }, (_, i) => 100 + i);
  const found: boolean[] = [];
  for (const seed of seeds) {
    const { reward } = await playScripted('expert', entry, config, seed);
    found.push((reward.at(-1) ?? 0) > 0);
  }
  const can = seeds.map((seed) => reachable(drawn({ walls: 60 }, seed)));
  expect(found).toEqual(can);
  expect(new Set(can)).toEqual(new Set([true, false]));
});

test.each(Object.keys(NAMED_MAZES))('"%s" is the maze of that name, with its start', (maze) => {
  const rows = NAMED_MAZES[maze]!;
  const { cells, agent } = drawn({ maze }, 3);
  const found = cells.slice(1, -1).map((row) => row.slice(1, -1));
  const start = rows.flatMap((row, y) =>
    [...row].flatMap((sign, x) => ('>v<^'.includes(sign) ? [{ x, y, dir: '>v<^'.indexOf(sign) }] : [])),
  );
  expect(found).toEqual(rows.map((row) => row.replaceAll(/[>v<^]/g, '.')));
  expect([{ x: agent.x - 1, y: agent.y - 1, dir: agent.dir }]).toEqual(start);
});

test('any of the named is each of them now and then; other sizes and too many walls are refused', () => {
  const seen = new Set(Array.from({ length: 100 }, (_, seed) => drawn({ maze: 'any of the named' }, seed).cells.join()));
  expect(seen.size).toBe(Object.keys(NAMED_MAZES).length);
  expect(() => entry.create(entry.parse({ maze: 'labyrinth', width: 9 }), 1)).toThrow(/15 x 15/);
  expect(() => entry.create(entry.parse({ width: 5, height: 5, walls: 8 }), 1)).toThrow(/At most 7/);
});
