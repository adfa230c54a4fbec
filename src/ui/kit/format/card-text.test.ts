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

test('a claim’s card says its outcome, the paper that decides it and the fresh seeds', () => {
  const judged = { outdated: false, paper: null, seeds: [1001, 1005] } as const;
  expect(claimText({ ...judged, outcome: 'open' })).toBe('open, seeds 1001 to 1005');
  expect(claimText({ ...judged, outcome: 'mixed', paper: 'P033' })).toBe('mixed, by paper P033, seeds 1001 to 1005');
  expect(claimText({ ...judged, outcome: 'mixed', outdated: true })).toBe('mixed by an older version, seeds 1001 to 1005');
});
