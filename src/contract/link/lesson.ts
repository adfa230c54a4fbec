/**
 * A lesson made on the page, as text for a link: `1.<base64url(deflate(canonical JSON))>.<CRC-32>`. It carries everything: the set-up as
 * far as it differs from the defaults, the controls that show, and plain text, which is shown as text and never read as HTML. All of it is
 * bounded before it is decoded. Throws LabError('link-damaged', 'link-future', 'link-too-long').
 */

import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import type { Json } from '../kit/json.ts';
import { damaged, type Sealed, sealJson, unsealJson } from './sealed.ts';

/** Characters that a lesson may have within an address. */
export const LONGEST_LESSON = 1800;
const SEALED: Sealed = { what: 'lesson', format: 1, longest: LONGEST_LESSON, largest: 32_768 };

export const MOST_LESSON_STEPS = 6;
export const MOST_CONTROLS = 6;
/** Characters of its texts at most. */
export const LESSON_TEXT = { title: 80, goal: 200, step: 60, say: 600, ask: 200, option: 80 } as const;
/** Seeds of its runs at most: a result code holds them all. */
export const MOST_LESSON_SEEDS = 20;

const ref = z.strictObject({
  id: z.string().min(1).max(80),
  version: z.int().min(1).optional(),
  config: jsonObject.optional(),
});
const text = (longest: number): z.ZodString => z.string().trim().min(1).max(longest);

export const ownLessonSchema = z.strictObject({
  title: text(LESSON_TEXT.title),
  goal: z.string().max(LESSON_TEXT.goal),
  env: ref,
  algo: ref,
  run: jsonObject.optional(),
  /** Paths of the controls that show in the steps with a run. */
  show: z
    .array(
      z
        .string()
        .max(80)
        .regex(/^(env|algo|run)(\.[A-Za-z0-9_]+)+$/)
        .refine((path) => !path.split('.').some((key) => key in Object.prototype)),
    )
    .max(MOST_CONTROLS),
  steps: z
    .array(
      z.strictObject({
        title: text(LESSON_TEXT.step),
        say: text(LESSON_TEXT.say),
        /** The pupil sets the controls and trains. */
        run: z.literal(true).optional(),
        /** Asked before the run. */
        ask: z.strictObject({ ask: text(LESSON_TEXT.ask), options: z.array(text(LESSON_TEXT.option)).min(2).max(5) }).optional(),
      }),
    )
    .min(1)
    .max(MOST_LESSON_STEPS),
  /** What the run of the last step with one must reach. */
  check: z
    .strictObject({
      measure: z.enum(['finalReturn', 'evalReturn']),
      of: z.enum(['each', 'mean']),
      min: z.number().optional(),
      max: z.number().optional(),
    })
    .refine(({ min, max }) => min !== undefined || max !== undefined)
    .optional(),
});
export type OwnLesson = z.infer<typeof ownLessonSchema>;

/** The text of a lesson, whatever its length: `LONGEST_LESSON` is what a link may hold. */
export function encodeLesson(lesson: OwnLesson): string {
  return sealJson(lesson as Json, SEALED);
}

export function decodeLesson(packed: string): OwnLesson {
  const lesson = ownLessonSchema.safeParse(unsealJson(packed, SEALED), FIRST_ISSUE);
  if (lesson.success) return lesson.data;
  throw damaged(SEALED.what, `${lesson.error.issues[0]?.path.join('.') || 'its content'} is not as it must be`);
}
