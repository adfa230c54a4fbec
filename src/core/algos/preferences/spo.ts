/**
 * Self-play preference optimisation (Swamy et al. 2024): no reward is assumed that would explain all answers. What is learned is who wins
 * when two segments are compared; PPO (../lib/ppo/learned-reward.ts) climbs the share of the policy's own newest segments that a segment
 * wins against. So preferences may go in circles (A over B, B over C, C over A), where no reward explains them, and a rater's errors wash
 * out.
 *   P(1 > 2) = sigmoid(u (e1 - e2) + e1' (W - W') e2),   e: mean over a segment's steps of an embedding e(s, a)
 *   reward of every step of a segment: mean over M opponents of P(segment > opponent), minus 1/2
 * Swapping the two swaps the answer, whatever the weights. Raters as in preference-ppo.ts; every pair is drawn at random.
 * Several agents that are alike share the networks.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi
 *     for each answer that is due (none if a person answered before)
 *       draw a pair of segments of the rollout and ask; a share raterErrors of the answers is wrong
 *     where there are new answers, and the first time (5 times as many minibatches)
 *       rewardUpdates minibatches of 16 answers: descend the cross-entropy of P with the answers
 *     cut the rollout into segments; e of each: the mean embedding of its steps
 *     for each segment: draw M opponents among the segments of the rollout
 *       reward of its steps = mean of P(segment > opponent) - 1/2
 *     advantages by GAE(lambda) of that reward, targets = advantages + V
 *     for each epoch, for each shuffled minibatch
 *       standardise its advantages
 *       ascend the clipped objective and the entropy bonus; descend the value loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { add, concat, matmul, mean, mul, neg, oneHot, reshape, sliceAxis, softplus, sub, sum, transpose } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { kaimingUniform } from '#core/nets/init.ts';
import { mlp } from '#core/nets/mlp.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import { actionShape } from '../lib/box.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  CHUNK,
  checkLearnedReward,
  type LearnedReward,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  overChunks,
  type Played,
  rewardFields,
  trainOnLearnedReward,
  trialConfig,
} from '../lib/ppo/learned-reward.ts';
import { askingFields, fitAnswers, openAnswers, PAIRS } from './lib/answers.ts';
import { checkRater, circleRecord, dueAnswers, insightInto, Questions, worstWinsMetric } from './lib/questions.ts';

const own = 'own choice';

const config = z.strictObject({
  ...askingFields,
  opponents: fields.integer(16, {
    min: 1,
    max: 256,
    title: 'opponents',
    description: 'Of the newest segments, against which each segment is held.',
    slider: [4, 64],
    source: own,
    group: 'preferences',
  }),
  embedding: fields.integer(16, {
    min: 1,
    max: 128,
    title: 'embedding',
    description: 'Numbers that stand for a step where segments are compared.',
    slider: [2, 64],
    source: own,
    depth: 'stored',
    group: 'reward',
  }),
  ...rewardFields({
    name: 'preference',
    learner: 'who wins',
    layersOf: 'the embedding',
    update: 'Minibatches of 16 answers after every round of questions.',
  }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;

/** Log-odds [P] that the first of each pair wins: embeddings [P, E], worth [P], W [E, E]. Swapping the two changes the sign. */
export function winOdds(first: Tensor, second: Tensor, worth: readonly [Tensor, Tensor], w: Tensor): Tensor {
  const skew = sub(w, transpose(w));
  return add(sub(worth[0], worth[1]), sum(mul(matmul(first, skew), second), 1));
}

