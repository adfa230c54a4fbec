import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { volleyBackAndForth } from '../volley-back-and-forth.ts';
import { volleyBumpAndPass } from '../volley-bump-and-pass.ts';
import { volleyHitTheBall } from '../volley-hit-the-ball.ts';
import { volleySetAndSpike } from '../volley-set-and-spike.ts';
import { volleySoloBump } from '../volley-solo-bump.ts';
import { BY_BODY, BY_RACKET, NONE } from './ball.ts';
import { countTouch } from './drill.ts';

/** One episode of the drill's scripted player: return of agent 0, steps, the last state. */
function episode(entry: EnvEntry, config: object = {}, seed = 1, name = Object.keys(entry.policies(config))[0] as string) {
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const policy = entry.policies(config)[name];
  env.reset(Uint32Array.of(seed), buffers);
  let total = 0;
  let steps = 0;
  while (!buffers.terminated[0] && !buffers.truncated[0]) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    total += buffers.reward[0]!;
    steps++;
  }
  return { total, steps, last: buffers.reward[0]!, state: env.meta.state.toJSON(env.save(0)) as { [name: string]: number } };
}

describe('drills with a scripted player', () => {
  it('back and forth: eight targets in 16 s', () => {
    const { steps, state, total } = episode(volleyBackAndForth);
    expect(steps).toBe(800);
    expect(state.reached).toBeGreaterThanOrEqual(7);
    expect(total).toBeGreaterThan(300);
  });

  it('hit the ball: one hit over the net', () => {
    const { state, last, total } = episode(volleyHitTheBall);
    expect(state.hits).toBe(1);
    expect(last).toBeGreaterThan(2 * 4.5); // it came down behind the net
    expect(total).toBeLessThan(28);
  });

  it('solo bump: ten bumps, high enough to be paid for', () => {
    const { state, total } = episode(volleySoloBump);
    expect(state.hits).toBeGreaterThanOrEqual(8);
    expect(total).toBeGreaterThan(500);
  });

  it('bump and pass: the ball goes to the mate and back', () => {
    expect(episode(volleyBumpAndPass).state.passes).toBeGreaterThanOrEqual(3);
  });

  it.each([1, 2, 3])('set and spike: the hitter sends the ball down, fast, over the net and onto the target (seed %i)', (seed) => {
    const env = volleySetAndSpike.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    const { spike } = volleySetAndSpike.policies({});
    const now = () => env.meta.state.toJSON(env.save(0)) as unknown as { stage: number; passed: number; ball: number[] };
    env.reset(Uint32Array.of(seed), buffers);
    let struck: number[] | null = null;
    while (!buffers.terminated[0] && !buffers.truncated[0]) {
      spike?.act(env, buffers, actions);
      env.step(actions, buffers);
      if (struck === null && now().stage === 2) struck = now().ball;
    }
    const [x = 0, y = 0, , vx = 0, , vz = 0] = struck ?? [];
    expect([x > 0, vx < -6, vz < -0.5]).toEqual([true, true, true]);
    expect(Math.abs(y)).toBeLessThan(4.5);
    expect(now().passed).toBe(1);
    expect(Math.hypot(now().ball[0]! + 4.5, now().ball[1]!)).toBeLessThan(1); // on the target
    expect(buffers.reward[0]).toBeGreaterThan(5);
  });

  it('set and pass: an arc over the net, for comparison', () => {
    const { state, total } = episode(volleySetAndSpike, {}, 1, 'pair');
    expect([state.stage, state.passed]).toEqual([2, 1]);
    expect(total).toBeGreaterThan(10);
    expect(episode(volleySetAndSpike, {}, 1, 'spike').total).toBeGreaterThan(total + 5);
  });

  it('the defender of the hard form returns a slow ball', () => {
    const easy = episode(volleySetAndSpike, {}, 1, 'pair');
    const hard = episode(volleySetAndSpike, { difficulty: 'hard' }, 1, 'pair');
    expect(hard.steps).toBeLessThanOrEqual(easy.steps);
    expect(hard.last).toBeLessThan(1);
  });
});

describe('drills without a player', () => {
  it.each([volleyHitTheBall, volleySoloBump, volleyBumpAndPass, volleySetAndSpike])('idle rotors cost a fault', (entry) => {
    const env = entry.create({ actionType: 'prt' }, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1).fill(-1);
    env.reset(Uint32Array.of(1), buffers);
    while (!buffers.terminated[0]) env.step(actions, buffers);
    expect(buffers.reward[0]).toBeLessThan(-5);
    expect(buffers.truncated[0]).toBe(0);
  });
});

describe('touches', () => {
  it('count as right hits, faults or nothing', () => {
    expect(countTouch(NONE, 50, 0, 25)).toBe(0);
    expect(countTouch(BY_RACKET, 50, 0, 25)).toBe(1);
    expect(countTouch(BY_RACKET, 50, 25, 25)).toBe(-1);
    expect(countTouch(BY_RACKET, 51, 25, 25)).toBe(1);
    expect(countTouch(BY_BODY, 50, 0, 25)).toBe(-1);
  });
});
