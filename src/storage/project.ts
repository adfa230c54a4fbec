/**
 * A project file: a zip of plain files. `project.json` names the runs; each run has a folder with `run.json`, `curves.csv`
 * (unsmoothed, every metric), and per seed `<seed>/checkpoint.bin`, `<seed>/points.bin` (the states before it that are kept, see states.ts)
 * and `<seed>/policy-<step>.json`. Reading throws LabError('file-invalid') and writes nothing unless the whole file is good.
 */
import { Inflate, strFromU8, strToU8, type Zippable, zipSync } from 'fflate';
import type { z } from 'zod';
import { crc32 } from '#contract/bytes.ts';
import { fail, LabError, toFailure } from '#contract/errors.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import {
  type CurveColumn,
  curvesFromCsv,
  curvesToCsv,
  decodePolicyFile,
  encodePolicyFile,
  type ProjectLayout,
  parse,
  projectFileSchema,
  type RunFile,
  runFileSchema,
} from '#contract/files.ts';
import type { Origin } from '#contract/origin.ts';
import { decodeSaved, encodeSaved, isSaved } from '#contract/saved.ts';
import { type ZipEntry, ZipError, zipEntries } from '#contract/zip.ts';
import { chunksOf, type KeptPolicy, type Library } from './library.ts';
import { decodePoints, encodePoints, readStates } from './states.ts';

const COMPRESSION = 6;
/** Bytes of all entries together, unpacked. */
const LARGEST = 512 * 1024 * 1024;
/**
 * Texts of a project unpack to at most so many times the file's bytes, above a floor; those that we write unpack to under twenty times
 * theirs. Checkpoints are mostly zeros while a replay buffer fills and have no such bound.
 */
const TEXT_RATIO = 50;
const TEXT_FLOOR = 4 * 1024 * 1024;
const MOST_ENTRIES = 20_000;
/** The entries that writeProject writes; others are not unpacked. */
const ENTRY = /^(project\.json|[^/]+\/(run\.json|curves\.csv|\d+\/(checkpoint\.bin|points\.bin|policy-\d+\.json)))$/;
/** Ids as newRunId makes them: they name folders and stand in CSV cells. */
const RUN_ID = /^[a-z0-9][a-z0-9-]{0,119}$/;

export interface ExportedRun {
  readonly run: RunFile;
  readonly curves: readonly CurveColumn[];
  readonly policies: readonly PolicySnapshot[];
}

/** `curves` and `policies` are the page's, which are newer than what is on disk. Where the disk has gone the file lacks its checkpoints. */
export async function writeProject(
  library: Library,
  runs: readonly ExportedRun[],
  savedAt: string,
  layout?: ProjectLayout,
): Promise<Uint8Array> {
  const files: Zippable = {};
  const ids = runs.map(({ run }) => run.id);
  const project: z.input<typeof projectFileSchema> = { kind: 'project', version: 1, savedAt, runs: ids, ...(layout && { layout }) };
  files['project.json'] = strToU8(JSON.stringify(project, null, 2));
  for (const { run, curves, policies } of runs) {
    files[`${run.id}/run.json`] = strToU8(JSON.stringify(run, null, 2));
    files[`${run.id}/curves.csv`] = strToU8(curvesToCsv(run.id, curves));
    for (const { seed } of run.seeds) {
      const states = await readStates(library, run.id, seed).catch(orNone);
      if (states !== null) files[`${run.id}/${seed}/checkpoint.bin`] = encodeSaved(states.newest.saved);
      const points = states === null ? null : encodePoints(states);
      if (points !== null) files[`${run.id}/${seed}/points.bin`] = points;
      for (const snapshot of policies.filter((policy) => policy.seed === seed)) {
        files[`${run.id}/${seed}/policy-${snapshot.step}.json`] = strToU8(encodePolicyFile(snapshot));
      }
    }
  }
  return zipSync(files, { level: COMPRESSION });
}

