/** A lesson that a teacher made from a set-up, as its link carries it (contract/link/lesson.ts): the same as those of the course. */
import { utf8 } from '#contract/kit/canonical.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeLesson, MOST_LESSON_SEEDS, type OwnLesson, type OwnStep } from '#contract/link/lesson.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import type { Check, Lesson, Prediction, Step } from './define.ts';

/** As `t` of src/text, which shows the sentences that are made here in the reader's language. */
export type Say = (english: string, values?: Readonly<Record<string, string | number>>) => string;
const inEnglish: Say = (english, values = {}) => english.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** `packed` names it: two lessons whose texts differ are two lessons. */
export function lessonOf(own: OwnLesson, packed: string, t: Say = inEnglish): Lesson {
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
      ({ title, say, run: runs, set, show = own.show, arms, ask, surprise, play, picture, measure, hides }, i): Step => ({
        title,
        say,
        show: runs ? show.filter((path) => own.show.includes(path)) : [],
        ...(play && { play }),
        ...(picture !== undefined && { picture }),
        ...(measure !== undefined && { measure }),
        ...(hides !== undefined && { hidePayouts: hides === 'step' ? (true as const) : hides }),
        ...(ask !== undefined && { predict: predictionOf(ask, arms !== undefined || runs === true) }),
        ...(arms !== undefined && { arms: arms.map(({ label, config }) => ({ label, config: config as JsonObject })) }),
        ...(surprise !== undefined && { surprise }),
        ...(runs ? { own: [{ label: own.show.length > 0 ? t('my settings') : t('the run'), config: (set ?? {}) as JsonObject }] } : {}),
        ...(i === last && own.check !== undefined ? { check: checkOf(own.check, t) } : {}),
      }),
    ),
    teacher: [],
    extend: '',
  };
}

function predictionOf(asked: NonNullable<OwnStep['ask']>, runs: boolean): Prediction {
  if (!('kind' in asked)) {
    const { ask, options, came } = asked;
    const answer =
      came === 'least' ? { least: true as const } : came === 'most' ? { most: true as const } : came && { arm: 0, bounds: came };
    return { kind: 'choice', ask, options, ...(answer && runs && { answer }) };
  }
  if (asked.kind === 'sketch') return { ...asked, x: asked.x.map(String) };
  const { arm, ...rest } = asked;
  return { ...rest, ...(arm !== undefined && { answer: { arm } }) };
}

function checkOf({ measure, of, min, max }: NonNullable<OwnLesson['check']>, t: Say): Check {
  const range =
    min !== undefined && max !== undefined
      ? t('at least {min} and at most {max}', { min, max })
      : min !== undefined
        ? t('at least {min}', { min })
        : t('at most {max}', { max: max ?? 0 });
  const say =
    measure === 'evalReturn'
      ? of === 'each'
        ? t('a greedy return of {range} on every seed', { range })
        : t('a greedy return of {range} as the mean over seeds', { range })
      : of === 'each'
        ? t('a return at the end of {range} on every seed', { range })
        : t('a return at the end of {range} as the mean over seeds', { range });
  return { say, measure, of, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Throws LabError for a text that is no lesson. */
export const readOwnLesson = (packed: string, t?: Say): Lesson => lessonOf(decodeLesson(packed), packed, t);
