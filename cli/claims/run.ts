/**
 * Runs the arms of papers over their seeds and judges them. Every run (arm x seed) has a folder of its own, named by what it runs, so that a
 * killed command goes on where it was, papers share runs that are alike, and words of a paper may change. Seeds come by pairs: all arms of
 * one, then all of the next. Papers whose main contrast is open after the first look get the seeds of the second.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, utf8 } from '#contract/canonical.ts';
import type { ExperimentCard } from '#contract/catalog.ts';
import type { RunConfig } from '#contract/config.ts';
import { configHash, sha256 } from '#contract/config-hash.ts';
import { type Arm, armConfig, FIRST_REPORTED_SEED, type PaperCard } from '#contract/papers.ts';
import { completeRun } from '#core/run/by-id.ts';
import { experiments } from '#experiments/index.ts';
import { LOOKS } from '#math/verdict.ts';
import { Interrupted, UsageError } from '../failure.ts';
import { seedFolder, writeWhole } from '../run-folder.ts';
import { type Job, runSeeds, type SeedOutcome } from '../seeds.ts';
import { duration, Progress } from './progress.ts';

/** Raised when what a run's folder holds changes its meaning: folders of another number are not read. */
const LAYOUT = 1;

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
}

/** What is known of a run that is over. */
export interface DoneRun {
  readonly outcome: SeedOutcome;
  /** Commit that ran it. */
  readonly commit: string;
}

export interface RanPaper {
  readonly paper: PaperCard;
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
}

const COMMIT_FILE = 'commit';

const folderOf = (cache: string, what: unknown): string => join(cache, `v${LAYOUT}`, sha256(utf8(canonicalJson(what))).slice(0, 20));

/** The run config of an arm with every default, on the seeds that are reported. Throws LabError for a config that cannot be. */
export function completeArm(paper: PaperCard, arm: Arm, quick: boolean): RunConfig {
  const config = armConfig(paper, arm);
  const run = { ...(config.run as object), ...(quick && paper.quick?.run), seeds: LOOKS[1].seeds, seedStart: FIRST_REPORTED_SEED };
  return completeRun({ ...config, run });
}

function armRuns(paper: PaperCard, arm: Arm, options: RunOptions, rivals: ReadonlyMap<string, Rival>): ArmRuns {
  const config = completeArm(paper, arm, options.quick);
  const rival = arm.rival && rivals.get(arm.rival.experiment);
  const { script = null, against = null, explain = null } = arm;
  const what = { config: configHash(config), script, against, explain, sampled: isSampled(paper), rival: rival?.parameterHash ?? null };
  return { arm, config, folder: folderOf(options.cache, what), rival };
}

const isSampled = ({ quantity }: PaperCard): boolean => 'of' in quantity && quantity.of === 'sampledReturn';

interface Planned extends Job {
  readonly folder: string;
  readonly kind: string;
}

const runKey = (folder: string, seed: number): string => `${folder} ${seed}`;

/** Runs jobs, those that are done already read from their folders. Throws Interrupted. */
async function runAll(jobs: readonly Planned[], done: Map<string, DoneRun | null>, options: RunOptions, what: string): Promise<void> {
  const fresh = [...new Map(jobs.map((job) => [runKey(job.folder, job.seed), job])).values()].filter(
    (job) => !done.has(runKey(job.folder, job.seed)),
  );
  if (fresh.length === 0) return;
  for (const { folder } of fresh) mkdirSync(folder, { recursive: true });
  const progress = new Progress(
    fresh.map(({ kind, config, script }) => ({ kind, steps: script === undefined ? config.run.steps : 0 })),
    options.threads,
  );
  const order: readonly Job[] = fresh;
  let over = 0;
  const batch = await runSeeds(
    fresh,
    (message, job) => {
      const at = order.indexOf(job);
      if (message.kind === 'progress') progress.at(at, message.step, message.stepsPerSecond);
      if (message.kind === 'done' || message.kind === 'failed') {
        over++;
        progress.end(at);
      }
      if (message.kind === 'done') {
        const file = join(seedFolder(fresh[at]!.folder, job.seed), COMMIT_FILE);
        if (!existsSync(file)) writeWhole(file, options.commit);
      }
      const { share, secondsLeft } = progress.now();
      const left = secondsLeft === null ? '' : `, ${duration(secondsLeft)} left`;
      options.progress(`${what}: ${over} of ${fresh.length} runs, ${Math.floor(100 * share)} %${left}`);
    },
    options.threads,
  );
  options.progress('');
  if (batch.interrupted) throw new Interrupted(`Interrupted after ${over} of ${fresh.length} runs. The same command goes on from here.`);
  for (const { job, failure } of batch.failures) options.warn(`${job.config.env.id}, seed ${job.seed} failed: ${failure.message}`);
  fresh.forEach(({ folder, seed }, i) => {
    const outcome = batch.outcomes[i] ?? null;
    const commit = outcome && readFileSync(join(seedFolder(folder, seed), COMMIT_FILE), 'utf8');
    done.set(runKey(folder, seed), outcome && { outcome, commit: commit ?? '' });
  });
}

