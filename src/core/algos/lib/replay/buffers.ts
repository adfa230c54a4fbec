/**
 * Replay memory in chunks that are filled once and never change again, so that a checkpoint writes only new ones.
 * Transitions are numbered from 0 for ever; B copies add one each per step, so the successor of transition t is t + B.
 * The memory holds the newest `capacity`; a chunk is dropped when all of it is older.
 */
import type { Saved } from '#contract/events.ts';
import { pow } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { ReplayChunk, type ReplayShape } from './replay-chunk.ts';

const CHUNK = 2048;

/** One transition of every copy. */
export interface ReplayRows {
  readonly obs: Float32Array; // [B, O]
  readonly action: Int32Array | Float32Array; // [B, D]
  readonly reward: Float32Array; // [B, K]
  readonly nextObs: Float32Array; // [B, O] after the step and before any reset
  readonly terminated: Uint8Array; // [B]
  readonly truncated: Uint8Array; // [B]
  readonly nextMask?: Uint8Array | undefined; // [B, N]
  readonly mask?: Uint8Array | undefined; // [B, N]
}

/** Where a sample goes, row k of each. */
export interface ReplayBatch {
  readonly obs: Float32Array; // [M, O]
  readonly action: Float32Array; // [M, D]
  readonly reward: Float32Array; // [M, K] sum of n discounted rewards
  readonly discount: Float32Array; // [M] gamma^m, 0 after a termination
  readonly nextObs: Float32Array; // [M, O] after the window
  readonly nextMask?: Float32Array; // [M, N]
  readonly mask?: Float32Array; // [M, N]
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
  private chunks = new Map<number, ReplayChunk>();
  private readonly sums: Float64Array; // of a window, in float64

  constructor(shape: ReplayShape) {
    this.shape = shape;
    this.sums = new Float64Array(shape.rewardSize ?? 1);
  }

  get oldest(): number {
    return Math.max(0, this.total - this.shape.capacity);
  }

  get size(): number {
    return this.total - this.oldest;
  }

  add(rows: ReplayRows): void {
    const { rows: count, obsSize, maskSize, capacity, actionSize = 1, rewardSize = 1, masksNow } = this.shape;
    for (let row = 0; row < count; row++) {
      const number = Math.floor(this.total / CHUNK);
      let chunk = this.chunks.get(number);
      if (chunk === undefined) {
        chunk = new ReplayChunk(CHUNK, this.shape);
        this.chunks.set(number, chunk);
        const firstNeeded = Math.floor(Math.max(0, this.total + 1 - capacity) / CHUNK);
        for (const old of this.chunks.keys()) if (old < firstNeeded) this.chunks.delete(old);
      }
      const slot = this.total % CHUNK;
      copyFloats(rows.obs, row, obsSize, chunk.obs, slot);
      copyFloats(rows.nextObs, row, obsSize, chunk.nextObs, slot);
      if (rows.nextMask !== undefined) copyRow(rows.nextMask, row, maskSize, chunk.nextMask, slot);
      if (rows.mask !== undefined && masksNow === true) copyRow(rows.mask, row, maskSize, chunk.mask, slot);
      copyRow(rows.action, row, actionSize, chunk.action, slot);
      copyRow(rows.reward, row, rewardSize, chunk.reward, slot);
      chunk.ended[slot] = rows.terminated[row] !== 0 ? 1 : rows.truncated[row] !== 0 ? 2 : 0;
      this.total++;
    }
  }

  /** Any stored transition with equal probability. */
  draw(rng: Rng): number {
    return this.oldest + rng.int(this.size);
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
    const chunk = this.chunkOf(id);
    const slot = id % CHUNK;
    copyFloats(chunk.obs, slot, obsSize, out.obs, k);
    copyRow(chunk.action, slot, actionSize, out.action, k);
    if (out.mask !== undefined) copyRow(chunk.mask, slot, maskSize, out.mask, k);
    const sums = this.sums;
    for (let j = 0; j < rewardSize; j++) sums[j] = chunk.reward[slot * rewardSize + j]!;
    let power = gamma;
    let last = id;
    let end = chunk;
    for (let m = 1; m < n && end.ended[last % CHUNK] === 0 && last + rows < this.total; m++) {
      last += rows;
      end = this.chunkOf(last);
      for (let j = 0; j < rewardSize; j++) sums[j]! += power * end.reward[(last % CHUNK) * rewardSize + j]!;
      power *= gamma;
    }
    const lastSlot = last % CHUNK;
    for (let j = 0; j < rewardSize; j++) out.reward[k * rewardSize + j] = sums[j]!;
    out.discount[k] = end.ended[lastSlot] === 1 ? 0 : power;
    copyFloats(end.nextObs, lastSlot, obsSize, out.nextObs, k);
    if (out.nextMask !== undefined) copyRow(end.nextMask, lastSlot, maskSize, out.nextMask, k);
  }

