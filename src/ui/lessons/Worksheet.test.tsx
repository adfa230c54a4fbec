// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { lessons } from '#lessons/index.ts';
import { useLesson } from './state.ts';
import { WorksheetInPrint } from './Worksheet.tsx';

test('what came out is not printed beside what is still to be predicted', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const lesson = lessons.find(({ id }) => id === 'dilemma');
  if (lesson === undefined) throw new Error('There is no lesson on a dilemma.');
  const at = lesson.steps.findIndex(({ surprise, predict }) => surprise !== undefined && predict !== undefined);
  const told = lesson.steps[at]?.surprise ?? '';
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<WorksheetInPrint lesson={{ ...lesson, lang: 'en' }} />));
  const printed = async (answers: Readonly<Record<number, number>>): Promise<string> => {
    useLesson.setState({ answers });
    await act(async () => dispatchEvent(new Event('beforeprint')));
    const text = document.body.textContent ?? '';
    await act(async () => dispatchEvent(new Event('afterprint')));
    return text;
  };
  expect(await printed({})).toContain(lesson.title);
  expect(await printed({})).not.toContain(told);
  expect(await printed({ [at]: 1 })).toContain(told);
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
