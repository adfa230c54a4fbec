/**
 * Runs of folders as groups that can be compared: of train --out, of sweep --out (its reports on fresh seeds, never its tuning runs) and of
 * folders that hold these.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Curve, Outcome } from '#claims/quantity.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { LabError } from '#contract/kit/errors.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import { objectOf } from '#contract/kit/json.ts';
import { listed } from '#contract/kit/listed.ts';
import { titleIn } from '#contract/own/text.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import { differences, isAside } from '#contract/run/config-diff.ts';
import { configHash, worldId } from '#contract/run/config-hash.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import { setupConfig } from '#contract/sweep/differing.ts';
import { type FiledSweep, readSweepFile, SWEEP_FILE, SWEEP_LEVELS } from '#contract/sweep/folder.ts';
import { methodName } from '#contract/sweep/report.ts';
import { valueWord } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { UsageError } from '../kit/failure.ts';
import { giveTitle } from '../kit/own-titles.ts';
import { algoTitle } from '../kit/titles.ts';
import { codeIn } from '../own/code.ts';
import { openRunFolder } from '../train/run-folder.ts';
import { runsOfFolder } from '../verify/stored.ts';

/** One run of one seed. */
interface FoundRun {
  /** Name of its group; null: by its config (`nameGroups`). */
  readonly group: string | null;
  readonly config: RunConfig;
  readonly seed: number;
  readonly outcome: Outcome;
  readonly curves: ReadonlyMap<string, Curve>;
  /** Its folder. */
  readonly folder: string;
}

export interface Found {
  readonly runs: readonly FoundRun[];
  /** What the sweeps among the folders count; null beside a run of train. */
  readonly counted: readonly ({ readonly quantity: Quantity; readonly better: 'more' | 'less' } | null)[];
}

/**
 * The config of a run folder for comparing, which needs its results and not the right to run it again: with the defaults of today where it can be
 * completed, so that runs of several versions are alike, else as it is stored. Code is read for its title and never run.
 */
function storedConfig(folder: string): RunConfig {
  const stored = openRunFolder(folder);
  const { data: config } = runConfigSchema.safeParse(stored);
  if (config === undefined) throw new UsageError(`The config in "${folder}" is broken.`);
  const carried = config.env.config[CODE_SETTING];
  for (const code of [...(typeof carried === 'string' ? [carried] : []), ...codeIn(folder).map((file) => file.code)]) {
    const title = titleIn(code);
    if (title !== null) giveTitle(worldId(code), title);
  }
  try {
    return completeRun(stored);
  } catch (error) {
    if (error instanceof LabError) return config;
    throw error;
  }
}

function runsIn(folder: string, group: string | null, seeds: readonly number[] | null): readonly FoundRun[] {
  return runsOfFolder(folder, storedConfig(folder))
    .filter(({ seed }) => seeds === null || seeds.includes(seed))
    .map(({ config, seed, numbers, curves }) => ({
      group,
      config,
      seed,
      outcome: numbers as Outcome,
      curves: curves ?? new Map(),
      folder,
    }));
}

/** What a sweep reported on fresh seeds, group by group. Throws UsageError where it is not over or reported nothing. */
async function reportedOf(folder: string, { sweep, setups, best, reported }: FiledSweep): Promise<readonly FoundRun[]> {
  if (reported === null || best === null)
    throw new UsageError(`The sweep in "${folder}" has no runs on fresh seeds: let it end, with seeds.reporting above 0.`);
  const hashOf = (number: number | null): string | null => setups.find((setup) => setup.number === number)?.config ?? null;
  const runsOf = (hash: string | null): string => (hash === null ? '' : join(folder, 'runs', hash));
  const ofBest = runsOf(hashOf(best));
  if (existsSync(ofBest)) storedConfig(ofBest); // tells titles
  const title = algoTitle(String(objectOf(sweep.config.algo).id));
  // Sweeps of earlier versions do not note it; of those, every config can be completed
  const base = reported.base === null ? null : (reported.baseConfig ?? configHash(await setupConfig(sweep, {}, completeRun)));
  const groups: readonly (readonly [name: string, hash: string | null])[] =
    reported.arms !== undefined
      ? reported.arms.map(({ value, setup }) => [`${sweep.contrast ?? ''} ${valueWord(value)}`, hashOf(setup)])
      : sweep.method !== undefined
        ? [[methodName(sweep, algoTitle), hashOf(best)]]
        : [
            [`${title}, best set-up`, hashOf(best)],
            [`${title} as it stands`, base],
          ];
  return groups.flatMap(([name, hash]) => {
    const at = runsOf(hash);
    if (!existsSync(at)) throw new UsageError(`"${folder}" lacks the runs of ${name}: copy its folder "runs" as well.`);
    return runsIn(at, name, reported.seeds);
  });
}

