import { describe, expect, it } from 'vitest';
import { gae } from './gae.ts';
import golden from './golden/algo-gae.json' with { type: 'json' };

const flat = (x: number | readonly (number | readonly number[])[]): number[] => (typeof x === 'number' ? [x] : (x.flat() as number[]));

function run(input: (typeof golden.cases)[number]['input']) {
  const rewards = Float64Array.from(flat(input.rewards));
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  const lastValues = Float64Array.from(flat(input.last_value));
  gae(
    {
      rewards,
      values: Float64Array.from(flat(input.values)),
      terminated: Uint8Array.from(flat(input.terminated)),
      truncated: Uint8Array.from(flat(input.truncated)),
      finalValues: Float64Array.from(flat(input.final_values)),
      lastValues,
      rows: lastValues.length,
      gamma: input.gamma,
      lambda: input.lambda_,
      bootstrapAtTruncation: input.truncation === 'bootstrap',
    },
    advantages,
    returns,
  );
  return { advantages, returns };
}

describe('gae against the reference numbers', () => {
  it.each(golden.cases.map((c) => [c.name, c] as const))('%s', (_, c) => {
    const { advantages, returns } = run(c.input);
    flat(c.expected.advantages).forEach((v, i) => {
      expect(advantages[i]).toBeCloseTo(v, 12);
    });
    flat(c.expected.returns).forEach((v, i) => {
      expect(returns[i]).toBeCloseTo(v, 12);
    });
  });
});

it('gae with lambda 1 is the discounted return minus the value', () => {
  const rewards = Float64Array.of(1, -2, 3, 0.5);
  const values = Float64Array.of(0.3, 0.1, -0.2, 0.9);
  const advantages = new Float64Array(4);
  const zero = new Uint8Array(4);
  gae(
    {
      rewards,
      values,
      terminated: Uint8Array.of(0, 0, 0, 1),
      truncated: zero,
      finalValues: new Float64Array(4),
      lastValues: Float64Array.of(99),
      rows: 1,
      gamma: 0.9,
      lambda: 1,
      bootstrapAtTruncation: true,
    },
    advantages,
    new Float64Array(4),
  );
  let g = 0;
  for (let t = 3; t >= 0; t--) {
    g = rewards[t]! + 0.9 * g;
    expect(advantages[t]).toBeCloseTo(g - values[t]!, 12);
  }
});
