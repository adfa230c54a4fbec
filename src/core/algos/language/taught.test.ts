/** Every method on tokens says how much of an update teaches: nothing where all that is compared earned the same. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { dpo } from './dpo.ts';
import { groupRl } from './group-rl.ts';
import { groupWorlds } from './group-worlds.ts';
import { tokenPpo } from './token-ppo.ts';

const small = { width: 16, layers: 1, heads: 2 };
const groups = { ...small, prompts: 4, group: 8 };
/** Random letters are never right here, and nothing but a right answer is paid. */
const never = { length: 6, letters: 10, formatReward: 0, partialReward: 0 };
/** A lake whose goal is more than four steps away. */
const corner = { maxSteps: 4 };
const parts = { length: 3, letters: 4, formatReward: 0.1, partialReward: 0.5 };

it.each([
  { algo: groupRl, config: groups, env: 't-reason', idle: never, taught: parts },
  { algo: groupRl, config: { ...groups, baseline: 'best' }, env: 't-reason', idle: never, taught: parts },
  { algo: dpo, config: { ...groups, cloning: 'off' }, env: 't-reason', idle: never, taught: parts },
  { algo: tokenPpo, config: { ...small, rows: 16 }, env: 't-reason', idle: never, taught: parts },
  { algo: groupWorlds, config: { starts: 4, group: 4 }, env: 'frozen-lake', idle: corner, taught: {} },
])('$algo.id: the share that teaches is 0 where nothing is earned, and above it where something is', async (task) => {
  const shares = async (envConfig: JsonObject): Promise<number[]> => {
    const { rows } = await trained({ algo: task.algo, config: task.config, env: getEnv(task.env), envConfig, steps: 3000 });
    expect(rows.length).toBeGreaterThan(2);
    return rows.map(([, { taught = -1 }]) => taught);
  };
  expect(Math.max(...(await shares(task.idle)))).toBe(0);
  const some = await shares(task.taught);
  expect(Math.min(...some)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...some)).toBeGreaterThan(0.01);
});