  /** Arrays named `replay#<number>.<column>`; `meta.sealed` names those that will never change again. */
  save(): Saved {
    const arrays: Record<string, Saved['arrays'][string]> = {};
    const sealed: string[] = [];
    for (const [number, chunk] of this.chunks) {
      const full = (number + 1) * CHUNK <= this.total;
      for (const [column, data] of chunk.columns()) {
        const name = `replay#${number}.${column}`;
        arrays[name] = data.slice();
        if (full) sealed.push(name);
      }
    }
    return { meta: { total: this.total, sealed }, arrays };
  }

  load({ meta, arrays }: Saved): void {
    this.total = meta.total as number;
    this.chunks = new Map();
    for (const [name, data] of Object.entries(arrays)) {
      const match = /^replay#(\d+)\.(\w+)$/.exec(name);
      if (match === null) continue;
      const number = Number(match[1]);
      const chunk = this.chunks.get(number) ?? new ReplayChunk(CHUNK, this.shape);
      this.chunks.set(number, chunk);
      chunk.fill(match[2] as string, data);
    }
  }

  private chunkOf(id: number): ReplayChunk {
    const chunk = this.chunks.get(Math.floor(id / CHUNK));
    if (chunk === undefined) throw new RangeError(`Transition ${id} is not in the replay memory.`);
    return chunk;
  }
}

/**
 * Proportional prioritised replay (Schaul et al. 2016): P(i) ~ (|delta_i| + 1e-6)^alpha. A binary tree whose every inner node is
 * recomputed as the sum of its children: no drift, and the same bits whatever the order of updates.
 */
export class Priorities {
  private readonly leaves: number; // power of two
  private readonly tree: Float64Array; // 1 is the root, leaf i at leaves + i
  private readonly capacity: number;
  private readonly alpha: number;
  /** Largest |delta| + 1e-6 seen: what new transitions get. */
  largest = 1;

  constructor(capacity: number, alpha: number) {
    this.capacity = capacity;
    this.alpha = alpha;
    let leaves = 1;
    while (leaves < capacity) leaves *= 2;
    this.leaves = leaves;
    this.tree = new Float64Array(2 * leaves);
  }

  get total(): number {
    return this.tree[1]!;
  }

  addNew(id: number): void {
    this.set(id, this.largest);
  }

  update(id: number, delta: number): void {
    const priority = Math.abs(delta) + 1e-6;
    if (priority > this.largest) this.largest = priority;
    this.set(id, priority);
  }

  updateAll(ids: Float64Array, deltas: Float32Array): void {
    for (let k = 0; k < ids.length; k++) this.update(ids[k]!, deltas[k]!);
  }

  /** Slot (id modulo capacity) at cumulative mass in [0, total). */
  find(mass: number): number {
    let node = 1;
    let left = mass;
    while (node < this.leaves) {
      node *= 2;
      if (left >= this.tree[node]! && this.tree[node + 1]! > 0) {
        left -= this.tree[node]!;
        node++;
      }
    }
    return node - this.leaves;
  }

  probability(id: number): number {
    return this.tree[this.leaves + (id % this.capacity)]! / this.total;
  }

  /** (N P(i))^-beta, not yet divided by the batch's largest. */
  weight(id: number, size: number, beta: number): number {
    return pow(size * this.probability(id), -beta);
  }

  pack(): Float64Array {
    const data = new Float64Array(1 + this.capacity);
    data[0] = this.largest;
    data.set(this.tree.subarray(this.leaves, this.leaves + this.capacity), 1);
    return data;
  }

  unpack(data: Float64Array): void {
    this.largest = data[0]!;
    this.tree.set(data.subarray(1), this.leaves);
    for (let i = this.leaves - 1; i > 0; i--) this.tree[i] = this.tree[2 * i]! + this.tree[2 * i + 1]!;
  }

  private set(id: number, priority: number): void {
    let node = this.leaves + (id % this.capacity);
    this.tree[node] = pow(priority, this.alpha);
    for (node >>= 1; node > 0; node >>= 1) this.tree[node] = this.tree[2 * node]! + this.tree[2 * node + 1]!;
  }
}
