import { expect, it } from 'vitest';
import { createKlProbe } from './rollouts.ts';

/** One line of five places: a prompt of two, three written tokens. */
const places = 4;
const last = {
  ids: Float32Array.of(1, 2, 3, 4, 5),
  written: Float32Array.of(0, 0, 1, 1, 1),
  count: Int32Array.of(3),
  paid: new Float32Array(5),
  rewards: Float64Array.of(0),
  solved: Uint8Array.of(0),
};

/** What is measured where tokens were drawn with `old` and are as probable as `now` after the update. */
function measured(old: readonly number[], now: readonly number[]): Promise<number> {
  const logProb = Float32Array.from(now, Math.log);
  const program = { in: { ids: new Float32Array(places), targets: new Float32Array(places) }, out: { logProb }, run: () => undefined };
  const probe = createKlProbe({ exact: false } as never, { lines: 1, places }, () => program as never);
  return probe.measure(
    last,
    () => 0,
    () => Float32Array.from(old, Math.log),
  );
}

/** r - 1 - ln r, r the probability after the update over that before it. */
const k3 = (old: number, now: number): number => now / old - 1 - Math.log(now / old);

it('takes tokens as drawn from the policy before the update: one that falls from 0.5 to 0.01 counts 2.9, not 45', async () => {
  const found = await measured([1, 0.5, 0.5, 0.5], [1, 0.01, 0.5, 0.5]);
  expect(3 * found).toBeCloseTo(k3(0.5, 0.01), 5);
  expect(3 * found).toBeCloseTo(2.93, 2);
  expect(k3(0.01, 0.5)).toBeCloseTo(45.1, 1); // the other direction
});

it('is the mean over written tokens alone, 0 where nothing moved', async () => {
  expect(await measured([0.9, 0.5, 0.2, 0.4], [0.1, 0.25, 0.4, 0.4])).toBeCloseTo((k3(0.5, 0.25) + k3(0.2, 0.4)) / 3, 5);
  expect(await measured([1, 0.5, 0.2, 0.4], [1, 0.5, 0.2, 0.4])).toBeCloseTo(0, 9);
});
