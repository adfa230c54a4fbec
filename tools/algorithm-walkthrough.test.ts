/** The algorithm of docs/adding-an-algorithm.md, taken out of the page: type-checked like the core, trained on probes, and interrupted. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Saved } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import type { AlgoEntry, Progress, Run } from '#core/algos/api/types.ts';
import { createEngine } from '#core/engine/index.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { evaluate } from '#core/run/evaluate.ts';
import { bandit, cued, delayed, endless, masked, team } from '#core/testing/probes.ts';
import { Rng } from '#math/rng.ts';
import { openWalkthrough, type Walkthrough } from './walkthrough.ts';

let page: Walkthrough;
let algo: AlgoEntry;

beforeAll(async () => {
  page = openWalkthrough('docs/adding-an-algorithm.md', 'src/core/algos/on-policy');
  algo = ((await page.load('policy-gradient')) as { readonly policyGradient: AlgoEntry }).policyGradient;
}, 120_000);

function runOf(env: EnvEntry, steps: number, settings: JsonObject, seed = 1): Run<JsonObject> {
  const config = algo.parse(settings);
  let made = 0;
  return {
    config,
    live: config,
    envEntry: env,
    envConfig: {},
    meta: env.meta({}),
    steps,
    seed,
    rng: Rng.from(seed),
    makeEnv: (batch) => createVectorEnv(env, {}, batch, Rng.from(seed).split('env', made++)),
    makeEngine: () => createEngine('wasm'),
  };
}

async function train(run: Run<JsonObject>, resume?: Saved, visit?: (progress: Progress) => Promise<void>): Promise<Progress> {
  let last: Progress | null = null;
  for await (const progress of algo.train(run, resume)) {
    last = progress;
    await visit?.(progress);
  }
  if (last === null) throw new Error('nothing was trained');
  return last;
}

describe('the algorithm of the walk-through', () => {
  test('is there in full and type-checks with the settings of the core', () => {
    expect(page.paths).toEqual(['src/core/algos/on-policy/policy-gradient.ts']);
    expect(() => page.typeCheck()).not.toThrow();
    for (const field of Object.values(algo.schema.properties ?? {})) expect(field.title && field.description && field.source).toBeTruthy();
  }, 120_000);

  test.each([bandit, cued, delayed, masked, team])('solves $id, and its snapshot alone acts as well', async (env) => {
    const settings = { lr: 0.02, gamma: 0.9 };
    const run = runOf(env, 30_000, settings);
    const last = await train(run);
    const policy = await algo.policy(run, await last.snapshot());
    expect((await evaluate(policy, env, {}, { episodes: 50 })).score).toBeCloseTo(1, 6);
    policy.dispose();
  });

  test('values bootstrap over time limits', async () => {
    const last = await train(runOf(endless, 60_000, { lr: 0.02, gamma: 0.9, valueCoef: 2 }));
    const policy = await last.policy();
    const query = {
      obs: Float32Array.of(1),
      agent: new Int32Array(1),
      hidden: new Float32Array(0),
      rng: Rng.from(1),
      rows: 1,
      greedy: true,
    };
    expect((await policy.act(query)).value?.[0]).toBeGreaterThan(9);
  });

  test('saved half-way and resumed it ends with the bits of a run that never stopped', async () => {
    const whole = await train(runOf(delayed, 4096, {}));
    let saved: Saved | undefined;
    await train(runOf(delayed, 2048, {}), undefined, async (progress) => {
      saved = await progress.save();
    });
    const resumed = await train(runOf(delayed, 4096, {}), saved);
    expect(await resumed.hash()).toBe(await whole.hash());
  });
});
