/**
 * What the page and a sandbox with a person's code say to each other: texts of JSON. What comes out of a sandbox may be anything, so it is read
 * by the strict, bounded schemas below and by nothing else; numbers in arrays travel as base64 of their bytes.
 */
import { z } from 'zod';
import { type FrameLayout, frameSize } from '../game/frames.ts';
import { FIRST_ISSUE } from '../kit/bounded.ts';
import { fromBase64 } from '../kit/bytes.ts';
import { readJson } from '../kit/json.ts';
import { layoutSchema, tameFrames } from './sandbox-layouts.ts';

/** Characters of one message from a sandbox; the frame between ends a sandbox that sends more. */
export const LONGEST_MESSAGE = 8_000_000;

const words = (most: number) => z.string().max(most);
const finite = z.number();
const count = (most: number) => z.int().min(0).max(most);

const failure = z.strictObject({ message: words(1100), fix: words(1100), field: words(200).exactOptional() });

const settingSchema = z.strictObject({
  name: words(60),
  /** Whose it is: the person's world, reward or player; the environment of the catalogue under it; or the person's method. */
  of: z.enum(['own', 'base', 'method']),
  title: words(300),
  about: words(300),
  unit: words(60).exactOptional(),
  value: z.union([finite, z.boolean(), words(100)]),
  min: finite.exactOptional(),
  max: finite.exactOptional(),
  whole: z.boolean().exactOptional(),
  options: z.array(words(100)).max(50).exactOptional(),
});

const titled = z.strictObject({ id: words(60), title: words(300) });

const worldSchema = z.strictObject({
  kind: z.enum(['world', 'reward', 'player', 'method']),
  id: words(40),
  title: words(400),
  about: words(1000),
  /** The environment of the catalogue that a reward or player is for, or in which a method is tried first. */
  base: titled.exactOptional(),
  layout: layoutSchema,
  /** Who moves there. */
  agents: count(10_000),
  /** The first of their names. */
  agentNames: z.array(words(60)).max(100),
  settings: z.array(settingSchema).max(200),
  actions: z.array(words(100)).max(1000),
  sees: words(200),
  /** How code names the numbers that are seen; empty for those without a name. */
  names: z.array(words(60)).max(1000),
  maxSteps: count(1_000_000_000),
  fps: finite.min(0.1).max(240),
  methods: z.array(titled).max(200),
  recommended: z.strictObject({ algo: words(60), steps: count(1e10) }),
  /** Scripted policies; a person's player is the first, under the name 'mine'. */
  policies: z.array(words(60)).max(40),
  /** Whether players may take seats there. */
  seats: z.boolean(),
  /** What a person's method measures of itself. */
  metrics: z.array(titled).max(20),
});

const findingSchema = z.strictObject({
  id: words(20),
  title: words(200),
  verdict: z.enum(['holds', 'note', 'fault']),
  words: words(2500),
});

const episodeSchema = z.strictObject({
  layout: layoutSchema,
  /** float32 [n, F] */
  frames: words(LONGEST_MESSAGE),
  /** float32 [n - 1] */
  rewards: words(LONGEST_MESSAGE),
  ended: z.enum(['terminated', 'truncated', 'cut']),
});

const resultSchema = z.strictObject({
  evalReturn: finite.nullable(),
  /** The same episodes under the environment's own reward, where a person's reward stands over it. */
  oldReturn: finite.nullable(),
  finalReturn: finite.nullable(),
  steps: count(1e10),
  seconds: finite,
  stepsPerSecond: finite,
  parameterHash: words(64),
});

/** Some episodes of one player, all from the same starts. */
const scoreSchema = z.strictObject({
  who: words(60),
  returns: z.array(finite).min(1).max(200),
  old: finite.nullable(),
});

