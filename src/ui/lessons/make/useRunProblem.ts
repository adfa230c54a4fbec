/** Whether every run of a lesson can be started as it is written: a setting may have a value that its world or method refuses. */
import { useEffect, useState } from 'react';
import { toFailure } from '#contract/kit/errors.ts';
import type { OwnLesson } from '#contract/link/lesson.ts';
import { lessonOf } from '#lessons/own.ts';
import { t } from '#text/text.ts';
import { configOf } from '../arms.ts';

/** ms: not at every letter. */
const PAUSE = 300;

/** '' : none, or not looked at yet. */
export function useRunProblem(own: OwnLesson | null): string {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let live = true;
    const look = async (): Promise<string> => {
      const lesson = own === null ? null : lessonOf(own, '');
      for (const [i, step] of (lesson?.steps ?? []).entries())
        for (const arm of [...(step.arms ?? []), ...(step.own ?? [])]) {
          try {
            if (lesson !== null) await configOf(lesson, arm);
          } catch (error) {
            const { message, fix } = toFailure(error);
            return t('Step {n}, run “{run}”: {problem}', { n: i + 1, run: arm.label, problem: `${message} ${fix}` });
          }
        }
      return '';
    };
    const timer = setTimeout(() => void look().then((found) => live && setProblem(found)), PAUSE);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [own]);
  return problem;
}
