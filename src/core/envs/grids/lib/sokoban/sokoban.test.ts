import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { Draws } from '#core/envs/api/draws.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { Rng } from '#math/rng.ts';
import { sokoban } from '../../sokoban.ts';
import { isBox, isTarget, type Level, LevelMaker, parseLevel, WALL } from './levels.ts';
import { moveIn, solveLevel } from './solve.ts';

const [PUSH_UP, PUSH_DOWN, PUSH_LEFT, PUSH_RIGHT, MOVE_UP, , , MOVE_RIGHT] = [1, 2, 3, 4, 5, 6, 7, 8];

function world(config: object) {
  const env = sokoban.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  return {
    env,
    buffers,
    step(action: number) {
      env.step(Int32Array.of(action), buffers);
      return [Math.round(10 * buffers.reward[0]!) / 10, buffers.terminated[0], buffers.truncated[0]];
    },
    state: () => env.meta.state.toJSON(env.save(0)) as { cells: number[][]; player: number; steps: number },
  };
}

const ROOM = ['#######', '#-----#', '#-$.--#', '#--@$.#', '#-----#', '#######'];

/** Fewest moves by breadth-first search over whole positions, move by move. */
function plainSolve(start: Level): number {
  const keyOf = (level: Level) => `${level.player}:${level.cells.join('')}`;
  const seen = new Set([keyOf(start)]);
  let layer = [start];
  for (let moves = 0; layer.length > 0; moves++) {
    const next: Level[] = [];
    for (const level of layer) {
      if (level.cells.every((code) => !isBox(code) || isTarget(code))) return moves;
      for (let d = 0; d < 4; d++) {
        const copy: Level = { ...level, cells: level.cells.slice() };
        if (!moveIn(copy, d, true) || seen.has(keyOf(copy))) continue;
        seen.add(keyOf(copy));
        next.push(copy);
      }
    }
    layer = next;
  }
  return -1;
}

describe('sokoban', () => {
  it('steps cost 0.1; a box on a target pays 1, the last one 10 more', () => {
    const w = world({ map: ROOM });
    expect(w.step(0)).toEqual([-0.1, 0, 0]);
    expect(w.step(PUSH_RIGHT)).toEqual([0.9, 0, 0]); // the box beside the player goes home
    expect(w.step(PUSH_LEFT)).toEqual([-0.1, 0, 0]);
    w.step(PUSH_LEFT);
    w.step(PUSH_LEFT);
    expect(w.step(PUSH_UP)).toEqual([-0.1, 0, 0]);
    expect(w.step(PUSH_RIGHT)).toEqual([10.9, 1, 0]);
  });

  it('pushing a box off its target costs 1', () => {
    const w = world({ map: ['######', '#@*--#', '#$.--#', '######'] });
    expect(w.step(PUSH_RIGHT)).toEqual([-1.1, 0, 0]);
  });

  it('walls stop the player, walls and boxes stop a box', () => {
    const w = world({ map: ['#######', '#@$$-.#', '#$---.#', '#----.#', '#######'] });
    expect(w.step(PUSH_UP)).toEqual([-0.1, 0, 0]);
    expect(w.state().player).toBe(8);
    w.step(PUSH_RIGHT); // two boxes in a row
    expect(w.state().player).toBe(8);
    w.step(PUSH_DOWN);
    expect(w.state().player).toBe(15);
    w.step(PUSH_DOWN); // box against the wall
    expect(w.state().player).toBe(15);
  });

  it('move actions never push, and step where they can', () => {
    const w = world({ map: ['######', '#@$-.#', '#----#', '######'] });
    w.step(MOVE_RIGHT);
    expect(w.state().player).toBe(7);
    w.step(PUSH_DOWN); // nothing to push: a step
    expect(w.state().player).toBe(13);
    w.step(MOVE_RIGHT);
    expect(w.state().player).toBe(14);
    w.step(MOVE_UP);
    expect(w.state().player).toBe(14);
    w.step(MOVE_RIGHT);
    w.step(MOVE_UP);
    expect(w.state().player).toBe(9);
  });

  it('is cut at the limit', () => {
    const w = world({ map: ROOM, maxSteps: 2 });
    expect(w.step(0)[2]).toBe(0);
    expect(w.step(0)[2]).toBe(1);
  });

  it('shows walls, targets, boxes and the player', () => {
    const { buffers } = world({ map: ['#####', '#+$-#', '#*--#', '#####'] });
    const cell = (i: number) => Array.from(buffers.obs.subarray(4 * i, 4 * i + 4));
    expect([cell(0), cell(6), cell(7), cell(8), cell(11)]).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 1],
      [0, 0, 1, 0],
      [0, 0, 0, 0],
      [0, 1, 1, 0],
    ]);
  });

  it.each([
    [{ map: ['#####', '#@$.-', '#####'] }],
    [{ map: ['#####', '#-$.#', '#####'] }],
    [{ map: ['#####', '#@$-#', '#####'] }],
    [{ map: ['#####', '#@*-#', '#####'] }],
    [{ map: ['#####', '#@$.#', '####'] }],
    [{ map: ['#####', '#@-.#', '#####'] }],
    [{ size: 5, boxes: 5 }],
  ])('%j is refused', (config) => {
    expect(() => sokoban.meta(config)).toThrow(LabError);
  });

  it('states with a player in a wall or an open border are refused', () => {
    const w = world({ map: ['#####', '#@$.#', '#####'] });
    const load = (change: (state: { cells: number[][]; player: number }) => void) => () => {
      const state = w.state();
      change(state);
      w.env.load(0, w.env.meta.state.fromJSON(state), w.buffers);
    };
    expect(load(() => undefined)).not.toThrow();
    expect(load((s) => void (s.player = 0))).toThrow(LabError);
    expect(load((s) => void (s.cells[0]![0] = 0))).toThrow(LabError);
  });
});

