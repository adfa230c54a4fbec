/** Contenders timed side by side: each round gives every one a slice of time in turn, so that a busy machine slows all alike. */
import { median } from '#math/stats.ts';

export interface Contender {
  readonly name: string;
  /** One unit of work. */
  readonly run: () => Promise<unknown> | unknown;
}

export interface Timing {
  readonly name: string;
  /** Microseconds per unit: median over rounds, and the quickest round. */
  readonly us: number;
  readonly best: number;
}

/** Milliseconds for `count` units. */
async function slice(run: Contender['run'], count: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const pending = run();
    // awaiting what is not a promise would cost more than a small program does
    if (pending instanceof Promise) await pending;
  }
  return performance.now() - start;
}

/** Warms up, then times every contender in each of `rounds` rounds for about `ms` milliseconds. */
export async function compare(contenders: readonly Contender[], rounds: number, ms: number): Promise<Timing[]> {
  const counts: number[] = [];
  for (const { run } of contenders) {
    // until the compilers have settled: fifty units and the time of a slice, but a slow one not for ever
    for (let spent = 0, units = 0; (units < 50 || spent < ms) && spent < 20 * ms; units++) spent += await slice(run, 1);
    let count = 1;
    while ((await slice(run, count)) < ms / 4 && count < 1e6) count *= 4;
    const one = (await slice(run, count)) / count;
    counts.push(Math.max(1, Math.round(ms / one)));
  }
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, { run }] of contenders.entries()) times[i]!.push(((await slice(run, counts[i]!)) / counts[i]!) * 1000);
  return contenders.map(({ name }, i) => ({ name, us: median(times[i]!), best: Math.min(...times[i]!) }));
}
