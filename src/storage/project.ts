/**
 * Project files: the container of results (contract/files/container.ts) as a zip, written from the library and read into it. Decoding throws
 * LabError('file-invalid') and writes nothing, so that a broken file changes nothing.
 */
import { strToU8, type Zippable, zipSync } from 'fflate';
import {
  type FileTree,
  INDEX_FILE,
  indexedRun,
  indexText,
  readContainer,
  runTexts,
  SEED_FILES,
  seedFolderName,
} from '#contract/files/container.ts';
import type { CurveColumn, ProjectLayout, RunFile } from '#contract/files/files.ts';
import { decodePoints, encodePoints } from '#contract/files/points-file.ts';
import { encodePolicies } from '#contract/files/policies-file.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import type { Origin } from '#contract/run/origin.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import type { OpenedProject } from '#contract/session/opened.ts';
import { chunksOf, type KeptPolicy, type Library } from './library.ts';
import { leastMissed } from './points.ts';
import { readStates } from './states.ts';

const COMPRESSION = 6;
/** Policies of a seed in a file that is passed on: enough to see how it learned. */
const FEW_POLICIES = 6;
/** Ids as newRunId makes them: they name folders and stand in CSV cells. */
const RUN_ID = /^[a-z0-9][a-z0-9-]{0,119}$/;

export interface ExportedRun {
  readonly run: RunFile;
  readonly curves: readonly CurveColumn[];
  readonly policies: readonly PolicySnapshot[];
}

export interface WriteOptions {
  /**
   * Every kept policy and state, as a copy for safety; otherwise the newest state and a few policies over the training, which is what
   * another person needs: a run of some thousand parameters stays under two megabytes.
   */
  readonly everything: boolean;
  readonly layout?: ProjectLayout | undefined;
  /** More files, by name. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** `curves` and `policies` are the page's, which are newer than what is on disk. Where the disk has gone its checkpoints are missing. */
export async function writeProject(
  library: Library,
  runs: readonly ExportedRun[],
  savedAt: string,
  { everything, layout, beside = {} }: WriteOptions = { everything: true },
): Promise<Uint8Array> {
  const index = runs.map(({ run }) => indexedRun({ folder: run.id, file: run }));
  const files: Zippable = { [INDEX_FILE]: strToU8(indexText(index, savedAt, layout)) };
  for (const { run, curves, policies } of runs) {
    for (const [name, text] of runTexts(run, curves)) files[`${run.id}/${name}`] = strToU8(text);
    for (const { seed } of run.seeds) {
      const folder = `${run.id}/${seedFolderName(seed)}`;
      const states = await readStates(library, run.id, seed).catch(orNone);
      if (states !== null) files[`${folder}/${SEED_FILES.checkpoint}`] = encodeSaved(states.newest.saved);
      const points = states === null || !everything ? null : encodePoints(states);
      if (points !== null) files[`${folder}/${SEED_FILES.points}`] = points;
      const own = policies.filter((policy) => policy.seed === seed);
      const kept = everything ? own : few(own);
      if (kept.length > 0) files[`${folder}/${SEED_FILES.policies}`] = encodePolicies(kept);
    }
  }
  for (const [name, text] of Object.entries(beside)) files[name] = strToU8(text);
  return zipSync(files, { level: COMPRESSION });
}

/** Spread over the training, with the first and the newest. `policies` by step. */
function few(policies: readonly PolicySnapshot[]): readonly PolicySnapshot[] {
  const kept = [...policies];
  while (kept.length > FEW_POLICIES) kept.splice(leastMissed(kept), 1);
  return kept;
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

export interface AddOptions {
  readonly newId: (run: RunFile) => string;
  /** Ids of runs that are not in the library. */
  readonly taken?: readonly string[];
  /** Throws what is wrong with a config. */
  readonly check?: (config: RunFile['config']) => Promise<unknown>;
  /** What a run of the command line lacks: its name and look. */
  readonly complete?: (run: RunFile) => RunFile;
  /** What the runs say of where they come from, in place of what the file says. */
  readonly origin?: Origin;
}

/** The runs of these files with their states and policies; nothing is written. */
export function decodeProject(tree: FileTree): OpenedProject {
  const { runs, layout } = readContainer(tree);
  return {
    runs: runs.map(({ file, seeds }) => ({
      file,
      seeds: seeds.map(({ seed, checkpoint, points, policies, curves }) => {
        const saved = checkpoint === null ? null : decodeSaved(checkpoint);
        const step = stepOf(file, seed, saved);
        const whole = saved === null ? null : { newest: { saved, step, sealedNames: [] }, point: false, points: [] };
        const states = saved === null || points === null ? whole : decodePoints(points, saved, step);
        return { seed, states, policies, curves };
      }),
    })),
    layout,
  };
}

/** Puts every run that was opened into the library and answers them; a run whose id is taken, missing or not of our form gets a new one. */
export async function addProject(
  library: Library,
  opened: OpenedProject,
  { newId, taken: others = [], check = async () => {}, complete = (run) => run, origin }: AddOptions,
): Promise<ImportedProject> {
  // Records of a newer form, which this page does not show, keep their ids too.
  const taken = new Set([...(await library.driver.keys('runs')), ...others]);
  const freeId = (run: RunFile): string => {
    let id = newId(run);
    for (let n = 2; taken.has(id); n++) id = `${newId(run)}-${n}`;
    return id;
  };
  const read = opened.runs.map(({ file, seeds }) => {
    const own = RUN_ID.test(file.id) && !taken.has(file.id);
    const run: RunFile = complete({ ...file, ...(!own && { id: freeId(file) }), ...(origin !== undefined && { origin }) });
    taken.add(run.id);
    return { run, seeds, curves: seeds.flatMap(({ curves }) => curves) };
  });
  // A fork stays the fork of the run that has come with it, under whatever id.
  const renamed = new Map(opened.runs.map(({ file }, i) => [file.id, read[i]?.run.id ?? file.id]));
  for (const one of read) {
    const parent = one.run.parent;
    if (parent !== null) one.run = { ...one.run, parent: { ...parent, id: renamed.get(parent.id) ?? parent.id } };
  }
  for (const { run } of read) if (run.imported === undefined) await check(run.config).catch((error: unknown) => refuse(run, error));
  for (const { run, seeds, curves } of read) {
    for (const { seed, states, policies } of seeds) {
      const chunks = chunksOf(curves.filter((column) => column.seed === seed));
      const kept = policies.map((snapshot): KeptPolicy => ({ snapshot, keep: true }));
      if (states === null) {
        await library.putCurves(run.id, seed, chunks);
        await library.putPolicies(run.id, seed, kept);
        continue;
      }
      const { newest, point, points } = states;
      const room = await library.pointRoom(run.id, seed);
      await library.saveCheckpoint(run.id, seed, { ...newest, points, point, room, curves: chunks, policies: kept, now: run.createdAt });
    }
    await library.putRun(run);
  }
  const { layout } = opened;
  return { runs: read, layout: layout && { ...layout, active: renamed.get(layout.active ?? '') ?? null } };
}

/** Environment steps of a seed's newest state: the page's record says it, and the state itself. */
function stepOf({ seeds }: RunFile, seed: number, saved: Saved | null): number {
  const listed = seeds.find((one) => one.seed === seed)?.checkpointStep ?? -1;
  const own = saved?.meta.session as { readonly step?: unknown } | undefined;
  return listed >= 0 || typeof own?.step !== 'number' ? Math.max(0, listed) : own.step;
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
