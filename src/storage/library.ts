/**
 * What is kept of runs: one record each (a run file), curves in chunks between checkpoints, the newest checkpoint of each seed
 * and its kept policies. A checkpoint is written to the slot that is not in use, sealed arrays (full replay chunks) to a file of
 * their own once, and only then does one record switch to them: a crash at any moment leaves the older checkpoint whole.
 */
import type { RunConfig } from '#contract/config.ts';
import type { PolicySnapshot, Saved } from '#contract/events.ts';
import { type CurveColumn, type RunFile, runFileSchema } from '#contract/files.ts';
import { decodeSaved, encodeSaved } from '#contract/saved.ts';
import type { Driver } from './driver.ts';

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

export interface CheckpointRecord {
  readonly v: 1;
  readonly slot: 0 | 1;
  readonly step: number;
  readonly savedAt: number; // ms since epoch
  readonly bytes: number;
  readonly sealed: readonly { readonly file: string; readonly names: readonly string[] }[];
}

export interface CheckpointInput {
  readonly saved: Saved;
  readonly step: number;
  /** Arrays of `saved` that will never change. */
  readonly sealedNames: readonly string[];
  readonly curves: readonly CurveChunk[];
  readonly policies: readonly KeptPolicy[];
  readonly now: number;
}

export interface KeptPolicy {
  readonly snapshot: PolicySnapshot;
  /** false: only the newest so far; the next one replaces it. */
  readonly keep: boolean;
}

/** Records of curves that are read at once. */
const PART = 128;

const pad = (n: number): string => String(Math.floor(n)).padStart(15, '0');
const place = (runId: string, seed: number): string => `${runId}/${seed}`;
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
    return this.driver.put('runs', run.id, JSON.parse(JSON.stringify(run)));
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
    for (const table of ['runs', 'curves', 'checkpoints', 'policies'] as const) await this.driver.removeAll(table, '');
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

  /** The step of every checkpoint there is, by run and seed. */
  async checkpointSteps(): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.driver.all('checkpoints')).map(({ key, value }) => [key, (value as CheckpointRecord).step]));
  }

  async checkpoint(runId: string, seed: number): Promise<CheckpointRecord | null> {
    return ((await this.driver.get('checkpoints', place(runId, seed))) as CheckpointRecord | undefined) ?? null;
  }

  /** Answers the bytes written. */
  async saveCheckpoint(runId: string, seed: number, input: CheckpointInput): Promise<number> {
    const { driver } = this;
    const before = await this.checkpoint(runId, seed);
    const folder = place(runId, seed);
    const present = new Set(Object.keys(input.saved.arrays));
    const stored = (before?.sealed ?? []).filter((chunk) => chunk.names.some((name) => present.has(name)));
    const storedNames = new Set(stored.flatMap((chunk) => chunk.names));
    const fresh = input.sealedNames.filter((name) => present.has(name) && !storedNames.has(name));
    const sealed = [...stored];
    let bytes = 0;
    const pick = (wanted: (name: string) => boolean): Saved['arrays'] =>
      Object.fromEntries(Object.entries(input.saved.arrays).filter(([name]) => wanted(name)));
    if (fresh.length > 0) {
      const names = new Set(fresh);
      const file = `${folder}/sealed-${pad(input.step)}.bin`;
      const data = encodeSaved({ meta: {}, arrays: pick((name) => names.has(name)) });
      await driver.writeFile(file, data);
      bytes += data.length;
      sealed.push({ file, names: fresh });
    }
    const outside = new Set(sealed.flatMap((chunk) => chunk.names));
    const slot = before?.slot === 0 ? 1 : 0;
    const data = encodeSaved({ meta: input.saved.meta, arrays: pick((name) => !outside.has(name)) });
    await driver.writeFile(`${folder}/slot-${slot}.bin`, data);
    bytes += data.length;
    await this.putCurves(runId, seed, input.curves);
    // Before the record: a crash after it would lose policies that the resumed run does not make again. Those they replace go after it.
    await this.writePolicies(runId, seed, input.policies);
    const record: CheckpointRecord = { v: 1, slot, step: input.step, savedAt: input.now, bytes, sealed };
    await driver.put('checkpoints', folder, record); // from here on the new checkpoint counts
    for (const chunk of before?.sealed ?? []) if (!stored.includes(chunk)) await driver.removeFile(chunk.file);
    await this.dropReplaced(runId, seed, input.policies);
    return bytes;
  }

  /** The newest whole checkpoint; null if there is none. Throws LabError('file-invalid') if its bytes are broken. */
  async loadCheckpoint(runId: string, seed: number): Promise<{ readonly saved: Saved; readonly step: number } | null> {
    const record = await this.checkpoint(runId, seed);
    if (record === null) return null;
    const bytes = await this.driver.readFile(`${place(runId, seed)}/slot-${record.slot}.bin`);
    if (bytes === null) return null;
    const main = decodeSaved(bytes);
    const arrays: Record<string, Saved['arrays'][string]> = { ...main.arrays };
    for (const chunk of record.sealed) {
      const data = await this.driver.readFile(chunk.file);
      if (data === null) return null;
      Object.assign(arrays, decodeSaved(data).arrays);
    }
    return { saved: { meta: main.meta, arrays }, step: record.step };
  }

  async putPolicies(runId: string, seed: number, policies: readonly KeptPolicy[]): Promise<void> {
    await this.writePolicies(runId, seed, policies);
    await this.dropReplaced(runId, seed, policies);
  }

  private async writePolicies(runId: string, seed: number, policies: readonly KeptPolicy[]): Promise<void> {
    for (const policy of policies) await this.driver.put('policies', policyKey(runId, seed, policy), policy);
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

/** A run id: when and a few random digits, sortable, safe as a file name. `random` in [0, 1). */
export function newRunId(config: RunConfig, now: number, random: number): string {
  const suffix = Math.floor(random * 36 ** 4)
    .toString(36)
    .padStart(4, '0');
  return `${now.toString(36)}-${config.env.id}-${config.algo.id}-${suffix}`;
}
