/** Every ready experiment opens with the bits of its own link, and that link is short enough for chat programs, mail and a QR code. */
import { expect, test } from 'vitest';
import { experiments } from '#claims/experiments/index.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { encodeLink } from '#contract/link/link.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { configOfLink } from './link.ts';

const LONGEST = 1900;
const ADDRESS = 200; // of the page itself, generously

test.each(experiments.map((experiment) => [experiment.id, experiment] as const))('%s', (_, { config }) => {
  const complete = completeRun(config);
  const defaults = { env: getEnv(complete.env.id).parse({}), algo: getAlgo(complete.algo.id).parse({}) };
  const link = encodeLink(complete, defaults as { env: JsonObject; algo: JsonObject });
  expect(link.length + ADDRESS).toBeLessThanOrEqual(LONGEST);
  expect(completeRun(configOfLink(link).config)).toEqual(complete);
});
