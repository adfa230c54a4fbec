/**
 * Numbers that were stored of runs, with what it takes to run them again. From a run folder of `train --out`, the folder of a sweep, a project
 * file, a summary, a run file of the page, a result of `claims`, or a link whose config one of the published results has.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { claimPaper } from '#claims/claim.ts';
import { experiments } from '#claims/experiments/index.ts';
import { paperOf } from '#claims/index.ts';
import { isDrawn, quantityOf } from '#claims/quantity.ts';
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { readContainer, unzipContainer } from '#contract/container.ts';
import { parse, runFileSchema, summarySchema } from '#contract/files.ts';
import { type Json, type JsonObject, objectOf, readJson } from '#contract/json.ts';
import { type PaperResult, paperResultSchema, type Result, resultSchema } from '#contract/results.ts';
import { textOf } from '#contract/saved.ts';
import { excuseOf } from '#contract/verify.ts';
import { isZip } from '#contract/zip.ts';
import { completeRun } from '#core/run/loaded.ts';
import { completeArm } from '../claims/arm-config.ts';
import { readConfig } from '../config.ts';
import { runFoldersIn, wrongIndex } from '../container.ts';
import { type Context, pathFrom } from '../context.ts';
import { UsageError } from '../failure.ts';
import { looksLikeLink } from '../link.ts';
import { listSweeps } from '../serve/results.ts';
import { wrongSummary } from './derived.ts';
import { runsOfFolder, runsOfFound, type Stored, type StoredRun, storedRun } from './stored.ts';
import { sweepRecords } from './sweeps.ts';

async function ofFolder(folder: string, name: string): Promise<Stored> {
  const sweeps = existsSync(join(folder, 'run.json')) ? [] : listSweeps(folder);
  if (sweeps.length === 0) {
    const runs = runFoldersIn(folder).flatMap((at) => runsOfFolder(join(folder, at), join(name, at)));
    return { runs, wrong: [...wrongSummary(folder, name, runs), ...wrongIndex(folder, name)] };
  }
  const found: Stored[] = [];
  for (const { path } of sweeps) found.push(await sweepRecords(join(folder, path), path === '' ? name : join(name, path)));
  return { runs: found.flatMap(({ runs }) => runs), wrong: [...found.flatMap(({ wrong }) => wrong), ...wrongIndex(folder, name)] };
}

function ofRunFile(text: string): readonly StoredRun[] {
  const file = parse(runFileSchema, text, 'a run file');
  const config = completeRun(file.config);
  return file.seeds.flatMap(({ seed, result, marks }): StoredRun[] => {
    if (result === null) return [];
    const excuse = excuseOf(config, marks);
    return [{ ...storedRun(file.name, config, { ...result, seed }), excuse }];
  });
}

/** A config on its recorded hash; throws UsageError where the config has changed since. */
function sameConfig(config: RunConfig, hash: string, of: string): RunConfig {
  if (configHash(config) === hash) return config;
  throw new UsageError(
    `${of} was recorded with config ${hash}, and today its config is ${configHash(config)}: versions or settings have changed since, so it cannot be run again as it was.`,
  );
}

function ofClaim(result: Result): readonly StoredRun[] {
  const card = experiments.find(({ id }) => id === result.id);
  if (card === undefined) throw new UsageError(`There is no claim "${result.id}" to run again.`);
  const config = sameConfig(completeRun(card.config), result.config, result.id);
  return result.seeds.map((seed) => storedRun(result.id, config, seed));
}

