import { expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { mean } from '#math/stats.ts';
import { createSession } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';

const SEEDS = [1, 2, 3];

/** Greedy returns of so many updates, by seed. */
async function returns(
  env: { readonly id: string; readonly config: JsonObject },
  settings: JsonObject,
  steps: number,
): Promise<readonly number[]> {
  const config = runConfigSchema.parse({
    env,
    algo: { id: 'cpl', config: getAlgo('cpl').parse(settings) },
    run: { steps, evalEpisodes: 50 },
  });
  const found: number[] = [];
  for (const seed of SEEDS)
    for await (const event of createSession({ config, seed, now: () => 0 })) {
      if (event.kind === 'result') found.push(event.result.evalReturn);
      if (event.kind === 'state' && event.error !== undefined) throw new LabError(event.error);
    }
  return found;
}

/** Random play, cloned: it does not come to the goal on purpose. Answers about it say how good its decisions were. */
const room = { id: 'key-grid', config: { map: ['S.W.', '..DG', 'K.W.'] } };
const preset = getAlgo('cpl').presets.find(({ id }) => id === 'key-grid')?.config;
const keyGrid = { ...preset, hidden: [32], recordSteps: 3000, answers: 1000, cloneSteps: 200 };

it.each([
  ['cpl', {}],
  ['dpo', { loss: { kind: 'dpo', beta: 0.5 } }],
])('%s: from what random play decided better and worse to the key, the door and the goal', async (_, loss) => {
  const settings = { ...keyGrid, ...loss };
  const clone = await returns(room, settings, 200);
  const learned = await returns(room, settings, 2000);
  expect(mean(clone)).toBeLessThan(0.4);
  expect(Math.min(...learned)).toBeGreaterThan(0.7);
});

it('cpl: from play of mixed quality, compared with what the scripted player would have done, to hold the pendulum up', async () => {
  const pendulum = { id: 'pendulum', config: {} };
  const preset = getAlgo('cpl').presets.find(({ id }) => id === 'pendulum')?.config;
  const settings = { ...preset, lr: 3e-3, recordSteps: 6000, cloneSteps: 300, pairs: 16 };
  const clone = await returns(pendulum, settings, 300);
  const learned = await returns(pendulum, settings, 1000);
  expect(Math.max(...clone)).toBeLessThan(-900);
  expect(Math.min(...learned)).toBeGreaterThan(-600);
});

it('refuses segments that no recorded episode is long enough for, and raters that know nothing there', async () => {
  await expect(returns(room, { ...keyGrid, segment: 400 }, 10)).rejects.toThrow('No recorded episode has 400 steps.');
  const team = { id: 'mpe-simple-spread', config: {} };
  await expect(returns(team, { rater: 'regret', recordSteps: 100, segment: 5 }, 10)).rejects.toThrow('exact model');
});
