import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { snake } from '../../snake.ts';
import { closedPath } from './expert.ts';

const [UP, RIGHT, DOWN, LEFT] = [0, 1, 2, 3];

/** One snake put where a test needs it; `body` from tail to head as cells. */
function place(config: object, body: readonly number[], food: number, growing = 0) {
  const { rows = 12, columns = 12 } = config as { rows?: number; columns?: number };
  const env = snake.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const flat = new Array<number>(rows * columns).fill(0);
  body.forEach((cell, i) => {
    flat[cell] = i + 1;
  });
  const nested = Array.from({ length: rows }, (_, y) => flat.slice(y * columns, (y + 1) * columns));
  env.load(0, env.meta.state.fromJSON({ body: nested, food, growing }), buffers);
  return {
    env,
    buffers,
    step(action: number) {
      env.step(Int32Array.of(action), buffers);
      return { reward: buffers.reward[0], over: buffers.terminated[0], cut: buffers.truncated[0] };
    },
    body() {
      const { body: now } = env.meta.state.toJSON(env.save(0)) as { body: number[][] };
      const cells = now.flat();
      const length = Math.max(...cells);
      return Array.from({ length }, (_, i) => cells.indexOf(i + 1));
    },
    food: () => (env.meta.state.toJSON(env.save(0)) as { food: number }).food,
  };
}

const SMALL = { rows: 4, columns: 4 };

describe('snake', () => {
  it('moves one cell, tail and all, without reward', () => {
    const s = place(SMALL, [0, 1, 2], 15);
    expect(s.step(DOWN)).toEqual({ reward: 0, over: 0, cut: 0 });
    expect(s.body()).toEqual([1, 2, 6]);
  });

  it('eats, grows by one and gets new food in a free cell', () => {
    const s = place(SMALL, [0, 1], 2);
    expect(s.step(RIGHT)).toEqual({ reward: 1, over: 0, cut: 0 });
    expect(s.body()).toEqual([0, 1, 2]);
    expect(s.body()).not.toContain(s.food());
  });

  it('grows one cell a step when a food is worth several', () => {
    const s = place({ ...SMALL, growth: 3 }, [0], 1);
    s.step(RIGHT);
    expect(s.body()).toEqual([0, 1]);
    s.step(DOWN);
    expect(s.body()).toEqual([0, 1, 5]);
    s.step(DOWN);
    expect(s.body()).toEqual([0, 1, 5, 9]);
    s.step(DOWN);
    expect(s.body()).toEqual([1, 5, 9, 13]);
  });

  it('the wall ends it, unless there is none', () => {
    expect(place(SMALL, [0, 1, 2], 15).step(UP)).toEqual({ reward: 0, over: 1, cut: 0 });
    const s = place({ ...SMALL, wrap: true }, [0, 1, 2], 11);
    expect(s.step(UP).over).toBe(0);
    expect(s.body()).toEqual([1, 2, 14]);
    s.step(LEFT);
    s.step(LEFT);
    s.step(LEFT);
    expect(s.body()).toEqual([13, 12, 15]); // round the side
  });

  it('its own body ends it, the neck too, but not the tail that moves away', () => {
    expect(place(SMALL, [0, 1, 2], 15).step(LEFT).over).toBe(1);
    expect(place(SMALL, [4, 0, 1, 2, 6, 5], 15).step(LEFT).over).toBe(0); // 4 is the tail
    expect(place(SMALL, [4, 0, 1, 2, 6, 5], 15).step(UP).over).toBe(1); // 1 is not
    expect(place(SMALL, [4, 0, 1, 2, 6, 5], 15, 1).step(LEFT).over).toBe(1); // while growing the tail stays
  });

  it('a full board ends it, with the last food paid', () => {
    const path = [0, 1, 2, 5, 4, 3, 6, 7];
    const s = place({ rows: 3, columns: 3 }, path, 8);
    expect(s.step(RIGHT)).toEqual({ reward: 1, over: 1, cut: 0 });
    expect(s.body()).toHaveLength(9);
  });

  it('is cut at the limit', () => {
    const s = place({ ...SMALL, maxSteps: 2 }, [0], 15);
    expect(s.step(RIGHT).cut).toBe(0);
    expect(s.step(RIGHT).cut).toBe(1);
  });

  it('masks crashes as long as there is another move', () => {
    const masked = { ...SMALL, actionMask: true };
    expect(Array.from(place(masked, [0, 1, 2], 15).buffers.mask ?? [])).toEqual([0, 1, 1, 0]);
    // curled up in the corner: nothing is left
    expect(Array.from(place(masked, [8, 9, 5, 1, 0, 4], 15, 1).buffers.mask ?? [])).toEqual([1, 1, 1, 1]);
  });

  it('shows body, head, tail, food and order', () => {
    const { buffers } = place(SMALL, [0, 1, 5], 15);
    const cell = (i: number) => Array.from(buffers.obs.subarray(5 * i, 5 * i + 5));
    expect(cell(0)).toEqual([1, 0, 1, 0, Math.fround(1 / 3)]);
    expect(cell(1)).toEqual([1, 0, 0, 0, Math.fround(2 / 3)]);
    expect(cell(5)).toEqual([1, 1, 0, 0, 1]);
    expect(cell(15)).toEqual([0, 0, 0, 1, 0]);
  });

  it('food and start are uniform (chi-square, 100,000 draws)', () => {
    const n = 10_000;
    const env = snake.create({ rows: 4, columns: 5 }, n);
    const buffers = createBuffers(env.meta, n);
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i),
      buffers,
    );
    const starts = new Float64Array(20);
    const distance = new Float64Array(20); // of the food from the start, counted round the board: 19 free cells
    for (let round = 0; round < 10; round++) {
      for (let row = 0; row < n; row++) {
        let [head, food] = [0, 0];
        for (let cell = 0; cell < 20; cell++) {
          if (buffers.obs[row * 100 + cell * 5 + 1] === 1) head = cell;
          if (buffers.obs[row * 100 + cell * 5 + 3] === 1) food = cell;
        }
        starts[head]!++;
        distance[(food - head + 20) % 20]!++;
      }
      env.restart(new Uint8Array(n).fill(1), buffers);
    }
    const chi = (counts: Float64Array, expected: number) => counts.reduce((sum, x) => sum + (x - expected) ** 2 / expected, 0);
    expect(chi(starts, 5000)).toBeLessThan(50.8); // 19 degrees, p = 1e-4
    expect(distance[0]).toBe(0);
    expect(chi(distance.slice(1), 100_000 / 19)).toBeLessThan(49.2); // 18 degrees
  });

  it('is the reference’s by default: 12 x 12 cells of five layers, up, right, down, left, 4000 steps', () => {
    const { meta } = snake.create({}, 1);
    expect(meta.agents[0]).toMatchObject({ obs: { shape: [12, 12, 5] }, action: { n: 4, labels: ['up', 'right', 'down', 'left'] } });
    expect(meta.maxSteps).toBe(4000);
  });

  it('refuses what is no snake', () => {
    expect(() => place(SMALL, [], 3)).toThrow(LabError);
    expect(() => place(SMALL, [0, 1], 16)).toThrow(LabError);
  });
});

