/**
 * KernelSHAP (Lundberg & Lee 2017): Shapley values as the solution of a weighted least-squares problem over coalitions, with the empty and
 * the full coalition as constraints. With all coalitions it is exact; else sizes are listed from the outside in while the budget lasts, and
 * the rest is drawn in complementary pairs (as in the shap package, without its regularisation, which cuts small values to zero).
 */
import { solveLinear } from '#math/linear.ts';
import type { Rng } from '#math/rng.ts';

/** Weight of one coalition of k out of n players: (n - 1) / (C(n, k) k (n - k)); infinite at the ends, which are constraints. */
export function kernelWeight(n: number, k: number): number {
  if (k <= 0 || k >= n) return Number.POSITIVE_INFINITY;
  return (n - 1) / (choose(n, k) * k * (n - k));
}

function choose(n: number, k: number): number {
  let out = 1;
  for (let i = 0; i < k; i++) out = (out * (n - i)) / (i + 1);
  return out;
}

/** Keeps the system solvable; its effect is far below what is shown. */
const RIDGE = 1e-13;

interface KernelPlan {
  /** [rows, n] 1: present; neither the empty nor the full coalition. */
  readonly members: Uint8Array;
  readonly weight: Float64Array; // [rows]
}

/** Coalitions to be valued: at most about `budget`. All of them where there are not more. */
export function kernelPlan(n: number, budget: number, rng: Rng): KernelPlan {
  const rows: Uint8Array[] = [];
  const weight: number[] = [];
  const take = (chosen: Uint8Array, w: number): void => {
    rows.push(chosen);
    weight.push(w);
  };
  let left = budget;
  let size = 1;
  for (; size <= n / 2; size++) {
    const twins = 2 * size === n ? 1 : 2;
    if (choose(n, size) * twins > left) break;
    for (const chosen of subsets(n, size)) {
      take(chosen, kernelWeight(n, size));
      if (twins === 2)
        take(
          chosen.map((x) => 1 - x),
          kernelWeight(n, n - size),
        );
    }
    left -= choose(n, size) * twins;
  }
  // sizes that could not be listed share the rest of the budget as their weight is
  const sizes = Array.from({ length: n - 1 }, (_, i) => i + 1).filter((k) => k >= size && k <= n - size);
  if (sizes.length > 0) {
    const mass = sizes.map((k) => kernelWeight(n, k) * choose(n, k));
    const total = mass.reduce((sum, m) => sum + m, 0);
    const pairs = Math.max(1, Math.floor(left / 2));
    const order = Int32Array.from({ length: n }, (_, i) => i);
    for (let p = 0; p < pairs; p++) {
      let aim = rng.uniform() * total;
      let k = sizes[sizes.length - 1]!;
      for (let i = 0; i < sizes.length; i++) {
        aim -= mass[i]!;
        if (aim < 0) {
          k = sizes[i]!;
          break;
        }
      }
      rng.shuffle(order);
      const chosen = new Uint8Array(n);
      for (let i = 0; i < k; i++) chosen[order[i]!] = 1;
      take(chosen, total / (2 * pairs));
      take(
        chosen.map((x) => 1 - x),
        total / (2 * pairs),
      );
    }
  }
  const members = new Uint8Array(rows.length * n);
  rows.forEach((row, i) => {
    members.set(row, i * n);
  });
  return { members, weight: Float64Array.from(weight) };
}

/** Every choice of k out of n. */
function* subsets(n: number, k: number): Generator<Uint8Array> {
  const index = Array.from({ length: k }, (_, i) => i);
  for (;;) {
    const chosen = new Uint8Array(n);
    for (const i of index) chosen[i] = 1;
    yield chosen;
    let at = k - 1;
    while (at >= 0 && index[at] === n - k + at) at--;
    if (at < 0) return;
    index[at]!++;
    for (let i = at + 1; i < k; i++) index[i] = index[i - 1]! + 1;
  }
}

/** The values from those of the planned coalitions; they add up to all - none. */
export function kernelValues(
  { members, weight }: KernelPlan,
  values: ArrayLike<number>,
  none: number,
  all: number,
  n: number,
): Float64Array {
  if (n === 1) return Float64Array.of(all - none);
  // the last player's value follows from the sum: m unknowns are left
  const m = n - 1;
  const matrix = Array.from({ length: m }, () => new Array<number>(m).fill(0));
  const right = new Array<number>(m).fill(0);
  const x = new Float64Array(m);
  for (let row = 0; row < weight.length; row++) {
    const last = members[row * n + m]!;
    for (let i = 0; i < m; i++) x[i] = members[row * n + i]! - last;
    const y = values[row]! - none - last * (all - none);
    for (let i = 0; i < m; i++) {
      if (x[i] === 0) continue;
      const w = weight[row]! * x[i]!;
      right[i]! += w * y;
      const line = matrix[i]!;
      for (let j = 0; j < m; j++) line[j]! += w * x[j]!;
    }
  }
  // players that the drawn coalitions do not separate share their contribution
  for (let i = 0; i < m; i++) matrix[i]![i]! += RIDGE * (matrix[i]![i]! + 1);
  const out = new Float64Array(n);
  out.set(solveLinear(matrix, right));
  let rest = all - none;
  for (let i = 0; i < m; i++) rest -= out[i]!;
  out[m] = rest;
  return out;
}
