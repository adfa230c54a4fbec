import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { Rng } from '#math/rng.ts';
import { levelBasedForaging } from '../../level-based-foraging.ts';

describe('observations', () => {
  it.each([
    { foods: 3 },
    { foods: 3, sight: 2 },
    { foods: 2, gridObservation: true },
    { foods: 5, players: 4, fieldSize: [15, 10] },
    { map: ['P...3', '..1..', '.2...'] },
  ])('of %j after many steps are those of a fresh look at the state', (config) => {
    const env = levelBasedForaging.create(config, 3);
    const other = levelBasedForaging.create(config, 3);
    const [one, two, fresh] = [createBuffers(env.meta, 3), createBuffers(env.meta, 3), createBuffers(env.meta, 3)];
    const actions = createActions(env.meta, 3);
    const rng = Rng.from(3);
    env.reset(Uint32Array.of(1, 2, 3), one);
    for (let t = 0; t < 300; t++) {
      for (let i = 0; i < actions.length; i++) actions[i] = rng.int(6);
      // two sets of buffers by turns, and rows that start again in either
      const out = t % 7 < 4 ? one : two;
      if (t % 11 === 5) env.restart(Uint8Array.of(0, 1, 0), t % 2 === 0 ? one : two);
      env.step(actions, out);
      for (let row = 0; row < 3; row++) other.load(row, env.save(row), fresh);
      expect(Array.from(out.obs), `step ${t}`).toEqual(Array.from(fresh.obs));
      expect(out.state).toEqual(fresh.state);
      const over = out.terminated.slice();
      if (over.some((x) => x === 1)) env.restart(over, out);
    }
  });
});

describe('the expert', () => {
  it.each(levelBasedForaging.presets)('$id: all food is loaded', ({ config }) => {
    const rows = 40;
    const env = levelBasedForaging.create(config, rows);
    const A = env.meta.agentCount;
    const buffers = createBuffers(env.meta, rows);
    const actions = createActions(env.meta, rows);
    const expert = levelBasedForaging.policies(config).expert;
    const got = new Float64Array(rows);
    const over = new Uint8Array(rows);
    env.reset(
      Uint32Array.from({ length: rows }, (_, i) => i),
      buffers,
    );
    for (let t = 0; t < 50; t++) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < rows; row++) {
        for (let i = 0; i < A && over[row] === 0; i++) got[row] = got[row]! + buffers.reward[row * A + i]!;
        if (buffers.terminated[row] === 1) over[row] = 1;
      }
    }
    for (const sum of got) expect(sum).toBeCloseTo(1, 5);
  });

  it('uses who is strong enough: a heavy food needs both, a light one only the nearer', () => {
    const config = { foods: 1, fieldSize: [5, 5], playerLevels: [1, 2] };
    const play = (level: number) => {
      const env = levelBasedForaging.create(config, 1);
      const buffers = createBuffers(env.meta, 1);
      const actions = createActions(env.meta, 1);
      const players = [
        [2, 1, 1],
        [4, 4, 2],
      ];
      env.load(0, env.meta.state.fromJSON({ players, foods: [[2, 2, level]] }), buffers);
      let steps = 0;
      while (buffers.terminated[0] === 0 && steps < 50) {
        levelBasedForaging.policies(config).expert?.act(env, buffers, actions);
        env.step(actions, buffers);
        steps++;
      }
      return [steps, ...buffers.reward];
    };
    expect(play(1)).toEqual([1, 1, 0]);
    const [steps, ...rewards] = play(3);
    expect(steps).toBe(4); // the stronger one walks three cells
    expect(rewards.map((r) => Math.round(3 * r))).toEqual([1, 2]);
  });
});

