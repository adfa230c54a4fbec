import { describe, expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { vmasBalance } from '../vmas-balance.ts';
import { vmasDiscovery } from '../vmas-discovery.ts';
import { vmasDispersion } from '../vmas-dispersion.ts';
import { vmasFlocking } from '../vmas-flocking.ts';
import { vmasNavigation } from '../vmas-navigation.ts';
import { vmasTransport } from '../vmas-transport.ts';
import { vmasWheel } from '../vmas-wheel.ts';
import { discMeetsBox, hit, lineToBox, nearestOnBox, nearestOnLine } from './geometry.ts';
import { createLidar } from './lidar.ts';

/** Mean return of agent 0 over whole episodes. */
function play(entry: EnvEntry, config: object, episodes: number): number {
  const env = entry.create(config, episodes);
  const buffers = createBuffers(env.meta, episodes);
  const actions = createActions(env.meta, episodes);
  const policy = entry.policies(config).scripted!;
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => i + 1),
    buffers,
  );
  const done = new Uint8Array(episodes);
  let sum = 0;
  for (let t = 0; t < env.meta.maxSteps; t++) {
    policy.act(env, buffers, actions);
    env.step(actions, buffers);
    const ended = new Uint8Array(episodes);
    for (let row = 0; row < episodes; row++) {
      if (done[row] === 0) sum += buffers.reward[row * env.meta.agentCount]!;
      if (buffers.terminated[row]! + buffers.truncated[row]! > 0) ended[row] = done[row] = 1;
    }
    env.restart(ended, buffers);
  }
  expect(done.every((flag) => flag === 1)).toBe(true);
  return sum / episodes;
}

describe('scripted teams', () => {
  // measured over 300 episodes; the bounds leave room for the spread of fewer. Random play is below every lower bound.
  it.each([
    ['transport', vmasTransport, { packageMass: 20, maxSteps: 200 }, 40, 15, 90],
    ['wheel', vmasWheel, {}, 60, -2.8, -1.9],
    ['balance', vmasBalance, {}, 60, 4, 16],
    ['navigation', vmasNavigation, {}, 60, 3, 4.6],
    ['dispersion', vmasDispersion, {}, 60, 0.7, 1.1],
    ['flocking', vmasFlocking, {}, 60, 0.4, 1.4],
    ['discovery', vmasDiscovery, {}, 60, 1.5, 4],
  ] as const)('%s', (_name, entry, config, episodes, low, high) => {
    const value = play(entry, config, episodes);
    expect(value).toBeGreaterThan(low);
    expect(value).toBeLessThan(high);
  });
});

describe('geometry', () => {
  it('nearest points of a line and a box', () => {
    nearestOnLine(0, 0, 0, 1, 2, 3, 0.4);
    expect([hit.x, hit.y]).toEqual([0, 0.4]);
    nearestOnLine(0, 0, 0, 1, 2, 3, 5);
    expect([hit.x, hit.y]).toEqual([0, 1]);
    nearestOnBox(1, 1, 0, 2, 1, 4, 1.2);
    expect([hit.x, hit.y]).toEqual([2, 1.2]);
    nearestOnBox(1, 1, 0, 2, 1, 1.1, 1.3); // from inside: the nearest edge
    expect(hit.x).toBeCloseTo(1.1, 12);
    expect(hit.y).toBeCloseTo(1.5, 12);
    nearestOnBox(0, 0, Math.PI / 2, 2, 1, 0, 3); // turned: the long side stands
    expect(hit.y).toBeCloseTo(1, 12);
  });

  it('overlap of a disc and of a line with a box', () => {
    expect(discMeetsBox(0, 0, 0, 1, 1, 0.6, 0, 0.11, 0)).toBe(true);
    expect(discMeetsBox(0, 0, 0, 1, 1, 0.6, 0, 0.09, 0)).toBe(false);
    expect(discMeetsBox(0, 0, 0, 1, 1, 0.1, 0, 0.01, 0)).toBe(true); // inside
    expect(lineToBox(0, 1, 0, 0.8, 0, 0, 0, 4, 1)).toBeCloseTo(0.5, 12);
    expect(lineToBox(0, 0.6, Math.PI / 2, 0.8, 0, 0, 0, 4, 1)).toBe(0); // through the edge
  });

  it('rays measure to discs in front, at most the range', () => {
    const lidar = createLidar(4, 1);
    const out = new Float32Array(4);
    // the asker at 0; discs at (0.5, 0.05), (-3, 0), (0, -0.9)
    lidar.measure(Float64Array.of(0, 0, 0.5, 0.05, -3, 0, 0, -0.9), 0, 0, [0, 2, 4, 6], 0.1, out, 0);
    expect(out[0]).toBeCloseTo(0.5 - Math.sqrt(0.01 - 0.0025), 6);
    expect(out[1]).toBe(1);
    expect(out[2]).toBe(1);
    expect(out[3]).toBeCloseTo(0.8, 6);
  });
});

