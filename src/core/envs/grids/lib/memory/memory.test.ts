import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { StepBuffers } from '#core/envs/api/types.ts';
import { gridworldMemory } from '../../gridworld-memory.ts';
import { MEMORY_RETURNS } from './returns.ts';

/** Starts one row, on top of a state where given; `step` gives what a learner gets. */
function begin(config: JsonObject, state: JsonObject = {}, seed = 3) {
  const env = gridworldMemory.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(seed), buffers);
  const { state: spec } = env.meta;
  env.load(0, spec.fromJSON({ ...spec.toJSON(env.save(0)), ...state }), buffers);
  return {
    obs: () => Array.from(buffers.obs),
    state: () => spec.toJSON(env.save(0)),
    step(action: number) {
      env.step(Int32Array.of(action), buffers);
      return { reward: buffers.reward[0], ended: buffers.terminated[0] === 1, cut: buffers.truncated[0] === 1 };
    },
  };
}

/** Runs a batch with one action per row until `count` rows-steps are seen; ended rows start anew. */
function run(config: JsonObject, action: (obs: Float32Array) => number, count: number, see: (b: StepBuffers, row: number) => void) {
  const batch = 500;
  const env = gridworldMemory.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  const actions = new Int32Array(batch);
  const over = new Uint8Array(batch);
  const width = env.meta.obsSize;
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i),
    buffers,
  );
  for (let n = 0; n < count; n += batch) {
    for (let row = 0; row < batch; row++) actions[row] = action(buffers.obs.subarray(row * width, (row + 1) * width));
    env.step(actions, buffers);
    for (let row = 0; row < batch; row++) {
      see(buffers, row);
      over[row] = buffers.terminated[row] === 1 || buffers.truncated[row] === 1 ? 1 : 0;
    }
    env.restart(over, buffers);
  }
}

function chiSquare(counts: readonly number[], shares?: readonly number[]): number {
  const total = counts.reduce((p, q) => p + q, 0);
  return counts.reduce((sum, n, i) => {
    const expected = total * (shares?.[i] ?? 1 / counts.length);
    return sum + (n - expected) ** 2 / expected;
  }, 0);
}

const [UP, RIGHT, DOWN, LEFT] = [0, 1, 2, 3];
const closeTo = (x: number) => expect.closeTo(x, 6) as unknown as number;

