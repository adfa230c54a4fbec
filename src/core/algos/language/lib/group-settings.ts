/** What can be set of the group policy gradient (../group-rl.ts), its published names as presets, and the columns that it reports. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';
import { episodeMetrics, tokenMetrics } from '../../api/metrics.ts';

const measured = 'own measurements at 0.1 M parameters';
const trl = 'TRL GRPOConfig';
const choice = <const T extends readonly [string, ...string[]]>(
  values: T,
  value: T[number],
  words: { title: string; description: string; source: string; group: string; depth?: 'stored' },
) =>
  z
    .enum(values)
    .default(value as never)
    .meta({ depth: 'research', ...words });

/** Of the ratio. */
const limits = {
  low: fields.clipRange(0.2, trl, {
    title: 'clip range below',
    description: 'How far the ratio may fall below 1; with a cap: its least value.',
    min: 0,
    slider: [0, 0.5],
  }),
  high: fields.clipRange(0.2, trl, {
    title: 'clip range above',
    description: 'How far the ratio may rise above 1; with a cap: its greatest value.',
  }),
};

/** Of clipping. */
const dual = fields.real(0, {
  min: 0,
  max: 20,
  title: 'dual clip',
  description: 'Where the advantage is negative the loss of a token is at most this many times its size; above 1, usually 3; 0: off.',
  source: 'off in GRPO; 3 in Ye et al. 2020',
  group: 'loss',
  depth: 'research',
});

/** Of the KL. */
const held = {
  coef: fields.real(0.04, {
    above: 0,
    max: 1,
    title: 'KL coefficient',
    description: 'Weight of the KL to the reference.',
    source: trl,
    group: 'loss',
    live: true,
  }),
  estimate: choice(['k1', 'k2', 'k3'], 'k3', {
    title: 'KL estimate',
    description: 'k3 is never negative; k2 has the gradient of the reverse KL; k1 as a loss does nothing on average.',
    source: 'GRPO',
    group: 'loss',
  }),
};

