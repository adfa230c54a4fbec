/**
 * Replay memory of stretches of episodes, for recurrent learners and for teams: pieces of at most L steps, padded to L. A piece of
 * T steps has T + 1 observations, the last being what was seen before any reset; an episode longer than L becomes several pieces,
 * one after the other. L = 1 keeps single transitions. Pieces are numbered from 0 for ever and lie in chunks that never change
 * once they are full, so that a checkpoint writes only new ones. The newest `capacity` are drawn from.
 */
import type { Saved } from '#contract/events.ts';
import type { Rng } from '#math/rng.ts';

const CHUNK_STEPS = 2048; // approximate

/** Sizes are those of a whole team: everybody's columns side by side. */
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

type Column = Saved['arrays'][string];

/** `count` pieces in typed columns. */
class Pieces {
  readonly obs: Float32Array; // [count, L + 1, O]
  readonly action: Float32Array; // [count, L, D]
  readonly reward: Float32Array; // [count, L, K]
  readonly mask: Uint8Array; // [count, L + 1, N]
  readonly length: Int32Array; // [count] T
  readonly ended: Uint8Array; // [count] after the last step: 0 goes on, 1 terminated, 2 truncated

  constructor(count: number, { length: L, obsSize, actionSize, rewardSize, maskSize }: EpisodeShape) {
    this.obs = new Float32Array(count * (L + 1) * obsSize);
    this.action = new Float32Array(count * L * actionSize);
    this.reward = new Float32Array(count * L * rewardSize);
    this.mask = new Uint8Array(count * (L + 1) * maskSize).fill(1);
    this.length = new Int32Array(count);
    this.ended = new Uint8Array(count);
  }

  columns(): Record<string, Column> {
    const { obs, action, reward, mask, length, ended } = this;
    return { obs, action, reward, mask, length, ended };
  }

  /** All of piece `from` of another. */
  take(to: number, other: Pieces, from: number): void {
    const [mine, theirs] = [this.columns(), other.columns()];
    for (const [name, column] of Object.entries(mine)) {
      const width = column.length / this.length.length;
      column.set(theirs[name]!.subarray(from * width, (from + 1) * width), to * width);
    }
  }
}

/** Writes `width` numbers from source[at ...] to out[to ...]. */
function copy(source: ArrayLike<number>, at: number, width: number, out: { [i: number]: number }, to: number): void {
  for (let j = 0; j < width; j++) out[to + j] = source[at + j]!;
}

export class EpisodeMemory {
  readonly shape: EpisodeShape;
  /** Finished pieces ever added. */
  total = 0;
  private readonly perChunk: number;
  private chunks = new Map<number, Pieces>();
  private readonly open: Pieces; // one per copy, still growing

  constructor(shape: EpisodeShape) {
    this.shape = shape;
    this.perChunk = Math.max(1, Math.floor(CHUNK_STEPS / shape.length));
    this.open = new Pieces(shape.rows, shape);
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
    const chunk = this.chunks.get(Math.floor(id / this.perChunk));
    if (chunk === undefined) throw new RangeError(`Piece ${id} is not in the replay memory.`);
    const i = id % this.perChunk;
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

  /** Arrays `replay#<number>.<column>` and, of what still grows, `open.<column>`; `sealed` names those that will never change again. */
  save(): Saved {
    const arrays: Record<string, Column> = {};
    const sealed: string[] = [];
    for (const [number, chunk] of this.chunks) {
      for (const [column, data] of Object.entries(chunk.columns())) {
        const name = `replay#${number}.${column}`;
        arrays[name] = data.slice();
        if ((number + 1) * this.perChunk <= this.total) sealed.push(name);
      }
    }
    for (const [column, data] of Object.entries(this.open.columns())) arrays[`open.${column}`] = data.slice();
    return { meta: { total: this.total, sealed }, arrays };
  }

  load({ meta, arrays }: Saved): void {
    this.total = meta.total as number;
    this.chunks = new Map();
    for (const [name, data] of Object.entries(arrays)) {
      const match = /^(?:open|replay#(\d+))\.(\w+)$/.exec(name);
      if (match === null) continue;
      const pieces = match[1] === undefined ? this.open : this.chunkAt(Number(match[1]));
      pieces.columns()[match[2]!]?.set(data);
    }
  }

  private chunkAt(number: number): Pieces {
    const found = this.chunks.get(number);
    if (found !== undefined) return found;
    const made = new Pieces(this.perChunk, this.shape);
    this.chunks.set(number, made);
    return made;
  }

  private keep(b: number): void {
    this.chunkAt(Math.floor(this.total / this.perChunk)).take(this.total % this.perChunk, this.open, b);
    this.total++;
    const firstNeeded = Math.floor(this.oldest / this.perChunk);
    for (const old of this.chunks.keys()) if (old < firstNeeded) this.chunks.delete(old);
  }
}
