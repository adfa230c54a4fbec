/** The clock of small scenes: shared, longest clip first to end, nothing between two episodes. */
import { expect, test } from 'vitest';
import { clipOf } from '#client/stage/clips.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { Reel } from './reel.ts';

const card = (fps: number): EnvCard =>
  ({
    frame: { kind: 'table', bounds: [0, 0, 1, 1], items: [{ kind: 'number', label: '', x: 0, y: 0 }] },
    fps,
    agents: 1,
  }) as unknown as EnvCard;
/** Frames 0, 1, 2, ... each with a reward of 1 for the step to it. */
const episode = (frames: number) => ({
  frames: Float32Array.from({ length: frames }, (_, t) => t),
  reward: new Float32Array(frames - 1).fill(1),
});

test('a clip holds the last frame of each episode, and its return begins anew', () => {
  const clip = clipOf(card(10), [episode(3), episode(2)]);
  // 0.7 s at 10 frames a second: the last frame stands seven times.
  expect(clip.length).toBe(2 + 7 + 1 + 7);
  const out = new Float32Array(1);
  const values = Array.from({ length: clip.length }, (_, t) => (clip.read(t, out) ? out[0] : null));
  expect(values).toEqual([0, 1, 2, 2, 2, 2, 2, 2, 2, 0, 1, 1, 1, 1, 1, 1, 1]);
  expect(Array.from({ length: 10 }, (_, t) => clip.returnAt(t))).toEqual([0, 1, 2, 2, 2, 2, 2, 2, 2, 0]);
  expect(clip.ends(1)).toBe(false);
  expect(clip.ends(8)).toBe(true);
  expect(clip.read(clip.length, out)).toBe(false);
});

test('clips on one reel are at the same moment; the shorter waits for the longer, then both begin anew', () => {
  const reel = new Reel();
  const [short, long] = [clipOf(card(10), [episode(5)]), clipOf(card(10), [episode(15)])];
  reel.enter(short);
  reel.enter(long);
  reel.tick(0.25);
  expect(reel.momentOf(long)).toEqual({ t: 0, alpha: 0 }); // it stands until it is started
  reel.playing = true;
  reel.tick(0.25);
  expect(reel.momentOf(short)).toEqual(reel.momentOf(long));
  expect(reel.momentOf(long).t).toBe(2);
  expect(reel.momentOf(long).alpha).toBeCloseTo(0.5);
  for (let i = 0; i < 5; i++) reel.tick(0.25);
  expect(reel.momentOf(short)).toEqual({ t: short.length - 1, alpha: 0 });
  expect(reel.momentOf(long).t).toBe(15);
  // A tab that was hidden for an hour goes on where it was, a tick later.
  reel.tick(3600);
  expect(reel.momentOf(long).t).toBe(17);
  for (let i = 0; i < 2; i++) reel.tick(0.25);
  expect(reel.momentOf(long).t).toBeLessThan(5);
  reel.leave(long);
  reel.leave(short);
});

test('scenes together are given the next moment when all have drawn the last, and go where the clock is put', () => {
  const reel = new Reel(true);
  const [short, long] = [clipOf(card(10), [episode(5)]), clipOf(card(10), [episode(15)])];
  reel.enter(short);
  reel.enter(long);
  reel.enter(long); // shown twice
  reel.playing = true;
  reel.tick(0.25);
  expect([reel.momentOf(short).t, reel.momentOf(long).t, reel.behind]).toEqual([0, 0, true]);
  reel.nextRound();
  expect([reel.momentOf(short).t, reel.momentOf(long).t, reel.behind]).toEqual([2, 2, false]);
  reel.leave(long);
  reel.seek(1.1);
  expect(reel.position).toBeCloseTo(1.1);
  expect(reel.behind).toBe(true);
  reel.nextRound();
  expect(reel.momentOf(long).t).toBe(11);
  reel.seek(1e9);
  expect(reel.position).toBeCloseTo(reel.length);
  expect(reel.length).toBeCloseTo(long.length / 10);
});
