/** Ornstein-Uhlenbeck noise: its recursion, its spread and memory, the ends of episodes, TD3 and DDPG with it. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { mean, std } from '#math/stats.ts';
import { play, resumed } from '../../../testing/play.ts';
import { pointing } from '../../../testing/probes.ts';
import { ddpg } from '../../off-policy/ddpg.ts';
import { ornsteinUhlenbeck } from './ornstein-uhlenbeck.ts';

const made = (theta: number, dt: number, batch = 1, actionSize = 1) => {
  const buffers = { terminated: new Uint8Array(batch), truncated: new Uint8Array(batch) };
  const setting = { kind: 'Ornstein-Uhlenbeck', theta, dt } as const;
  return { buffers, places: ornsteinUhlenbeck(setting, buffers, batch, { agentCount: 1, actionSize }) };
};

it('goes on from step to step and begins at 0 where an episode ended', () => {
  const { buffers, places } = made(0.5, 0.25, 2, 2);
  const draws = Float64Array.of(1, -2, 0, 4);
  places.noise?.(draws);
  expect([...draws]).toEqual([0.5, -1, 0, 2]);
  places.afterStep?.(0);
  draws.set([0, 1, 1, 0]);
  places.noise?.(draws);
  expect([...draws]).toEqual([0.4375, -0.375, 0.5, 1.75]);
  buffers.truncated[1] = 1;
  places.afterStep?.(0);
  draws.fill(0);
  places.noise?.(draws);
  expect([...draws]).toEqual([0.4375 * 0.875, -0.375 * 0.875, 0, 0]);
});

it('has the spread 1 / sqrt(theta (2 - theta dt)) and the memory 1 - theta dt', () => {
  const [theta, dt] = [2, 0.05];
  const { places } = made(theta, dt);
  const rng = Rng.from(1);
  const x = Float64Array.from({ length: 200_000 }, () => {
    const draw = Float64Array.of(normal(rng));
    places.noise?.(draw);
    return draw[0]!;
  });
  const spread = std(x, 0);
  expect(spread).toBeCloseTo(1 / Math.sqrt(theta * (2 - theta * dt)), 1);
  const products = x.slice(1).map((v, i) => v * x[i]!);
  expect(mean(products) / spread ** 2).toBeCloseTo(1 - theta * dt, 2);
});

const settings = { ...ddpg.probeConfig, envs: 2, bufferSize: 300, hidden: [8], batchSize: 16 };
it.each(['td3', 'ddpg'])('%s with it continues bit for bit, and learns something else than without', async (id) => {
  const noisy = { ...settings, correlatedNoise: { kind: 'Ornstein-Uhlenbeck' } };
  const { whole, joined } = await resumed(pointing, id, 600, noisy);
  expect(joined.rows).toEqual(whole.rows);
  expect(joined.hash).toBe(whole.hash);
  expect((await play(pointing, id, 600, settings)).hash).not.toBe(whole.hash);
});