/** Folders of runs and sweeps at or below this one. */
function foldersIn(folder: string, level = 0): readonly string[] {
  if (existsSync(join(folder, SWEEP_FILE)) || existsSync(join(folder, 'run.json'))) return [folder];
  if (level === SWEEP_LEVELS) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return inside.map(({ name }) => join(folder, name)).flatMap((one) => foldersIn(one, level + 1));
}

/** A folder whose runs are one group of this name. */
export interface Named {
  readonly folder: string;
  readonly name: string | null;
}

/** All runs of these folders, one of each config and seed. Throws UsageError for a folder without any, and for a sweep that is not over. */
export async function gather(folders: readonly (string | Named)[]): Promise<Found> {
  const runs = new Map<string, FoundRun>();
  const counted: Found['counted'][number][] = [];
  for (const asked of folders) {
    const { folder: given, name } = typeof asked === 'string' ? { folder: asked, name: null } : asked;
    if (!existsSync(given) || !statSync(given).isDirectory()) throw new UsageError(`There is no folder "${given}".`);
    const inside = foldersIn(given);
    if (inside.length === 0) throw new UsageError(`"${given}" holds nothing that train --out or sweep --out wrote.`);
    for (const folder of inside.toSorted()) {
      const filed = existsSync(join(folder, SWEEP_FILE)) ? readSweepFile(readFileSync(join(folder, SWEEP_FILE), 'utf8')) : null;
      counted.push(filed === null ? null : { quantity: filed.sweep.quantity, better: filed.sweep.better });
      const found = filed === null ? runsIn(folder, null, null) : await reportedOf(folder, filed);
      if (found.length === 0) throw new UsageError(`No seed in "${relative('.', folder) || basename(folder)}" is done yet.`);
      if (name !== null && new Set(found.map(({ group }) => group)).size > 1)
        throw new UsageError(
          `"${relative('.', folder)}" holds ${listed([...new Set(found.map(({ group }) => group ?? ''))])}: one name cannot be for both.`,
        );
      for (const run of found)
        runs.set(`${name ?? run.group ?? ''} ${setupKey(run.config)} ${run.seed}`, name === null ? run : { ...run, group: name });
    }
  }
  return { runs: [...runs.values()], counted };
}

/** Alike for runs that differ in their seeds only. */
const setupKey = (config: RunConfig): string => configHash({ ...config, run: { ...config.run, seeds: 1, seedStart: 1, executor: 'wasm' } });

/** A run in a group that has a name. */
export type NamedRun = FoundRun & { readonly group: string };

/**
 * Names the groups of runs that have none: by method, and by the settings that differ where a method stands in one environment with several.
 */
export function nameGroups(runs: readonly FoundRun[]): readonly NamedRun[] {
  const open = runs.filter(({ group }) => group === null);
  const names = new Map<string, string>();
  for (const [id, own] of groupBy(open, ({ config }) => config.algo.id)) {
    const setups = [...new Map(own.map(({ config }) => [setupKey(config), config])).values()];
    const perEnv = groupBy(setups, ({ env }) => canonicalJson(env));
    const several = [...perEnv.values()].some((some) => some.length > 1);
    const settings = differences(setups).map((fields) =>
      fields
        .filter(({ field }) => !isAside(field) && !field.startsWith('env'))
        .map(({ field, value }) => `${field.replace(/^\w+\./, '')} ${value === undefined ? 'none' : JSON.stringify(value)}`),
    );
    setups.forEach((config, i) => {
      names.set(setupKey(config), [algoTitle(id), ...(several ? (settings[i] ?? []) : [])].join(', '));
    });
  }
  return runs.map((run) => ({ ...run, group: run.group ?? names.get(setupKey(run.config)) ?? run.config.algo.id }));
}
