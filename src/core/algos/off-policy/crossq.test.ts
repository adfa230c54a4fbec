/** CrossQ: values without target critics, and statistics of one batch of both halves. */
import { expect, it } from 'vitest';
import { endlessBox } from '../../testing/box-probes.ts';
import { ask, play } from '../../testing/play.ts';
import { pointing } from '../../testing/probes.ts';
import { trained } from '../../testing/trained.ts';
import { crossq } from './crossq.ts';

it('bootstraps over time limits: 1 / (1 - gamma)', async () => {
  const run = await play(endlessBox, 'crossq', 3000, {
    ...crossq.probeConfig,
    trainEvery: 1,
    autoTemperature: 'off',
    temperature: 1e-3,
  });
  const value = (await ask(endlessBox, run, [1])).value![0]!;
  expect(value).toBeGreaterThan(9);
  expect(value).toBeLessThan(11);
}, 60_000);

it('renormalises behind its first updates, learns on, and resumes bit for bit', async () => {
  const task = { algo: crossq, env: pointing, config: { ...crossq.probeConfig, plainUpdates: 500 }, steps: 4000 };
  const whole = await trained(task);
  expect(whole.evalReturn).toBeGreaterThan(0.9);
  expect(whole.snapshotReturn).toBe(whole.evalReturn);
  const half = await trained(task, { stopAt: 2000 });
  expect((await trained(task, { resume: half.saved })).hash).toBe(whole.hash);
}, 60_000);
