/**
 * Settings that many methods have, each written once in the words of docs/glossary.md: `gamma: gamma(0.99, 'CleanRL ppo.py')`. A method
 * gives its default, the source of that default, and what else differs: range, words, whether it is live. The stored keys are the
 * names these functions stand under in a config; where key and function differ, the function says so.
 */
import { z } from 'zod';
import type { FieldMeta } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../envs/api/variant.ts';

interface Words {
  readonly title?: string;
  readonly description?: string;
  readonly unit?: string;
  readonly group?: string;
  readonly depth?: NonNullable<FieldMeta['depth']>;
  /** Shown at the simple depth too. */
  readonly simple?: true;
  /** May change while the run goes on. */
  readonly live?: boolean;
  /** Range of the slider, within the allowed one. */
  readonly slider?: [number, number];
  readonly log?: boolean;
}

/** Inclusive, but for `above`; a `min` of a method's own takes the place of `above`. */
interface Range {
  readonly min?: number | undefined;
  readonly above?: number | undefined;
  readonly max?: number | undefined;
}

type Own = Words & Range;

const worded = (words: Words, source: string | undefined): { [word: string]: unknown } => ({
  ...words,
  ...(source !== undefined && { source }),
});

function limited<T extends z.ZodNumber>(schema: T, { min, above, max }: Range): T {
  let limit = schema;
  if (min !== undefined) limit = limit.min(min);
  else if (above !== undefined) limit = limit.gt(above);
  return max === undefined ? limit : limit.max(max);
}

/** A number with these words and this range, unless the method says otherwise. */
const reals =
  (usual: Own) =>
  (value: number, source?: string, own: Own = {}): z.ZodDefault<z.ZodNumber> => {
    const { min, above, max, ...words } = { ...usual, ...own };
    return limited(z.number(), { min, above, max }).default(value).meta(worded(words, source));
  };

const integers =
  (usual: Own) =>
  (value: number, source?: string, own: Own = {}): z.ZodDefault<z.ZodInt> => {
    const { min, above, max, ...words } = { ...usual, ...own };
    return limited(z.int(), { min, above, max }).default(value).meta(worded(words, source));
  };

const flags =
  (usual: Words) =>
  (value: boolean, source?: string, own: Words = {}): z.ZodDefault<z.ZodBoolean> =>
    z
      .boolean()
      .default(value)
      .meta(worded({ ...usual, ...own }, source));

/** Settings that one method alone has, with the source of their default among the words. */
export const real = (value: number, { source, ...own }: Own & { readonly source?: string }) => reals(own)(value, source);
export const integer = (value: number, { source, ...own }: Own & { readonly source?: string }) => integers(own)(value, source);

/** A setting that may also be null, its default; `empty` says what that means. */
export function orNull<T extends z.ZodType>(field: z.ZodDefault<T>, empty: string): z.ZodDefault<z.ZodNullable<T>> {
  const nullable = field.unwrap().nullable() as z.ZodNullable<T>;
  return (nullable.default(null as never) as z.ZodDefault<z.ZodNullable<T>>).meta({ ...field.meta(), empty });
}

/** The same settings, which forms do not offer: a link or a stored run may set them. */
export const stored = <S extends { readonly [key: string]: z.ZodType }>(shape: S): S =>
  Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, field.meta({ ...field.meta(), depth: 'stored' })])) as S;

/** What stands in front of the dense layers (core/nets/body.ts). Key `body`. */
export const body = () =>
  variant(
    'dense',
    [
      kind('dense', {}),
      kind('entities', {
        units: integer(16, {
          min: 4,
          max: 256,
          title: 'units of a row',
          unit: 'units',
          description: 'Width of a thing inside the encoder; a multiple of the heads.',
          source: 'own choice',
          slider: [8, 64],
          group: 'network',
        }),
        heads: integer(2, {
          min: 0,
          max: 8,
          title: 'attention heads',
          description: 'Parts of a row that look at the others apart; 0: none looks.',
          source: 'own choice',
          group: 'network',
        }),
        blocks: integer(1, {
          min: 1,
          max: 4,
          title: 'rounds',
          description: 'How often every thing looks at all others and hears their mean.',
          source: 'own choice',
          group: 'network',
        }),
      }),
    ],
    {
      title: 'body of the network',
      description: 'Dense layers over the whole observation, or attention over the things in it, which takes a team of any size.',
      source: 'dense in the references',
      group: 'network',
      needs: 'entities',
    },
  );

