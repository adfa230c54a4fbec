/**
 * Policies straight from compared segments of trajectories, without a reward, a critic or play of their own. A store of segments is
 * recorded and compared once, before learning; the policy first clones all of them, and then makes the decisions in preferred segments
 * likelier:
 *   cpl  -log e^{S+} / (e^{S+} + e^{bias S-}),  S = alpha sum_t gamma^t log pi(a_t | s_t)            (Hejna et al. 2024)
 *   dpo  -log sigmoid(beta (log-ratio of the preferred segment - log-ratio of the other)), ratios to the clone   (Rafailov et al. 2023)
 * The losses are those of ../lib/preference-loss.ts; an answer "both are alike" counts half each way. CPL takes answers to be about regret,
 * how far decisions were from the best ones (rater `regret`); answers about returns serve it only as far as these go together. Of
 * continuous actions log pi is minus the squared distance in [-1, 1], as for a Gaussian of fixed width (as in the reference). A step is one
 * update. Several agents that are alike share the network.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   draw `answers` pairs of segments of it; the scripted rater says which is better, raterErrors wrong
 *     (if comparisons names a dataset that was answered: that dataset and its answers instead)
 *   repeat until the budget is spent
 *     in the first cloneSteps updates: draw a minibatch of rows; descend -mean log pi(a | s)
 *     afterwards
 *       if dpo, the first time: copy the policy, the clone is the reference
 *       draw a minibatch of compared pairs with replacement
 *       log pi of each segment: the sum over its steps, if cpl: weighted by gamma^t
 *       descend the mean cpl or dpo loss with Adam
 *     every 64 updates: play the greedy policy 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Dataset } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import { add, eq, gt, mean, mul, neg, reshape, sliceAxis, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { actionShape, checkRecordable } from '../lib/box.ts';
import { compileCloning, dataActor, savedActor } from '../lib/data/networks.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { type DataRows, sourceFields } from '../lib/data/source.ts';
import type { Played } from '../lib/ppo/learned-reward.ts';
import { cplLoss, dpoLoss } from '../lib/preference-loss.ts';
import { type Answers, askingFields, openAnswers } from './lib/answers.ts';
import { checkRater, Questions, recordedInsight } from './lib/questions.ts';

const CPL = 'jhejna/cpl';
const own = 'own choice';
const group = 'loss';

const config = z.strictObject({
  ...sourceFields(own, 'mixed'),
  ...askingFields,
  answers: fields.integer(500, {
    min: 1,
    max: 20_000,
    title: 'answers',
    description: 'Pairs of recorded segments that the script compares, all before learning begins.',
    log: true,
    slider: [20, 5000],
    source: own,
    depth: 'teach',
    group: 'preferences',
  }),
  loss: variant(
    'cpl',
    [
      kind('cpl', {
        alpha: fields.real(0.1, {
          above: 0,
          max: 10,
          title: 'alpha',
          description: 'How much advantage a nat of likelihood stands for.',
          slider: [0.01, 1],
          log: true,
          source: CPL,
          group,
        }),
        bias: fields.real(0.5, {
          min: 0,
          max: 1,
          title: 'bias',
          description: 'How much the other segment counts; below 1 the policy stays near what was recorded.',
          slider: [0, 1],
          source: CPL,
          group,
        }),
        gamma: fields.gamma(1, CPL, { live: false, description: 'How much later steps of a segment count.' }),
      }),
      kind('dpo', {
        beta: fields.real(0.1, {
          above: 0,
          max: 10,
          title: 'beta',
          description: 'How dear it is to leave the clone.',
          slider: [0.01, 1],
          log: true,
          source: 'TRL',
          group,
        }),
      }),
    ],
    {
      title: 'loss',
      description:
        'cpl: likelihoods stand for advantages, no reference. dpo: likelihoods beside those of the clone; of continuous actions nothing limits how far it goes from those of the other segment.',
      source: CPL,
      group,
      depth: 'teach',
    },
  ),
  lr: fields.lr(1e-4, CPL),
  pairs: fields.integer(32, {
    min: 1,
    max: 1024,
    title: 'pairs',
    description: 'Compared segments of a minibatch.',
    log: true,
    source: own,
    group: 'optimisation',
  }),
  cloneSteps: fields.integer(2000, {
    min: 0,
    max: 1_000_000,
    title: 'cloning updates',
    description: 'Updates that repeat all recorded rows, before any comparison counts.',
    log: false,
    slider: [0, 10_000],
    source: `${own}; 200,000 of 500,000 in ${CPL}`,
    group: 'warm start',
    depth: 'teach',
  }),
  batchSize: fields.batchSize(256, own, { description: 'Rows of a minibatch of cloning.' }),
  hidden: fields.hidden([256, 256], own, { description: 'Units of each layer; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

/** Asks the script about pairs of segments that lie within recorded episodes. Throws LabError('incompatible') where none is long enough. */
function compare(
  { config: c, meta, rng }: Run<Config>,
  entry: Run<Config>['envEntry'],
  data: Dataset,
  rows: DataRows,
  into: Answers,
): void {
  const { steps, agents: A } = data.header;
  const ended = Uint8Array.from({ length: steps * A }, (_, i) => data.terminals[Math.floor(i / A)]! | data.timeouts[Math.floor(i / A)]!);
  const played: Played = { obs: rows.obs, action: rows.action, reward: data.rewards, ended, next: new Float32Array(0), steps, rows: A };
  const places: number[] = [];
  for (let last = 0, begun = 0; last < steps; last++) {
    if (last - begun + 1 >= c.segment) for (let a = 0; a < A; a++) places.push((last - c.segment + 1) * A + a);
    if (ended[last * A] !== 0) begun = last + 1;
  }
  if (places.length === 0)
    throw fail('incompatible', `No recorded episode has ${c.segment} steps.`, 'Compare shorter segments.', 'algo.segment');
  const asking = { ...c, candidates: 1, ensemble: 0, places: Int32Array.from(places) };
  const questions = new Questions(asking, meta, played, rng.split('asking'));
  const insight = recordedInsight(entry, data.header.env.config, c.rater, data, played);
  questions.ask(c.answers, into, new Float32Array(0), questions.by(c.rater, insight));
}