/** A person who exports because the storage has gone must get what the page still holds. */
function orNone(error: unknown): null {
  if (toFailure(error).id === 'storage-missing') return null;
  throw error;
}

export interface ImportedRun {
  readonly run: RunFile;
  readonly curves: readonly CurveColumn[];
}

export interface ImportedProject {
  readonly runs: readonly ImportedRun[];
  /** How the page was arranged; files of single runs and of older pages do not say. */
  readonly layout?: ProjectLayout | undefined;
}

export interface ReadOptions {
  readonly newId: (run: RunFile) => string;
  /** Ids of runs that are not in the library. */
  readonly taken?: readonly string[];
  /** Throws what is wrong with a config. */
  readonly check?: (config: RunFile['config']) => Promise<unknown>;
  /** What the runs say of where they come from, in place of what the file says. */
  readonly origin?: Origin;
}

/** Puts every run of the file into the library and answers them; a run whose id is taken, not its folder's or not of our form gets a new one. */
export async function readProject(
  library: Library,
  bytes: Uint8Array,
  { newId, taken: others = [], check = async () => {}, origin }: ReadOptions,
): Promise<ImportedProject> {
  const files = unpack(bytes);
  const text = (name: string): string => {
    const data = files[name];
    if (data === undefined) throw fail('file-invalid', `The project file lacks "${name}".`, 'Export the project again.');
    return strFromU8(data);
  };
  const project = parse(projectFileSchema, text('project.json'), 'a project file');
  // Records of a newer form, which this page does not show, keep their ids too.
  const taken = new Set([...(await library.driver.keys('runs')), ...others]);
  const freeId = (run: RunFile): string => {
    let id = newId(run);
    for (let n = 2; taken.has(id); n++) id = `${newId(run)}-${n}`;
    return id;
  };
  const policyNames = policiesByFolder(files);
  // First read everything, then write: a broken file must change nothing.
  const read = project.runs.map((id) => {
    const stored = parse(runFileSchema, text(`${id}/run.json`), 'a run of a project');
    const own = stored.id === id && RUN_ID.test(id) && !taken.has(id);
    const run: RunFile = { ...stored, ...(!own && { id: freeId(stored) }), ...(origin !== undefined && { origin }) };
    taken.add(run.id);
    const seeds = run.seeds.map(({ seed }) => {
      const checkpoint = files[`${id}/${seed}/checkpoint.bin`];
      const names = policyNames.get(`${id}/${seed}`) ?? [];
      const policies = names.map((name): KeptPolicy => ({ snapshot: decodePolicyFile(text(name)), keep: true }));
      const points = files[`${id}/${seed}/points.bin`];
      const saved = checkpoint === undefined ? null : decodeSaved(checkpoint);
      const step = stored.seeds.find((one) => one.seed === seed)?.checkpointStep ?? 0;
      const whole = saved === null ? null : { newest: { saved, step, sealedNames: [] }, point: false, points: [] };
      const states = saved === null || points === undefined ? whole : decodePoints(points, saved, step);
      return { seed, states, policies };
    });
    return { run, seeds, curves: curvesFromCsv(text(`${id}/curves.csv`)) };
  });
  // A fork stays the fork of the run that has come with it, under whatever id.
  const renamed = new Map(project.runs.map((id, i) => [id, read[i]?.run.id ?? id]));
  for (const one of read) {
    const parent = one.run.parent;
    if (parent !== null) one.run = { ...one.run, parent: { ...parent, id: renamed.get(parent.id) ?? parent.id } };
  }
  for (const { run } of read) if (run.imported === undefined) await check(run.config).catch((error: unknown) => refuse(run, error));
  for (const { run, seeds, curves } of read) {
    for (const { seed, states, policies } of seeds) {
      const chunks = chunksOf(curves.filter((column) => column.seed === seed));
      if (states === null) {
        await library.putCurves(run.id, seed, chunks);
        await library.putPolicies(run.id, seed, policies);
        continue;
      }
      const { newest, point, points } = states;
      const room = await library.pointRoom(run.id, seed);
      await library.saveCheckpoint(run.id, seed, { ...newest, points, point, room, curves: chunks, policies, now: run.createdAt });
    }
    await library.putRun(run);
  }
  const { layout } = project;
  return { runs: read, layout: layout && { ...layout, active: renamed.get(layout.active ?? '') ?? null } };
}