const LEAST = 3; // pushes per box

/** Pushes of a solution, and how many different boxes they move; plays it to its end. */
function pushesOf(level: Level, solution: readonly number[]): { pushes: number; boxes: number } {
  let pushes = 0;
  const moved = new Set<number>();
  const where = new Map(Array.from(level.cells.keys()).flatMap((cell, i) => (isBox(level.cells[cell]!) ? [[cell, i] as const] : [])));
  for (const d of solution) {
    const before = Uint32Array.from(level.cells);
    expect(moveIn(level, d, true)).toBe(true);
    const from = before.findIndex((code, cell) => isBox(code) && !isBox(level.cells[cell]!));
    if (from < 0) continue;
    const to = before.findIndex((code, cell) => !isBox(code) && isBox(level.cells[cell]!));
    where.set(to, where.get(from) as number);
    where.delete(from);
    moved.add(where.get(to) as number);
    pushes++;
  }
  return { pushes, boxes: moved.size };
}

describe('made levels', () => {
  const made = (size: number, boxes: number, seed: number): Level => {
    const cells = new Uint32Array(size * size);
    const player = new LevelMaker(size, size, boxes, LEAST).make(new Draws([Rng.from(seed)], undefined), 0, cells, 0);
    return { rows: size, columns: size, cells, player };
  };

  it.each([
    [6, 1, 3, 100],
    [7, 2, 5, 300],
    [8, 3, 7, 30],
    [10, 4, 11, 6],
  ])(
    '%i x %i cells with %i boxes can be solved, are walled, and need every box to be pushed, %i times in all or more',
    (size, boxes, least, n) => {
      for (let seed = 0; seed < n; seed++) {
        const level = made(size, boxes, seed);
        expect(level.cells.filter(isBox)).toHaveLength(boxes);
        expect(level.cells.filter(isTarget)).toHaveLength(boxes);
        level.cells.forEach((code, i) => {
          const border = i < size || i >= size * (size - 1) || i % size === 0 || i % size === size - 1;
          if (border && code !== WALL) throw new Error(`open at ${i}`);
        });
        const solution = solveLevel(level);
        if (solution === null) throw new Error(`level ${seed} has no solution`);
        const done = pushesOf(level, solution);
        expect(done.boxes).toBe(boxes);
        expect(done.pushes).toBeGreaterThanOrEqual(least);
        expect(level.cells.every((code) => !isBox(code) || isTarget(code))).toBe(true);
      }
    },
  );

  it('solutions are shortest', () => {
    for (let seed = 0; seed < 25; seed++) expect(solveLevel(made(7, 2, seed))?.length).toBe(plainSolve(made(7, 2, seed)));
  });

  it('asks for fewer pushes where a size has no such levels, and for as many as told where it has', () => {
    for (let seed = 0; seed < 20; seed++) {
      const level = made(5, 1, seed); // a room of 3 x 3: two pushes at most
      const solution = solveLevel(level);
      expect(pushesOf(level, solution ?? []).pushes).toBe(2);
      const cells = new Uint32Array(81);
      const player = new LevelMaker(9, 9, 1, 6).make(new Draws([Rng.from(seed)], undefined), 0, cells, 0);
      const far: Level = { rows: 9, columns: 9, cells, player };
      expect(pushesOf(far, solveLevel(far) ?? []).pushes).toBeGreaterThanOrEqual(5);
    }
  });

  it('draws turns, targets, pulls and players fairly: chi-square of 100,000 draws', () => {
    const rng = Rng.from(8);
    const turns = [0, 0];
    const sizes = new Map<string, number[]>();
    let asked = '';
    const heard = {
      uniform(_row: number, name: string) {
        asked = name;
        return undefined;
      },
      int(_row: number, n: number, name: string) {
        if (asked === 'room turn') turns[name === 'room direction' ? 0 : 1]!++;
        asked = name;
        const list = sizes.get(name) ?? [];
        if (list.length < 1000) list.push(n);
        sizes.set(name, list);
        return undefined;
      },
    };
    const maker = new LevelMaker(7, 7, 2, LEAST);
    const cells = new Uint32Array(49);
    const draws = new Draws([rng], heard);
    while (turns[0]! + turns[1]! < 100_000) maker.make(draws, 0, cells, 0);
    expect(misfit(turns, [0.35, 0.65])).toBeLessThan(1);
    // drawn among all there are: rows and columns of the room, four ways, five brushes
    for (const [name, n] of [
      ['room row', 5],
      ['room column', 5],
      ['room direction', 4],
      ['room brush', 5],
    ] as const)
      expect(new Set(sizes.get(name))).toEqual(new Set([n]));
  });

  it('of a number of levels each is begun alike: chi-square of 100,000 draws', () => {
    const n = 1000;
    const env = sokoban.create({ levels: 5, size: 5, boxes: 1 }, n);
    const buffers = createBuffers(env.meta, n);
    const counts = new Map<string, number>();
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i),
      buffers,
    );
    for (let round = 0; round < 100; round++, env.restart(new Uint8Array(n).fill(1), buffers))
      for (let row = 0; row < n; row++) {
        const key = buffers.obs.subarray(row * env.meta.obsSize, (row + 1) * env.meta.obsSize).join('');
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    expect(counts.size).toBe(5);
    expect(misfit([...counts.values()])).toBeLessThan(1);
  });

  it('says so when there is no solution', () => {
    expect(solveLevel(parseLevel(['######', '#$@-.#', '######']).level)).toBeNull();
    expect(solveLevel(parseLevel(['######', '#--$.#', '#@---#', '######']).level)).toEqual([0, 3, 3]);
  });

  it('a number of levels means that many, the same for the same seed', () => {
    const levelsOf = (config: object) => {
      const env = sokoban.create(config, 200);
      env.reset(
        Uint32Array.from({ length: 200 }, (_, i) => i),
        createBuffers(env.meta, 200),
      );
      return new Set(Array.from({ length: 200 }, (_, row) => JSON.stringify({ ...env.meta.state.toJSON(env.save(row)), rng: 0 })));
    };
    expect(levelsOf({ levels: 5 }).size).toBe(5);
    expect(levelsOf({ levels: 5 })).toEqual(levelsOf({ levels: 5 }));
    expect(levelsOf({ levels: 5, levelSeed: 1 })).not.toEqual(levelsOf({ levels: 5 }));
    expect(levelsOf({}).size).toBeGreaterThan(190);
  });

  it('random and expert play reach what is stated, and the expert solves all', () => {
    const n = 300;
    const env = sokoban.create({}, n);
    const buffers = createBuffers(env.meta, n);
    const actions = createActions(env.meta, n);
    const rng = Rng.from(3);
    const { expert } = sokoban.policies({});
    const mean = (act: () => void) => {
      env.reset(
        Uint32Array.from({ length: n }, (_, i) => i),
        buffers,
      );
      const over = new Uint8Array(n);
      const ended = new Uint8Array(n);
      let sum = 0;
      let solved = 0;
      for (let t = 0; t < 120 && over.includes(0); t++) {
        act();
        env.step(actions, buffers);
        for (let row = 0; row < n; row++) {
          ended[row] = buffers.terminated[row]! | buffers.truncated[row]!;
          if (over[row] === 1) continue;
          sum += buffers.reward[row]!;
          solved += buffers.terminated[row]!;
          over[row] = ended[row]!;
        }
        env.restart(ended, buffers); // finished rows go on unseen
      }
      return [sum / n, solved] as const;
    };
    const stated = (name: string) => env.meta.references.find((r) => r.name === name)?.value as number;
    const best = mean(() => expert?.act(env, buffers, actions));
    expect(best[1]).toBe(n);
    expect(Math.abs(best[0] - stated('expert'))).toBeLessThan(0.12);
    const random = mean(() => {
      for (let i = 0; i < n; i++) actions[i] = rng.int(9);
    });
    expect(Math.abs(random[0] - stated('random'))).toBeLessThan(2);
  });
});
