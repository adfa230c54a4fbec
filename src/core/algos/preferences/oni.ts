/**
 * Online intrinsic rewards from annotations (ONI; Zheng et al. 2024): while the policy learns, an annotator is asked about captions of what
 * it does (lib/captions.ts): is this promising? What was answered becomes a reward beside the environment's, and PPO climbs both
 * (../lib/ppo/learned-reward.ts). Answers come late and are sometimes wrong; learning does not wait for them.
 *   hash        a caption is worth the mean of its answers; nothing before there is one
 *   classifier  a network says how likely a caption is called promising: cross-entropy; also for captions that were never asked about
 *   ranker      a network that explains which of two captions was called more promising (Bradley and Terry 1952), standardised
 *   r = r_environment + weight [v >= 1/2] v / N^repeats,   v: worth of the step's caption, N: how often it occurred in the episode
 * N counts this occurrence too. The annotator is a script in a language model's place.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi; a caption for every step but the last of an episode
 *     take in the answers that are due by the step at which the rollout began
 *     hash: v = mean answer of each caption; else rewardUpdates minibatches of 32 answers, then v of all
 *     for each step: N += 1 for its caption in this episode
 *       r = r_environment + weight [v >= 1/2] v / N^repeats
 *     draw `annotations` captions (ranker: pairs) from the different ones of the rollout, and ask
 *       the answer comes annotatorDelay steps later; a share annotatorErrors of them is wrong
 *     advantages by GAE(lambda) of r, targets = advantages + V
 *     for each epoch, for each shuffled minibatch
 *       standardise its advantages
 *       ascend the clipped objective and the entropy bonus; descend the value loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, mean, mul, neg, reshape, sliceAxis, softplus, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { mlp } from '#core/nets/mlp.ts';
import { descend } from '#core/nets/target.ts';
import { exp, pow } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  checkLearnedReward,
  type LearnedReward,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  type Played,
  rewardFields,
  trainOnLearnedReward,
} from '../lib/ppo/learned-reward.ts';
import { CAPTION_FEATURES, CAPTIONS, captionFor, promising, viewOf, writeCaption } from './lib/captions.ts';
import { comparisonLoss } from './lib/reward-ensemble.ts';

const source = 'Zheng et al. 2024';
const own = 'own choice';
const TITLE = 'ONI';

const config = z.strictObject({
  rewardModel: z.enum(['hash', 'classifier', 'ranker']).default('hash').meta({
    title: 'reward model',
    description:
      'hash: a table of what was answered; classifier: a network that learns the answers; ranker: one that learns which is better.',
    source,
    depth: 'teach',
    group: 'preferences',
  }),
  annotatorErrors: fields.real(0.1, {
    min: 0,
    max: 0.5,
    title: 'errors of the annotator',
    description: 'Share of the answers that are the wrong way round.',
    slider: [0, 0.5],
    source: own,
    depth: 'teach',
    group: 'preferences',
  }),
  annotatorDelay: fields.integer(5000, {
    min: 0,
    max: 10_000_000,
    title: 'delay of the annotator',
    unit: 'steps',
    description: 'Steps that the policy goes on meanwhile before an answer is there.',
    slider: [0, 100_000],
    source: own,
    depth: 'teach',
    group: 'preferences',
  }),
  annotations: fields.integer(8, {
    min: 1,
    max: 1000,
    title: 'questions per rollout',
    description: 'Captions, for the ranker pairs of them, drawn from the different ones of the rollout.',
    slider: [1, 64],
    source: own,
    depth: 'teach',
    group: 'preferences',
  }),
  rewardWeight: fields.real(0.1, {
    min: 0,
    max: 100,
    title: 'weight of the learned reward',
    description: 'Beside the reward of the environment.',
    slider: [0, 1],
    source: own,
    depth: 'teach',
    group: 'reward',
  }),
  repeats: fields.real(2, {
    min: 0,
    max: 10,
    title: 'loss by repetition',
    description: 'The n-th time in an episode a caption is worth 1 / n to this power: 0 pays a door for every time it is opened.',
    slider: [0, 3],
    source: own,
    depth: 'stored',
    group: 'reward',
  }),
  ...rewardFields({
    learner: 'the reward network',
    update: 'Minibatches of 32 answers after every rollout; the table needs none.',
    updates: 10,
    slider: [1, 100],
    hidden: [32],
  }),
  ...ppo.commonFields,
  ...fields.stored({ normaliseObs: ppo.commonFields.normaliseObs }), // codes of MiniGrid are not normalised
});
type Config = z.infer<typeof config>;

const BATCH = 32; // answers of a minibatch
const LEAST = 0.5; // worth below which a caption pays nothing
const STD_FLOOR = 1e-3;

/** What was asked, and from which step on the answer is known. */
export function annotations(capacity: number) {
  const [first, second] = [new Int32Array(capacity), new Int32Array(capacity)]; // the second of a question about one caption is not read
  const answer = new Float32Array(capacity); // 1: promising, or the first is the more promising one; 0.5: both are alike
  const due = new Float64Array(capacity);
  const counters = { asked: 0, known: 0 };
  return {
    first,
    second,
    answer,
    counters,
    arrays: { askedFirst: first, askedSecond: second, askedAnswer: answer, askedDue: due },
    /** Asks at `step`; what is beyond the capacity is not asked. */
    ask(one: number, other: number, truth: number, step: number): void {
      const at = counters.asked;
      if (at >= capacity) return;
      [first[at], second[at], answer[at], due[at]] = [one, other, truth, step];
      counters.asked = at + 1;
    },
    /** Answers in the order of their questions that are there by `step`. */
    arrive(step: number): void {
      while (counters.known < counters.asked && due[counters.known]! <= step) counters.known++;
    },
  };
}
type Annotations = ReturnType<typeof annotations>;

