/** MADDPG solves the team probes, for all spaces and all ways of sharing, and continues bit for bit. */
import { describe, expect, it } from 'vitest';
import type { EnvEntry } from '../../envs/api/types.ts';
import { ask, play, resumed } from '../../testing/play.ts';
import { probe } from '../../testing/probe.ts';
import { pointingTeam, roles, team, xorTeam } from '../../testing/probes.ts';
import { getAlgo } from '../all.ts';

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

  it('limits the gradient of each network by itself: one agent’s large rewards leave the update of another as it is', async () => {
    const second = async (clipping: string, scale: number): Promise<string> => {
      const pair = probe('probe-pair', {
        obs: { kind: 'box', shape: [1], low: -1, high: 1 },
        action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
        maxSteps: 1,
        agents: 2,
        start: (rng) => rng.int(2),
        observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
        step: (cue, _, action, agent) => ({ reward: (action === cue ? 1 : -1) * (agent === 0 ? scale : 1), terminated: true }),
      });
      // the first update of all, when both runs still hold the same transitions
      const { snapshot } = await play(pair, 'maddpg', 204, { ...small, clipping, maxGradNorm: 0.01 });
      const own = Object.entries(snapshot!.saved.arrays).filter(([name]) => name.includes('policy1'));
      expect(own.length).toBeGreaterThan(0);
      return JSON.stringify(own.map(([name, values]) => [name, ...values]));
    };
    expect(await second('network', 1000)).toBe(await second('network', 1));
    expect(await second('team', 1000)).not.toBe(await second('team', 1));
  });

  it('refuses vector rewards by name', () => {
    const meta = { ...team.meta({}), rewards: ['gold', 'time'] };
    expect(() => getAlgo('maddpg').fits(meta, {})).toThrow(/gold, time/);
  });
});
