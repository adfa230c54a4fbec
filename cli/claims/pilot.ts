/**
 * Pilots: the arms of a paper on tuning seeds, one seed of all arms after another, until five are done (or as many as are asked for) or the
 * pilot's minutes are used. Kept in public/results/pilots until the full runs of the form are done, which then keep theirs.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { earlierFormHashes, formHash, type PilotRuns, pilotOf, withPilot } from '#claims/pilot.ts';
import { impossible } from '#claims/possible.ts';
import { parse } from '#contract/files/files.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { PILOT_MINUTES, type Pilot, pilotSchema } from '#contract/papers/pilots.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { readCurves } from '../kit/curves.ts';
import { UsageError } from '../kit/failure.ts';
import type { Machine } from '../kit/machine.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import type { Runs } from '../train/batch.ts';
import { completeArm, PILOT_SEEDS } from './arm-config.ts';
import { armResult } from './result.ts';
import { type ArmRuns, type DoneRun, doneRun, jobsOf, keptRuns, planOf, type RunOptions, runAll } from './run.ts';

const FOLDER = 'public/results/pilots';
/** The curve of tokens that a run has trained on. */
const TOKENS = 'tokens';

const fileOf = (project: string, id: string): string => join(project, FOLDER, `${id}.json`);

/** Whether it tried this form: what the form says besides (its labels) may have changed since. */
const isOf = (pilot: Pilot, paper: JudgedCard): boolean =>
  (pilot.form === formHash(paper) || earlierFormHashes(paper).includes(pilot.form)) &&
  pilot.arms.every(({ config }, k) => paper.arms[k] !== undefined && config === configHash(completeArm(paper, paper.arms[k], false)));

/**
 * The pilot of a form: one that waits for its runs, or that of its result; null where there is none of this form and of the environments and
 * methods of today. Throws LabError('file-invalid') for a broken file.
 */
export function readPilot(project: string, paper: JudgedCard, results: readonly PaperResult[]): Pilot | null {
  const file = fileOf(project, paper.id);
  const waiting = existsSync(file) ? parse(pilotSchema, readFileSync(file, 'utf8'), `a pilot (${paper.id}.json)`) : null;
  const stored = results.find(({ id }) => id === paper.id)?.pilot ?? null;
  return [waiting, stored].find((pilot) => pilot !== null && isOf(pilot, paper)) ?? null;
}

/** The papers with the looks of their pilots, and these. Throws UsageError where one has none, or one that refuses the form. */
export function piloted(papers: readonly JudgedCard[], project: string, results: readonly PaperResult[]) {
  const pilots = new Map(papers.map((paper) => [paper.id, readPilot(project, paper, results)]));
  const without = papers.filter(({ id }) => !pilots.get(id)).map(({ id }) => id);
  if (without.length > 0)
    throw new UsageError(`No pilot of this form: ${without.join(', ')}. Run npm run claims -- ${without.join(' ')} --pilot first.`);
  const refused = [...pilots].flatMap(([id, pilot]) => (pilot?.refused ?? []).map((why) => `${id}: ${why}`));
  if (refused.length > 0) throw new UsageError(`The pilot refuses this form. ${refused.join(' ')}`);
  return { papers: papers.map((paper) => withPilot(paper, pilots.get(paper.id) ?? null)), pilots };
}

/** Removes the file of a pilot that stands in the result of its paper now. */
export const endPilot = (project: string, id: string): void => rmSync(fileOf(project, id), { force: true });

const secondsOf = (run: DoneRun | null): number => run?.outcome.coreSeconds ?? run?.outcome.seconds ?? 0;

/** Tokens that a run trained on; null where it counted none. */
const tokensOf = ({ folder }: ArmRuns, seed: number): number | null => {
  const curve = readCurves(folder, seed).get(TOKENS);
  return curve === undefined ? null : (curve.values[curve.values.length - 1] ?? null);
};

/** What the arms of a paper gave on these seeds. */
function foundOf(paper: JudgedCard, arms: readonly ArmRuns[], runs: Runs, seeds: readonly number[]): readonly PilotRuns[] {
  return arms.map((arm): PilotRuns => {
    const own = seeds.map((seed) => doneRun(runs, arm.folder, seed));
    const { scores, ...result } = armResult(paper, arm, own, seeds);
    const ran = own.some((run) => run !== null);
    return { arm: { ...result, scores: ran ? scores : [] }, tokens: ran ? tokensOf(arm, seeds[0]!) : null };
  });
}

/** The runs of a pilot done again, but for the arms in `without`, which it had no minutes for. Throws Interrupted. */
export async function pilotRuns(
  paper: JudgedCard,
  seeds: readonly number[],
  options: RunOptions,
  without: readonly string[],
): Promise<readonly PilotRuns[]> {
  const runs = keptRuns(options);
  const arms = await planOf(paper, runs, options);
  const asked = arms.filter(({ arm }) => !without.includes(arm.id));
  await runAll(runs, jobsOf(paper, asked, seeds), 'pilot', options.warn);
  return foundOf(paper, arms, runs, seeds);
}

/**
 * Runs the pilot of a paper and writes it. `most` seeds at most, where it is given. Throws UsageError for a form whose size cannot come out,
 * before anything runs, Interrupted, and what an arm's config throws.
 */
export async function runPilot(
  paper: JudgedCard,
  project: string,
  options: RunOptions & { readonly most?: number | undefined },
  about: { readonly commit: string; readonly machine: Machine; readonly date: Date },
): Promise<Pilot> {
  const cannot = impossible(paper);
  if (cannot.length > 0) throw new UsageError(`${paper.id}: ${cannot.join(' ')}`);
  const runs = keptRuns(options);
  const arms = await planOf(paper, runs, options);
  const jobs = PILOT_SEEDS.slice(0, options.most).map((seed) => jobsOf(paper, arms, [seed]));
  const spent = (): number => {
    const all = new Map(jobs.flat().map(({ folder, seed }) => [`${folder} ${seed}`, secondsOf(doneRun(runs, folder, seed))]));
    return [...all.values()].reduce((sum, seconds) => sum + seconds, 0) / 60;
  };
  let done = 0;
  // the first seed arm by arm: a form that is too long is not run to its end
  for (const job of jobs[0]!) if (spent() < PILOT_MINUTES) await runAll(runs, [job], `pilot, ${job.kind}`, options.warn);
  done = 1;
  while (done < jobs.length && (spent() * (done + 1)) / done <= PILOT_MINUTES) {
    await runAll(runs, jobs[done]!, `pilot, seed ${done + 1}`, options.warn);
    done++;
  }
  const seeds = PILOT_SEEDS.slice(0, done);
  const found = foundOf(paper, arms, runs, seeds);
  const { commit, machine, date } = about;
  const pilot = pilotOf(paper, found, { commit, machine, date: date.toISOString(), seeds: [...seeds], coreMinutes: spent() });
  mkdirSync(join(project, FOLDER), { recursive: true });
  writeWhole(fileOf(project, paper.id), `${JSON.stringify(pilot)}\n`);
  return pilot;
}
