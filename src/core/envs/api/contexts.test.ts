import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import { misfit } from '../../testing/chi-square.ts';
import { randomActions } from '../../testing/env-suite.ts';
import { getEnv } from '../all.ts';
import { createActions, createBuffers } from './buffers.ts';
import { contextDraws } from './context-draws.ts';
import type { EnvEntry } from './types.ts';
import { createVectorEnv, type VectorEnv } from './vector-env.ts';

const BATCH = 3;

/** What every step of random play shows, from the same seeds. */
function played(entry: EnvEntry, config: JsonObject, steps: number): readonly unknown[] {
  const vector = createVectorEnv(entry, config, BATCH, Rng.from(3));
  vector.reset();
  const said: unknown[] = [[...vector.buffers.obs]];
  follow(vector, steps, (b) => said.push([[...b.obs], [...b.reward], [...b.terminated], [...b.truncated], [...(b.mask ?? [])]]));
  return said;
}

function follow(vector: VectorEnv, steps: number, see: (buffers: VectorEnv['buffers']) => void = () => {}, seed = 9): void {
  const rng = Rng.from(seed);
  const actions = createActions(vector.meta, BATCH);
  for (let t = 0; t < steps; t++) {
    randomActions(vector.meta, BATCH, vector.buffers, rng, actions);
    vector.step(actions);
    see(vector.buffers);
  }
}

/** Numbers drawn for 5,000 episodes. */
function drawn(contexts: JsonObject): readonly (readonly number[])[] {
  const entry = getEnv('cartpole');
  const env = entry.create({ contexts }, 100);
  const buffers = createBuffers(env.meta, 100);
  env.reset(
    Uint32Array.from({ length: 100 }, (_, i) => i),
    buffers,
  );
  const all = new Uint8Array(100).fill(1);
  return Array.from({ length: 50 }, () => {
    env.restart(all, buffers);
    return Array.from({ length: 100 }, (_, row) => env.meta.state.toJSON(env.save(row)).contexts as number[]);
  }).flat();
}

/** Counts in equal parts of [0, 1). */
function binned(parts: readonly number[]): number[] {
  const counts = new Array<number>(20).fill(0);
  for (const part of parts) counts[Math.floor(20 * part)]!++;
  return counts;
}

