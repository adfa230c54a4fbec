import { beforeEach, expect, test } from 'vitest';
import type { FrameSource } from '#contract/game/frames.ts';
import { stageStore } from '#stores/stage.ts';
import { advance, stageAlpha } from './stage-clock.ts';

const layout = { kind: 'points', count: 1, bounds: [0, 0, 1, 1], names: [] } as const;
const source: FrameSource = { layout, length: 100, dt: 0.1, read: () => true };
let ended = 0;
let played = 0;
const options = { ready: () => true, onEnd: () => void ended++, onPlay: (seconds: number) => void (played += seconds) };

beforeEach(() => {
  ended = 0;
  played = 0;
  stageStore.setState({ mode: 'live', source, length: 100, t: 50, playing: false, speed: 1 });
  advance(0, options); // the clock sees the new position
  stageStore.setState({ playing: true });
});

test('time moves frames at fps times speed, with the way between them as alpha', () => {
  advance(0.05, options);
  expect(stageStore.getState().t).toBe(50);
  expect(stageAlpha()).toBeCloseTo(0.5);
  advance(0.1, options);
  expect(stageStore.getState().t).toBe(51);
  expect(stageAlpha()).toBeCloseTo(0.5);
  stageStore.getState().setSpeed(4);
  advance(0.1, options);
  expect(stageStore.getState().t).toBe(55);
});

test('a pause keeps the place between two frames; a seek starts at its frame', () => {
  advance(0.05, options);
  stageStore.getState().setPlaying(false);
  advance(1, options);
  expect(stageStore.getState().t).toBe(50);
  stageStore.getState().seek(10);
  stageStore.getState().setPlaying(true);
  advance(0.05, options);
  expect(stageStore.getState().t).toBe(10);
  expect(stageAlpha()).toBeCloseTo(0.5);
});

test('a frame that is not here yet stops the clock before it', () => {
  const until52 = { ...options, ready: (t: number) => t <= 52 };
  for (let i = 0; i < 10; i++) advance(0.1, until52);
  expect(stageStore.getState().t).toBe(52);
  expect(stageAlpha()).toBe(0);
});

test('after a hidden tab it goes on from where it was', () => {
  advance(3600, options);
  expect(stageStore.getState().t).toBeLessThanOrEqual(53);
});

test('the last frame stands a moment, then the next episode is asked for once', () => {
  stageStore.getState().seek(99);
  advance(0.1, options);
  expect(ended).toBe(0);
  for (let i = 0; i < 9; i++) advance(0.1, options);
  expect(ended).toBe(1);
  expect(stageStore.getState().t).toBe(99);
});

test('while a person plays, only their game gets the time', () => {
  stageStore.setState({ mode: 'play' });
  advance(0.05, options);
  expect(played).toBe(0.05);
  expect(stageStore.getState().t).toBe(50);
});

test('a chosen replay shown to its end plays again from the start', () => {
  stageStore.setState({ mode: 'replay', t: 99, playing: false });
  stageStore.getState().setPlaying(true);
  expect(stageStore.getState().t).toBe(0);
});
