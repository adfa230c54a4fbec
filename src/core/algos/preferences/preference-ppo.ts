/**
 * PPO on a reward that was learned from preferences (Christiano et al. 2017): pairs of short segments are shown to a rater, an ensemble of
 * networks learns which reward would explain the answers (lib/reward-ensemble.ts), and PPO (../lib/ppo/learned-reward.ts) climbs it. The
 * true reward is never learned from: it is what `return` measures, so that a learned reward that is exploited shows.
 *   P(1 > 2) = sigmoid(sum r_k(1) - sum r_k(2)) over the steps of two segments, for each network k
 *   L = mean over k of the cross-entropy of P with the answers;  with e errors assumed: of e + (1 - 2 e) P
 * Raters: a script that is asked while training goes on, about the pairs on which the networks disagree most; or answers that were given
 * before, by a person on the Data page. A third of a script's answers comes first, the others over the first half of the budget.
 * Several agents that are alike share the networks.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi
 *     for each answer that is due (none if a person answered before)
 *       draw `candidates` pairs of segments of the rollout
 *       ask about that on which the networks' P vary most; raterErrors of the answers are wrong
 *       each network gets the answer with a weight of its own, a Poisson number of mean 1
 *     where there are new answers, and the first time (5 times as many minibatches)
 *       if bilevel: L += bilevel * mean of r(segment) <grad ln pi(segment), v>, v from the answers' loss
 *       rewardUpdates minibatches of 16 answers: descend L of all networks with Adam
 *     r = mean of the networks, shifted and scaled to mean 0, deviation 1 on the compared segments
 *     advantages by GAE(lambda) of r, targets = advantages + V
 *     for each epoch, for each shuffled minibatch: standardise its advantages
 *       ascend the clipped objective and the entropy bonus; descend the value loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { RunningMoments } from '#math/normalise.ts';
import type { Engine } from '../../engine/types.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  checkLearnedReward,
  type LearnedReward,
  type Learner,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  rewardFields,
  trainOnLearnedReward,
  trialConfig,
} from '../lib/ppo/learned-reward.ts';
import { askingFields, openAnswers } from './lib/answers.ts';
import { bilevelProducts } from './lib/bilevel.ts';
import { checkRater, circleRecord, dueAnswers, insightInto, Questions, worstWinsMetric } from './lib/questions.ts';
import { ensembleField, rewardEnsemble } from './lib/reward-ensemble.ts';

const source = 'Christiano et al. 2017';
const own = 'own choice';

const config = z.strictObject({
  ...askingFields,
  candidates: fields.integer(10, {
    min: 1,
    max: 100,
    title: 'candidate pairs',
    description: 'Of so many random pairs the one is asked about on which the networks disagree most; 1: a random pair.',
    slider: [1, 20],
    source: `${own}; 10 in ${source}`,
    depth: 'research',
    group: 'preferences',
  }),
  ensemble: ensembleField('answers', source),
  assumedErrors: fields.real(0, {
    min: 0,
    max: 0.45,
    title: 'errors assumed',
    description: 'Share of wrong answers that the networks count on; an answer against all others then bends the reward less.',
    slider: [0, 0.3],
    source: `${own}; 0.05 in ${source}`,
    group: 'reward',
  }),
  rewardDecay: fields.real(0, {
    min: 0,
    max: 1,
    title: 'reward regularisation',
    description: 'L2, of the reward networks: smoother rewards, which follow single answers less.',
    slider: [0, 0.1],
    source: `${own}; fitted to held-out answers in ${source}`,
    group: 'reward',
  }),
  bilevel: fields.real(0, {
    min: 0,
    max: 10,
    title: 'bilevel weight',
    description:
      'Of the term by which a reward also answers for the play that it leads to; 0: reward and policy learn in turn, each as if the other stood still.',
    slider: [0, 1],
    source: 'Chakraborty et al. 2024',
    group: 'reward',
  }),
  rewardNormaliseObs: fields.normaliseObs(false, own, {
    title: 'normalise observations for the reward',
    description: 'The reward networks see observations less their running mean, divided by their running standard deviation.',
    group: 'reward',
  }),
  ...rewardFields({ update: 'Minibatches of 16 answers after every round of questions.', hiddenSource: source }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;

async function rewardOfAnswers(run: Run<Config>, engine: Engine, total: number, learner: Learner): Promise<LearnedReward> {
  const { config: c, meta, rng } = run;
  const moments = c.rewardNormaliseObs ? new RunningMoments(meta.obsSize) : null;
  const options = {
    size: c.ensemble,
    hidden: c.rewardHidden,
    segment: c.segment,
    errors: c.assumedErrors,
    decay: c.rewardDecay,
    pushed: c.bilevel,
    moments,
  };
  const ensemble = rewardEnsemble(engine, meta, options, rng.split('reward'));
  const [asking, drawing, checking] = [rng.split('asking'), rng.split('drawing'), rng.split('checking')];
  const { answers, given } = await openAnswers(run, c.ensemble);
  const each = new Float32Array(total * c.ensemble); // what every network says of the rollout's rows
  const products = c.bilevel === 0 ? null : bilevelProducts(engine, meta, learner, c.segment);
  const counters = { fitted: 0 };
  const circle = circleRecord(meta, c.rater, run.steps);
  const insight = insightInto(run, c.rater, c.rolloutSteps, c.envs * meta.agentCount);
  return {
    ...(insight.watch && { watch: insight.watch }),
    state: {
      counters,
      arrays: {
        asking,
        drawing,
        checking,
        rewardMoments: moments,
        rewardScale: ensemble.scale,
        ...answers.arrays,
        ...circle.arrays,
      },
    },
    async judge(played, step) {
      const { obs, action } = played;
      moments?.update(obs, total);
      await ensemble.predict(obs, action, total, each);
      const questions = new Questions(c, meta, played, asking);
      const before = answers.count;
      if (!given)
        questions.ask(
          Math.max(0, dueAnswers(c.answers, step, run.steps) - before),
          answers,
          each,
          questions.by(c.rater, insight.of(played)),
        );
      let rewardLoss = Number.NaN;
      if (answers.count > before || counters.fitted === 0) {
        const first = counters.fitted === 0 ? 5 : 1; // networks that know nothing yet
        const push = products === null || answers.count === 0 ? undefined : await products(answers, await ensemble.losses(answers));
        rewardLoss = await ensemble.fit(answers, first * c.rewardUpdates, c.rewardLr, drawing, push);
        counters.fitted = 1;
      }
      const rewards = await ensemble.predict(obs, action, total);
      const learnedReward = rewards.reduce((a, b) => a + b, 0) / total;
      const rewardAgreement = questions.agreement(rewards, checking);
      const worstWins = circle.worst(questions, step);
      return { rewards, metrics: { answers: answers.count, rewardLoss, rewardAgreement, learnedReward, worstWins } };
    },
  };
}

export const preferencePpo = defineAlgo<Config>({
  spec: {
    id: 'preference-ppo',
    version: 2,
    changes: [livingRows(2)],
    title: 'PPO from preferences',
    summary: 'Learns a reward from answers to "which of these two is better?", and trains PPO on it.',
    source: {
      title: 'Deep Reinforcement Learning from Human Preferences',
      authors: 'Christiano et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1706.03741',
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
      {
        id: 'errors',
        title: 'Pendulum: 60 answers, one in ten wrong',
        config: {
          ...ZOO_PENDULUM,
          segment: 10,
          assumedErrors: 0.1,
          rewardDecay: 0.03,
          rewardNormaliseObs: true,
          bilevel: 0.01,
        },
      },
      { id: 'many', title: '700 answers without errors, as in the paper', config: { answers: 700, raterErrors: 0 } },
    ],
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'pendulum',
      steps: 1280,
      config: trialConfig,
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
      ensemble: 2,
      rewardUpdates: 40,
      rewardLr: 3e-3,
    },
    metrics: [
      ...ppo.ppoMetrics,
      { id: 'answers', title: 'answers', description: 'Answers so far.' },
      { id: 'rewardLoss', title: 'reward loss', description: 'Cross-entropy of the answers; ln 2 says nothing about them.' },
      {
        id: 'rewardAgreement',
        title: 'reward agreement',
        description: 'Share of pairs of the newest segments that the learned reward orders as the true one does.',
      },
      {
        id: 'learnedReward',
        title: 'learned reward',
        description: 'Mean of the learned reward a step. Where it climbs and the return does not, the reward is exploited.',
      },
      worstWinsMetric,
    ],
  },

  fits(meta, c) {
    checkLearnedReward(meta, c, 'PPO from preferences');
    checkRater(meta, c.rater);
    ppo.checkNormalised(meta, c.rewardNormaliseObs);
  },

  train: (run, resume) => trainOnLearnedReward(run, resume, (engine, total, learner) => rewardOfAnswers(run, engine, total, learner)),
  policy: learnedRewardPolicy,
  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
