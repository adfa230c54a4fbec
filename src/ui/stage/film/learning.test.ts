import { expect, test } from 'vitest';
import { chosenSteps, FILM, momentAt } from './learning.ts';

test('the first and the last policy are shown, and two between them', () => {
  expect(chosenSteps([0, 100])).toEqual([0, 100]);
  expect(chosenSteps([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual([0, 3, 6, 9]);
});

test('every part has its time, the last twice as much; what ends early stands still, what is long goes faster', () => {
  const episodes = [
    { length: 21, dt: 0.05 },
    { length: 501, dt: 0.02 },
    { length: 11, dt: 0.1 },
    { length: 501, dt: 0.02 },
  ];
  expect(momentAt(0, episodes)).toEqual({ part: 0, t: 0, alpha: 0 });
  expect(momentAt(1.9, episodes)).toMatchObject({ part: 0, t: 20, alpha: 0 });
  expect(momentAt(2, episodes)).toEqual({ part: 1, t: 0, alpha: 0 });
  expect(momentAt(3, episodes)).toMatchObject({ part: 1, t: 200 }); // four times as fast
  expect(momentAt(6, episodes)).toMatchObject({ part: 3, t: 0 });
  expect(momentAt(FILM.seconds, episodes)).toMatchObject({ part: 3, t: 500, alpha: 0 });
  expect(momentAt(FILM.seconds / 3, episodes.slice(0, 2))).toMatchObject({ part: 1 });
});