/** Everything a sandbox may say. */
export const saidSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), world: worldSchema }),
  /** The same for the laboratory, which asks in its own way from then on (own-lab.ts). */
  z.strictObject({ kind: z.literal('opened') }),
  z.strictObject({ kind: z.literal('refused'), failure, line: count(1_000_000).nullable() }),
  z.strictObject({ kind: z.literal('failed'), id: count(1e9), failure }),
  z.strictObject({ kind: z.literal('checked'), id: count(1e9), findings: z.array(findingSchema).max(20) }),
  z.strictObject({ kind: z.literal('played'), id: count(1e9), episode: episodeSchema }),
  z.strictObject({ kind: z.literal('scored'), id: count(1e9), scores: z.array(scoreSchema).max(20) }),
  z.strictObject({
    kind: z.literal('progress'),
    id: count(1e9),
    step: count(1e10),
    return: finite.nullable(),
    old: finite.nullable(),
    metrics: z.array(finite.nullable()).max(20),
    stepsPerSecond: finite,
  }),
  z.strictObject({ kind: z.literal('saved'), id: count(1e9), step: count(1e10), state: words(LONGEST_MESSAGE) }),
  z.strictObject({ kind: z.literal('trained'), id: count(1e9), result: resultSchema }),
  z.strictObject({ kind: z.literal('pong'), id: count(1e9) }),
]);
export type Said = z.infer<typeof saidSchema>;
export type OwnCard = z.infer<typeof worldSchema>;
export type OwnFinding = z.infer<typeof findingSchema>;
export type OwnResult = z.infer<typeof resultSchema>;
export type OwnScore = z.infer<typeof scoreSchema>;
export type OwnProgress = Omit<Extract<Said, { kind: 'progress' }>, 'kind' | 'id'>;

/** Settings by name, as the page's form has them. */
export type OwnSettings = Readonly<Record<string, number | boolean | string>>;

/** The environment's settings, the method's, and which agent's seat the person's player takes ('' for none). */
export interface OwnSetup {
  readonly settings: OwnSettings;
  readonly method: OwnSettings;
  readonly seat: string;
}

/** Who plays an episode: random actions, what was trained in this sandbox, or a scripted policy by its name. */
export type OwnPlayer = 'random' | 'learned' | { readonly script: string };

/** What the page asks. Answers carry the same id. `state`: what 'saved' said, from which a run goes on; '' from the start. */
export type Ask =
  | { readonly kind: 'check'; readonly id: number; readonly setup: OwnSetup }
  | { readonly kind: 'play'; readonly id: number; readonly setup: OwnSetup; readonly seed: number; readonly player: OwnPlayer }
  | { readonly kind: 'score'; readonly id: number; readonly setup: OwnSetup; readonly episodes: number }
  | {
      readonly kind: 'train';
      readonly id: number;
      readonly setup: OwnSetup;
      readonly algo: string;
      readonly steps: number;
      readonly seed: number;
      readonly state: string;
    }
  | { readonly kind: 'save'; readonly id: number }
  /** Whether it still answers. */
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'stop'; readonly id: number };

/** An episode with its numbers unpacked, all finite. */
export interface OwnEpisode {
  readonly layout: FrameLayout;
  readonly frames: Float32Array;
  readonly rewards: Float32Array;
  readonly ended: 'terminated' | 'truncated' | 'cut';
}

/** What a sandbox said; null: it is none of its messages, or larger than they may be. */
export function readSaid(text: unknown): Said | null {
  if (typeof text !== 'string' || text.length > LONGEST_MESSAGE) return null;
  let json: unknown;
  try {
    json = readJson(text, MOST_VALUES);
  } catch {
    return null;
  }
  const read = saidSchema.safeParse(json, FIRST_ISSUE);
  return read.success ? read.data : null;
}

/** Values of a message, with those inside of others. The schemas look at every one of them, which takes the page a second for a million. */
const MOST_VALUES = 100_000;

/** null: the numbers do not fit the layout. */
export function readEpisode({ layout, frames, rewards, ended }: z.infer<typeof episodeSchema>): OwnEpisode | null {
  const shown = layout as FrameLayout;
  const numbers = floats(frames);
  const paid = floats(rewards)?.map((x) => (Number.isFinite(x) ? x : 0)) ?? null;
  const size = frameSize(shown);
  if (numbers === null || paid === null || size === 0 || numbers.length === 0 || numbers.length % size !== 0) return null;
  if (paid.length !== numbers.length / size - 1) return null;
  return { layout: shown, frames: tameFrames(shown, numbers), rewards: paid, ended };
}

function floats(text: string): Float32Array | null {
  const bytes = fromBase64(text);
  if (bytes === null || bytes.length % 4 !== 0) return null;
  return new Float32Array(bytes.slice().buffer);
}
