/** A Gaussian policy begins with the deviation that is set; 0 is the plain method, and a run continues with what was learned. */
import { expect, it } from 'vitest';
import { ask, play, resumed } from '../../../testing/play.ts';
import { delayed, pointing } from '../../../testing/probes.ts';
import { getAlgo } from '../../all.ts';

// so small a step that the deviation stays where it began
const still = { envs: 4, rolloutSteps: 16, minibatches: 2, lr: 1e-8, hidden: [8] };
const starting = (logStd: number) => ({ initialDeviation: { kind: 'set', logStd } });

it.each([{ sharedTrunk: false }, { sharedTrunk: true }])('begins there: %j', async (trunk) => {
  const run = await play(pointing, 'ppo', 64, { ...still, ...trunk, ...starting(-1.5) });
  expect((await ask(pointing, run, [1])).logStd![0]).toBeCloseTo(-1.5, 5);
});

it('0 is the method without it', async () => {
  const plain = await play(pointing, 'ppo', 640, { ...still, lr: 0.01 });
  expect((await play(pointing, 'ppo', 640, { ...still, lr: 0.01, ...starting(0) })).hash).toBe(plain.hash);
  expect((await play(pointing, 'ppo', 640, { ...still, lr: 0.01, ...starting(-1) })).hash).not.toBe(plain.hash);
});

it('a run that continues keeps the deviation that it learned', async () => {
  const { whole, joined } = await resumed(pointing, 'ppo', 1280, { ...still, lr: 0.01, ...starting(-1) });
  expect(joined.hash).toBe(whole.hash);
  expect(joined.rows).toEqual(whole.rows);
});

it('is refused where actions are chosen from a list', () => {
  const ppo = getAlgo('ppo');
  expect(() => ppo.fits(delayed.meta({}), ppo.parse(starting(-1)))).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ field: 'algo.initialDeviation.kind' }) }),
  );
});
