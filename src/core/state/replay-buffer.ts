/**
 * Replay buffer of transitions in chunks (chunks.ts). Transitions are numbered from 0 for ever; B rows add one each per step, so the
 * successor of transition t is t + B. The buffer holds the newest `capacity`; a chunk is dropped when all of it is older.
 */
import type { Saved } from '#contract/run/events.ts';
import type { Rng } from '#math/rng.ts';
import { savedNumber } from './checkpoint.ts';
import { Chunks } from './chunks.ts';

const CHUNK = 2048;
/** In the column `ended`: the agent had left before the step. */
const ABSENT = 3;
/** Draws until one is of an agent that was there, at most. */
const DRAWS = 32;

/** Of a team: the columns of all agents side by side (obsSize A * O, actionSize A * D, rewardSize A, maskSize A * N). */
export interface ReplayShape {
  readonly capacity: number; // transitions
  readonly rows: number; // B
  readonly obsSize: number; // O
  readonly actionSize?: number; // D, 1 if missing
  readonly rewardSize?: number; // K, 1 if missing
  readonly maskSize: number; // N, 0: no masks
  readonly currentMask?: boolean; // store the mask before the step too
}

/** Of so many consecutive transitions. Observations of grids are small integers, still kept as float32. */
function columns(length: number, { obsSize, maskSize, actionSize = 1, rewardSize = 1, currentMask }: ReplayShape) {
  return {
    obs: new Float32Array(length * obsSize),
    nextObs: new Float32Array(length * obsSize),
    nextMask: new Uint8Array(length * maskSize).fill(1),
    action: new Float32Array(length * actionSize),
    reward: new Float32Array(length * rewardSize),
    ended: new Uint8Array(length), // 0 goes on, 1 terminated, 2 truncated, 3 is never drawn
    mask: currentMask === true && maskSize > 0 ? new Uint8Array(length * maskSize).fill(1) : undefined,
  };
}

/** One transition of every row: an agent of a parallel environment, or a whole team. */
export interface ReplayRows {
  readonly obs: Float32Array; // [B, O]
  readonly action: Int32Array | Float32Array; // [B, D]
  readonly reward: Float32Array; // [B, K]
  readonly nextObs: Float32Array; // [B, O] after the step and before any reset
  readonly terminated: Uint8Array; // [B]
  readonly truncated: Uint8Array; // [B]
  readonly nextMask?: Uint8Array | undefined; // [B, N]
  readonly mask?: Uint8Array | undefined; // [B, N]
  readonly absent?: Uint8Array | undefined; // [B] 1: of an agent that had left before the step, never drawn
}

/** Where a sample goes, row k of each: inputs of a program, for instance. */
export interface ReplayBatch {
  readonly obs: Float32Array; // [M, O]
  readonly action: Float32Array; // [M, D]
  readonly reward: Float32Array; // [M, K] sum of n discounted rewards
  readonly discount: Float32Array; // [M] gamma^m, 0 after a termination
  readonly nextObs: Float32Array; // [M, O] after the window
  readonly nextMask?: Float32Array | undefined; // [M, N]
  readonly mask?: Float32Array | undefined; // [M, N]
}

/** Writes `width` numbers of row `from` to row `to`. */
function copyFloats(source: Float32Array, from: number, width: number, out: Float32Array, to: number): void {
  const a = from * width;
  const b = to * width;
  for (let j = 0; j < width; j++) out[b + j] = source[a + j]!;
}

/** The same for any numbers: a loop that sees several kinds of array is several times as slow, so observations do not come here. */
function copyRow(source: ArrayLike<number>, from: number, width: number, out: { [i: number]: number }, to: number): void {
  for (let j = 0; j < width; j++) out[to * width + j] = source[from * width + j]!;
}

export class ReplayBuffer {
  readonly shape: ReplayShape;
  /** Transitions ever added. */
  total = 0;
  /** Changes the observation of row k that was read from transition `id`, in place; null: it stays as it was stored. */
  view: ((id: number, obs: Float32Array, k: number) => void) | null = null;
  private readonly chunks: Chunks<ReturnType<typeof columns>>;
  private readonly sums: Float64Array; // of a window, in float64
  /** A row without its agent may be stored: false where none was added, true after loading. */
  private someAbsent = false;

  constructor(shape: ReplayShape) {
    this.shape = shape;
    this.chunks = new Chunks(CHUNK, (length) => columns(length, shape));
    this.sums = new Float64Array(shape.rewardSize ?? 1);
  }

  get oldest(): number {
    return Math.max(0, this.total - this.shape.capacity);
  }

  get size(): number {
    return this.total - this.oldest;
  }

