// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { bandit } from '#lessons/bandit.ts';
import { useLesson } from './state.ts';

test('a step keeps the moment at which it was first shown, over a reload and until the lesson is started over', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(100);
  useLesson.getState().open(bandit);
  clock.mockReturnValue(200);
  useLesson.getState().show(4);
  clock.mockReturnValue(300);
  useLesson.getState().show(4);
  expect(useLesson.getState().shown).toEqual({ 4: 200 });
  useLesson.getState().open(bandit); // as after a reload
  expect(useLesson.getState()).toMatchObject({ begun: 100, shown: { 4: 200 } });
  useLesson.getState().startOver();
  expect(useLesson.getState()).toMatchObject({ begun: 300, shown: {} });
});
