/**
 * A lesson made on the page, as text for a link: `FORMAT.<base64url(deflate(canonical JSON))>.<CRC-32>`. It carries everything: the set-up as
 * far as it differs from the defaults, the controls that show, and plain text, which is shown as text and never read as HTML. All of it is
 * bounded before it is decoded. Throws LabError('link-damaged', 'link-future', 'link-too-long').
 */

import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import type { Json } from '../kit/json.ts';
import { damaged, type Sealed, sealJson, unsealJson } from './sealed.ts';

/** Characters that a lesson may have within an address. */
export const LONGEST_LESSON = 1800;
/** Of a lesson with nothing but what the first format had: its link stays what it was, and old pages open it. */
const PLAIN = 1;
/** With prepared runs, questions of other kinds than a choice, pictures. */
const RUNS = 2;
/** With what the stage hides. */
const FORMAT = 3;
const SEALED: Sealed = { what: 'lesson', format: FORMAT, longest: LONGEST_LESSON, largest: 32_768 };

export const MOST_LESSON_STEPS = 7;
/** Prepared runs of a step. */
export const MOST_LESSON_RUNS = 4;
/** Places of a sketch: more than runs, of which one run each would be a place. */
const SKETCH_PLACES = [5, 12] as const;
export const MOST_CONTROLS = 6;
/** Characters of its texts at most. */
export const LESSON_TEXT = { title: 80, goal: 200, step: 60, say: 600, ask: 200, option: 80, run: 40, unit: 24 } as const;
/** Seeds of its runs at most: a result code holds them all. */
export const MOST_LESSON_SEEDS = 20;

const ref = z.strictObject({
  id: z.string().min(1).max(80),
  version: z.int().min(1).optional(),
  config: jsonObject.optional(),
});
const text = (longest: number): z.ZodString => z.string().trim().min(1).max(longest);

const path = z
  .string()
  .max(80)
  .regex(/^(env|algo|run)(\.[A-Za-z0-9_]+)+$/)
  .refine((name) => !name.split('.').some((key) => key in Object.prototype));
const config = z.strictObject({
  env: jsonObject.optional(),
  algo: jsonObject.optional(),
  run: jsonObject.optional(),
});
const range = { min: z.number(), max: z.number() };
const rises = ({ min, max }: { readonly min: number; readonly max: number }): boolean => min < max;

/** A choice, as the first format has it, or one of the two other kinds of questions. */
const ask = z.union([
  z.strictObject({
    ask: text(LESSON_TEXT.ask),
    options: z.array(text(LESSON_TEXT.option)).min(2).max(5),
    /** Which option came out: that of the prepared run with the least or the most, or between which borders the first run lies. */
    came: z.union([z.enum(['least', 'most']), z.array(z.number()).min(1).max(4)]).optional(),
  }),
  z
    .strictObject({
      kind: z.literal('number'),
      ask: text(LESSON_TEXT.ask),
      unit: text(LESSON_TEXT.unit),
      ...range,
      /** Which of the step's runs answers it, from 0. */
      arm: z
        .int()
        .min(0)
        .max(MOST_LESSON_RUNS - 1)
        .optional(),
    })
    .refine(rises, { path: ['max'] }),
  z
    .strictObject({
      kind: z.literal('sketch'),
      ask: text(LESSON_TEXT.ask),
      /** Steps of training at which the curve is drawn. */
      x: z.array(z.int().min(0)).min(SKETCH_PLACES[0]).max(SKETCH_PLACES[1]),
      y: text(LESSON_TEXT.unit),
      ...range,
    })
    .refine(rises, { path: ['max'] }),
]);

const step = z.strictObject({
  title: text(LESSON_TEXT.step),
  say: text(LESSON_TEXT.say),
  /** The pupil sets the controls and trains. */
  run: z.literal(true).optional(),
  /** What the pupil's run has in place of the lesson's settings. */
  set: config.optional(),
  /** Which of the lesson's controls show here; missing: all of them. */
  show: z.array(path).max(MOST_CONTROLS).optional(),
  /** Runs that are prepared: their settings go over those of the lesson. */
  arms: z
    .array(z.strictObject({ label: text(LESSON_TEXT.run), config }))
    .min(1)
    .max(MOST_LESSON_RUNS)
    .refine((arms) => new Set(arms.map(({ label }) => label)).size === arms.length)
    .optional(),
  /** Asked before the run. */
  ask: ask.optional(),
  /** Asked where prediction and outcome differ. */
  surprise: text(LESSON_TEXT.ask).optional(),
  /** Played by hand first. */
  play: z.literal(true).optional(),
  /** A picture of a world. */
  picture: z.strictObject({ env: z.string().min(1).max(80), preset: z.string().min(1).max(80) }).optional(),
  /** What the levers of a bandit pay is hidden: in the whole step, or until a run began and what was predicted stays. */
  hides: z.enum(['step', 'predicted']).optional(),
  /** What its runs are judged by; missing: what they earned while learning, at the end. */
  measure: z.literal('evalReturn').optional(),
});

export const ownLessonSchema = z.strictObject({
  title: text(LESSON_TEXT.title),
  goal: z.string().max(LESSON_TEXT.goal),
  env: ref,
  algo: ref,
  run: jsonObject.optional(),
  /** Paths of the controls that show in the steps with a run. */
  show: z.array(path).max(MOST_CONTROLS),
  steps: z.array(step).min(1).max(MOST_LESSON_STEPS),
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
export type OwnStep = OwnLesson['steps'][number];

const PLAIN_STEP: ReadonlySet<string> = new Set(['title', 'say', 'run', 'ask']);
/** Whether the first format holds it. */
const isPlain = ({ steps }: OwnLesson): boolean =>
  steps.length <= 6 &&
  steps.every(
    (one) =>
      Object.keys(one).every((name) => PLAIN_STEP.has(name)) &&
      (one.ask === undefined || ('options' in one.ask && one.ask.came === undefined)),
  );

/** The text of a lesson, whatever its length: `LONGEST_LESSON` is what a link may hold. */
export function encodeLesson(lesson: OwnLesson): string {
  return sealJson(lesson as Json, {
    format: isPlain(lesson) ? PLAIN : lesson.steps.every(({ hides }) => hides === undefined) ? RUNS : FORMAT,
  });
}

export function decodeLesson(packed: string): OwnLesson {
  const lesson = ownLessonSchema.safeParse(unsealJson(packed, SEALED), FIRST_ISSUE);
  if (lesson.success) return lesson.data;
  throw damaged(SEALED.what, `${lesson.error.issues[0]?.path.join('.') || 'its content'} is not as it must be`);
}