/** What DPO compares with; its weights are overwritten by a copy of the actor's. */
const cloneFor = (engine: Engine, meta: EnvMeta, c: Config) =>
  c.loss.kind === 'dpo' ? dataActor(engine, meta, c.hidden, Rng.from(0), undefined, 'clone') : null;

/** One update on M pairs: first all first segments, then all second ones, L steps each. */
function compileComparing(engine: Engine, meta: EnvMeta, c: Config, actor: ReturnType<typeof dataActor>, clone: typeof actor | null) {
  const [M, L] = [c.pairs, c.segment];
  const rows = 2 * M * L;
  const { loss } = c;
  const weights = Float32Array.from({ length: L }, (_, t) => (loss.kind === 'cpl' ? loss.gamma ** t : 1));
  return engine.compile(
    { obs: [rows, meta.obsSize], action: actionShape(meta, rows), choice: [M] },
    (x, g) => {
      const summed = (by: typeof actor): Tensor =>
        sum(mul(reshape(neg(by.cost(by.head(g, x.obs), x.action)), [2 * M, L]), g.constant(weights, [1, L])), 1);
      const half = (of: Tensor, which: 0 | 1): Tensor => sliceAxis(of, 0, which * M, M);
      const logProb = summed(actor);
      const reference = clone === null ? null : stopGradient(summed(clone));
      const ahead = reference === null ? logProb : sub(logProb, reference);
      const lossOf = (w: 0 | 1, l: 0 | 1): Tensor => {
        const compared = { logProbW: half(logProb, w), logProbL: half(logProb, l) };
        if (loss.kind === 'cpl') return cplLoss(compared, loss.alpha, loss.bias);
        if (reference === null) throw new Error('CPL: there is no clone');
        return dpoLoss({ ...compared, referenceW: half(reference, w), referenceL: half(reference, l) }, loss.beta);
      };
      const { choice } = x;
      const margin = sub(half(ahead, 0), half(ahead, 1));
      return {
        loss: mean(add(mul(choice, lossOf(0, 1)), mul(sub(1, choice), lossOf(1, 0)))),
        right: mean(eq(gt(margin, 0), choice)),
      };
    },
    { minimise: 'loss', group: actor.group, with: adam(), name: 'compared segments' },
  );
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, rows: DataRows, answers: Answers): OfflineLearner {
  const actor = dataActor(engine, meta, c.hidden, rng.split('init'));
  const clone = cloneFor(engine, meta, c);
  const cloning = compileCloning(engine, actor, meta, c.batchSize);
  const comparing = compileComparing(engine, meta, c, actor, clone);
  const copy = clone === null ? null : engine.polyak(clone.group, actor.group);
  const drawing = rng.split('replay');
  const means = new RowMeans<string>(['cloneLoss', 'agreement', 'loss', 'right', 'gradNorm']);
  const counters = { step: 0 };
  return {
    state: { counters, arrays: { drawing } },
    means,
    async update() {
      if (counters.step < c.cloneSteps) {
        rows.sample(drawing, c.batchSize, 1, cloning.in);
        const pending = descend(cloning, c.lr);
        if (pending) await pending;
        means.add('cloneLoss', cloning.out.loss[0]!);
        means.add('agreement', cloning.out.agreement[0]!);
        return;
      }
      if (copy !== null && counters.step === c.cloneSteps) await updateTarget(copy, 1);
      answers.sample(drawing, c.pairs, comparing.in);
      const pending = descend(comparing, c.lr);
      if (pending) await pending;
      means.add('loss', comparing.out.loss[0]!);
      means.add('right', comparing.out.right[0]!);
      means.add('gradNorm', comparing.out.gradNorm[0]!);
    },
    snapshot: () => saveGroups(engine, { actor: actor.group }),
    policy: () => actor.policy(),
  };
}

