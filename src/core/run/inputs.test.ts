import { expect, it } from 'vitest';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { lostObservation } from '../testing/planted.ts';
import { broken } from '../testing/probes.ts';
import { completeRun } from './complete.ts';
import { registryOf } from './registry.ts';
import { createSession } from './session.ts';

/** Events of a short run with these entries. */
async function events(entry: ReturnType<typeof getEnv>) {
  const algo = getAlgo('ppo');
  const settings = { envs: 2, rolloutSteps: 16, minibatches: 2, epochs: 1, hidden: [8] };
  const config = completeRun(
    { env: { id: entry.id }, algo: { id: 'ppo', config: settings }, run: { steps: 640, evalEpisodes: 1 } },
    registryOf([entry], [algo]),
  );
  const all = [];
  for await (const event of createSession({ config, env: entry, algo, seed: 1, now: () => 0, sliceMs: 0 })) all.push(event);
  return all;
}

it('an observation that is lost ends the run at once and is named: environment, copy, number and step', async () => {
  const all = await events(lostObservation(getEnv('cartpole'), 100, 6));
  const last = all.at(-1);
  expect(last).toMatchObject({ kind: 'state', state: 'failed', error: { id: 'nan-input' } });
  const message = (last?.kind === 'state' && last.error?.message) || '';
  expect(message).toContain('cartpole broke at step 200: number 3 of 4');
  expect(message).toContain('of the observation is NaN, in copy 2 of 2');
  const mark = all.find((event) => event.kind === 'mark');
  expect(mark).toMatchObject({ type: 'warning', finding: { id: 'input', title: 'An observation is not a number', sure: 'certain' } });
});

it('so does a reward', async () => {
  const last = (await events(broken)).at(-1);
  expect(last?.kind === 'state' && last.error?.message).toMatch(/at step 2: the reward is NaN, in copy 1 of 2/);
});
