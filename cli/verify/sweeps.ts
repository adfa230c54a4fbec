/**
 * The runs of a sweep's folder, local or of the queue, with what it takes to run them again; and what its tables say that the results of
 * those runs do not.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantityOf } from '#claims/quantity.ts';
import type { CompleteConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { tuningSeeds } from '#contract/sweep.ts';
import { type FiledSetup, type FiledSweep, readSweepFile, SWEEP_FILE } from '#contract/sweep-folder.ts';
import { sweepCsv } from '#contract/sweep-report.ts';
import { reportingSeeds, setupConfig, stepsOf } from '#contract/sweep-run.ts';
import { completeRun } from '#core/run/loaded.ts';
import { UsageError } from '../failure.ts';
import type { SeedOutcome } from '../seeds.ts';
import { differing } from './derived.ts';
import { runsOfFolder, type Stored, type StoredRun } from './stored.ts';

type Scores = readonly (number | null)[];

/** The sweep in this folder. Throws UsageError and LabError('file-invalid') where it cannot be read or run again as it was. */
export async function sweepRecords(folder: string, name: string): Promise<Stored> {
  const filed = readSweepFile(readFileSync(join(folder, SWEEP_FILE), 'utf8'));
  const configs = await configsOf(filed);
  const home = join(folder, 'runs');
  const hashes = existsSync(home) ? readdirSync(home).sort() : [];
  const runs = hashes.flatMap((hash) => {
    const config = configs.get(hash);
    if (config !== undefined) return runsOfFolder(join(home, hash), join(name, 'runs', hash), config);
    throw new UsageError(
      `${join(name, 'runs', hash)} is no run of this sweep as it would be today: versions or settings have changed since, so it cannot be run again as it was.`,
    );
  });
  return { runs, wrong: await wrongTables(filed, runs, folder, name) };
}

/** The config of every run that the sweep asks for, by its hash: each set-up in each round, and the config as it stands. */
async function configsOf({ sweep, setups }: FiledSweep): Promise<ReadonlyMap<string, CompleteConfig>> {
  const found = new Map<string, CompleteConfig>();
  const rounds = stepsOf(sweep, (await setupConfig(sweep, {}, completeRun)).run.steps);
  for (const values of [{}, ...setups.map((setup) => setup.values)])
    for (const steps of rounds) {
      // A field may set the steps itself: then there is one round, and it decides.
      const config = await setupConfig(sweep, values, completeRun, rounds.length > 1 ? steps : undefined);
      found.set(configHash(config), completeRun(config));
    }
  return found;
}

/** Scores of sweep.json that are not those of the runs, and a table that is not that of sweep.json. */
async function wrongTables(filed: FiledSweep, runs: readonly StoredRun[], folder: string, name: string): Promise<readonly string[]> {
  const { sweep, setups, reported, best } = filed;
  const byKey = new Map(runs.map((run) => [`${configHash(run.config)} ${run.seed}`, run]));
  const scoresOf = (hash: string, seeds: readonly number[]): Scores =>
    seeds.map((seed) => {
      const run = byKey.get(`${hash} ${seed}`);
      if (run === undefined) return null;
      return quantityOf(sweep.quantity, sweep.better, run.numbers as SeedOutcome, run.curves ?? new Map(), run.config.run.steps);
    });
  const full = async (place: number | null): Promise<string> => {
    const values = place === null ? {} : (setups.find(({ number }) => number === place)?.values ?? {});
    return configHash(await setupConfig(sweep, values, completeRun));
  };
  const seeds = tuningSeeds(sweep);
  const tuned = (setup: FiledSetup): Scores => scoresOf(setup.config, seeds.slice(0, setup.scores.length));
  const stored = { setups: setups.map(({ scores }) => ({ scores })), ...(reported && { reported: reportOf(reported) }) };
  const computed: typeof stored = {
    setups: setups.map((setup) => ({ scores: tuned(setup) })),
    ...(reported && {
      reported: {
        best: reported.best.length === 0 ? [] : scoresOf(await full(best), reportingSeeds(sweep)),
        base: reported.base && scoresOf(await full(null), reportingSeeds(sweep)),
        arms: await Promise.all(
          (reported.arms ?? []).map(async ({ setup, scores }) => ({
            scores: scores.length === 0 ? [] : scoresOf(await full(setup), reportingSeeds(sweep)),
          })),
        ),
      },
    }),
  };
  const wrong = differing(stored, computed);
  return [...(wrong === '' ? [] : [`${name}/sweep.json: ${wrong}.`]), ...wrongCsv(filed, join(folder, 'sweep.csv'), `${name}/sweep.csv`)];
}

const reportOf = ({ best, base, arms = [] }: NonNullable<FiledSweep['reported']>) => ({
  best,
  base,
  arms: arms.map(({ scores }) => ({ scores })),
});

/** The first line of a table that its sweep.json does not give. */
function wrongCsv({ sweep, setups, state }: FiledSweep, file: string, name: string): readonly string[] {
  if (state !== 'done' || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const computed = sweepCsv(sweep, { setups }, tuningSeeds(sweep)).split('\n');
  // Tables of older versions have an apostrophe before negative numbers.
  const plain = (line: string | undefined): string | undefined => line?.replace(/(^|,)'(?=-[\d.])/g, '$1');
  const at = computed.findIndex((line, i) => plain(lines[i]) !== plain(line));
  if (at >= 0) return [`${name}: line ${at + 1} is "${lines[at] ?? ''}", and "${computed[at]}" by sweep.json.`];
  return lines.length > computed.length ? [`${name}: line ${computed.length + 1} is one too many.`] : [];
}