function contest(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const { actionCount: N, obsSize: O } = meta;
  const [E, L] = [c.embedding, c.segment];
  const group = engine.group('contest');
  const net = mlp(group, 'embed', rng, [encodedSize(space) + (N > 0 ? N : meta.actionSize), ...c.rewardHidden, E], {
    act: 'relu',
    init: 'torch',
  });
  const u = group.param('u', [E, 1], kaimingUniform(rng, E, E));
  const w = group.param('w', [E, E], kaimingUniform(rng, E, E * E));
  const embed = (g: Graph, obs: Tensor, action: Tensor): Tensor =>
    net(concat([encode(g, obs, space), N > 0 ? oneHot(action, N) : action], 1));
  const rows = 2 * PAIRS * L;
  const learn = engine.compile(
    { obs: [rows, O], action: actionShape(meta, rows), choice: [PAIRS] },
    (x, g) => {
      const all = mean(reshape(embed(g, x.obs, x.action), [2 * PAIRS, L, E]), 1);
      const worth = reshape(matmul(all, g.read(u)), [2 * PAIRS]);
      const half = (of: Tensor, from: number): Tensor => sliceAxis(of, 0, from, PAIRS);
      const odds = winOdds(half(all, 0), half(all, PAIRS), [half(worth, 0), half(worth, PAIRS)], g.read(w));
      return { loss: mean(add(mul(x.choice, softplus(neg(odds))), mul(sub(1, x.choice), softplus(odds)))) };
    },
    { minimise: 'loss', group, with: adam(), name: 'who wins' },
  );
  const look = engine.compile(
    { obs: [CHUNK, O], action: actionShape(meta, CHUNK) },
    (x, g) => {
      const e = embed(g, x.obs, x.action);
      const weight = g.read(w);
      return { e, turned: matmul(e, sub(weight, transpose(weight))), worth: reshape(matmul(e, g.read(u)), [CHUNK]) };
    },
    { name: 'embedding of rows' },
  );
  return { learn, look };
}
type Contest = ReturnType<typeof contest>;

/** Segments of at most L steps that a rollout falls into, and what their steps are worth against each other. */
async function sharesOf({ look }: Contest, c: Config, played: Played, drawing: Rng): Promise<Float32Array> {
  const { steps: T, rows } = played;
  const E = c.embedding;
  const total = T * rows;
  const L = Math.min(c.segment, T);
  const perRow = Math.ceil(T / L);
  const count = perRow * rows;
  const segmentOf = (i: number): number => Math.floor(Math.floor(i / rows) / L) * rows + (i % rows);
  const [e, turned, worth, size] = [
    new Float64Array(count * E),
    new Float64Array(count * E),
    new Float64Array(count),
    new Float64Array(count),
  ];
  await overChunks(look, played, total, (from, some) => {
    for (let i = 0; i < some; i++) {
      const s = segmentOf(from + i);
      size[s] = size[s]! + 1;
      worth[s] = worth[s]! + look.out.worth[i]!;
      for (let k = 0; k < E; k++) {
        e[s * E + k] = e[s * E + k]! + look.out.e[i * E + k]!;
        turned[s * E + k] = turned[s * E + k]! + look.out.turned[i * E + k]!;
      }
    }
  });
  const share = new Float64Array(count);
  for (let s = 0; s < count; s++) {
    for (let m = 0; m < c.opponents; m++) {
      const rival = drawing.int(count);
      let odds = worth[s]! / size[s]! - worth[rival]! / size[rival]!;
      for (let k = 0; k < E; k++) odds += (turned[s * E + k]! / size[s]!) * (e[rival * E + k]! / size[rival]!);
      share[s] = share[s]! + 1 / (1 + exp(-odds)) / c.opponents;
    }
  }
  return Float32Array.from({ length: total }, (_, i) => share[segmentOf(i)]! - 0.5);
}

