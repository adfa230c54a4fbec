/**
 * Hierarchical preferences (HERON; Bukharin et al. 2023): a ranking says which factors of a task matter more than which, and no weights.
 * The ranking is a decision tree that compares two segments: the most important factor decides where the two differ in it clearly, else the
 * next (lib/factors.ts). From such comparisons, which cost nothing, an ensemble learns a reward (lib/reward-ensemble.ts) that PPO climbs
 * (../lib/ppo/learned-reward.ts). Beside it stands what it replaces: the second line, a sum of the same factors under weights chosen by
 * hand.
 *   P(1 > 2) = sigmoid(sum r(1) - sum r(2)) over the steps of two segments, cross-entropy with the ranking's answer
 *   r(s, a) = sum_k w_k e^(n_k) f_k(s, a),   n_k normal with deviation `weightNoise`, drawn once a run: a hand that is not sure
 * The sum is shifted and scaled by the first rollout. What the environment pays is never learned from. Several agents that are alike share
 * the networks.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi
 *     if reward is ranking
 *       draw the pairs of its segments that are due: a third at once, all by half of the budget
 *       answer: the first factor whose means differ by more than margin * its deviation; none: alike
 *       if there are new answers: rewardUpdates minibatches of the ensemble (5 times as many at first)
 *       r = mean of the networks, shifted and scaled to mean 0, deviation 1 on the compared segments
 *     if reward is weighted sum: r = sum of w_k e^(n_k) f_k, standardised as in the first rollout
 *     advantages by GAE(lambda) of r, targets = advantages + V
 *     for each epoch, for each shuffled minibatch
 *       standardise its advantages
 *       ascend the clipped objective and the entropy bonus; descend the value loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  checkLearnedReward,
  type LearnedReward,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  rewardFields,
  trainOnLearnedReward,
  trialConfig,
} from '../lib/ppo/learned-reward.ts';
import { createAnswers } from './lib/answers.ts';
import { FACTORS, factorRows, factorsOf, rankedCompare } from './lib/factors.ts';
import { dueAnswers, Questions } from './lib/questions.ts';
import { ensembleField, rewardEnsemble } from './lib/reward-ensemble.ts';

const source = 'Bukharin et al. 2023';
const own = 'own choice';

const config = z.strictObject({
  factors: z.string().max(200).regex(FACTORS, 'factors such as o0, -|o2|, -|a0|').default('o0').meta({
    title: 'factors',
    description:
      'What matters, most important first: o2 is the third number of the observation, a0 the first of the action; -|o2 - 1| is nearness to 1.',
    source,
    depth: 'teach',
    group: 'preferences',
  }),
  reward: z.enum(['ranking', 'weighted sum']).default('ranking').meta({
    title: 'reward from',
    description: 'ranking: learned from comparisons by the order of the factors alone; weighted sum: the factors times the weights.',
    source,
    depth: 'teach',
    group: 'preferences',
  }),
  margin: fields.real(0.5, {
    min: 0,
    max: 10,
    title: 'margin',
    description: 'A factor decides where the two segments’ means are further apart than this many of its deviations.',
    slider: [0, 2],
    source: `${own}; a share of the deviation in ${source}`,
    depth: 'teach',
    group: 'preferences',
  }),
  weights: z.array(z.number().min(0).max(1e6)).min(1).max(8).default([1]).meta({
    title: 'weights',
    description: 'Of the factors in their order, for the weighted sum; the last one goes on for those that are missing.',
    source: own,
    group: 'preferences',
  }),
  weightNoise: fields.real(0, {
    min: 0,
    max: 5,
    title: 'noise of the weights',
    description: 'Deviation of the logarithm of every weight, drawn once a run; 2: a factor of 7 either way is usual.',
    slider: [0, 3],
    source: own,
    group: 'preferences',
  }),
  answers: fields.integer(500, {
    min: 1,
    max: 20_000,
    title: 'comparisons',
    description: 'By the ranking, over the whole run; no rater is asked.',
    log: true,
    slider: [10, 5000],
    source: own,
    group: 'preferences',
  }),
  segment: fields.integer(25, {
    min: 1,
    max: 500,
    title: 'segment length',
    unit: 'steps',
    description: 'Of each of the two that are compared.',
    slider: [5, 60],
    source: own,
    group: 'preferences',
  }),
  ensemble: ensembleField('comparisons', own),
  ...rewardFields({ update: 'Minibatches of 16 comparisons after every round of them.' }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;

/** The weights of `count` factors as this run has them. */
export function noisyWeights(weights: readonly number[], noise: number, count: number, rng: Rng): readonly number[] {
  return Array.from({ length: count }, (_, k) => {
    const drawn = normal(rng); // also without noise, so that a seed draws the same for every noise
    return weights[Math.min(k, weights.length - 1)]! * exp(noise * drawn);
  });
}

