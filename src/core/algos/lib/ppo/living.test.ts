import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../../engine/index.ts';
import { mortal, outlived } from '../../../testing/probes.ts';
import { trained } from '../../../testing/trained.ts';
import { getAlgo } from '../../all.ts';

const SETTINGS = {
  ppo: { envs: 4, rolloutSteps: 32, minibatches: 2, hidden: [8], lr: 1e-2 },
  a2c: { hidden: [8], lr: 1e-2 },
  impala: { hidden: [8], lr: 1e-2 },
  trpo: { envs: 4, rolloutSteps: 32, minibatches: 2, hidden: [8], lr: 1e-2 },
  ppg: { envs: 4, rolloutSteps: 32, minibatches: 2, phaseIterations: 4, hidden: [8], lr: 1e-2 },
} as const;

const LEARNED = { envs: 4, rolloutSteps: 32, minibatches: 2, hidden: [8], rewardHidden: [8], rewardUpdates: 4, lr: 1e-2 };

it.each([
  ['preference-ppo', { ...LEARNED, answers: 20, segment: 4 }],
  ['spo', { ...LEARNED, answers: 20, segment: 4 }],
] as const)('%s learns neither policy nor reward from what dead agents are shown and paid', async (id, config) => {
  const hash = async (late: number): Promise<string> =>
    (await trained({ algo: getAlgo(id), env: outlived(late), config, steps: 1024 })).hash;
  expect(await hash(5)).toBe(await hash(-3));
});

it.each(['ppo', 'a2c', 'impala', 'trpo', 'ppg'] as const)('%s learns nothing from what dead agents are shown and paid', async (id) => {
  const hash = async (late: number): Promise<string> =>
    (await trained({ algo: getAlgo(id), env: outlived(late), config: SETTINGS[id], steps: 1024 })).hash;
  expect(await hash(5)).toBe(await hash(-3));
});

it.each(['ppo', 'a2c', 'impala', 'trpo', 'ppg'] as const)('%s: the return of an agent ends with its death', async (id) => {
  const algo = getAlgo(id);
  const config = algo.parse({ ...SETTINGS[id], gamma: 0.5 });
  const { snapshot } = await trained({ algo, env: mortal, config, steps: 16_384 });
  const makeEngine = () => createEngine('wasm');
  const policy = await algo.policy({ config, meta: mortal.meta({}), envEntry: mortal, envConfig: {}, makeEngine }, snapshot);
  const obs = Float32Array.of(1, -1); // of the agent that lives on, of the one that is paid 1 and dies
  const query = { obs, agent: Int32Array.of(0, 1), hidden: policy.initial(2), rng: Rng.from(0), rows: 2, greedy: true };
  const { value } = await policy.act(query);
  expect(value![1]).toBeCloseTo(1, 0);
  expect(value![0]).toBeGreaterThan(1.3); // 2 if it went on for ever
  policy.dispose();
});
