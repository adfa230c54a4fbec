/**
 * `record`: a player's episodes become a dataset, or datasets become another: merged, filtered, as .npz with D4RL's names. The same
 * command gives the same file; runs name it by its SHA-256 (`--set algo.dataset=HASH`).
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  bestEpisodes,
  cardOf,
  type Dataset,
  decodeDataset,
  encodeDataset,
  GRADES,
  type Grade,
  mergeDatasets,
  selectEpisodes,
} from '#contract/files/dataset.ts';
import { datasetFromNpz, datasetToNpz, type NpzTarget } from '#contract/files/dataset-npz.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { isZip } from '#contract/kit/zip.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { type RecordedPlayer, recordDataset } from '#core/run/record.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import type { Command, Context } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { CONFIG_OPTIONS, readConfig } from '../own/config.ts';
import { CODE_OPTIONS, namedBy, openGiven } from '../own/open.ts';
import { keepDataset, readDatasetFile } from '../train/datasets.ts';
import { openPolicy } from '../train/policy-input.ts';

const OPTIONS = {
  env: CONFIG_OPTIONS.env,
  config: CONFIG_OPTIONS.config,
  set: CONFIG_OPTIONS.set,
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
  player: {
    kind: 'list',
    value: 'NAME|FILE',
    help: '"random", a scripted policy of the environment, or a policy file; several play equal parts',
  },
  steps: { kind: 'count', value: 'N', min: 1, help: 'steps of all players together, in whole episodes (10000)' },
  seed: { kind: 'count', value: 'K', min: 0, help: 'seed of the first episode (1)' },
  errors: { kind: 'text', value: 'SHARE', help: 'share of the steps in which players act at random (0)' },
  sampled: { kind: 'flag', help: 'policies draw actions instead of taking the best' },
  grade: { kind: 'text', value: 'GRADE', choices: GRADES, help: `how good the play is: ${GRADES.join(', ')}` },
  from: { kind: 'list', value: 'FILE', help: 'in place of playing: datasets (.rlds, .npz) to merge' },
  best: { kind: 'text', value: 'SHARE', help: 'keep this share of the episodes, those with the highest returns' },
  title: { kind: 'text', value: 'TEXT', help: 'what lists call it' },
  licence: { kind: 'text', value: 'TEXT', help: 'under which it may be passed on (CC0-1.0)' },
  out: { kind: 'text', value: 'FILE', help: 'also write it here: .npz for other programs, else as it is' },
  json: { kind: 'flag', help: 'one JSON line' },
} as const;

function share(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new UsageError(`--${name} must be a number from 0 to 1, not "${text}".`);
}

async function playerOf(context: Pick<Context, 'typedIn'>, name: string, scripts: readonly string[]): Promise<RecordedPlayer> {
  if (name === 'random') return { kind: 'random' };
  if (scripts.includes(name)) return { kind: 'script', name };
  if (!existsSync(pathFrom(context, name)))
    throw new UsageError(`"${name}" is no player: use "random", ${scripts.map((s) => `"${s}", `).join('')}or a policy file.`);
  const snapshot = await openPolicy(context, name);
  const { policy } = await buildPolicy(snapshot);
  return { kind: 'policy', name: `${snapshot.algo.id}, seed ${snapshot.seed}, step ${snapshot.step}`, policy };
}

function readDataset(context: Pick<Context, 'typedIn'>, path: string, target: NpzTarget | null): Dataset {
  const full = pathFrom(context, path);
  if (!existsSync(full)) throw new UsageError(`There is no dataset "${path}".`);
  const bytes = readDatasetFile(full);
  return isZip(bytes) ? datasetFromNpz(bytes, basename(path), target) : decodeDataset(bytes);
}

export const record: Command = {
  usage: 'record --env ID | --env-file FILE --player NAME|FILE ... [--steps N] [--out FILE] | --from FILE ... [--best SHARE]',
  summary: 'Records a player’s episodes as a dataset to learn from; merges and converts datasets.',
  help: `${describeOptions(OPTIONS)}\n\nThe file is kept as datasets/HASH.rlds (folder RL_DATASETS); runs name it: train --algo cql --set algo.dataset=HASH.`,
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0) throw new UsageError(`record takes only options, not "${rest[0]}".`);
    const output = createOutput(options.json);
    const keep = share('best', options.best, 1);
    const asked = { ...options, ...namedBy(await openGiven(options, context), options) };
    const whole = options.from.length > 0 ? await convert(context, asked) : await play(context, asked);
    const data =
      keep === 1 ? whole : selectEpisodes(whole, bestEpisodes(whole, keep), `${whole.header.title}, best ${number(100 * keep)} %`);
    const bytes = encodeDataset(data);
    const hash = sha256(bytes);
    const path = keepDataset(bytes, hash);
    if (options.out !== undefined) writeWhole(pathFrom(context, options.out), options.out.endsWith('.npz') ? datasetToNpz(data) : bytes);
    const card = cardOf(data, hash, bytes.length);
    output.record({ type: 'dataset', path, ...card });
    const { header } = card;
    output.text(
      `${header.title}: ${header.episodes} episodes, ${header.steps} steps, return ${number(card.meanReturn)} (${number(card.leastReturn)} to ${number(card.mostReturn)}), ${number(bytes.length / 1e6)} MB\n${hash}\n${path}`,
    );
  },
};

type Options = ReturnType<typeof parseOptions<typeof OPTIONS>>['options'] & { readonly envConfig?: JsonObject };

async function convert(context: Pick<Context, 'typedIn'>, options: Options): Promise<Dataset> {
  const target = options.env === undefined ? null : await targetOf(options.env);
  const parts = options.from.map((path) => readDataset(context, path, target));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return { ...only, header: { ...only.header, ...(options.title !== undefined && { title: options.title }) } };
  return mergeDatasets(parts, options.title ?? `${parts.length} datasets`);
}

async function targetOf(id: string): Promise<NpzTarget> {
  const entry = await loadEnv(id);
  const config = entry.parse({});
  const { agentCount: agents, obsSize, actionSize, actionCount } = entry.meta(config);
  return { env: { id, version: entry.version, config }, agents, obsSize, actionSize, actionCount };
}

async function play(context: Pick<Context, 'typedIn'>, options: Options): Promise<Dataset> {
  if (options.player.length === 0) throw new UsageError('Who plays? record --env ID --player random|SCRIPT|FILE, or --from FILE.');
  const { env } = await readConfig({ ...options, algo: 'random', steps: 1, executor: undefined }, context);
  const entry = await loadEnv(env.id);
  const config = entry.parse(env.config);
  const players: RecordedPlayer[] = [];
  for (const name of options.player) players.push(await playerOf(context, name, entry.policyNames));
  return recordDataset({
    entry,
    config,
    players,
    steps: options.steps ?? 10_000,
    seed: options.seed ?? 1,
    errors: share('errors', options.errors, 0),
    greedy: !options.sampled,
    ...(options.grade !== undefined && { grade: options.grade as Grade }),
    title: options.title ?? `${entry.title}, ${options.player.map((name) => basename(name)).join(' and ')}`,
    licence: options.licence ?? 'CC0-1.0',
  });
}
