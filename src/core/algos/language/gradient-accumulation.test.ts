/** An update in parts is the same update, but for rounding: of each method on tokens that takes it, copying and by reward, and it resumes bit for bit. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import type { AlgoEntry } from '../api/types.ts';
import { groupRl } from './group-rl.ts';
import { tokenCloning } from './token-cloning.ts';
import { tokenPpo } from './token-ppo.ts';

const small = { width: 16, layers: 1, heads: 2 };
const cloning = { kind: 'on', steps: 2, lr: 3e-3 };
const copied = { task: 'seq', order: 'copy', length: 2, letters: 4 };

interface Case {
  readonly name: string;
  readonly algo: AlgoEntry;
  readonly env: string;
  readonly envConfig: JsonObject;
  readonly config: JsonObject;
  readonly parts: number;
}

const CASES: readonly Case[] = [
  { name: 'cloning', algo: tokenCloning, env: 't-reason', envConfig: copied, config: { rows: 12 }, parts: 3 },
  {
    name: 'cloning with a network for each role',
    algo: tokenCloning,
    env: 't-tools',
    envConfig: { form: 'apart' },
    config: { rows: 8, modules: 'roles' },
    parts: 4,
  },
  {
    name: 'groups: one update of a rollout',
    algo: groupRl,
    env: 't-reason',
    envConfig: copied,
    config: { prompts: 4, group: 4, cloning, reference: { kind: 'fixed', coef: 0.05 } },
    parts: 4,
  },
  {
    name: 'groups: epochs over minibatches, six answers in four parts, one of them empty',
    algo: groupRl,
    env: 't-reason',
    envConfig: copied,
    config: { prompts: 4, group: 3, epochs: 2, minibatches: 2, cloning },
    parts: 4,
  },
  {
    name: 'PPO: a critic of turns, several lines of an episode',
    algo: tokenPpo,
    env: 't-tools',
    envConfig: {},
    config: { rows: 12, minibatches: 2, epochs: 2, cloneSteps: 2, klCoef: 0.05, critic: 'turn' },
    parts: 3,
  },
];

/** Updates that are compared: later a token may be another one, for a probability that rounding moved. */
const FIRST = 4;

describe.each(CASES)('$name', ({ algo, env: id, envConfig, config, parts }) => {
  const of = (gradientAccumulation: number) => ({
    algo,
    env: getEnv(id),
    envConfig,
    config: { ...small, ...config, gradientAccumulation },
    steps: 900,
  });

  it('has the numbers of whole updates', async () => {
    const [whole, found] = [await trained(of(1)), await trained(of(parts))];
    expect(whole.rows.length).toBeGreaterThanOrEqual(FIRST);
    whole.rows.slice(0, FIRST).forEach(([step, metrics], i) => {
      const [here, there] = found.rows[i]!;
      expect(here).toBe(step);
      for (const [metric, value] of Object.entries(metrics)) {
        const what = `${metric} of update ${i}`;
        if (Number.isNaN(value)) expect(there[metric], what).toBeNaN();
        else expect(there[metric], what).toBeCloseTo(value, 3);
      }
    });
    expect(whole.rows.slice(0, FIRST).some(([, { gradNorm = 0, cloneLoss = 0 }]) => gradNorm > 0 || cloneLoss > 0)).toBe(true);
  });

  it('goes on bit for bit from a kept state', async () => {
    const whole = await trained(of(parts));
    const half = await trained(of(parts), { stopAt: whole.steps / 2 });
    const rest = await trained(of(parts), { resume: half.saved });
    expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
    expect(rest.hash).toBe(whole.hash);
  });
});
