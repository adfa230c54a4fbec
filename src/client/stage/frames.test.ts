import { expect, test } from 'vitest';
import type { Replay } from '#contract/run/events.ts';
import { GrowingSource, ReplaySource, returnUpTo } from './frames.ts';

const layout = { kind: 'points', count: 1, bounds: [0, 0, 1, 1], names: [] } as const;
const SIZE = 6;
const replay = { reward: Float32Array.of(1, 10, 2, 20, 3, 30) } as unknown as Replay;

function source(length: number) {
  const asked: number[] = [];
  const made = new ReplaySource(replay, layout, length, 20, async (from, count) => {
    asked.push(from);
    const n = Math.min(count, length - from);
    const frames = new Float32Array(n * SIZE);
    for (let i = 0; i < n; i++) frames.fill(from + i, i * SIZE, (i + 1) * SIZE);
    return { from, frames, rewards: new Float32Array(n), total: length };
  });
  return { made, asked };
}

test('frames are read in windows, each asked for once, the next before it is needed', async () => {
  const { made, asked } = source(300);
  const out = new Float32Array(SIZE);
  expect(made.dt).toBe(0.05);
  expect(made.read(0, out)).toBe(false);
  expect(made.read(1, out)).toBe(false);
  await made.fetch(0);
  expect(made.read(5, out)).toBe(true);
  expect(out[0]).toBe(5);
  expect(asked).toEqual([0]);
  made.read(110, out);
  await made.fetch(128);
  expect(made.has(200)).toBe(true);
  expect(made.read(200, out)).toBe(true);
  expect(out[0]).toBe(200);
  made.read(127, out);
  expect(asked).toEqual([0, 128]);
  await made.fetch(299);
  expect(made.read(299, out)).toBe(true);
  expect(made.read(300, out)).toBe(false);
  expect(made.has(301)).toBe(false);
  expect(asked).toEqual([0, 128, 256]);
});

test('a game grows frame by frame', () => {
  const game = new GrowingSource(layout, 10, new Float32Array(SIZE));
  game.push(new Float32Array(SIZE).fill(1));
  const out = new Float32Array(SIZE);
  expect(game.length).toBe(2);
  expect(game.read(1, out)).toBe(true);
  expect(out[0]).toBe(1);
  expect(game.read(2, out)).toBe(false);
});

test('the return up to a frame sums the rewards of all agents before it', () => {
  expect([0, 1, 2, 3, 9].map((t) => returnUpTo(replay, t, 2))).toEqual([0, 11, 33, 66, 66]);
});
