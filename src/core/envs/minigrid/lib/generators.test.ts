import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { envs, getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';

type Grid = string[][];

/** Cells that can be reached with the keys found on the way, in boxes too; things are walked around, boxes and balls count as free. */
function reach(state: JsonObject): { readonly cells: Set<string>; readonly grid: Grid } {
  const grid = (state.layout as string[]).map((row) => row.split(' '));
  const [sx, sy] = state.agentPos as [number, number];
  const keys = new Set<string>();
  const hidden = new Map(
    (state.boxes as { readonly pos: readonly [number, number]; readonly content: string }[]).map(({ pos, content }) => [
      pos.join(','),
      content,
    ]),
  );
  for (;;) {
    const before = keys.size;
    const cells = new Set([`${sx},${sy}`]);
    const queue: [number, number][] = [[sx, sy]];
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
      ] as const) {
        const [x, y] = [at[0] + dx, at[1] + dy];
        const token = grid[y]?.[x] ?? 'WE';
        if (cells.has(`${x},${y}`) || token[0] === 'W' || token[0] === 'V') continue;
        if (token[0] === 'L' && !keys.has(token[1] as string)) continue;
        const shown = hidden.get(`${x},${y}`) ?? token;
        if (shown[0] === 'K') keys.add(shown[1] as string);
        cells.add(`${x},${y}`);
        queue.push([x, y]);
      }
    if (keys.size === before) return { cells, grid };
  }
}

function worlds(id: string, config: JsonObject, count: number): JsonObject[] {
  const env = getEnv(id).create(config, count);
  env.reset(
    Uint32Array.from({ length: count }, (_, i) => i * 7919),
    createBuffers(env.meta, count),
  );
  return Array.from({ length: count }, (_, row) => env.meta.state.toJSON(env.save(row)));
}

function find(grid: Grid, letter: string): string[] {
  return grid.flatMap((row, y) => row.flatMap((token, x) => (token[0] === letter ? [`${x},${y}`] : [])));
}

const named = envs
  .filter((e) => e.id.startsWith('minigrid-'))
  .flatMap((e) => e.presets.map((p) => ({ id: e.id, preset: p.id, config: p.config })));

describe.each(named)('$id $preset', ({ id, config }) => {
  const all = worlds(id, config, 60);
  // whether the goal of a maze of drawn walls can be reached is left to chance (minigrid-maze.test.ts)
  const sure = id !== 'minigrid-maze' || (config as { readonly maze?: string }).maze !== undefined;
  it.runIf(sure)('can always be solved: everything that matters can be reached', () => {
    for (const state of all) {
      const { cells, grid } = reach(state);
      for (const goal of find(grid, 'G')) expect(cells.has(goal), JSON.stringify(state.layout)).toBe(true);
      for (const letter of ['K', 'A', 'B'])
        for (const thing of find(grid, letter)) {
          // a thing may stand in a place of its own (Memory shows it in the wall), but then beside a free cell
          const [x, y] = thing.split(',').map(Number) as [number, number];
          const beside = [`${x + 1},${y}`, `${x - 1},${y}`, `${x},${y + 1}`, `${x},${y - 1}`];
          expect(cells.has(thing) || beside.some((c) => cells.has(c)), JSON.stringify(state.layout)).toBe(true);
        }
    }
  });

  it.runIf(sure && id !== 'minigrid-playground')('is solved by its expert', () => {
    const entry = getEnv(id);
    const batch = 20;
    const env = entry.create(config, batch);
    const buffers = createBuffers(env.meta, batch);
    const actions = new Int32Array(batch);
    const { expert } = entry.policies(config);
    if (expert === undefined) throw new Error('there is no expert');
    env.reset(
      Uint32Array.from({ length: batch }, (_, i) => 31 * i + 5),
      buffers,
    );
    const won = new Uint8Array(batch);
    for (let t = 0; t < env.meta.maxSteps && won.includes(0); t++) {
      expert.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < batch; row++) {
        if (won[row] === 1 || (buffers.terminated[row] === 0 && buffers.truncated[row] === 0)) continue;
        expect(buffers.reward[row], `row ${row}`).toBeGreaterThan(0);
        won[row] = 1;
      }
      env.restart(buffers.terminated, buffers);
    }
    expect(won.includes(0)).toBe(false);
  });

  it('is walled in and starts on a free cell', () => {
    for (const state of all) {
      const { grid } = reach(state);
      const [x, y] = state.agentPos as [number, number];
      expect(grid[y]?.[x]).toBe('..');
      if (id === 'minigrid-go-to-door') continue; // its room may be smaller than the map, and nobody passes its doors: a toggle ends the episode
      const { cells } = reach(state);
      for (const cell of cells) {
        const [cx, cy] = cell.split(',').map(Number) as [number, number];
        const token = grid[cy]?.[cx] as string;
        if (cx === 0 || cy === 0 || cx === (grid[0]?.length ?? 0) - 1 || cy === grid.length - 1)
          expect('DLO'.includes(token[0] as string)).toBe(true);
      }
    }
  });
});

