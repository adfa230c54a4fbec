import { expect, it } from 'vitest';
import { gae } from './gae.ts';
import { vtrace } from './vtrace.ts';

const stream = {
  rewards: Float64Array.of(1, -1, 0.5, 2, 0, 3),
  values: Float64Array.of(0.5, 0.2, -0.3, 1, 0.4, 0.1),
  terminated: Uint8Array.of(0, 0, 0, 1, 0, 0),
  truncated: Uint8Array.of(0, 0, 1, 0, 0, 0),
  finalValues: Float64Array.of(0, 0, 7, 0, 0, 0),
  lastValues: Float64Array.of(0.6, -0.8),
  rows: 2,
  gamma: 0.9,
};
const of = (logRatios: Float64Array, limits: { lambda: number; rhoBar: number; cBar: number }) => {
  const [advantages, targets] = [new Float64Array(6), new Float64Array(6)];
  vtrace({ ...stream, logRatios, ...limits }, advantages, targets);
  return { advantages, targets };
};

it('without a difference between the policies the targets are those of GAE, ends of both kinds included', () => {
  for (const lambda of [0, 0.7, 1]) {
    const [advantages, returns] = [new Float64Array(6), new Float64Array(6)];
    gae({ ...stream, lambda, bootstrapAtTruncation: true }, advantages, returns);
    const { targets } = of(new Float64Array(6), { lambda, rhoBar: 1, cBar: 1 });
    targets.forEach((target, i) => {
      expect(target).toBeCloseTo(returns[i]!, 12);
    });
  }
});

it('actions that the newer policy would hardly take count for nothing', () => {
  const { advantages, targets } = of(new Float64Array(6).fill(-50), { lambda: 1, rhoBar: 1, cBar: 1 });
  expect(Math.max(...advantages.map(Math.abs))).toBeLessThan(1e-12);
  targets.forEach((target, i) => {
    expect(target).toBeCloseTo(stream.values[i]!, 12);
  });
});

it('the rho limit bounds how much an action counts that it would take far more often', () => {
  const once = of(new Float64Array(6), { lambda: 1, rhoBar: 1, cBar: 1 });
  const often = of(new Float64Array(6).fill(3), { lambda: 1, rhoBar: 1, cBar: 1 });
  expect(Array.from(often.targets)).toEqual(Array.from(once.targets));
  const open = of(new Float64Array(6).fill(3), { lambda: 0, rhoBar: 5, cBar: 1 });
  expect(open.advantages[5]).toBeCloseTo(5 * (3 + 0.9 * -0.8 - 0.1), 12);
});
