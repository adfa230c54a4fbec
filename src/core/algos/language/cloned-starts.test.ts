import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { dpo } from './dpo.ts';
import { groupRl } from './group-rl.ts';
import { groupWorlds } from './group-worlds.ts';
import { tokenPpo } from './token-ppo.ts';

const small = { width: 16, layers: 1, heads: 2, cloneSteps: 4 };
const groups = { ...small, prompts: 4, group: 4 };
const copied = { task: 'seq', order: 'copy', length: 2, letters: 4 };

it.each([
  { algo: groupRl, config: groups, env: 't-reason', envConfig: copied },
  { algo: dpo, config: groups, env: 't-reason', envConfig: copied },
  { algo: tokenPpo, config: { ...small, rows: 16 }, env: 't-reason', envConfig: copied },
  { algo: groupWorlds, config: { starts: 4, group: 4, cloneSteps: 4 }, env: 'tool-worlds', envConfig: {} },
])('$algo.id: returns are those of the policy, never those of the player that it copies', async ({ env, ...task }) => {
  const { rows } = await trained({ ...task, env: getEnv(env), steps: 6000 });
  const first = rows.findIndex(([, { cloneLoss }]) => cloneLoss === undefined);
  expect(first).toBe(4);
  for (const [, { episodicReturn, episodes }] of rows.slice(0, first)) {
    expect(episodicReturn).toBeNaN();
    expect(episodes).toBeGreaterThan(0);
  }
  const [, own] = rows[first]!;
  expect(own.episodicReturn).toBeLessThan(0.2); // sixteen episodes of a policy that knows next to nothing, and none of the demonstrations
  if (own.reward !== undefined) expect(own.episodicReturn).toBeCloseTo(own.reward, 5);
});
