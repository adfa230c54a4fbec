/**
 * The delayed replicator equation that stands beside the agents of the alarm: x' = x (1 - x) (b - p s(k (x(t - tau) - theta))), s the
 * logistic function, x the share of radicals, time in steps. Its inner rest point x* solves b = p s(k (x* - theta)). A small departure
 * u follows u' = -K u(t - tau) with K = x* (1 - x*) p s'(k (x* - theta)) k, which starts to oscillate at tau = pi / (2 K) (Hopf). With
 * b / p = 1/2: x* = theta and K = x* (1 - x*) p k / 4. Integrated by Heun's method on a grid that tau falls on.
 */
import { exp, log } from '#math/functions.ts';

export interface Response {
  readonly benefit: number;
  readonly punishment: number;
  readonly steepness: number;
  readonly threshold: number;
}

/** Steps of the integration per unit of time. */
export const SUBSTEPS = 10;

export function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/** What a radical gains at a lagged share. */
export function advantage(r: Response, lagged: number): number {
  return r.benefit - r.punishment * logistic(r.steepness * (lagged - r.threshold));
}

/** The inner rest point, or NaN where one side always wins. */
export function restPoint(r: Response): number {
  const level = r.benefit / r.punishment;
  if (!(level > 0 && level < 1)) return Number.NaN;
  const x = r.threshold + log(level / (1 - level)) / r.steepness;
  return x > 0 && x < 1 ? x : Number.NaN;
}

/** K and the delay at which the rest point loses its stability. */
export function hopf(r: Response): { readonly rest: number; readonly rate: number; readonly criticalDelay: number } {
  const rest = restPoint(r);
  const level = r.benefit / r.punishment;
  const rate = rest * (1 - rest) * r.punishment * r.steepness * level * (1 - level);
  return { rest, rate, criticalDelay: Math.PI / (2 * rate) };
}

/**
 * One step of h. past[from + i] for i in 0..lag are the values of the last `lag` grid points in a ring of lag + 1, the newest at `now`;
 * writes the new value over the oldest and returns where.
 */
export function heun(r: Response, past: Float64Array, from: number, lag: number, now: number, h: number): number {
  const size = lag + 1;
  const oldest = (now + 1) % size;
  const x = past[from + now]!;
  const lagged = past[from + oldest]!;
  const slope = x * (1 - x) * advantage(r, lagged);
  const guess = x + h * slope;
  // without delay the value at the end of the step is the guess itself
  const laggedNext = lag === 0 ? guess : past[from + ((oldest + 1) % size)]!;
  const next = x + (h / 2) * (slope + guess * (1 - guess) * advantage(r, laggedNext));
  past[from + oldest] = Math.min(1, Math.max(0, next));
  return oldest;
}

/** x at every step 0..steps from a constant past, with any delay: tau / h is rounded to whole grid points. */
export function replicate(r: Response, start: number, delay: number, steps: number, substeps = SUBSTEPS): Float64Array {
  const lag = Math.round(delay * substeps);
  const past = new Float64Array(lag + 1).fill(start);
  const out = new Float64Array(steps + 1);
  out[0] = start;
  let now = 0;
  for (let t = 1; t <= steps; t++) {
    for (let i = 0; i < substeps; i++) now = heun(r, past, 0, lag, now, 1 / substeps);
    out[t] = past[now]!;
  }
  return out;
}
