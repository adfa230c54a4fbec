import { expect, test } from 'vitest';
import { offline } from '#claims/suites/offline.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { recordingsTable } from './recordings-table.ts';

const [cartpole] = offline;

test('nothing stands there before a comparison has run', () => {
  expect(recordingsTable([])).toBe('');
});

test('scores go from random play to the expert, drawn and most probable actions apart', () => {
  const { random = Number.NaN, ceiling = Number.NaN } = cartpole!.scale;
  const half = (random + ceiling) / 2;
  const arms = [
    { id: 'cloning-mixed', scores: [half, half, half, half, half] },
    { id: 'cloning-mixed-greedy', scores: [ceiling, ceiling, null] },
  ];
  const text = recordingsTable([{ id: cartpole!.id, arms } as unknown as PaperResult]);
  const [drawn, greedy] = text.split('\n').filter((line) => line.startsWith('| cloning |'));
  expect(drawn).toBe('| cloning | mixed | 50.0 (50.0 to 50.0) |');
  expect(greedy).toBe('| cloning | mixed | 100.0 |');
  expect(text).toContain('| method | recordings | CartPole |');
});
