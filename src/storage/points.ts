/**
 * Points of a run that are kept besides its newest state, so that another run can go on from them. Those of one save share a file; arrays that
 * never change again (full replay chunks) lie in files that all states of the seed share, named by what they hold.
 */

import { type KeptState, MOST_POINTS } from '#contract/files/points-file.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import type { Saved } from '#contract/run/events.ts';
import { encodeSaved } from '#contract/run/saved.ts';

/** A file of arrays that never change. */
export interface Chunk {
  readonly file: string;
  readonly names: readonly string[];
  /** Records of older pages lack it. */
  readonly bytes?: number;
}

export interface Point {
  readonly step: number;
  /** Number of the file that holds it: its own, or that of all points of one save, which goes with the last of them. */
  readonly slot: number;
  /** In a file of several: where it begins. */
  readonly from?: number;
  readonly bytes: number;
  /** Files that it shares; missing: none. */
  readonly chunks?: readonly string[];
}

/** Of the room that the browser gives this page, what the points of all runs together may take. */
export const POINTS_SHARE = 0.2;

/** Bytes that these points take beside the newest state. `sizes`: of the shared files that the newest state does not need. */
function bytesOf(points: readonly Point[], sizes: ReadonlyMap<string, number>): number {
  const shared = new Set(points.flatMap(({ chunks = [] }) => chunks));
  let sum = points.reduce((bytes, point) => bytes + point.bytes, 0);
  for (const file of shared) sum += sizes.get(file) ?? 0;
  return sum;
}

/** Place of the point whose going leaves the least gap, never the last of several; points lie denser at the start of a run, so gaps count in square roots of steps. */
export function leastMissed(points: readonly { readonly step: number }[]): number {
  if (points.length < 3) return 0;
  const at = (i: number): number => Math.sqrt(points[i]!.step);
  let best = 1;
  for (let i = 2; i < points.length - 1; i++) if (at(i + 1) - at(i - 1) < at(best + 1) - at(best - 1)) best = i;
  return best;
}

/** Which of these points stay, spread over the run: at most `most`, in at most `room` bytes; the newest goes last. `points` by step. */
export function thin<P extends Point>(
  points: readonly P[],
  sizes: ReadonlyMap<string, number>,
  room: number,
  most = MOST_POINTS,
): { readonly kept: readonly P[]; readonly full: boolean } {
  const kept = [...points];
  while (kept.length > most) kept.splice(leastMissed(kept), 1);
  let full = false;
  while (kept.length > 0 && bytesOf(kept, sizes) > room) {
    full = true;
    kept.splice(leastMissed(kept), 1);
  }
  return { kept, full };
}

/** What a checkpoint's record says of its points, in bytes. */
export function pointBytes({
  slot,
  points = [],
  older = [],
}: {
  slot: number;
  points?: readonly Point[];
  older?: readonly Chunk[];
}): number {
  const sizes = new Map(older.map(({ file, bytes = 0 }) => [file, bytes]));
  return bytesOf(
    points.filter((point) => point.slot !== slot),
    sizes,
  );
}

export interface NewChunk extends Chunk {
  readonly data: Uint8Array;
  readonly bytes: number;
}

/**
 * Files for those sealed arrays of a state that no file of `known` (by array name) holds: one for all arrays of a replay chunk, which are
 * named alike up to the last dot and go together. A file's name is the SHA-256 of its bytes: written again, it is the same file.
 */
export async function newChunks(
  { saved, sealedNames }: KeptState,
  known: ReadonlyMap<string, unknown>,
  folder: string,
): Promise<readonly NewChunk[]> {
  const groups = new Map<string, string[]>();
  for (const name of sealedNames) {
    if (known.has(name) || !Object.hasOwn(saved.arrays, name)) continue;
    const dot = name.lastIndexOf('.');
    const group = dot < 0 ? name : name.slice(0, dot);
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const made: NewChunk[] = [];
  for (const names of groups.values()) {
    const data = encodeSaved({ meta: {}, arrays: pick(saved, new Set(names)) });
    made.push({ file: `${folder}/sealed-${(await digest(data)).slice(0, 32)}.bin`, names, bytes: data.length, data });
  }
  return made;
}

/** SHA-256 in hex: the platform's own where it gives it (secure contexts), ten times as fast. */
async function digest(bytes: Uint8Array): Promise<string> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return sha256(bytes);
  const hash = new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Where each of these states begins in a file of all of them. */
export function beginnings(states: readonly Uint8Array[]): ReadonlyMap<Uint8Array, number> {
  let at = 0;
  return new Map(states.map((state) => [state, (at += state.length) - state.length]));
}

/** What of a file is this point; a copy, so that its numbers lie as they were written. */
export const partOf = (file: Uint8Array, { from, bytes }: Partial<Point>): Uint8Array =>
  from === undefined || bytes === undefined ? file : file.slice(from, from + bytes);

/** The arrays of these names. */
export function pick({ arrays }: Saved, names: ReadonlySet<string>): Saved['arrays'] {
  return Object.fromEntries(Object.entries(arrays).filter(([name]) => names.has(name)));
}

/** A state without the arrays of these names. */
export function without({ meta, arrays }: Saved, names: ReadonlySet<string>): Saved {
  return { meta, arrays: Object.fromEntries(Object.entries(arrays).filter(([name]) => !names.has(name))) };
}
