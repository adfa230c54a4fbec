/**
 * An own card: a question, arms, contrasts and seeds, as text for a link: `FORMAT.<base64url(deflate(canonical JSON))>.<CRC-32>`. It is
 * judged by the rule of the papers. Texts are plain text. All of it is bounded before it is decoded, and nothing in it is code. Throws
 * LabError('link-damaged', 'link-future', 'link-too-long').
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import type { Json } from '../kit/json.ts';
import { sha256 } from '../run/config-hash.ts';
import { damaged, type Sealed, sealJson, unsealJson } from './sealed.ts';

/** Characters that a card may have within an address. */
export const LONGEST_CARD = 3_600;
const FORMAT = 1;
const SEALED: Sealed = { what: 'card', format: FORMAT, longest: LONGEST_CARD, largest: 65_536 };

/** Characters of its texts at most. */
export const CARD_TEXT = { title: 120, question: 400, arm: 80, quantity: 80, note: 600 } as const;
export const MOST_CARD_ARMS = 8;
export const MOST_CARD_CONTRASTS = 3;
/** Seeds of an arm at most. */
export const MOST_CARD_SEEDS = 40;
/** Settings that are longer are code or a robot, which a card does not carry. */
const LONGEST_SETTING = 200;

/** What a run is compared by, of the numbers that a run of any method has; and what a curve gives. */
export const CARD_OUTCOMES = ['finalReturn', 'evalReturn', 'bestReturn', 'sampledReturn'] as const;
/** Checks that a card may leave out (math/verdict-facts.ts). */
export const CARD_CHECKS = ['random', 'ceiling', 'headroom', 'rising', 'competence', 'acts', 'steps', 'parameters', 'trials'] as const;
export const CARD_TAKES = ['last', 'best', 'mean'] as const;

const text = (longest: number): z.ZodString => z.string().trim().min(1).max(longest);
const name = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/** Characters of the longest text anywhere in a value. */
const longest = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((most, one) => Math.max(most, longest(one)), 0)
      : 0;
const settings = jsonObject.refine((value) => longest(value) <= LONGEST_SETTING, 'A card carries no code and no robot.');
const part = z.strictObject({ id: z.string().min(1).max(80).optional(), version: z.int().min(1).optional(), config: settings.optional() });
const whole = part.extend({ id: z.string().min(1).max(80) });

const arm = z.strictObject({
  id: name,
  title: text(CARD_TEXT.arm),
  differs: z.strictObject({ env: part.optional(), algo: part.optional(), run: settings.optional() }).optional(),
  /** A script of the environment plays in place of a learner. */
  script: text(80).optional(),
});

const quantity = z.union([
  z.strictObject({ title: text(CARD_TEXT.quantity), of: z.enum(CARD_OUTCOMES) }),
  z.strictObject({ title: text(CARD_TEXT.quantity), metric: text(80), take: z.enum(CARD_TAKES) }),
]);

/** Of a paper's card, kept as they are where one is made of it; see math/contrasts.ts. */
const kept = {
  control: z.boolean().optional(),
  premise: z.boolean().optional(),
  paired: z.boolean().optional(),
  middle: z.enum(['iqm', 'median', 'mean']).optional(),
  share: z.union([z.strictObject({ atLeast: z.number() }), z.strictObject({ atMost: z.number() })]).optional(),
};
const claimed = { id: text(80), claim: z.enum(['above', 'below']), size: z.number().optional(), ...kept };
const contrast = z.discriminatedUnion('kind', [
  z.strictObject({ ...claimed, kind: z.literal('difference'), arm: name, over: name, none: z.number().optional() }),
  z.strictObject({ ...claimed, kind: z.literal('ratio'), arm: name, over: name, none: z.number().optional() }),
  z.strictObject({ ...claimed, kind: z.literal('level'), arm: name, none: z.number() }),
]);

export const ownCardSchema = z.strictObject({
  title: text(CARD_TEXT.title),
  /** The question that the contrasts answer. */
  question: text(CARD_TEXT.question),
  author: z.string().max(CARD_TEXT.arm).optional(),
  /** What is smaller or otherwise than where the question comes from, and why. */
  note: z.string().max(CARD_TEXT.note).optional(),
  /** The paper of the list whose card it was made from. */
  after: z
    .string()
    .regex(/^P\d{3}$/)
    .optional(),
  config: z.strictObject({ env: whole, algo: whole, run: settings.optional() }),
  arms: z.array(arm).min(1).max(MOST_CARD_ARMS),
  quantity,
  contrasts: z.tuple([contrast], contrast).refine((all) => all.length <= MOST_CARD_CONTRASTS),
  better: z.enum(['more', 'less']),
  /** Seeds an arm at each look, rising: later ones are run only where the earlier leave it open. */
  looks: z.array(z.int().min(5).max(MOST_CARD_SEEDS)).min(1).max(4),
  firstSeed: z
    .int()
    .min(1001)
    .max(2 ** 31),
  /** Checks that are not asked of its arms, each with its reason: what is compared differs in it by its nature. */
  exempt: z
    .array(z.strictObject({ check: z.enum(CARD_CHECKS), arms: z.array(name).min(1).max(MOST_CARD_ARMS), why: text(CARD_TEXT.note) }))
    .max(8)
    .optional(),
  /** First and last seed that settings were chosen on. */
  tunedOn: z.tuple([z.int().min(0), z.int().min(0)]).optional(),
});
export type OwnCard = z.infer<typeof ownCardSchema>;

const issueOf = (error: z.ZodError): string => {
  const { path = [], message = '' } = error.issues[0] ?? {};
  return `${path.join('.') || 'its content'} is not as it must be (${message})`;
};

/** The text of a card, whatever its length: `LONGEST_CARD` is what a link may hold. */
export const encodeCard = (card: OwnCard): string => sealJson(card as Json, { format: FORMAT });

export function decodeCard(packed: string): OwnCard {
  const card = ownCardSchema.safeParse(unsealJson(packed, SEALED), FIRST_ISSUE);
  if (card.success) return card.data;
  throw damaged(SEALED.what, issueOf(card.error));
}

/** A card from a file. Throws LabError('file-invalid') naming the field. */
export function cardOfJson(json: Json): OwnCard {
  const card = ownCardSchema.safeParse(json, FIRST_ISSUE);
  if (card.success) return card.data;
  const field = card.error.issues[0]?.path.join('.') ?? '';
  throw fail('file-invalid', `This card cannot be read: ${issueOf(card.error)}.`, 'See "A card of your own" in docs/sweeps.md.', field);
}

/** Names a card: two cards that say different things are two cards. */
export const cardId = (card: OwnCard): string => `own-${sha256(utf8(canonicalJson(card as Json))).slice(0, 8)}`;
