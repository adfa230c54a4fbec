import { expect, test } from 'vitest';
import { claimText, nearestPreset, presetOf } from './card-text.ts';

test('the picture of an experiment is that of the preset nearest to its settings', () => {
  const env = {
    defaults: { size: 5, walls: false, speed: 1 },
    presets: [
      { id: 'plain', title: 'plain', config: {} },
      { id: 'walled', title: 'walled', config: { walls: true } },
      { id: 'large', title: 'large', config: { size: 9, walls: true } },
    ],
  };
  expect(nearestPreset(env, {})).toBe('plain');
  expect(nearestPreset(env, { walls: true, speed: 2 })).toBe('walled');
  expect(nearestPreset(env, { size: 9, walls: true, speed: 2 })).toBe('large');
  expect(nearestPreset(env, { size: 5, walls: false })).toBe('plain');
  expect(nearestPreset({ ...env, presets: [] }, {})).toBe('');
  // Where the picture is all that is seen of a world it must be of that world.
  expect(presetOf(env, { size: 5 })).toBe('plain');
  expect(presetOf(env, { walls: true, size: 9 })).toBe('large');
  expect(presetOf(env, { size: 7 })).toBeNull();
});

test('a claim has a verdict on fresh seeds only; of those it was set up with, the card says what they came to', () => {
  const judged = { outdated: false, paper: null, seeds: [1001, 1005], setup: null } as const;
  expect(claimText({ ...judged, verdict: 'inconclusive' })).toBe('inconclusive, seeds 1001 to 1005');
  expect(claimText({ ...judged, verdict: 'partly', paper: 'P033' })).toBe('partly, by paper P033, seeds 1001 to 1005');
  expect(claimText({ ...judged, verdict: 'partly', outdated: true })).toBe('partly by an older version, seeds 1001 to 1005');
  const before = (measured: number | null, bounds: { min?: number; max?: number }, metric = 'evalReturn'): string =>
    claimText({ verdict: null, outdated: false, paper: null, seeds: [1, 5], setup: { measured, metric, ...bounds } });
  const none = 'not judged on fresh seeds yet';
  expect(before(472.1, { min: 467 })).toBe(`${none}; 472.1 (at least 467) on the seeds 1 to 5 of its set-up`);
  expect(before(9.4e-16, { max: 0.02 }, 'nashConv')).toBe(`${none}; 0 (at most 0.02) on the seeds 1 to 5 of its set-up`);
  expect(before(-13, { min: -13, max: -13 })).toBe(`${none}; −13 on the seeds 1 to 5 of its set-up`);
  expect(before(1, { min: 1 }, 'explained')).toBe(none);
  expect(before(null, { min: 1 })).toBe(none);
});
