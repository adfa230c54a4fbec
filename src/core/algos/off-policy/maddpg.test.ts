/** MADDPG solves the team probes, whatever the spaces and whoever shares, and continues bit for bit. */
import { describe, expect, it } from 'vitest';
import type { EnvEntry } from '../../envs/api/types.ts';
import { ask, play, resumed } from '../../testing/play.ts';
import { pointingTeam, roles, team, xorTeam } from '../../testing/probes.ts';
import { getAlgo } from '../index.ts';

const small = {
  hidden: [32],
  lr: 3e-3,
  criticLr: 3e-3,
  gamma: 0.9,
  tau: 0.05,
  batchSize: 64,
  learningStarts: 200,
  bufferSize: 5000,
  trainEvery: 4,
  envs: 4,
};
const shared = { ...small, sharing: 'grouped', agentId: true };

describe('MADDPG', () => {
  it.each([
    ['three agents with one network', team, { ...small, sharing: 'shared' }, 1],
    ['a team that must differ, with one network and numbers', xorTeam, shared, 1],
  ] as const)('%s: %s', async (_, env: EnvEntry, settings, want) => {
    const { evalReturn } = await play(env, 'maddpg', 8000, settings);
    expect(evalReturn).toBeCloseTo(want, 6);
  });

  it('continuous actions with one network', async () => {
    const run = await play(pointingTeam, 'maddpg', 8000, { ...shared, explorationNoise: 0.3 });
    expect(run.evalReturn).toBeGreaterThan(0.9);
  });

  it.each([
    ['roles', roles, small],
    ['continuous, shared', pointingTeam, shared],
  ] as const)('continues bit for bit: %s', async (_, env, settings) => {
    const { whole, joined } = await resumed(env, 'maddpg', 2400, { ...settings, bufferSize: 500, batchSize: 16 });
    expect(joined.rows).toEqual(whole.rows);
    expect(joined.hash).toBe(whole.hash);
    expect(joined.evalReturn).toBe(whole.evalReturn);
  });

  it('tells logits that fit each role', async () => {
    const run = await play(roles, 'maddpg', 600, small);
    expect((await ask(roles, run, [1, 0])).logits?.length).toBe(3);
  });

  it('refuses vector rewards by name', () => {
    const meta = { ...team.meta({}), rewards: ['gold', 'time'] };
    expect(() => getAlgo('maddpg').fits(meta, {})).toThrow(/gold, time/);
  });
});
