/** What each part of the reward has added to a return, step by step. Pure numbers. */

/** Sums of `terms` [T, count] over the first 0, 1, .. T steps: [T + 1, count]. */
export function addedUp(terms: Float64Array, count: number): Float64Array {
  const out = new Float64Array(terms.length + count);
  for (let i = 0; i < terms.length; i++) out[i + count] = out[i]! + terms[i]!;
  return out;
}

export interface Share {
  readonly amount: number;
  /** Of all amounts whatever their signs, 0..1; 0 while nothing has been paid. */
  readonly share: number;
}

/** Of the first t steps, from the sums that addedUp gives. */
export function sharesAt(sums: Float64Array, count: number, t: number): readonly Share[] {
  const at = Math.min(t, sums.length / count - 1) * count;
  const amounts = Array.from(sums.subarray(at, at + count));
  const all = amounts.reduce((sum, amount) => sum + Math.abs(amount), 0);
  return amounts.map((amount) => ({ amount, share: all === 0 ? 0 : Math.abs(amount) / all }));
}
