/**
 * First offers on seeds that nothing of them was chosen on: what they reach is what a person may expect, and the policy of the typical seed is kept beside
 * the page, to be watched and taken away.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { encodePolicyFile } from '#contract/files/files.ts';
import { loadEnv } from '#core/envs/all.ts';
import { interval95 } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';
import { type Fresh, freshFile, readFresh, ZOO } from '../../tools/facts/learned.ts';
import { eachOf, refuseFailed, untilStopped, writeByEnvironment } from '../kit/by-environment.ts';
import { Interrupted } from '../kit/failure.ts';
import { packed, typical } from '../kit/kept-policy.ts';
import { commit } from '../kit/machine.ts';
import { type createOutput, number, table } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { learn, offerHash } from './learn.ts';

/** The first fresh seed. Offers were chosen on seeds below 10,000. */
export const FIRST_FRESH = 20_001;
/** What the page takes of one policy (ui/kit/policy-file.ts). */
const MOST_BYTES = 200_000;

interface Options {
  readonly project: string;
  readonly seeds: number;
  /** CPU seconds for all seeds of an environment together. */
  readonly budget: number;
  /** Leave out what was measured of the same offer. */
  readonly resume: boolean;
}

/** Of an environment: trains, writes its row and its policy. null: interrupted. */
async function measure(card: EnvCard, options: Options, stopped: () => boolean, say: (text: string) => void): Promise<Fresh | null> {
  const { project, seeds, budget } = options;
  // a run that is begun anew with fewer steps tells its seeds again: the last one counts
  const files = new Map<number, Buffer>();
  const found = await learn(await loadEnv(card.id), card, commit(project), {
    seeds,
    firstSeed: FIRST_FRESH,
    budget,
    stopped,
    say,
    learned: ({ seed }, policy) => files.set(seed, packed(encodePolicyFile(policy))),
  });
  if (found === null) return null;
  const at = typical(found.seeds.map(({ reached }) => reached));
  const file = at === null ? undefined : files.get(FIRST_FRESH + at);
  const path = join(project, ZOO, `${card.id}.policy`);
  const fits = file !== undefined && file.length <= MOST_BYTES;
  if (fits) {
    mkdirSync(join(project, ZOO), { recursive: true });
    writeWhole(path, file);
  } else rmSync(path, { force: true });
  return { ...found, kept: fits && at !== null ? FIRST_FRESH + at : null };
}

function line(project: string, id: string, { algo, steps, cpuSeconds, seeds, fraction, kept }: Fresh): string[] {
  const reached = seeds.flatMap((seed) => seed.reached ?? []);
  const between = interval95(reached);
  return [
    id,
    algo,
    number(steps),
    number(Math.round(cpuSeconds)),
    reached.length === 0 ? '-' : number(iqm(reached)),
    between === null ? '-' : `${number(between[0])} to ${number(between[1])}`,
    fraction === null ? '-' : `${Math.round(100 * fraction)} %`,
    kept === null ? 'none' : `${Math.round(statSync(join(project, ZOO, `${id}.policy`)).size / 1000)} kB`,
  ];
}

/** Throws Interrupted, and CommandFailure where an environment could not be measured. */
export async function learnFresh(cards: readonly EnvCard[], options: Options, output: ReturnType<typeof createOutput>): Promise<void> {
  const { project, resume } = options;
  const rows: string[][] = [];
  const chosen = cards.filter((card) => !(resume && readFresh(project)[card.id]?.offer === offerHash(card, options.seeds)));
  const failed = await untilStopped((stopped) =>
    eachOf(chosen, async (card) => {
      const found = await measure(card, options, stopped, (text) => output.progress(text));
      output.progress('');
      if (found === null) throw new Interrupted(`Interrupted in ${card.id}. Go on with --resume.`);
      // read again: another process may have measured others meanwhile
      writeByEnvironment(freshFile(project), { ...readFresh(project), [card.id]: found });
      output.record({ type: 'fresh', env: card.id, ...found });
      const told = line(project, card.id, found);
      rows.push(told);
      output.text(told.join('  '));
    }),
  );
  output.text(table(['environment', 'method', 'steps', 'CPU seconds', 'IQM', '95 %', 'of the way', 'policy'], rows));
  refuseFailed(failed, chosen.length);
}