export const config = z.strictObject({
  lr: fields.lr(1e-3, measured, { description: 'Step size of AdamW: 1e-3 where rewards are dense, 3e-4 where success is rare.' }),
  prompts: fields.integer(16, {
    min: 1,
    max: 256,
    title: 'prompts',
    description: 'Different prompts per update.',
    source: measured,
    group: 'rollout',
    depth: 'teach',
  }),
  group: fields.integer(16, {
    min: 2,
    max: 64,
    title: 'group size',
    description: 'Completions of each prompt.',
    source: measured,
    group: 'rollout',
    depth: 'teach',
  }),
  samePrompt: z.boolean().default(true).meta({
    title: 'one prompt per group',
    description: 'Off: members start each by themselves, for prompts that say nothing of a hidden secret.',
    source: 'GRPO',
    group: 'rollout',
  }),
  oversample: fields.integer(1, {
    min: 1,
    max: 8,
    title: 'oversampling',
    description: 'Completions sampled for each one that is learned from: a group keeps its best and its worst, half and half.',
    source: 'off in GRPO',
    group: 'rollout',
    depth: 'research',
  }),
  horizon: fields.integer(0, {
    min: 0,
    max: 16,
    title: 'horizon',
    unit: 'turns',
    description: 'Where rows begin anew with each turn: a training episode is cut after so many turns; 0: never.',
    source: 'whole episodes in GRPO',
    group: 'rollout',
    depth: 'research',
  }),
  starts: choice(['fresh', 'partial'], 'fresh', {
    title: 'starts',
    description:
      'fresh: every group answers a new prompt. partial: half of them go on where earlier episodes were cut, informative ones first.',
    source: 'ExIt',
    group: 'rollout',
  }),
  epochs: fields.epochs(1, 'DeepSeekMath'),
  minibatches: fields.minibatches(1, 'DeepSeekMath', { max: 64 }),
  gradientAccumulation: fields.gradientAccumulation('answers of a minibatch'),
  baseline: choice(['mean', 'leave-one-out', 'batch', 'none', 'best'], 'mean', {
    title: 'baseline',
    description:
      'What a reward is compared with: the mean of the group, of the others of the group, of the batch, or nothing. best: the best of a group alone is copied, if it earned anything.',
    source: 'GRPO',
    group: 'loss',
  }),
  scale: choice(['group', 'batch', 'none'], 'group', {
    title: 'scale',
    description: 'Advantages are divided by the deviation of the group, of the batch, or not at all.',
    source: 'GRPO',
    group: 'loss',
  }),
  ratio: choice(['token', 'sequence'], 'token', {
    title: 'ratio',
    description: 'Of every token, or one for the whole completion: where rows begin anew with each turn, one for each turn.',
    source: 'GRPO',
    group: 'loss',
  }),
  surrogate: variant('clip', [kind('clip', { ...limits, dual }), kind('cap', limits), kind('none', {})], {
    title: 'surrogate',
    description: 'Clip the ratio, cap it and keep every gradient, or use no ratio.',
    source: 'GRPO',
    depth: 'research',
    group: 'loss',
  }),
  credit: choice(['answer', 'turn'], 'answer', {
    title: 'credit',
    description:
      'answer: every token has the advantage of its whole answer. turn: rewards of all turns of a group are compared with each other, and a token has the sum over its turn and those behind it (process rewards).',
    source: 'GRPO; turn: DeepSeekMath 4.1.3',
    group: 'loss',
  }),
  averaging: choice(['sequence', 'token', 'constant', 'sum'], 'token', {
    title: 'averaging',
    description: 'Mean over a completion and then over completions; over all tokens; by the longest length; sum over a completion.',
    source: 'DAPO',
    group: 'loss',
  }),
  dropUniform: variant(
    'off',
    [
      kind('off', {}),
      kind('on', {
        by: choice(['verifier', 'reward'], 'verifier', {
          title: 'uniform by',
          description: 'verifier: all right or all wrong; while no answer is right, nothing is taught. reward: all earned the same.',
          source: 'DAPO; its code has both',
          group: 'loss',
        }),
      }),
    ],
    {
      title: 'drop uniform groups',
      description: 'Groups whose answers are all alike do not count in the averages.',
      source: 'DAPO',
      depth: 'research',
      group: 'loss',
    },
  ),
  overlong: fields.integer(0, {
    min: 0,
    max: 32,
    title: 'overlong cache',
    unit: 'tokens',
    description: 'The reward falls by up to 1 over the last tokens before the longest length; 0: not at all.',
    source: 'off in GRPO',
    depth: 'research',
    group: 'loss',
  }),
  reference: variant(
    'off',
    [
      kind('off', {}),
      kind('fixed', held),
      kind('moving', {
        ...held,
        every: fields.integer(10, {
          min: 1,
          max: 1000,
          title: 'moves every',
          unit: 'updates',
          description: 'The reference follows the learned policy after so many updates.',
          source: 'TR-DPO',
          group: 'loss',
          depth: 'research',
        }),
        step: fields.real(0.6, {
          min: 0,
          max: 1,
          title: 'step of the reference',
          description: 'Share of the way to the learned policy that it goes when it moves.',
          source: 'TR-DPO',
          group: 'loss',
          depth: 'research',
        }),
      }),
    ],
    {
      title: 'KL to a reference',
      description: 'Stays near a reference: the policy that learning by reward began with (fixed), or one that follows (moving).',
      source: trl,
      group: 'loss',
    },
  ),
  entropyCoef: fields.entropyCoef(0, trl),
  replayUpdates: fields.integer(0, {
    min: 0,
    max: 32,
    title: 'updates on own successes',
    unit: 'updates per rollout',
    description: 'After each rollout own right answers, of groups that were not all right, are copied again in so many updates; 0: never.',
    source: 'off in GRPO',
    group: 'loss',
    depth: 'research',
  }),
  maxGradNorm: fields.maxGradNorm(1, trl),
  family: choice(['a', 'b', 'c'], 'a', {
    title: 'family',
    description: 'a: RMSNorm, GELU, learned positions. b: LayerNorm and biases (GPT-2). c: RoPE and SwiGLU (Llama).',
    source: measured,
    group: 'network',
    depth: 'stored',
  }),
  ...fields.transformer(measured),
});
export type Config = z.infer<typeof config>;

/** Of the trained model: a step size that changes its English slowly, and batches that are learned from in about a second. */
const STORIES_START = { pretrained: 'stories-2', width: 96, layers: 4, heads: 4, prompts: 8, group: 8, lr: 3e-4 } as const;

/**
 * The published methods as settings. Here one update per rollout is the default; clipping acts from the second on.
 * `scratch`: where the reward says nothing yet about a token, the noise of the updates alone makes it certain sooner or later, and a group
 * that always answers alike teaches nothing any more. Of nine seeds of reversal two ended so, at an entropy below 0.03, and a third was not
 * there after 480 updates; with this bonus all six that were run learned it in 200 to 320 (bench/results/tokens.json).
 */