describe('the expert', () => {
  it.each([
    [4, 4],
    [5, 4],
    [4, 7],
    [5, 5],
    [7, 3],
  ])('its path on %i x %i goes from neighbour to neighbour and closes', (rows, columns) => {
    const path = closedPath(rows, columns);
    const odd = (rows * columns) % 2;
    const n = rows * columns - odd;
    const at = Array.from({ length: n }, (_, place) => path.lastIndexOf(place)); // not the shared corner
    expect(new Set(at).size).toBe(n);
    at.forEach((cell, i) => {
      const next = at[(i + 1) % n]!;
      expect(Math.abs(Math.floor(cell / columns) - Math.floor(next / columns)) + Math.abs((cell % columns) - (next % columns))).toBe(1);
    });
  });

  it.each([
    [{}, 6],
    [{ rows: 6, columns: 6 }, 20],
    [{ rows: 7, columns: 7 }, 20],
    [{ rows: 5, columns: 8, wrap: true }, 20],
  ])('fills %j in every game', (config, n) => {
    const env = snake.create(config, n);
    const buffers = createBuffers(env.meta, n);
    const actions = createActions(env.meta, n);
    const { expert } = snake.policies(config);
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i),
      buffers,
    );
    const food = new Int32Array(n);
    const over = new Uint8Array(n);
    for (let t = 0; t < 4000 && over.includes(0); t++) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < n; row++) {
        if (over[row] === 0) food[row]! += buffers.reward[row]!;
        if (buffers.terminated[row] === 1) over[row] = 1;
      }
      env.restart(buffers.terminated, buffers);
    }
    const full = env.meta.references.find((r) => r.name === 'full board')?.value;
    expect(Array.from(food)).toEqual(new Array(n).fill(full));
  });
});