interface Worth {
  /** Learns from the answers that are known. */
  learn(store: Annotations, rng: Rng): Promise<number>;
  /** What every caption is worth, [CAPTIONS]; below 1/2 it pays nothing. */
  readonly of: Float64Array;
}

/** A caption is worth the mean of its answers. */
export function hashWorth(): Worth {
  const of = new Float64Array(CAPTIONS);
  return {
    of,
    async learn({ first, answer, counters }) {
      const times = new Float64Array(CAPTIONS);
      of.fill(0);
      for (let i = 0; i < counters.known; i++) {
        const caption = first[i]!;
        of[caption] = of[caption]! + answer[i]!;
        times[caption] = times[caption]! + 1;
      }
      for (let caption = 0; caption < CAPTIONS; caption++) if (times[caption]! > 0) of[caption] = of[caption]! / times[caption]!;
      return Number.NaN;
    },
  };
}

function networkWorth(engine: Engine, c: Config, rng: Rng): Worth {
  const ranks = c.rewardModel === 'ranker';
  const group = engine.group('worth');
  const net = mlp(group, 'worth', rng, [CAPTION_FEATURES, ...c.rewardHidden, 1], { act: 'relu', init: 'torch' });
  const rows = ranks ? 2 * BATCH : BATCH;
  const program = engine.compile(
    { caption: [rows, CAPTION_FEATURES], answer: [BATCH] },
    (x) => {
      const score = reshape(net(x.caption), [rows]);
      const loss = ranks
        ? comparisonLoss(sliceAxis(score, 0, 0, BATCH), sliceAxis(score, 0, BATCH, BATCH), x.answer)
        : add(mul(x.answer, softplus(neg(score))), mul(sub(1, x.answer), softplus(score)));
      return { loss: mean(loss) };
    },
    { minimise: 'loss', group, with: adam(), name: 'worth of captions' },
  );
  const look = engine.compile({ caption: [CAPTIONS, CAPTION_FEATURES] }, (x) => ({ score: reshape(net(x.caption), [CAPTIONS]) }), {
    name: 'all captions',
  });
  for (let caption = 0; caption < CAPTIONS; caption++) writeCaption(caption, look.in.caption, caption * CAPTION_FEATURES);
  const all = look.in.caption.slice();
  const of = new Float64Array(CAPTIONS);
  return {
    of,
    async learn({ first, second, answer, counters }, drawing) {
      if (counters.known === 0) return Number.NaN;
      let loss = 0;
      for (let u = 0; u < c.rewardUpdates; u++) {
        for (let p = 0; p < BATCH; p++) {
          const i = drawing.int(counters.known);
          writeCaption(first[i]!, program.in.caption, p * CAPTION_FEATURES);
          if (ranks) writeCaption(second[i]!, program.in.caption, (BATCH + p) * CAPTION_FEATURES);
          program.in.answer[p] = answer[i]!;
        }
        const pending = descend(program, c.rewardLr);
        if (pending) await pending;
        loss += program.out.loss[0]! / c.rewardUpdates;
      }
      look.in.caption.set(all);
      const pending = look.run();
      if (pending) await pending;
      const { score } = look.out;
      if (!ranks) {
        for (let k = 0; k < CAPTIONS; k++) of[k] = 1 / (1 + exp(-score[k]!));
        return loss;
      }
      // Standardised over what was asked about: a ranking has no zero of its own.
      const asked = new Set([...first.subarray(0, counters.known), ...second.subarray(0, counters.known)]);
      const [centre, squares] = [...asked].reduce(([s, q], k) => [s + score[k]! / asked.size, q + score[k]! ** 2 / asked.size], [0, 0]);
      const deviation = Math.sqrt(Math.max(0, squares - centre ** 2)) + STD_FLOOR;
      for (let k = 0; k < CAPTIONS; k++) of[k] = (score[k]! - centre) / deviation;
      return loss;
    },
  };
}

