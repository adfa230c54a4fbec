/**
 * The environment of docs/adding-an-environment.md, taken out of the page: type-checked like the core, its own tests run, and played
 * with every property checked.
 */
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { envSuite } from '#core/testing/env-suite.ts';
import { createSoak } from '#core/testing/soak.ts';
import { Rng } from '#math/rng.ts';
import { openWalkthrough } from './walkthrough.ts';
import { collected } from './walkthrough-collect.ts';

const ID = 'windy-pier';
const page = openWalkthrough('docs/adding-an-environment.md', 'src/core/envs/tabular', {
  vitest: resolve('tools/walkthrough-collect.ts'),
});
const entry = ((await page.load(ID)) as { readonly windyPier: EnvEntry }).windyPier;
await page.load(`${ID}.test`);

envSuite(entry);

describe('the environment of the walk-through', () => {
  test('is there in full, with its tests', () => {
    expect(page.paths).toEqual([`src/core/envs/tabular/${ID}.ts`, `src/core/envs/tabular/${ID}.test.ts`]);
    expect(entry.id).toBe(ID);
    expect(collected.length).toBeGreaterThanOrEqual(4);
  });

  test('type-checks with the settings of the core', () => {
    expect(() => page.typeCheck()).not.toThrow();
  }, 120_000);

  test('passes its own tests', () => {
    for (const { body } of collected) body();
  });

  test('keeps the promises of every environment, in every preset', () => {
    for (const preset of entry.presets) {
      const soak = createSoak(entry, preset.config, 4, 1);
      soak.run(4000);
      expect(soak.roundTrips).toBeGreaterThan(2);
      expect(soak.episodes).toBeGreaterThan(100);
    }
  });

  test('reaches what it says: exact returns against play', () => {
    const [random, optimal] = entry.meta({}).references;
    const rng = Rng.from(3);
    for (const [wanted, act] of [
      [random?.value, () => rng.int(3)],
      [optimal?.value, () => 2],
    ] as const) {
      const vector = createVectorEnv(entry, {}, 64, Rng.from(5));
      const actions = createActions(vector.meta, 64);
      vector.reset();
      const scores: number[] = [];
      while (scores.length < 4000) {
        vector.step(actions.map(act));
        scores.push(...vector.episodes.drain().map(({ score }) => score));
      }
      const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
      expect(Math.abs(mean - (wanted ?? Number.NaN))).toBeLessThan(4 / Math.sqrt(scores.length)); // four standard errors of a +-1 game at most
    }
  });

  test('explains each of its settings', () => {
    for (const field of Object.values(entry.schema.properties ?? {})) expect(field.title && field.description && field.source).toBeTruthy();
    expect(() => entry.parse({ nonsense: 1 })).toThrow(/length, wind, maxSteps/);
  });
});
