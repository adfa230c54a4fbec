/** The tasks of the lesson on rewards in code can be failed and done, and its faulty rewards fail as its text says. */
import { compileFunction } from 'node:vm';
import { expect, test } from 'vitest';
import { startIn } from '#contract/catalog/starts.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { loadEnv } from '#core/envs/index.ts';
import { define } from '#core/own/definition.ts';
import { WORLD_RETURN } from '#core/own/reward.ts';
import { scopeOf } from '#core/own/scope.ts';
import { completeRun } from '#core/run/complete.ts';
import { registryOf } from '#core/run/registry.ts';
import { createSession } from '#core/run/session.ts';
import { writeReward } from './write-reward.ts';

const written = writeReward.steps.flatMap(({ title, reward }) => (reward === undefined ? [] : [{ title, reward }]));

/** What the world pays the greedy policy of each seed that learned under this code; null: no episode ended. */
async function paid(code: string, steps: number): Promise<readonly (number | null)[]> {
  const scope = scopeOf();
  Reflect.apply(compileFunction(`'use strict';${code}`, [...OWN_SCOPE]), undefined, scope.values);
  const { env } = await define(scope.given(), 'own-lesson', () => null, loadEnv);
  const algo = await loadAlgo((writeReward.config.algo as { readonly id: string }).id);
  const { gamma, agents } = env.meta({});
  const settings = startIn({ id: algo.id, defaults: algo.parse({}), presets: algo.presets }, { id: env.id, gamma, groups: agents });
  const config = completeRun(
    { env: { id: env.id }, algo: { id: algo.id, config: settings }, run: { steps, seeds: 1, evalEpisodes: 50 } },
    registryOf([env], [algo]),
  );
  const found: (number | null)[] = [];
  for (const seed of [1, 2, 3])
    for await (const event of createSession({ config, env, algo, seed, now: () => 0, sliceMs: 40 })) {
      const old = event.kind === 'result' ? event.result.measured?.[WORLD_RETURN] : undefined;
      if (old !== undefined) found.push(Number.isFinite(old) ? old : null);
    }
  return found;
}

/** A line in place of the last return of the first code: what a pupil writes. */
const PUPILS: Readonly<Record<string, string>> = {
  'Afraid of the edge': 'if (next.state >= 24 && next.state < 36) return reward - 5;',
  'Keep the help, mend the fault': 'if (next.state === seen.state - 1) return reward - 3;',
};

test('every task has a pupil', () => {
  expect(Object.keys(PUPILS)).toEqual(written.filter(({ reward }) => reward.goal !== undefined).map(({ title }) => title));
});

test.each(written)('$title: the first code misses the task, or arrives nowhere', async ({ title, reward: { code, steps, goal } }) => {
  const before = await paid(code, steps);
  expect(before).toHaveLength(3);
  if (goal === undefined) {
    expect(before).toEqual([null, null, null]);
    return;
  }
  const { min, max } = goal;
  const within = (value: number | null): boolean => value !== null && value >= min && value <= max;
  expect(before.some(within)).toBe(false);
  const after = await paid(code.replace(/ {4}return reward;\n {2}\}/, `    ${PUPILS[title]}\n$&`), steps);
  expect(after.every(within), JSON.stringify(after)).toBe(true);
});
