/** DDPG trains what TD3 trains without its three additions, bit for bit, and bootstraps over time limits. */
import { expect, it } from 'vitest';
import { endlessBox } from '../../testing/box-probes.ts';
import { ask, play } from '../../testing/play.ts';
import { pointing } from '../../testing/probes.ts';
import { ddpg } from './ddpg.ts';

it('is TD3 with one critic, an exact target and a policy that is updated every time', async () => {
  const settings = { ...ddpg.probeConfig, bufferSize: 300, hidden: [8] };
  const one = await play(pointing, 'ddpg', 600, settings);
  const other = await play(pointing, 'td3', 600, { ...settings, twin: false, smoothing: 0, actorEvery: 1 });
  expect(one.hash).toBe(other.hash);
  expect(one.rows).toEqual(other.rows);
});

it('bootstraps over time limits: 1 / (1 - gamma)', async () => {
  const run = await play(endlessBox, 'ddpg', 3000, { ...ddpg.probeConfig, trainEvery: 1 });
  expect((await ask(endlessBox, run, [1])).value![0]).toBeGreaterThan(9);
}, 60_000);