async function rewardOfContest(run: Run<Config>, engine: Engine, total: number): Promise<LearnedReward> {
  const { config: c, meta, rng } = run;
  const found = contest(engine, meta, c, rng.split('contest'));
  const [asking, drawing, rivals, checking] = [rng.split('asking'), rng.split('drawing'), rng.split('rivals'), rng.split('checking')];
  const { answers, given } = await openAnswers(run, 0);
  const counters = { fitted: 0 };
  const nothing = new Float32Array(0);
  const circle = circleRecord(meta, c.rater, run.steps);
  const insight = insightInto(run, c.rater, c.rolloutSteps, c.envs * meta.agentCount);
  return {
    ...(insight.watch && { watch: insight.watch }),
    state: { counters, arrays: { asking, drawing, rivals, checking, ...answers.arrays, ...circle.arrays } },
    async judge(played, step) {
      const questions = new Questions({ ...c, candidates: 1, ensemble: 0 }, meta, played, asking);
      const before = answers.count;
      if (!given)
        questions.ask(
          Math.max(0, dueAnswers(c.answers, step, run.steps) - before),
          answers,
          nothing,
          questions.by(c.rater, insight.of(played)),
        );
      let rewardLoss = Number.NaN;
      if (answers.count > before || counters.fitted === 0) {
        rewardLoss = await fitAnswers(found.learn, answers, (counters.fitted === 0 ? 5 : 1) * c.rewardUpdates, c.rewardLr, drawing);
        counters.fitted = 1;
      }
      const rewards = await sharesOf(found, c, played, rivals);
      const learnedReward = rewards.reduce((a, b) => a + b, 0) / total;
      const rewardAgreement = questions.agreement(rewards, checking);
      const worstWins = circle.worst(questions, step);
      return { rewards, metrics: { answers: answers.count, rewardLoss, rewardAgreement, learnedReward, worstWins } };
    },
  };
}

export const spo = defineAlgo<Config>({
  spec: {
    id: 'spo',
    version: 2,
    changes: [livingRows(2)],
    title: 'SPO',
    summary: 'Learns a preference model and maximises its win rate against its own samples.',
    source: {
      title: 'A Minimaximalist Approach to Reinforcement Learning from Human Feedback',
      authors: 'Swamy et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2401.04056',
    },
    config,
    presets: [
      {
        id: 'continuous',
        title: 'continuous control (CleanRL ppo_continuous_action.py)',
        config: { lr: 3e-4, envs: 1, rolloutSteps: 2048, minibatches: 32, epochs: 10, entropyCoef: 0, normaliseObs: true },
      },
      {
        id: 'pendulum',
        title: 'Pendulum: RL Zoo’s PPO settings, 60 answers',
        config: ZOO_PENDULUM,
      },
    ],
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'pendulum',
      steps: 1280,
      config: { ...trialConfig, embedding: 4 },
    },
    probes: [
      { on: ['bandit', 'cued'], steps: 8000 },
      { on: ['pointing'], steps: 16_000, atLeast: 0.9 },
    ],
    probeConfig: {
      envs: 8,
      rolloutSteps: 16,
      lr: 3e-3,
      annealLr: false,
      gamma: 0.9,
      entropyCoef: 0.001,
      hidden: [16],
      rewardHidden: [16],
      answers: 300,
      raterErrors: 0,
      segment: 1,
      embedding: 4,
      rewardUpdates: 40,
      rewardLr: 3e-3,
    },
    metrics: [
      ...ppo.ppoMetrics,
      { id: 'answers', title: 'answers', description: 'Answers so far.' },
      { id: 'rewardLoss', title: 'preference loss', description: 'Cross-entropy of the answers; ln 2 says nothing about them.' },
      {
        id: 'rewardAgreement',
        title: 'reward agreement',
        description: 'Share of pairs of the newest segments that the shares of wins order as the true reward does.',
      },
      { id: 'learnedReward', title: 'learned reward', description: 'Mean share of wins less one half: near 0, because it plays itself.' },
      worstWinsMetric,
    ],
  },

  fits(meta, c) {
    checkLearnedReward(meta, c, 'SPO');
    checkRater(meta, c.rater);
  },

  train: (run, resume) => trainOnLearnedReward(run, resume, (engine, total) => rewardOfContest(run, engine, total)),
  policy: learnedRewardPolicy,
  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
