/**
 * What the past of two numbers tells of their future, for jointly normal numbers, in nats (integrated information decomposition; Mediano et al. 2021,
 * with the redundancy of the smaller information, Barrett 2015):
 *   I(X; Y) = 1/2 [ ln det S(X) + ln det S(Y) - ln det S(X, Y) ]
 *   emergence = I(x1, x2; y1, y2) - max_i I(x_i; y1, y2)
 * X is the pair at one step, Y the same pair at the next. Emergence is what only both together tell: synergy of the past about the future.
 */
import { log, sqrt } from './functions.ts';

/** Every number is seen with noise of a tenth of its deviation: copies of each other then tell a finite amount. */
const NOISE = 0.01;
/** A number of a smaller deviation stands still. */
const STILL = 1e-6;

/** ln det of the rows and columns `at` of the symmetric matrix [size, size]; above 0 by the noise on its diagonal. */
function logDet(matrix: Float64Array, size: number, at: readonly number[]): number {
  const rows: number[][] = [];
  let sum = 0;
  at.forEach((a, i) => {
    const row: number[] = [];
    for (let j = 0; j <= i; j++) {
      let left = matrix[a * size + at[j]!]!;
      for (let k = 0; k < j; k++) left -= row[k]! * (i === j ? row : rows[j]!)[k]!;
      row.push(i === j ? sqrt(left) : left / rows[j]![j]!);
    }
    rows.push(row);
    sum += 2 * log(row[i]!);
  });
  return sum;
}

/** Correlations [2 m, 2 m] of m numbers and of what they are next, with the noise; samples [n, m] of each. */
function correlations(now: Float64Array, next: Float64Array, n: number, m: number): Float64Array {
  const size = 2 * m;
  const standard = new Float64Array(n * size);
  [now, next].forEach((samples, half) => {
    for (let i = 0; i < m; i++) {
      let mean = 0;
      for (let t = 0; t < n; t++) mean += samples[t * m + i]! / n;
      let square = 0;
      for (let t = 0; t < n; t++) square += (samples[t * m + i]! - mean) ** 2 / n;
      const deviation = sqrt(square);
      for (let t = 0; t < n; t++) standard[t * size + half * m + i] = (samples[t * m + i]! - mean) / deviation;
    }
  });
  const found = new Float64Array(size * size);
  for (let t = 0; t < n; t++)
    for (let a = 0; a < size; a++) {
      const x = standard[t * size + a]!;
      for (let b = 0; b <= a; b++) found[a * size + b]! += (x * standard[t * size + b]!) / n;
    }
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) found[b * size + a] = found[a * size + b]!;
    found[a * size + a]! += NOISE;
  }
  return found;
}

function moves(samples: Float64Array, n: number, m: number, i: number): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let t = 0; t < n; t++) {
    low = Math.min(low, samples[t * m + i]!);
    high = Math.max(high, samples[t * m + i]!);
  }
  return high - low > STILL;
}

/** Mean emergence over all pairs of those of m numbers that move; 0 where fewer than two do. `now` and `next`: n samples [n, m] and what followed each. */
export function meanEmergence(now: Float64Array, next: Float64Array, m: number): number {
  const n = now.length / m;
  const alive = Array.from({ length: m }, (_, i) => i).filter((i) => moves(now, n, m, i) && moves(next, n, m, i));
  const k = alive.length;
  if (k < 2) return 0;
  const kept = (samples: Float64Array): Float64Array =>
    Float64Array.from({ length: n * k }, (_, at) => samples[Math.floor(at / k) * m + alive[at % k]!]!);
  const matrix = correlations(kept(now), kept(next), n, k);
  const det = (...at: readonly number[]): number => logDet(matrix, 2 * k, at);
  let sum = 0;
  for (let i = 0; i < k; i++)
    for (let j = 0; j < i; j++) {
      const future = det(k + i, k + j);
      const both = (det(i, j) + future - det(i, j, k + i, k + j)) / 2;
      const one = (at: number): number => (det(at) + future - det(at, k + i, k + j)) / 2;
      sum += both - Math.max(one(i), one(j));
    }
  return sum / ((k * (k - 1)) / 2);
}
