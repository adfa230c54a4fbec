import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { createWatchHost } from './watch-host.ts';

const corpus = new URL('../../src/contract/link/golden/links.json', import.meta.url);
const { schemas } = JSON.parse(readFileSync(corpus, 'utf8')) as {
  schemas: Record<string, readonly { link: string; config: JsonObject }[]>;
};

/** Newer versions open older links with the defaults of those, and say what changed (contract/run/versions.ts). */
function versionless({ env, algo, ...rest }: JsonObject): JsonObject {
  const without = (ref: JsonObject): JsonObject => Object.fromEntries(Object.entries(ref).filter(([key]) => key !== 'version'));
  return { ...rest, env: without(env as JsonObject), algo: without(algo as JsonObject) };
}

test('every link ever given out still completes to a run with the settings it named', async () => {
  const watch = createWatchHost();
  let refused = 0;
  for (const { config } of Object.values(schemas).flat()) {
    const { seedStart = 1, seeds = 5 } = (config.run ?? {}) as { readonly seedStart?: number; readonly seeds?: number };
    if (seedStart + seeds - 1 < 2 ** 32) {
      const { algo, ...complete } = await watch.complete(config);
      // Older links name the settings of a variant one by one.
      const flat = { ...complete, algo: { ...algo, config: flatConfig(algo.id, algo.config as JsonObject) } };
      expect(flat).toMatchObject(versionless(config));
      continue;
    }
    // One link of the corpus counts past the largest seed: it used to train the first seeds twice, and is refused by name now.
    refused++;
    await expect(watch.complete(config)).rejects.toThrow(/go past 4294967295/);
  }
  expect(refused).toBe(1);
});
