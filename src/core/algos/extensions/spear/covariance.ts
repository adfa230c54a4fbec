/** Steps whose advantage and probability vary together most. */

/** (A - mean A) (ln p - mean ln p) of the steps at these places, in their order: the covariance of Clip-Cov and KL-Cov (Cui et al. 2025). */
export function covariances(places: ArrayLike<number>, advantages: ArrayLike<number>, logProbs: ArrayLike<number>): Float64Array {
  const n = places.length;
  let [meanA, meanP] = [0, 0];
  for (let i = 0; i < n; i++) {
    meanA += advantages[places[i]!]! / n;
    meanP += logProbs[places[i]!]! / n;
  }
  return Float64Array.from({ length: n }, (_, i) => (advantages[places[i]!]! - meanA) * (logProbs[places[i]!]! - meanP));
}

/** Of `n` things the share `share`, rounded down, at least one. */
export const partOf = (n: number, share: number): number => Math.max(1, Math.floor(share * n));

/** Places of the `count` largest values, largest first; of equal ones the first by `order`, their own places if missing. */
export function largest(values: ArrayLike<number>, count: number, order?: ArrayLike<number>): number[] {
  const at = Array.from({ length: values.length }, (_, i) => i);
  at.sort((a, b) => values[b]! - values[a]! || (order === undefined ? a - b : order[a]! - order[b]!));
  return at.slice(0, count);
}

/** Of the steps at these places the share `share`, rounded down, at least one, whose covariance is largest. */
export function highCovariance(
  places: ArrayLike<number>,
  advantages: ArrayLike<number>,
  logProbs: ArrayLike<number>,
  share: number,
): ReadonlySet<number> {
  const found = largest(covariances(places, advantages, logProbs), partOf(places.length, share), places);
  return new Set(found.map((i) => places[i]!));
}
