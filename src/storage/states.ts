/** All kept states of a seed at once, from the library. */

import type { KeptState, KeptStates } from '#contract/files/points-file.ts';
import type { Saved } from '#contract/run/events.ts';
import { decodeSaved } from '#contract/run/saved.ts';
import { type Library, place, slotFile } from './library.ts';
import { type Point, partOf } from './points.ts';

/** What the library keeps of this seed, each of its files read once; points that a run dropped meanwhile are left out. null: there is nothing. */
export async function readStates(library: Library, runId: string, seed: number): Promise<KeptStates | null> {
  const record = await library.checkpoint(runId, seed);
  if (record === null) return null;
  const folder = place(runId, seed);
  const files = new Map<string, Promise<Uint8Array | null>>();
  const fileOf = (path: string): Promise<Uint8Array | null> => {
    const known = files.get(path) ?? library.driver.readFile(path);
    files.set(path, known);
    return known;
  };
  const shared = new Map<string, Saved['arrays'] | null>();
  for (const { file } of [...record.sealed, ...(record.older ?? [])]) {
    const data = shared.has(file) ? null : await library.driver.readFile(file);
    if (data !== null) shared.set(file, decodeSaved(data).arrays);
  }
  const stateOf = async ({
    slot,
    step,
    chunks = [],
    from,
    bytes,
  }: Omit<Point, 'bytes'> & { readonly bytes?: number }): Promise<KeptState | null> => {
    const file = await fileOf(slotFile(folder, slot));
    if (file === null || chunks.some((name) => shared.get(name) === undefined)) return null;
    const main = decodeSaved(partOf(file, from === undefined || bytes === undefined ? {} : { from, bytes }));
    const arrays: Record<string, Saved['arrays'][string]> = { ...main.arrays };
    const sealedNames = chunks.flatMap((name) => Object.keys(shared.get(name) ?? {}));
    for (const name of chunks) Object.assign(arrays, shared.get(name));
    return { saved: { meta: main.meta, arrays }, step, sealedNames };
  };
  const newest = await stateOf({ slot: record.slot, step: record.step, chunks: record.sealed.map(({ file }) => file) });
  if (newest === null) return null;
  const points: KeptState[] = [];
  for (const point of record.points ?? []) {
    const state = point.step === record.step ? null : await stateOf(point);
    if (state !== null) points.push(state);
  }
  return { newest, point: record.points?.some(({ step }) => step === record.step) === true, points };
}
