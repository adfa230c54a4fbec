import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';

const [LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE, DONE] = [0, 1, 2, 3, 4, 5, 6];

function worlds(id: string, config: JsonObject, count: number): JsonObject[] {
  const env = getEnv(id).create(config, count);
  env.reset(
    Uint32Array.from({ length: count }, (_, i) => i * 7919 + 3),
    createBuffers(env.meta, count),
  );
  return Array.from({ length: count }, (_, row) => env.meta.state.toJSON(env.save(row)));
}

const tokensOf = (state: JsonObject) => (state.layout as string[]).map((row) => row.split(' '));

function find(state: JsonObject, token: RegExp): [number, number][] {
  return tokensOf(state).flatMap((row, y) => row.flatMap((t, x) => (token.test(t) ? [[x, y] as [number, number]] : [])));
}

/** Starts an environment on a map of one's own. */
function begin(id: string, layout: readonly string[], pose: readonly [number, number, number], config: JsonObject = {}) {
  const env = getEnv(id).create({ layout, maxSteps: 1_000_000, ...config }, 1);
  const buffers = createBuffers(env.meta, 1);
  const state = { layout, agentPos: [pose[0], pose[1]], agentDir: pose[2], rng: [1, 2, 0, 0] };
  env.load(0, env.meta.state.fromJSON(state), buffers);
  return {
    buffers,
    step(action: number) {
      env.step(Int32Array.of(action), buffers);
      return { reward: buffers.reward[0], ended: buffers.terminated[0] === 1 };
    },
    state: () => env.meta.state.toJSON(env.save(0)),
    mission: () => env.extras?.(0).mission,
  };
}

describe('Dynamic-Obstacles', () => {
  const ID = 'minigrid-dynamic-obstacles';
  const box = ['WE WE WE WE', 'WE .. AB WE', 'WE WE WE WE'];

  it('walking at a ball or a wall costs 1 and ends, turning beside them does not', () => {
    expect(begin(ID, box, [1, 1, 0]).step(FORWARD)).toEqual({ reward: -1, ended: true });
    expect(begin(ID, box, [1, 1, 3]).step(FORWARD)).toEqual({ reward: -1, ended: true });
    expect(begin(ID, box, [1, 1, 0]).step(LEFT)).toEqual({ reward: 0, ended: false });
  });

  it('counts what was in front before the balls moved', () => {
    // the ball has exactly one free cell to go to, so it always leaves; the agent then walks, and still pays
    const leaving = ['WE WE WE WE WE', 'WE .. AB .. WE', 'WE WE WE WE WE'];
    const world = begin(ID, leaving, [1, 1, 0]);
    expect(world.step(FORWARD)).toEqual({ reward: -1, ended: true });
    expect(world.state()).toMatchObject({ agentPos: [2, 1], layout: ['WE WE WE WE WE', 'WE .. .. AB WE', 'WE WE WE WE WE'] });
    // the only free cell of this ball is the one the agent walks at: it gets there first, and the agent stays
    const coming = begin(
      ID,
      leaving.map((row) => row.replace('.. AB ..', '.. .. AB')),
      [1, 1, 0],
    );
    expect(coming.step(FORWARD)).toEqual({ reward: 0, ended: false });
    expect(coming.state()).toMatchObject({ agentPos: [1, 1], layout: leaving });
  });

  it('a ball that cannot move stays, it never enters the goal, and the goal is reached', () => {
    const shut = begin(ID, ['WE WE WE WE WE', 'WE .. GG AB WE', 'WE WE WE WE WE'], [1, 1, 0]);
    shut.step(LEFT);
    expect(shut.state()).toMatchObject({ layout: ['WE WE WE WE WE', 'WE .. GG AB WE', 'WE WE WE WE WE'] });
    shut.step(RIGHT);
    expect(shut.step(FORWARD)).toMatchObject({ ended: true });
    expect(shut.buffers.reward[0]).toBeGreaterThan(0.99);
  });

  it('a ball walks to each of its eight neighbours alike', () => {
    const side = 15;
    const edge = Array.from({ length: side }, () => 'WE').join(' ');
    const rows = Array.from({ length: side - 2 }, () => `WE ${Array.from({ length: side - 2 }, () => '..').join(' ')} WE`);
    rows[6] = (rows[6] as string).replace(/^((?:\S\S ){7})\.\./, '$1AB');
    const config = { layout: [edge, ...rows, edge], maxSteps: 1_000_000 };
    const env = getEnv(ID).create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.load(0, env.meta.state.fromJSON({ layout: config.layout, agentPos: [1, 1], agentDir: 0, rng: [7, 7, 0, 0] }), buffers);
    const frame = new Float32Array(side * side * 3 + 6);
    const where = (near: number) => {
      env.frame(0, frame);
      // it moves by one cell at most
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) if (frame[3 * (near + dy * side + dx)] === 6) return near + dy * side + dx;
      throw new Error('the ball is lost');
    };
    let at = 7 * side + 7;
    expect(where(at)).toBe(at);
    const counts = new Map<number, number>();
    for (let n = 0; n < 100_000; ) {
      const [x, y] = [at % side, Math.floor(at / side)];
      const open = x > 1 && y > 1 && x < side - 2 && y < side - 2 && (x > 2 || y > 2);
      env.step(Int32Array.of(LEFT), buffers);
      const to = where(at);
      if (open) {
        counts.set(to - at, (counts.get(to - at) ?? 0) + 1);
        n++;
      }
      at = to;
    }
    expect(counts.size).toBe(8);
    expect(misfit([...counts.values()])).toBeLessThan(1);
  });

  it('has as many balls as asked for, at most width / 2 in a small room, and three actions', () => {
    expect(find(worlds(ID, {}, 1)[0] as JsonObject, /A./).length).toBe(4);
    expect(find(worlds(ID, { obstacles: 5 }, 1)[0] as JsonObject, /A./).length).toBe(5);
    expect(find(worlds(ID, { obstacles: 6 }, 1)[0] as JsonObject, /A./).length).toBe(4);
    expect(getEnv(ID).meta({}).actionCount).toBe(3);
  });

  it('balls keep their turn over a saved state', () => {
    const [state] = worlds(ID, {}, 1) as [JsonObject];
    expect((state.origins as JsonObject[]).map(({ origin }) => origin).sort()).toEqual([1, 2, 3, 4]);
  });
});