describe('bodies', () => {
  const one = (entry: EnvEntry, config: object, state: object) => {
    const env = entry.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const load = entry.golden.fromJson as (json: object, c: unknown) => Uint8Array;
    env.load(0, load(state, entry.parse(config)), buffers);
    return { env, buffers, now: () => env.meta.state.toJSON(env.save(0)) as { [name: string]: number[][] } };
  };

  it('a force shows in place and velocity in the same step', () => {
    const { env, buffers, now } = one(vmasDispersion, { agents: 1 }, { agentPos: [[0, 0]], agentVel: [[0, 0]], landmarkPos: [[0.9, 0.9]] });
    env.step(Float32Array.of(1, -3), buffers); // beyond a full action: cut
    expect(now().agentVel![0]![0]).toBeCloseTo(0.1, 12);
    expect(now().agentPos![0]![0]).toBeCloseTo(0.01, 12);
    expect(now().agentPos![0]![1]).toBeCloseTo(-0.01, 12);
  });

  it('walls hold, and a push on a box pushes back', () => {
    const { env, buffers, now } = one(
      vmasTransport,
      { agents: 1, packageMass: 1 },
      {
        agentPos: [[-0.1, 0]],
        agentVel: [[0, 0]],
        landmarkPos: [
          [0.8, 0.8],
          [0, 0],
        ],
      },
    );
    env.step(Float32Array.of(0, 0), buffers); // centres 0.1 apart: 0.0117 m too deep
    const { agentVel, landmarkVel } = now() as { agentVel: number[][]; landmarkVel: number[][] };
    expect(agentVel[0]![0]!).toBeLessThan(-0.05);
    expect(landmarkVel[1]![0]!).toBeCloseTo(-agentVel[0]![0]!, 12);
    for (let t = 0; t < 60; t++) env.step(Float32Array.of(-1, 0), buffers);
    expect(now().agentPos![0]![0]).toBeCloseTo(-1.21, 12);
  });

  it('gravity drops a tilted plank, which ends the episode at a price', () => {
    const { env, buffers } = one(
      vmasBalance,
      { agents: 2 },
      {
        agentPos: [
          [-2, 0],
          [2, 0],
        ],
        agentVel: [
          [0, 0],
          [0, 0],
        ],
        landmarkPos: [
          [0, 0.5],
          [0, -0.8],
          [0, -0.9],
          [0, -1.53],
        ],
        landmarkRot: [0, 0, 0.3, 0],
      },
    );
    let steps = 0;
    while (buffers.terminated[0] === 0 && steps++ < 200) env.step(new Float32Array(4), buffers);
    expect(buffers.terminated[0]).toBe(1);
    expect(buffers.reward[0]).toBeLessThan(-9);
  });

  it('what is eaten is not shown', () => {
    const { env, buffers } = one(vmasDispersion, { agents: 1 }, { agentPos: [[0, 0]], agentVel: [[0, 0]], landmarkPos: [[0.05, 0]] });
    const frame = new Float32Array(frameSize(env.meta.frame));
    env.frame(0, frame);
    expect(frame[6 + 4]).toBeCloseTo(0.05, 6);
    env.step(Float32Array.of(0, 0), buffers);
    expect([buffers.reward[0], buffers.terminated[0]]).toEqual([1, 1]);
    env.frame(0, frame);
    expect(frame[6 + 4]).toBe(0);
  });

  it('a covered target comes back elsewhere, away from everything', () => {
    const config = { agents: 2, targets: 2 };
    const { env, buffers, now } = one(vmasDiscovery, config, {
      agentPos: [
        [-0.1, 0],
        [0.1, 0],
      ],
      agentVel: [
        [0, 0],
        [0, 0],
      ],
      landmarkPos: [
        [0, 0.1],
        [0.8, 0.8],
      ],
    });
    env.step(new Float32Array(4), buffers);
    expect(Array.from(buffers.reward)).toEqual([1, 1]);
    const [moved, other] = now().landmarkPos as [number[], number[]];
    expect(other).toEqual([0.8, 0.8]);
    for (const [x, y] of [...now().agentPos!, other]) expect(Math.hypot(moved[0]! - x!, moved[1]! - y!)).toBeGreaterThanOrEqual(0.2);
  });
});