describe('contexts', () => {
  test.each([
    ['cartpole', {}, { poleMass: { from: 0.1, to: 0.1 } }],
    ['cartpole', {}, { halfLength: [0.5] }],
    ['frozen-lake', {}, { slippery: [true] }],
    ['minigrid-four-rooms', {}, { maxSteps: [100] }],
    ['mpe-simple-tag', { seats: { adversary: 'random' } }, { maxCycles: [20] }],
    ['bandit', {}, { mappingSeed: [1] }],
  ] as const)('%s: one context equals none, bit for bit (%j, %j)', (id, config, draw) => {
    const entry = getEnv(id);
    const fixed = Object.fromEntries(Object.entries(draw).map(([field, one]) => [field, Array.isArray(one) ? one[0] : one.from]));
    const plain = played(entry, { ...config, ...fixed }, 60);
    expect(played(entry, { ...config, contexts: { draw } } as JsonObject, 60)).toEqual(plain);
    expect(played(entry, { ...config, contexts: { list: [fixed] } } as JsonObject, 60)).toEqual(plain);
  });

  test('the order in which fields are written changes nothing: the same draws, told alike, and a state of one goes on in the other', () => {
    const entry = getEnv('cartpole');
    const [force, length] = [{ from: 2, to: 30 }, [0.1, 0.5, 2]];
    const item = (list: readonly (readonly [string, number])[]) => Object.fromEntries(list);
    const one = {
      tell: true,
      draw: { force, halfLength: length },
      list: [
        item([
          ['gravity', 5],
          ['cartMass', 2],
        ]),
        item([['cartMass', 1]]),
      ],
    };
    const other = {
      tell: true,
      draw: { halfLength: length, force },
      list: [
        item([
          ['cartMass', 2],
          ['gravity', 5],
        ]),
        item([['cartMass', 1]]),
      ],
    };
    expect(played(entry, { contexts: one } as JsonObject, 60)).toEqual(played(entry, { contexts: other } as JsonObject, 60));
    const make = (contexts: unknown) => createVectorEnv(entry, { contexts } as JsonObject, BATCH, Rng.from(3));
    const [first, second] = [make(one), make(other)];
    first.reset();
    second.reset();
    follow(first, 30);
    second.load(decodeSaved(encodeSaved(first.save())));
    follow(first, 60, undefined, 5);
    follow(second, 60, undefined, 5);
    expect(second.save()).toEqual(first.save());
  });

  test('draws do not change the chances of the world: the same starts as without contexts', () => {
    const starts = (config: JsonObject) => {
      const vector = createVectorEnv(getEnv('cartpole'), config, BATCH, Rng.from(3));
      vector.reset();
      const first = [...vector.buffers.obs];
      vector.env.restart(new Uint8Array(BATCH).fill(1), vector.buffers);
      return [first, [...vector.buffers.obs]];
    };
    expect(starts({ poleMass: '0.05..1' })).toEqual(starts({}));
  });

  test('ranges, whole numbers, logarithmic ranges and lists are drawn evenly: chi-square of 5,000', () => {
    const draw = {
      poleMass: { from: 0.1, to: 2.1 },
      maxSteps: { from: 11, to: 15 },
      gravity: { from: 0.1, to: 10, scale: 'log' },
      force: [5, 10, 20],
    };
    const all = drawn({ draw, list: [{ dt: 0.02 }, { dt: 0.01 }] });
    // the place in the list, then fields by their names: force, gravity, maxSteps, poleMass
    const column = (i: number) => all.map((values) => values[i]!);
    expect(misfit(binned(column(4).map((x) => (x - 0.1) / 2)))).toBeLessThan(1);
    expect(misfit(binned(column(2).map((x) => Math.log10(x / 0.1) / 2)))).toBeLessThan(1);
    const counts = (i: number, values: readonly number[]) => values.map((value) => column(i).filter((x) => x === value).length);
    for (const [i, values] of [
      [0, [0, 1]],
      [3, [11, 12, 13, 14, 15]],
      [1, [0, 1, 2]],
    ] as const) {
      expect(counts(i, values).reduce((a, b) => a + b)).toBe(5000);
      expect(misfit(counts(i, values))).toBeLessThan(1);
    }
  });

  test.each([
    ['cartpole', { draw: { poleMass: { from: 0.05, to: 1 }, gravity: [5, 15] }, tell: true }], // set while it runs
    ['cartpole', { draw: { halfLength: { from: 0.25, to: 1 } } }], // another environment each time
    ['cartpole', { list: [{ halfLength: 0.25 }, { halfLength: 1, poleMass: 0.2 }] }], // kept ones
    ['mpe-simple-tag', { list: [{ seats: { agent: 'random' } }, { seats: { agent: 'idle' } }] }],
  ] as const)('%s %j: continues bit for bit from a save in the middle of episodes, as bytes and as JSON', (id, contexts) => {
    const entry = getEnv(id);
    const config = { contexts } as unknown as JsonObject;
    const first = id === 'mpe-simple-tag' ? { ...config, seats: { agent: 'random' } } : config;
    const vector = createVectorEnv(entry, first, BATCH, Rng.from(5));
    vector.reset();
    follow(vector, 37);
    const saved = decodeSaved(encodeSaved(vector.save()));
    const other = createVectorEnv(entry, first, BATCH, Rng.from(77));
    other.reset();
    follow(other, 5);
    other.load(saved);
    const { state } = vector.meta;
    for (let row = 0; row < BATCH; row++) {
      const bytes = vector.env.save(row);
      expect(state.fromJSON(JSON.parse(JSON.stringify(state.toJSON(bytes))))).toEqual(bytes);
    }
    const seen: unknown[] = [];
    follow(vector, 80, (b) => seen.push([...b.obs, ...b.reward, ...b.terminated]), 4);
    const again: unknown[] = [];
    follow(other, 80, (b) => again.push([...b.obs, ...b.reward, ...b.terminated]), 4);
    expect(again).toEqual(seen);
    expect(other.save()).toEqual(vector.save());
  });

  test('told: each agent sees the drawn numbers behind its own, as shares of the settings', () => {
    const entry = getEnv('cartpole');
    const config = { contexts: { draw: { poleMass: { from: 0.1, to: 1.1 } }, list: [{ force: 5 }, { force: 20 }], tell: true } };
    const meta = entry.meta(config);
    expect(meta.agents[0]?.obs).toMatchObject({ shape: [6], labels: ['x', 'x speed', 'angle', 'angular speed', 'force', 'poleMass'] });
    const env = entry.create(config, 8);
    const buffers = createBuffers(meta, 8);
    env.reset(new Uint32Array([1, 2, 3, 4, 5, 6, 7, 8]), buffers);
    for (let row = 0; row < 8; row++) {
      const [place, mass] = meta.state.toJSON(env.save(row)).contexts as [number, number];
      expect(buffers.obs[6 * row + 4]).toBe([0.5, 2][place]);
      expect(buffers.obs[6 * row + 5]).toBeCloseTo(mass / 0.1, 5);
    }
  });

  test('scripted policies act in each row as made for its settings', () => {
    const entry = getEnv('cartpole');
    const config = { contexts: { list: [{ force: 10 }, { force: 3 }] } };
    const env = entry.create(config, 6);
    const buffers = createBuffers(env.meta, 6);
    env.reset(Uint32Array.of(1, 2, 3, 4, 5, 6), buffers);
    const actions = createActions(env.meta, 6);
    for (let t = 0; t < 200; t++) {
      entry.policies(config).expert!.act(env, buffers, actions);
      env.step(actions, buffers);
      expect([...buffers.terminated]).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  test('live settings that are not drawn change for every row', () => {
    const entry = getEnv('cartpole');
    const config = entry.parse({ poleMass: '0.1..0.2' });
    const [a, b] = [entry.create(config, 2), entry.create({ ...config, gravity: 20 }, 2)];
    const [seenA, seenB] = [createBuffers(a.meta, 2), createBuffers(b.meta, 2)];
    a.reset(Uint32Array.of(1, 2), seenA);
    b.reset(Uint32Array.of(1, 2), seenB);
    a.configure?.({ ...config, gravity: 20 });
    for (let t = 0; t < 5; t++) {
      a.step(Int32Array.of(0, 1), seenA);
      b.step(Int32Array.of(0, 1), seenB);
    }
    expect(seenA.obs).toEqual(seenB.obs);
  });

  test('a range is written as text, a list as a list', () => {
    const entry = getEnv('cartpole');
    const contexts = (config: JsonObject) => entry.parse(config).contexts;
    expect(contexts({ poleMass: '0.5..2' })).toEqual({ draw: { poleMass: { from: 0.5, to: 2 } } });
    expect(contexts({ poleMass: '0.01..1 log', contexts: { tell: true } })).toEqual({
      draw: { poleMass: { from: 0.01, to: 1, scale: 'log' } },
      tell: true,
    });
    expect(contexts({ force: [5, 10] })).toEqual({ draw: { force: [5, 10] } });
    const complete = entry.parse({ force: [5, 10] });
    expect(entry.parse(complete)).toEqual(complete);
    expect(entry.parse(JSON.parse(JSON.stringify(complete)))).toEqual(complete);
    expect(entry.parse({ contexts: {} })).toEqual(entry.parse({}));
  });

  test.each([
    ['cartpole', { draw: { nothing: [1, 2] } }, 'env.nothing'],
    ['cartpole', { draw: { nothing: { from: 1, to: 2 } } }, 'env.contexts.draw.nothing'],
    ['cartpole', { draw: { poleMass: { from: 2, to: 1 } } }, 'env.contexts.draw.poleMass'],
    ['cartpole', { draw: { poleMass: { from: 0.1, to: 1e6 } } }, 'env.poleMass'],
    ['cartpole', { draw: { maxSteps: { from: 1.5, to: 3 } } }, 'env.contexts.draw.maxSteps'],
    ['cartpole', { draw: { poleMass: { from: 0, to: 3, scale: 'log' } } }, 'env.contexts.draw.poleMass'],
    ['cartpole', { list: [] }, 'env.contexts.list'],
    ['minatar-breakout', { draw: { stickyActionProbability: [0, 0.1] }, tell: true }, 'env.contexts.tell'],
    ['snake', { draw: { rows: [6, 8] } }, 'env.contexts'],
  ])('%s %j is refused with the field %s', (id, contexts, field) => {
    expect(() => getEnv(id).parse({ contexts } as unknown as JsonObject)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ field }) }),
    );
  });

  describe('tasks one after the other', () => {
    const tasks = [{ force: 5 }, { force: 10 }, { force: 20 }];
    /** Which task each row plays, step by step; episodes have ten steps at most. */
    const met = (order: JsonObject, steps: number): readonly (readonly number[])[] => {
      const vector = createVectorEnv(getEnv('cartpole'), { maxSteps: 10, contexts: { list: tasks, order } }, BATCH, Rng.from(3));
      vector.reset();
      const seen: number[][] = [];
      follow(vector, steps, () =>
        seen.push(Array.from({ length: BATCH }, (_, row) => (vector.meta.state.toJSON(vector.env.save(row)).contexts as number[])[0]!)),
      );
      return seen;
    };

    test('blocks: each task for its steps over all rows, then from the first again, changed at starts', () => {
      const seen = met({ by: 'blocks', steps: 120 }, 200);
      for (const [t, rows] of seen.entries()) {
        const now = Math.floor(((t + 1) * BATCH) / 120) % 3;
        const before = (now + 2) % 3;
        for (const task of rows) expect(((t + 1) * BATCH) % 120 < 10 * BATCH ? [now, before] : [now]).toContain(task);
      }
      expect(new Set(seen.flat())).toEqual(new Set([0, 1, 2]));
    });

    test('turns: each episode the next one, rows begin with different ones', () => {
      const seen = met({ by: 'turns' }, 60);
      expect(seen[0]).toEqual([0, 1, 2]);
      const firstRow = seen.map((rows) => rows[0]!);
      const changes = firstRow.filter((task, t) => t > 0 && task !== firstRow[t - 1]);
      expect(changes.slice(0, 4)).toEqual([1, 2, 0, 1]);
    });

    test('drift: numbers move evenly from task to task and back to the first, changed at starts, and are told as they are', () => {
      const order = { by: 'drift', steps: 120 };
      const vector = createVectorEnv(
        getEnv('cartpole'),
        { maxSteps: 10, contexts: { list: tasks, order, tell: true } },
        BATCH,
        Rng.from(3),
      );
      expect(vector.meta.tasks).toBeUndefined();
      vector.reset();
      const places: number[] = [];
      let t = 0;
      follow(vector, 200, () => {
        t++;
        for (let row = 0; row < BATCH; row++) {
          const [place, age] = vector.meta.state.toJSON(vector.env.save(row)).contexts as [number, number];
          expect(age).toBe(t);
          const behind = (((t * BATCH) / 120 - place) % 3) + ((t * BATCH) / 120 < place ? 3 : 0);
          expect(behind).toBeLessThan((11 * BATCH) / 120); // the episode began within its ten steps
          const [a, b] = [tasks[Math.floor(place)]!.force, tasks[(Math.floor(place) + 1) % 3]!.force];
          const { buffers, meta } = vector;
          expect(buffers.obs[(row + 1) * meta.obsSize - 1]).toBeCloseTo((a + (place % 1) * (b - a)) / 10, 6);
          places.push(place);
        }
      });
      expect(new Set(places.map(Math.floor))).toEqual(new Set([0, 1, 2]));
      expect(places.filter((place) => place % 1 > 0.1 && place % 1 < 0.9).length).toBeGreaterThan(places.length / 2);
    });

    test.each([
      [0, { maxSteps: 10, successRate: 0.5, slippery: true }],
      [0.25, { maxSteps: 13, successRate: 0.6, slippery: true }],
      [0.75, { maxSteps: 18, successRate: 0.8, slippery: false }],
      [1.5, { maxSteps: 16, successRate: 0.7, slippery: true }], // from the last back to the first
    ])('drift at place %d: whole numbers stay whole, what is no number changes halfway: %j', (place, settings) => {
      const env = getEnv('frozen-lake');
      const list = [
        { maxSteps: 10, successRate: 0.5 },
        { maxSteps: 21, successRate: 0.9, slippery: false },
      ];
      const base = env.parse({});
      const draws = contextDraws({ list, order: { by: 'drift', steps: 200 } }, base, env.schema);
      expect(draws.settings(base, Float64Array.of(place))).toEqual({
        ...base,
        ...settings,
        successRate: expect.closeTo(settings.successRate),
      });
    });

    test.each(['blocks', 'drift'])('%s: a save in the middle goes on with the same tasks', (by) => {
      const config = { maxSteps: 10, contexts: { list: tasks, order: { by, steps: 120 } } };
      const vector = createVectorEnv(getEnv('cartpole'), config, BATCH, Rng.from(3));
      vector.reset();
      follow(vector, 37);
      const other = createVectorEnv(getEnv('cartpole'), config, BATCH, Rng.from(9));
      other.reset();
      other.load(decodeSaved(encodeSaved(vector.save())));
      follow(vector, 90, undefined, 4);
      follow(other, 90, undefined, 4);
      expect(other.save()).toEqual(vector.save());
    });

    test.each([
      [{ list: [{ force: 5 }], order: { by: 'turns' } }, 'env.contexts.order'],
      [{ list: tasks, order: { by: 'blocks' } }, 'env.contexts.order.steps'],
      [{ list: tasks, order: { by: 'drift' } }, 'env.contexts.order.steps'],
      [{ draw: { force: [5, 10] }, order: { by: 'turns' } }, 'env.contexts.order'],
    ])('%j is refused with the field %s', (contexts, field) => {
      expect(() => getEnv('cartpole').parse({ contexts } as unknown as JsonObject)).toThrow(
        expect.objectContaining({ failure: expect.objectContaining({ field }) }),
      );
    });
  });
});
