/** Variants of PPO and DQN on probes; what every method must solve stands in its own file (algos.test.ts). */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../engine/index.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createSession } from '../run/loaded.ts';
import { bars, cued, delayed, endless, pointing } from '../testing/probes.ts';
import { getAlgo } from './all.ts';

async function train(env: EnvEntry, algoId: string, steps: number, settings: JsonObject, seed = 1) {
  const algo = getAlgo(algoId);
  const config = runConfigSchema.parse({
    env: { id: env.id },
    algo: { id: algoId, config: algo.parse(settings) },
    run: { steps, evalEpisodes: 50 },
  });
  let evalReturn = Number.NaN;
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed, now: () => 0, env })) {
    if (event.kind === 'result') evalReturn = event.result.evalReturn;
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
  }
  if (snapshot === undefined) throw new Error('no policy');
  const policy = await algo.policy(
    { config: snapshot.algo.config, meta: env.meta({}), envEntry: env, envConfig: {}, makeEngine: () => createEngine('wasm') },
    snapshot.saved,
  );
  const ask = async (obs: readonly number[]) =>
    policy.act({
      obs: Float32Array.from(obs),
      agent: Int32Array.of(0),
      hidden: policy.initial(1),
      rng: Rng.from(1),
      rows: 1,
      greedy: true,
    });
  return { evalReturn, ask };
}

const fastPpo = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] };
const fastDqn = {
  lr: 3e-3,
  gamma: 0.9,
  hidden: [16],
  learningStarts: 100,
  bufferSize: 1000,
  batchSize: 32,
  trainEvery: 2,
  targetEvery: 50,
  epsilonFraction: 0.5,
};

it.each([
  ['dqn', cued, { ...fastDqn, double: true, dueling: true }, 3000, 1],
  ['dqn', delayed, { ...fastDqn, nStep: 3, prioritised: { kind: 'on' }, double: true }, 4000, 1],
  [
    'dqn',
    delayed,
    { ...fastDqn, distribution: { kind: 'categorical', atoms: 21, low: -2, high: 2 }, double: true, prioritised: { kind: 'on' } },
    4000,
    1,
  ],
  ['dqn', delayed, { ...fastDqn, distribution: { kind: 'quantile', atoms: 11 }, dueling: true, nStep: 3 }, 4000, 1],
  ['dqn', delayed, { ...fastDqn, distribution: { kind: 'implicit quantile' } }, 4000, 1],
  ['dqn', cued, { ...fastDqn, noisy: { kind: 'on' }, epsilonStart: 0, epsilonEnd: 0 }, 3000, 1],
  ['dqn', delayed, { ...fastDqn, munchausen: { kind: 'on' } }, 4000, 1],
  ['dqn', delayed, { ...fastDqn, munchausen: { kind: 'on' }, distribution: { kind: 'implicit quantile' }, noisy: { kind: 'on' } }, 4000, 1],
] as const)('%s solves $1.id', async (algo, env, settings, steps, want) => {
  const { evalReturn } = await train(env, algo, steps, settings as JsonObject);
  expect(evalReturn).toBeCloseTo(want, 6);
});

it('PPO finds a continuous action with normalised observations and rewards', async () => {
  const { evalReturn } = await train(pointing, 'ppo', 12_000, { ...fastPpo, normaliseObs: true, normaliseReward: true });
  expect(evalReturn).toBeGreaterThan(0.95);
});

it('values bootstrap over time limits: 1 / (1 - gamma), and 0.9-discounted five steps without', async () => {
  const settings = { ...fastPpo, clipValue: false, valueCoef: 2, lr: 1e-2, maxGradNorm: 10 };
  const on = await train(endless, 'ppo', 20_000, settings);
  expect((await on.ask([1])).value![0]).toBeGreaterThan(9);
  const off = await train(endless, 'ppo', 20_000, { ...settings, bootstrapAtTruncation: false });
  expect((await off.ask([1])).value![0]).toBeLessThan(4.1);
  const q = await train(endless, 'dqn', 12_000, { ...fastDqn, targetEvery: 100, tau: 1, lr: 1e-2 });
  expect((await q.ask([1])).value![0]).toBeGreaterThan(9);
});

it.each([
  [{ distribution: { kind: 'categorical', low: 1, high: 1 } }, 'algo.distribution.low'],
  [{ distribution: { kind: 'categorical' }, munchausen: { kind: 'on' } }, 'algo.distribution.kind'],
  [{ double: true, munchausen: { kind: 'on' } }, 'algo.double'],
  [{ nStep: 2, munchausen: { kind: 'on' } }, 'algo.nStep'],
] as const)('DQN refuses %j and names %s', (settings, field) => {
  const algo = getAlgo('dqn');
  expect(() => algo.fits(cued.meta({}), algo.parse(settings))).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ field }) }),
  );
});

const fastPqn = { envs: 8, rolloutSteps: 8, minibatches: 2, lr: 3e-3, gamma: 0.9, hidden: [16], epsilonEnd: 0.1, annealLr: false };
it.each([
  ['ppo', { ...fastPpo, filters: 4 }],
  ['ppo', { ...fastPpo, filters: 4, sharedTrunk: true, activation: 'relu' }],
  ['dqn', { ...fastDqn, filters: 4, dueling: true }],
  ['pqn', { ...fastPqn, filters: 4 }],
] as const)('%s sees with a convolution what an image shows: %j', async (algo, settings) => {
  const { evalReturn } = await train(bars, algo, 4000, settings);
  expect(evalReturn).toBe(1);
});

it.each(['ppo', 'dqn', 'pqn'])('%s refuses to convolve what is no image', async (algo) => {
  await expect(train(cued, algo, 500, { filters: 4 })).rejects.toThrow('images or grids of at least 3x3');
});
