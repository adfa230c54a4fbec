/**
 * A project file: a zip of plain files. `project.json` names the runs; each run has a folder with `run.json`, `curves.csv`
 * (unsmoothed, every metric), and per seed `<seed>/checkpoint.bin` and `<seed>/policy-<step>.json`. Reading throws
 * LabError('file-invalid') and writes nothing unless the whole file is good.
 */
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import type { z } from 'zod';
import { fail, LabError } from '#contract/errors.ts';
import {
  type CurveColumn,
  curvesFromCsv,
  curvesToCsv,
  decodePolicyFile,
  encodePolicyFile,
  parse,
  projectFileSchema,
  type RunFile,
  runFileSchema,
} from '#contract/files.ts';
import { decodeSaved, encodeSaved } from '#contract/saved.ts';
import type { CurveChunk, KeptPolicy, Library } from './library.ts';

const COMPRESSION = 6;
const LONGEST_SIDE_FILE = 512 * 1024 * 1024;

/** `curves` are the page's, which are newer than what is on disk. */
export async function writeProject(
  library: Library,
  runs: readonly { readonly run: RunFile; readonly curves: readonly CurveColumn[] }[],
  savedAt: string,
): Promise<Uint8Array> {
  const files: Zippable = {};
  const project: z.input<typeof projectFileSchema> = { kind: 'project', version: 1, savedAt, runs: runs.map(({ run }) => run.id) };
  files['project.json'] = strToU8(JSON.stringify(project, null, 2));
  for (const { run, curves } of runs) {
    files[`${run.id}/run.json`] = strToU8(JSON.stringify(run, null, 2));
    files[`${run.id}/curves.csv`] = strToU8(curvesToCsv(run.id, curves));
    for (const { seed } of run.seeds) {
      const checkpoint = await library.loadCheckpoint(run.id, seed);
      if (checkpoint !== null) files[`${run.id}/${seed}/checkpoint.bin`] = encodeSaved(checkpoint.saved);
      for (const { snapshot } of await library.policies(run.id, seed)) {
        files[`${run.id}/${seed}/policy-${snapshot.step}.json`] = strToU8(encodePolicyFile(snapshot));
      }
    }
  }
  return zipSync(files, { level: COMPRESSION });
}

export interface ImportedRun {
  readonly run: RunFile;
  readonly curves: readonly CurveColumn[];
}

/** Puts every run of the file into the library, under new ids where one is taken, and answers them. */
export async function readProject(library: Library, bytes: Uint8Array, newId: (run: RunFile) => string): Promise<readonly ImportedRun[]> {
  const files = unpack(bytes);
  const text = (name: string): string => {
    const data = files[name];
    if (data === undefined) throw fail('file-invalid', `The project file lacks "${name}".`, 'Export the project again.');
    return strFromU8(data);
  };
  const project = parse(projectFileSchema, text('project.json'), 'a project file');
  const taken = new Set((await library.runs()).map(({ id }) => id));
  // First read everything, then write: a broken file must change nothing.
  const read = project.runs.map((id) => {
    const stored = parse(runFileSchema, text(`${id}/run.json`), 'a run of a project');
    const run: RunFile = taken.has(id) ? { ...stored, id: newId(stored) } : stored;
    const seeds = run.seeds.map(({ seed }) => {
      const checkpoint = files[`${id}/${seed}/checkpoint.bin`];
      const policies: KeptPolicy[] = Object.keys(files)
        .filter((name) => name.startsWith(`${id}/${seed}/policy-`))
        .map((name) => ({ snapshot: decodePolicyFile(text(name)), keep: true }));
      return { seed, saved: checkpoint === undefined ? null : decodeSaved(checkpoint), policies };
    });
    return { run, seeds, curves: curvesFromCsv(text(`${id}/curves.csv`)) };
  });
  for (const { run, seeds, curves } of read) {
    for (const { seed, saved, policies } of seeds) {
      const chunks = chunksOf(curves.filter((column) => column.seed === seed));
      if (saved === null) {
        await library.putCurves(run.id, seed, chunks);
        await library.putPolicies(run.id, seed, policies);
        continue;
      }
      const step = run.seeds.find((one) => one.seed === seed)?.checkpointStep ?? 0;
      await library.saveCheckpoint(run.id, seed, { saved, step, sealedNames: [], curves: chunks, policies, now: run.createdAt });
    }
    await library.putRun(run);
  }
  return read;
}

/** One chunk per metric: each has its own steps. */
function chunksOf(columns: readonly CurveColumn[]): CurveChunk[] {
  return columns.map(({ metric, steps, values }) => {
    const rows = new Float64Array(steps.length * 2);
    steps.forEach((step, i) => {
      rows[2 * i] = step;
      rows[2 * i + 1] = values[i]!;
    });
    return { from: 0, columns: [metric], rows };
  });
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (originalSize > LONGEST_SIDE_FILE)
          throw fail('file-invalid', `"${name}" in this file is too large.`, 'Export fewer runs at once.');
        return true;
      },
    });
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw fail('file-invalid', 'This is not a project file: it cannot be unpacked.', 'Choose a file that this workbench saved.');
  }
}
