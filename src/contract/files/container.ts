/**
 * The container of results: a folder, or a zip of one, as `train --out`, `sweep --out`, the queue and the page's project files write it.
 *   project.json                   index: every run with the hash of its config and what each seed has learned; how the page was arranged
 *   RUN/run.json                   the run (files.ts); RUN may be the folder itself
 *   RUN/seed-N/result.json         what the seed gave, once it is done
 *   RUN/seed-N/curve.csv           every metric, unsmoothed, in long form
 *   RUN/seed-N/checkpoint.rlwb     the newest state (saved.ts); the command line keeps it until the seed is done
 *   RUN/seed-N/points.rlwb         states before it from which other runs can go on (points-file.ts)
 *   RUN/seed-N/policies.rlwb       kept policies (policies-file.ts); of the command line policy.json: the newest, and where --keep asks
 *                                  for them policy-STEP.json and best.json: the best one by its greedy test
 * Two earlier forms are read: projects of version 1 (RUN/curves.csv, RUN/N/checkpoint.bin, points.bin, policy-STEP.json), and run.json of the
 * kind "cli-run". Reading throws LabError('file-invalid').
 */
import { z } from 'zod';
import { listOf } from '../kit/bounded.ts';
import { crc32, textOf } from '../kit/bytes.ts';
import { utf8 } from '../kit/canonical.ts';
import { fail, LabError } from '../kit/errors.ts';
import { inflate, inflateBeginning } from '../kit/inflate.ts';
import { type JsonObject, objectOf, readJson } from '../kit/json.ts';
import { type ZipEntry, ZipError, zipEntries } from '../kit/zip.ts';
import { runConfigSchema } from '../run/config.ts';
import { configHash } from '../run/config-hash.ts';
import type { PolicySnapshot, SeedResult } from '../run/events.ts';
import { isSaved } from '../run/saved.ts';
import { curvesFromCsv, curvesToCsv } from './curves-csv.ts';
import {
  type CurveColumn,
  decodePolicyFile,
  type ProjectLayout,
  parse,
  projectLayoutSchema,
  type RunFile,
  runFileSchema,
  seedResultSchema,
} from './files.ts';
import { decodePolicies, encodePolicies } from './policies-file.ts';

export const INDEX_FILE = 'project.json';
export const RUN_FILE = 'run.json';
export const SEED_FILES = {
  result: 'result.json',
  curve: 'curve.csv',
  checkpoint: 'checkpoint.rlwb',
  points: 'points.rlwb',
  policies: 'policies.rlwb',
  policy: 'policy.json',
  best: 'best.json',
} as const;

/** A policy that was kept on the way, of the command line. */
export const policyFileName = (step: number): string => `policy-${step}.json`;

export const seedFolderName = (seed: number): string => `seed-${seed}`;

/** Bytes of all files together, unpacked. */
export const LARGEST_CONTAINER = 512 * 1024 * 1024;
/**
 * Texts of a zip unpack to at most so many times its bytes, above a floor; those that we write unpack to under twenty times theirs. States
 * are mostly zeros while a replay buffer fills and have no such bound.
 */
const TEXT_RATIO = 50;
const TEXT_FLOOR = 1024 * 1024;
export const MOST_FILES = 20_000;
/** Runs that are read at once. */
const MOST_RUNS = 1000;
/** What a container may hold; other files are not read. */
const ENTRY =
  /^([^/]+\/){0,6}(project\.json|run\.json|curves\.csv|\d+\/(checkpoint\.bin|points\.bin|policy-\d+\.json)|seed-\d+\/(result\.json|curve\.csv|(checkpoint|points|policies)\.rlwb|(policy(-\d+)?|best)\.json))$/;

/** Whether a file of this name, with slashes, belongs to a container. */
export const isContainerFile = (name: string): boolean => ENTRY.test(name);

/** Files by their names below the folder, with slashes. */
export type FileTree = ReadonlyMap<string, Uint8Array>;

const isState = (name: string): boolean => /\.(bin|rlwb)$/.test(name);

