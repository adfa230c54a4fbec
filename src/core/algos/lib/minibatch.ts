/** What on-policy learners do with a finished rollout besides learning from it. */
import { std } from '#math/stats.ts';

/** Rows order[from .. from + count - 1] of a [*, width] array into a program's input. */
export function gatherRows(order: Int32Array, from: number, count: number, source: Float32Array, width: number, out: Float32Array): void {
  if (width === 1) {
    for (let k = 0; k < count; k++) out[k] = source[order[from + k]!]!;
    return;
  }
  for (let k = 0; k < count; k++) {
    const at = order[from + k]! * width;
    for (let j = 0; j < width; j++) out[k * width + j] = source[at + j]!;
  }
}

/** 1 - Var(target - value) / Var(target); NaN while all targets are equal. */
export function explainedVariance(values: Float32Array, targets: Float32Array): number {
  const spread = std(targets);
  if (spread === 0) return Number.NaN;
  const left = std(targets.map((v, i) => v - values[i]!)) / spread;
  return 1 - left * left;
}
