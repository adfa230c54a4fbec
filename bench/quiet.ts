/**
 * Whether the machine was left alone. Cores that are shared with other tenants run at half their speed for seconds at a time, which
 * the load average does not show. A chain of dependent integer operations has one speed on a quiet core; timed before and after a
 * run it tells whether that run can be trusted, without looking at what the run measured.
 */

/** Operations of the chain per microsecond, best of three short runs. */
function chainSpeed(): number {
  const count = 10_000_000;
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    let x = round + 1;
    for (let i = 0; i < count; i++) x = (Math.imul(x, 5) + i) | 0;
    const speed = count / (1000 * (performance.now() - start));
    // x decides nothing, but must be computed
    if (x !== 0.5 && speed > best) best = speed;
  }
  return best;
}

export interface Timed<T> {
  readonly value: T;
  /** The slower of the two probes around the run. */
  readonly chain: number;
}

export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const before = chainSpeed();
  const value = await work();
  return { value, chain: Math.min(before, chainSpeed()) };
}

/** Share of the fastest chain of all below which a run counts as disturbed. */
const QUIET = 0.95;

export function quietOnes<T>(runs: readonly Timed<T>[]): T[] {
  const best = Math.max(...runs.map((run) => run.chain));
  return runs.filter((run) => run.chain >= QUIET * best).map((run) => run.value);
}