/** Trains what arms are measured against beside their verdicts, by experiment. */
async function trainRivals(papers: readonly PaperCard[], options: RunOptions): Promise<ReadonlyMap<string, Rival>> {
  const ids = [...new Set(papers.flatMap(({ arms }) => arms.flatMap(({ rival }) => rival?.experiment ?? [])))];
  const cards = ids.map((id): ExperimentCard => {
    const card = experiments.find((experiment) => experiment.id === id);
    if (card === undefined) throw new UsageError(`There is no experiment "${id}" to train a rival by.`);
    return card;
  });
  const jobs = cards.map((card): Planned => {
    const config = completeRun(card.config);
    return { config, seed: config.run.seedStart, folder: folderOf(options.cache, { rival: configHash(config) }), kind: card.id };
  });
  const done = new Map<string, DoneRun | null>();
  await runAll(jobs, done, options, 'rivals');
  return new Map(
    jobs.map(({ folder, seed }, i) => {
      const file = join(seedFolder(folder, seed), 'policy.json');
      const outcome = done.get(runKey(folder, seed))?.outcome;
      return [ids[i]!, { parameterHash: outcome?.parameterHash ?? '', file: outcome && existsSync(file) ? file : undefined }];
    }),
  );
}

function jobsOf(paper: PaperCard, arms: readonly ArmRuns[], seeds: readonly number[]): readonly Planned[] {
  return seeds.flatMap((seed) =>
    arms.map(
      ({ arm, config, folder, rival }): Planned => ({
        config,
        seed,
        folder,
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

/**
 * Runs papers to the seeds of the first look, and those that `wantsMore` to the second; in their quick form to its own few seeds. Throws
 * Interrupted, UsageError and what an arm's config throws.
 */
export async function runPapers(
  papers: readonly PaperCard[],
  options: RunOptions,
  wantsMore: (ran: RanPaper) => boolean,
): Promise<readonly RanPaper[]> {
  const rivals = await trainRivals(papers, options);
  const plans = papers.map((paper) => ({ paper, arms: paper.arms.map((arm) => armRuns(paper, arm, options, rivals)) }));
  type Plan = (typeof plans)[number];
  const done = new Map<string, DoneRun | null>();
  const upTo = ({ paper, arms }: Plan, count: number): RanPaper => {
    const seeds = Array.from({ length: count }, (_, i) => FIRST_REPORTED_SEED + i);
    const runs = arms.map(({ folder }) => seeds.map((seed) => done.get(runKey(folder, seed)) ?? null));
    return { paper, arms, seeds, runs };
  };
  const first = ({ paper }: Plan): number => (options.quick ? (paper.quick?.seeds ?? 0) : LOOKS[0].seeds);
  const run = (list: readonly Plan[], count: (plan: Plan) => number, what: string): Promise<void> => {
    const jobs = list.flatMap((plan) => jobsOf(plan.paper, plan.arms, upTo(plan, count(plan)).seeds));
    return runAll(jobs, done, options, what);
  };
  await run(plans, first, options.quick ? 'quick' : `first ${LOOKS[0].seeds} seeds`);
  const more = options.quick ? [] : plans.filter((plan) => wantsMore(upTo(plan, first(plan))));
  await run(more, () => LOOKS[1].seeds, `up to ${LOOKS[1].seeds} seeds`);
  return plans.map((plan) => upTo(plan, more.includes(plan) ? LOOKS[1].seeds : first(plan)));
}
