import { pow } from '#math/functions.ts';

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
