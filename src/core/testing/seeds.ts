/** Test-only: the results of a whole config, seed after seed. */
import type { RunConfig } from '#contract/config.ts';
import { LabError } from '#contract/errors.ts';
import type { SeedResult } from '#contract/events.ts';
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
