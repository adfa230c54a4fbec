/**
 * xorshift32 (Marsaglia 2003), the generator of reference task lists: a task drawn from a seed is the same prompt wherever it is drawn.
 * Runs draw from `Rng`; this one only turns a task's seed into the task.
 */
export class Xorshift {
  private x: number;

  /** Any whole number as seed; the first eight outputs are dropped. */
  constructor(seed: number) {
    const start = (Math.imul(seed, 2_654_435_761) + 1) >>> 0;
    this.x = start === 0 ? 2_654_435_769 : start;
    for (let i = 0; i < 8; i++) this.next();
  }

  /** The next word, 0 .. 2^32 - 1. */
  next(): number {
    let x = this.x;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.x = x >>> 0;
    return this.x;
  }

  /** Uniform in 0 .. n - 1. */
  draw(n: number): number {
    return Math.floor((this.next() * n) / 4_294_967_296);
  }

  /** In place, from the end down (Fisher and Yates). */
  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.draw(i + 1);
      const kept = list[i]!;
      list[i] = list[j]!;
      list[j] = kept;
    }
    return list;
  }
}
