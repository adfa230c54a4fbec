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

test('what was predicted stays from the moment a run of the step began, whatever is set or opened afterwards', () => {
  const { open, startOver } = useLesson.getState();
  open(bandit);
  startOver();
  useLesson.getState().answer(1, 0);
  useLesson.getState().answer(1, 2);
  expect(useLesson.getState().answers[1]).toBe(2); // no run yet: minds may change
  useLesson.getState().run(1);
  useLesson.getState().answer(1, 0);
  useLesson.getState().answer(2, [1, 2]);
  expect(useLesson.getState().answers).toEqual({ 1: 2, 2: [1, 2] });
  open(bandit); // as after a reload
  useLesson.getState().answer(1, 0);
  expect(useLesson.getState()).toMatchObject({ answers: { 1: 2 }, ran: [1] });
});
