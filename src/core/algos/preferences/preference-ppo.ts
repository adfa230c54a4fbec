/**
 * PPO on a reward that was learned from preferences (Christiano et al. 2017): pairs of short segments are shown to a rater, an ensemble of
 * networks learns which reward would explain the answers (lib/reward-ensemble.ts), and PPO (../lib/ppo/common.ts) climbs that reward. The
 * true reward is never learned from: it is what `return` measures, so that a learned reward that is exploited shows.
 * Raters: a script that is asked while training goes on, about the pairs on which the networks disagree most; or answers that were given
 * before, by a person on the Data page. A third of a script's answers comes first, the others over the first half of the budget.
 * Several agents that are alike share the networks. Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { exp } from '#math/functions.ts';
import { gae } from '#math/gae.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { standardise } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { boxOf } from '../lib/box.ts';
import { checkRecordable, datasetOf } from '../lib/data/source.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import * as ppo from '../lib/ppo/common.ts';
import { type Answers, answersOf, createAnswers, rate } from './lib/answers.ts';
import { type RewardEnsemble, rewardEnsemble } from './lib/reward-ensemble.ts';

const source = 'Christiano et al. 2017';
const own = 'own choice';

const config = z.strictObject({
  comparisons: z
    .string()
    .regex(/^(rater|[0-9a-f]{64})$/, 'rater, or the 64 digits of a dataset with answers on the Data page')
    .default('rater')
    .meta({
      title: 'answers',
      description: 'Who says what is better: the script, or a dataset in which a person answered.',
      source: own,
      depth: 'teach',
      editor: 'answers',
      group: 'preferences',
    }),
  rater: z.enum(['return', 'boltzmann']).default('return').meta({
    title: 'scripted rater',
    description: 'return: always the larger true return; boltzmann: the likelier, the larger it is.',
    source,
    group: 'preferences',
  }),
  raterErrors: fields.real(0.1, {
    min: 0,
    max: 0.5,
    title: 'errors of the rater',
    description: 'Share of the answers that are the wrong way round.',
    slider: [0, 0.5],
    source,
    depth: 'teach',
    group: 'preferences',
  }),
  answers: fields.integer(60, {
    min: 1,
    max: 5000,
    title: 'answers asked for',
    description: 'Of the script, over the whole run.',
    log: true,
    slider: [10, 1000],
    source: `${own}; 700 in ${source}`,
    depth: 'teach',
    group: 'preferences',
  }),
  segment: fields.integer(25, {
    min: 1,
    max: 500,
    title: 'segment length',
    unit: 'steps',
    description: 'Of each of the two that are compared.',
    slider: [5, 60],
    source,
    group: 'preferences',
  }),
  candidates: fields.integer(10, {
    min: 1,
    max: 100,
    title: 'candidate pairs',
    description: 'Of so many random pairs the one is asked about on which the networks disagree most; 1: a random pair.',
    slider: [1, 20],
    source: `${own}; 10 in ${source}`,
    group: 'preferences',
  }),
  ensemble: fields.integer(3, {
    min: 1,
    max: 8,
    title: 'reward networks',
    description: 'Each learns from a resample of the answers; the reward is their mean.',
    slider: [1, 5],
    source,
    group: 'reward',
  }),
  rewardUpdates: fields.integer(100, {
    min: 1,
    max: 10_000,
    title: 'reward updates',
    description: 'Minibatches of 16 answers after every round of questions.',
    slider: [10, 500],
    log: true,
    source: own,
    group: 'reward',
  }),
  rewardLr: fields.lr(1e-3, own, {
    title: 'reward learning rate',
    description: 'Step size of Adam for the reward networks.',
    group: 'reward',
  }),
  rewardHidden: fields.hidden([64, 64], source, {
    title: 'reward layers',
    description: 'Units of each layer of the reward networks.',
    group: 'reward',
  }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;

const FIRST_SHARE = 1 / 3; // of a script's answers come before anything was learned
const ASKED_BY = 0.5; // of the budget all answers have been given
const CHECKED_PAIRS = 64;

function compileLearner(engine: Engine, net: PolicyNetwork, c: Config, rows: number) {
  return engine.compile(
    { ...net.inputs(rows), ...ppo.lossInputs(rows, c.clipValue), action: net.actionShape(rows) },
    (x, g) => ppo.ppoLoss(x, net.evaluate(x, x.action, g), { advantage: standardise(x.advantage, 1, 1e-8) }),
    { minimise: 'loss', group: net.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'ppo learn' },
  );
}

/** The newest rollout as a rater sees it, time-major: T steps of `rows`. */
interface Seen {
  readonly obs: Float32Array; // [T, rows, O]
  readonly action: Float32Array; // [T, rows, D] in units of learners
  readonly reward: Float32Array; // [T, rows] true
  readonly steps: number;
  readonly rows: number;
}

