/** Successive halving (Karnin, Koren, Somekh 2013; Jamieson and Talwalkar 2016): many set-ups for a short time, the best of them for longer. */

export interface Rung {
  /** Set-ups that run in this round. */
  readonly setups: number;
  /** Environment steps of each run. */
  readonly steps: number;
}

/** Rounds of a search: each keeps one in `eta` for `eta` times the steps; the last one has the whole budget. eta > 1. */
export function rungs(setups: number, steps: number, eta: number): readonly Rung[] {
  const counts = [setups];
  while (counts.at(-1)! >= eta) counts.push(Math.floor(counts.at(-1)! / eta));
  return counts.map((count, i) => ({ setups: count, steps: Math.max(1, Math.round(steps / eta ** (counts.length - 1 - i))) }));
}
