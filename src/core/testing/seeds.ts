/** Test-only: the results of a whole config, seed after seed. */

import { LabError } from '#contract/kit/errors.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { createSession } from '../run/loaded.ts';

/** Trains the first `seeds` of a config's seeds. Throws LabError where one of them fails. */
export async function trainSeeds(config: RunConfig, seeds = config.run.seeds): Promise<readonly SeedResult[]> {
  const out: SeedResult[] = [];
  for (let i = 0; i < seeds; i++)
    for await (const event of createSession({ config, seed: config.run.seedStart + i, now: () => 0 })) {
      if (event.kind === 'state' && event.error !== undefined) throw new LabError(event.error);
      if (event.kind === 'result') out.push(event.result);
    }
  return out;
}