describe('GoToObject', () => {
  const layout = ['WE WE WE WE WE', 'WE .. .. KR WE', 'WE .. .. AB WE', 'WE WE WE WE WE'];
  const pose = [2, 1, 0] as const;

  it('done beside the thing succeeds, elsewhere or with a toggle it fails; facing it is not needed', () => {
    expect(begin('minigrid-go-to-object', layout, [2, 1, 2]).step(DONE)).toMatchObject({ ended: true, reward: expect.closeTo(1) });
    expect(begin('minigrid-go-to-object', layout, [1, 1, 0]).step(DONE)).toEqual({ ended: true, reward: 0 });
    expect(begin('minigrid-go-to-object', layout, pose).step(TOGGLE)).toEqual({ ended: true, reward: 0 });
  });

  it('goes by where the thing lay, even when it was carried away', () => {
    const world = begin('minigrid-go-to-object', layout, pose);
    expect(world.mission()).toBe('go to the red key');
    for (const action of [PICKUP, LEFT, LEFT, DROP]) expect(world.step(action).ended).toBe(false);
    expect(world.step(DONE)).toMatchObject({ ended: true, reward: expect.closeTo(1) });
  });

  it('its things are all different, and one of them is meant', () => {
    for (const state of worlds('minigrid-go-to-object', {}, 300)) {
      const things = find(state, /[KAB]./);
      expect(new Set(things.map(([x, y]) => tokensOf(state)[y]?.[x])).size).toBe(2);
      expect(things.map(([x, y]) => y * 8 + x)).toContain((state.rule as number[])[0]);
    }
  });
});

describe('LockedRoom', () => {
  it('one of six doors is locked, the goal behind it, the key in another room, the agent in the hallway', () => {
    for (const state of worlds('minigrid-locked-room', {}, 300)) {
      const doors = find(state, /[DL]./);
      expect(doors.map(([x, y]) => `${x},${y}`).sort()).toEqual(['11,15', '11,3', '11,9', '7,15', '7,3', '7,9']);
      expect(new Set(doors.map(([x, y]) => tokensOf(state)[y]?.[x]?.[1])).size).toBe(6);
      const roomOf = ([x, y]: readonly [number, number]) => (x > 9 ? 1 : 0) + 2 * Math.min(2, Math.floor(y / 6));
      const [locked] = find(state, /L./) as [[number, number]];
      const [goal] = find(state, /G./) as [[number, number]];
      const [key] = find(state, /K./) as [[number, number]];
      expect(roomOf(goal)).toBe(roomOf(locked));
      expect(roomOf(key)).not.toBe(roomOf(locked));
      expect(tokensOf(state)[key[1]]?.[key[0]]?.[1]).toBe(tokensOf(state)[locked[1]]?.[locked[0]]?.[1]);
      const [x] = state.agentPos as [number, number];
      expect(x).toBeGreaterThan(7);
      expect(x).toBeLessThan(11);
    }
  });

  it('says the colours in words and numbers', () => {
    const env = getEnv('minigrid-locked-room').create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(4), buffers);
    const names = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'];
    const [door, room] = [names[buffers.obs.slice(151, 157).indexOf(1)], names[buffers.obs.slice(157, 163).indexOf(1)]];
    expect(env.extras?.(0).mission).toBe(`get the ${door} key from the ${room} room, unlock the ${door} door and go to the goal`);
  });
});