/** The files of a zip that a container may hold, or those that `belongs` names. Nothing is unpacked before the zip's directory says that all together are small enough. */
export function unzipContainer(bytes: Uint8Array, belongs: (name: string) => boolean = isContainerFile): FileTree {
  const files = new Map<string, Uint8Array>();
  try {
    const entries = zipEntries(bytes, MOST_FILES).filter(({ name }) => belongs(name));
    const sizeOf = (some: readonly ZipEntry[]): number => some.reduce((sum, { size }) => sum + size, 0);
    if (
      sizeOf(entries) > LARGEST_CONTAINER ||
      sizeOf(entries.filter(({ name }) => !isState(name))) > TEXT_FLOOR + TEXT_RATIO * bytes.length
    )
      throw fail('file-invalid', 'This project is too large to be opened.', 'Export fewer runs at once.');
    for (const entry of entries) {
      const { name, crc } = entry;
      if (isState(name) && !isSaved(beginning(entry)))
        throw fail('file-invalid', `"${name}" of this project file is no checkpoint.`, 'Export the project again.');
      const data = unpacked(entry);
      if (crc32(data) !== crc)
        throw fail('file-invalid', `This project file is damaged: the checksum of "${name}" does not match.`, 'Export the project again.');
      files.set(name, data);
    }
  } catch (error) {
    if (error instanceof LabError) throw error;
    if (error instanceof ZipError)
      throw fail('file-invalid', `This project file cannot be read: ${error.message}.`, 'Choose a whole file that this workbench saved.');
    throw fail('file-invalid', 'This is not a project file: it cannot be unpacked.', 'Choose a file that this workbench saved.');
  }
  return files;
}

/** Bytes of a packed entry that show how it begins: more than the codes in front of a deflated block. */
const PROBE = 512;
const BEGINNING = 16;

const beginning = ({ packed, method }: ZipEntry): Uint8Array =>
  method === 0 ? packed.subarray(0, BEGINNING) : inflateBeginning(packed.subarray(0, PROBE), BEGINNING);

/** Throws RangeError for an entry that holds another number of bytes than it says. */
function unpacked({ packed, method, size }: ZipEntry): Uint8Array {
  if (method !== 0 && method !== 8) throw new RangeError('an unknown method');
  const data = method === 0 ? packed : inflate(packed, size);
  if (data.length !== size) throw new RangeError('another size');
  return data;
}

/** Bytes of a seed's files; what is not there is null. */
export interface FoundSeed {
  readonly seed: number;
  /** As result.json has it, for comparisons of every number; null: the seed is not done. */
  readonly stored: JsonObject | null;
  readonly result: SeedResult | null;
  readonly curves: readonly CurveColumn[];
  readonly checkpoint: Uint8Array | null;
  readonly points: Uint8Array | null;
  readonly policies: readonly PolicySnapshot[];
}

export interface FoundRun {
  /** Its folder below the container's, with slashes; "" for that itself. */
  readonly folder: string;
  /** Results stand in it, whether the file itself or those of the seeds have them. A run of the command line has no id and no name: "". */
  readonly file: RunFile;
  readonly seeds: readonly FoundSeed[];
}

export interface FoundContainer {
  readonly runs: readonly FoundRun[];
  readonly layout?: ProjectLayout | undefined;
}

/** `project.json`. Version 1 names the folders of its runs; version 2 also what is in them. */
const indexSchema = z.object({
  kind: z.literal('project'),
  version: z.union([z.literal(1), z.literal(2)]),
  savedAt: z.iso.datetime(),
  runs: listOf(
    z.union([
      z.string().min(1),
      z.object({
        folder: z.string(),
        name: z.string(),
        hash: z.string(),
        seeds: listOf(z.object({ seed: z.int().min(0), step: z.number().min(0), parameterHash: z.string().nullable() })),
      }),
    ]),
  ),
  layout: projectLayoutSchema.optional(),
});

/** What the index says of a run. */
export type IndexedRun = Exclude<z.infer<typeof indexSchema>['runs'][number], string>;

/** A container's index as text. */
export function indexText(runs: readonly IndexedRun[], savedAt: string, layout?: ProjectLayout): string {
  const index = { kind: 'project', version: 2, savedAt, runs, ...(layout && { layout }) };
  return `${JSON.stringify(index, null, 2)}\n`;
}

export const indexedRun = ({ folder, file }: Pick<FoundRun, 'folder' | 'file'>): IndexedRun => ({
  folder,
  name: file.name,
  hash: file.hash,
  seeds: file.seeds.map(({ seed, step, result }) => ({ seed, step, parameterHash: result?.parameterHash ?? null })),
});

