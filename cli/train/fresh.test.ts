/** Every policy that lies beside the page is that of the seed that its row names. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePolicyFile } from '#contract/files/files.ts';
import { readFresh, ZOO } from '../../tools/facts/learned.ts';
import { typical } from '../kit/kept-policy.ts';
import { FIRST_FRESH } from './fresh.ts';

test.each(Object.entries(readFresh('.')))('%s', (env, { seeds, kept, algo, offered, steps }) => {
  const file = `${ZOO}/${env}.policy`;
  expect(existsSync(file)).toBe(kept !== null);
  expect(seeds.length).toBeGreaterThanOrEqual(5);
  expect(seeds.map(({ seed }) => seed)).toEqual(seeds.map((_, i) => FIRST_FRESH + i));
  expect(steps).toBeLessThanOrEqual(offered);
  if (kept === null) return;
  const at = typical(seeds.map(({ reached }) => reached));
  expect(at === null ? null : FIRST_FRESH + at).toBe(kept);
  const policy = decodePolicyFile(gunzipSync(readFileSync(file)).toString());
  expect([policy.env.id, policy.algo.id, policy.seed]).toEqual([env, algo, kept]);
});