/** Captions [T, rows] of a rollout; the last step of an episode has none, because what follows belongs to the next. */
export function captionsOf({ obs, action, ended, next, steps, rows }: Played, width: number, size: number, out: Int32Array): void {
  for (let i = 0; i < steps * rows; i++) {
    const last = i + rows >= steps * rows;
    const [after, to] = last ? [next, (i % rows) * width] : [obs, (i + rows) * width];
    out[i] = ended[i] === 1 ? 0 : captionFor(obs, i * width, action[i]!, after, to, size);
  }
}

function rewardOfAnnotations(run: Run<Config>, engine: Engine, total: number): LearnedReward {
  const { config: c, meta, rng } = run;
  const size = viewOf(meta, TITLE);
  const rollouts = Math.ceil(run.steps / (c.rolloutSteps * c.envs));
  const store = annotations(rollouts * c.annotations);
  const worth = c.rewardModel === 'hash' ? hashWorth() : networkWorth(engine, c, rng.split('worth'));
  const [asking, drawing] = [rng.split('asking'), rng.split('drawing')];
  const captions = new Int32Array(total);
  const times = new Int32Array(c.envs * CAPTIONS); // in the episode that goes on
  const rewards = new Float32Array(total);
  return {
    state: { counters: store.counters, arrays: { asking, drawing, captionTimes: times, captionWorth: worth.of, ...store.arrays } },
    async judge(played, step) {
      captionsOf(played, meta.obsSize, size, captions);
      store.arrive(step);
      const rewardLoss = await worth.learn(store, drawing);
      let paid = 0;
      for (let i = 0; i < total; i++) {
        const [caption, row] = [captions[i]!, i % played.rows];
        const at = row * CAPTIONS + caption;
        times[at] = times[at]! + 1;
        const value = worth.of[caption]!;
        const learned = value >= LEAST ? value / pow(times[at]!, c.repeats) : 0;
        paid += learned / total;
        rewards[i] = played.reward[i]! + c.rewardWeight * learned;
        if (played.ended[i] === 1) times.fill(0, row * CAPTIONS, (row + 1) * CAPTIONS);
      }
      // The annotator is asked about what was new to this rollout alike, rare or common, and answers later.
      const met = [...new Set(captions)];
      for (let n = 0; n < c.annotations; n++) {
        const [one, other] = [met[asking.int(met.length)]!, met[asking.int(met.length)]!];
        const [a, b] = [Number(promising(one)), Number(promising(other))];
        const truth = c.rewardModel === 'ranker' ? (a - b + 1) / 2 : a;
        store.ask(one, other, asking.uniform() < c.annotatorErrors ? 1 - truth : truth, step + c.annotatorDelay);
      }
      const judged = [...new Set(store.first.subarray(0, store.counters.known))];
      const right = judged.filter((caption) => worth.of[caption]! >= LEAST === promising(caption)).length;
      const rewardAgreement = judged.length === 0 ? Number.NaN : right / judged.length;
      return { rewards, metrics: { answers: store.counters.known, rewardLoss, rewardAgreement, learnedReward: paid } };
    },
  };
}

export const oni = defineAlgo<Config>({
  spec: {
    id: 'oni',
    version: 1,
    title: 'ONI',
    summary: 'Intrinsic reward from delayed, noisy labels, until the task reward appears.',
    source: {
      title: 'Online Intrinsic Rewards for Decision Making Agents from Large Language Model Feedback',
      authors: 'Zheng et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2410.23022',
    },
    config,
    presets: [
      { id: 'classifier', title: 'a network that learns the answers', config: { rewardModel: 'classifier' } },
      { id: 'ranker', title: 'a network that learns which is better', config: { rewardModel: 'ranker' } },
      { id: 'perfect', title: 'an annotator without errors or delay', config: { annotatorErrors: 0, annotatorDelay: 0 } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'minigrid-unlock',
      steps: 1024,
      config: {
        rewardModel: 'classifier',
        annotatorDelay: 200,
        envs: 4,
        rolloutSteps: 64,
        minibatches: 4,
        epochs: 2,
        hidden: [8],
        rewardHidden: [8],
        rewardUpdates: 4,
      },
    },
    probes: [],
    metrics: [
      ...ppo.ppoMetrics,
      { id: 'answers', title: 'answers', description: 'Of the annotator, those that are there.' },
      { id: 'rewardLoss', title: 'reward loss', description: 'Cross-entropy of the answers; ln 2 says nothing about them.' },
      {
        id: 'rewardAgreement',
        title: 'reward agreement',
        description: 'Share of the captions asked about that pay where an annotator without errors would call them promising.',
      },
      { id: 'learnedReward', title: 'learned reward', description: 'Paid a step for captions, before its weight.' },
    ],
  },

  fits(meta, c) {
    checkLearnedReward(meta, c, TITLE);
    viewOf(meta, TITLE);
  },

  train: (run, resume) => trainOnLearnedReward(run, resume, async (engine, total) => rewardOfAnnotations(run, engine, total)),
  policy: learnedRewardPolicy,
  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
