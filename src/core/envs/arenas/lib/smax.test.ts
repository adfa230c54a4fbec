import { describe, expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { smax } from '../smax.ts';

/** Mean return and win rate of first episodes under a policy, or of uniform legal actions. */
function play(
  config: JsonObject,
  policy: 'heuristic' | null,
  episodes: number,
  seed: number,
): { readonly mean: number; readonly won: number } {
  const env = smax.create(config, episodes);
  const { agentCount, actionCount } = env.meta;
  const [buffers, actions] = [createBuffers(env.meta, episodes), createActions(env.meta, episodes)];
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => seed + i),
    buffers,
  );
  const rng = Rng.from(seed);
  const scripted = policy === null ? undefined : smax.policies(config)[policy];
  const returns = new Float64Array(episodes);
  const won = new Float64Array(episodes);
  const over = new Uint8Array(episodes);
  while (over.includes(0)) {
    if (scripted !== undefined) scripted.act(env, buffers, actions);
    else
      for (let slot = 0; slot < episodes * agentCount; slot++) {
        do actions[slot] = rng.int(actionCount);
        while (buffers.mask![slot * actionCount + actions[slot]!] === 0);
      }
    env.step(actions, buffers);
    for (let row = 0; row < episodes; row++) {
      if (over[row] === 1) continue;
      returns[row] = returns[row]! + buffers.reward[row * agentCount]!;
      over[row] = buffers.terminated[row]!;
      if (over[row] === 1) env.measure!(row, won, row);
    }
    env.restart(buffers.terminated.slice(), buffers);
  }
  const mean = (list: Float64Array) => list.reduce((a, b) => a + b, 0) / episodes;
  return { mean: mean(returns), won: mean(won) };
}

describe('figures of the reference, from resets and draws of its own', () => {
  // mean return and win rate of JaxMARL's own runs; margins of four standard errors of both
  it.each([
    ['3m', null, 0.171, 0.03, 0],
    ['3m', 'heuristic', 1.408, 0.17, 0.502],
    ['5m_vs_6m', 'heuristic', 0.578, 0.05, 0.004],
    ['3s_vs_5z', null, 0.222, 0.03, 0],
    ['smacv2_5_units', null, 0.246, 0.06, 0],
    ['smacv2_5_units', 'heuristic', 1.356, 0.25, 0.508],
  ] as const)('%s, %s', (scenario, policy, value, margin, rate) => {
    const { mean, won } = play({ scenario }, policy, 256, 1);
    expect(Math.abs(mean - value)).toBeLessThan(margin);
    expect(Math.abs(won - rate)).toBeLessThan(rate > 0.1 ? 0.18 : 0.03);
  });
});

describe('a battle of two teams of agents', () => {
  it('the heuristic in the seats of the other team is the heuristic of the world', () => {
    const seats = { scenario: '3m', enemyPolicy: 'actions', seats: { enemy: 'heuristic' } };
    const { mean, won } = play(seats, null, 256, 5);
    expect(Math.abs(mean - 0.171)).toBeLessThan(0.03);
    expect(won).toBe(0);
  });

  it('names foes of the second team backwards and masks what a dead unit cannot do', () => {
    const config = { allyTypes: ['marine', 'marine'], enemyTypes: ['marine'], enemyPolicy: 'actions' };
    const env = smax.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const state = { pos: [[10, 10], [20, 20], [21, 20]], health: [0, 45, 45], cooldown: [0, 0, 0], types: [0, 0, 0], stepCount: 0 }; // biome-ignore format: rows of places
    env.load(0, env.meta.state.fromJSON(state), buffers);
    expect(Array.from(buffers.mask!)).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0]);
    expect(Array.from(buffers.alive!)).toEqual([0, 1, 1]);
    env.step(Int32Array.of(4, 4, 5), buffers);
    expect((env.meta.state.toJSON(env.save(0)) as { health: number[] }).health[1]).toBe(36);
  });
});

describe('orders of a person', () => {
  const config = { scenario: '3m', enemyShoots: false };
  const start = () => {
    const env = smax.create(config, 1);
    const [buffers, actions] = [createBuffers(env.meta, 1), createActions(env.meta, 1)];
    env.reset(Uint32Array.of(3), buffers);
    const frame = new Float32Array(frameSize(env.meta.frame));
    const shown = (): Float32Array => {
      env.frame(0, frame);
      return frame;
    };
    /** Stands, but for orders. Returns who had one first. */
    const go = (): number => {
      actions.fill(4);
      const first = env.orders!.follow(0, actions);
      env.step(actions, buffers);
      return first;
    };
    const give = (part: number, x: number, y: number): void => env.orders!.give(0, { part, at: [0, 0, 0], to: [x, y, 0] });
    return { env, buffers, shown, go, give };
  };
  const [UNIT, ENEMY] = [1, 3];
  const TEAM = 12;

  it('a unit goes to its place and is free again; the others stand; a line shows the way while it has one', () => {
    const { shown, go, give } = start();
    const before = shown().slice();
    give(UNIT, 4, 26);
    expect(shown()[6 * 13 + 6 * (18 + UNIT) + 5]).toBeGreaterThan(0);
    for (let t = 0; t < 60 && go() === UNIT; t++);
    const after = shown();
    expect(Math.abs(after[6 * UNIT]! - 4)).toBeLessThan(1);
    expect(Math.abs(after[6 * UNIT + 1]! - 26)).toBeLessThan(1);
    expect([...after.subarray(0, 2)]).toEqual([...before.subarray(0, 2)]);
    expect(go()).toBe(-1);
    expect(shown()[6 * 13 + 6 * (18 + UNIT) + 5]).toBe(0);
  });

  it('the whole team goes after one foe until it is dead', () => {
    const { shown, go, give } = start();
    const at = shown();
    give(TEAM, at[6 * ENEMY]!, at[6 * ENEMY + 1]!);
    let steps = 0;
    while (shown()[6 * ENEMY + 4]! > 0 && steps++ < 100) expect(go()).toBe(0);
    expect(shown()[6 * ENEMY + 4]).toBe(0);
    expect(shown()[6 * (ENEMY + 1) + 4]).toBeGreaterThan(0);
    expect(go()).toBe(-1);
  });

  it('no order leads to a wall, which kills; parts of the other team take none; a new episode begins without', () => {
    const { env, buffers, shown, go, give } = start();
    give(ENEMY, 4, 4);
    expect(go()).toBe(-1);
    give(0, -50, 500);
    for (let t = 0; t < 90 && go() === 0; t++);
    expect(shown()[4]).toBeGreaterThan(0);
    give(0, 16, 16);
    env.restart(Uint8Array.of(1), buffers);
    expect(go()).toBe(-1);
  });

  it('as four numbers too', () => {
    const env = smax.create({ ...config, actionType: 'continuous' }, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(3), createBuffers(env.meta, 1));
    env.orders!.give(0, { part: 0, at: [0, 0, 0], to: [30, 16, 0] });
    expect(env.orders!.follow(0, actions)).toBe(0);
    expect([...actions.subarray(0, 3)]).toEqual([0, 1, 1]);
  });
});
