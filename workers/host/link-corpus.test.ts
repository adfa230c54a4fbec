import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '#contract/json.ts';
import { createWatchHost } from './watch-host.ts';

const corpus = new URL('../../src/contract/golden/links.json', import.meta.url);
const { schemas } = JSON.parse(readFileSync(corpus, 'utf8')) as {
  schemas: Record<string, readonly { link: string; config: JsonObject }[]>;
};

test('every link ever given out still completes to a run with the settings it named', async () => {
  const watch = createWatchHost();
  for (const { config } of Object.values(schemas).flat()) expect(await watch.complete(config)).toMatchObject(config);
});
