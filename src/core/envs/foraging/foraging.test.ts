import { describe, expect, it } from 'vitest';
import { Rng } from '../../math/rng.ts';
import { createActions, createBuffers } from '../buffers.ts';
import { levelBasedForaging } from '../level-based-foraging.ts';

describe('observations', () => {
  it.each([{ foods: 3 }, { foods: 3, sight: 2 }, { foods: 2, gridObservation: true }, { foods: 5, players: 4, fieldSize: [15, 10] }])(
    'of %j after many steps are those of a fresh look at the state',
    (config) => {
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
    },
  );
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
        for (let i = 0; i < A && over[row] === 0; i++) got[row] = (got[row] as number) + (buffers.reward[row * A + i] as number);
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