// Optimisation

export const lr = reals({
  title: 'learning rate',
  description: 'Step size of Adam.',
  above: 0,
  max: 1,
  live: true,
  log: true,
  slider: [1e-5, 1e-2],
  depth: 'teach',
  group: 'optimisation',
});
export const annealLr = flags({
  title: 'anneal the learning rate',
  description: 'It falls in a straight line to 0 at the end of the budget.',
  group: 'optimisation',
});
export const maxGradNorm = reals({
  title: 'max gradient norm',
  description: 'Longer gradients are scaled down to this norm.',
  above: 0,
  max: 1e6,
  group: 'optimisation',
});
export const adamEps = reals({
  title: 'Adam epsilon',
  description: 'Added to the root of the second moment.',
  above: 0,
  max: 1,
  log: true,
  depth: 'research',
  group: 'optimisation',
});

// Returns

export const gamma = reals({
  title: 'discount factor (gamma)',
  description: 'Weight of a reward one step later.',
  min: 0,
  max: 1,
  live: true,
  depth: 'teach',
  slider: [0.9, 1],
  group: 'returns',
});
/** Key `lambda`. */
export const gaeLambda = reals({
  title: 'GAE lambda',
  description: '0 trusts the value of the next state, 1 only the rewards seen.',
  min: 0,
  max: 1,
  live: true,
  slider: [0.8, 1],
  group: 'returns',
});
export const bootstrapAtTruncation = flags({
  title: 'bootstrap at time limits',
  description: 'Adds the value of the last state when only the time limit ended the episode. Off: CleanRL and PureJaxRL.',
  group: 'returns',
});

// Rollouts

/** Key `envs`. */
export const numEnvs = integers({
  title: 'parallel environments',
  description: 'Copies of the environment stepped together.',
  min: 1,
  max: 1024,
  slider: [1, 64],
  group: 'rollout',
});
export const rolloutSteps = integers({
  title: 'rollout length',
  unit: 'steps',
  description: 'Steps of each parallel environment between two updates.',
  min: 1,
  max: 65_536,
  slider: [8, 2048],
  log: true,
  group: 'rollout',
});
export const minibatches = integers({
  title: 'minibatches',
  description: 'Parts the rollout is split into.',
  min: 1,
  max: 1024,
  slider: [1, 32],
  group: 'rollout',
});
export const epochs = integers({
  title: 'epochs',
  description: 'Passes over each rollout.',
  min: 1,
  max: 100,
  live: true,
  slider: [1, 20],
  group: 'rollout',
});

// Policy gradient losses

/** Key `clip`. */
export const clipRange = reals({
  title: 'clip range',
  description: 'How far one update may move the probability of an action.',
  above: 0,
  max: 10,
  live: true,
  depth: 'teach',
  slider: [0.05, 0.5],
  group: 'loss',
});
export const clipValue = flags({
  title: 'clip the value loss',
  description: 'Keeps new values within the clip range of old ones.',
  group: 'loss',
});
export const entropyCoef = reals({
  title: 'entropy coefficient',
  description: 'Weight of the entropy of the policy in the loss: more exploration.',
  min: 0,
  max: 10,
  live: true,
  depth: 'teach',
  slider: [0, 0.1],
  group: 'loss',
});
export const valueCoef = reals({
  title: 'value coefficient',
  description: 'Weight of the value loss, which already carries a factor of one half.',
  min: 0,
  max: 100,
  live: true,
  slider: [0, 2],
  group: 'loss',
});
export const normaliseAdvantages = flags({
  title: 'standardise advantages',
  description: 'Per minibatch, with the sample standard deviation.',
  group: 'loss',
});

// Replay