export const presets: readonly Preset[] = [
  { id: 'scratch', title: 'From nothing: an entropy bonus against collapse', config: { entropyCoef: 0.05 } },
  { id: 'grid', title: 'Text grid: cloned from random moves', config: { cloning: { kind: 'on', steps: 60 } } },
  {
    id: 'guess',
    title: 'Guess a number: members with different secrets',
    config: { lr: 5e-4, cloning: { kind: 'on', steps: 200 }, samePrompt: false },
  },
  {
    id: 'tools',
    title: 'Tools: a small network, 80 updates of cloning',
    config: { width: 32, lr: 2e-3, prompts: 8, cloning: { kind: 'on', steps: 80, lr: 2e-3 } },
  },
  { id: 'cloned', title: 'Cloned start, 180 updates', config: { cloning: { kind: 'on', steps: 180 } } },
  {
    id: 'replay',
    title: 'A weak cloned start: own right answers copied again',
    config: { prompts: 8, group: 8, lr: 5e-4, cloning: { kind: 'on', steps: 600, lr: 3e-3, until: 0.2 }, replayUpdates: 4 },
  },
  {
    id: 'held',
    title: 'Cloned start, 40 updates, held near it by a KL of .1',
    config: { cloning: { kind: 'on', steps: 40 }, reference: { kind: 'fixed', coef: 0.1 } },
  },
  {
    id: 'stories',
    title: 'The model of the little stories, held near its English by a KL',
    config: { ...STORIES_START, reference: { kind: 'fixed', coef: 0.3 } },
  },
  { id: 'stories-free', title: 'The model of the little stories without a KL: its English may go', config: STORIES_START },
  {
    id: 'grpo',
    title: 'GRPO (DeepSeekMath): mean per completion, KL .04',
    config: { averaging: 'sequence', reference: { kind: 'fixed', coef: 0.04 }, epochs: 2 },
  },
  {
    id: 'process',
    title: 'GRPO with process rewards: turns are compared',
    config: { credit: 'turn', averaging: 'sequence', epochs: 2 },
  },
  { id: 'dr-grpo', title: 'Dr. GRPO: no deviation, no length', config: { scale: 'none', averaging: 'constant', epochs: 2 } },
  {
    id: 'dapo',
    title: 'DAPO: clip higher, uniform groups dropped, overlong penalty',
    config: { surrogate: { kind: 'clip', high: 0.28 }, dropUniform: { kind: 'on', by: 'reward' }, overlong: 2, epochs: 2 },
  },
  {
    id: 'gspo',
    title: 'GSPO: one ratio per completion',
    config: { ratio: 'sequence', averaging: 'sequence', surrogate: { kind: 'clip', low: 0.03, high: 0.04 }, epochs: 2 },
  },
  { id: 'cispo', title: 'CISPO: capped weights', config: { surrogate: { kind: 'cap', low: 0, high: 5 }, epochs: 2 } },
  {
    id: 'rloo',
    title: 'RLOO: leave-one-out, no ratio',
    config: { baseline: 'leave-one-out', scale: 'none', surrogate: 'none', averaging: 'sum' },
  },
  {
    id: 'reinforce-plus-plus',
    title: 'REINFORCE++: mean and deviation of the batch',
    config: { baseline: 'batch', scale: 'batch', epochs: 2 },
  },
  {
    id: 'raft',
    title: 'RAFT: the best of 16 is copied',
    config: { baseline: 'best', surrogate: 'none' },
  },
  {
    id: 'exit',
    title: 'ExIt: single turns from partial histories',
    config: { horizon: 1, starts: 'partial', cloning: { kind: 'on', steps: 20 } },
  },
  {
    id: 't1',
    title: 'T1: oversampling, entropy bonus, moving anchor',
    config: {
      group: 8,
      oversample: 2,
      entropyCoef: 0.01,
      reference: { kind: 'moving', coef: 0.02, every: 10 },
      cloning: { kind: 'on', steps: 60 },
    },
  },
];

export const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  tokenMetrics.reward,
  {
    id: 'passOne',
    title: 'pass@1, sampled',
    description:
      'Share of the completions of the last update that the verifier found right; the line is what 8 tries reached at the start.',
    startOf: ['passEight'],
  },
  {
    id: 'passEight',
    title: 'pass@8, sampled',
    description: 'Chance that one of 8 completions of a prompt is right, in the last update.',
  },
  tokenMetrics.tokens,
  {
    id: 'uniformGroups',
    title: 'uniform groups',
    description: 'Share of groups whose completions all earned the same: they teach nothing.',
  },
  tokenMetrics.taught,
  tokenMetrics.entropy,
  { id: 'policyLoss', title: 'policy loss', description: 'The loss of the last update.' },
  tokenMetrics.clipFraction,
  tokenMetrics.updateKl,
  tokenMetrics.approxKl,
  tokenMetrics.gradNorm,
  { id: 'successes', title: 'own successes', description: 'Own right answers that are kept to be copied again.' },
  { id: 'partialStarts', title: 'partial starts', description: 'Partial histories that are kept to go on from.' },
];
