/**
 * What the page and a sandbox with a person's code say to each other: texts of JSON. What comes out of a sandbox may be anything, so it is read
 * by the strict, bounded schemas below and by nothing else; numbers in arrays travel as base64 of their bytes.
 */
import { z } from 'zod';
import { fromBase64 } from './bytes.ts';
import { type FrameLayout, frameSize } from './frames.ts';

/** Characters of one message from a sandbox; the frame between ends a sandbox that sends more. */
export const LONGEST_MESSAGE = 8_000_000;

const words = (most: number) => z.string().max(most);
const finite = z.number();
const count = (most: number) => z.int().min(0).max(most);

const failure = z.strictObject({ message: words(1100), fix: words(1100), field: words(200).exactOptional() });

const groupSchema = z.strictObject({
  name: words(100),
  count: count(6000),
  shape: z.enum(['wedge', 'disc', 'landmark', 'zone', 'obstacle', 'ball', 'box', 'goal', 'food', 'words']),
  tag: words(60).exactOptional(),
  sized: z.boolean().exactOptional(),
});

const pointsSchema = z.strictObject({
  kind: z.literal('points'),
  count: count(6000),
  bounds: z.tuple([finite, finite, finite, finite]),
  names: z.array(words(40)).max(0),
  groups: z.array(groupSchema).max(100),
  lines: count(6000).exactOptional(),
  extra: z.array(words(40)).max(100).exactOptional(),
  upright: z.boolean().exactOptional(),
});

const gridSchema = z.strictObject({
  kind: z.literal('grid'),
  width: count(100).min(1),
  height: count(100).min(1),
  agents: count(6000),
  headings: z.boolean(),
  looks: z.array(words(20)).max(60),
  colours: z.array(words(20)).max(20),
  view: z.literal(0),
  teams: z.array(count(6000)).max(6000),
});

const layoutSchema = z.union([pointsSchema, gridSchema]).refine((layout) => {
  if (layout.kind === 'grid') return true;
  const [minX, minY, maxX, maxY] = layout.bounds;
  return maxX > minX && maxY > minY && layout.groups.reduce((sum, group) => sum + group.count, 0) === layout.count;
}, 'a picture that does not add up');

const settingSchema = z.strictObject({
  name: words(40),
  title: words(300),
  about: words(300),
  unit: words(40).exactOptional(),
  value: z.union([finite, z.boolean(), words(100)]),
  min: finite.exactOptional(),
  max: finite.exactOptional(),
  whole: z.boolean().exactOptional(),
  options: z.array(words(100)).max(50).exactOptional(),
});

const worldSchema = z.strictObject({
  id: words(40),
  title: words(400),
  about: words(400),
  layout: layoutSchema,
  settings: z.array(settingSchema).max(100),
  actions: z.array(words(100)).max(1000),
  sees: words(200),
  maxSteps: count(1_000_000),
  fps: finite.min(0.1).max(120),
  methods: z.array(z.strictObject({ id: words(60), title: words(100) })).max(200),
  recommended: z.strictObject({ algo: words(60), steps: count(1e10) }),
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
  finalReturn: finite.nullable(),
  steps: count(1e10),
  seconds: finite,
  stepsPerSecond: finite,
  parameterHash: words(64),
});

/** Everything a sandbox may say. */
export const saidSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), world: worldSchema }),
  z.strictObject({ kind: z.literal('refused'), failure, line: count(1_000_000).nullable() }),
  z.strictObject({ kind: z.literal('failed'), id: count(1e9), failure }),
  z.strictObject({ kind: z.literal('checked'), id: count(1e9), findings: z.array(findingSchema).max(20) }),
  z.strictObject({ kind: z.literal('played'), id: count(1e9), episode: episodeSchema }),
  z.strictObject({ kind: z.literal('progress'), id: count(1e9), step: count(1e10), return: finite.nullable(), stepsPerSecond: finite }),
  z.strictObject({ kind: z.literal('trained'), id: count(1e9), result: resultSchema }),
]);
export type Said = z.infer<typeof saidSchema>;
export type OwnCard = z.infer<typeof worldSchema>;
export type OwnFinding = z.infer<typeof findingSchema>;
export type OwnResult = z.infer<typeof resultSchema>;

/** Settings by name, as the page's form has them. */
export type OwnSettings = Readonly<Record<string, number | boolean | string>>;

/** What the page asks. Answers carry the same id. `policy`: what was trained in this sandbox, else random actions. */
export type Ask =
  | { readonly kind: 'check'; readonly id: number; readonly settings: OwnSettings }
  | { readonly kind: 'play'; readonly id: number; readonly settings: OwnSettings; readonly seed: number; readonly policy: boolean }
  | {
      readonly kind: 'train';
      readonly id: number;
      readonly settings: OwnSettings;
      readonly algo: string;
      readonly steps: number;
      readonly seed: number;
    }
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
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const read = saidSchema.safeParse(json);
  return read.success ? read.data : null;
}

/** null: the numbers do not fit the layout. */
export function readEpisode({ layout, frames, rewards, ended }: z.infer<typeof episodeSchema>): OwnEpisode | null {
  const shown = layout as FrameLayout;
  const numbers = floats(frames);
  const paid = floats(rewards);
  const size = frameSize(shown);
  if (numbers === null || paid === null || size === 0 || numbers.length === 0 || numbers.length % size !== 0) return null;
  if (paid.length !== numbers.length / size - 1) return null;
  return { layout: shown, frames: numbers, rewards: paid, ended };
}

function floats(text: string): Float32Array | null {
  const bytes = fromBase64(text);
  if (bytes === null || bytes.length % 4 !== 0) return null;
  const numbers = new Float32Array(bytes.slice().buffer);
  return numbers.map((x) => (Number.isFinite(x) ? x : 0));
}
