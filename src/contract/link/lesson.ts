/**
 * A lesson made on the page, as text for a link: `1.<base64url(deflate(canonical JSON))>.<CRC-32>`. It carries everything: the set-up as
 * far as it differs from the defaults, the controls that show, and plain text, which is shown as text and never read as HTML. All of it is
 * bounded before it is decoded. Throws LabError('link-damaged', 'link-future', 'link-too-long').
 */

import { deflateSync } from 'fflate';
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import { crc32, fromBase64Url, toBase64Url } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { type Json, readJson } from '../kit/json.ts';

/** Characters that a lesson may have within an address. */
export const LONGEST_LESSON = 1800;
const LARGEST_JSON = 32_768;
const FORMAT = 1;

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

const crcOf = (body: string): string => {
  const crc = crc32(utf8(body));
  return toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc));
};

/** The text of a lesson, whatever its length: `LONGEST_LESSON` is what a link may hold. */
export function encodeLesson(lesson: OwnLesson): string {
  const body = `${FORMAT}.${toBase64Url(deflateSync(utf8(canonicalJson(lesson as Json)), { level: 9 }))}`;
  return `${body}.${crcOf(body)}`;
}

export function decodeLesson(packed: string): OwnLesson {
  if (packed.length > LONGEST_LESSON) {
    throw fail(
      'link-too-long',
      `This lesson has ${packed.length} characters; a lesson has at most ${LONGEST_LESSON}.`,
      'Ask for the link again.',
    );
  }
  const [, format = '', payload = '', crc = ''] = /^(\d{1,4})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{6})$/.exec(packed) ?? [];
  if (format === '') throw damaged('its end is missing or characters were changed on the way');
  if (crcOf(`${format}.${payload}`) !== crc) throw damaged('its checksum does not match');
  if (Number(format) !== FORMAT)
    throw fail('link-future', `This lesson has format ${Number(format)}; this page knows format ${FORMAT}.`, 'Reload the page.');
  const bytes = fromBase64Url(payload);
  let content: Json;
  try {
    content = readJson(inflate(bytes ?? new Uint8Array(), LARGEST_JSON));
  } catch {
    throw damaged('its content cannot be unpacked');
  }
  const lesson = ownLessonSchema.safeParse(content, FIRST_ISSUE);
  if (lesson.success) return lesson.data;
  throw damaged(`${lesson.error.issues[0]?.path.join('.') || 'its content'} is not as it must be`);
}

function damaged(why: string): LabError {
  return fail('link-damaged', `The link of this lesson is damaged: ${why}.`, 'Copy the whole link again.');
}
