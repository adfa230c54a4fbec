import { expect, it } from 'vitest';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { mujocoAnt } from '../mujoco-ant.ts';
import { mujocoInvertedPendulum } from '../mujoco-inverted-pendulum.ts';

it('the contact forces of an ant at rest carry its weight, and are drawn where it stands', async () => {
  await mujocoAnt.prepare?.();
  const env = mujocoAnt.create({ terminateWhenUnhealthy: false, resetNoiseScale: 0 }, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const actions = createActions(env.meta, 1);
  for (let t = 0; t < 200; t++) env.step(actions, buffers);
  const layout = env.meta.frame;
  if (layout.kind !== 'bodies') throw new Error('an ant is a body');
  const { parts, contactForces = 0, extra, bounds } = layout;
  const frame = new Float32Array(parts.length * 7 + contactForces * 6 + extra.length);
  env.frame(0, frame);
  const arrows = Array.from({ length: contactForces }, (_, i) => frame.subarray(parts.length * 7 + i * 6, parts.length * 7 + i * 6 + 6));
  const touching = arrows.filter((arrow) => arrow[5] !== 0);
  expect(touching.length).toBeGreaterThanOrEqual(3);
  for (const [, , z = 1] of touching) expect(Math.abs(z)).toBeLessThan(0.03);
  // A force as large as the weight is 0.4 of the picture's height.
  const carried = touching.reduce((sum, arrow) => sum + arrow[5]!, 0);
  expect(carried / (0.4 * (bounds[5] - bounds[2]))).toBeCloseTo(1, 2);
});

it('where nothing can touch there is nothing to draw', () => {
  const { frame } = mujocoInvertedPendulum.meta({});
  expect(frame.kind === 'bodies' && frame.contactForces).toBe(undefined);
});

it('a rail is drawn as its shape alone, without the stops and feet of cart pole’s', () => {
  const { frame } = mujocoInvertedPendulum.meta({});
  expect(frame.kind === 'bodies' && frame.parts.map(({ name, plain }) => [name, plain])).toEqual([
    ['rail', true],
    ['cart body', true],
    ['standing pole', true],
  ]);
});
