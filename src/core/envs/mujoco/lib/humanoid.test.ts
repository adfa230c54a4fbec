import { beforeAll, expect, it } from 'vitest';
import { present } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { mujocoHumanoid } from '../mujoco-humanoid.ts';
import { mujocoHumanoidStandup } from '../mujoco-humanoid-standup.ts';

beforeAll(() => Promise.all([mujocoHumanoid.prepare?.(), mujocoHumanoidStandup.prepare?.()]));

// The expected rewards are those of humanoid_v5.py and humanoidstandup_v5.py of Gymnasium on the same module: they pay for `data.ctrl`, which
// MuJoCo sets to 0 where it begins anew in mid-step.
it.each([
  { entry: mujocoHumanoid, height: 1.4, reward: 5 },
  { entry: mujocoHumanoidStandup, height: 0.105, reward: 37.3035 },
])('$entry.id: where the physics breaks down no motor is paid for', ({ entry, height, reward }) => {
  const env = entry.create({}, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const rest = Array<number>(17).fill(0);
  const state = { qpos: [0, 0, height, 1, 0, 0, 0, ...rest], qvel: [1e11, 0, 0, 0, 0, 0, ...rest] };
  const { rng } = env.meta.state.toJSON(env.save(0));
  const bytes = entry.golden.fromJson?.({ ...state, steps: 0, rng: rng ?? [] }, entry.parse({}));
  env.load(0, present(bytes, 'a state'), buffers);
  env.step(createActions(env.meta, 1).fill(0.4), buffers);
  expect(buffers.reward[0]).toBeCloseTo(reward, 3);
});
