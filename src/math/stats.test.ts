import { expect, it } from 'vitest';
import rliable from './golden/eval-rliable.json' with { type: 'json' };
import stats from './golden/eval-stats.json' with { type: 'json' };
import { improvement } from './improvement.ts';
import { transpose } from './linear.ts';
import { Rng } from './rng.ts';
import {
  bootstrapInterval,
  debiasedEma,
  holm,
  iqm,
  mean,
  median,
  normalisedArea,
  optimalityGap,
  performanceProfile,
  quantile,
  resample,
} from './stats.ts';
import { exactShares, mannWhitney, meanInterval, normalTail, seedsNeeded, studentTail, welchTest } from './stats-compare.ts';

function find<T>(file: { cases: readonly { name: string }[] }, name: string): T {
  const found = file.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as T;
}

it('aggregates equal the reference', () => {
  const { input, expected } = find<{ input: { scores: number[][] }; expected: Record<string, number> }>(rliable, 'aggregates');
  const pooled = input.scores.flat();
  const perTask = [0, 1, 2, 3].map((task) => mean(input.scores.map((row) => row[task]!)));
  expect(iqm(pooled)).toBeCloseTo(expected.iqm!, 12);
  expect(mean(perTask)).toBeCloseTo(expected.mean!, 12);
  expect(median(perTask)).toBeCloseTo(expected.median!, 12);
  expect(optimalityGap(pooled)).toBeCloseTo(expected.optimality_gap!, 12);
  expect(optimalityGap(pooled, 0.5)).toBeCloseTo(expected.optimality_gap_gamma0p5!, 12);
});

it.each(['iqm_n_not_multiple_of_4', 'fractional_iqm_differs'])('iqm drops floor(n/4) at each end: %s', (name) => {
  const { input, expected } = find<{ input: { scores: number[] }; expected: { iqm: number } }>(rliable, name);
  expect(iqm(input.scores)).toBeCloseTo(expected.iqm, 12);
});

it.each(['probability_of_improvement', 'probability_of_improvement_identical'])('%s', (name) => {
  const { input, expected } = find<{ input: { x: number[][]; y: number[][] }; expected: { poi: number } }>(rliable, name);
  expect(improvement(transpose(input.x), transpose(input.y)).p).toBeCloseTo(expected.poi, 12);
});

it('bootstrap with listed indices equals the reference', () => {
  const three = find<{ input: { scores: number[][]; index: number[][][] }; expected: { iqm: number[] } }>(
    rliable,
    'bootstrap_three_fixed_resamples',
  );
  three.input.index.forEach((index, k) => {
    expect(iqm(resample(three.input.scores, index))).toBeCloseTo(three.expected.iqm[k]!, 12);
  });
  const many = find<{ input: { scores: number[][]; index: number[][][] }; expected: { ci95: number[]; mean: number; std: number } }>(
    rliable,
    'bootstrap_200_fixed_resamples',
  );
  const found = many.input.index.map((index) => iqm(resample(many.input.scores, index)));
  expect(quantile(found, 0.025)).toBeCloseTo(many.expected.ci95[0]!, 12);
  expect(quantile(found, 0.975)).toBeCloseTo(many.expected.ci95[1]!, 12);
  expect(mean(found)).toBeCloseTo(many.expected.mean, 12);
});

it('the own bootstrap covers the reference interval and repeats exactly', () => {
  const { input, expected } = find<{ input: { scores: number[][] }; expected: { ci95: number[] } }>(
    rliable,
    'bootstrap_200_fixed_resamples',
  );
  const a = bootstrapInterval(input.scores, iqm, Rng.from(1), { resamples: 4000 });
  const b = bootstrapInterval(input.scores, iqm, Rng.from(1), { resamples: 4000 });
  expect(a).toEqual(b);
  expect(Math.abs(a.low - expected.ci95[0]!)).toBeLessThan(0.02);
  expect(Math.abs(a.high - expected.ci95[1]!)).toBeLessThan(0.02);
});

it('performance profile counts strictly greater scores', () => {
  const { input, expected } = find<{
    input: { scores: number[][]; tau: number[] };
    expected: { run_score: number[]; mean_score: number[] };
  }>(rliable, 'performance_profile');
  performanceProfile(input.scores, input.tau).forEach((v, i) => {
    expect(v).toBeCloseTo(expected.run_score[i]!, 12);
  });
  const perTask = [0, 1, 2, 3].map((task) => mean(input.scores.map((row) => row[task]!)));
  performanceProfile([perTask], input.tau).forEach((v, i) => {
    expect(v).toBeCloseTo(expected.mean_score[i]!, 12);
  });
});

it('welch, t interval width, holm, area, debiased average', () => {
  const w = find<{
    input: { a: number[]; b: number[] };
    expected: { t: number; df: number; p: number; mean_diff: number; cohens_d: number };
  }>(stats, 'welch');
  const found = welchTest(w.input.a, w.input.b);
  expect(found.p).toBeCloseTo(w.expected.p, 12);
  expect(found.difference).toBeCloseTo(w.expected.mean_diff, 12);
  expect(found.t).toBeCloseTo(w.expected.t, 10);
  expect(found.df).toBeCloseTo(w.expected.df, 10);
  expect(found.d).toBeCloseTo(w.expected.cohens_d, 10);
  const ci = find<{ input: { x: number[] }; expected: { mean: number; half_width: number } }>(stats, 't_ci95');
  expect(meanInterval(ci.input.x).mean).toBeCloseTo(ci.expected.mean, 12);
  expect(meanInterval(ci.input.x).halfWidth).toBeCloseTo(ci.expected.half_width, 10);
  const h = find<{ input: { p: number[] }; expected: { adjusted: number[] } }>(stats, 'holm');
  holm(h.input.p).forEach((v, i) => {
    expect(v).toBeCloseTo(h.expected.adjusted[i]!, 12);
  });
  const auc = find<{ input: { x: number[]; y: number[] }; expected: { normalised_auc: number } }>(stats, 'auc');
  expect(normalisedArea(auc.input.x, auc.input.y)).toBeCloseTo(auc.expected.normalised_auc, 12);
  const ema = find<{ input: { values: number[]; beta: number }; expected: { ema: number[] } }>(stats, 'debiased_ema');
  debiasedEma(ema.input.values, ema.input.beta).forEach((v, i) => {
    expect(v).toBeCloseTo(ema.expected.ema[i]!, 12);
  });
});

