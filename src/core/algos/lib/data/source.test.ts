import { expect, test } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { recordGrade } from './recording.ts';
import { segmentsOf } from './segments.ts';
import { dataRows } from './source.ts';

const entry = getEnv('mpe-simple-spread');
const config = entry.parse({ maxCycles: 3 });
const meta = entry.meta(config);
const data = await recordGrade({ entry, config, steps: 12, seed: 1 }, 'random', 0);

test('behind a cut values go on, or nothing follows', () => {
  const discounts = (cutEnds: boolean): number[] => {
    const batch = { obs: new Float32Array(64 * meta.obsSize), action: new Float32Array(64), discount: new Float32Array(64) };
    dataRows(meta, data, false, cutEnds).sample(Rng.from(1), 64, 0.5, batch);
    return [...new Set(batch.discount)].sort();
  };
  expect(discounts(false)).toEqual([0.5]); // episodes of three steps, all cut
  expect(discounts(true)).toEqual([0, 0.5]);
});

test('segments of one agent: what is still to be paid, filled up in front', () => {
  const rows = dataRows(meta, data);
  const [M, K] = [200, 2];
  const floats = (width: number) => new Float32Array(M * K * width);
  const batch = { toGo: floats(1), obs: floats(meta.obsSize), action: floats(1), time: floats(1), mask: floats(1) };
  const segments = segmentsOf(data, rows);
  segments.sample(Rng.from(2), M, K, 2, batch);
  const rewardOf = (step: number, agent: number): number => data.rewards[step * meta.agentCount + agent]!;
  expect(segments.best).toBeCloseTo(
    Math.max(
      ...Array.from({ length: 12 }, (_, i) => {
        const [e, a] = [Math.floor(i / 3), i % 3];
        return [0, 1, 2].reduce((sum, t) => sum + rewardOf(3 * e + t, a), 0);
      }),
    ),
    4,
  );
  let short = 0;
  for (let m = 0; m < M; m++) {
    const [first, second] = [m * K, m * K + 1];
    expect(batch.mask[second]).toBe(1);
    if (batch.mask[first] === 0) {
      short++;
      expect([batch.time[second], batch.toGo[first]]).toEqual([2, 0]);
    } else {
      expect(batch.time[second]).toBe(batch.time[first]! + 1);
      // the rewards that were recorded are what the return falls by, times the scale
      const paid = (batch.toGo[first]! - batch.toGo[second]!) / 2;
      expect([...data.rewards].some((reward) => Math.abs(reward - paid) < 1e-4)).toBe(true);
    }
  }
  expect(short).toBeGreaterThan(30); // a third begins at the last step
});
