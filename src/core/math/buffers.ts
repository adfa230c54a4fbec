/**
 * Replay memory in chunks that are filled once and never change again, so that a checkpoint writes only new ones.
 * Transitions are numbered from 0 for ever; B copies add one each per step, so the successor of transition t is t + B.
 * The memory holds the newest `capacity`; a chunk is dropped when all of it is older.
 */
import type { Saved } from '#contract/events.ts';
import { pow } from './functions.ts';
import { ReplayChunk } from './replay-chunk.ts';
import type { Rng } from './rng.ts';

const CHUNK = 2048;

export interface ReplayShape {
  readonly capacity: number; // transitions
  readonly obsSize: number; // O
  readonly maskSize: number; // N, 0: no masks
  readonly rows: number; // B
}

/** Where a sample goes, row k of each. */
export interface ReplayBatch {
  readonly obs: Float32Array; // [M, O]
  readonly action: Float32Array; // [M]
  readonly reward: Float32Array; // [M] sum of n discounted rewards
  readonly discount: Float32Array; // [M] gamma^m, 0 after a termination
  readonly nextObs: Float32Array; // [M, O] after the window
  readonly nextMask?: Float32Array; // [M, N]
}

export class ReplayBuffer {
  readonly shape: ReplayShape;
  /** Transitions ever added. */
  total = 0;
  private chunks = new Map<number, ReplayChunk>();

  constructor(shape: ReplayShape) {
    this.shape = shape;
  }

  get oldest(): number {
    return Math.max(0, this.total - this.shape.capacity);
  }

  get size(): number {
    return this.total - this.oldest;
  }

  /** One transition of every copy: [B, O], [B], [B], [B, O] after the step and before any reset, flags [B], mask [B, N] of the next state. */
  add(
    obs: Float32Array,
    action: Int32Array,
    reward: Float32Array,
    nextObs: Float32Array,
    terminated: Uint8Array,
    truncated: Uint8Array,
    nextMask?: Uint8Array,
  ): void {
    const { rows, obsSize, maskSize, capacity } = this.shape;
    for (let row = 0; row < rows; row++) {
      const number = Math.floor(this.total / CHUNK);
      let chunk = this.chunks.get(number);
      if (chunk === undefined) {
        chunk = new ReplayChunk(CHUNK, obsSize, maskSize);
        this.chunks.set(number, chunk);
        const firstNeeded = Math.floor(Math.max(0, this.total + 1 - capacity) / CHUNK);
        for (const old of this.chunks.keys()) if (old < firstNeeded) this.chunks.delete(old);
      }
      const slot = this.total % CHUNK;
      for (let j = 0; j < obsSize; j++) {
        chunk.obs[slot * obsSize + j] = obs[row * obsSize + j]!;
        chunk.nextObs[slot * obsSize + j] = nextObs[row * obsSize + j]!;
      }
      for (let j = 0; j < maskSize; j++) chunk.nextMask[slot * maskSize + j] = nextMask?.[row * maskSize + j] ?? 1;
      chunk.action[slot] = action[row]!;
      chunk.reward[slot] = reward[row]!;
      chunk.ended[slot] = terminated[row] !== 0 ? 1 : truncated[row] !== 0 ? 2 : 0;
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
    const { obsSize, maskSize, rows } = this.shape;
    const chunk = this.chunkOf(id);
    const slot = id % CHUNK;
    for (let j = 0; j < obsSize; j++) out.obs[k * obsSize + j] = chunk.obs[slot * obsSize + j]!;
    out.action[k] = chunk.action[slot]!;
    let reward = chunk.reward[slot]!;
    let power = gamma;
    let last = id;
    let end = chunk;
    for (let m = 1; m < n && end.ended[last % CHUNK] === 0 && last + rows < this.total; m++) {
      last += rows;
      end = this.chunkOf(last);
      reward += power * end.reward[last % CHUNK]!;
      power *= gamma;
    }
    const lastSlot = last % CHUNK;
    out.reward[k] = reward;
    out.discount[k] = end.ended[lastSlot] === 1 ? 0 : power;
    for (let j = 0; j < obsSize; j++) out.nextObs[k * obsSize + j] = end.nextObs[lastSlot * obsSize + j]!;
    if (out.nextMask !== undefined) {
      for (let j = 0; j < maskSize; j++) out.nextMask[k * maskSize + j] = end.nextMask[lastSlot * maskSize + j]!;
    }
  }

  /** Arrays named `replay#<number>.<column>`; `sealed` names those that will never change again. */
  save(): { readonly arrays: Saved['arrays']; readonly sealed: readonly string[]; readonly total: number } {
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
    return { arrays, sealed, total: this.total };
  }

  load(arrays: Saved['arrays'], total: number): void {
    const { obsSize, maskSize } = this.shape;
    this.total = total;
    this.chunks = new Map();
    for (const [name, data] of Object.entries(arrays)) {
      const match = /^replay#(\d+)\.(\w+)$/.exec(name);
      if (match === null) continue;
      const number = Number(match[1]);
      const chunk = this.chunks.get(number) ?? new ReplayChunk(CHUNK, obsSize, maskSize);
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
    return Float64Array.of(this.largest, ...this.tree.subarray(this.leaves, this.leaves + this.capacity));
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
