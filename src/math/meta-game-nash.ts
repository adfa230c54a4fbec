/**
 * Which mixture a meta-game recommends: Nash equilibria of zero-sum games by linear programming, Nash averaging (Balduzzi et al. 2018:
 * of all equilibria of an antisymmetric game the one of largest entropy, so that copies of a strategy change nothing) and the
 * risk-averse equilibrium (Slumbers et al. 2023: mean payoff minus a multiple of its variance over the other's choices).
 * `pay[i][j]` is what strategy i gets against j. Golden: algo-meta-game.
 */
import { exp } from './functions.ts';
import { dot, type Matrix, maximise, solveLinear, transpose } from './linear.ts';
import { fitness } from './meta-game.ts';
import { argmax } from './sampling.ts';

export interface ZeroSumNash {
  readonly row: readonly number[];
  readonly column: readonly number[];
  /** What the row player gets. */
  readonly value: number;
}

/** An equilibrium in which the column player gets -pay; one of many where there are ties. */
export function zeroSumNash(pay: Matrix): ZeroSumNash {
  const least = Math.min(...pay.map((row) => Math.min(...row)));
  const shifted = pay.map((row) => row.map((x) => x - least + 1)); // all above 0, so the value is too
  // largest sum of y with shifted y <= 1: y / sum is the column player's mixture, the prices are the row player's
  const found = maximise(
    (pay[0] ?? []).map(() => 1),
    shifted,
    pay.map(() => 1),
  );
  if (found === null) throw new Error('A game without an action.'); // bounded by 1 / the smallest payoff otherwise
  const part = (list: readonly number[]): number[] => {
    const total = list.reduce((a, b) => a + b, 0);
    return list.map((v) => v / total);
  };
  return { row: part(found.dual), column: part(found.x), value: 1 / found.value + least - 1 };
}

export interface NashAverage {
  readonly nash: readonly number[];
  /** What each strategy gets against it. */
  readonly skill: readonly number[];
}

/** Of an antisymmetric game (pay[j][i] = -pay[i][j]). */
export function nashAverage(pay: Matrix): NashAverage {
  const n = pay.length;
  // An equilibrium loses to no column: for all j, sum over i of p_i pay[j][i] <= 0. Who may be in one?
  const limits = [...pay.map(() => 0), 1];
  const most = pay.map((_, i) => {
    const found = maximise(
      pay.map((_unused, k) => Number(k === i)),
      [...pay, pay.map(() => 1)],
      limits,
    );
    return found?.value ?? 0;
  });
  const support = most.flatMap((p, i) => (p > 1e-9 ? [i] : []));
  // Against all of them every equilibrium gets exactly 0; against others at least 0, which binds only where entropy pulls that far.
  const binding = new Set(support);
  for (;;) {
    const constraints = [...binding].map((j) => support.map((i) => pay[i]![j]!));
    const p = widest(constraints, support.length);
    const nash = new Array<number>(n).fill(0);
    support.forEach((i, k) => {
      nash[i] = p[k]!;
    });
    const skill = fitness(pay, nash);
    const worst = skill.indexOf(Math.max(...skill));
    if (skill[worst]! < 1e-10 || binding.has(worst)) return { nash, skill };
    binding.add(worst);
  }
}

/** The mixture p of largest entropy with every row . p = 0: p_i ~ e^(sum over rows of lambda row_i), lambda by Newton with a line search. */
function widest(rows: Matrix, n: number): readonly number[] {
  let lambda: readonly number[] = rows.map(() => 0);
  const at = (l: readonly number[]) => {
    const s = Array.from({ length: n }, (_, i) => rows.reduce((sum, row, k) => sum + l[k]! * row[i]!, 0));
    const top = Math.max(...s);
    const e = s.map((x) => exp(x - top));
    const total = e.reduce((a, b) => a + b, 0);
    const p = e.map((x) => x / total);
    const off = rows.map((row) => dot(row, p)); // the slope of log sum e^s, to become 0
    return { lambda: l, p, off, size: dot(off, off) };
  };
  let here = at(lambda);
  for (let round = 0; round < 200 && here.size > 1e-30; round++) {
    const { p, off } = here;
    const curve = rows.map((a, k) => rows.map((b, l) => a.reduce((sum, x, i) => sum + x * b[i]! * p[i]!, 0) - off[k]! * off[l]!));
    // rows may depend on each other: a little of the identity makes the system regular and keeps the direction
    const ridge = 1e-12 * Math.max(1e-12, ...curve.map((line, k) => line[k]!));
    const step = solveLinear(
      curve.map((line, k) => line.map((x, l) => x + (k === l ? ridge : 0))),
      off,
    );
    let scale = 1;
    let next = here;
    do {
      next = at(lambda.map((x, k) => x - scale * step[k]!));
      scale /= 2;
    } while (!(next.size < here.size) && scale > 1e-9);
    if (!(next.size < here.size)) break;
    lambda = next.lambda;
    here = next;
  }
  return here.p;
}

/**
 * Mixtures in which no player gains mean payoff minus `aversion` times its variance over the other's choices, by Frank and Wolfe's method
 * against the averages so far, from even mixtures (fictitious play on the slope of that utility; it need not settle in every game).
 */
export function riskAverse(
  pay: Matrix,
  columnPay: Matrix,
  options: { readonly aversion: number; readonly rounds: number },
): { readonly row: readonly number[]; readonly column: readonly number[] } {
  const other = transpose(columnPay);
  const mixtures: [number[], number[]] = [pay.map(() => 1 / pay.length), other.map(() => 1 / other.length)];
  for (let round = 1; round <= options.rounds; round++) {
    const slopes = [
      riskSlope(pay, mixtures[0], mixtures[1], options.aversion),
      riskSlope(other, mixtures[1], mixtures[0], options.aversion),
    ];
    for (const player of [0, 1] as const) {
      const best = argmax(slopes[player]!, 0, mixtures[player].length);
      mixtures[player] = mixtures[player].map((p, i) => p + (Number(i === best) - p) / (round + 1));
    }
  }
  return { row: mixtures[0], column: mixtures[1] };
}

/** How mean - aversion * variance of `own` changes with each of its shares. */
function riskSlope(pay: Matrix, own: readonly number[], other: readonly number[], aversion: number): number[] {
  const mean = fitness(pay, other);
  const worth = transpose(pay).map((column) => dot(own, column)); // against each choice of the other
  const centre = dot(own, mean);
  return pay.map((row, i) => {
    let covariance = 0; // of strategy i with the whole mixture
    for (let j = 0; j < row.length; j++) covariance += other[j]! * (row[j]! - mean[i]!) * (worth[j]! - centre);
    return mean[i]! - 2 * aversion * covariance;
  });
}
