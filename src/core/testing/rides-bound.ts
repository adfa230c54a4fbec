/**
 * What no dispatcher of the world ride-dispatch can pass: the day is known ahead, every seat is a car of its own, and rides cause no detours.
 * A request may then be in the way of several cars; prices of requests (Lagrange) pay for that, and any prices give a bound from above:
 *   sum of prices + capacity * sum over drivers of the best way through requests, each worth 1 - wait - price, from where the driver begins.
 * Prices are found by a subgradient rule, so the bound holds whether or not they are the best ones.
 */
import { blocksBetween, type Day } from '../envs/networks/lib/rides/day.ts';

export interface BoundOf {
  readonly capacity: number;
  readonly patience: number;
  /** Taken for ten minutes of waiting. */
  readonly waitWeight: number;
}

const ROUNDS = 300;
/** How far below the best bound the next one is sought, as a share of the requests, and what is left of that in each next round. */
const FALLS = 0.1;
const FADES = 0.99;

/** The least bound that the rounds find. */
export function mostReturn({ starts, times, trips }: Day, { capacity, patience, waitWeight }: BoundOf): number {
  const R = times.length;
  const W = patience + 1;
  const price = new Float64Array(R);
  // of request r taken in k minutes after it came: what the way from there on is worth, and which request is next
  const worth = new Float64Array(R * W);
  const then = new Int32Array(R * W);
  const states = Array.from({ length: R * W }, (_, state) => state).sort((a, b) => minuteOf(b) - minuteOf(a));
  function minuteOf(state: number): number {
    return times[Math.floor(state / W)]! + (state % W);
  }
  const used = new Float64Array(R);
  const slope = new Float64Array(R);
  /** The best first request of a car that is free at x, y from a minute on, as a state; -1: none is worth it. */
  const bestFrom = (x: number, y: number, minute: number): number => {
    let [best, most] = [-1, 0];
    // who came so long ago is gone
    for (let r = firstFrom(minute - patience); r < R; r++) {
      const late = Math.max(0, minute + blocksBetween(x, y, trips[4 * r]!, trips[4 * r + 1]!) - times[r]!);
      if (late > patience) continue;
      const state = r * W + late;
      if (worth[state]! > most) [best, most] = [state, worth[state]!];
    }
    return best;
  };
  const firsts = new Map<number, number>();
  function firstFrom(minute: number): number {
    const known = firsts.get(minute);
    if (known !== undefined) return known;
    let r = 0;
    while (r < R && times[r]! < minute) r++;
    firsts.set(minute, r);
    return r;
  }
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    worth.fill(0);
    for (const state of states) {
      const r = Math.floor(state / W);
      const t = 4 * r;
      const out = minuteOf(state) + blocksBetween(trips[t]!, trips[t + 1]!, trips[t + 2]!, trips[t + 3]!);
      const next = bestFrom(trips[t + 2]!, trips[t + 3]!, out);
      then[state] = next;
      worth[state] = 1 - (waitWeight * (state % W)) / 10 - price[r]! + (next < 0 ? 0 : worth[next]!);
    }
    used.fill(0);
    let bound = price.reduce((sum, each) => sum + each, 0);
    for (let driver = 0; 2 * driver < starts.length; driver++) {
      const first = bestFrom(starts[2 * driver]!, starts[2 * driver + 1]!, 0);
      if (first >= 0) bound += capacity * worth[first]!;
      for (let state = first; state >= 0; state = then[state]!) {
        const r = Math.floor(state / W);
        used[r] = used[r]! + capacity;
      }
    }
    least = Math.min(least, bound);
    // Polyak's step towards a value a little below the best one
    const target = least - FALLS * FADES ** round * R;
    let square = 0;
    for (let r = 0; r < R; r++) {
      slope[r] = 1 - used[r]!;
      if (price[r] === 0 && slope[r]! > 0) slope[r] = 0;
      square += slope[r]! ** 2;
    }
    for (let r = 0; r < R; r++) price[r] = Math.max(0, price[r]! - ((bound - target) / Math.max(1, square)) * slope[r]!);
  }
  return least;
}
