import { expect, test } from 'vitest';
import { present, toFailure } from './errors.ts';

test('what is missing inside is named as a fault of ours; 0 and "" are not missing', () => {
  expect(() => present(new Map<string, number>().get('elo'), 'rating "elo"')).toThrow('rating "elo"');
  expect(() => present(null, 'answer')).toThrow(expect.objectContaining({ failure: expect.objectContaining({ id: 'internal' }) }));
  expect(present(0, 'number')).toBe(0);
  expect(present('', 'text')).toBe('');
});

test('code that a browser could not fetch is said not to be on this device', () => {
  for (const text of ['Failed to fetch dynamically imported module: http://127.0.0.1/a.js', 'Importing a module script failed.'])
    expect(toFailure(new TypeError(text)).id).toBe('offline');
  expect(toFailure(new TypeError('x is not a function')).id).toBe('internal');
});