describe('a map of one’s own', () => {
  const stateOf = (env: ReturnType<typeof levelBasedForaging.create>) =>
    env.meta.state.toJSON(env.save(0)) as unknown as { players: number[][]; foods: number[][]; foodTotal: number };

  it('puts foods of their levels and players where they are painted', () => {
    const env = levelBasedForaging.create({ map: ['P.2.', '....', '..P3'], playerLevels: [2, 1] }, 1);
    const buffers = createBuffers(env.meta, 1);
    for (let seed = 0; seed < 20; seed++) {
      env.reset(Uint32Array.of(seed), buffers);
      expect(stateOf(env)).toMatchObject({
        players: [
          [0, 0, 2],
          [2, 2, 1],
        ],
        foods: [
          [0, 2, 2],
          [2, 3, 3],
        ],
        foodTotal: 5,
      });
    }
    expect(env.meta.frame).toMatchObject({ width: 4, height: 3 });
    // the second player stands beside the food of level 3 and is too weak for it alone
    env.step(Int32Array.of(0, 5), buffers);
    expect(buffers.reward.every((reward) => reward === 0)).toBe(true);
  });

  it('players without a start appear on every free cell, never on a food or a start', () => {
    const env = levelBasedForaging.create({ map: ['P1.', '...', '.2.'] }, 1);
    const buffers = createBuffers(env.meta, 1);
    const seen = new Map<number, number>();
    for (let seed = 0; seed < 600; seed++) {
      env.reset(Uint32Array.of(seed), buffers);
      const [, [y = 0, x = 0] = []] = stateOf(env).players;
      seen.set(3 * y + x, (seen.get(3 * y + x) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual([2, 3, 4, 5, 6, 8]);
  });

  it('is loaded by the expert, and refused where it cannot be played', () => {
    const config = { map: ['P....P', '..3...', '......', '....1.'], playerLevels: [1, 2] };
    const env = levelBasedForaging.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    const expert = levelBasedForaging.policies(config).expert;
    env.reset(Uint32Array.of(3), buffers);
    let sum = 0;
    for (let t = 0; t < 50 && buffers.terminated[0] === 0; t++) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (const reward of buffers.reward) sum += reward;
    }
    expect(sum).toBeCloseTo(1, 5);
    expect(() => levelBasedForaging.meta({ map: ['...', '...', '...'] })).toThrow(/0 foods/);
    expect(() => levelBasedForaging.meta({ map: ['1..', '....', '...'] })).toThrow(/differ in length/);
    expect(() => levelBasedForaging.meta({ map: ['111', '111', '11.'] })).toThrow(/no room/);
  });
});

describe('foragers of one mind', () => {
  const [NONE, LOAD] = [0, 5];
  /** What the second player does, standing beside a food of this level, in a world of its map. */
  function does(mind: string, map: readonly string[], playerLevels: readonly number[]): number {
    const config = { map: [...map], playerLevels: [...playerLevels] };
    const env = levelBasedForaging.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    levelBasedForaging.policies(config)[mind]!.act(env, buffers, actions);
    return actions[1]!;
  }

  it.each([
    // the first player stands beside the same food; another one of level 4 is far away
    ['modest-patient', '3', LOAD],
    ['greedy-patient', '3', NONE],
    ['selfish-patient', '3', NONE],
    ['modest-hasty', '1', LOAD],
    ['greedy-hasty', '1', NONE],
    ['selfish-hasty', '1', LOAD],
    ['greedy-patient', '4', LOAD],
  ])('%s beside a food of level %s that the other stands at', (mind, level, action) => {
    expect(does(mind, [`P${level}P....`, '.......', '.......', '.......', '....4..'], [2, 2])).toBe(action);
  });

  it('the patient waits at a food that is too heavy for it, the hasty goes where the other is', () => {
    const map = ['P......', '.......', '.......', '.......', '.....3P'];
    expect(does('modest-patient', map, [2, 2])).toBe(LOAD);
    expect([1, 3]).toContain(does('modest-hasty', map, [2, 2])); // north or west
    expect(does('modest-hasty', map, [2, 3])).toBe(LOAD); // alone it is enough
  });

  it('all walk around each other and come to food: two modest ones clear the field', () => {
    const config = { foods: 3, playerLevels: [2, 2], fieldSize: [6, 6] };
    const env = levelBasedForaging.create(config, 40);
    const [buffers, actions] = [createBuffers(env.meta, 40), createActions(env.meta, 40)];
    env.reset(
      Uint32Array.from({ length: 40 }, (_, i) => i),
      buffers,
    );
    const policy = levelBasedForaging.policies(config)['modest-hasty']!;
    let sum = 0;
    for (let t = 0; t < 50; t++) {
      policy.act(env, buffers, actions);
      env.step(actions, buffers);
      for (const x of buffers.reward) sum += x;
      env.restart(buffers.terminated.slice(), buffers);
    }
    expect(sum / 40).toBeGreaterThan(0.5);
  });
});