/** What an index file says. Throws LabError('file-invalid'). */
export const readIndex = (source: string | Uint8Array) => parse(indexSchema, source, 'a project file');

const bytesIn = (tree: FileTree, name: string): Uint8Array => {
  const data = tree.get(name);
  if (data === undefined) throw fail('file-invalid', `The project file lacks "${name}".`, 'Export the project again.');
  return data;
};

const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Every run of a container: those of its index, in that order, or without one every folder that holds a run.json. */
export function readContainer(tree: FileTree): FoundContainer {
  const top = topOf(tree);
  const index = tree.has(inFolder(top, INDEX_FILE)) ? readIndex(bytesIn(tree, inFolder(top, INDEX_FILE))) : null;
  const folders =
    index?.runs.map((run) => inFolder(top, typeof run === 'string' ? run : run.folder).replace(/\/$/, '')) ?? runFolders(tree);
  if (folders.length === 0)
    throw fail(
      'file-invalid',
      'There is no run in it.',
      'Choose a project file, or a folder that train --out, sweep --out or the queue has written.',
    );
  if (folders.length > MOST_RUNS)
    throw fail('file-invalid', `It holds ${folders.length} runs, and at most ${MOST_RUNS} are opened at once.`, 'Choose a part of it.');
  const runs = folders.map((folder) => readRun(index?.version === 1 ? upgraded(tree, folder) : tree, folder));
  return { runs, layout: index?.layout };
}

/** The folder that the index lies in: a zip made of a folder has that folder inside. */
function topOf(tree: FileTree): string {
  const found = [...tree.keys()].filter((name) => name === INDEX_FILE || name.endsWith(`/${INDEX_FILE}`));
  const [first = ''] = found.toSorted((a, b) => a.split('/').length - b.split('/').length);
  return first.split('/').slice(0, -1).join('/');
}

const runFolders = (tree: FileTree): readonly string[] =>
  [...tree.keys()]
    .filter((name) => name === RUN_FILE || name.endsWith(`/${RUN_FILE}`))
    .map((name) => name.slice(0, -RUN_FILE.length).replace(/\/$/, ''))
    .sort();

/** A project of version 1 under the names of today, as far as they belong to this run. */
function upgraded(tree: FileTree, folder: string): FileTree {
  const out = new Map<string, Uint8Array>([[`${folder}/${RUN_FILE}`, bytesIn(tree, `${folder}/${RUN_FILE}`)]]);
  const curves = curvesFromCsv(textOf(bytesIn(tree, `${folder}/curves.csv`)));
  const put = (seed: number, name: string, data: Uint8Array): void => void out.set(`${folder}/${seedFolderName(seed)}/${name}`, data);
  for (const seed of new Set(curves.map((column) => column.seed))) {
    const own = curves.filter((column) => column.seed === seed);
    put(seed, SEED_FILES.curve, utf8(curvesToCsv('', own)));
  }
  const policies = new Map<number, PolicySnapshot[]>();
  for (const [name, data] of tree) {
    if (!name.startsWith(`${folder}/`)) continue;
    const [number, file = '', ...more] = name.slice(folder.length + 1).split('/');
    if (more.length > 0) continue;
    const seed = Number(number);
    if (file === 'checkpoint.bin') put(seed, SEED_FILES.checkpoint, data);
    else if (file === 'points.bin') put(seed, SEED_FILES.points, data);
    else if (file.startsWith('policy-')) policies.set(seed, [...(policies.get(seed) ?? []), decodePolicyFile(data)]);
  }
  for (const [seed, list] of policies) put(seed, SEED_FILES.policies, encodePolicies(list.sort((a, b) => a.step - b.step)));
  return out;
}

/** One run of a folder. */
export function readRun(tree: FileTree, folder: string): FoundRun {
  const file = runFileOf(bytesIn(tree, inFolder(folder, RUN_FILE)));
  const start = inFolder(folder, 'seed-');
  const listed = new Set(file.seeds.map(({ seed }) => seed));
  for (const name of tree.keys()) {
    const seed = name.startsWith(start) ? /^(\d+)\/[^/]+$/.exec(name.slice(start.length))?.[1] : undefined;
    if (seed !== undefined) listed.add(Number(seed));
  }
  const seeds = [...listed].sort((a, b) => a - b).map((seed) => readSeedOf(tree, folder, file, seed));
  return { folder, file: { ...file, seeds: seeds.map((seed) => seedOf(file, seed)) }, seeds };
}

