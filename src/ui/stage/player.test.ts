import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FrameSource } from '#contract/game/frames.ts';
import type { Scene } from '#scenes/types.ts';
import { stageStore } from '#stores/stage.ts';
import { startPlayer } from './player.ts';

let frames: FrameRequestCallback[] = [];
const nextFrame = (): void => {
  const now = frames;
  frames = [];
  for (const frame of now) frame(performance.now());
};

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  stageStore.setState({ source: null, playing: false });
});

test('a world is shown when its first frame is on the canvas, however many frames that takes', () => {
  const source = (): FrameSource => ({ length: 5, dt: 0.1 }) as unknown as FrameSource;
  const [first, second] = [source(), source()];
  let waits = false;
  const shown: FrameSource[] = [];
  const scene = {
    setSource: () => {},
    show: () => {
      waits = true;
      return true;
    },
    waits: () => waits,
  } as unknown as Scene;
  stageStore.setState({ source: first, t: 0, playing: false });
  const stop = startPlayer(
    scene,
    () => true,
    (now) => shown.push(now),
  );
  nextFrame();
  nextFrame();
  nextFrame();
  expect(shown).toEqual([]);
  waits = false; // it was drawn
  nextFrame();
  expect(shown).toEqual([first]);
  stageStore.setState({ source: second, t: 0 });
  nextFrame();
  nextFrame();
  expect(shown).toEqual([first]);
  waits = false;
  nextFrame();
  expect(shown).toEqual([first, second]);
  // Nothing moves any more: no frame is asked for.
  expect(frames).toEqual([]);
  stop();
});
