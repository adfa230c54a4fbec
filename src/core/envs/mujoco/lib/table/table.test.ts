import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { EnvEntry } from '../../../api/types.ts';
import { mujocoTablePick } from '../../mujoco-table-pick.ts';
import { mujocoTablePush } from '../../mujoco-table-push.ts';
import { mujocoTableReach } from '../../mujoco-table-reach.ts';
import { TIMESTEP } from './model.ts';

const TASKS = [mujocoTableReach, mujocoTablePush, mujocoTablePick];
const GRAVITY = 9.81;
const SUBSTEPS = 10;

beforeAll(async () => {
  for (const task of TASKS) await task.prepare?.();
});

/** The pick task with the cube as given, and how it stands after some steps in which the hand stays away from it. */
function cubeAfter(steps: number, place: readonly number[], speed: readonly number[], config: JsonObject = {}) {
  const env = mujocoTablePick.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const { state } = env.meta;
  const json = state.toJSON(env.save(0)) as JsonObject;
  const qpos = [-0.3, -0.3, 0.6, 0.05, 0.05, ...place, 1, 0, 0, 0];
  env.load(0, state.fromJSON({ ...json, qpos, qvel: [0, 0, 0, 0, 0, ...speed], warmstart: new Array<number>(11).fill(0) }), buffers);
  const action = Float32Array.of(0, 0, 0, 1);
  for (let t = 0; t < steps; t++) env.step(action, buffers);
  const { qpos: to, qvel } = state.toJSON(env.save(0)) as { readonly qpos: number[]; readonly qvel: number[] };
  return { place: to.slice(5, 8), speed: qvel.slice(5) };
}

describe('the physics of the cube', () => {
  test('it falls as the integrator’s sum says: z - g h² n (n + 1) / 2', () => {
    const n = 5 * SUBSTEPS;
    const { place, speed } = cubeAfter(5, [0.1, 0.1, 0.5], [0, 0, 0, 0, 0, 0]);
    expect(place[2]).toBeCloseTo(0.5 - (GRAVITY * TIMESTEP * TIMESTEP * n * (n + 1)) / 2, 9);
    expect(speed[2]).toBeCloseTo(-GRAVITY * TIMESTEP * n, 9);
  });

  test('without gravity it keeps its momentum and its spin', () => {
    const before = [0.1, -0.05, 0.02, 1, -2, 3];
    const { place, speed } = cubeAfter(40, [0, 0, 0.3], before, { gravity: 0 });
    for (const [i, v] of speed.entries()) expect(v).toBeCloseTo(before[i]!, 9);
    expect(place[0]).toBeCloseTo(0.1 * 40 * SUBSTEPS * TIMESTEP, 9);
  });

  test('on the table it slides v² / (2 mu g) and stays there', () => {
    const { place, speed } = cubeAfter(20, [-0.1, 0.1, 0.025], [1, 0, 0, 0, 0, 0], { friction: 0.5 });
    const way = 1 / (2 * 0.5 * GRAVITY);
    expect(place[0]! + 0.1).toBeGreaterThan(0.93 * way);
    expect(place[0]! + 0.1).toBeLessThan(1.07 * way);
    expect(Math.abs(speed[0]!)).toBeLessThan(1e-3);
  });
});

test.each(TASKS.map((task) => [task.id, task] as const))(
  '%s: dense pays minus the distance, sparse whether it is below the threshold',
  (_, task) => {
    for (const reward of ['sparse', 'dense']) {
      const env = task.create({ reward }, 4);
      const buffers = createBuffers(env.meta, 4);
      const actions = createActions(env.meta, 4);
      const { achieved, desired } = env.meta.goals!;
      env.reset(Uint32Array.of(1, 2, 3, 4), buffers);
      const measure = new Float64Array(1);
      for (let t = 0; t < 12; t++) {
        task.policies({}).expert!.act(env, buffers, actions);
        env.step(actions, buffers);
        for (let row = 0; row < 4; row++) {
          const at = row * env.meta.obsSize;
          const way = Math.hypot(...[0, 1, 2].map((i) => buffers.obs[at + achieved + i]! - buffers.obs[at + desired + i]!));
          if (Math.abs(way - 0.05) < 1e-5) continue; // float32 cannot say
          expect(buffers.reward[row]).toBeCloseTo(reward === 'dense' ? -way : way > 0.05 ? -1 : 0, 5);
          env.measure?.(row, measure, 0);
          expect(measure[0]).toBe(way > 0.05 ? 0 : 1);
        }
      }
    }
  },
);

/** Share of episodes that end at the goal, and the mean return. `error`: part of the steps in which the action is drawn evenly instead. */
function play(task: EnvEntry, episodes: number, error: number) {
  const env = task.create({}, episodes);
  const buffers = createBuffers(env.meta, episodes);
  const actions = createActions(env.meta, episodes);
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => i + 1),
    buffers,
  );
  let state = 1;
  const draw = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let sum = 0;
  for (let t = 0; t < 50; t++) {
    task.policies({}).expert!.act(env, buffers, actions);
    for (let row = 0; row < episodes; row++) if (draw() < error) for (let i = 0; i < 4; i++) actions[row * 4 + i] = 2 * draw() - 1;
    env.step(actions, buffers);
    sum += buffers.reward.reduce((a, b) => a + b, 0);
  }
  const one = new Float64Array(1);
  let reached = 0;
  for (let row = 0; row < episodes; row++) {
    env.measure?.(row, one, 0);
    reached += one[0]!;
  }
  return { success: reached / episodes, mean: sum / episodes };
}

test.each(TASKS.map((task) => [task.id, task] as const))('%s: the expert is there at the end, random play hardly ever', (_, task) => {
  const expert = play(task, 16, 0);
  const random = play(task, 16, 1);
  expect(expert.success).toBeGreaterThan(0.9);
  expect(random.success).toBeLessThan(0.3);
  expect(expert.mean).toBeGreaterThan(random.mean + 20);
});
