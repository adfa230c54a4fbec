/** COMA's advantage equals the reference; it solves the team probes and continues bit for bit. */
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../engine/graph.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { play, resumed } from '../../testing/play.ts';
import { bandit, climbing, delayed, masked, roles, team, twoStep, xorTeam } from '../../testing/probes.ts';
import { getAlgo } from '../index.ts';
import golden from '../off-policy/golden/algo-value-mixing.json' with { type: 'json' };
import { counterfactual } from './lib/counterfactual.ts';

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
    ['one agent', bandit, small, 1],
    ['one agent, two steps', delayed, { ...small, normaliseAdvantages: false }, 1],
    ['one agent, some actions forbidden', masked, small, 1],
    ['three agents, one reward for all', team, small, 1],
    ['three agents, each its own reward', team, { ...small, reward: 'own' }, 1],
    ['a team that must differ, with numbers', xorTeam, { ...small, agentId: true }, 1],
    ['a team that must differ, with networks of their own', xorTeam, { ...small, sharing: 'independent' }, 1],
    ['a climbing game', climbing, { ...small, sharing: 'independent' }, 1],
    ['two roles with spaces of their own', roles, { ...small, reward: 'own' }, 1],
  ] as const)('%s', async (_, env: EnvEntry, settings, want) => {
    const { evalReturn } = await play(env, 'coma', 12_000, settings);
    expect(evalReturn).toBeCloseTo(want, 6);
  });

  it('over time: at least the safe table of the two-step game', async () => {
    expect((await play(twoStep, 'coma', 16_000, { ...small, agentId: true })).evalReturn).toBeGreaterThan(6.9);
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

  it('refuses what it cannot do', () => {
    expect(() => getAlgo('coma').fits(team.meta({}), { criticMinibatches: 7 })).toThrow(/200/);
  });
});
