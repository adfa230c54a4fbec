/** Training as a loop, with an environment and an algorithm that stand in no registry. */
import { expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { ppo } from '../algos/on-policy/ppo.ts';
import { cartpole } from '../envs/classic/cartpole.ts';
import { bandit } from '../testing/probes.ts';
import { evaluate } from './evaluate.ts';
import { createSession } from './loaded.ts';
import { loadPolicy, makeEnv, type TrainProgress, train } from './train.ts';

const own: AlgoEntry = { ...ppo, id: 'my-ppo' };
const config = { envs: 4, rolloutSteps: 32, hidden: [8], lr: 0.01 };

async function last(run: AsyncIterable<TrainProgress>): Promise<TrainProgress> {
  let end: TrainProgress | null = null;
  for await (const progress of run) end = progress;
  return end as TrainProgress;
}

it('trains what it is given, and gives the policy back', async () => {
  const { result, policy } = await last(train({ env: bandit, algo: own, config, steps: 4000 }));
  expect(result?.evalReturn).toBe(1);
  expect(policy?.algo.id).toBe('my-ppo');
  const loaded = await loadPolicy(policy!, { env: bandit, algo: own });
  expect((await evaluate(loaded.policy, bandit, {}, { episodes: 10 })).score).toBe(1);
  loaded.free();
  await expect(loadPolicy(policy!, { env: bandit, algo: ppo })).rejects.toThrow('There is no algorithm "my-ppo"');
});

it('gives the same bits as a session by id', async () => {
  const { result } = await last(train({ env: cartpole, algo: ppo, config, steps: 1280, seed: 3 }));
  const algo = { id: 'ppo', version: ppo.version, config: ppo.parse(config) };
  const env = { id: 'cartpole', version: cartpole.version, config: {} };
  const run = { steps: 1280, seeds: 1, seedStart: 3, executor: 'wasm', evalEvery: 0, evalEpisodes: 100 } as const;
  let hash = '';
  for await (const event of createSession({ config: { v: 1, env, algo, run }, seed: 3, now: () => 0 }))
    if (event.kind === 'result') hash = event.result.parameterHash;
  expect(result?.parameterHash).toBe(hash);
});

it('names the field that is wrong before the first step, and throws what stops the run', async () => {
  await expect(last(train({ env: cartpole, algo: ppo, config: { lr: -1 }, steps: 100 }))).rejects.toThrow('algo.lr cannot be -1');
  const broken: AlgoEntry = {
    ...ppo,
    async *train() {
      yield* [];
      throw new LabError({ id: 'nan-loss', message: 'broken', fix: '' });
    },
  };
  await expect(last(train({ env: cartpole, algo: broken, steps: 100 }))).rejects.toThrow('broken');
});

it('leaving the loop ends the run', async () => {
  let ended = false;
  const watched: AlgoEntry = {
    ...ppo,
    async *train(run, resume) {
      try {
        yield* ppo.train(run, resume);
      } finally {
        ended = true;
      }
    },
  };
  for await (const { step } of train({ env: cartpole, algo: watched, config, steps: 1e6 })) if (step > 500) break;
  expect(ended).toBe(true);
});

it('makeEnv gives started copies', () => {
  const env = makeEnv(cartpole, { numEnvs: 3, config: { gravity: 5 } });
  expect(env.buffers.obs.length).toBe(12);
  expect(env.buffers.obs.some((value) => value !== 0)).toBe(true);
});
