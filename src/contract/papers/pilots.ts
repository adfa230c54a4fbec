/**
 * What a pilot of a paper measured on tuning seeds before its full form ran: whether the form can say anything, and what it costs. Kept in
 * `public/results/pilots/<id>.json` until the full runs are done, then in their result.
 */
import { z } from 'zod';
import { listOf } from '../kit/bounded.ts';

const hash = z.string().regex(/^[0-9a-f]{12}$/);

/** Core-minutes that a pilot may take. */
export const PILOT_MINUTES = 10;
/** Core-minutes that a full form may take, beside its pilot, unless its card says otherwise. */
export const FORM_MINUTES = 45;

export const boundSchema = z.object({ value: z.number(), from: z.string() });

export const pilotSchema = z.object({
  v: z.literal(1),
  id: z.string().regex(/^(P\d{3}|[a-z0-9]+(-[a-z0-9]+)*)$/),
  /** Hash of the form that it tried: the rule without looks, first seed and judge. */
  form: hash,
  commit: z.string(),
  date: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: z.int().min(1), os: z.string(), runtime: z.string() }),
  /** Tuning seeds. */
  seeds: listOf(z.int().min(0)).min(1),
  coreMinutes: z.number().min(0),
  /** Core-minutes of one seed of all arms; runs that arms share count once. */
  minutesPerSeed: z.number().min(0),
  /** Seeds of the looks for which there is room in the form's minutes; empty: for none. */
  looks: listOf(z.int().min(2)),
  arms: listOf(
    z.object({
      id: z.string(),
      /** Config hash of its runs. */
      config: hash,
      scores: listOf(z.number().nullable()),
      steps: z.int().min(0).nullable(),
      parameters: z.int().min(0).nullable(),
      /** Tokens that one run trained on; null: none are counted. */
      tokens: z.number().min(0).nullable(),
      /** Of all its seeds; runs shared with another arm stand in both. */
      coreMinutes: z.number().min(0),
      random: boundSchema.optional(),
      ceiling: boundSchema.optional(),
      /** How far up it ended from random play (0) to the ceiling (1); null: one of them is not known. */
      height: z.number().nullable(),
      /** Of that way, by how much the last fifth of training lies above the fifth before; null: not known. */
      rise: z.number().nullable(),
      /** Standard deviation over seeds; null below two. */
      spread: z.number().nullable(),
      /** Share of runs that never reached the level that is asked for. */
      censored: z.number().min(0).max(1),
      /** Whether its seeds end on two humps; null: too few seeds to see it. */
      humps: z.boolean().nullable(),
    }),
  ),
  contrasts: listOf(
    z.object({
      id: z.string(),
      /** On the pilot's seeds; null: they do not give it. */
      estimate: z.number().nullable(),
      /** Seeds an arm for the size at this spread; null: not counted for its kind, or no spread was seen. */
      seeds: z.number().nullable(),
      /** The least and the most that it can be, given budget and ceiling, with the rival as the pilot found it; null: no bound. */
      least: z.number().nullable(),
      most: z.number().nullable(),
    }),
  ),
  /** What a reader should know, in sentences. */
  warnings: listOf(z.string()),
  /** Why no full run of this form may start; empty: it may. */
  refused: listOf(z.string()),
});
export type Pilot = z.infer<typeof pilotSchema>;
export type PilotArm = Pilot['arms'][number];
