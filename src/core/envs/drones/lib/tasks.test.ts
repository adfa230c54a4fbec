import { describe, expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { droneFormation } from '../drone-formation.ts';
import { droneGates } from '../drone-gates.ts';
import { droneTrack } from '../drone-track.ts';

/** One episode of the expert: return of agent 0, steps, and the named numbers of the last frame. */
function episode(entry: EnvEntry, config: object, seed = 1) {
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const policy = entry.policies(config).expert;
  env.reset(Uint32Array.of(seed), buffers);
  let total = 0;
  let steps = 0;
  while (!buffers.terminated[0] && !buffers.truncated[0]) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    total += buffers.reward[0]!;
    steps++;
  }
  const { frame } = env.meta;
  if (frame.kind !== 'bodies') throw new Error('drones are bodies');
  const row = new Float32Array(frameSize(frame));
  env.frame(0, row);
  const extra = row.subarray(row.length - frame.extra.length);
  return {
    total,
    steps,
    terminated: buffers.terminated[0] === 1,
    extra: Object.fromEntries(frame.extra.map((name, i) => [name, extra[i]!])),
  };
}

describe('tracking', () => {
  const circle = { randomPhase: false, episodeSeconds: 10 };
  it('the controller keeps within 3 cm of a circle when it is told the velocity, and lags by 9 cm when not', () => {
    const told = episode(droneTrack, circle);
    const lagging = episode(droneTrack, { ...circle, feedVelocity: false });
    expect(told.steps).toBe(480);
    expect(told.extra['rms (m)']).toBeLessThan(0.03);
    expect(lagging.extra['rms (m)']).toBeGreaterThan(0.07);
    expect(lagging.extra['rms (m)']).toBeLessThan(0.1);
    expect(told.total).toBeGreaterThan(0.95 * 480);
  });

  it('places relative to the drone are the same flight as places in the room', () => {
    const far = episode(droneTrack, { ...circle, actionType: 'pid' });
    expect(far.extra['rms (m)']).toBeLessThan(0.03);
  });

  it('every path can be flown, by several drones too', () => {
    for (const path of ['eight', 'helix', 'knot']) {
      const { terminated, extra } = episode(droneTrack, { path, size: 0.8, height: 1, drones: 2 });
      expect(terminated, path).toBe(false);
      expect(extra['rms (m)'], path).toBeLessThan(0.08);
    }
  });
});

describe('formations', () => {
  it.each([
    {},
    { shape: 'line' },
    { drones: 5, shape: 'wedge', contact: true },
    { drones: 8, shape: 'ring', start: 'ring', spacing: 0.4, travel: 0.3 },
  ])('%o: everyone finds its place', (config) => {
    const { terminated, extra } = episode(droneFormation, config);
    expect(terminated).toBe(false);
    expect(extra['rms distance (m)']).toBeLessThan(0.1);
  });

  it('in a stack the downwash holds the lower drones down', () => {
    const stack = { drones: 3, shape: 'stack', start: 'stack', gap: 0.5 };
    const calm = episode(droneFormation, stack).extra['rms distance (m)'] as number;
    const washed = episode(droneFormation, { ...stack, physics: 'dyn-dw' }).extra['rms distance (m)'] as number;
    expect(washed).toBeGreaterThan(calm + 0.02);
  });
});

describe('gates', () => {
  it('the scripted pilot flies rounds and earns a point per gate', () => {
    const { terminated, total, extra } = episode(droneGates, {});
    expect(terminated).toBe(false);
    expect(extra.gates).toBeGreaterThan(6);
    expect(total).toBeGreaterThan(extra.gates as number);
  });

  it('other courses too', () => {
    for (const config of [{ course: 'eight', size: 2.2 }, { course: 'helix', gates: 8, size: 2, height: 1.4 }, { course: 'knot' }]) {
      const { terminated, extra } = episode(droneGates, config);
      expect(terminated).toBe(false);
      expect(extra.gates).toBeGreaterThan(3);
    }
  });
});

describe('frames', () => {
  it('list drones, targets, rotor speeds, the wind and the named numbers in this order', () => {
    const config = { wind: [0, 4, 0], randomPhase: false };
    const env = droneTrack.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const actions = createActions(env.meta, 1);
    for (let t = 0; t < 10; t++) {
      droneTrack.policies(config).expert?.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    const { frame } = env.meta;
    if (frame.kind !== 'bodies') throw new Error('drones are bodies');
    const row = new Float32Array(frameSize(frame));
    env.frame(0, row);
    expect(row.length).toBe(2 * 7 + 4 + 6 + 2);
    expect(Array.from(row.subarray(0, 3))).toEqual(Array.from(buffers.obs.subarray(0, 3)));
    expect(Math.hypot(...row.subarray(3, 7))).toBeCloseTo(1, 6);
    expect(Math.hypot(row[7]!, row[8]!)).toBeCloseTo(0.3, 5);
    expect(Array.from(row.subarray(10, 14))).toEqual([0, 0, 0, 1]);
    for (let i = 14; i < 18; i++) expect(row[i]).toBeGreaterThan(9000);
    expect(Array.from(row.subarray(21, 24))).toEqual([0, Math.fround(0.4), 0]);
    expect(row[24]).toBeLessThan(0.2);
    expect(frame.up).toBe('z');
  });
});
