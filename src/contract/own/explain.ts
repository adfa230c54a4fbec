/** Explanations as a sandbox gives them: what every panel draws (explain-api.ts), and the findings of the explainers whose panels look at them. */
import { z } from 'zod';
import { AIMS, ATTACK } from '../explain/attack.ts';
import { COUNTERFACTUAL } from '../explain/counterfactual.ts';
import type { Answer, AnswerData } from '../explain/explain-api.ts';
import { FIRST_ISSUE } from '../kit/bounded.ts';
import { count, anyNumber as number, replaySchema, words } from './lab.ts';

const numbers = (most: number) => z.array(number).max(most);
const interval = { value: number, halfWidth: number.nullable() };
const labels = (most: number) => z.array(words(200)).max(most);
const agent = count(10_000).nullable();

const dataSchema: z.ZodType<AnswerData> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('bars'),
    bars: z.array(z.strictObject({ ...interval, label: words(200), agent })).max(5000),
  }),
  z
    .strictObject({
      kind: z.literal('matrix'),
      rows: labels(300),
      columns: labels(300),
      values: numbers(90_000),
      halfWidth: numbers(90_000).nullable(),
    })
    .refine(({ rows, columns, values }) => values.length === rows.length * columns.length, 'values that do not fit'),
  z.strictObject({
    kind: z.literal('series'),
    x: words(100),
    lines: z
      .array(z.strictObject({ label: words(200), agent, x: numbers(10_000), y: numbers(10_000), halfWidth: numbers(10_000).nullable() }))
      .max(300),
  }),
  z
    .strictObject({
      kind: z.literal('tree'),
      moves: z
        .array(
          z.strictObject({
            parent: z.int().min(-1).max(20_000),
            label: words(200),
            visits: count(1e9),
            value: number,
            prior: number.nullable(),
            over: z.boolean(),
          }),
        )
        .max(20_000),
    })
    .refine(({ moves }) => moves.every(({ parent }, i) => parent < i), 'moves before their parents'),
  z.strictObject({
    kind: z.literal('replays'),
    sides: z.array(z.strictObject({ ...interval, label: words(200), returns: numbers(10_000), replay: replaySchema })).max(10),
    difference: z.strictObject(interval),
  }),
]);

const future = z.strictObject({ returns: numbers(10_000), mean: number, halfWidth: number, replay: replaySchema });
const counterfactual = z.strictObject({
  asItWas: future,
  changed: future,
  difference: number,
  differenceHalfWidth: number,
  steps: count(1e12),
});
const attack = z.strictObject({
  question: z.strictObject({ eps: number, steps: count(10_000), episodes: count(100_000), aim: z.enum(AIMS).exactOptional() }),
  clean: number,
  noise: number,
  attacked: number,
  halfWidth: number,
  flipped: number,
  moved: z.literal(true).exactOptional(),
  gradient: z.enum(['exact', 'measured']),
});
const details: { readonly [explainer: string]: z.ZodType | undefined } = { [COUNTERFACTUAL.id]: counterfactual, [ATTACK.id]: attack };

const answerSchema = z.strictObject({
  explainer: words(60),
  title: words(300),
  unit: words(60),
  words: z.array(words(2000)).max(40),
  t: count(1e9).nullable(),
  end: z.enum(['running', 'done', 'cancelled']),
  data: dataSchema,
  detail: z.unknown(),
});

/** An answer of this explainer about replays of this environment, without findings that no panel reads; null: it is none. */
export function readAnswer(said: unknown, explainer: string, env: string): Answer | null {
  const read = answerSchema.safeParse(said, FIRST_ISSUE);
  if (!read.success || read.data.explainer !== explainer) return null;
  const { detail, ...answer } = read.data;
  const known = details[explainer]?.safeParse(detail, FIRST_ISSUE);
  if (known?.success === false) return null;
  const { data } = answer;
  const found = known?.data ?? null;
  const replays = [...(data.kind === 'replays' ? data.sides.map(({ replay }) => replay) : []), ...replaysOf(found)];
  return replays.every((replay) => replay.env.id === env) ? { ...answer, detail: found } : null;
}

const replaysOf = (found: unknown): readonly z.infer<typeof replaySchema>[] => {
  const read = counterfactual.safeParse(found, FIRST_ISSUE);
  return read.success ? [read.data.asItWas.replay, read.data.changed.replay] : [];
};
