/**
 * Small dense linear algebra in float64: systems by Gaussian elimination with partial pivoting, and linear programs by the simplex
 * method on a tableau with Bland's rule, which cannot cycle (Bland 1977). Plain arithmetic only, so the same bits everywhere.
 */

export type Matrix = readonly (readonly number[])[];

const PIVOT = 1e-11;

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

export function transpose(m: Matrix): number[][] {
  return (m[0] ?? []).map((_, c) => m.map((row) => row[c]!));
}

/** Solves rows x = right; not finite where the system is singular. */
export function solveLinear(rows: Matrix, right: readonly number[]): readonly number[] {
  const n = right.length;
  const a = rows.map((row) => [...row]);
  const b = [...right];
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i]![k]!) > Math.abs(a[best]![k]!)) best = i;
    [a[k], a[best]] = [a[best]!, a[k]!];
    [b[k], b[best]] = [b[best]!, b[k]!];
    const pivot = a[k]!;
    for (let i = k + 1; i < n; i++) {
      const row = a[i]!;
      const factor = row[k]! / pivot[k]!;
      for (let j = k; j < n; j++) row[j] = row[j]! - factor * pivot[j]!;
      b[i] = b[i]! - factor * b[k]!;
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    let sum = b[k]!;
    for (let j = k + 1; j < n; j++) sum -= a[k]![j]! * b[j]!;
    b[k] = sum / a[k]![k]!;
  }
  return b;
}

export interface Optimum {
  readonly value: number;
  readonly x: readonly number[];
  /** Prices of the constraints: the solution of the dual program. */
  readonly dual: readonly number[];
}

/** Largest gain . x with rows x <= limits and x >= 0, where all limits are >= 0 (so x = 0 is allowed); null: without bound. */
export function maximise(gain: readonly number[], rows: Matrix, limits: readonly number[]): Optimum | null {
  const n = gain.length;
  const m = rows.length;
  // columns: x, slacks, right side; the last row holds what each column still has to gain
  const t = rows.map((row, i) => [...row, ...rows.map((_, k) => Number(k === i)), limits[i]!]);
  const price = [...gain, ...new Array<number>(m + 1).fill(0)];
  const basis = rows.map((_, i) => n + i);
  for (;;) {
    const enter = price.findIndex((g, j) => j < n + m && g > PIVOT);
    if (enter < 0) break;
    let leave = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < m; i++) {
      const line = t[i]!;
      if (line[enter]! <= PIVOT) continue;
      const ratio = line[n + m]! / line[enter]!;
      const earlier = leave >= 0 && basis[i]! < basis[leave]!;
      if (ratio < least - PIVOT || (ratio <= least + PIVOT && earlier)) {
        least = Math.min(ratio, least);
        leave = i;
      }
    }
    if (leave < 0) return null;
    const top = t[leave]!;
    const scale = top[enter]!;
    for (let j = 0; j <= n + m; j++) top[j] = top[j]! / scale;
    for (const line of [...t, price]) {
      const factor = line[enter]!;
      if (line === top || factor === 0) continue;
      for (let j = 0; j <= n + m; j++) line[j] = line[j]! - factor * top[j]!;
    }
    basis[leave] = enter;
  }
  const x = new Array<number>(n).fill(0);
  basis.forEach((column, i) => {
    if (column < n) x[column] = Math.max(0, t[i]![n + m]!);
  });
  return { value: -price[n + m]!, x, dual: rows.map((_, i) => Math.max(0, -price[n + i]!)) };
}
