/** What each row of a rollout has seen and done so far, as numbers that a network can read beside what it sees now. */
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';

/** Where the parts of a wide observation stand: what is seen [seen], told [told], drawn [code], and entries of the history [past]. */
export interface Layout {
  readonly seen: number;
  readonly told: number;
  readonly code: number;
  readonly entry: number;
  readonly past: number;
  readonly width: number;
}

/** `steps` entries of what was seen, how it changed, what was done; with `marked` each ends with a 1, so that a missing one is told from zeros. */
export function layoutFor(
  meta: EnvMeta,
  { told, code, steps, marked }: { readonly told: number; readonly code: number; readonly steps: number; readonly marked: boolean },
): Layout {
  const seen = meta.obsSize - told;
  const entry = 2 * seen + (meta.actionCount || meta.actionSize) + (marked ? 1 : 0);
  const past = steps * entry;
  return { seen, told, code, entry, past, width: meta.obsSize + code + past };
}

/** The same environment to networks that read so many plain numbers of each agent. */
export const metaOfWidth = (meta: EnvMeta, width: number): EnvMeta => ({
  ...meta,
  obsSize: width,
  agents: meta.agents.map((one) => ({ ...one, obs: { kind: 'box', shape: [width], low: null, high: null } })),
});

/**
 * The last steps of each row, newest first: what was seen, how it changed until the next step, what was done (one-hot, or numbers). Before an
 * entry there are zeros. A row is [1 once something was seen, what was seen last, what was done then, entries].
 */
export class Histories {
  readonly size: number;
  private readonly meta: EnvMeta;
  private readonly at: Layout;
  private readonly done: number;

  constructor(meta: EnvMeta, layout: Layout) {
    [this.meta, this.at] = [meta, layout];
    this.done = meta.actionCount || meta.actionSize;
    this.size = 1 + layout.seen + this.done + layout.past;
  }

  /** Before acting: the step before becomes an entry. `obs` [rows, O + K]. */
  observe(rows: Float32Array, row: number, obs: Float32Array): void {
    const { seen, entry, past } = this.at;
    const from = row * this.size;
    const now = row * this.meta.obsSize;
    const entries = from + this.size - past;
    if (rows[from] === 1) {
      rows.copyWithin(entries + entry, entries, entries + past - entry);
      for (let i = 0; i < seen; i++) {
        const before = rows[from + 1 + i]!;
        rows[entries + i] = before;
        rows[entries + seen + i] = obs[now + i]! - before;
      }
      for (let i = 0; i < this.done; i++) rows[entries + 2 * seen + i] = rows[from + 1 + seen + i]!;
      if (entry > 2 * seen + this.done) rows[entries + entry - 1] = 1;
    }
    rows[from] = 1;
    for (let i = 0; i < seen; i++) rows[from + 1 + i] = obs[now + i]!;
  }

  /** Behind acting. `actions` [rows, D]. */
  act(rows: Float32Array, row: number, actions: Actions): void {
    const { actionCount: N, actionSize: D } = this.meta;
    const from = row * this.size + 1 + this.at.seen;
    if (N === 0) for (let d = 0; d < D; d++) rows[from + d] = actions[row * D + d]!;
    else for (let a = 0; a < N; a++) rows[from + a] = actions[row] === a ? 1 : 0;
  }

  /** All of the first `count` rows before acting: `observe`, then their wide observations into `wide` [count, width]. */
  widen(rows: Float32Array, count: number, obs: Float32Array, wide: Float32Array = new Float32Array(count * this.at.width)): Float32Array {
    for (let row = 0; row < count; row++) {
      this.observe(rows, row, obs);
      this.write(rows, row, obs, wide);
    }
    return wide;
  }

  /** The row's wide observation, without what is drawn. */
  write(rows: Float32Array, row: number, obs: Float32Array, wide: Float32Array): void {
    const { width, past } = this.at;
    const O = this.meta.obsSize;
    const end = (row + 1) * this.size;
    wide.fill(0, row * width, (row + 1) * width);
    wide.set(obs.subarray(row * O, (row + 1) * O), row * width);
    wide.set(rows.subarray(end - past, end), (row + 1) * width - past);
  }
}
