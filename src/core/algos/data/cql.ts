/**
 * Conservative Q-learning, CQL(H) (Kumar et al. 2020), for discrete actions: double Q-learning on recorded rows, with a penalty that holds
 * down the values of actions that were not recorded.
 *   L = sum over two critics of mean (Q(s, a) - y)^2 + alpha mean [log sum_b exp Q(s, b) - Q(s, a)]
 *   y = r + d min Q'(s', argmax_b min Q(s', b));  d is 0 after a termination, not at a time limit
 * The policy takes the action of the largest min Q. A step is one update. Several agents that are alike share the networks.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   copy both critics into their target networks
 *   repeat until the budget is spent
 *     draw a minibatch of rows (s, a, r, s') with replacement
 *     d = gamma, 0 after a termination; unless bootstrapAtTruncation: 0 also where the recording was cut
 *     b = argmax of min(Q1, Q2)(s', .); y = r + d min(Q1', Q2')(s', b) by the target networks
 *     penalty = log sum_b exp Q(s, b) - Q(s, a) of each critic
 *     descend the sum over both critics of mean (Q(s, a) - y)^2 + alpha mean penalty with Adam
 *     target networks <- (1 - tau) target networks + tau critics
 *     if fitted: one update of fitted Q evaluation of the greedy policy, for measuring alone
 *     every 64 updates: play the greedy policy 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, mean, minimum, mul, pick, square, stopGradient, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { greedyAction } from '#core/nets/q-values.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { conservativePenalty } from '../lib/data/losses.ts';
import { dataCritics } from '../lib/data/networks.ts';
import { fittedMetrics, fittedQ, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { checkDiscrete, cutField, type DataRows, fittedField, sourceFields } from '../lib/data/source.ts';
import { networkPolicy } from '../lib/network-policy.ts';

const source = 'CORL cql.py';

const config = z.strictObject({
  ...sourceFields(source, 'mixed'),
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam for the critics.' }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source),
  alpha: fields.real(1, {
    min: 0,
    max: 100,
    title: 'conservative weight',
    description: 'Of the penalty on actions that were not recorded; 0 is plain Q-learning, which overestimates actions outside the data.',
    slider: [0, 10],
    source: 'd3rlpy DiscreteCQL; 10 for continuous actions in CORL cql.py',
    live: true,
    depth: 'teach',
  }),
  bootstrapAtTruncation: cutField,
  fitted: fittedField,
  batchSize: fields.batchSize(256, source),
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer of the critics; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const [critic, target] = [engine.group('critic'), engine.group('criticTarget')];
  const pair = (qs: ReturnType<typeof dataCritics>) => (g: Graph, obs: Tensor) => [qs[0].all(g, obs), qs[1].all(g, obs)] as const;
  return {
    critic,
    target,
    q: pair(dataCritics(critic, 'q', rng, meta, c.hidden)),
    targetQ: pair(dataCritics(target, 'q', Rng.from(0), meta, c.hidden)), // overwritten by a copy before its first use
  };
}
type Networks = ReturnType<typeof networks>;

const smaller = ([a, b]: readonly [Tensor, Tensor]): Tensor => minimum(a, b);

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], action: [M], reward: [M], discount: [M], nextObs: [M, O], alpha: [1] },
    (x, g) => {
      const choice = greedyAction(smaller(nets.q(g, x.nextObs)));
      const y = stopGradient(add(x.reward, mul(x.discount, pick(smaller(nets.targetQ(g, x.nextObs)), choice))));
      const both = nets.q(g, x.obs);
      const tdLoss = both.map((q) => mean(square(sub(pick(q, x.action), y)))).reduce((a, b) => add(a, b));
      const penalty = both.map((q) => mean(conservativePenalty(q, x.action))).reduce((a, b) => add(a, b));
      const loss = add(tdLoss, mean(mul(penalty, x.alpha)));
      return { loss, tdLoss, penalty, qMean: mean(pick(both[0], x.action)) };
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'cql critics' },
  );
}

function policyOf(engine: Engine, nets: Networks, meta: EnvMeta, dispose?: () => void): Policy {
  const compile = (rows: number) =>
    engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => ({ q: smaller(nets.q(g, obs)) }), { name: 'policy' });
  return networkPolicy({ meta, compile, ...(dispose && { dispose }) });
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, rows: DataRows): OfflineLearner {
  const nets = networks(engine, meta, c, rng.split('init'));
  const critics = compileCritics(engine, nets, meta, c);
  const target = engine.polyak(nets.target, nets.critic);
  const head = (g: Graph, obs: Tensor): Tensor => smaller(nets.q(g, obs));
  const fitted = fittedQ(engine, meta, rows, c, head, rng.split('fitted'));
  const [drawing, fitting] = [rng.split('replay'), rng.split('fit')];
  const means = new RowMeans<string>(['criticLoss', 'penalty', 'qMean', 'gradNorm']);
  return {
    state: { counters: { step: 0 }, arrays: { drawing, fitting } },
    means,
    gamma: c.gamma,
    fitted,
    copyTargets: async () => void (await updateTarget(target, 1)),
    async update() {
      rows.sample(drawing, c.batchSize, c.gamma, critics.in);
      critics.in.alpha[0] = c.alpha;
      const pending = descend(critics, c.lr);
      if (pending) await pending;
      await updateTarget(target, c.tau);
      await fitted?.update(fitting, c.gamma, c.lr, c.tau);
      means.add('criticLoss', critics.out.tdLoss[0]!);
      means.add('penalty', critics.out.penalty[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
    },
    snapshot: () => saveGroups(engine, { critic: nets.critic }),
    policy: () => policyOf(engine, nets, meta),
  };
}

export const cql = defineAlgo<Config>({
  spec: {
    id: 'cql',
    version: 2,
    changes: [
      { version: 2, what: 'Where a recording was cut, nothing may follow.', before: { bootstrapAtTruncation: true }, rerun: false },
    ],
    title: 'CQL',
    summary: 'Q-learning on recorded play with a penalty on the values of actions that were not recorded. A step is one update.',
    source: {
      title: 'Conservative Q-Learning for Offline Reinforcement Learning',
      authors: 'Kumar et al.',
      year: 2020,
      url: 'https://arxiv.org/abs/2006.04779',
    },
    config,
    presets: [
      { id: 'd3rlpy', title: 'd3rlpy DiscreteCQL step size and batch', config: { lr: 6.25e-5, batchSize: 32 } },
      { id: 'trusting', title: 'without the penalty: values outside the data are overestimated', config: { alpha: 0 } },
      { id: 'small', title: '64-64, batch 64: quick on any machine', config: { hidden: [64, 64], batchSize: 64, lr: 1e-3 } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: { env: 'cartpole', steps: 256, config: { hidden: [16], batchSize: 32, recordSteps: 500 } },
    probes: [{ on: ['bandit', 'cued', 'delayed', 'team'], steps: 1500 }],
    probeConfig: {
      dataset: 'random',
      hidden: [32],
      batchSize: 64,
      lr: 3e-3,
      tau: 0.05,
      gamma: 0.9,
      alpha: 0.1,
      recordSteps: 1000,
      fitted: false,
    },
    metrics: [
      ...offlineMetrics,
      ...fittedMetrics,
      { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, added, mean since the last row.' },
      {
        id: 'penalty',
        title: 'penalty',
        description: 'How much larger the values of all actions are than that of the recorded one, both critics added.',
      },
      { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the recorded actions.' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the critics’ gradient.' },
    ],
  },

  fits(meta) {
    checkRecordable(meta, 'CQL');
    checkDiscrete(meta, 'CQL');
  },

  train: (run, resume) => trainOffline(run, resume, learner),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { critic: nets.critic }, saved);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critics.run() };
  },
});
