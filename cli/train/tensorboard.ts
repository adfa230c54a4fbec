/** Logs for TensorBoard: a folder for every config and seed, named by environment, method and config hash, with one event file. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Curve } from '#claims/quantity.ts';
import { scalarRecord, textRecord, versionRecord } from '#contract/foreign/tensorboard-write.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { readCurves } from '../kit/curves.ts';
import type { Job } from './seeds.ts';

/** Bytes that are kept before they are written. */
const PENDING = 64 * 1024;

const seconds = (): number => Date.now() / 1000;

/** Folder of one seed below the log folder. */
export function logFolder(folder: string, config: RunConfig, seed: number): string {
  const own = { ...config, run: { ...config.run, seeds: 1, seedStart: 1 } };
  return join(folder, `${config.env.id}-${config.algo.id}-${configHash(own)}`, `seed-${seed}`);
}

/** One event file, written while a run goes on. */
export class EventLog {
  private readonly file: string;
  private pending: Uint8Array[] = [];
  private size = 0;

  /** Makes the folder and the file, beside those of earlier parts of the same run. */
  constructor(folder: string, config: RunConfig) {
    mkdirSync(folder, { recursive: true });
    const count = readdirSync(folder).length;
    this.file = join(folder, `events.out.tfevents.${Math.floor(seconds())}.rl-workbench.${process.pid}.${count}`);
    const json = JSON.stringify(config, null, 2).replace(/^/gm, '    '); // indented: TensorBoard shows texts as Markdown
    writeFileSync(this.file, Buffer.concat([versionRecord(seconds()), textRecord(seconds(), 'config', json)]));
  }

  add(step: number, scalars: Iterable<readonly [tag: string, value: number]>): void {
    const record = scalarRecord(seconds(), step, scalars);
    this.pending.push(record);
    this.size += record.length;
    if (this.size > PENDING) this.flush();
  }

  /** Rows as a run tells them: [step, value of each column] after each other, NaN where there is none. */
  addRows(columns: readonly string[], rows: Float64Array): void {
    const width = columns.length + 1;
    for (let at = 0; at + width <= rows.length; at += width)
      this.add(
        rows[at] ?? 0,
        columns.map((metric, i) => [metric, rows[at + 1 + i] ?? Number.NaN] as const),
      );
  }

  flush(): void {
    if (this.size > 0) appendFileSync(this.file, Buffer.concat(this.pending));
    this.pending = [];
    this.size = 0;
  }
}

/** Curves by step, as rows of a log. */
function* rowsOf(curves: ReadonlyMap<string, Curve>): Iterable<readonly [step: number, scalars: readonly (readonly [string, number])[]]> {
  const rows = new Map<number, [string, number][]>();
  for (const [metric, { steps, values }] of curves)
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i] ?? 0;
      const row = rows.get(step) ?? [];
      row.push([metric, values[i] ?? Number.NaN]);
      rows.set(step, row);
    }
  yield* [...rows].sort(([a], [b]) => a - b);
}

/** The log of a run that is over, from the curves in its folder; nothing where there is one. */
export function logFinished(folder: string, { config, seed, folder: run }: Job): void {
  const at = logFolder(folder, config, seed);
  if (run === null || (existsSync(at) && readdirSync(at).length > 0)) return;
  const log = new EventLog(at, config);
  for (const [step, scalars] of rowsOf(readCurves(run, seed))) log.add(step, scalars);
  log.flush();
}
