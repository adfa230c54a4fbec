/** A lesson that a teacher made from a set-up, as its link carries it (contract/link-lesson.ts): the same as those of the course. */
import { utf8 } from '#contract/canonical.ts';
import { sha256 } from '#contract/config-hash.ts';
import type { JsonObject } from '#contract/json.ts';
import { decodeLesson, MOST_LESSON_SEEDS, type OwnLesson } from '#contract/link-lesson.ts';
import type { Check, Lesson, Measure, Step } from './define.ts';

const WORDS: { readonly [M in Measure]: string } = { finalReturn: 'return at the end', evalReturn: 'greedy return' };

/** `packed` names it: two lessons whose texts differ are two lessons. */
export function lessonOf(own: OwnLesson, packed: string): Lesson {
  const last = own.steps.findLastIndex(({ run }) => run === true);
  const { executor: _, seeds = 5, ...run } = own.run ?? {};
  return {
    id: `own-${sha256(utf8(packed)).slice(0, 8)}`,
    version: 1,
    title: own.title,
    goal: own.goal,
    belief: '',
    minutes: [10, 20],
    age: '',
    config: {
      env: { version: 1, ...own.env } as JsonObject,
      algo: { version: 1, ...own.algo } as JsonObject,
      // The exact executor only: results are compared bit for bit.
      run: { ...run, seeds: Math.min(MOST_LESSON_SEEDS, Number(seeds)) },
    },
    steps: own.steps.map(
      ({ title, say, run: runs, ask }, i): Step => ({
        title,
        say,
        show: runs ? own.show : [],
        ...(ask === undefined ? {} : { predict: { kind: 'choice', ...ask } }),
        ...(runs ? { own: [{ label: own.show.length > 0 ? 'my settings' : 'the run', config: {} }] } : {}),
        ...(i === last && own.check !== undefined ? { check: checkOf(own.check) } : {}),
      }),
    ),
    teacher: [],
    extend: '',
  };
}

function checkOf({ measure, of, min, max }: NonNullable<OwnLesson['check']>): Check {
  const range = [min === undefined ? '' : `at least ${min}`, max === undefined ? '' : `at most ${max}`]
    .filter((part) => part !== '')
    .join(' and ');
  const say = `a ${WORDS[measure]} of ${range} ${of === 'each' ? 'on every seed' : 'as the mean over seeds'}`;
  return { say, measure, of, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Throws LabError for a text that is no lesson. */
export const readOwnLesson = (packed: string): Lesson => lessonOf(decodeLesson(packed), packed);
