import { expect, it } from 'vitest';
import golden from './golden/algo-nstep-returns.json' with { type: 'json' };
import { discountedReturns, lambdaReturns, nStep } from './returns.ts';

const find = (name: string) => {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as { input: Record<string, never>; expected: Record<string, number[]> };
};

it.each(['n1', 'n3', 'n3_with_truncation'])('n-step windows: %s', (name) => {
  const { input, expected } = find(name) as unknown as {
    input: { rewards: number[]; terminated: number[]; truncated: number[]; next_q: number[]; final_q?: number[]; gamma: number; n: number };
    expected: Record<string, number[]>;
  };
  const truncated = Uint8Array.from(input.truncated);
  const found = nStep(Float64Array.from(input.rewards), Uint8Array.from(input.terminated), truncated, input.gamma, input.n);
  expect([...found.last]).toEqual(expected.last_index);
  for (let t = 0; t < input.rewards.length; t++) {
    const last = found.last[t]!;
    const bootstrap = truncated[last] !== 0 ? input.final_q![last]! : input.next_q[last]!;
    expect(found.rewardSum[t]).toBeCloseTo(expected.reward_sum![t]!, 12);
    expect(found.discount[t]).toBeCloseTo(expected.bootstrap_discount![t]!, 12);
    expect(found.rewardSum[t]! + found.discount[t]! * bootstrap).toBeCloseTo(expected.target![t]!, 12);
  }
});

it.each(['q_lambda_0.65', 'q_lambda_0'])('lambda-returns: %s', (name) => {
  const { input, expected } = find(name) as unknown as {
    input: { rewards: number[]; terminated: number[]; next_q: number[]; gamma: number; lambda_: number };
    expected: Record<string, number[]>;
  };
  // A second stream beside it, cut off after every step, must not be mixed in.
  const T = input.rewards.length;
  const beside = (data: readonly number[], other: number) => data.flatMap((v) => [v, other]);
  const found = new Float64Array(2 * T);
  lambdaReturns(
    {
      rewards: Float64Array.from(beside(input.rewards, 7)),
      nextValues: Float64Array.from(beside(input.next_q, 2)),
      terminated: Uint8Array.from(beside(input.terminated, 0)),
      truncated: Uint8Array.from(beside(new Array<number>(T).fill(0), 1)),
      rows: 2,
      gamma: input.gamma,
      lambda: input.lambda_,
    },
    found,
  );
  expected.targets!.forEach((v, t) => {
    expect(found[2 * t]).toBeCloseTo(v, 12);
    expect(found[2 * t + 1]).toBeCloseTo(7 + 0.9 * 2, 12);
  });
});

it('Monte-Carlo returns stop at an ended step', () => {
  const { input, expected } = find('monte_carlo_tail_bootstrap_zero') as unknown as {
    input: { rewards: number[]; terminated: number[]; gamma: number };
    expected: Record<string, number[]>;
  };
  const found = discountedReturns(Float64Array.from(input.rewards), Uint8Array.from(input.terminated), input.gamma);
  expected.returns!.forEach((v, t) => {
    expect(found[t]).toBeCloseTo(v, 12);
  });
});
