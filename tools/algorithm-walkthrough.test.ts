/** The algorithm of docs/adding-an-algorithm.md, taken out of the page: type-checked like the core, and held to what every method must hold. */
import { describe, expect, test } from 'vitest';
import type { AlgoEntry } from '#core/algos/api/types.ts';
import { createEngine } from '#core/engine/index.ts';
import { algoSuite } from '#core/testing/algo-suite.ts';
import { endless } from '#core/testing/probes.ts';
import { trained } from '#core/testing/trained.ts';
import { Rng } from '#math/rng.ts';
import { openWalkthrough } from './walkthrough.ts';

const page = openWalkthrough('docs/adding-an-algorithm.md', 'src/core/algos/on-policy');
const algo = ((await page.load('policy-gradient')) as { readonly policyGradient: AlgoEntry }).policyGradient;

algoSuite(algo);

describe('the algorithm of the walk-through', () => {
  test('is there in full and type-checks with the settings of the core', () => {
    expect(page.paths).toEqual(['src/core/algos/on-policy/policy-gradient.ts']);
    expect(() => page.typeCheck()).not.toThrow();
    for (const field of Object.values(algo.schema.properties ?? {})) expect(field.source).toBeTruthy();
    expect(algo.probes.flatMap(({ on }) => on)).toEqual(['bandit', 'cued', 'delayed', 'masked', 'team']);
  }, 120_000);

  test('values bootstrap over time limits', async () => {
    const config = { lr: 0.02, gamma: 0.9, valueCoef: 2 };
    const { snapshot } = await trained({ algo, env: endless, config, steps: 60_000 });
    const context = { config: algo.parse(config), meta: endless.meta({}), envEntry: endless, envConfig: {} };
    const policy = await algo.policy({ ...context, makeEngine: () => createEngine('wasm') }, snapshot);
    const query = { obs: Float32Array.of(1), agent: new Int32Array(1), hidden: policy.initial(1), rng: Rng.from(1), rows: 1, greedy: true };
    expect((await policy.act(query)).value?.[0]).toBeGreaterThan(9);
    policy.dispose();
  });
});