describe('ObstructedMaze', () => {
  const ID = 'minigrid-obstructed-maze';
  const maze = (name: string) => ({ maze: name, width: 16, height: 16 });

  it('1D: one locked door, its key open or in a box, a ball before it where it is blocked', () => {
    for (const [name, hidden, blocked] of [
      ['1Dl', false, false],
      ['1Dlh', true, false],
      ['1Dlhb', true, true],
    ] as const)
      for (const state of worlds(ID, { maze: name }, 50)) {
        const [[x, y]] = find(state, /L./) as [[number, number]];
        const colour = tokensOf(state)[y]?.[x]?.[1];
        expect(find(state, /K./).length).toBe(hidden ? 0 : 1);
        expect(find(state, /BE/).length).toBe(hidden ? 1 : 0);
        if (hidden) expect(state.boxes).toMatchObject([{ content: `K${colour}` }]);
        expect(tokensOf(state)[y]?.[x - 1] === 'AG').toBe(blocked);
        const [[ballX]] = find(state, /AB/) as [[number, number]];
        expect(ballX).toBeGreaterThan(5);
      }
  });

  it('larger ones: locked and open doors as many as quarters ask for, ball in a corner of a used quarter', () => {
    for (const [name, quarters, start] of [
      ['2Dl', 1, 2],
      ['2Dlhb', 1, 2],
      ['1Q', 1, 1],
      ['2Q', 2, 2],
      ['Full', 4, 1],
    ] as const) {
      const corners = new Set<string>();
      for (const state of worlds(ID, maze(name), 80)) {
        expect(find(state, /L./).length, name).toBe(2 * quarters);
        expect(find(state, /D./).length, name).toBe(quarters);
        const [[x, y]] = find(state, /AB/) as [[number, number]];
        corners.add(`${Math.floor(x / 5)},${Math.floor(y / 5)}`);
        expect(Math.floor((state.agentPos as [number, number])[0] / 5)).toBe(start);
      }
      expect(corners).toEqual(new Set(['2,0', '2,2', '0,2', '0,0'].slice(0, quarters)));
    }
  });

  it('v1 never loses a key under a ball, v0 sometimes does', () => {
    const keys = (keysLast: boolean) => worlds(ID, { ...maze('Full'), keysLast }, 300).map((state) => (state.boxes as unknown[]).length);
    expect(Math.min(...keys(true))).toBe(8);
    expect(Math.min(...keys(false))).toBeLessThan(8);
  });

  it('opening the box shows the key, picking up the blue ball ends, the green one does not', () => {
    const layout = ['WE WE WE WE WE', 'WE .. BE AG WE', 'WE .. .. AB WE', 'WE WE WE WE WE'];
    const env = getEnv(ID).create({ layout, maxSteps: 100, endRule: { type: 'pickup', object: { pos: [3, 2] } } }, 1);
    const buffers = createBuffers(env.meta, 1);
    const state = { layout, agentPos: [1, 1], agentDir: 0, boxes: [{ pos: [2, 1], content: 'KR' }] };
    env.load(0, env.meta.state.fromJSON(state), buffers);
    env.step(Int32Array.of(TOGGLE), buffers);
    expect((env.meta.state.toJSON(env.save(0)).layout as string[])[1]).toBe('WE .. KR AG WE');
    env.load(0, env.meta.state.fromJSON({ ...state, agentPos: [2, 2] }), buffers);
    env.step(Int32Array.of(PICKUP), buffers);
    expect([buffers.terminated[0], buffers.reward[0]]).toEqual([1, Math.fround(0.991)]);
    const green = layout.map((row, y) => (y === 2 ? 'WE .. .. .. WE' : row));
    env.load(
      0,
      env.meta.state.fromJSON({ ...state, layout: green.map((row) => row.replace('BE', '..')), boxes: [], agentPos: [2, 1] }),
      buffers,
    );
    env.step(Int32Array.of(PICKUP), buffers);
    expect(buffers.terminated[0]).toBe(0);
  });

  it('refuses sizes that are no maze', () => {
    expect(() => getEnv(ID).meta({ maze: 'Full' })).toThrow(/3 x 3/);
  });
});

describe('Playground', () => {
  it('nine rooms, twelve doors, twelve things, never a reward', () => {
    for (const state of worlds('minigrid-playground', {}, 100)) {
      expect(find(state, /D./).length).toBe(12);
      expect(find(state, /[KAB]./).length).toBe(12);
    }
    const [state] = worlds('minigrid-playground', {}, 1) as [JsonObject];
    const world = begin('minigrid-playground', state.layout as string[], [...(state.agentPos as [number, number]), 0]);
    for (let t = 0; t < 500; t++) expect(world.step(t % 7)).toEqual({ reward: 0, ended: false });
  });
});
