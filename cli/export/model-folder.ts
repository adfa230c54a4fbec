/** Writes the folder of huggingface.ts from a folder of `train --out`. */

import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parse, type Summary, summarySchema } from '#contract/files/files.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import { encodeLink } from '#contract/link/link.ts';
import type { CompleteConfig, RunConfig } from '#contract/run/config.ts';
import type { OnnxFile } from '#contract/session/onnx.ts';
import { getAlgo } from '#core/algos/index.ts';
import { getEnv } from '#core/envs/index.ts';
import { policyToOnnx } from '#core/run/by-id.ts';
import { envIdOf, refuseGym } from '../gym/gyms.ts';
import type { Context } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { checkFile } from '../kit/files.ts';
import { seedFolder, writeWhole } from '../kit/seed-folder.ts';
import { algoTitle, envTitle } from '../kit/titles.ts';
import { codeIn, keepCode } from '../own/code.ts';
import { openPolicy } from '../train/policy-input.ts';
import { openRun, openRunFolder, seedsIn } from '../train/run-folder.ts';
import type { SeedOutcome } from '../train/seeds.ts';
import { summarise } from '../train/summary.ts';
import { runsOfFolder } from '../verify/stored.ts';
import { middleSeed, modelCard } from './huggingface.ts';

const FILMS = ['.webm', '.mp4', '.gif'];

interface Asked {
  readonly huggingface: string;
  readonly run: string;
  readonly film?: string | undefined;
  readonly agent?: number | undefined;
}

/** Names of the files that were written, the seed whose policy it is, and why there is no model, if there is none. Throws UsageError. */
export async function writeModelFolder(
  asked: Asked,
  context: Pick<Context, 'typedIn' | 'project'>,
): Promise<{ readonly files: readonly string[]; readonly seed: number; readonly why: string | null }> {
  const from = pathFrom(context, asked.run);
  const to = pathFrom(context, asked.huggingface);
  refuseGym(envIdOf(openRunFolder(from)), 'It has no card');
  const config = await openRun(from);
  const summary = summaryOf(from, asked.run, config);
  if (!summary.seeds.some(({ evalReturn }) => evalReturn !== null)) throw new UsageError(`No seed of "${asked.run}" was evaluated.`);
  if (existsSync(join(to, 'README.md'))) throw new UsageError(`"${asked.huggingface}" already holds a README.md: choose another folder.`);
  const seed = middleSeed(summary);
  const policyFile = join(seedFolder(from, seed), 'policy.json');
  const snapshot = await openPolicy(context, policyFile);
  let onnx: OnnxFile | null = null;
  let why: string | null = null;
  try {
    onnx = await policyToOnnx(snapshot, asked.agent ?? 0);
  } catch (error) {
    const failure = toFailure(error);
    if (failure.id === 'internal') throw error;
    why = failure.message;
  }
  const film = asked.film === undefined ? null : filmOf(asked.film, context);
  const { env, algo } = config;
  const titles = { env: envTitle(env.id), algo: algoTitle(algo.id) };
  const { version } = readJson(readFileSync(join(context.project, 'package.json'))) as { readonly version: string };
  const card = modelCard({
    config,
    summary,
    seed,
    titles,
    link: linkOf(config),
    onnx,
    why,
    film: film === null ? null : film.name,
    version,
  });
  mkdirSync(to, { recursive: true });
  writeWhole(join(to, 'README.md'), card);
  copyFileSync(policyFile, join(to, 'policy.json'));
  copyFileSync(join(from, 'run.json'), join(to, 'run.json'));
  if (onnx !== null) writeWhole(join(to, 'policy.onnx'), onnx.bytes);
  if (film !== null) copyFileSync(film.path, join(to, film.name));
  keepCode(to, config);
  const codes = codeIn(to).map(({ name }) => basename(name));
  const files = [
    'README.md',
    'policy.json',
    'run.json',
    ...codes,
    ...(onnx === null ? [] : ['policy.onnx']),
    ...(film === null ? [] : [film.name]),
  ];
  return { files, seed, why };
}

/** As `train` left it; of a run of a sweep, which has none, from the results of its seeds. Throws UsageError where seeds are missing. */
function summaryOf(from: string, name: string, config: RunConfig): Summary {
  const file = join(from, 'summary.json');
  if (existsSync(file)) return parse(summarySchema, readFileSync(file, 'utf8'), 'a summary of train --out');
  const runs = runsOfFolder(from, config);
  const asked = Math.max(config.run.seeds, seedsIn(from).length);
  if (runs.length < asked)
    throw new UsageError(`"${name}" has results of ${runs.length} of ${asked} seeds: let the run end first (train --resume ${name}).`);
  return summarise(
    config,
    runs.map(({ numbers }) => numbers as SeedOutcome),
  );
}

function filmOf(path: string, context: Pick<Context, 'typedIn'>): { readonly path: string; readonly name: string } {
  const full = checkFile(context, path, 'film');
  const end = extname(path).toLowerCase();
  if (!FILMS.includes(end)) throw new UsageError(`"${basename(path)}" is no film: give a file that ends with ${FILMS.join(', ')}.`);
  return { path: full, name: `replay${end}` }; // the name under which hubs look for one
}

/** The link of the page to a config; null where it is too long for one. */
function linkOf(config: CompleteConfig): string | null {
  try {
    return encodeLink(config, { env: getEnv(config.env.id).parse({}), algo: getAlgo(config.algo.id).parse({}) });
  } catch (error) {
    if (toFailure(error).id === 'link-too-long') return null;
    throw error;
  }
}