/** Asks about pairs of segments of a rollout. */
class Questions {
  private readonly c: Config;
  private readonly meta: EnvMeta;
  private readonly seen: Seen;
  private readonly rng: Rng;
  private readonly length: number;

  constructor(c: Config, meta: EnvMeta, seen: Seen, rng: Rng) {
    [this.c, this.meta, this.seen, this.rng] = [c, meta, seen, rng];
    this.length = Math.min(c.segment, seen.steps);
  }

  private draw(): readonly [number, number] {
    return [this.rng.int(this.seen.steps - this.length + 1), this.rng.int(this.seen.rows)];
  }

  /** Sum of a number per row over a segment. */
  private total(of: Float32Array, [from, row]: readonly [number, number], width = 1, k = 0): number {
    let sum = 0;
    for (let t = from; t < from + this.length; t++) sum += of[(t * this.seen.rows + row) * width + k]!;
    return sum;
  }

  /** `each` [T, rows, K]: what every network says of the rollout's rows. */
  ask(count: number, answers: Answers, each: Float32Array): void {
    const { c, rng, seen } = this;
    for (let n = 0; n < count; n++) {
      let [best, most] = [[this.draw(), this.draw()] as const, -1];
      for (let i = 0; i < c.candidates; i++) {
        const pair = i === 0 ? best : ([this.draw(), this.draw()] as const);
        const found = this.disagreement(pair, each);
        if (found > most) [best, most] = [pair, found];
      }
      const choice = rate(c.rater, this.total(seen.reward, best[0]), this.total(seen.reward, best[1]), c.raterErrors, rng);
      answers.add(choice, rng, (which, obs, obsAt, action, actionAt) => this.copy(best[which], obs, obsAt, action, actionAt));
    }
  }

  /** Variance over the networks of the probability that the first segment is preferred. */
  private disagreement([a, b]: readonly [readonly [number, number], readonly [number, number]], each: Float32Array): number {
    const K = this.c.ensemble;
    let [sum, squares] = [0, 0];
    for (let k = 0; k < K; k++) {
      const p = 1 / (1 + exp(this.total(each, b, K, k) - this.total(each, a, K, k)));
      [sum, squares] = [sum + p, squares + p * p];
    }
    return squares / K - (sum / K) ** 2;
  }

  private copy([from, row]: readonly [number, number], obs: Float32Array, obsAt: number, action: Float32Array, actionAt: number): void {
    const { seen, meta, c } = this;
    const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
    for (let k = 0; k < c.segment; k++) {
      const at = Math.min(from + k, from + this.length - 1) * seen.rows + row;
      obs.set(seen.obs.subarray(at * O, (at + 1) * O), obsAt + k * O);
      action.set(seen.action.subarray(at * D, (at + 1) * D), actionAt + k * D);
    }
  }

  /** Share of random pairs that the learned reward [T, rows] orders as the true one does; those that are truly alike are left out. */
  agreement(learned: Float32Array, rng: Rng): number {
    let [right, counted] = [0, 0];
    for (let i = 0; i < CHECKED_PAIRS; i++) {
      const draw = (): readonly [number, number] => [rng.int(this.seen.steps - this.length + 1), rng.int(this.seen.rows)];
      const [a, b] = [draw(), draw()];
      const truth = this.total(this.seen.reward, a) - this.total(this.seen.reward, b);
      if (truth === 0) continue;
      counted++;
      if (truth * (this.total(learned, a) - this.total(learned, b)) > 0) right++;
    }
    return counted === 0 ? Number.NaN : right / counted;
  }
}