/** run.json as the page keeps it; of the command line without id and name. */
function runFileOf(bytes: Uint8Array): RunFile {
  let kind: unknown;
  try {
    kind = objectOf(readJson(bytes)).kind;
  } catch {
    kind = undefined; // parse says what is wrong with it
  }
  if (kind !== 'cli-run') return parse(runFileSchema, bytes, 'a run of a project');
  const { config } = parse(z.object({ kind: z.literal('cli-run'), version: z.literal(1), config: runConfigSchema }), bytes, 'a run folder');
  return newRunFile(config, { id: '', name: '', createdAt: 0 });
}

/** The record of a run of which nothing is known but its config. */
export const newRunFile = (config: RunFile['config'], { id, name, createdAt }: Pick<RunFile, 'id' | 'name' | 'createdAt'>): RunFile => ({
  kind: 'run',
  version: 1,
  id,
  name,
  config,
  hash: configHash(config),
  colour: 0,
  dash: 0,
  createdAt,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds: [],
});

/** Policies in files of their own, by step. */
function policiesOf(tree: FileTree, folder: string, seed: number): readonly PolicySnapshot[] {
  const at = inFolder(folder, `${seedFolderName(seed)}/`);
  const files = [...tree].filter(([name]) => name.startsWith(at) && /^(policy(-\d+)?|best)\.json$/.test(name.slice(at.length)));
  const found = new Map(files.map(([, bytes]) => decodePolicyFile(bytes)).map((policy) => [policy.step, policy]));
  return [...found.values()].sort((a, b) => a.step - b.step);
}

function readSeedOf(tree: FileTree, folder: string, file: RunFile, seed: number): FoundSeed {
  const at = (name: string): Uint8Array | null => tree.get(inFolder(folder, `${seedFolderName(seed)}/${name}`)) ?? null;
  const [stored, curve, policies] = [at(SEED_FILES.result), at(SEED_FILES.curve), at(SEED_FILES.policies)];
  const own = file.seeds.find((one) => one.seed === seed)?.result ?? null;
  return {
    seed,
    result: stored === null ? own : parse(seedResultSchema, stored, 'the result of a seed'),
    stored: stored === null ? null : objectOf(readJson(stored)),
    curves: curve === null ? [] : curvesFromCsv(textOf(curve)).map((column) => ({ ...column, seed })),
    checkpoint: at(SEED_FILES.checkpoint),
    points: at(SEED_FILES.points),
    policies: policies !== null ? decodePolicies(policies) : policiesOf(tree, folder, seed),
  };
}

/** What run.json says of a seed, or what its files say where that lists none. */
function seedOf(file: RunFile, { seed, result, curves }: FoundSeed): RunFile['seeds'][number] {
  const listed = file.seeds.find((one) => one.seed === seed);
  if (listed !== undefined) return { ...listed, result };
  const step = result?.steps ?? Math.max(0, ...curves.map(({ steps }) => steps.at(-1) ?? 0));
  return {
    seed,
    state: result === null ? 'interrupted' : 'done',
    step,
    seconds: result?.seconds ?? 0,
    stepsPerSecond: result?.stepsPerSecond ?? 0,
    checkpointStep: -1,
    result,
    failure: null,
    marks: [],
  };
}

/** Names and texts of the files that every writer makes of a run: run.json, results and curves. `file` as the page keeps it. */
export function runTexts(file: RunFile, curves: readonly CurveColumn[]): ReadonlyMap<string, string> {
  const seeds = file.seeds.map((one) => ({ ...one, result: null })); // it lies beside the curve
  const out = new Map([[RUN_FILE, `${JSON.stringify({ ...file, seeds }, null, 2)}\n`]]);
  for (const { seed, result } of file.seeds) {
    const at = seedFolderName(seed);
    const own = curves.filter((column) => column.seed === seed);
    if (own.length > 0) out.set(`${at}/${SEED_FILES.curve}`, curvesToCsv(file.id, own));
    if (result !== null) out.set(`${at}/${SEED_FILES.result}`, `${JSON.stringify(result, null, 2)}\n`);
  }
  return out;
}
