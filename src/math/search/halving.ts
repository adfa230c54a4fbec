/** Successive halving (Karnin, Koren, Somekh 2013; Jamieson and Talwalkar 2016): many set-ups for a short time, the best of them for longer. */

export interface Rung {
  /** Set-ups that run in this round. */
  readonly setups: number;
  /** Environment steps of each run. */
  readonly steps: number;
}

/** Rounds of a search: each keeps one in `eta` for `eta` times the steps; the last one has the whole budget. eta > 1. */
export function rungs(setups: number, steps: number, eta: number): readonly Rung[] {
  const counts: number[] = [];
  for (let count = setups; count >= 1; count = Math.floor(count / eta)) counts.push(count);
  return counts.map((count, i) => ({ setups: count, steps: Math.max(1, Math.round(steps / eta ** (counts.length - 1 - i))) }));
}