export const preferencePpo = defineAlgo<Config>({
  spec: {
    id: 'preference-ppo',
    version: 1,
    title: 'PPO from preferences',
    summary: 'Learns what is wanted from answers to "which of these two is better?", and then how to get it.',
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
        config: {
          lr: 1e-3,
          annealLr: false,
          envs: 4,
          rolloutSteps: 1024,
          minibatches: 64,
          epochs: 10,
          gamma: 0.9,
          entropyCoef: 0,
          clipValue: false,
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
      config: {
        envs: 4,
        rolloutSteps: 64,
        minibatches: 4,
        epochs: 2,
        hidden: [8],
        rewardHidden: [8],
        rewardUpdates: 10,
        answers: 12,
        segment: 10,
      },
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
    ],
  },

  fits(meta, c) {
    checkRecordable(meta, 'PPO from preferences');
    ppo.checkNormalised(meta, c.normaliseObs);
    ppo.checkMinibatches(c.envs * c.rolloutSteps * meta.agentCount, c.minibatches);
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const [O, A, N, T] = [meta.obsSize, meta.agentCount, meta.actionCount, c.rolloutSteps];
    const D = meta.actionSize;
    const rows = c.envs * A;
    const total = T * rows;
    const size = total / c.minibatches;
    const net = policyNetwork(engine, meta, { ...c, sharedTrunk: false }, run.rng.split('init'));
    const act = compileActor(engine, net, rows, 'ppo act');
    const learn = compileLearner(engine, net, c, size);
    const ensemble: RewardEnsemble = rewardEnsemble(
      engine,
      meta,
      { size: c.ensemble, hidden: c.rewardHidden, segment: c.segment },
      run.rng.split('reward'),
    );
    const [sampling, shuffling, asking, drawing, checking] = [
      run.rng.split('sampling'),
      run.rng.split('shuffling'),
      run.rng.split('asking'),
      run.rng.split('drawing'),
      run.rng.split('checking'),
    ];
    const given = c.comparisons === 'rater' ? null : await datasetOf(run, c.comparisons);
    const answers =
      given === null
        ? createAnswers(meta, c.answers, c.segment, c.ensemble)
        : answersOf(meta, given, c.segment, c.ensemble, run.rng.split('resamples'));
    const moments = c.normaliseObs ? new RunningMoments(O) : null;
    const { centre, half } = boxOf(meta);
    const floats = (width = 1): Float32Array => new Float32Array(total * width);
    const [obs, actions, logProbs, values, truth] = [floats(O), floats(D), floats(), floats(), floats()]; // obs as the network saw them
    const [plain, taken, each] = [floats(O), floats(D), floats(c.ensemble)]; // as the rater and the reward see them
    const [terminated, truncated] = [new Uint8Array(total), new Uint8Array(total)];
    const [finalValues, advantages, targets, lastValues] = [floats(), floats(), floats(), new Float32Array(rows)];
    const order = Int32Array.from({ length: total }, (_, i) => i);
    const envActions = createActions(meta, c.envs);
    const state = registerState({
      counters: { step: 0, fitted: 0 },
      parts: { env, engine },
      arrays: { order, sampling, shuffling, asking, drawing, checking, moments, rewardScale: ensemble.scale, ...answers.arrays },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }, {}, moments === null ? {} : { moments: moments.pack() }),
      policy: () => policyOfNetwork(engine, meta, net, moments, ppo.CLIP_NORMALISED),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    const valuesOf = async (observations: Float32Array): Promise<Float32Array> => {
      if (moments === null) act.in.obs.set(observations);
      else moments.normalise(observations, act.in.obs, ppo.CLIP_NORMALISED);
      const pending = act.run();
      if (pending) await pending;
      return act.out.value;
    };

    while (counters.step < run.steps) {
      // 1. Play, and keep what a rater would see beside what PPO needs.
      for (let t = 0; t < T; t++) {
        const at = t * rows;
        moments?.update(buffers.obs, rows);
        values.set(await valuesOf(buffers.obs), at);
        obs.set(act.in.obs, at * O);
        plain.set(buffers.obs, at * O);
        ppo.sampleActions(act.out, net.discrete ? N : D, rows, sampling, actions, logProbs, at);
        for (let i = 0; i < rows * D; i++) {
          const drawn = actions[at * D + i]!; // learned from as drawn; only the environment gets it clipped
          const k = i % (A * D);
          const unit = net.discrete ? drawn : Math.min(1, Math.max(-1, (drawn - centre[k]!) / half[k]!));
          taken[at * D + i] = unit;
          envActions[i] = net.discrete ? drawn : centre[k]! + half[k]! * unit;
        }
        env.step(envActions);
        for (let row = 0; row < rows; row++) {
          const b = Math.floor(row / A);
          truth[at + row] = buffers.reward[row]!;
          terminated[at + row] = buffers.terminated[b]!;
          truncated[at + row] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
        }
        if (c.bootstrapAtTruncation && buffers.truncated.includes(1)) finalValues.set(await valuesOf(buffers.finalObs), at);
      }
      lastValues.set(await valuesOf(buffers.obs));

      // 2. Ask, and learn what reward would explain the answers.
      await ensemble.predict(plain, taken, total, each);
      const questions = new Questions(c, meta, { obs: plain, action: taken, reward: truth, steps: T, rows }, asking);
      const before = answers.count;
      if (given === null) {
        const share = FIRST_SHARE + ((1 - FIRST_SHARE) * counters.step) / (ASKED_BY * run.steps);
        questions.ask(Math.max(0, Math.ceil(c.answers * Math.min(1, share)) - before), answers, each);
      }
      let rewardLoss = Number.NaN;
      if (answers.count > before || counters.fitted === 0) {
        const first = counters.fitted === 0 ? 5 : 1; // networks that know nothing yet
        rewardLoss = await ensemble.fit(answers, first * c.rewardUpdates, c.rewardLr, drawing);
        counters.fitted = 1;
      }
      const rewards = await ensemble.predict(plain, taken, total);
      const learnedReward = rewards.reduce((a, b) => a + b, 0) / total;
      const rewardAgreement = questions.agreement(rewards, checking);

      // 3. PPO on the learned reward.
      const { gamma, lambda, bootstrapAtTruncation } = c;
      gae(
        { rewards, values, terminated, truncated, finalValues, lastValues, rows, gamma, lambda, bootstrapAtTruncation },
        advantages,
        targets,
      );
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const report = await ppo.minibatchEpochs(
        learn,
        size,
        { ...c, lr },
        () => shuffling.shuffle(order),
        (from) => {
          const batch = learn.in;
          gatherRows(order, from, size, obs, O, batch.obs);
          gatherRows(order, from, size, actions, D, batch.action);
          gatherRows(order, from, size, logProbs, 1, batch.oldLogProb);
          gatherRows(order, from, size, advantages, 1, batch.advantage);
          gatherRows(order, from, size, targets, 1, batch.target);
          if (batch.oldValue !== undefined) gatherRows(order, from, size, values, 1, batch.oldValue);
        },
      );
      counters.step += T * c.envs;
      const { step } = counters;
      ppo.checkUpdate(step, report);
      const told = { answers: answers.count, rewardLoss, rewardAgreement, learnedReward };
      yield {
        step,
        metrics: { ...episodeRow(env), ...report, ...told, explainedVariance: explainedVariance(values, targets), learningRate: lr },
        ...point,
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = policyNetwork(engine, meta, { ...c, sharedTrunk: false }, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    const moments = ppo.savedPacked(saved, 'moments', new RunningMoments(meta.obsSize));
    return policyOfNetwork(engine, meta, net, moments, ppo.CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const net = policyNetwork(engine, meta, { ...c, sharedTrunk: false }, Rng.from(0));
    const learn = compileLearner(engine, net, c, (c.envs * meta.agentCount * c.rolloutSteps) / c.minibatches);
    return { run: () => learn.run() };
  },
});
