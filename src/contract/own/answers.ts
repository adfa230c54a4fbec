/** What a sandbox of an own world answers to each question of the stage and the set-up (WatchApi), bounded; what is not listed is not asked there. */
import { z } from 'zod';
import type { Answer } from '../explain/explain-api.ts';
import { OUTPUT_NAMES } from '../game/network-view.ts';
import { recordOf } from '../kit/bounded.ts';
import { runConfigSchema } from '../run/config.ts';
import type { WatchApi } from '../session/session.ts';
import { ownCardSchema } from './card.ts';
import { bytes, count, doubles, floats, anyNumber as number, replaySchema, words } from './lab.ts';

/** Of a card the page writes a part itself. */
type Answers = { readonly [M in Exclude<keyof WatchApi, 'describe'>]?: z.ZodType<Awaited<ReturnType<WatchApi[M]>>> } & {
  readonly describe: typeof ownCardSchema;
};

const nothing = z.null().transform(() => undefined);
/** Numbers of the frames of one answer. */
const MOST_NUMBERS = 20_000_000;

const windowSchema = z.strictObject({
  from: count(1e9),
  frames: floats(MOST_NUMBERS),
  rewards: floats(10_000_000),
  total: count(20_000_000),
  told: words(2000).exactOptional(),
});

const extra = z.strictObject({
  card: z.strictObject({
    id: words(60),
    kind: z.enum(['choice', 'values', 'logits']),
    title: words(300),
    description: words(1000),
    labels: z.array(words(100)).max(10_000),
    chosen: words(60).exactOptional(),
  }),
  values: floats(10_000),
});

const some = floats(1_000_000);
const inspectionSchema = z.strictObject({
  obs: some,
  probs: some.nullable(),
  mean: some.nullable(),
  std: some.nullable(),
  q: some.nullable(),
  value: number.nullable(),
  chosen: some,
  extras: z.array(extra).max(40),
});

const part = { layer: count(1000), offset: count(10_000_000), count: count(10_000_000) };
const weights = z.strictObject({
  name: words(200),
  weights: floats(MOST_NUMBERS),
  inputs: count(1_000_000),
  outputs: count(1_000_000),
  from: z.array(z.strictObject(part)).max(1000),
  gates: z.array(words(60)).max(20),
  bias: floats(1_000_000).nullable(),
});
const networkSchema = z
  .strictObject({
    layers: z
      .array(
        z.strictObject({
          kind: z.enum(['input', 'memory', 'dense', 'conv', 'cell', 'mix']),
          units: count(1_000_000),
          map: z.tuple([count(10_000), count(10_000)]).nullable(),
          activation: words(40),
          normed: z.boolean(),
          labels: z.array(words(100)).max(1_000_000),
          weights: z.array(weights).max(40),
          from: z.array(count(1000)).max(1000),
        }),
      )
      .max(200),
    outputs: z.array(z.strictObject({ ...part, name: z.enum(OUTPUT_NAMES) })).max(20),
    parameters: count(1e10),
    normalised: z.boolean(),
  })
  .refine(
    ({ layers, outputs }) =>
      [...outputs, ...layers.flatMap((layer) => layer.weights.flatMap(({ from }) => from))].every(
        ({ layer, offset, count: of }) => layer < layers.length && offset + of <= (layers[layer]?.units ?? 0),
      ) &&
      layers.every(
        (layer) =>
          layer.from.every((at) => at < layers.length) &&
          layer.weights.every(
            (one) => one.weights.length === one.inputs * one.outputs && (one.bias?.length ?? one.outputs) === one.outputs,
          ),
      ),
    'layers that do not fit each other',
  );

const valuesSchema = z.strictObject({
  layers: z.array(some).max(200),
  sums: z.array(some.nullable()).max(200),
  slopes: z.array(some.nullable()).max(200),
  outputs: z.partialRecord(z.enum(OUTPUT_NAMES), some),
});

const maybe = number.nullable();
const stepNumbersSchema = z.strictObject({
  t: count(1e9),
  agent: count(10_000),
  gamma: number,
  lambda: number,
  assumed: z.array(z.enum(['gamma', 'lambda'])).max(2),
  reward: maybe,
  ended: z.enum(['', 'terminated', 'truncated']),
  kind: z.enum(['V', 'Q']).nullable(),
  value: maybe,
  nextValue: maybe,
  tdError: maybe,
  advantage: maybe,
  target: maybe,
  discounted: number,
  undiscounted: number,
  entropy: maybe,
  logProb: maybe,
  oldLogProb: maybe,
  ratio: maybe,
  kl: maybe,
});

const portSchema = z.strictObject({
  name: words(60),
  type: z.enum(['float32', 'int64']),
  shape: z.array(z.union([count(1e7), z.literal('batch')])).max(6),
});

export const ownAnswers = {
  complete: runConfigSchema,
  describe: ownCardSchema,
  fitting: z.strictObject({
    fits: z.array(z.strictObject({ algo: words(60), why: words(1000), preset: words(60).exactOptional() })).max(500),
    others: z.array(z.strictObject({ algo: words(60), why: words(1500) })).max(500),
  }),
  preview: windowSchema,
  checkPolicy: nothing,
  setPolicy: nothing,
  dropPolicy: nothing,
  play: replaySchema,
  playTeam: replaySchema,
  pairing: z.strictObject({ mean: number, interval: z.tuple([number, number]).nullable() }),
  stopPlaying: nothing,
  frames: windowSchema,
  rewardTerms: doubles(10_000_000),
  inspect: inspectionSchema,
  network: networkSchema,
  look: z.strictObject({ inspection: inspectionSchema, values: valuesSchema.nullable(), frame: floats(100_000).nullable() }),
  stepNumbers: stepNumbersSchema,
  valueMap: z.strictObject({ values: some, actions: z.instanceof(Int32Array), probs: some }).nullable(),
  openPlay: windowSchema,
  playStep: z.strictObject({ window: windowSchema, reward: number, terminated: z.boolean(), truncated: z.boolean() }),
  closePlay: replaySchema,
  playSoFar: replaySchema,
  besideSays: z.strictObject({ policy: words(200), extras: z.array(extra).max(40) }).nullable(),
  scripted: z.strictObject({ evalReturn: number, measures: recordOf(number, 1000, words(100)) }),
  score: number,
  onnx: z.strictObject({
    bytes: bytes(100_000_000),
    inputs: z.array(portSchema).max(20),
    outputs: z.array(portSchema).max(20),
    agents: z.array(words(60)).max(10_000),
  }),
  /** Read by own-explain.ts, as is what it tells on the way. */
  explain: z.custom<Answer | null>(() => true),
  pauseExplanation: nothing,
  cancelExplanation: nothing,
  paceExplanation: nothing,
  layers: z.strictObject({ model: words(4_000_000), weights: bytes(100_000_000) }),
} satisfies Answers;