  add(rows: ReplayRows): void {
    const { rows: count, obsSize, maskSize, capacity, actionSize = 1, rewardSize = 1 } = this.shape;
    for (let row = 0; row < count; row++) {
      if (this.total % CHUNK === 0) this.chunks.forget(Math.max(0, this.total + 1 - capacity));
      const chunk = this.chunks.open(this.total);
      const slot = this.total % CHUNK;
      copyFloats(rows.obs, row, obsSize, chunk.obs, slot);
      copyFloats(rows.nextObs, row, obsSize, chunk.nextObs, slot);
      if (rows.nextMask !== undefined) copyRow(rows.nextMask, row, maskSize, chunk.nextMask, slot);
      if (rows.mask !== undefined && chunk.mask !== undefined) copyRow(rows.mask, row, maskSize, chunk.mask, slot);
      copyRow(rows.action, row, actionSize, chunk.action, slot);
      copyRow(rows.reward, row, rewardSize, chunk.reward, slot);
      const absent = rows.absent?.[row] === 1;
      this.someAbsent ||= absent;
      chunk.ended[slot] = absent ? ABSENT : rows.terminated[row] !== 0 ? 1 : rows.truncated[row] !== 0 ? 2 : 0;
      this.total++;
    }
  }

  /** Any stored transition with equal probability, of those whose agent was there. */
  draw(rng: Rng): number {
    let id = this.oldest + rng.int(this.size);
    if (!this.someAbsent) return id;
    for (let more = 1; more < DRAWS && this.isAbsent(id); more++) id = this.oldest + rng.int(this.size);
    // where hardly any was, the next one that was
    for (let k = 0; k < this.size && this.isAbsent(id); k++) id = id + 1 < this.total ? id + 1 : this.oldest;
    return id;
  }

  private isAbsent(id: number): boolean {
    return this.chunks.of(id).ended[id % CHUNK] === ABSENT;
  }

  /** The newest transition in this slot (number modulo capacity). */
  numberAt(slot: number): number {
    const { capacity } = this.shape;
    const newest = this.total - 1;
    return newest - ((((newest - slot) % capacity) + capacity) % capacity);
  }

  /** Writes transition `id` with its n-step window to row k; the window stops at an ended episode or at the newest data. */
  read(id: number, k: number, n: number, gamma: number, out: ReplayBatch): void {
    const { obsSize, maskSize, rows, actionSize = 1, rewardSize = 1 } = this.shape;
    const chunk = this.chunks.of(id);
    const slot = id % CHUNK;
    copyFloats(chunk.obs, slot, obsSize, out.obs, k);
    copyRow(chunk.action, slot, actionSize, out.action, k);
    if (out.mask !== undefined && chunk.mask !== undefined) copyRow(chunk.mask, slot, maskSize, out.mask, k);
    const sums = this.sums;
    for (let j = 0; j < rewardSize; j++) sums[j] = chunk.reward[slot * rewardSize + j]!;
    let power = gamma;
    let last = id;
    let end = chunk;
    for (let m = 1; m < n && end.ended[last % CHUNK] === 0 && last + rows < this.total; m++) {
      last += rows;
      end = this.chunks.of(last);
      for (let j = 0; j < rewardSize; j++) sums[j]! += power * end.reward[(last % CHUNK) * rewardSize + j]!;
      power *= gamma;
    }
    const lastSlot = last % CHUNK;
    for (let j = 0; j < rewardSize; j++) out.reward[k * rewardSize + j] = sums[j]!;
    out.discount[k] = end.ended[lastSlot] === 1 ? 0 : power;
    copyFloats(end.nextObs, lastSlot, obsSize, out.nextObs, k);
    if (out.nextMask !== undefined) copyRow(end.nextMask, lastSlot, maskSize, out.nextMask, k);
    this.view?.(id, out.obs, k);
    this.view?.(last, out.nextObs, k);
  }

  /** How many stored transitions of the same episode come after transition `id`. */
  following(id: number): number {
    const { rows } = this.shape;
    let last = id;
    while (last + rows < this.total && this.chunks.of(last).ended[last % CHUNK] === 0) last += rows;
    return (last - id) / rows;
  }

  /** Fills `out` with numbers of the observation after transition `id`, from place `from` on. */
  readAfter(id: number, from: number, out: Float32Array): void {
    const { nextObs } = this.chunks.of(id);
    const at = (id % CHUNK) * this.shape.obsSize + from;
    for (let i = 0; i < out.length; i++) out[i] = nextObs[at + i]!;
  }

  save(): Saved {
    return this.chunks.save(this.total);
  }

  load(saved: Saved): void {
    this.total = savedNumber(saved, 'total');
    this.chunks.load(saved);
    this.someAbsent = true;
  }
}
