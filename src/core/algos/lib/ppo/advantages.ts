/** Advantages over the rows that count: mean 0, deviation 1 (numpy's, over n), rows of weight 0 left out of both. */
export function standardiseWeighted(
  advantages: Float32Array | Float64Array,
  weights: Float32Array | Float64Array,
  eps: number,
  out: Float32Array | Float64Array,
): void {
  let count = 0;
  let sum = 0;
  for (let i = 0; i < advantages.length; i++) {
    count += weights[i]!;
    sum += weights[i]! * advantages[i]!;
  }
  const mean = count === 0 ? 0 : sum / count;
  let squares = 0;
  for (let i = 0; i < advantages.length; i++) {
    const d = advantages[i]! - mean;
    squares += weights[i]! * d * d;
  }
  const scale = 1 / (Math.sqrt(count === 0 ? 0 : squares / count) + eps);
  for (let i = 0; i < advantages.length; i++) out[i] = (advantages[i]! - mean) * scale;
}