describe('what the generators draw', () => {
  it('DoorKey: one locked yellow door, its key on the agent’s side, every split and row', () => {
    const all = worlds('minigrid-doorkey', {}, 400);
    const doors = new Set<string>();
    for (const state of all) {
      const { grid } = reach(state);
      const [door] = find(grid, 'L') as [string];
      const [key] = find(grid, 'K') as [string];
      doors.add(door);
      const split = Number(door.split(',')[0]);
      expect(Number(key.split(',')[0])).toBeLessThan(split);
      expect((state.agentPos as number[])[0]).toBeLessThan(split);
    }
    expect(doors.size).toBe(4 * 5); // columns 2..5, rows 1..5 of the 8x8 room
  });

  it('crossings: as many rivers as asked for, each with an opening', () => {
    for (const n of [1, 2, 3])
      for (const state of worlds('minigrid-lava-crossing', { crossings: n }, 50)) {
        const { grid } = reach(state);
        const width = grid.length;
        const full = (line: string[]) => line.slice(1, -1).filter((t) => t[0] === 'V').length;
        const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x] as string))];
        const rivers = lines.filter((line) => full(line) >= width - 2 - n - 1 && full(line) > n).length;
        expect(rivers).toBe(n);
      }
  });

  it('MultiRoom: one door less than rooms, neighbours differ in colour', () => {
    for (const rooms of [2, 4, 6])
      for (const state of worlds('minigrid-multi-room', { rooms, maxRoomSize: rooms === 2 ? 4 : 8 }, 50))
        expect(find(reach(state).grid, 'D').length).toBe(rooms - 1);
  });

  it('Memory: success is beside the thing that was shown', () => {
    for (const state of worlds('minigrid-memory', {}, 40)) {
      const { grid } = reach(state);
      const [success, failure] = (state.rule as number[]).map((at) => [(at - 1) % 7, Math.floor((at - 1) / 7)]) as [number[], number[]];
      const shown = grid[2]?.[1];
      const near = (pos: number[]) => grid[pos[1]! + (pos[1]! < 3 ? -1 : 1)]?.[pos[0]!];
      expect(near(success)).toBe(shown);
      expect(near(failure)).not.toBe(shown);
    }
  });

  it('KeyCorridor: the ball is behind the only locked door', () => {
    for (const state of worlds('minigrid-key-corridor', { height: 7 }, 60)) {
      const { grid } = reach(state);
      expect(find(grid, 'L').length).toBe(1);
      const keyless = reach({ ...state, layout: (state.layout as string[]).map((row) => row.replace(/K./, '..')) });
      expect(keyless.cells.has(find(grid, 'A')[0] as string)).toBe(false);
    }
  });

  it('missions name what counts', () => {
    const env = getEnv('minigrid-fetch').create({}, 20);
    const buffers = createBuffers(env.meta, 20);
    env.reset(
      Uint32Array.from({ length: 20 }, (_, i) => i),
      buffers,
    );
    for (let row = 0; row < 20; row++) {
      const [object, colour] = ['key', 'ball', 'box'].flatMap((name, o) =>
        buffers.obs[row * env.meta.obsSize + 151 + o] === 1
          ? [name, ['red', 'green', 'blue', 'purple', 'yellow', 'grey'].find((_, c) => buffers.obs[row * env.meta.obsSize + 154 + c] === 1)]
          : [],
      );
      expect(env.extras?.(row).mission).toBe(`fetch a ${colour} ${object}`);
    }
  });
});
