/**
 * What is kept of runs: one record each (a run file), curves in chunks between checkpoints, the newest checkpoint of each seed with the
 * points from which other runs may go on (points.ts), and its kept policies. A state is written to a slot that is not in use, sealed arrays
 * (full replay chunks) to files that all states share, and only then does one record switch to them: a crash at any moment leaves what was
 * there before whole.
 */

import { type CurveColumn, type RunFile, runFileSchema } from '#contract/files/files.ts';
import type { KeptState } from '#contract/files/points-file.ts';
import { plainJson } from '#contract/kit/json.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { type Driver, TABLES } from './driver.ts';
import { beginnings, type Chunk, newChunks, POINTS_SHARE, type Point, partOf, pointBytes, thin, without } from './points.ts';

/** Rows measured after step `from`: [n, 1 + columns.length]. */
export interface CurveChunk {
  readonly from: number;
  readonly columns: readonly string[];
  readonly rows: Float64Array;
}

export interface SeedChunk {
  readonly seed: number;
  readonly chunk: CurveChunk;
}

/** Of the newest state; records of older pages have no points. */
export interface CheckpointRecord {
  readonly v: 1;
  readonly slot: number;
  readonly step: number;
  readonly savedAt: number; // ms since epoch
  readonly bytes: number;
  readonly sealed: readonly Chunk[];
  /** By step. */
  readonly points?: readonly Point[];
  /** Shared files that only points need. */
  readonly older?: readonly Chunk[];
}

export interface CheckpointInput extends KeptState {
  readonly curves: readonly CurveChunk[];
  readonly policies: readonly KeptPolicy[];
  readonly now: number;
  /** States on the way here that are to be kept as points. */
  readonly points?: readonly KeptState[];
  /** This state is to be one too. */
  readonly point?: boolean;
  /** Bytes that the points of this seed may take; no bound if missing. */
  readonly room?: number;
}

export interface CheckpointAnswer {
  /** Written. */
  readonly bytes: number;
  /** Steps of the points there are now. */
  readonly points: readonly number[];
  /** There was no room for some of them. */
  readonly full: boolean;
}

export interface KeptPolicy {
  readonly snapshot: PolicySnapshot;
  /** false: only the newest so far; the next one replaces it. */
  readonly keep: boolean;
}

/** Records of curves that are read at once. */
const PART = 128;

const pad = (n: number): string => String(Math.floor(n)).padStart(15, '0');
export const place = (runId: string, seed: number): string => `${runId}/${seed}`;
export const slotFile = (folder: string, slot: number): string => `${folder}/slot-${slot}.bin`;
const policyKey = (runId: string, seed: number, { snapshot }: KeptPolicy): string => `${place(runId, seed)}/${pad(snapshot.step)}`;

export class Library {
  readonly driver: Driver;

  constructor(driver: Driver) {
    this.driver = driver;
  }

