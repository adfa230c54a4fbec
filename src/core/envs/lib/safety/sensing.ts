/** What the agents of Safety-Gymnasium sense of objects, and the cost of hazards: shared by the worlds of MuJoCo and the quick one. */
import { atan2, exp, sqrt } from '#math/functions.ts';
import { apart, BINS } from './world.ts';

export interface Lidar {
  readonly bins: number;
  /** Farther objects are not seen, m; null: any distance, with a signal exp(-gain d). */
  readonly maxDist: number | null;
  readonly gain: number;
  /** Whether a signal is shared with the neighbouring bins. */
  readonly alias: boolean;
}

export const LIDAR: Lidar = { bins: BINS, maxDist: 3, gain: 1, alias: true };

/**
 * Adds one object at (x, y) to the bins from out[at] on. `from` at f: position of the agent; `turn` at m: its rotation, row by row. In the agent's
 * own axes v = M^T ((x, y, 0) - position), first two numbers; what it adds there: `addSignal`.
 */
export function addToLidar(
  lidar: Lidar,
  from: ArrayLike<number>,
  f: number,
  turn: ArrayLike<number>,
  m: number,
  x: number,
  y: number,
  out: Float64Array | Float32Array | number[],
  at: number,
): void {
  const dx = x - from[f]!;
  const dy = y - from[f + 1]!;
  const dz = -from[f + 2]!;
  const ahead = turn[m]! * dx + turn[m + 3]! * dy + turn[m + 6]! * dz;
  const left = turn[m + 1]! * dx + turn[m + 4]! * dy + turn[m + 7]! * dz;
  addSignal(lidar, ahead, left, out, at);
}

/**
 * Adds an object that lies v = (ahead, left) metres from the agent, in its own axes, to the bins from out[at] on: s = max(0, 3 - |v|) / 3 in the bin of
 * its angle, its share in the bins beside. Safety-Gymnasium's pseudo-lidar.
 */
export function addSignal(
  { bins, maxDist, gain, alias }: Lidar,
  ahead: number,
  left: number,
  out: Float64Array | Float32Array | number[],
  at: number,
): void {
  const distance = apart(ahead, left);
  const width = (2 * Math.PI) / bins;
  let angle = atan2(left, ahead);
  if (angle < 0) angle += 2 * Math.PI;
  const bin = Math.floor(angle / width);
  const signal = maxDist === null ? exp(-gain * distance) : Math.max(0, maxDist - distance) / maxDist;
  raise(out, at + (bin % bins), signal);
  if (!alias) return;
  const share = angle / width - bin;
  raise(out, at + ((bin + 1) % bins), share * signal);
  raise(out, at + ((bin + bins - 1) % bins), (1 - share) * signal);
}

function raise(out: Float64Array | Float32Array | number[], place: number, to: number): void {
  if (to > out[place]!) out[place] = to;
}

/** The direction of a place in the agent's axes: its first two numbers over their norm plus 0.001. */
export function compass(from: readonly number[], turn: readonly number[], to: readonly number[]): readonly [number, number] {
  const by = to.map((x, i) => x - from[i]!);
  const along = (k: number): number => turn[k]! * by[0]! + turn[k + 3]! * by[1]! + turn[k + 6]! * by[2]!;
  const [ahead, left] = [along(0), along(1)];
  const norm = sqrt(ahead * ahead + left * left) + 0.001;
  return [ahead / norm, left / norm];
}

/** Sum over hazards of how far inside the agent stands, m; 0 on a rim. `places` [count, 2] from `at` on. */
export function hazardCost(x: number, y: number, places: ArrayLike<number>, at: number, count: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const distance = apart(x - places[at + 2 * i]!, y - places[at + 2 * i + 1]!);
    if (distance <= size) sum += size - distance;
  }
  return sum;
}
