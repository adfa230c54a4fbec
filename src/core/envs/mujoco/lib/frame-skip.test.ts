/** Steps of the physics per action: hashes of runs from before the setting, the same motion in larger steps, speeds by the time that passed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { mujocoAnt } from '../mujoco-ant.ts';
import { mujocoHalfCheetah } from '../mujoco-half-cheetah.ts';
import { mujocoHopper } from '../mujoco-hopper.ts';
import { mujocoHumanoid } from '../mujoco-humanoid.ts';
import { mujocoHumanoidStandup } from '../mujoco-humanoid-standup.ts';
import { mujocoInvertedDoublePendulum } from '../mujoco-inverted-double-pendulum.ts';
import { mujocoInvertedPendulum } from '../mujoco-inverted-pendulum.ts';
import { mujocoPusher } from '../mujoco-pusher.ts';
import { mujocoReacher } from '../mujoco-reacher.ts';
import { mujocoSwimmer } from '../mujoco-swimmer.ts';
import { mujocoWalker2d } from '../mujoco-walker2d.ts';

/** With the steps of Gymnasium v5. */
const bodies = [
  [mujocoAnt, 5],
  [mujocoHalfCheetah, 5],
  [mujocoHopper, 4],
  [mujocoHumanoid, 5],
  [mujocoHumanoidStandup, 5],
  [mujocoInvertedDoublePendulum, 5],
  [mujocoInvertedPendulum, 2],
  [mujocoPusher, 5],
  [mujocoReacher, 2],
  [mujocoSwimmer, 4],
  [mujocoWalker2d, 4],
] as const;

beforeAll(() => Promise.all(bodies.map(([entry]) => entry.prepare?.())));

interface Played {
  readonly qpos: readonly number[];
  readonly rewards: readonly number[];
}
function played(entry: EnvEntry, frameSkip: number, steps: number): Played {
  const env = entry.create({ frameSkip }, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const rewards = Array.from({ length: steps }, () => {
    env.step(createActions(env.meta, 1).fill(0.1), buffers);
    return buffers.reward[0]!;
  });
  const { qpos } = env.meta.state.toJSON(env.save(0));
  return { qpos: qpos as number[], rewards };
}

describe.each(bodies.map(([entry, published]) => ({ entry, id: entry.id, published })))('$id', ({ entry, published }) => {
  it('has the published steps, which are no part of a hash', () => {
    const config = entry.parse({});
    expect(config).toMatchObject({ frameSkip: published });
    expect(flatConfig(entry.id, config, true)).not.toHaveProperty('frameSkip');
    expect(flatConfig(entry.id, { ...config, frameSkip: 3 }, true)).toHaveProperty('frameSkip', 3);
    expect(Math.abs(2 * entry.meta({ frameSkip: 2 * published }).fps! - entry.meta({}).fps!)).toBeLessThanOrEqual(1);
    expect(entry.meta({}).references.length).toBeGreaterThan(0);
    expect(entry.meta({ frameSkip: 3 }).references).toEqual([]);
  });

  it('moves in one step of twice the length as in two', () => {
    const [two, one] = [played(entry, published, 2), played(entry, 2 * published, 1)];
    expect(one.qpos).toEqual(two.qpos);
  });
});

it.each([
  { entry: mujocoHalfCheetah, published: 5 },
  { entry: mujocoSwimmer, published: 4 },
  { entry: mujocoHopper, published: 4 },
  { entry: mujocoWalker2d, published: 4 },
])('$entry.id is paid for its speed, whatever the length of a step', ({ entry, published }) => {
  const [two, one] = [played(entry, published, 2), played(entry, 2 * published, 1)];
  expect(one.rewards[0]).toBeCloseTo((two.rewards[0]! + two.rewards[1]!) / 2, 5);
});