function refuse(run: RunFile, error: unknown): never {
  const { message, field } = toFailure(error);
  throw fail(
    'file-invalid',
    `The run "${run.name}" of this project has a config that cannot be opened: ${message}`,
    'Export it again from a page that opens it.',
    field,
  );
}

/** Names of the policy files in each seed's folder. */
function policiesByFolder(files: Readonly<Record<string, Uint8Array>>): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>();
  for (const name of Object.keys(files)) {
    const at = name.indexOf('/policy-');
    if (at < 0) continue;
    const folder = name.slice(0, at);
    const names = out.get(folder);
    if (names === undefined) out.set(folder, [name]);
    else names.push(name);
  }
  return out;
}

/** What the entries that writeProject writes hold, by name. Nothing is unpacked before the directory says that all together are small enough. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  try {
    const entries = zipEntries(bytes, MOST_ENTRIES).filter(({ name }) => ENTRY.test(name));
    const sizeOf = (some: readonly ZipEntry[]): number => some.reduce((sum, { size }) => sum + size, 0);
    if (sizeOf(entries) > LARGEST || sizeOf(entries.filter(({ name }) => !isCheckpoint(name))) > TEXT_FLOOR + TEXT_RATIO * bytes.length)
      throw fail('file-invalid', 'This project is too large to be opened.', 'Export fewer runs at once.');
    for (const entry of entries) {
      const { name, crc } = entry;
      if (isCheckpoint(name) && !isSaved(beginning(entry)))
        throw fail('file-invalid', `"${name}" of this project file is no checkpoint.`, 'Export the project again.');
      const data = inflate(entry);
      if (crc32(data) !== crc)
        throw fail('file-invalid', `This project file is damaged: the checksum of "${name}" does not match.`, 'Export the project again.');
      files[name] = data;
    }
  } catch (error) {
    if (error instanceof LabError) throw error;
    if (error instanceof ZipError)
      throw fail('file-invalid', `This project file cannot be read: ${error.message}.`, 'Choose a whole file that this workbench saved.');
    throw fail('file-invalid', 'This is not a project file: it cannot be unpacked.', 'Choose a file that this workbench saved.');
  }
  return files;
}

const isCheckpoint = (name: string): boolean => name.endsWith('.bin');

/** Bytes fed at a time: they inflate to at most a thousand times as many. */
const SLICE = 4096;
/** Bytes of a packed entry that show how it begins: more than the codes in front of a deflated block. */
const PROBE = 512;

/** The first bytes of an entry, unpacked. */
function beginning({ packed, method }: ZipEntry): Uint8Array {
  if (method === 0) return packed.subarray(0, 16);
  const parts: number[] = [];
  new Inflate((part) => parts.push(...part.subarray(0, 16))).push(packed.subarray(0, PROBE), packed.length <= PROBE);
  return Uint8Array.from(parts);
}

/** Throws RangeError as soon as an entry turns out to hold another number of bytes than it says. */
function inflate({ packed, method, size }: ZipEntry): Uint8Array {
  if (method === 0) {
    if (packed.length !== size) throw new RangeError('another size');
    return packed;
  }
  if (method !== 8) throw new RangeError('an unknown method');
  const out = new Uint8Array(size);
  let filled = 0;
  const stream = new Inflate((part) => {
    out.set(part, filled);
    filled += part.length;
  });
  for (let at = 0; at < packed.length; at += SLICE) stream.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length);
  if (filled !== size) throw new RangeError('another size');
  return out;
}