export const cpl = defineAlgo<Config>({
  spec: {
    id: 'cpl',
    version: 1,
    title: 'Contrastive preference learning',
    summary: 'Learns a policy straight from answers about recorded segments, by CPL or DPO, without a reward. A step is one update.',
    source: {
      title: 'Contrastive Preference Learning: Learning from Human Feedback without Reinforcement Learning',
      authors: 'Hejna et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2310.13639',
    },
    config,
    presets: [
      {
        id: 'key-grid',
        title: 'key grid: answers about the regret of random play',
        config: {
          dataset: 'random',
          rater: 'regret',
          raterErrors: 0,
          answers: 2000,
          segment: 5,
          hidden: [64, 64],
          batchSize: 64,
          lr: 1e-3,
          cloneSteps: 500,
        },
      },
      {
        id: 'pendulum',
        title: 'Pendulum: answers about regret against the scripted player',
        config: { rater: 'regret', raterErrors: 0, answers: 2000, hidden: [64, 64], batchSize: 64, lr: 1e-3, cloneSteps: 1000 },
      },
      { id: 'dpo', title: 'DPO on trajectories, for discrete actions', config: { loss: 'dpo' } },
      { id: 'small', title: '64-64 units: quick on any machine', config: { hidden: [64, 64], batchSize: 64, lr: 1e-3, cloneSteps: 1000 } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'pendulum',
      steps: 256,
      config: { hidden: [16], batchSize: 32, recordSteps: 500, lr: 3e-3, cloneSteps: 100, answers: 20, pairs: 8, segment: 10 },
    },
    // The probes have no expert: comparisons of random play show which actions are right.
    probes: [{ on: ['bandit', 'cued'], steps: 1024 }],
    probeConfig: {
      dataset: 'random',
      hidden: [32],
      batchSize: 64,
      lr: 3e-3,
      recordSteps: 1000,
      cloneSteps: 100,
      segment: 1,
      raterErrors: 0,
    },
    metrics: [
      ...offlineMetrics,
      {
        id: 'cloneLoss',
        title: 'cloning loss',
        description: 'Minus the log-probability of the recorded actions, or the squared distance to them.',
      },
      agreementMetric,
      { id: 'loss', title: 'preference loss', description: 'Of the compared segments; it is learned from once the clone is there.' },
      {
        id: 'right',
        title: 'answers explained',
        description: 'Share of the answers whose preferred segment the policy finds likelier: by cpl as it is, by dpo beside the clone.',
      },
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient.' },
    ],
  },

  fits(meta, c) {
    checkRecordable(meta, 'Contrastive preference learning');
    checkRater(meta, c.rater, true);
  },

  async *train(run, resume) {
    const { answers, given } = await openAnswers(run, 0);
    const source = given ? { ...run, config: { ...run.config, dataset: run.config.comparisons } } : run;
    yield* trainOffline(source, resume, (_, engine, rows, data) => {
      if (!given) compare(run, run.envEntry, data, rows, answers);
      return learner(run, engine, rows, answers);
    });
  },

  policy: savedActor,

  benchmark({ config: c, meta, engine }) {
    const actor = dataActor(engine, meta, c.hidden, Rng.from(0));
    const learn = compileComparing(engine, meta, c, actor, cloneFor(engine, meta, c));
    return { run: () => learn.run() };
  },
});
