/** The clip range falls in a straight line; PPO with it is PPO where the end is the start, and continues bit for bit. */
import { expect, it } from 'vitest';
import { play, resumed } from '../../../testing/play.ts';
import { delayed } from '../../../testing/probes.ts';
import { decayClip } from './extension.ts';

it('falls from what is set to the end in a straight line', () => {
  const at = (done: number, end = 0): number => {
    const numbers = { clip: 0.2 };
    decayClip(numbers, { kind: 'linear', end }, done, 1000);
    return numbers.clip;
  };
  expect([0, 250, 500, 1000].map((done) => at(done))).toEqual([0.2, 0.15000000000000002, 0.1, 0]);
  expect(at(500, 0.1)).toBeCloseTo(0.15, 12);
  expect(at(1500, 0.1)).toBeCloseTo(0.1, 12);
});

const settings = { envs: 4, rolloutSteps: 16, minibatches: 2, lr: 0.03, clip: 0.1, hidden: [8] };

it('PPO with it: other updates, the same ones where nothing falls, resumed bit for bit', async () => {
  const decaying = (end: number) => ({ ...settings, clipDecay: { kind: 'linear', end } });
  const plain = await play(delayed, 'ppo', 1000, settings);
  expect((await play(delayed, 'ppo', 1000, decaying(0.1))).hash).toBe(plain.hash);
  const { whole, joined } = await resumed(delayed, 'ppo', 1000, decaying(0));
  expect(whole.hash).not.toBe(plain.hash);
  expect(joined.hash).toBe(whole.hash);
  expect(joined.rows).toEqual(whole.rows);
});
