/**
 * Replay memory of stretches of episodes, for recurrent learners and for teams: pieces of at most L steps, padded to L. A piece of
 * T steps has T + 1 observations, the last being what was seen before any reset; an episode longer than L becomes several pieces,
 * one after the other. L = 1 keeps single transitions. Pieces lie in chunks (chunks.ts). The newest
 * `capacity` are drawn from.
 */
import type { Saved } from '#contract/run/events.ts';
import type { Rng } from '#math/rng.ts';
import { savedNumber } from './checkpoint.ts';
import { Chunks, type Columns, columnsOf, fillColumn } from './chunks.ts';

const CHUNK_STEPS = 2048; // approximate

/** Sizes are those of a whole team: the columns of all agents side by side. */
export interface EpisodeShape {
  readonly capacity: number; // pieces
  readonly rows: number; // B
  readonly length: number; // L
  readonly obsSize: number; // O
  readonly actionSize: number; // D
  readonly rewardSize: number; // K
  readonly maskSize: number; // N, 0: no masks
}

/** One step of every environment. */
export interface EpisodeRows {
  readonly obs: Float32Array; // [B, O]
  readonly action: Int32Array | Float32Array; // [B, D]
  readonly reward: Float32Array; // [B, K]
  readonly nextObs: Float32Array; // [B, O] after the step and before any reset
  readonly terminated: Uint8Array; // [B]
  readonly truncated: Uint8Array; // [B]
  readonly mask: Uint8Array | undefined; // [B, N] legal before the step
  readonly nextMask: Uint8Array | undefined; // [B, N] legal after it
}

/** Where M pieces go, time first. Padded steps have `filled` 0 and whatever numbers the piece before them left. */
export interface EpisodeBatch {
  readonly obs: Float32Array; // [L + 1, M, O]
  readonly action: Float32Array; // [L, M, D]
  readonly reward: Float32Array; // [L, M, K]
  readonly filled: Float32Array; // [L, M] 1 where a step was taken
  readonly goesOn: Float32Array; // [L, M] 0 where the episode terminated
  readonly mask?: Float32Array | undefined; // [L + 1, M, N]
}

/** Of `count` pieces. */
function columns(count: number, { length: L, obsSize, actionSize, rewardSize, maskSize }: EpisodeShape) {
  return {
    obs: new Float32Array(count * (L + 1) * obsSize),
    action: new Float32Array(count * L * actionSize),
    reward: new Float32Array(count * L * rewardSize),
    mask: new Uint8Array(count * (L + 1) * maskSize).fill(1),
    length: new Int32Array(count), // T
    ended: new Uint8Array(count), // after the last step: 0 goes on, 1 terminated, 2 truncated
  };
}
type Pieces = ReturnType<typeof columns>;

/** Writes `width` numbers from source[at ...] to out[to ...]. */
function copy(source: ArrayLike<number>, at: number, width: number, out: { [i: number]: number }, to: number): void {
  for (let j = 0; j < width; j++) out[to + j] = source[at + j]!;
}

export class EpisodeMemory {
  readonly shape: EpisodeShape;
  /** Finished pieces ever added. */
  total = 0;
  private readonly chunks: Chunks<Pieces>;
  private readonly open: Pieces; // one per copy, still growing

  constructor(shape: EpisodeShape) {
    this.shape = shape;
    this.chunks = new Chunks(Math.max(1, Math.floor(CHUNK_STEPS / shape.length)), (count) => columns(count, shape));
    this.open = columns(shape.rows, shape);
  }

  get oldest(): number {
    return Math.max(0, this.total - this.shape.capacity);
  }

  get size(): number {
    return this.total - this.oldest;
  }

  /** Appends one step of every environment; a piece is stored when its episode ends or it has L steps. */
  add(rows: EpisodeRows): void {
    const { open } = this;
    const { rows: count, length: L, obsSize: O, actionSize: D, rewardSize: K, maskSize: N } = this.shape;
    for (let b = 0; b < count; b++) {
      const t = open.length[b]!;
      const seen = b * (L + 1) + t;
      copy(rows.obs, b * O, O, open.obs, seen * O);
      copy(rows.nextObs, b * O, O, open.obs, (seen + 1) * O);
      copy(rows.action, b * D, D, open.action, (b * L + t) * D);
      copy(rows.reward, b * K, K, open.reward, (b * L + t) * K);
      if (rows.mask !== undefined) copy(rows.mask, b * N, N, open.mask, seen * N);
      if (rows.nextMask !== undefined) copy(rows.nextMask, b * N, N, open.mask, (seen + 1) * N);
      open.ended[b] = rows.terminated[b] !== 0 ? 1 : rows.truncated[b] !== 0 ? 2 : 0;
      open.length[b] = t + 1;
      if (open.ended[b] === 0 && t + 1 < L) continue;
      this.keep(b);
      open.length[b] = 0;
    }
  }

  /** Any finished piece with equal probability. */
  draw(rng: Rng): number {
    return this.oldest + rng.int(this.size);
  }

  /** Writes piece `id` as the m-th of M. */
  read(id: number, m: number, M: number, out: EpisodeBatch): void {
    const { length: L, obsSize: O, actionSize: D, rewardSize: K, maskSize: N } = this.shape;
    const chunk = this.chunks.of(id);
    const i = id % this.chunks.rows;
    const steps = chunk.length[i]!;
    for (let t = 0; t <= L; t++) {
      const from = i * (L + 1) + Math.min(t, steps); // padding repeats the last observation
      copy(chunk.obs, from * O, O, out.obs, (t * M + m) * O);
      if (out.mask !== undefined) copy(chunk.mask, from * N, N, out.mask, (t * M + m) * N);
    }
    for (let t = 0; t < L; t++) {
      const to = t * M + m;
      const from = i * L + Math.min(t, steps - 1);
      out.filled[to] = t < steps ? 1 : 0;
      out.goesOn[to] = t === steps - 1 && chunk.ended[i] === 1 ? 0 : 1;
      copy(chunk.action, from * D, D, out.action, to * D);
      copy(chunk.reward, from * K, K, out.reward, to * K);
    }
  }

  /** Full and open chunks, and `open.<column>` of what still grows. */
  save(): Saved {
    const { meta, arrays } = this.chunks.save(this.total);
    const open = columnsOf(this.open).map(([column, data]) => [`open.${column}`, data.slice()]);
    return { meta, arrays: { ...arrays, ...Object.fromEntries(open) } };
  }

  load(saved: Saved): void {
    this.total = savedNumber(saved, 'total');
    this.chunks.load(saved);
    for (const [name, data] of Object.entries(saved.arrays))
      if (name.startsWith('open.')) fillColumn(this.open, name.slice('open.'.length), data);
  }

  /** All of piece b of those that grow. */
  private keep(b: number): void {
    const to = this.total % this.chunks.rows;
    const kept: Columns = this.chunks.open(this.total);
    for (const [name, column] of columnsOf(this.open)) {
      const width = column.length / this.shape.rows;
      kept[name]?.set(column.subarray(b * width, (b + 1) * width), to * width);
    }
    this.total++;
    this.chunks.forget(this.oldest);
  }
}