function rewardOfRanking(run: Run<Config>, engine: Engine, total: number): LearnedReward {
  const { config: c, meta, rng } = run;
  const factors = factorsOf(meta, c.factors);
  const ensemble = rewardEnsemble(engine, meta, { size: c.ensemble, hidden: c.rewardHidden, segment: c.segment }, rng.split('reward'));
  const [asking, drawing, checking] = [rng.split('asking'), rng.split('drawing'), rng.split('checking')];
  const answers = createAnswers(meta, c.answers, c.segment, c.ensemble);
  const decided = new Float64Array(factors.length + 1);
  const counters = { fitted: 0 };
  const nothing = new Float32Array(0);
  return {
    state: { counters, arrays: { asking, drawing, checking, decided, rewardScale: ensemble.scale, ...answers.arrays } },
    async judge(played, step) {
      const questions = new Questions({ segment: c.segment, candidates: 1, ensemble: 0, raterErrors: 0 }, meta, played, asking);
      const rows = factorRows(factors, played, meta);
      const length = Math.min(c.segment, played.steps);
      const compare = rankedCompare(rows, length, c.margin, (of, place) => questions.total(of, place), decided);
      const before = answers.count;
      questions.ask(Math.max(0, dueAnswers(c.answers, step, run.steps) - before), answers, nothing, compare);
      let rewardLoss = Number.NaN;
      if (answers.count > before || counters.fitted === 0) {
        const first = counters.fitted === 0 ? 5 : 1; // networks that know nothing yet
        rewardLoss = await ensemble.fit(answers, first * c.rewardUpdates, c.rewardLr, drawing);
        counters.fitted = 1;
      }
      const rewards = await ensemble.predict(played.obs, played.action, total);
      const learnedReward = rewards.reduce((a, b) => a + b, 0) / total;
      const rewardAgreement = questions.agreement(rewards, checking);
      const firstDecides = decided[0]! / answers.count;
      return { rewards, metrics: { answers: answers.count, rewardLoss, rewardAgreement, learnedReward, firstDecides } };
    },
  };
}

const STD_FLOOR = 1e-3;

function rewardOfSum({ config: c, meta, rng }: Run<Config>, total: number): LearnedReward {
  const factors = factorsOf(meta, c.factors);
  const weights = noisyWeights(c.weights, c.weightNoise, factors.length, rng.split('weights'));
  const checking = rng.split('checking');
  const scale = new Float64Array(2); // centre and deviation of the first rollout; 0: none yet
  return {
    state: { arrays: { checking, rewardScale: scale } },
    async judge(played) {
      const rows = factorRows(factors, played, meta);
      const sums = Float64Array.from({ length: total }, (_, i) => rows.reduce((sum, row, k) => sum + weights[k]! * row[i]!, 0));
      if (scale[1] === 0) {
        const centre = sums.reduce((a, b) => a + b, 0) / total;
        scale.set([centre, Math.sqrt(sums.reduce((a, b) => a + (b - centre) ** 2, 0) / total) + STD_FLOOR]);
      }
      const rewards = Float32Array.from(sums, (sum) => (sum - scale[0]!) / scale[1]!);
      const learnedReward = rewards.reduce((a, b) => a + b, 0) / total;
      const questions = new Questions({ segment: c.segment, candidates: 1, ensemble: 0, raterErrors: 0 }, meta, played, checking);
      const rewardAgreement = questions.agreement(rewards, checking);
      return { rewards, metrics: { learnedReward, rewardAgreement } };
    },
  };
}

function check(meta: EnvMeta, c: Config): void {
  checkLearnedReward(meta, c, 'HERON');
  factorsOf(meta, c.factors);
}

export const heron = defineAlgo<Config>({
  spec: {
    id: 'heron',
    version: 2,
    changes: [livingRows(2)],
    title: 'HERON',
    summary: 'Learns a reward from the order of importance of a task’s factors alone, and trains on it.',
    source: {
      title: 'Deep Reinforcement Learning from Hierarchical Weak Preference Feedback',
      authors: 'Bukharin et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2309.02632',
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
        title: 'Pendulum: upright before still before effortless',
        config: {
          factors: 'o0, -|o2|, -|a0|',
          weights: [1, 0.1, 0.01],
          ...ZOO_PENDULUM,
        },
      },
      { id: 'sum', title: 'a weighted sum instead', config: { reward: 'weighted sum' } },
    ],
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'pendulum',
      steps: 1280,
      config: { ...trialConfig, factors: 'o0, -|o2|, -|a0|', answers: 40 },
    },
    // No probe's goal is a factor, but for the one in which one action is right: a0, the larger the better.
    probes: [{ on: ['bandit'], steps: 8000 }],
    probeConfig: {
      factors: 'a0',
      envs: 8,
      rolloutSteps: 16,
      lr: 3e-3,
      annealLr: false,
      gamma: 0.9,
      entropyCoef: 0.001,
      hidden: [16],
      rewardHidden: [16],
      segment: 1,
      ensemble: 2,
      rewardUpdates: 40,
      rewardLr: 3e-3,
    },
    metrics: [
      ...ppo.ppoMetrics,
      { id: 'answers', title: 'comparisons', description: 'By the ranking so far.' },
      { id: 'rewardLoss', title: 'reward loss', description: 'Cross-entropy of the comparisons; ln 2 says nothing about them.' },
      {
        id: 'rewardAgreement',
        title: 'reward agreement',
        description: 'Share of pairs of the newest segments that the reward climbed orders as the environment’s own does.',
      },
      { id: 'learnedReward', title: 'learned reward', description: 'Mean of the reward climbed a step.' },
      { id: 'firstDecides', title: 'decided by the first', description: 'Share of comparisons that the most important factor decided.' },
    ],
  },

  fits: check,

  train: (run, resume) =>
    trainOnLearnedReward(run, resume, async (engine, total) =>
      run.config.reward === 'ranking' ? rewardOfRanking(run, engine, total) : rewardOfSum(run, total),
    ),
  policy: learnedRewardPolicy,
  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
