import { expect, test } from 'vitest';
import type { FilmWriter } from './encode.ts';
import { lengthOf, momentOf, picturesOf, shoot } from './film.ts';

const episode = { length: 11, dt: 0.1 };
const FPS = 30;

test('the film lasts as long as the episode at that speed, and ends on its last frame', () => {
  expect(lengthOf(episode, 1)).toBeCloseTo(1.7);
  expect(lengthOf(episode, 2)).toBeCloseTo(1.2);
  expect(momentOf(0, episode, 1, FPS)).toEqual({ t: 0, alpha: 0 });
  expect(momentOf(3, episode, 1, FPS)).toEqual({ t: 1, alpha: 0 });
  expect(momentOf(1, episode, 1, FPS).alpha).toBeCloseTo(1 / 3);
  expect(momentOf(picturesOf(episode, 1, FPS) - 1, episode, 1, FPS)).toEqual({ t: 10, alpha: 0 });
  expect(picturesOf({ length: 1, dt: 0.1 }, 1, FPS)).toBe(21);
  expect(picturesOf(episode, 1, 20)).toBe(34);
  expect(momentOf(2, episode, 1, 20)).toEqual({ t: 1, alpha: 0 });
});

function rig() {
  const added: number[] = [];
  const calls: string[] = [];
  const writer: FilmWriter = {
    add: async (at) => void added.push(at),
    finish: async () => {
      calls.push('finish');
      return new Blob(['film']);
    },
    cancel: async () => void calls.push('cancel'),
  };
  return { added, calls, writer };
}

test('every picture once, in order; a frame that is on its way is waited for', async () => {
  const { added, calls, writer } = rig();
  const shares: number[] = [];
  let missing = 2;
  const film = await shoot({
    episode,
    speed: 1,
    fps: FPS,
    writer,
    draw: ({ t }) => t < 5 || missing-- <= 0,
    onProgress: (share) => shares.push(share),
    signal: new AbortController().signal,
  });
  expect(film?.size).toBe(4);
  expect(added).toEqual(Array.from({ length: 51 }, (_, i) => i / FPS));
  expect(shares.at(-1)).toBe(1);
  expect(calls).toEqual(['finish']);
});

test('cancelled, nothing is left; a frame that never comes is an error', async () => {
  const { added, calls, writer } = rig();
  const stop = new AbortController();
  const film = await shoot({
    episode,
    speed: 1,
    fps: FPS,
    writer,
    draw: () => true,
    onProgress: (share) => share > 0.2 && stop.abort(),
    signal: stop.signal,
  });
  expect(film).toBeNull();
  expect(added.length).toBeLessThan(20);
  expect(calls).toEqual(['cancel']);
  let time = 0;
  const lost = shoot({
    episode,
    speed: 1,
    fps: FPS,
    writer,
    draw: () => false,
    onProgress: () => {},
    signal: new AbortController().signal,
    now: () => (time += 9000),
  });
  await expect(lost).rejects.toThrow('did not come');
  expect(calls).toEqual(['cancel', 'cancel']);
});
