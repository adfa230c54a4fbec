import { expect, test } from 'vitest';
import type { Result } from '#contract/results.ts';
import { nearestPreset, verdictText } from './card-text.ts';

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
});

test('a verdict says what was measured and what was asked', () => {
  const said = (measured: number | null, expect: Partial<Result['expect']>): string =>
    verdictText({ verdict: 'reproduced', measured, expect: { metric: 'evalReturn', statistic: 'iqm', ...expect }, seeds: [1, 2] } as never);
  expect(said(472.1, { min: 467 })).toBe('reproduced: 472.1 (at least 467), 2 seeds');
  expect(said(9.4e-16, { metric: 'nashConv', max: 0.02 })).toBe('reproduced: 0 (at most 0.02), 2 seeds');
  expect(said(-13, { min: -13, max: -13 })).toBe('reproduced: −13, 2 seeds');
  expect(said(1, { metric: 'explained', min: 1 })).toBe('reproduced, 2 seeds');
  expect(said(null, { min: 1 })).toBe('reproduced, 2 seeds');
});