function ofPaper(result: PaperResult): readonly StoredRun[] {
  const claim = experiments.find(({ id }) => id === result.id);
  const paper = paperOf(result.id) ?? (claim && claimPaper(claim, result.quick));
  if (!paper) throw new UsageError(`There is no paper "${result.id}" to run again.`);
  return result.arms.flatMap((stored) => {
    const arm = paper.arms.find(({ id }) => id === stored.id);
    if (arm === undefined) return [];
    const config = sameConfig(completeArm(paper, arm, result.quick), stored.config, `${result.id}, ${stored.title},`);
    const quantity = arm.quantity ?? paper.quantity;
    const { against, explain, script } = arm;
    const sampled = [paper.quantity, ...paper.arms.flatMap((one) => one.quantity ?? [])].some(isDrawn);
    const job = { ...(against && { against }), ...(explain && { explain }), ...(script !== undefined && { script }), sampled };
    // A run that failed has no hash: the others stand in the order of the seeds.
    const done = result.seeds.filter((_, i) => stored.parameterHashes.length === result.seeds.length || stored.scores[i] !== null);
    if (done.length !== stored.parameterHashes.length)
      throw new UsageError(
        `${result.id}, ${stored.title}, does not say which of its seeds its ${stored.parameterHashes.length} hashes are of.`,
      );
    return done.map(
      (seed, i): StoredRun => ({
        ...storedRun(`${result.id} ${stored.id}`, config, { seed, parameterHash: stored.parameterHashes[i]! }),
        numbers: { score: stored.scores[result.seeds.indexOf(seed)] ?? null },
        job,
        measure: (outcome, curves) => ({
          score: quantityOf(quantity, paper.scale.better, outcome, script === undefined ? curves : new Map(), config.run.steps),
        }),
      }),
    );
  });
}

/** A project file, or one with text. */
function ofFile(bytes: Uint8Array, name: string): Stored {
  if (!isZip(bytes)) return { runs: ofText(textOf(bytes), name), wrong: [] };
  return { runs: readContainer(unzipContainer(bytes)).runs.flatMap(runsOfFound), wrong: [] };
}

function ofText(text: string, name: string): readonly StoredRun[] {
  const json = objectOf(readJson(text) as Json);
  if (json.kind === 'run') return ofRunFile(text);
  if (json.type === 'summary') {
    const summary = parse(summarySchema, text, 'a summary');
    const config = completeRun(summary.config);
    return summary.seeds.map((seed) => storedRun(name, config, seed));
  }
  if (json.v === 2) return ofPaper(parse(paperResultSchema, text, 'a result'));
  if (json.v === 1 && 'expect' in json) return ofClaim(parse(resultSchema, text, 'a result'));
  throw new UsageError(
    `"${name}" stores no result. Use a folder of train --out, a project file, a summary, a run file, a result of claims, or a link.`,
  );
}

/** Published results whose config is that of a link. */
function ofLink(link: string, context: Pick<Context, 'typedIn' | 'project'>): readonly StoredRun[] {
  const config = readConfig({ config: link, env: undefined, algo: undefined, set: [] }, context);
  const alike = (run: RunConfig): string => configHash({ ...run, run: { ...run.run, seeds: 1, seedStart: 1 } });
  const folder = join(context.project, 'public/results');
  const files = [folder, join(folder, 'papers')].flatMap((where) =>
    readdirSync(where)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(where, name)),
  );
  const found = files.flatMap((file): readonly StoredRun[] => {
    const text = readFileSync(file, 'utf8');
    const { env, arms } = readJson(text) as JsonObject & {
      readonly env?: { readonly id?: string };
      readonly arms?: readonly { readonly env: { readonly id: string } }[];
    };
    if (env?.id !== config.env.id && !arms?.some((arm) => arm.env.id === config.env.id)) return [];
    try {
      return ofText(text, file).filter((run) => alike(run.config) === alike(config));
    } catch (error) {
      if (error instanceof UsageError) return []; // recorded under other settings: not what the link opens
      throw error;
    }
  });
  if (found.length > 0) return found;
  throw new UsageError('No published result has the config of this link. Train it with --out, and verify that folder.');
}

/** What is stored at a path or link. Throws UsageError and LabError('file-invalid') with what is wrong. */
export async function storedRuns(word: string, context: Pick<Context, 'typedIn' | 'project'>): Promise<Stored> {
  const path = pathFrom(context, word);
  if (!existsSync(path)) {
    if (looksLikeLink(word)) return { runs: ofLink(word, context), wrong: [] };
    throw new UsageError(`"${word}" is no file, folder or link.`);
  }
  const stored = statSync(path).isDirectory() ? await ofFolder(path, word) : ofFile(readFileSync(path), word);
  if (stored.runs.length === 0) throw new UsageError(`"${word}" holds no run that is done.`);
  return stored;
}
