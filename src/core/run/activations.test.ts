import { expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { trained } from '../testing/trained.ts';
import { measureEmergence } from './activations.ts';
import { buildPolicy } from './loaded.ts';

async function emergenceOf(algo: string, env: string, config: JsonObject, seed: number): Promise<number> {
  const [entry, world] = [getAlgo(algo), getEnv(env)];
  const { snapshot } = await trained({ algo: entry, env: world, config, steps: 256, seed });
  const { policy, free } = await buildPolicy({
    kind: 'policy',
    version: 1,
    env: { id: env, version: world.version, config: world.parse({}) },
    algo: { id: algo, version: entry.version, config: entry.parse(config) },
    seed,
    step: 256,
    executor: 'wasm',
    saved: snapshot,
  });
  try {
    return await measureEmergence(policy, world, world.parse({}));
  } finally {
    free();
  }
}

test.each([
  ['ppo', 'cartpole', { envs: 4, rolloutSteps: 32 }],
  ['dqn', 'cartpole', { dueling: true, hidden: [40] }],
  ['sac', 'pendulum', { hidden: [16] }],
] as const)('%s on %s: the same number for the same policy, another one for another', async (algo, env, config) => {
  const [one, again, other] = [
    await emergenceOf(algo, env, config, 1),
    await emergenceOf(algo, env, config, 1),
    await emergenceOf(algo, env, config, 2),
  ];
  expect(one).toBeGreaterThan(0);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test('a table has no hidden units', async () => {
  expect(await emergenceOf('q-learning', 'cliff-walking', {}, 1)).toBeNaN();
});