describe('T-maze', () => {
  it('shows the cue at the start only, and the junction by its own sign', () => {
    const maze = begin({ length: 3 }, { cue: 0 });
    expect(maze.obs()).toEqual([0, 1, 1]);
    expect(maze.step(RIGHT)).toEqual({ reward: 0, ended: false, cut: false });
    expect(maze.obs()).toEqual([1, 0, 1]);
    maze.step(RIGHT);
    maze.step(RIGHT);
    expect(maze.obs()).toEqual([0, 1, 0]);
    expect(begin({ length: 3 }, { cue: 1 }).obs()).toEqual([1, 1, 0]);
  });

  it('the right turn gives 4, the wrong one -0.1, both end; standing still costs 0.1', () => {
    for (const [cue, right, wrong] of [
      [0, UP, DOWN],
      [1, DOWN, UP],
    ] as const) {
      expect(begin({}, { cue, x: 10 }).step(right)).toMatchObject({ reward: 4, ended: true });
      expect(begin({}, { cue, x: 10 }).step(wrong)).toMatchObject({ reward: closeTo(-0.1), ended: true });
    }
    expect(begin({}, { x: 10 }).step(RIGHT)).toMatchObject({ reward: closeTo(-0.1), ended: false });
    expect(begin({}, { x: 4 }).step(UP)).toMatchObject({ reward: closeTo(-0.1), ended: false });
    expect(begin({}).step(LEFT)).toMatchObject({ reward: closeTo(-0.1), ended: false });
    expect(begin({}, { x: 4 }).step(LEFT)).toMatchObject({ reward: 0 });
  });

  it('is cut after four times its way', () => {
    const maze = begin({}, { steps: 43 });
    expect(maze.step(LEFT).cut).toBe(true);
    expect(begin({}, { steps: 42 }).step(LEFT).cut).toBe(false);
  });

  it('without memory it gives 1.95 in the mean', () => {
    let sum = 0;
    let ends = 0;
    run(
      { length: 2 },
      (obs) => (obs[0] === 0 && obs[2] === 0 ? UP : RIGHT),
      60_000,
      ({ reward, terminated }, row) => {
        sum += reward[row]!;
        ends += terminated[row]!;
      },
    );
    expect(ends).toBe(20_000);
    expect(Math.abs(sum / ends - 1.95)).toBeLessThan(0.06); // 4 standard errors
  });

  it('a rewriting corridor shows a new cue at its rate, either way alike, and the last one counts', () => {
    const kinds = [0, 0, 0];
    // walks to and fro between cells 2 and 3
    let steps = 0;
    const env = gridworldMemory.create({ length: 10, rewriteRate: 0.2, maxSteps: 1_000_000 }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    for (const action of [RIGHT, RIGHT]) env.step(Int32Array.of(action), buffers);
    for (; steps < 100_000; steps++) {
      env.step(Int32Array.of(steps % 2 === 0 ? RIGHT : LEFT), buffers);
      const [a, b] = buffers.obs;
      const kind = b === 0 ? 0 : a === 0 ? 1 : 2;
      kinds[kind] = kinds[kind]! + 1;
    }
    expect(chiSquare(kinds, [0.8, 0.1, 0.1])).toBeLessThan(13.8);
    expect(begin({ rewriteRate: 0.2 }, { cue: 1, shown: 1, x: 5 }).obs()).toEqual([1, 1, 0]);
  });

  it('noise replaces two numbers of the corridor, nowhere else', () => {
    const maze = begin({ noise: true }, { cue: 0 });
    expect(maze.obs()).toEqual([0, 1, 1]);
    const seen = new Set<number>();
    for (let i = 0; i < 9; i++) {
      maze.step(RIGHT);
      const [a, b, c] = maze.obs() as [number, number, number];
      expect(b).toBe(0);
      seen.add(a).add(c);
    }
    expect(seen.size).toBe(18);
    maze.step(RIGHT);
    expect(maze.obs()).toEqual([0, 1, 0]);
  });
});

describe('endless T-maze', () => {
  const config = { task: 'endless-t-maze', length: 4, corridors: 2, rewriteRate: 1 };

  it('a right turn gives 1 and the next corridor, a wrong one -1 and the end, all else -0.01', () => {
    const maze = begin(config, { cue: 0 });
    expect(maze.obs()).toEqual([0, 1, 0]);
    expect(maze.step(1)).toEqual({ reward: closeTo(-0.01), ended: false, cut: false });
    for (let x = 1; x <= 4; x++) {
      expect(maze.step(0).reward).toBeCloseTo(-0.01);
      expect(maze.obs()).toEqual([Math.fround(x / 4), 0, 0]);
    }
    expect(maze.step(1)).toMatchObject({ reward: 1, ended: false });
    expect(maze.state()).toMatchObject({ corridor: 1, x: 0 });
    expect(begin(config, { cue: 0, x: 4 }).step(2)).toMatchObject({ reward: -1, ended: true });
    expect(begin(config, { cue: 0, x: 4 }).step(0)).toMatchObject({ reward: -1, ended: true });
    expect(begin(config, { cue: 1, x: 4, corridor: 1 }).step(2)).toMatchObject({ reward: 1, ended: true });
  });

  it('at rate 0 only the first corridor shows its cue, and it holds for all', () => {
    const maze = begin({ ...config, rewriteRate: 0 }, { cue: 1, x: 4 });
    maze.step(2);
    expect(maze.obs()).toEqual([0, 0, 0]);
    expect(maze.state()).toMatchObject({ cue: 1, shown: 0 });
  });

  it('new cues come at the rate, alike to both sides; random corridors have every length alike', () => {
    const cues = [0, 0, 0];
    const lengths = [0, 0, 0, 0, 0];
    const env = gridworldMemory.create(
      { ...config, length: 5, randomLength: true, corridors: 100, rewriteRate: 0.5, maxSteps: 1_000_000 },
      1,
    );
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    let cue = 0;
    let steps = 0;
    for (let n = 0; n < 100_000; ) {
      const [x, left, right] = buffers.obs as unknown as [number, number, number];
      if (x === 0 && steps === 0) {
        const kind = left === 1 ? 1 : right === 1 ? 2 : 0;
        if (kind > 0) cue = kind;
        if (n > 0) cues[kind] = cues[kind]! + 1;
      }
      if (x === 1) {
        lengths[steps - 1] = lengths[steps - 1]! + 1;
        steps = 0;
        n++;
        env.step(Int32Array.of(cue), buffers);
        expect(buffers.reward[0]).toBe(1);
        if (buffers.terminated[0] === 1) {
          env.restart(Uint8Array.of(1), buffers);
          cue = buffers.obs[1]! === 1 ? 1 : 2;
          cues[cue] = cues[cue]! - 1; // the first cue of an episode is always there: not counted
        }
      } else {
        env.step(Int32Array.of(0), buffers);
        steps++;
      }
    }
    expect(chiSquare(lengths)).toBeLessThan(18.5);
    expect(chiSquare(cues, [0.5, 0.25, 0.25])).toBeLessThan(13.8);
  });
});

describe('hidden object', () => {
  const config = { task: 'hidden-object', size: 3, objects: 2, phases: 2 };
  const state = { agent: 0, objects: [2, 8], target: 0 };
  const plane = (obs: number[], k: number) => obs.slice(9 * k, 9 * k + 9).flatMap((v, i) => (v === 1 ? [i] : []));

  it('shows everything once, then hides it', () => {
    const room = begin(config, state);
    expect([0, 1, 2, 3].map((k) => plane(room.obs(), k))).toEqual([[0], [2, 8], [2], [8]]);
    expect(room.obs().slice(36)).toEqual([1, 0]);
    expect(room.step(RIGHT)).toEqual({ reward: 0, ended: false, cut: false });
    expect([0, 1, 2, 3].map((k) => plane(room.obs(), k))).toEqual([[1], [], [], []]);
    expect(room.obs().slice(36)).toEqual([1, 0]);
  });

  it('finding gives 1, moves the object, asks anew and shows all; the last find ends', () => {
    const room = begin(config, { ...state, agent: 1 });
    expect(room.step(RIGHT)).toMatchObject({ reward: 1, ended: false });
    const after = room.state() as { objects: number[]; found: number; shown: number };
    expect(after).toMatchObject({ found: 1, shown: 1 });
    expect(after.objects[0]).not.toBe(2);
    expect(after.objects[1]).toBe(8);
    expect(begin(config, { ...state, agent: 1, found: 1 }).step(RIGHT)).toMatchObject({ reward: 1, ended: true });
  });

  it('walls hold, another object is walked over', () => {
    const room = begin(config, state);
    room.step(UP);
    expect(room.state()).toMatchObject({ agent: 0 });
    const over = begin(config, { ...state, agent: 7 });
    expect(over.step(RIGHT)).toMatchObject({ reward: 0, ended: false });
  });

  it('others move at the rewrite rate, to every free cell alike, and are shown then', () => {
    const moved = [0, 0];
    const to = new Map<number, number>();
    const env = gridworldMemory.create({ ...config, rewriteRate: 0.3, fullUpdates: false, maxSteps: 1_000_000 }, 1);
    const buffers = createBuffers(env.meta, 1);
    const spec = env.meta.state;
    env.reset(Uint32Array.of(1), buffers);
    env.load(0, spec.fromJSON({ ...spec.toJSON(env.save(0)), ...state, agent: 3 }), buffers);
    for (let n = 0; n < 100_000; n++) {
      env.step(Int32Array.of(LEFT), buffers); // against the wall
      const places = plane(Array.from(buffers.obs), 1);
      moved[places.length > 0 ? 0 : 1] = moved[places.length > 0 ? 0 : 1]! + 1;
      if (places.length === 0) continue;
      expect(plane(Array.from(buffers.obs), 2)).toEqual([]); // colours are not shown again
      const cell = places.find((p) => p !== 2) as number;
      to.set(cell, (to.get(cell) ?? 0) + 1);
    }
    expect(chiSquare(moved, [0.3, 0.7])).toBeLessThan(10.8);
    expect([...to.keys()].sort()).toEqual([0, 1, 4, 5, 6, 7, 8]); // not the agent's, not the other object's
    expect(chiSquare([...to.values()])).toBeLessThan(24.3); // each from wherever it was; 6 degrees of freedom, dependent draws
  });

  it('refuses more objects than cells allow', () => {
    expect(() => gridworldMemory.meta({ task: 'hidden-object', size: 3, objects: 6 })).not.toThrow();
    expect(gridworldMemory.meta({ task: 'hidden-object', size: 3, objects: 6 }).obsSize).toBe(9 * 8 + 6);
  });
});

describe('ballet', () => {
  const config = { task: 'ballet', dancers: 2, delay: 3 };
  const state = { places: [1, 6], dances: [0, 3], target: 1 }; // above and below the middle
  const show = 16 * 2 + 3;
  const dancers = (obs: number[]) => obs.slice(81, 162).flatMap((v, i) => (v === 1 ? [i] : []));

  it('dances one after another, the agent cannot move, then the dance is named', () => {
    const room = begin(config, state);
    expect(dancers(room.obs())).toEqual([13 - 9, 67]); // the first is up off its place already
    for (let t = 1; t <= show; t++) {
      expect(room.step(UP)).toEqual({ reward: 0, ended: false, cut: false });
      const obs = room.obs();
      expect(obs.indexOf(1)).toBe(40);
      expect(obs[162]).toBe(t < show ? 0 : 1);
      const at = dancers(obs);
      if (t >= 16 && t < 19) expect(at).toEqual([13, 67]);
      if (t === 1) expect(at).toEqual([13 - 8, 67]); // clockwise
      if (t === 19) expect(at).toEqual([13, 67 - 1]); // left and right
    }
    expect(room.obs().slice(163).indexOf(1)).toBe(3);
    expect(room.step(0)).toMatchObject({ ended: false });
    expect(room.obs().indexOf(1)).toBe(31);
  });

  it('touching the one who danced it gives 1, another 0; both end', () => {
    const before = { ...state, steps: show };
    expect(begin(config, { ...before, agent: 58 }).step(4)).toMatchObject({ reward: 1, ended: true });
    expect(begin(config, { ...before, agent: 22 }).step(0)).toMatchObject({ reward: 0, ended: true });
    expect(begin(config, { ...before, agent: 22 }).step(4)).toMatchObject({ reward: 0, ended: false });
    expect(begin(config, { ...before, steps: show + 19 }).step(4)).toMatchObject({ cut: true });
  });

  it('every place, dance and name comes alike: chi-square of 100,000 episodes', () => {
    const places = new Array<number>(8).fill(0);
    const dances = new Array<number>(8).fill(0);
    const named = [0, 0, 0];
    const env = gridworldMemory.create({ task: 'ballet', dancers: 3 }, 1000);
    const buffers = createBuffers(env.meta, 1000);
    for (let seed = 0; seed < 100; seed++) {
      env.reset(
        Uint32Array.from({ length: 1000 }, (_, i) => seed * 1000 + i),
        buffers,
      );
      for (let row = 0; row < 1000; row++) {
        const json = env.meta.state.toJSON(env.save(row)) as unknown as { places: number[]; dances: number[]; target: number };
        expect(new Set(json.places).size).toBe(3);
        expect(new Set(json.dances).size).toBe(3);
        places[json.places[0]!] = places[json.places[0]!]! + 1;
        dances[json.dances[2]!] = dances[json.dances[2]!]! + 1;
        named[json.target] = named[json.target]! + 1;
      }
    }
    expect(chiSquare(places)).toBeLessThan(24.3);
    expect(chiSquare(dances)).toBeLessThan(24.3);
    expect(chiSquare(named)).toBeLessThan(13.8);
  });
});

describe.each(gridworldMemory.presets)('$id', ({ id, config }) => {
  it('its expert, who sees only what a learner sees, gets what is listed', () => {
    const batch = 50;
    const env = gridworldMemory.create(config, batch);
    const buffers = createBuffers(env.meta, batch);
    const actions = new Int32Array(batch);
    const { expert } = gridworldMemory.policies(config);
    if (expert === undefined) throw new Error('there is no expert');
    env.reset(
      Uint32Array.from({ length: batch }, (_, i) => 11 * i),
      buffers,
    );
    let sum = 0;
    let ends = 0;
    const over = new Uint8Array(batch);
    while (over.includes(0)) {
      expert.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < batch; row++) {
        if (over[row] === 1) continue;
        sum += buffers.reward[row]!;
        if (buffers.terminated[row] === 0 && buffers.truncated[row] === 0) continue;
        over[row] = 1;
        ends++;
      }
      env.restart(buffers.terminated, buffers);
    }
    const listed = MEMORY_RETURNS[id]?.expert as number;
    expect(ends).toBe(batch);
    expect(Math.abs(sum / ends - listed)).toBeLessThan(id === 'endless-random' ? 0.05 : 1e-5);
    expect(env.meta.references.map(({ name }) => name)).toContain('expert');
  });
});
