import { describe, expect, it } from 'vitest';
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

/** Steps that a policy of the entry lasts, at most `most`, and its return. */
async function played(entry: EnvEntry, name: string, most: number): Promise<{ readonly steps: number; readonly total: number }> {
  await entry.prepare?.();
  const env = entry.create({}, 1);
  const policy = entry.policies({})[name];
  if (policy === undefined) throw new Error(`no policy ${name}`);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  let total = 0;
  for (let steps = 1; steps <= most; steps++) {
    policy.act(env, buffers, actions);
    env.step(actions, buffers);
    total += buffers.reward[0]!;
    if (buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0) return { steps, total };
  }
  return { steps: most, total };
}

describe('what bodies do before they learn', () => {
  it.each([
    ['hopper', mujocoHopper, 400],
    ['walker', mujocoWalker2d, 400],
    ['ant', mujocoAnt, 60],
    ['humanoid', mujocoHumanoid, 60],
  ] as const)('%s stands', async (_, entry, steps) => {
    expect((await played(entry, 'stance', steps)).steps).toBe(steps);
  });

  it.each([
    ['half cheetah', mujocoHalfCheetah, 'gallop', 100],
    ['swimmer', mujocoSwimmer, 'stroke', 40],
  ] as const)('%s moves ahead', async (_, entry, name, least) => {
    expect((await played(entry, name, 200)).total).toBeGreaterThan(least);
  });

  it('a pole on a cart is balanced to the end', async () => {
    expect(await played(mujocoInvertedPendulum, 'expert', 1000)).toEqual({ steps: 1000, total: 1000 });
  });

  it('two poles on a cart are balanced to the end, at almost all that can be had', async () => {
    const { steps, total } = await played(mujocoInvertedDoublePendulum, 'expert', 1000);
    expect(steps).toBe(1000);
    expect(total).toBeGreaterThan(9350); // 10 a step are the most
  });

  it('a humanoid that lies sits up: its hips are at 0.4 m and more on average', async () => {
    const dt = 0.003;
    expect(((await played(mujocoHumanoidStandup, 'sit-up', 250)).total * dt) / 250).toBeGreaterThan(0.4);
  });

  it('the arm of the pusher waits above the table and leaves the cylinder where it is', async () => {
    await mujocoPusher.prepare?.();
    const env = mujocoPusher.create({}, 1);
    const policy = mujocoPusher.policies({}).stance;
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const [hand, cylinder] = [16, 17]; // height of the hand; x, y, z of the cylinder
    const before = [...buffers.obs.subarray(cylinder, cylinder + 3)];
    for (let step = 0; step < 60; step++) {
      policy?.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    expect(buffers.obs[hand]).toBeGreaterThan(0.1);
    expect([...buffers.obs.subarray(cylinder, cylinder + 3)]).toEqual(before);
  });

  it('an arm reaches its target', async () => {
    expect((await played(mujocoReacher, 'expert', 50)).total).toBeGreaterThan(-12);
  });
});
