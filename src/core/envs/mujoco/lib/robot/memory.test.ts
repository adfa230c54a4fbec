import { expect, test, vi } from 'vitest';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import { EXAMPLE } from './example.ts';

// With a module of its own: its memory never shrinks, and files that share this process leave theirs large and in pieces.
test('memory is flat over fifty models that are opened and closed', async () => {
  vi.resetModules();
  const [{ mujocoRobot }, { AS_COMPILED, robotSim }] = await Promise.all([import('../../mujoco-robot.ts'), import('./model.ts')]);
  await mujocoRobot.prepare?.();
  const sizes: number[] = [];
  for (let i = 0; i < 62; i++) {
    const robot = { ...EXAMPLE, mjcf: EXAMPLE.mjcf.replace('0.2 0.07 0.035', `0.2 0.07 ${0.03 + i / 9000}`) };
    const env = mujocoRobot.create({ robot }, 2);
    const buffers = createBuffers(env.meta, 2);
    const actions = createActions(env.meta, 2);
    env.reset(Uint32Array.of(1, 2), buffers);
    for (let t = 0; t < 3; t++) env.step(actions, buffers);
    env.frame(0, new Float32Array(10_000));
    sizes.push(robotSim(robot, true, AS_COMPILED).data.qpos.buffer.byteLength);
  }
  // The first dozen fills the places of the models that are open at a time.
  expect(new Set(sizes.slice(12)).size).toBe(1);
  expect(sizes.at(-1)).toBeLessThan(200e6);
});
