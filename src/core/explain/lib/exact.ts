/**
 * Values of a cooperative game from the table of all its coalitions: v[mask], bit i set where player i is present, length 2^n.
 * v(empty) need not be 0. Formulas: Shapley 1953; Banzhaf 1965; Harsanyi 1963 (dividends); Owen 1977 (unions); Myerson 1977
 * (graphs); Grabisch & Roubens 1999 (interaction). Cost n 2^n unless said otherwise; n <= 20.
 */

const LARGEST = 20;

/** Players of a table. Throws RangeError unless its length is 2^n with n in 1..20. */
export function playersOf(v: Float64Array): number {
  const n = 31 - Math.clz32(v.length);
  if (n < 1 || n > LARGEST || v.length !== 2 ** n)
    throw new RangeError(`A table of ${v.length} coalitions is not 2^n with n in 1..${LARGEST}.`);
  return n;
}

export function sizeOfMask(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** |S|! (n - |S| - 1)! / n! for |S| = 0..n-1: the share of arrival orders in which exactly S comes before a player. */
export function orderWeights(n: number): Float64Array {
  const weights = new Float64Array(n);
  let chooseOthers = 1; // (n - 1 over s)
  for (let s = 0; s < n; s++) {
    weights[s] = 1 / (n * chooseOthers);
    chooseOthers = (chooseOthers * (n - 1 - s)) / (s + 1);
  }
  return weights;
}

/** sum over S without i of weight(|S|) [v(S + i) - v(S)]. */
function weighted(v: Float64Array, weight: (size: number) => number): Float64Array {
  const n = playersOf(v);
  const out = new Float64Array(n);
  for (let mask = 0; mask < v.length; mask++) {
    const w = weight(sizeOfMask(mask));
    for (let i = 0; i < n; i++) if ((mask & (1 << i)) === 0) out[i]! += w * (v[mask | (1 << i)]! - v[mask]!);
  }
  return out;
}

/** The values add up to v(all) - v(none). */
export function shapley(v: Float64Array): Float64Array {
  const weights = orderWeights(playersOf(v));
  return weighted(v, (size) => weights[size]!);
}

/** The mean marginal over all coalitions alike; adds up to nothing in particular. */
export function banzhaf(v: Float64Array): Float64Array {
  const weight = 2 / v.length;
  return weighted(v, () => weight);
}

/** What a player adds to all others: v(N) - v(N - i). Blind to players who can replace each other. @internal Tests hold estimates against it. */
export function leaveOneOut(v: Float64Array): Float64Array {
  const all = v.length - 1;
  return Float64Array.from({ length: playersOf(v) }, (_, i) => v[all]! - v[all ^ (1 << i)]!);
}

/** d(S) with v(S) = sum of d(T) over the subsets T of S: what exactly these players add together. Same order as v. @internal Tests hold estimates against it. */
export function dividends(v: Float64Array): Float64Array {
  const n = playersOf(v);
  const out = v.slice();
  for (let i = 0; i < n; i++) {
    for (let mask = 0; mask < out.length; mask++) if ((mask & (1 << i)) !== 0) out[mask]! -= out[mask ^ (1 << i)]!;
  }
  return out;
}

/** Shapley interaction index of each pair, [n, n] symmetric with zero diagonal: above 0 two players complement each other, below 0 they replace each other. */
export function interactions(v: Float64Array): Float64Array {
  const n = playersOf(v);
  const out = new Float64Array(n * n);
  if (n < 2) return out;
  const weights = orderWeights(n - 1);
  for (let mask = 0; mask < v.length; mask++) {
    const w = weights[sizeOfMask(mask)]!;
    for (let i = 0; i < n; i++) {
      if ((mask & (1 << i)) !== 0) continue;
      for (let j = i + 1; j < n; j++) {
        if ((mask & (1 << j)) !== 0) continue;
        const [a, b] = [1 << i, 1 << j];
        const second = v[mask | a | b]! - v[mask | a]! - v[mask | b]! + v[mask]!;
        out[i * n + j]! += w * second;
      }
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[i * n + j] = out[j * n + i]!;
  return out;
}

/** Mean marginal of each player (row) at each size of the coalition it joins (column), [n, n]; the Shapley value is a row's mean. @internal Tests hold estimates against it. */
export function marginalsBySize(v: Float64Array): Float64Array {
  const n = playersOf(v);
  const sum = new Float64Array(n * n);
  const count = new Float64Array(n * n);
  for (let mask = 0; mask < v.length; mask++) {
    const size = sizeOfMask(mask);
    for (let i = 0; i < n; i++) {
      if ((mask & (1 << i)) !== 0) continue;
      sum[i * n + size]! += v[mask | (1 << i)]! - v[mask]!;
      count[i * n + size]!++;
    }
  }
  return sum.map((total, i) => total / count[i]!);
}

/** Owen value: arrival orders in which the members of a union come one after the other. `unions` lists every player once. @internal Tests hold estimates against it. */
export function owen(v: Float64Array, unions: readonly (readonly number[])[]): Float64Array {
  const n = playersOf(v);
  const masks = unions.map((members) => members.reduce((mask, i) => mask | (1 << i), 0));
  if (masks.reduce((sum, mask) => sum + sizeOfMask(mask), 0) !== n || masks.reduce((all, mask) => all | mask, 0) !== v.length - 1) {
    throw new RangeError('The unions must list every player exactly once.');
  }
  const outer = orderWeights(unions.length);
  const out = new Float64Array(n);
  unions.forEach((members, u) => {
    const inner = orderWeights(members.length);
    const others = masks.filter((_, w) => w !== u);
    for (let chosen = 0; chosen < 1 << others.length; chosen++) {
      const before = others.reduce((mask, other, w) => ((chosen & (1 << w)) === 0 ? mask : mask | other), 0);
      const weight = outer[sizeOfMask(chosen)]!;
      for (let part = 0; part < 1 << members.length; part++) {
        const here = members.reduce((mask, i, m) => ((part & (1 << m)) === 0 ? mask : mask | (1 << i)), before);
        const w = weight * inner[sizeOfMask(part)]!;
        members.forEach((i, m) => {
          if ((part & (1 << m)) === 0) out[i]! += w * (v[here | (1 << i)]! - v[here]!);
        });
      }
    }
  });
  return out;
}

/** Myerson value: only players joined by edges can work together, so a coalition is worth the sum of its connected parts. @internal Tests hold estimates against it. */
export function myerson(v: Float64Array, edges: readonly (readonly [number, number])[]): Float64Array {
  const n = playersOf(v);
  const near = new Int32Array(n);
  for (const [a, b] of edges) {
    near[a]! |= 1 << b;
    near[b]! |= 1 << a;
  }
  const restricted = v.map((_, mask) => {
    let total = v[0]!;
    let left = mask;
    while (left !== 0) {
      let part = left & -left;
      for (let grown = part; grown !== 0; ) {
        let next = 0;
        for (let i = 0; i < n; i++) if ((grown & (1 << i)) !== 0) next |= near[i]!;
        grown = next & mask & ~part;
        part |= grown;
      }
      total += v[part]! - v[0]!;
      left &= ~part;
    }
    return total;
  });
  return shapley(restricted);
}