it('mann-whitney and the number of seeds equal the reference', () => {
  const u = find<{ input: { a: number[]; b: number[] }; expected: { U: number; p: number } }>(stats, 'mann_whitney_asymptotic');
  const found = mannWhitney(u.input.a, u.input.b, false);
  expect(found.u).toBe(u.expected.U);
  expect(found.p).toBeCloseTo(u.expected.p, 12);
  expect(mannWhitney([1, 1], [1, 1]).p).toBe(1);
  const n = find<{ input: { sigma: number; delta: number[]; alpha: number; power: number }; expected: { n: number[] } }>(
    stats,
    'sample_size',
  );
  const { sigma, delta, alpha, power } = n.input;
  expect(delta.map((d) => seedsNeeded(sigma, d, alpha, power))).toEqual(n.expected.n);
});

it('groups without spread are compared by their limits', () => {
  expect(welchTest([500, 500, 500], [500, 500])).toEqual({ t: 0, df: 3, d: 0, p: 1, difference: 0 });
  // the computed variance of five times 0.1 is not exactly 0
  expect(welchTest([0.1, 0.1, 0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1])).toMatchObject({ t: 0, d: 0, p: 1 });
  const apart = welchTest([500, 500, 500], [490, 490, 490]);
  expect(apart).toEqual({ t: Number.POSITIVE_INFINITY, df: 4, d: Number.POSITIVE_INFINITY, p: 0, difference: 10 });
  const one = welchTest([500, 500, 500, 500, 500], [480, 495, 500, 470, 490]);
  expect(one.df).toBeCloseTo(4, 12);
  expect(one.p).toBeGreaterThan(0.03);
  expect(one.p).toBeLessThan(0.09);
});

/** By listing every subset. */
function mannWhitneyListed(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b];
  const uOf = (inside: (i: number) => boolean) => {
    let u = 0;
    all.forEach((x, i) => {
      all.forEach((y, j) => {
        if (inside(i) && !inside(j)) u += x > y ? 1 : x === y ? 0.5 : 0;
      });
    });
    return u;
  };
  const centre = (a.length * b.length) / 2;
  const far = Math.abs(uOf((i) => i < a.length) - centre);
  let [total, extreme] = [0, 0];
  for (let bits = 0; bits < 1 << all.length; bits++) {
    const inside = (i: number) => ((bits >> i) & 1) === 1;
    if (all.filter((_, i) => inside(i)).length !== a.length) continue;
    total++;
    if (Math.abs(uOf(inside) - centre) >= far) extreme++;
  }
  return extreme / total;
}

it('mann-whitney is exact with few seeds, ties included', () => {
  expect(mannWhitney([6, 7, 8, 9, 10], [1, 2, 3, 4, 5])).toEqual({ u: 25, p: 2 / 252 });
  expect(mannWhitney([1, 3], [2, 4]).p).toBeCloseTo(4 / 6, 15);
  const rng = Rng.from(3);
  for (let round = 0; round < 20; round++) {
    const values = (n: number) => Array.from({ length: n }, () => rng.int(round % 2 === 0 ? 4 : 1000));
    const [a, b] = [values(2 + (round % 4)), values(5)];
    expect(mannWhitney(a, b).p, `${a} against ${b}`).toBeCloseTo(mannWhitneyListed(a, b), 14);
  }
});

// Tables of Abramowitz and Stegun, 26.2 and 26.10: the tails on both sides of every change of method.
it('tails of the normal and of Student', () => {
  expect(normalTail(0)).toBe(1);
  expect(normalTail(1)).toBeCloseTo(0.31731050786291415, 13);
  expect(normalTail(1.959963984540054)).toBeCloseTo(0.05, 13);
  expect(normalTail(-3)).toBeCloseTo(0.0026997960632601866, 14);
  expect(studentTail(1, 1)).toBeCloseTo(0.5, 12); // Cauchy
  expect(studentTail(2.7764451051977987, 4)).toBeCloseTo(0.05, 12);
  expect(studentTail(0.1, 30)).toBeCloseTo(0.9210096, 6);
  expect(studentTail(1.96, 1e7)).toBeCloseTo(normalTail(1.96), 7);
});

it('exact bounds of a share are those of scipy.stats.binomtest(m, n).proportion_ci(0.95, "exact")', () => {
  const cases = [
    [5, 10, 0.187086, 0.812914],
    [0, 5, 0, 0.521824],
    [6, 40, 0.057102, 0.298353],
    [40, 40, 0.911903, 1],
  ] as const;
  for (const [m, n, low, high] of cases) {
    const found = exactShares(m, n, 0.025);
    expect(found[0]).toBeCloseTo(low, 5);
    expect(found[1]).toBeCloseTo(high, 5);
  }
});
