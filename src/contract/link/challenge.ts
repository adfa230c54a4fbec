/**
 * A challenge as text for a link: a world, the seed of one episode in it, and the return to beat there, by hand or by a policy that was trained for at
 * most so many steps. In a world of several agents it may hold a seat: one agent is played, a script or chance plays the others, and the agent's own
 * rewards count; without a seat a trained policy plays them all, and their sum counts. An attempt is a text of its own that anyone can prove: the actions of a game that is played again, or the settings of a training
 * that is done again and whose policy then plays the episode. No name is in either.
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import { crc32 } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import type { Json } from '../kit/json.ts';
import type { Replay } from '../run/events.ts';
import { damaged, type Sealed, sealJson, unsealJson } from './sealed.ts';

/** Steps of training that a page does again to prove an attempt; a challenge allows no more. */
export const MOST_BUDGET = 1_000_000;
/** Steps of a game that is played again. */
const MOST_MOVES = 20_000;
/** Different actions in one game: keys give few, an analogue stick too many for a text. */
const MOST_KINDS = 200;
const MOST_AGENTS = 4096;
const SEALED_CHALLENGE: Sealed = { what: 'challenge', format: 2, longest: 1500, largest: 16_384 };
const SEALED_ATTEMPT: Sealed = { what: 'attempt', format: 1, longest: 20_000, largest: 400_000 };

const seed = z.int().min(0).max(0xffff_ffff);
const ref = z.strictObject({ id: z.string().min(1).max(80), config: jsonObject });

export const challengeSchema = z.strictObject({
  env: ref,
  /** Of the episode. */
  seed,
  /** The return to beat. */
  score: z.number(),
  /** Steps that a policy may be trained for; 0: none, a person plays. */
  steps: z.int().min(0).max(MOST_BUDGET),
  title: z.string().trim().max(80),
  /** Whom one plays; `others`: the script that plays all others, '' for random actions. Missing: all agents, or the only one. */
  seat: z.strictObject({ agent: z.int().min(0).max(MOST_AGENTS), others: z.string().max(80) }).optional(),
});
export type Challenge = z.infer<typeof challengeSchema>;

const moves = z.strictObject({
  /** The different actions, in order of first use. */
  kinds: z.array(z.array(z.number()).min(1).max(64)).min(1).max(MOST_KINDS),
  /** Turns about: place of an action, and for how many steps it was taken. */
  runs: z
    .array(z.int().min(0).max(MOST_MOVES))
    .min(2)
    .max(2 * MOST_MOVES),
});

const attemptSchema = z.union([
  z.strictObject({ of: z.int(), score: z.number(), moves }),
  z.strictObject({ of: z.int(), score: z.number(), algo: ref, steps: z.int().min(1).max(MOST_BUDGET), seed }),
]);
export type Attempt = z.infer<typeof attemptSchema>;

/** Which challenge an attempt is for. */
export const markOf = ({ env, seed: first, seat }: Challenge): number =>
  crc32(utf8(canonicalJson({ env, seed: first, ...(seat !== undefined && { seat }) } as Json)));

/** One without a seat is as the first format has it: its link stays what it was, and old pages open it. */
export const encodeChallenge = (challenge: Challenge): string =>
  sealJson(challenge as Json, { format: challenge.seat === undefined ? 1 : SEALED_CHALLENGE.format });
export const encodeAttempt = (attempt: Attempt): string => sealJson(attempt as Json, SEALED_ATTEMPT);

export function decodeChallenge(packed: string): Challenge {
  const read = challengeSchema.safeParse(unsealJson(packed, SEALED_CHALLENGE), FIRST_ISSUE);
  if (read.success) return read.data;
  throw damaged('challenge', `${read.error.issues[0]?.path.join('.') || 'its content'} is not as it must be`);
}

export function decodeAttempt(packed: string): Attempt {
  const read = attemptSchema.safeParse(unsealJson(packed, SEALED_ATTEMPT), FIRST_ISSUE);
  if (!read.success) throw damaged('attempt', `${read.error.issues[0]?.path.join('.') || 'its content'} is not as it must be`);
  if ('moves' in read.data) actionsOf(read.data.moves);
  return read.data;
}

/** The attempts in a text that was pasted: each a word of it. Words that are none are told apart. */
export function attemptsIn(text: string): { readonly codes: readonly string[]; readonly others: number } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const codes = words.filter((word) => /^\d{1,4}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{6}$/.test(word));
  return { codes: [...new Set(codes)], others: words.length - codes.length };
}

/** The seat of a person among so many agents; `size`: numbers of its action, of which those of others may have more. */
export interface Seated {
  readonly agent: number;
  readonly agents: number;
  readonly size: number;
}

/**
 * What a person did in a game of one agent, or on a seat among several: of these the steps in which it moved, because others may move in turn. Throws
 * LabError('link-too-long') for a game that is no text.
 */
export function movesOf({ actions, reward, human }: Pick<Replay, 'actions' | 'reward' | 'human'>, seated?: Seated): z.infer<typeof moves> {
  const { agent, agents } = seated ?? { agent: 0, agents: 1 };
  const steps = reward.length / agents;
  const width = actions.length / Math.max(1, reward.length);
  const size = seated?.size ?? width;
  const kinds: number[][] = [];
  const places = new Map<string, number>();
  const runs: number[] = [];
  for (let t = 0; t < steps; t++) {
    if (seated !== undefined && human !== undefined && human[t] !== agent) continue;
    const from = (t * agents + agent) * width;
    const action = [...actions.subarray(from, from + size)];
    const key = action.join();
    const place = places.get(key) ?? places.set(key, kinds.push(action) - 1).get(key) ?? 0;
    if (runs.at(-2) === place) runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1;
    else runs.push(place, 1);
  }
  if (kinds.length > MOST_KINDS || steps > MOST_MOVES)
    throw fail('link-too-long', 'This game is too long for a text, or a stick moved too freely in it.', 'Play it with the keys.');
  return { kinds, runs };
}

/** The actions again, step by step. Throws LabError('link-damaged'). */
export function actionsOf({ kinds, runs }: z.infer<typeof moves>): readonly (readonly number[])[] {
  const actions: (readonly number[])[] = [];
  for (let i = 0; i < runs.length; i += 2) {
    const action = kinds[runs[i] ?? -1];
    const count = runs[i + 1];
    if (action === undefined || count === undefined || actions.length + count > MOST_MOVES)
      throw damaged('attempt', 'it names actions that it does not hold');
    for (let n = 0; n < count; n++) actions.push(action);
  }
  return actions;
}
