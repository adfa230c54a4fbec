/**
 * Rows of numbers in columns, numbered from 0 for ever, in chunks that never change again once they are full, so that a checkpoint writes
 * only new ones. What rows hold and when old ones go is up to the memory that keeps them (algos/lib/replay).
 */
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';

export type Column = Saved['arrays'][string];

/** Typed arrays by name, all of the same number of rows. */
export type Columns = Readonly<Record<string, Column | undefined>>;

/** The columns that are there, with their names. */
export function columnsOf(columns: Columns): [string, Column][] {
  return Object.entries(columns).flatMap(([name, data]) => (data === undefined ? [] : [[name, data]]));
}

/** Throws LabError('file-invalid') if there is no such column, or one of another length. */
export function fillColumn(columns: Columns, name: string, data: Column): void {
  const own = columns[name];
  if (own?.length !== data.length) {
    throw fail(
      'file-invalid',
      `This replay buffer does not fit: "${name}" has another length.`,
      'Resume with the config it was saved with.',
    );
  }
  own.set(data);
}

export class Chunks<C extends Columns> {
  /** Of one chunk. */
  readonly rows: number;
  private readonly make: (rows: number) => C;
  private readonly chunks = new Map<number, C>();

  constructor(rows: number, make: (rows: number) => C) {
    this.rows = rows;
    this.make = make;
  }

  /** The chunk that row `id` is written to, at id modulo `rows`. */
  open(id: number): C {
    const number = Math.floor(id / this.rows);
    const found = this.chunks.get(number);
    if (found !== undefined) return found;
    const made = this.make(this.rows);
    this.chunks.set(number, made);
    return made;
  }

  /** The chunk that holds row `id`. Throws RangeError if it is gone or not written yet. */
  of(id: number): C {
    const chunk = this.chunks.get(Math.floor(id / this.rows));
    if (chunk === undefined) throw new RangeError(`Row ${id} is not in the replay buffer.`);
    return chunk;
  }

  /** Drops chunks of which every row is older than `oldest`. */
  forget(oldest: number): void {
    const needed = Math.floor(oldest / this.rows);
    for (const number of this.chunks.keys()) if (number < needed) this.chunks.delete(number);
  }

  /**
   * Arrays named `replay#<number>.<column>`; `meta.sealed` names those of full chunks, `total` being the rows ever written. These are the
   * chunks' own, for they never change; the others are copies.
   */
  save(total: number): Saved {
    const arrays: Record<string, Column> = {};
    const sealed: string[] = [];
    for (const [number, chunk] of this.chunks) {
      for (const [column, data] of columnsOf(chunk)) {
        const name = `replay#${number}.${column}`;
        const full = (number + 1) * this.rows <= total;
        arrays[name] = full ? data : data.slice();
        if (full) sealed.push(name);
      }
    }
    return { meta: { total, sealed }, arrays };
  }

  /** Other arrays are left to the caller. Throws LabError('file-invalid'). */
  load({ arrays }: Saved): void {
    this.chunks.clear();
    for (const [name, data] of Object.entries(arrays)) {
      const [, number, column] = /^replay#(\d+)\.(\w+)$/.exec(name) ?? [];
      if (number !== undefined && column !== undefined) fillColumn(this.open(Number(number) * this.rows), column, data);
    }
  }
}