  /** All runs that can be read, newest first. A record of an unknown future form is left alone, not shown. */
  async runs(): Promise<readonly RunFile[]> {
    const rows = await this.driver.all('runs');
    const known = rows.map(({ value }) => runFileSchema.safeParse(value)).flatMap((result) => (result.success ? [result.data] : []));
    return known.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Stored as the plain JSON of a run file: what was not measured (NaN) becomes null. */
  putRun(run: RunFile): Promise<void> {
    return this.driver.put('runs', run.id, plainJson(run));
  }

  async removeRun(runId: string): Promise<void> {
    await this.driver.remove('runs', runId);
    for (const table of ['curves', 'checkpoints', 'policies'] as const) await this.driver.removeAll(table, `${runId}/`);
    await this.driver.removeFolder(runId);
  }

  /** Ids that have checkpoints or curves but no record: runs that were never kept. */
  async orphans(): Promise<readonly string[]> {
    const known = new Set(await this.driver.keys('runs'));
    const found = new Set<string>();
    for (const table of ['curves', 'checkpoints', 'policies'] as const) {
      for (const key of await this.driver.keys(table)) found.add(key.split('/')[0] as string);
    }
    return [...found].filter((id) => !known.has(id));
  }

  async removeAll(): Promise<void> {
    for (const table of TABLES) await this.driver.removeAll(table, '');
    await this.driver.removeFolder('');
  }

  async curves(runId: string, seed: number): Promise<readonly CurveChunk[]> {
    return (await this.driver.all('curves', `${place(runId, seed)}/`)).map(({ value }) => value as CurveChunk);
  }

  /** Of all seeds of a run, in one reading. */
  async curvesOf(runId: string): Promise<readonly SeedChunk[]> {
    return (await this.driver.all('curves', `${runId}/`)).map(({ key, value }) => ({ seed: seedIn(key), chunk: value as CurveChunk }));
  }

  /** Of every run, run by run, read in parts: a reading per run costs more than what it reads. */
  async *allCurves(): AsyncGenerator<{ readonly runId: string; readonly chunks: readonly SeedChunk[] }> {
    let runId = '';
    let chunks: SeedChunk[] = [];
    for (let after = ''; ; ) {
      const part = await this.driver.some('curves', after, PART);
      for (const { key, value } of part) {
        const [id = ''] = key.split('/');
        if (id !== runId) {
          if (chunks.length > 0) yield { runId, chunks };
          runId = id;
          chunks = [];
        }
        chunks.push({ seed: seedIn(key), chunk: value as CurveChunk });
      }
      const last = part.at(-1);
      if (last === undefined || part.length < PART) break;
      after = last.key;
    }
    if (chunks.length > 0) yield { runId, chunks };
  }

  /** Replaces what was measured after the first chunk's `from`: a resumed run measures it again. */
  async putCurves(runId: string, seed: number, chunks: readonly CurveChunk[]): Promise<void> {
    const first = chunks[0];
    if (first === undefined) return;
    const prefix = `${place(runId, seed)}/`;
    for (const { key } of await this.driver.all('curves', prefix)) {
      if (key >= prefix + pad(first.from)) await this.driver.remove('curves', key);
    }
    for (const [i, chunk] of chunks.entries()) await this.driver.put('curves', `${prefix}${pad(chunk.from)}.${i}`, chunk);
  }

  /** The record of every checkpoint there is, by `run/seed`. */
  async checkpoints(): Promise<ReadonlyMap<string, CheckpointRecord>> {
    return new Map((await this.driver.all('checkpoints')).map(({ key, value }) => [key, value as CheckpointRecord]));
  }

  async checkpoint(runId: string, seed: number): Promise<CheckpointRecord | null> {
    return ((await this.driver.get('checkpoints', place(runId, seed))) as CheckpointRecord | undefined) ?? null;
  }

  /** Bytes that the points of this seed may take: the share of all points, less what those of other seeds take. */
  async pointRoom(runId: string, seed: number): Promise<number> {
    const { allowed, taken } = await this.pointUse();
    const own = await this.checkpoint(runId, seed);
    return Math.max(0, allowed - taken + (own === null ? 0 : pointBytes(own)));
  }

  /** Bytes that the points of all runs may take, and take. */
  async pointUse(): Promise<{ readonly allowed: number; readonly taken: number }> {
    let taken = 0;
    for (const record of (await this.checkpoints()).values()) taken += pointBytes(record);
    return { allowed: POINTS_SHARE * (await this.driver.quota()), taken };
  }

  async saveCheckpoint(runId: string, seed: number, input: CheckpointInput): Promise<CheckpointAnswer> {
    const { driver } = this;
    const before = await this.checkpoint(runId, seed);
    const folder = place(runId, seed);
    const known = [...(before?.sealed ?? []), ...(before?.older ?? [])];
    const holders = new Map(known.flatMap((chunk) => chunk.names.map((name) => [name, chunk] as const)));
    let bytes = 0;
    const write = async (path: string, ...parts: readonly Uint8Array[]): Promise<void> => {
      await driver.writeFile(path, ...parts);
      for (const { length } of parts) bytes += length;
    };
    /** Writes what is new of the shared files; answers those that this state needs, and the rest of it as bytes. */
    const share = async (state: KeptState): Promise<{ readonly chunks: readonly Chunk[]; readonly data: Uint8Array }> => {
      for (const { data, ...chunk } of await newChunks(state, holders, folder)) {
        if (!known.some(({ file }) => file === chunk.file)) await write(chunk.file, data);
        known.push(chunk);
        for (const name of chunk.names) holders.set(name, chunk);
      }
      // Only what is sealed in this very state: a chunk that was open here has been filled since.
      const chunks = [...new Set(state.sealedNames.flatMap((name) => holders.get(name) ?? []))];
      return { chunks, data: encodeSaved(without(state.saved, new Set(chunks.flatMap(({ names }) => names)))) };
    };

    // The database takes them over while states become bytes.
    const policies = this.writePolicies(runId, seed, input.policies);
    policies.catch(() => {}); // told where it is waited for
    const newest = await share(input);
    const old = (before?.points ?? []).filter(({ step }) => step <= input.step);
    const points: (Point & { readonly data?: Uint8Array })[] = [...old];
    const add = (step: number, { chunks, data }: Awaited<ReturnType<typeof share>>): void => {
      if (points.some((point) => point.step === step)) return;
      const files = chunks.length === 0 ? {} : { chunks: chunks.map(({ file }) => file) };
      points.push({ step, slot: -1, bytes: data.length, ...files, data });
    };
    for (const state of input.points ?? []) {
      // Where the storage was cleared meanwhile, what was left out as known is no longer there.
      const whole = state.sealedNames.every((name) => holders.has(name) || Object.hasOwn(state.saved.arrays, name));
      if (whole && state.step < input.step) add(state.step, await share(state));
    }
    if (input.point === true || input.points?.some(({ step }) => step === input.step) === true) add(input.step, newest);
    points.sort((a, b) => a.step - b.step);
    const ofNewest = new Set(newest.chunks.map(({ file }) => file));
    const sizes = new Map(known.flatMap(({ file, bytes: size = 0 }) => (ofNewest.has(file) ? [] : [[file, size] as const])));
    const { kept, full } = thin(points, sizes, input.room ?? Number.POSITIVE_INFINITY);

    const taken = new Set([before?.slot ?? -1, ...(before?.points ?? []).map(({ slot }) => slot)]);
    const free = (): number => {
      let slot = 0;
      while (taken.has(slot)) slot++;
      taken.add(slot);
      return slot;
    };
    const slot = free();
    await write(slotFile(folder, slot), newest.data);
    // One file for all new points: opening a file costs browsers more than writing a small state.
    const fresh = kept.flatMap(({ data }) => (data === undefined || data === newest.data ? [] : [data]));
    const pack = fresh.length > 0 ? { slot: free(), from: beginnings(fresh) } : null;
    if (pack !== null) await write(slotFile(folder, pack.slot), ...fresh);
    const stored = kept.map(({ data, ...point }): Point => {
      if (data === undefined) return point;
      if (data === newest.data || pack === null) return { ...point, slot };
      return { ...point, slot: pack.slot, from: pack.from.get(data) ?? 0 };
    });
    await this.putCurves(runId, seed, input.curves);
    // Before the record: a crash after it would lose policies that the resumed run does not make again. Those they replace go after it.
    await policies;
    const ofPoints = new Set(stored.flatMap(({ chunks = [] }) => chunks));
    const older = known.filter(
      ({ file }, i) => ofPoints.has(file) && !ofNewest.has(file) && known.findIndex((one) => one.file === file) === i,
    );
    const record: CheckpointRecord = {
      v: 1,
      slot,
      step: input.step,
      savedAt: input.now,
      bytes,
      sealed: newest.chunks,
      ...(stored.length === 0 ? {} : { points: stored }),
      ...(older.length === 0 ? {} : { older }),
    };
    await driver.put('checkpoints', folder, record); // from here on the new checkpoint counts
    for (const file of new Set(known.map((chunk) => chunk.file))) {
      if (!ofNewest.has(file) && !ofPoints.has(file)) await driver.removeFile(file);
    }
    for (const point of before?.points ?? []) {
      if (point.slot !== before?.slot && !stored.some((one) => one.slot === point.slot))
        await driver.removeFile(slotFile(folder, point.slot));
    }
    await this.dropReplaced(runId, seed, input.policies);
    return { bytes, points: stored.map(({ step }) => step), full };
  }

  /**
   * The newest whole checkpoint, or the point at this step; null if there is none. Throws LabError('file-invalid') if its bytes are broken.
   * Of a run that goes on meanwhile the point may be dropped, and its place taken, while it is read: look at what the state says of its step.
   */
  async loadCheckpoint(runId: string, seed: number, step?: number): Promise<{ readonly saved: Saved; readonly step: number } | null> {
    const record = await this.checkpoint(runId, seed);
    if (record === null) return null;
    const newest: Omit<Point, 'bytes'> = { slot: record.slot, step: record.step, chunks: record.sealed.map(({ file }) => file) };
    const point = step === undefined || step === record.step ? newest : record.points?.find((one) => one.step === step);
    if (point === undefined) return null;
    const file = await this.driver.readFile(slotFile(place(runId, seed), point.slot));
    if (file === null) return null;
    const main = decodeSaved(partOf(file, point));
    const arrays: Record<string, Saved['arrays'][string]> = { ...main.arrays };
    for (const shared of point.chunks ?? []) {
      const data = await this.driver.readFile(shared);
      if (data === null) return null;
      Object.assign(arrays, decodeSaved(data).arrays);
    }
    return { saved: { meta: main.meta, arrays }, step: point.step };
  }

  async putPolicies(runId: string, seed: number, policies: readonly KeptPolicy[]): Promise<void> {
    await this.writePolicies(runId, seed, policies);
    await this.dropReplaced(runId, seed, policies);
  }

  private async writePolicies(runId: string, seed: number, policies: readonly KeptPolicy[]): Promise<void> {
    await Promise.all(policies.map((policy) => this.driver.put('policies', policyKey(runId, seed, policy), policy)));
  }

  /** The newest so far is not kept once there is a newer one. */
  private async dropReplaced(runId: string, seed: number, by: readonly KeptPolicy[]): Promise<void> {
    if (by.length === 0) return;
    const written = new Set(by.map((policy) => policyKey(runId, seed, policy)));
    for (const { key, value } of await this.driver.all('policies', `${place(runId, seed)}/`)) {
      if (!written.has(key) && !(value as KeptPolicy).keep) await this.driver.remove('policies', key);
    }
  }

  /**
   * Writes what a page still holds of a seed whose records were deleted. What has been written since stays: rows go up to its first chunk,
   * policies that are there are left alone.
   */
  async refill(runId: string, seed: number, chunks: readonly CurveChunk[], policies: readonly KeptPolicy[]): Promise<void> {
    const prefix = `${place(runId, seed)}/`;
    const since = Math.min(...(await this.curves(runId, seed)).map(({ from }) => from)); // Infinity: nothing
    for (const [i, chunk] of chunks.entries()) {
      const rows = rowsUpTo(chunk, since);
      if (rows.length > 0) await this.driver.put('curves', `${prefix}${pad(chunk.from)}.${i}`, { ...chunk, rows });
    }
    const present = new Set((await this.driver.all('policies', prefix)).map(({ key }) => key));
    for (const policy of policies) {
      const key = prefix + pad(policy.snapshot.step);
      if (!present.has(key)) await this.driver.put('policies', key, policy);
    }
  }

  /** Of all seeds of a run, each by step, oldest first. */
  async policiesOf(runId: string): Promise<readonly KeptPolicy[]> {
    return (await this.driver.all('policies', `${runId}/`)).map(({ value }) => value as KeptPolicy);
  }

  /** By step, oldest first. */
  async policies(runId: string, seed: number): Promise<readonly KeptPolicy[]> {
    return (await this.driver.all('policies', `${place(runId, seed)}/`)).map(({ value }) => value as KeptPolicy);
  }
}

/** The seed in a key of curves or policies: run/seed/step. */
function seedIn(key: string): number {
  return Number(key.split('/')[1]);
}

function rowsUpTo({ columns, rows }: CurveChunk, step: number): Float64Array {
  const width = columns.length + 1;
  let end = rows.length;
  while (end > 0 && rows[end - width]! > step) end -= width;
  return rows.slice(0, end);
}

/** One chunk per metric, from the beginning: each has its own steps. */
export function chunksOf(columns: readonly CurveColumn[]): CurveChunk[] {
  return columns.map(({ metric, steps, values }) => {
    const rows = new Float64Array(steps.length * 2);
    steps.forEach((step, i) => {
      rows[2 * i] = step;
      rows[2 * i + 1] = values[i]!;
    });
    return { from: 0, columns: [metric], rows };
  });
}
