/** What an arm runs, whole, and the folder that keeps it: named by what is run, so that papers share runs that are alike. */
import { join } from 'node:path';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import { type Arm, armConfig, FIRST_REPORTED_SEED, type JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash, sha256 } from '#contract/run/config-hash.ts';
import { completeRun } from '#core/run/loaded.ts';

/** Raised when what a run's folder holds changes its meaning: folders of another number are not read. */
const LAYOUT = 1;

/** Folder of what is run, named by its hash. */
export const folderOf = (cache: string, what: unknown): string => join(cache, `v${LAYOUT}`, sha256(utf8(canonicalJson(what))).slice(0, 20));

/** Seeds of pilots: below every reported one, and above those that settings are usually chosen on. */
export const PILOT_SEEDS = [901, 902, 903, 904, 905] as const;

/** What every run's config has said since the first results: how many seeds are run must not rename it. */
const SEEDS_IN_CONFIG = 10;

/** The run config of an arm with every default, on the seeds that are reported. Throws LabError for a config that cannot be. */
export function completeArm(paper: JudgedCard, arm: Arm, quick: boolean): RunConfig {
  const config = armConfig(paper, arm);
  const run = { ...(config.run as object), ...(quick && paper.quick?.run), seeds: SEEDS_IN_CONFIG, seedStart: FIRST_REPORTED_SEED };
  return completeRun({ ...config, run });
}

/** The settings that a result says an arm ran with. Of a script the method is not known: that of today takes its place. */
const ranWith = ({ env, algo }: Pick<ArmResult, 'env' | 'algo'>, today: RunConfig): RunConfig => ({
  ...today,
  env,
  algo: algo ?? today.algo,
});

/** Whether the config hash of a stored arm is that of the settings beside it. */
export const hashIsOfSettings = (arm: Pick<ArmResult, 'env' | 'algo' | 'config'>, today: RunConfig): boolean =>
  configHash(ranWith(arm, today)) === arm.config;

/** Whether the stored settings of an arm, brought to the versions of today, are those that its card asks for. Throws LabError for settings that cannot be. */
export const becomesToday = (arm: Pick<ArmResult, 'env' | 'algo'>, today: RunConfig): boolean =>
  configHash(completeRun(ranWith(arm, today))) === configHash(today);
