import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { trained } from '#core/testing/trained.ts';
import { Rng } from '#math/rng.ts';
import { groupRl } from '../group-rl.ts';
import { createSuccessReplay } from './kept-episodes.ts';
import type { Completions } from './rollouts.ts';

/** Five episodes of one line of four places: a prompt token, then what was written. */
const LINES = [
  [7, 1, 2, 0],
  [7, 1, 2, 0],
  [7, 3, 0, 0],
  [8, 4, 0, 0],
  [8, 5, 6, 9],
];
const WRITTEN = LINES.map((line) => line.map((id, at) => Number(at > 0 && id > 0)));
const completions = (solved: readonly number[]): Completions => ({
  ids: Float32Array.from(LINES.flat()),
  written: Float32Array.from(WRITTEN.flat()),
  count: Int32Array.from(WRITTEN, (line) => line.reduce((sum, x) => sum + x, 0)),
  paid: new Float32Array(20),
  // parts of an answer are paid too: what it earned does not say that it is right
  rewards: Float64Array.from(solved, (right) => (right === 1 ? 1 : 0.9)),
  solved: Uint8Array.from(solved),
});
const ALL = [0, 1, 2, 3, 4];

it('keeps right answers of groups that were not all right, equal ones once', () => {
  const kept = createSuccessReplay(1, 4);
  kept.add(completions([1, 1, 0, 1, 1]), ALL, [1, 1, 0.9, 0, 0.5]);
  expect(kept.size).toBe(2); // the second is the first again, the third is wrong though its parts earned more than its group, the fourth is of a group that was all right
  const into = new Int32Array(40);
  const tokens = kept.draw(Rng.from(1), into);
  const texts = new Set(Array.from(into, (k) => kept.lines.ids.subarray(k * 4, k * 4 + 4).join()));
  expect([...texts].sort()).toEqual(['7,1,2,0', '8,5,6,9']);
  const written = (k: number) => kept.lines.written.subarray(k * 4, k * 4 + 4).reduce((sum, x) => sum + x, 0);
  expect(tokens).toBe(into.reduce((sum, k) => sum + written(k), 0));
});

it('takes the rows that a group kept, in the order of their advantages', () => {
  const kept = createSuccessReplay(1, 4);
  kept.add(completions([1, 1, 0, 1, 1]), [4, 2], [1, -1]);
  expect(kept.size).toBe(1);
  expect([...kept.lines.ids.subarray(0, 4)]).toEqual([8, 5, 6, 9]);
});

it('keeps episodes of several lines together, the newest 4096, and comes back from a checkpoint', () => {
  const kept = createSuccessReplay(2, 2); // the same rows, read as two lines of two places
  for (let k = 0; k < 4100; k++) {
    const last = completions([1, 0, 0, 0, 0]);
    last.ids[0] = 10 + k;
    kept.add(last, [0], [1]);
  }
  expect(kept.size).toBe(4096);
  expect(kept.lines.ids[0]).toBe(10 + 4096); // the first four gave way
  const { successIds, successWritten, successCount } = kept.arrays;
  const other = createSuccessReplay(2, 2);
  other.arrays.successIds.set(successIds);
  other.arrays.successWritten.set(successWritten);
  other.arrays.successCount.unpack(successCount.pack());
  const [a, b] = [new Int32Array(8), new Int32Array(8)];
  expect(other.draw(Rng.from(3), a)).toBe(kept.draw(Rng.from(3), b));
  expect(a).toEqual(b);
});

it('a run that replays its successes goes on after a resume as if it had not stopped', async () => {
  const config = { prompts: 4, group: 4, width: 16, layers: 1, heads: 2, cloneSteps: 20, cloneLr: 0.01, replayUpdates: 2 };
  const task = { algo: groupRl, env: getEnv('t-reason'), envConfig: { partialReward: 0.5 }, config, steps: 2400 };
  const whole = await trained(task);
  const half = await trained(task, { stopAt: 2000 });
  const rest = await trained(task, { resume: half.saved });
  expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
  expect(rest.hash).toBe(whole.hash);
  expect(half.rows.at(-1)![1].successes).toBeGreaterThan(0);
  expect((await trained({ ...task, config: { ...config, replayUpdates: 0 } })).hash).not.toBe(whole.hash);
});
