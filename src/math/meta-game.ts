/**
 * Dynamics on games in normal form whose actions are strategies or whole policies (meta-games): replicator dynamics (Taylor and Jonker
 * 1978), fictitious play (Brown 1951), projected replicator dynamics (Lanctot et al. 2017) and alpha-Rank (Omidshafiei et al. 2019).
 * `pay[i][j]` is what strategy i gets against j; shares and mixtures sum to 1. Golden: algo-meta-game.
 */
import { exp, log } from './functions.ts';
import { dot, type Matrix, transpose } from './linear.ts';
import { argmax } from './sampling.ts';

const LEAST = -600; // of logarithms of chances

/** What each strategy gets against a mixture. */
export function fitness(pay: Matrix, mixture: ArrayLike<number>): number[] {
  return pay.map((row) => {
    let sum = 0;
    for (let j = 0; j < row.length; j++) sum += row[j]! * mixture[j]!;
    return sum;
  });
}

/**
 * dx_i = x_i (f_i - x . f) with f what each strategy gets, plus `mutation` towards even shares. `against`: the shares of those it meets,
 * itself in one population.
 */
export function replicator(pay: Matrix, x: readonly number[], against: readonly number[] = x, mutation = 0): number[] {
  const f = fitness(pay, against);
  const mean = dot(x, f);
  return x.map((share, i) => share * (f[i]! - mean) + mutation * (1 / x.length - share));
}

/**
 * The next shares after `dt`, one list for each population: a Runge-Kutta step of order four on logarithms of shares, which cannot become
 * negative. `field` gives the change per unit of time of all populations.
 */
export function flowStep(
  shares: readonly (readonly number[])[],
  field: (shares: readonly (readonly number[])[]) => readonly (readonly number[])[],
  dt: number,
): number[][] {
  // d ln x = dx / x; a share of zero stays there unless something flows in, which an Euler step adds
  const slopes = (at: readonly (readonly number[])[]) =>
    field(at).map((line, p) => line.map((dx, i) => (at[p]![i]! > 0 ? dx / at[p]![i]! : 0)));
  const moved = (slope: readonly (readonly number[])[], h: number) =>
    shares.map((line, p) => normalised(line.map((x, i) => (x > 0 ? x * exp(h * slope[p]![i]!) : 0))));
  const inflow = field(shares);
  const k1 = slopes(shares);
  const k2 = slopes(moved(k1, dt / 2));
  const k3 = slopes(moved(k2, dt / 2));
  const k4 = slopes(moved(k3, dt));
  const mean = k1.map((line, p) => line.map((a, i) => (a + 2 * k2[p]![i]! + 2 * k3[p]![i]! + k4[p]![i]!) / 6));
  return moved(mean, dt).map((line, p) => normalised(line.map((x, i) => (shares[p]?.[i] === 0 ? dt * Math.max(0, inflow[p]![i]!) : x))));
}

function normalised(list: readonly number[]): number[] {
  const total = list.reduce((a, b) => a + b, 0);
  return list.map((x) => x / total);
}

export interface FictitiousPlay {
  readonly row: readonly number[]; // averages
  readonly column: readonly number[];
  readonly actions: readonly (readonly [number, number])[];
}

/**
 * Both begin with action 0 and then answer the average of the other's play so far, at once; ties go to the lowest action. `pay`: what the
 * row player gets; `columnPay[row][column]` the column player, without it the negative (zero-sum).
 */
export function fictitiousPlay(pay: Matrix, rounds: number, columnPay?: Matrix): FictitiousPlay {
  const own = pay;
  const other = transpose(columnPay ?? pay.map((row) => row.map((x) => -x))); // [column][row]
  const counts = [new Array<number>(own.length).fill(0), new Array<number>(other.length).fill(0)] as const;
  const actions: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const pair: [number, number] =
      round === 0 ? [0, 0] : [argmax(fitness(own, counts[1]), 0, own.length), argmax(fitness(other, counts[0]), 0, other.length)];
    counts[0][pair[0]] = counts[0][pair[0]]! + 1;
    counts[1][pair[1]] = counts[1][pair[1]]! + 1;
    actions.push(pair);
  }
  return { row: counts[0].map((n) => n / rounds), column: counts[1].map((n) => n / rounds), actions };
}

