/**
 * All kept states of a seed at once, as a project file carries them: the newest as a whole, the points from which other runs may go on in one
 * `points.rlwb` beside it. That is a Saved whose arrays are named `<place of the point>/<name>` for what one point has of its own and
 * `shared/<name>` for what several share; arrays that the newest state shares with points stand in it only. decodePoints throws
 * LabError('file-invalid').
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject, listOf } from '../kit/bounded.ts';
import { fail } from '../kit/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Saved } from '../run/events.ts';
import { decodeSaved, encodeSaved } from '../run/saved.ts';
import { MOST_ARRAYS } from './files.ts';

/** Points that a seed keeps at most: as many as its ladder of kept policies has rungs. */
export const MOST_POINTS = 40;

export interface KeptState {
  readonly saved: Saved;
  readonly step: number;
  /** Arrays that will never change; those that are on the disk already may be missing in `saved`. */
  readonly sealedNames: readonly string[];
}

export interface KeptStates {
  readonly newest: KeptState;
  /** The newest is a point, too. */
  readonly point: boolean;
  /** Before the newest, by step. */
  readonly points: readonly KeptState[];
}

const pointsSchema = z.object({
  kind: z.literal('points'),
  version: z.literal(1),
  newest: z.object({ point: z.boolean(), sealed: listOf(z.string(), MOST_ARRAYS) }),
  points: z
    .array(
      z.object({
        step: z.number().min(0),
        meta: jsonObject,
        own: listOf(z.string(), MOST_ARRAYS),
        shared: listOf(z.string(), MOST_ARRAYS),
      }),
    )
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
  const result = pointsSchema.safeParse(meta, FIRST_ISSUE);
  if (!result.success) throw broken();
  const take = (from: Saved['arrays'], name: string): Saved['arrays'][string] => {
    const array = Object.hasOwn(from, name) ? from[name] : undefined;
    if (array === undefined) throw broken();
    return array;
  };
  const { point, sealed } = result.data.newest;
  for (const name of sealed) take(newest.arrays, name);
  const inNewest = new Set(sealed);
  const points = result.data.points.map((one, i): KeptState => {
    if (one.step >= step) throw broken();
    const own = one.own.map((name) => [name, take(arrays, `${i}/${name}`)] as const);
    const shared = one.shared.map((name) => [name, inNewest.has(name) ? take(newest.arrays, name) : take(arrays, SHARED + name)] as const);
    return { saved: { meta: one.meta, arrays: Object.fromEntries([...own, ...shared]) }, step: one.step, sealedNames: one.shared };
  });
  return { newest: { saved: newest, step, sealedNames: sealed }, point, points };
}

const broken = (): Error =>
  fail('file-invalid', 'The kept states of a run in this project do not fit together.', 'Export the project again.');
