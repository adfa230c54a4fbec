import { expect, test } from 'vitest';
import { present } from './errors.ts';

test('what is missing inside is named as a fault of ours; 0 and "" are not missing', () => {
  expect(() => present(new Map<string, number>().get('elo'), 'rating "elo"')).toThrow('rating "elo"');
  expect(() => present(null, 'answer')).toThrow(expect.objectContaining({ failure: expect.objectContaining({ id: 'internal' }) }));
  expect(present(0, 'number')).toBe(0);
  expect(present('', 'text')).toBe('');
});
