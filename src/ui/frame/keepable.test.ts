import { expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';
import { keepable, worldsIn } from './keepable.ts';

test('every world of a lesson is found, those of its runs too', () => {
  expect(
    worldsIn({ config: { env: { id: 'a' } }, steps: [{ arms: [{ config: { env: { id: 'b', config: {} } } }] }, { own: null }] }),
  ).toEqual(['a', 'b']);
  for (const lesson of lessons) expect(worldsIn(lesson).length, lesson.id).toBeGreaterThan(0);
});

test('pictures of a world and its trained policy come with it; English has no texts of its own', () => {
  expect(keepable(['cartpole'], ['explainers'], ['lessons'])).toEqual({
    worlds: ['cartpole'],
    parts: ['explainers'],
    files: ['pictures/cartpole-', 'pictures/dark/cartpole-', 'results/worlds/cartpole.policy'],
  });
});
