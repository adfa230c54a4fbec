/**
 * Decision transformer (Chen et al. 2021): recorded play as sequences of what is still to be paid, what is seen and what is done; a causal
 * transformer learns what was done next, and acts by being asked for a return. No values, no discount.
 *   tokens      R_0, s_0, a_0, R_1, s_1, a_1, ...,  R_t = r_t + r_(t+1) + ... to the end of the episode
 *   discrete    L = -mean ln pi(a_t | the last K steps up to s_t);  continuous  L = mean (pi - a_t)^2 over dimensions in [-1, 1]
 * Acting, R_0 is the target and R_(t+1) = R_t - r_t. Observations are standardised, returns scaled. Differs: no dropout (0.1 in CORL). A
 * step is one update. Several agents that are alike share the network, each with its own rewards.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   R_t of every step; target return: the setting, else the best recorded return
 *   repeat until the budget is spent
 *     draw a minibatch of recorded steps; from each on, the next K steps of its episode
 *     fill up short segments in front and mask them there
 *     predict every a_t from R, s, a of the segment up to R_t, s_t
 *     L = -mean ln pi(a_t | ..) or mean (pi - a_t)^2, over the recorded steps alone
 *     descend L with AdamW, the gradient norm clipped; the step size grows over the warm-up
 *     every 64 updates: play 32 steps in 4 copies, asking for the target return, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Dataset } from '#contract/files/dataset.ts';
import { div, eq, mean, mul, neg, reshape, square, sub, sum } from '#core/engine/ops.ts';
import { adamW } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { categoricalLogProb } from '#core/nets/heads.ts';
import { greedyAction } from '#core/nets/q-values.ts';
import { descend } from '#core/nets/target.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { momentsFields, normalisationChosen, steadyMetric } from '../lib/data/moments.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { segmentsOf } from '../lib/data/segments.ts';
import { type DataRows, sourceFields } from '../lib/data/source.ts';
import {
  type TrajectoryInputs,
  type TrajectoryNetwork,
  trajectoryInputs,
  trajectoryNetwork,
  trajectoryPolicy,
} from '../lib/data/trajectory.ts';

const source = 'CORL dt.py';

const config = z.strictObject({
  ...sourceFields(source, 'mixed'),
  lr: fields.lr(1e-4, source),
  batchSize: fields.batchSize(64, source, { description: 'Segments per update.' }),
  context: fields.integer(20, {
    min: 1,
    max: 100,
    title: 'context',
    unit: 'steps',
    description: 'Steps that the network looks back on, three places each.',
    slider: [1, 50],
    source,
    group: 'network',
    depth: 'teach',
  }),
  width: fields.integer(128, {
    min: 8,
    max: 512,
    title: 'width',
    description: 'Numbers per place; a multiple of the heads.',
    source,
    group: 'network',
  }),
  layers: fields.integer(3, { min: 1, max: 12, title: 'layers', description: 'Blocks of attention and mlp.', source, group: 'network' }),
  heads: fields.integer(1, { min: 1, max: 16, title: 'heads', description: 'Attention heads per block.', source, group: 'network' }),
  target: fields.orNull(
    fields.real(0, {
      min: -1e6,
      max: 1e6,
      title: 'target return',
      description: 'What the policy is asked for at the start of an episode, of one agent.',
      source: 'CORL dt.py: a number for each environment',
      depth: 'teach',
    }),
    'the best recorded',
  ),
  returnScale: fields.real(0.001, {
    above: 0,
    max: 100,
    title: 'scale of returns',
    description: 'Returns are multiplied by it before the network sees them.',
    log: true,
    slider: [0.001, 1],
    source,
  }),
  warmup: fields.integer(10_000, {
    min: 0,
    max: 1_000_000,
    title: 'warm-up',
    unit: 'updates',
    description: 'Over these the step size grows from 0 to its value.',
    source,
    slider: [0, 20_000],
  }),
  weightDecay: fields.real(1e-4, { min: 0, max: 1, title: 'weight decay', description: 'Of AdamW.', source, depth: 'research' }),
  maxGradNorm: fields.maxGradNorm(0.25, source),
  ...momentsFields,
});
type Config = z.infer<typeof config>;

function compileLearner(engine: Engine, net: TrajectoryNetwork, meta: EnvMeta, c: Config) {
  const [M, K] = [c.batchSize, c.context];
  const perRow = (x: Tensor): Tensor => reshape(x, [M * K, ...x.shape.slice(2)]);
  const overMask = (each: Tensor, x: TrajectoryInputs): Tensor => div(sum(mul(each, perRow(x.mask))), sum(x.mask));
  return engine.compile(
    trajectoryInputs(meta, M, K),
    (x, g) => {
      const answers = perRow(net.answers(g, x));
      const done = perRow(x.action);
      const distance = (): Tensor => mean(square(sub(answers, done)), -1);
      const cost = net.discrete ? neg(categoricalLogProb(answers, done)) : distance();
      const agreement = net.discrete ? eq(greedyAction(answers), done) : neg(distance());
      return { loss: overMask(cost, x), agreement: overMask(agreement, x) };
    },
    {
      minimise: 'loss',
      group: net.group,
      with: adamW({ weightDecay: c.weightDecay }),
      maxGradNorm: c.maxGradNorm,
      name: 'decision transformer',
    },
  );
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, rows: DataRows, data: Dataset): OfflineLearner {
  const net = trajectoryNetwork(engine, meta, c, rng.split('init'), rows);
  const segments = segmentsOf(data, rows);
  const target = c.target ?? segments.best;
  const learn = compileLearner(engine, net, meta, c);
  const drawing = rng.split('replay');
  const means = new RowMeans<string>(['loss', 'agreement', 'gradNorm', 'steadyObs']);
  const counters = { step: 0, updates: 0 };
  return {
    state: { counters, arrays: { drawing } },
    means,
    async update() {
      segments.sample(drawing, c.batchSize, c.context, c.returnScale, learn.in);
      counters.updates++;
      const pending = descend(learn, c.lr * Math.min(1, counters.updates / Math.max(1, c.warmup)));
      if (pending) await pending;
      means.add('loss', learn.out.loss[0]!);
      means.add('agreement', learn.out.agreement[0]!);
      means.add('gradNorm', learn.out.gradNorm[0]!);
      means.add('steadyObs', net.steady);
    },
    snapshot: () => saveGroups(engine, { policy: net.group, moments: net.moments }, { target }),
    policy: () => trajectoryPolicy(engine, meta, net, c.context, { target, scale: c.returnScale }),
  };
}

export const decisionTransformer = defineAlgo<Config>({
  spec: {
    id: 'decision-transformer',
    version: 2,
    changes: [normalisationChosen(2)],
    title: 'Decision transformer',
    summary:
      'Learns from recorded play which action went with which return still to come; to act, it is given the return to reach. A step is one update.',
    source: {
      title: 'Decision Transformer: Reinforcement Learning via Sequence Modeling',
      authors: 'Chen et al.',
      year: 2021,
      url: 'https://arxiv.org/abs/2106.01345',
    },
    config,
    presets: [
      {
        id: 'small',
        title: '2 blocks of 32, 10 steps back: quick on any machine',
        config: { width: 32, layers: 2, context: 10, lr: 1e-3, warmup: 100, returnScale: 0.01 },
      },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: {
      env: 'cartpole',
      steps: 128,
      config: { width: 8, layers: 1, context: 4, batchSize: 8, recordSteps: 500, warmup: 10, lr: 3e-3 },
    },
    probes: [
      { on: ['bandit', 'cued', 'delayed'], steps: 1000 },
      { on: ['pointing'], steps: 2000, atLeast: 0.9 },
    ],
    probeConfig: {
      dataset: 'random',
      recordSteps: 1000,
      width: 16,
      layers: 1,
      context: 3,
      batchSize: 32,
      lr: 3e-3,
      warmup: 10,
      returnScale: 1,
    },
    metrics: [
      ...offlineMetrics,
      { id: 'loss', title: 'loss', description: 'Minus the log-probability of the recorded actions, or the squared distance to them.' },
      agreementMetric,
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient.' },
      steadyMetric,
    ],
  },

  fits: (meta) => checkRecordable(meta, 'The decision transformer'),

  train: (run, resume) => trainOffline(run, resume, learner),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = trajectoryNetwork(engine, meta, c, Rng.from(0), null);
    loadGroups(engine, { policy: net.group, moments: net.moments }, saved);
    const asked = { target: savedNumber(saved, 'target'), scale: c.returnScale };
    return trajectoryPolicy(engine, meta, net, c.context, asked, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, trajectoryNetwork(engine, meta, c, Rng.from(0), null), meta, c);
    return { run: () => learn.run() };
  },
});