/** Nearest mixture in which every strategy keeps at least `least` (Duchi et al. 2008, shifted). */
export function projectMixture(x: readonly number[], least = 0): number[] {
  const free = 1 - least * x.length;
  const sorted = x.map((v) => v - least).sort((a, b) => b - a);
  let sum = 0;
  let shift = 0;
  sorted.forEach((v, i) => {
    sum += v;
    const candidate = (sum - free) / (i + 1);
    if (v - candidate > 0) shift = candidate;
  });
  return x.map((v) => Math.max(v - least - shift, 0) + least);
}

/** Projected replicator dynamics of two populations from even shares; the average over all iterations. */
export function projectedReplicator(
  pay: Matrix,
  columnPay: Matrix,
  options: { readonly iterations: number; readonly dt: number; readonly least: number },
): { readonly row: readonly number[]; readonly column: readonly number[] } {
  const { iterations, dt, least } = options;
  const other = transpose(columnPay);
  let x = new Array<number>(pay.length).fill(1 / pay.length);
  let y = new Array<number>(other.length).fill(1 / other.length);
  const sumX = new Array<number>(x.length).fill(0);
  const sumY = new Array<number>(y.length).fill(0);
  for (let i = 0; i < iterations; i++) {
    const dx = replicator(pay, x, y);
    const dy = replicator(other, y, x);
    x = projectMixture(
      x.map((v, k) => v + dt * dx[k]!),
      least / x.length,
    );
    y = projectMixture(
      y.map((v, k) => v + dt * dy[k]!),
      least / y.length,
    );
    x.forEach((v, k) => {
      sumX[k] = sumX[k]! + v;
    });
    y.forEach((v, k) => {
      sumY[k] = sumY[k]! + v;
    });
  }
  return { row: normalised(sumX), column: normalised(sumY) };
}

export interface AlphaRank {
  /** [resident][mutant] chance that the population changes over in one mutation. */
  readonly transition: Matrix;
  readonly stationary: readonly number[];
}

/** One population of `size` members, selection of strength `alpha`: how often each strategy holds it when mutants are rare. */
export function alphaRank(pay: Matrix, size: number, alpha: number): AlphaRank {
  const n = pay.length;
  const transition = pay.map((_, s) => {
    const row = pay.map((_unused, t) => (s === t ? 0 : fixation(pay, t, s, size, alpha) / Math.max(1, n - 1)));
    row[s] = 1 - row.reduce((a, b) => a + b, 0);
    return row;
  });
  return { transition, stationary: stationary(transition) };
}

/** Chance that one mutant takes over a population of residents: 1 / (1 + sum over l of prod over k <= l of e^(-alpha (f_mutant - f_resident))). */
function fixation(pay: Matrix, mutant: number, resident: number, size: number, alpha: number): number {
  const p = (a: number, b: number): number => pay[a]![b]!;
  let exponent = 0;
  const exponents = [0];
  for (let k = 1; k < size; k++) {
    // k mutants; no mutant meets itself
    const invader = (p(mutant, resident) * (size - k) + p(mutant, mutant) * (k - 1)) / (size - 1);
    const holder = (p(resident, mutant) * k + p(resident, resident) * (size - k - 1)) / (size - 1);
    exponent -= alpha * (invader - holder);
    exponents.push(exponent);
  }
  const top = Math.max(...exponents);
  const sum = exponents.reduce((total, e) => total + exp(Math.max(e - top, LEAST)), 0);
  return exp(Math.max(-top - log(sum), LEAST)); // never 0: from everywhere everything can be reached
}

/** Of a chain whose rows sum to 1 and in which every state can follow every other, by elimination of states without subtraction (Grassmann, Taksar and Heyman 1985). */
export function stationary(transition: Matrix): readonly number[] {
  const p = transition.map((row) => [...row]);
  const n = p.length;
  const at = (i: number, j: number): number => p[i]![j]!;
  const out = new Array<number>(n).fill(0);
  const leaving = new Array<number>(n).fill(0);
  for (let k = n - 1; k > 0; k--) {
    let s = 0;
    for (let j = 0; j < k; j++) s += at(k, j);
    leaving[k] = s;
    for (let i = 0; i < k; i++) {
      const into = at(i, k) / s;
      for (let j = 0; j < k; j++) p[i]![j] = at(i, j) + into * at(k, j);
    }
  }
  out[0] = 1;
  for (let k = 1; k < n; k++) {
    let mass = 0;
    for (let i = 0; i < k; i++) mass += out[i]! * at(i, k);
    out[k] = mass / leaving[k]!;
  }
  return normalised(out);
}
