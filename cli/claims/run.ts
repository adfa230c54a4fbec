/**
 * Runs the arms of papers over their seeds and judges them. Every run (arm x seed) has a folder of its own, named by what it runs, so that a
 * killed command goes on where it was, papers share runs that are alike, and words of a paper may change. Seeds come by pairs: all arms of
 * one, then all of the next. Papers whose main contrast is open after the first look get the seeds of the second.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { experiments } from '#claims/experiments/index.ts';
import { isDrawn } from '#claims/quantity.ts';
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import type { Arm, JudgedCard } from '#contract/papers/papers.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { completeRun } from '#core/run/loaded.ts';
import { UsageError } from '../kit/failure.ts';
import { seedFolder, writeWhole } from '../kit/seed-folder.ts';
import { type BatchJob, type BatchOptions, Runs } from '../train/batch.ts';
import type { SeedOutcome } from '../train/seeds.ts';
import { completeArm, folderOf } from './arm-config.ts';
import { type Bounds, measureBounds } from './bounds.ts';

/** Who an arm is measured against beside the verdict: the first seed of another experiment, trained before. */
interface Rival {
  readonly parameterHash: string;
  /** Its policy file; undefined where its training failed. */
  readonly file: string | undefined;
}

/** An arm with its whole config and the folder of its runs. */
export interface ArmRuns {
  readonly arm: Arm;
  readonly config: RunConfig;
  readonly folder: string;
  readonly rival: Rival | undefined;
  /** What bounds its scores, beside what its card says. */
  readonly bounds?: Bounds;
}

/** What is known of a run that is over. */
export interface DoneRun {
  readonly outcome: SeedOutcome;
  /** Commit that ran it. */
  readonly commit: string;
}

export interface RanPaper {
  readonly paper: JudgedCard;
  readonly arms: readonly ArmRuns[];
  /** Every seed from the first reported one on. */
  readonly seeds: readonly number[];
  /** [arm][seed]; null: it failed. */
  readonly runs: readonly (readonly (DoneRun | null)[])[];
}

export interface RunOptions {
  /** Folder that keeps runs between commands. */
  readonly cache: string;
  readonly commit: string;
  readonly threads: number;
  readonly quick: boolean;
  /** One line that replaces the one before. */
  readonly progress: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly run?: BatchOptions['run'];
}

const COMMIT_FILE = 'commit';

function armRuns(paper: JudgedCard, arm: Arm, options: Pick<RunOptions, 'cache' | 'quick'>, rivals: ReadonlyMap<string, Rival>): ArmRuns {
  const config = completeArm(paper, arm, options.quick);
  const rival = arm.rival && rivals.get(arm.rival.experiment);
  const { script = null, against = null, explain = null } = arm;
  const what = { config: configHash(config), script, against, explain, sampled: isSampled(paper), rival: rival?.parameterHash ?? null };
  return { arm, config, folder: folderOf(options.cache, what), rival };
}

/** Where the runs of a paper's full form lie, for papers whose arms are measured against no trained rival. Throws LabError for a config that cannot be. */
export function runsOf(paper: JudgedCard, cache: string): readonly ArmRuns[] {
  return paper.arms.map((arm) => armRuns(paper, arm, { cache, quick: false }, new Map()));
}

const isSampled = ({ quantity, arms }: JudgedCard): boolean => [quantity, ...arms.flatMap((arm) => arm.quantity ?? [])].some(isDrawn);

/** The run of a folder and seed; null: it failed, or was not asked for. */
export function doneRun(runs: Runs, folder: string, seed: number): DoneRun | null {
  const outcome = runs.outcome(folder, seed);
  return outcome ? { outcome, commit: readFileSync(join(seedFolder(folder, seed), COMMIT_FILE), 'utf8') } : null;
}

/** Runs what is kept in the cache, each with the commit that ran it first. */
export function keptRuns({ commit, threads, progress, run }: Pick<RunOptions, 'commit' | 'threads' | 'progress' | 'run'>): Runs {
  const finished = ({ folder, seed }: BatchJob): void => {
    const file = join(seedFolder(folder, seed), COMMIT_FILE);
    if (!existsSync(file)) writeWhole(file, commit);
  };
  return new Runs({ threads, progress, finished, ...(run && { run }) });
}

export async function runAll(runs: Runs, jobs: readonly BatchJob[], what: string, warn: (text: string) => void): Promise<void> {
  for (const { job, failure } of await runs.run(jobs, what)) warn(`${job.config.env.id}, seed ${job.seed} failed: ${failure.message}`);
}