export const bufferSize = integers({
  title: 'replay buffer size',
  unit: 'transitions',
  description: 'The newest transitions that are kept.',
  min: 100,
  max: 1_000_000,
  log: true,
  slider: [1000, 1_000_000],
  group: 'replay',
});
export const batchSize = integers({
  title: 'batch size',
  unit: 'transitions',
  description: 'Transitions per update.',
  min: 1,
  max: 4096,
  slider: [16, 512],
  log: true,
  group: 'replay',
});
export const learningStarts = integers({
  title: 'learning starts',
  unit: 'steps',
  description: 'Steps before the first update.',
  min: 1,
  max: 1e6,
  log: true,
  slider: [100, 50_000],
  group: 'replay',
});
export const trainEvery = integers({
  title: 'update every',
  unit: 'steps',
  description: 'Steps, summed over parallel environments, between two updates.',
  min: 1,
  max: 10_000,
  slider: [1, 128],
  group: 'replay',
});
export const gradientSteps = integers({
  title: 'gradient steps',
  description: 'Updates each time.',
  min: 1,
  max: 1024,
  slider: [1, 128],
  log: true,
  group: 'replay',
});

// Exploration

export const epsilonStart = reals({
  title: 'epsilon start',
  description: 'Share of uniformly random actions at first.',
  min: 0,
  max: 1,
  live: true,
  group: 'exploration',
});
export const epsilonEnd = reals({
  title: 'epsilon end',
  description: 'Share of uniformly random actions after the decay.',
  min: 0,
  max: 1,
  live: true,
  depth: 'teach',
  group: 'exploration',
});
export const epsilonFraction = reals({
  title: 'epsilon decay fraction',
  description: 'Share of the budget over which epsilon falls in a straight line.',
  above: 0,
  max: 1,
  live: true,
  group: 'exploration',
});

// Target networks

export const targetEvery = integers({
  title: 'target update interval',
  unit: 'steps',
  description: 'Steps between two updates of the target network.',
  min: 1,
  max: 1e6,
  log: true,
  slider: [1, 10_000],
  group: 'target',
});
export const tau = reals({
  title: 'target smoothing tau (Polyak)',
  description: 'Target networks move this share of the way at every update; 1 copies.',
  above: 0,
  max: 1,
  group: 'target',
});

// Networks

/** Units of each hidden layer. */
export const hidden = (
  value: readonly number[],
  source?: string,
  own: Words & { readonly maxUnits?: number; readonly maxLayers?: number } = {},
): z.ZodDefault<z.ZodArray<z.ZodInt>> => {
  const { maxUnits = 2048, maxLayers = 6, ...words } = own;
  const usual = { title: 'hidden layers', description: 'Units of each layer.', group: 'network' };
  const layers = z.array(z.int().min(1).max(maxUnits)).min(1).max(maxLayers);
  return layers.default([...value]).meta(worded({ ...usual, ...words }, source));
};
/** Key `criticHidden`: null, its default, where policy and critic are alike. */
export const criticHidden = (source?: string): z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodInt>>> =>
  orNull(
    hidden([64, 64], source, {
      title: 'hidden layers of the critic',
      description: 'Units of each layer of the critic; empty: as those of the policy.',
      depth: 'research',
    }),
    'as the policy’s',
  );
/** Key `filters`. */
export const filters = integers({
  title: 'convolution filters',
  description: 'Of a 3x3 convolution in front of the hidden layers, where observations are images or grids; 0: none.',
  min: 0,
  max: 128,
  slider: [0, 32],
  group: 'network',
});
export const activation = (value: 'tanh' | 'relu' | 'elu' | 'gelu', source?: string, own: Words = {}) =>
  z
    .enum(['tanh', 'relu', 'elu', 'gelu'])
    .default(value)
    .meta(worded({ title: 'activation', description: 'Non-linearity of the hidden layers.', group: 'network', ...own }, source));
export const layerNorm = flags({
  title: 'layer normalisation',
  description: 'Of inputs and hidden layers.',
  depth: 'research',
  group: 'network',
});
/** Key `layerNorm`, where hidden layers alone are normalised. */
export const hiddenNorm = (source?: string) => layerNorm(false, source, { description: 'Of hidden layers, before their activation.' });
export const normaliseObs = flags({
  title: 'normalise observations',
  description: 'Subtract the running mean, divide by the running standard deviation, clip at 10.',
  group: 'normalisation',
});
export const normaliseReward = flags({
  title: 'normalise rewards',
  description: 'Divide by the standard deviation of the running return, clip at 10.',
  group: 'normalisation',
});

