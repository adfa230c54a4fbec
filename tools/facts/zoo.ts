/**
 * Policies that lie beside the page, one of each first offer that was measured on fresh seeds (bench/results/fresh.json). Read by the build for the page.
 * Only node:* and pure modules here, because the build's own config imports it.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ZooFact } from '#report/zoo.ts';
import { bandOf, readFresh, readLearned, ZOO } from './learned.ts';

/** By environment. Throws Error for a file that is not JSON. */
export function zooFacts(project: string): { readonly [env: string]: ZooFact } {
  const chosen = readLearned(project);
  return Object.fromEntries(
    Object.entries(readFresh(project)).map(([env, found]): [string, ZooFact] => {
      const { algo, steps, offered, judged, random, best, bestIs, seeds, kept } = found;
      const file = join(project, ZOO, `${env}.policy`);
      const offer = chosen[env];
      return [
        env,
        {
          algo,
          steps,
          offered,
          judged,
          random,
          best,
          bestIs,
          scores: seeds.flatMap(({ reached }) => (reached === null ? [] : [reached])),
          firstSeed: seeds[0]?.seed ?? 0,
          kept: existsSync(file) ? kept : null,
          bytes: existsSync(file) ? statSync(file).size : 0,
          expected: offer === undefined ? null : bandOf(offer),
        },
      ];
    }),
  );
}