/** Trains what arms are measured against beside their verdicts, by experiment. */
async function trainRivals(papers: readonly JudgedCard[], runs: Runs, options: RunOptions): Promise<ReadonlyMap<string, Rival>> {
  const ids = [...new Set(papers.flatMap(({ arms }) => arms.flatMap(({ rival }) => rival?.experiment ?? [])))];
  const cards = ids.map((id): ExperimentCard => {
    const card = experiments.find((experiment) => experiment.id === id);
    if (card === undefined) throw new UsageError(`There is no experiment "${id}" to train a rival by.`);
    return card;
  });
  const jobs = cards.map((card): BatchJob => {
    const config = completeRun(card.config);
    return { config, seed: config.run.seedStart, folder: folderOf(options.cache, { rival: configHash(config) }), kind: card.id };
  });
  await runAll(runs, jobs, 'rivals', options.warn);
  return new Map(
    jobs.map(({ folder, seed }, i) => {
      const file = join(seedFolder(folder, seed), 'policy.json');
      const outcome = runs.outcome(folder, seed);
      return [ids[i]!, { parameterHash: outcome?.parameterHash ?? '', file: outcome && existsSync(file) ? file : undefined }];
    }),
  );
}

export function jobsOf(paper: JudgedCard, arms: readonly ArmRuns[], seeds: readonly number[]): readonly BatchJob[] {
  const trained = arms.flatMap(({ arm, config, folder }) => (arm.script === undefined ? [{ hash: configHash(config), folder }] : []));
  const others = arms.map(({ arm, config, folder }): readonly string[] => {
    if (arm.script !== undefined) return [];
    const hash = configHash(config);
    return trained.flatMap((one) => (one.folder !== folder && one.hash === hash ? [one.folder] : []));
  });
  return seeds.flatMap((seed) =>
    arms.map(
      ({ arm, config, folder, rival }, k): BatchJob => ({
        config,
        seed,
        folder,
        ...(others[k]!.length > 0 && { alike: others[k]! }),
        kind: `${paper.id} ${arm.id}`,
        ...(arm.against && { against: arm.against }),
        ...(arm.explain && { explain: arm.explain }),
        ...(arm.script !== undefined && { script: arm.script }),
        ...(rival?.file !== undefined && { rival: rival.file }),
        ...(isSampled(paper) && { sampled: true }),
      }),
    ),
  );
}

/** The arms of a paper with the bounds of their scores, and without the policies that they are measured against beside a verdict. Throws Interrupted. */
export async function planOf(paper: JudgedCard, runs: Runs, options: RunOptions): Promise<readonly ArmRuns[]> {
  const bounds = await measureBounds([paper], runs, options);
  return paper.arms.map((arm, k) => ({ ...armRuns(paper, arm, options, new Map()), bounds: bounds.get(paper.id)?.[k] ?? {} }));
}

/**
 * Runs papers to the seeds of the first look, and those that `wantsMore` to the second; in their quick form to its own few seeds. Throws
 * Interrupted, UsageError and what an arm's config throws.
 */
export async function runPapers(
  papers: readonly JudgedCard[],
  options: RunOptions,
  wantsMore: (ran: RanPaper) => boolean,
): Promise<readonly RanPaper[]> {
  const runs = keptRuns(options);
  const rivals = await trainRivals(papers, runs, options);
  const bounds = options.quick ? new Map<string, readonly Bounds[]>() : await measureBounds(papers, runs, options);
  const plans = papers.map((paper) => ({
    paper,
    arms: paper.arms.map((arm, k) => ({ ...armRuns(paper, arm, options, rivals), bounds: bounds.get(paper.id)?.[k] ?? {} })),
  }));
  type Plan = (typeof plans)[number];
  const upTo = ({ paper, arms }: Plan, count: number): RanPaper => {
    const seeds = Array.from({ length: count }, (_, i) => paper.firstSeed + i);
    return { paper, arms, seeds, runs: arms.map(({ folder }) => seeds.map((seed) => doneRun(runs, folder, seed))) };
  };
  const first = ({ paper }: Plan): number => (options.quick ? (paper.quick?.seeds ?? 0) : paper.looks[0]!);
  const run = (list: readonly Plan[], count: (plan: Plan) => number, what: string): Promise<void> => {
    const jobs = list.flatMap((plan) => jobsOf(plan.paper, plan.arms, upTo(plan, count(plan)).seeds));
    return runAll(runs, jobs, what, options.warn);
  };
  await run(plans, first, options.quick ? 'quick' : 'first look');
  const done = plans.map(first);
  for (let look = 1; !options.quick; look++) {
    const goesOn = plans.map((plan, k) => {
      const { looks } = plan.paper;
      return done[k] === looks[look - 1] && looks[look] !== undefined && wantsMore(upTo(plan, done[k]!));
    });
    if (!goesOn.includes(true)) break;
    const more = plans.filter((_, k) => goesOn[k]);
    await run(more, ({ paper }) => paper.looks[look]!, `look ${look + 1}`);
    plans.forEach(({ paper }, k) => {
      if (goesOn[k]) done[k] = paper.looks[look]!;
    });
  }
  return plans.map((plan, k) => upTo(plan, done[k]!));
}