// Teams

export const sharing = (
  value: 'grouped' | 'shared' | 'independent' = 'grouped',
  source = 'MAPPO: agents that are alike share',
  own: Words = {},
) =>
  z
    .enum(['grouped', 'shared', 'independent'])
    .default(value)
    .meta(
      worded(
        {
          title: 'parameter sharing',
          description: 'Grouped: agents of one role share a network; shared: all agents of equal spaces; independent: none.',
          group: 'team',
          ...own,
        },
        source,
      ),
    );
export const agentId = (value = false, source = 'MAPPO (use_agent_id), EPyMARL', own: Words = {}): z.ZodDefault<z.ZodBoolean> =>
  flags({
    title: 'agent-ID one-hot',
    description: 'Agents that share a network see their index as a one-hot, so that they may act differently.',
    group: 'team',
  })(value, source, own);

/** The settings of an off-policy learner that collects and replays single transitions. */
export const replay = (
  source: string,
  own: {
    readonly batchSize: number;
    readonly learningStarts: number;
    readonly trainEvery?: number;
    readonly gradientSteps?: number;
    readonly bufferSize?: number;
    readonly envs?: number;
  },
) => ({
  envs: numEnvs(own.envs ?? 1, source, { max: 256, slider: [1, 16], group: 'replay' }),
  bufferSize: bufferSize(own.bufferSize ?? 100_000, 'own choice', {
    description: 'The newest transitions that are kept; published settings keep a million, which makes checkpoints large.',
  }),
  learningStarts: learningStarts(own.learningStarts, source, { description: 'Steps with random actions before the first update.' }),
  batchSize: batchSize(own.batchSize, source, { slider: [16, 1024] }),
  trainEvery: trainEvery(own.trainEvery ?? 1, source),
  gradientSteps: gradientSteps(own.gradientSteps ?? 1, source),
});

// Joint values of a team

/** Of a monotone mixer (nets/mixing.ts). */
export const mixer = (source: string) => ({
  mixerUnits: integer(32, {
    min: 1,
    max: 512,
    title: 'mixer units',
    description: 'Width of the mixing network.',
    source,
    slider: [8, 128],
    log: true,
    group: 'mixer',
  }),
  hyperUnits: integer(128, {
    min: 1,
    max: 512,
    title: 'hypernetwork units',
    description: 'Width of the hypernetworks, which compute the mixer’s weights from the state.',
    source: `${source}; 64 in EPyMARL`,
    slider: [8, 256],
    log: true,
    group: 'mixer',
  }),
  mixerScale: real(0.001, {
    above: 0,
    max: 10,
    title: 'hypernetwork initial scale',
    description: 'Scale of the hypernetworks’ initial output weights; if small, the joint value hardly depends on the agents at first.',
    source,
    log: true,
    depth: 'research',
    group: 'mixer',
  }),
});

// Transformers on tokens

/** Width, layers and heads of a small decoder. */
export const transformer = (source: string) => ({
  width: integer(64, {
    min: 8,
    max: 256,
    title: 'width',
    description: 'Numbers per token; a multiple of twice the heads.',
    source,
    group: 'network',
  }),
  layers: integer(2, { min: 1, max: 6, title: 'layers', description: 'Blocks of attention and mlp.', source, group: 'network' }),
  heads: integer(4, { min: 1, max: 16, title: 'heads', description: 'Attention heads per block.', source, group: 'network' }),
});

/** Parts of an update whose gradients are summed (core/engine/parts.ts). */
export const gradientAccumulation = (of: string) =>
  integer(1, {
    min: 1,
    max: 64,
    title: 'gradient accumulation',
    unit: 'parts of an update',
    description: `The ${of} are learned from in so many parts, whose gradients are summed before the step: less memory, the same update but for rounding.`,
    source: 'TRL: gradient_accumulation_steps',
    group: 'rollout',
    depth: 'research',
  });
