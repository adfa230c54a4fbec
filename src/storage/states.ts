/**
 * All kept states of a seed at once, as a project file carries them: the newest as a whole, the points from which other runs may go on in one
 * `points.bin` beside it. That is a Saved whose arrays are named `<place of the point>/<name>` for what one point has of its own and
 * `shared/<name>` for what several share; arrays that the newest state shares with points stand in it only. decodePoints throws
 * LabError('file-invalid').
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import { jsonObject } from '#contract/files.ts';
import type { JsonObject } from '#contract/json.ts';
import { decodeSaved, encodeSaved } from '#contract/saved.ts';
import { type Library, place, slotFile } from './library.ts';
import { MOST_POINTS, type Point, partOf, type StateInput } from './points.ts';

export interface KeptStates {
  readonly newest: StateInput;
  /** The newest is a point, too. */
  readonly point: boolean;
  /** Before the newest, by step. */
  readonly points: readonly StateInput[];
}

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
  }: Omit<Point, 'bytes'> & { readonly bytes?: number }): Promise<StateInput | null> => {
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
  const points: StateInput[] = [];
  for (const point of record.points ?? []) {
    const state = point.step === record.step ? null : await stateOf(point);
    if (state !== null) points.push(state);
  }
  return { newest, point: record.points?.some(({ step }) => step === record.step) === true, points };
}

const pointsSchema = z.object({
  kind: z.literal('points'),
  version: z.literal(1),
  newest: z.object({ point: z.boolean(), sealed: z.array(z.string()) }),
  points: z
    .array(z.object({ step: z.number().min(0), meta: jsonObject, own: z.array(z.string()), shared: z.array(z.string()) }))
    .max(MOST_POINTS),
});

const SHARED = 'shared/';

/** null: the newest state is all there is. */
export function encodePoints({ newest, point, points }: KeptStates): Uint8Array | null {
  if (points.length === 0 && !point) return null;
  const inNewest = new Set(newest.sealedNames);
  const arrays: Record<string, Saved['arrays'][string]> = {};
  const listed = points.map(({ saved, step, sealedNames }, i) => {
    const sealed = new Set(sealedNames);
    const own: string[] = [];
    for (const [name, array] of Object.entries(saved.arrays)) {
      if (!sealed.has(name)) {
        own.push(name);
        arrays[`${i}/${name}`] = array;
      } else if (!inNewest.has(name)) arrays[SHARED + name] = array;
    }
    return { step, meta: saved.meta, own, shared: [...sealedNames] };
  });
  const meta: JsonObject = { kind: 'points', version: 1, newest: { point, sealed: [...newest.sealedNames] }, points: listed };
  return encodeSaved({ meta, arrays });
}

/** `newest`: the state that the same folder holds as a whole, at this step. */
export function decodePoints(bytes: Uint8Array, newest: Saved, step: number): KeptStates {
  const { meta, arrays } = decodeSaved(bytes);
  const result = pointsSchema.safeParse(meta);
  if (!result.success) throw broken();
  const take = (from: Saved['arrays'], name: string): Saved['arrays'][string] => {
    const array = Object.hasOwn(from, name) ? from[name] : undefined;
    if (array === undefined) throw broken();
    return array;
  };
  const { point, sealed } = result.data.newest;
  for (const name of sealed) take(newest.arrays, name);
  const inNewest = new Set(sealed);
  const points = result.data.points.map((one, i): StateInput => {
    if (one.step >= step) throw broken();
    const own = one.own.map((name) => [name, take(arrays, `${i}/${name}`)] as const);
    const shared = one.shared.map((name) => [name, inNewest.has(name) ? take(newest.arrays, name) : take(arrays, SHARED + name)] as const);
    return { saved: { meta: one.meta, arrays: Object.fromEntries([...own, ...shared]) }, step: one.step, sealedNames: one.shared };
  });
  return { newest: { saved: newest, step, sealedNames: sealed }, point, points };
}

const broken = (): Error =>
  fail('file-invalid', 'The kept states of a run in this project do not fit together.', 'Export the project again.');
