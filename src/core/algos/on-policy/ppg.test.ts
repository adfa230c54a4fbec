/** PPG: when the auxiliary phase comes, what it learns, and that it leaves the policy where it is. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';

const ppg = getAlgo('ppg');
const config = { envs: 4, rolloutSteps: 32, minibatches: 4, phaseIterations: 8, hidden: [16], lr: 3e-3 };
const ITERATION = 4 * 32;
const PHASE = 8 * ITERATION;
const run = (own: JsonObject, steps: number, env = 'cartpole') =>
  trained({ algo: ppg, env: getEnv(env), config: { ...config, ...own }, steps });
/** Of the last row: that of an auxiliary phase. */
const auxiliary = async (own: JsonObject, env?: string) => {
  const { rows } = await run(own, PHASE, env);
  const { auxValueLoss, cloneKl } = rows.at(-1)![1];
  return { error: auxValueLoss!, kl: cloneKl! };
};

describe('the auxiliary phase', () => {
  it('comes every N_pi iterations', async () => {
    const { rows } = await run({}, 2 * PHASE + ITERATION);
    expect(rows.filter(([, metrics]) => metrics.auxValueLoss !== undefined).map(([step]) => step)).toEqual([PHASE, 2 * PHASE]);
    const without = await run({ auxEpochs: 0 }, PHASE);
    expect(without.rows.every(([, metrics]) => metrics.auxValueLoss === undefined)).toBe(true);
  });

  it.each(['cartpole', 'mountain-car-continuous', 'minigrid-empty'])(
    '%s: the value on the policy’s layers gets better, the policy stays',
    async (env) => {
      const [one, six, free] = await Promise.all([
        auxiliary({ auxEpochs: 1 }, env),
        auxiliary({ auxEpochs: 6 }, env),
        auxiliary({ auxEpochs: 6, betaClone: 0 }, env),
      ]);
      expect(six.error).toBeLessThan(0.5 * one.error);
      expect(six.kl).toBeLessThan(0.001);
      expect(six.kl).toBeLessThan(0.3 * free.kl);
    },
  );

  it('changes neither policy nor values before its time', async () => {
    const steps = PHASE - ITERATION;
    const [with_, without] = [await run({}, steps), await run({ auxEpochs: 0 }, steps)];
    expect(with_.hash).toBe(without.hash);
    expect((await run({}, PHASE)).hash).not.toBe((await run({ auxEpochs: 0 }, PHASE)).hash);
  });
});

it('resumes within a phase with what the phase has kept', async () => {
  const task = { algo: ppg, env: getEnv('minigrid-empty'), config, steps: PHASE };
  const whole = await trained(task);
  const half = await trained(task, { stopAt: PHASE / 2 });
  expect(half.steps).toBe(PHASE / 2);
  expect((await trained(task, { resume: half.saved })).hash).toBe(whole.hash);
});

it('refuses a phase that no memory holds', () => {
  const { meta, parse } = getEnv('minigrid-empty');
  const large = ppg.parse({ envs: 1024, rolloutSteps: 1024, phaseIterations: 64 });
  expect(() => ppg.fits(meta(parse({})), large)).toThrow(/A phase of 67108864 observations would take/);
});
