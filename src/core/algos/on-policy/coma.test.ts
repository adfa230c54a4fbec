/** COMA's advantage equals the reference; it solves the team probes and continues bit for bit. */
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../engine/graph.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { play, resumed } from '../../testing/play.ts';
import { mortal, outlived, returning, roles, team, xorTeam } from '../../testing/probes.ts';
import { getAlgo } from '../all.ts';
import golden from '../off-policy/golden/algo-value-mixing.json' with { type: 'json' };
import { counterfactual } from './coma.ts';

it('the counterfactual advantage of the golden file', () => {
  const { input, expected } = golden.cases.find((c) => c.name === 'coma') as unknown as {
    readonly input: { readonly pi: number[][]; readonly q_all_actions: number[][]; readonly actions: number[] };
    readonly expected: { readonly baseline: number[]; readonly advantage: number[] };
  };
  const g = createGraph();
  const { baseline, advantage } = counterfactual(g.input('pi', [2, 3]), g.input('q', [2, 3]), g.input('action', [2]));
  const inputs = { pi: input.pi.flat(), q: input.q_all_actions.flat(), action: input.actions };
  const found = interpret([baseline, advantage], { inputs });
  for (const [tensor, want] of [
    [baseline, expected.baseline],
    [advantage, expected.advantage],
  ] as const) {
    want.forEach((v, i) => {
      expect(found.get(tensor)![i]).toBeCloseTo(v, 9);
    });
  }
});

const small = {
  hidden: [16],
  criticHidden: [32],
  lr: 1e-2,
  criticLr: 1e-2,
  gamma: 0.9,
  tau: 0.05,
  envs: 8,
  rolloutSteps: 8,
  normaliseAdvantages: true,
};

describe('COMA', () => {
  it.each([
    ['three agents, each its own reward', team, { ...small, reward: 'own' }, 1],
    ['a team that must differ, with numbers', xorTeam, { ...small, agentId: true }, 1],
  ] as const)('%s', async (_, env: EnvEntry, settings, want) => {
    const { evalReturn } = await play(env, 'coma', 12_000, settings);
    expect(evalReturn).toBeCloseTo(want, 6);
  });

  it.each([
    ['roles', roles, small],
    ['shared', xorTeam, { ...small, agentId: true }],
  ] as const)('continues bit for bit: %s', async (_, env, settings) => {
    const { whole, joined } = await resumed(env, 'coma', 1280, settings);
    expect(joined.rows).toEqual(whole.rows);
    expect(joined.hash).toBe(whole.hash);
    expect(joined.evalReturn).toBe(whole.evalReturn);
  });

  it('values nothing after the death of an agent with rewards of its own', async () => {
    const settings = { ...small, reward: 'own', normaliseAdvantages: false, agentId: true };
    const { rows, columns } = await play(mortal, 'coma', 16_000, settings);
    // Three rows of value 10 for each row of value 1: the dead count in neither loss nor mean.
    const qMeans = rows.map((row) => row[1 + columns.indexOf('qMean')]!).filter(Number.isFinite);
    const last = qMeans.slice(-20);
    expect(Math.abs(last.reduce((a, b) => a + b, 0) / last.length - 7.75)).toBeLessThan(0.2);
  });

  it('values what an agent gets when it comes back', async () => {
    const settings = { ...small, reward: 'own', normaliseAdvantages: false, agentId: true };
    const { rows, columns } = await play(returning, 'coma', 16_000, settings);
    const last = rows
      .map((row) => row[1 + columns.indexOf('qMean')]!)
      .filter(Number.isFinite)
      .slice(-20);
    // 3.439, 2.71, 1.9 and 1 for the one that stays; 1.729, 0.81, 0.9 and 1 for the other, which is out in the middle
    expect(Math.abs(last.reduce((a, b) => a + b, 0) / last.length - 13.488 / 8)).toBeLessThan(0.08);
  });

  it('standardises the advantages of the living only', async () => {
    const hashWith = async (late: number): Promise<string> => (await play(outlived(late), 'coma', 1280, { ...small, reward: 'own' })).hash;
    expect(await hashWith(5)).toBe(await hashWith(0));
  });

  it('refuses what it cannot do', () => {
    expect(() => getAlgo('coma').fits(team.meta({}), { criticMinibatches: 7 })).toThrow(/200/);
  });
});
