import { expect, it } from 'vitest';
import rliable from './golden/eval-rliable.json' with { type: 'json' };
import stats from './golden/eval-stats.json' with { type: 'json' };
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
  probabilityOfImprovement,
  quantile,
  resample,
  std,
  welch,
} from './stats.ts';

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
  expect(probabilityOfImprovement(input.x, input.y)).toBeCloseTo(expected.poi, 12);
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
  const { input, expected } = find<{ input: { scores: number[][]; tau: number[] }; expected: { run_score: number[] } }>(
    rliable,
    'performance_profile',
  );
  performanceProfile(input.scores, input.tau).forEach((v, i) => {
    expect(v).toBeCloseTo(expected.run_score[i]!, 12);
  });
});

it('welch, t interval width, holm, area, debiased average', () => {
  const w = find<{ input: { a: number[]; b: number[] }; expected: { t: number; df: number; cohens_d: number } }>(stats, 'welch');
  const found = welch(w.input.a, w.input.b);
  expect(found.t).toBeCloseTo(w.expected.t, 10);
  expect(found.df).toBeCloseTo(w.expected.df, 10);
  expect(found.d).toBeCloseTo(w.expected.cohens_d, 10);
  const ci = find<{ input: { x: number[] }; expected: { mean: number; half_width: number } }>(stats, 't_ci95');
  expect((2.7764451051977987 * std(ci.input.x, 1)) / Math.sqrt(5)).toBeCloseTo(ci.expected.half_width, 9);
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
