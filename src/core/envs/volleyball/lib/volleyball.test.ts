import { describe, expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { droneVolleyball } from '../drone-volleyball.ts';
import { airframeOf } from './airframes.ts';
import { BY_BODY, BY_RACKET, bounce, NONE } from './ball.ts';
import { QUAD } from './quad.ts';

/** A rally of the scripted player: contacts, steps, returns. */
function rally(config: object, seed: number) {
  const env = droneVolleyball.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const policy = droneVolleyball.policies(config).rally;
  env.reset(Uint32Array.of(seed), buffers);
  const returns = new Float64Array(env.meta.agentCount);
  let contacts = 0;
  let steps = 0;
  while (!buffers.terminated[0] && !buffers.truncated[0]) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let k = 0; k < returns.length; k++) returns[k] = returns[k]! + buffers.reward[k]!;
    contacts = Math.max(contacts, env.meta.state.toJSON(env.save(0)).contacts as number);
    steps++;
  }
  return { contacts, steps, returns, decided: buffers.terminated[0] === 1 };
}

describe('the scripted rally', () => {
  it.each([1, 2, 3])('one against one goes on for at least ten contacts (seed %i)', (seed) => {
    expect(rally({}, seed).contacts).toBeGreaterThanOrEqual(10);
  });

  it('also with rotor commands, and when either side serves', () => {
    expect(rally({ actionType: 'prt' }, 1).contacts).toBeGreaterThanOrEqual(5);
    expect(rally({ randomServe: true }, 4).contacts).toBeGreaterThanOrEqual(5);
  });

  it.each([
    [1, 'ctbr'],
    [3, 'ctbr'],
    [6, 'ctbr'],
    [1, 'prt'],
    [3, 'prt'],
    [6, 'prt'],
  ])('teams of %i keep the ball up for five contacts with commands %s', (teamSize, actionType) => {
    for (const seed of [1, 2, 3]) expect(rally({ teamSize, actionType }, seed).contacts).toBeGreaterThanOrEqual(5);
  });

  it('idle drones lose the rally to the side that did not have to serve', () => {
    const env = droneVolleyball.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    const { hoverCommand } = airframeOf('iris', 9.81);
    for (let i = 3; i < 8; i += 4) actions[i] = hoverCommand;
    env.reset(Uint32Array.of(1), buffers);
    while (!buffers.terminated[0]) env.step(actions, buffers);
    expect(buffers.reward[0]! + buffers.reward[1]!).toBeLessThan(2);
    expect(Math.abs(buffers.reward[1]!)).toBeGreaterThan(90);
  });
});

describe('the court', () => {
  it('both sides see the same from their side', () => {
    for (const teamSize of [1, 3]) {
      const env = droneVolleyball.create({ teamSize, startNoise: 0 }, 1);
      const buffers = createBuffers(env.meta, 1);
      env.reset(Uint32Array.of(1), buffers);
      const O = env.meta.obsSize;
      expect(O).toBe(teamSize === 1 ? 37 : 57);
      // place, attitude, speeds, up, heading, throttles, off anchor
      for (let i = 0; i < 26; i++) expect(buffers.obs[teamSize * O + i], `number ${i}`).toBeCloseTo(buffers.obs[i]!, 6);
    }
    expect(droneVolleyball.meta({ teamSize: 6 }).obsSize).toBe(78);
  });

  it('the hover command holds an Iris in the air', () => {
    const env = droneVolleyball.create({ actionType: 'prt', startNoise: 0 }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const actions = createActions(env.meta, 1).fill(airframeOf('iris', 9.81).hoverCommand);
    for (let t = 0; t < 20; t++) env.step(actions, buffers);
    expect(buffers.obs[2]).toBeCloseTo(2, 2); // its front rotors stand farther out: it begins to pitch
  });

  it('velocity commands are flown', () => {
    const env = droneVolleyball.create({ actionType: 'velocity', startNoise: 0 }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const actions = createActions(env.meta, 1);
    actions[0] = 0.1;
    actions[3] = 0.1;
    for (let t = 0; t < 20; t++) env.step(actions, buffers);
    // both towards their own back line: x grows in either view
    expect(buffers.obs[7]).toBeGreaterThan(0.2);
    expect(buffers.obs[env.meta.obsSize + 7]).toBeCloseTo(buffers.obs[7]!, 4);
  });
});

describe('the frame', () => {
  it('shows drones, ball, rotor speeds and a ring in the step of a touch', () => {
    const env = droneVolleyball.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    const policy = droneVolleyball.policies({}).rally;
    env.reset(Uint32Array.of(1), buffers);
    const row = new Float32Array(frameSize(env.meta.frame));
    expect(row.length).toBe(3 * 7 + 8 + 4 + 1);
    let rings = 0;
    for (let t = 0; t < 60; t++) {
      policy?.act(env, buffers, actions);
      env.step(actions, buffers);
      env.frame(0, row);
      if (row[32]! > 0) {
        rings++;
        expect(row[31]).toBeCloseTo(2.15, 0); // where the ball was hit
      }
      expect(Math.hypot(...row.subarray(3, 7))).toBeCloseTo(1, 6);
    }
    expect(rings).toBe(1);
    expect(row[33]).toBe(1);
    expect(row[21]).toBeGreaterThan(3000);
  });
});

describe('the ball', () => {
  /** A drone at rest at the origin, level; the ball after it. */
  const scene = (ball: readonly number[]) => {
    const s = new Float64Array(QUAD + 6);
    s[6] = 1;
    s.set(ball, QUAD);
    return s;
  };
  it('comes off the racket with 0.8 of its speed, the speed of the racket added', () => {
    const s = scene([0.05, 0, 0.14, 1, 0, -4]);
    expect(bounce(s, QUAD, 0, 0.8)).toBe(BY_RACKET);
    expect(Array.from(s.subarray(QUAD + 3))).toEqual([1, 0, 3.2]);
    const moving = scene([0, 0, 0.14, 0, 0, -4]);
    moving[9] = 1; // upwards
    bounce(moving, QUAD, 0, 0.8);
    expect(moving[QUAD + 5]).toBeCloseTo(1 + 0.8 * 5, 12);
  });

  it('a tilted racket sends it sideways', () => {
    const s = scene([0, 0, 0.14, 0, 0, -4]);
    s[4] = Math.sin(0.1); // about y: up axis leans to +x
    s[6] = Math.cos(0.1);
    expect(bounce(s, QUAD, 0, 0.8)).toBe(BY_RACKET);
    expect(s[QUAD + 3]).toBeGreaterThan(1);
  });

  it('meets the body from the side and from below, and nothing when it leaves or passes far away', () => {
    expect(bounce(scene([0.22, 0, 0, -1, 0, 0]), QUAD, 0, 0.8)).toBe(BY_BODY);
    expect(bounce(scene([0, 0, -0.2, 0, 0, 2]), QUAD, 0, 0.8)).toBe(BY_BODY);
    expect(bounce(scene([0, 0, 0.14, 0, 0, 4]), QUAD, 0, 0.8)).toBe(NONE);
    expect(bounce(scene([0.6, 0, 0.14, 0, 0, -4]), QUAD, 0, 0.8)).toBe(NONE);
  });
});
