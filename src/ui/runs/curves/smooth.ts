/**
 * Time-weighted, debiased exponential moving average. With points one mean spacing apart it is the usual
 * s_t = a s_{t-1} + (1 - a) y_t; points further apart forget more, closer ones less, so that denser logging does not smooth more.
 * It is computed over the whole series, never over what is in view: zooming changes nothing.
 */
export const MOST_SMOOTHING = 0.999;

/** `amount` 0 (off) .. 0.999. NaN values are passed over and stay NaN. */
export function smooth(x: ArrayLike<number>, y: ArrayLike<number>, amount: number): Float64Array {
  const n = y.length;
  const out = Float64Array.from(y);
  const a = Math.min(MOST_SMOOTHING, Math.max(0, amount));
  if (a === 0 || n < 2) return out;
  const spacing = (x[n - 1]! - x[0]!) / (n - 1);
  if (!(spacing > 0)) return out;
  let sum = 0;
  let weight = 0;
  let before = Number.NaN;
  for (let i = 0; i < n; i++) {
    const value = y[i]!;
    if (!Number.isFinite(value)) continue;
    // The first value counts like one that comes a mean spacing after nothing; dividing by the weight removes the bias.
    const keep = Number.isNaN(before) ? a : a ** ((x[i]! - before) / spacing);
    sum = keep * sum + (1 - keep) * value;
    weight = keep * weight + (1 - keep);
    before = x[i]!;
    out[i] = sum / weight;
  }
  return out;
}
