import { expect, it } from 'vitest';
import golden from './golden/algo-normalisation.json' with { type: 'json' };
import { RewardScaler, RunningMoments, ValueNorm } from './normalise.ts';

function find<T>(name: string): T {
  return golden.cases.find((c) => c.name === name) as unknown as T;
}

it('observation moments merge in parallel and normalise with a clip', () => {
  const { input, expected } = find<{
    input: { batches: number[][][]; clip: number };
    expected: { after_each: { mean: number[]; var: number[]; count: number; normalised: number[][] }[] };
  }>('observations');
  const moments = new RunningMoments(2);
  input.batches.forEach((batch, k) => {
    const x = Float64Array.from(batch.flat());
    const want = expected.after_each[k]!;
    moments.update(x, batch.length);
    want.mean.forEach((v, j) => {
      expect(moments.mean[j]).toBeCloseTo(v, 9);
    });
    want.var.forEach((v, j) => {
      expect(moments.variance[j]).toBeCloseTo(v, 9);
    });
    expect(moments.count).toBeCloseTo(want.count, 9);
    moments.normalise(x, x, input.clip);
    want.normalised.flat().forEach((v, i) => {
      expect(x[i]).toBeCloseTo(v, 6);
    });
  });
  const copy = new RunningMoments(2);
  copy.unpack(moments.pack());
  expect([...copy.mean, ...copy.variance, copy.count]).toEqual([...moments.mean, ...moments.variance, moments.count]);
});

it('rewards are divided by the deviation of the running return, which an ended episode resets', () => {
  const { input, expected } = find<{
    input: { rewards: number[][]; dones: number[][]; gamma: number };
    expected: { after_each: { return_filter: number[]; var: number; scaled: number[] }[] };
  }>('reward_scaling');
  const scaler = new RewardScaler(2, input.gamma);
  const out = new Float64Array(2);
  input.rewards.forEach((rewards, k) => {
    scaler.scale(Float64Array.from(rewards), Uint8Array.from(input.dones[k]!), out, 10);
    const want = expected.after_each[k]!;
    expect(scaler.moments.variance[0]).toBeCloseTo(want.var, 9);
    want.scaled.forEach((v, i) => {
      expect(out[i]).toBeCloseTo(v, 6);
    });
    want.return_filter.forEach((v, i) => {
      expect(scaler.filter[i]).toBeCloseTo(input.dones[k]![i] === 1 ? 0 : v, 9); // listed before the reset
    });
  });
});

it('ValueNorm: debiased averages, and back again', () => {
  const { input, expected } = find<{
    input: { batches: number[][]; beta: number };
    expected: { after_each: { mean: number; var: number; normalised: number[] }[] };
  }>('valuenorm');
  const norm = new ValueNorm(input.beta);
  expect(norm.moments()).toEqual({ mean: 0, std: 1 });
  input.batches.forEach((batch, k) => {
    const x = Float64Array.from(batch);
    const want = expected.after_each[k]!;
    norm.update(x);
    const { mean, std } = norm.moments();
    expect(mean).toBeCloseTo(want.mean, 6);
    expect(std * std).toBeCloseTo(want.var, 6);
    const out = new Float64Array(x.length);
    norm.normalise(x, out);
    want.normalised.forEach((v, i) => {
      expect(out[i]).toBeCloseTo(v, 6);
    });
    norm.restore(out, out);
    batch.forEach((v, i) => {
      expect(out[i]).toBeCloseTo(v, 9);
    });
  });
  const copy = new ValueNorm();
  copy.unpack(norm.pack());
  expect(copy.moments()).toEqual(norm.moments());
});
