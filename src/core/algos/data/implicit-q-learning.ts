/**
 * Implicit Q-learning (Kostrikov et al. 2022): values from recorded rows without ever asking about an action that was not recorded.
 *   V:   mean |tau - 1{u < 0}| u^2,  u = min Q'(s, a) - V(s): an upper expectile of what recorded actions are worth
 *   Q:   y = r + d V(s'), squared errors of two critics, added;  d is 0 after a termination, not at a time limit
 *   pi:  -min(exp(beta (min Q'(s, a) - V(s))), 100) ln pi(a | s): cloning, weighted by how good an action was
 * `annealLr`: the policy's step size falls along half a cosine, as published for 1,000,000 updates; off by default, because over some
 * 10,000 it is small before the values are learned that the policy follows. Continuous policies are deterministic (squared distance in
 * place of -ln pi, CORL's `iql_deterministic`). A step is one update. Its id is long because `iql` is independent Q-learning. Several
 * agents that are alike share the networks. The tau of V is the setting `expectile`. Differs from CORL: critics and policy
 * see V after its update of the same step, there before it.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   copy both critics into their target networks
 *   repeat until the budget is spent
 *     draw a minibatch of rows (s, a, r, s') with replacement
 *     V: descend the expectile loss of u = min(Q1', Q2')(s, a) - V(s)
 *     Q: y = r + d V(s'); d = gamma, 0 after a termination (unless bootstrapAtTruncation: also at a cut)
 *       descend mean (Q1(s, a) - y)^2 + mean (Q2(s, a) - y)^2
 *     pi: weight = min(exp(beta (min(Q1', Q2')(s, a) - V(s))), 100)
 *       descend -mean weight ln pi(a | s), or mean weight ||pi(s) - a||^2 of continuous actions
 *       if annealLr: with a step size that falls along half a cosine
 *     target networks <- (1 - tau) target networks + tau critics
 *     if fitted: one update of fitted Q evaluation of pi, for measuring alone
 *     every 64 updates: play the greedy policy 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, mean, minimum, mul, square, stopGradient, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { cosineWithWarmUp } from '#math/schedules.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { actionShape, checkRecordable } from '../lib/box.ts';
import { advantageWeight, expectileLoss } from '../lib/data/losses.ts';
import { dataActor, dataCritics, savedActor } from '../lib/data/networks.ts';
import { agreementMetric, fittedMetrics, fittedQ, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { cutField, type DataRows, fittedField, sourceFields } from '../lib/data/source.ts';

const source = 'CORL iql.py';

const config = z.strictObject({
  ...sourceFields(source, 'mixed'),
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam, for policy, values and critics.' }),
  annealLr: fields.annealLr(false, `${source}: on, over 1,000,000 updates`, {
    title: 'anneal the policy’s learning rate',
    description: 'It falls along half a cosine to 0 at the end of the budget; values and critics keep theirs.',
  }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source),
  expectile: fields.real(0.7, {
    min: 0.5,
    max: 0.999,
    title: 'expectile',
    description: '0.5 is the mean of what recorded actions are worth; towards 1 the best of them counts.',
    slider: [0.5, 0.99],
    source: 'CORL iql.py; 0.9 for antmaze',
    depth: 'teach',
  }),
  beta: fields.real(3, {
    min: 0,
    max: 100,
    title: 'inverse temperature',
    description: '0 clones everything alike; the larger, the more only good actions are cloned.',
    slider: [0, 10],
    source: 'CORL iql.py; 10 for antmaze',
    live: true,
    depth: 'teach',
  }),
  bootstrapAtTruncation: cutField,
  fitted: fittedField,
  batchSize: fields.batchSize(256, source),
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer, in policy, values and critics; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const [critic, target, value] = [engine.group('critic'), engine.group('criticTarget'), engine.group('value')];
  const actor = dataActor(engine, meta, c.hidden, rng);
  const body = mlp(value, 'value', rng, [encodedSize(space), ...c.hidden, 1], { act: 'relu', init: 'torch' });
  return {
    actor,
    critic,
    target,
    value,
    q: dataCritics(critic, 'q', rng, meta, c.hidden),
    targetQ: dataCritics(target, 'q', Rng.from(0), meta, c.hidden), // overwritten by a copy before its first use
    v: (g: Graph, obs: Tensor): Tensor => column(body(encode(g, obs, space))),
  };
}
type Networks = ReturnType<typeof networks>;

function compileValue(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  return engine.compile(
    { obs: [M, meta.obsSize], action: actionShape(meta, M) },
    (x, g) => {
      const q = minimum(nets.targetQ[0].of(g, x.obs, x.action), nets.targetQ[1].of(g, x.obs, x.action));
      return { loss: mean(expectileLoss(stopGradient(q), nets.v(g, x.obs), c.expectile)) };
    },
    { minimise: 'loss', group: nets.value, with: adam(), name: 'iql values' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], action: actionShape(meta, M), reward: [M], discount: [M], nextObs: [M, O] },
    (x, g) => {
      const y = stopGradient(add(x.reward, mul(x.discount, nets.v(g, x.nextObs))));
      const [q1, q2] = [nets.q[0].of(g, x.obs, x.action), nets.q[1].of(g, x.obs, x.action)];
      return { loss: add(mean(square(sub(q1, y))), mean(square(sub(q2, y)))), qMean: mean(q1) };
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'iql critics' },
  );
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const { actor } = nets;
  return engine.compile(
    { obs: [M, meta.obsSize], action: actionShape(meta, M), beta: [1] },
    (x, g) => {
      const q = minimum(nets.targetQ[0].of(g, x.obs, x.action), nets.targetQ[1].of(g, x.obs, x.action));
      const weight = advantageWeight(q, nets.v(g, x.obs), x.beta);
      const head = actor.head(g, x.obs);
      return {
        loss: mean(mul(weight, actor.cost(head, x.action))),
        weight: mean(weight),
        agreement: mean(actor.agreement(head, x.action)),
      };
    },
    { minimise: 'loss', group: actor.group, with: adam(), name: 'iql actor' },
  );
}

function learner({ config: c, meta, rng, steps }: Run<Config>, engine: Engine, rows: DataRows): OfflineLearner {
  const nets = networks(engine, meta, c, rng.split('init'));
  const value = compileValue(engine, nets, meta, c);
  const critics = compileCritics(engine, nets, meta, c);
  const actor = compileActor(engine, nets, meta, c);
  const target = engine.polyak(nets.target, nets.critic);
  const fitted = fittedQ(engine, meta, rows, c, nets.actor.head, rng.split('fitted'));
  const [drawing, fitting] = [rng.split('replay'), rng.split('fit')];
  const means = new RowMeans<string>(['valueLoss', 'criticLoss', 'actorLoss', 'qMean', 'weight', 'agreement']);
  const counters = { step: 0 };
  const left = cosineWithWarmUp({ base: 1, warmUp: 0, total: steps, least: 0 });
  return {
    state: { counters, arrays: { drawing, fitting } },
    means,
    gamma: c.gamma,
    fitted,
    copyTargets: async () => void (await updateTarget(target, 1)),
    async update() {
      rows.sample(drawing, c.batchSize, c.gamma, critics.in);
      for (const program of [value, actor]) {
        program.in.obs.set(critics.in.obs);
        program.in.action.set(critics.in.action);
      }
      actor.in.beta[0] = c.beta;
      for (const program of [value, critics]) await descend(program, c.lr);
      await descend(actor, c.annealLr ? c.lr * left(counters.step) : c.lr);
      await updateTarget(target, c.tau);
      await fitted?.update(fitting, c.gamma, c.lr, c.tau);
      means.add('valueLoss', value.out.loss[0]!);
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('actorLoss', actor.out.loss[0]!);
      means.add('weight', actor.out.weight[0]!);
      means.add('agreement', actor.out.agreement[0]!);
    },
    snapshot: () => saveGroups(engine, { actor: nets.actor.group }),
    policy: () => nets.actor.policy(),
  };
}

export const implicitQLearning = defineAlgo<Config>({
  spec: {
    id: 'implicit-q-learning',
    version: 3,
    changes: [
      { version: 2, what: 'Where a recording was cut, nothing may follow.', before: { bootstrapAtTruncation: true }, rerun: false },
      { version: 3, what: 'The policy’s step size may fall to 0 over the run.', before: { annealLr: false }, rerun: false },
    ],
    title: 'Implicit Q-learning',
    summary:
      'Learns from recorded play which actions were better than usual, and clones those; it values no action that was not recorded. A step is one update.',
    source: {
      title: 'Offline Reinforcement Learning with Implicit Q-Learning',
      authors: 'Kostrikov et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/2110.06169',
    },
    config,
    presets: [
      { id: 'antmaze', title: 'expectile 0.9, beta 10, as for antmaze (CORL)', config: { expectile: 0.9, beta: 10 } },
      { id: 'small', title: '64-64, batch 64: quick on any machine', config: { hidden: [64, 64], batchSize: 64, lr: 1e-3 } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: { env: 'cartpole', steps: 256, config: { hidden: [16], batchSize: 32, recordSteps: 500 } },
    probes: [
      { on: ['bandit', 'cued', 'delayed'], steps: 2000 },
      { on: ['pointing'], steps: 4000, atLeast: 0.9 },
    ],
    probeConfig: {
      dataset: 'random',
      hidden: [32],
      batchSize: 64,
      lr: 3e-3,
      tau: 0.05,
      gamma: 0.9,
      expectile: 0.9,
      beta: 10,
      recordSteps: 1000,
      fitted: false,
    },
    metrics: [
      ...offlineMetrics,
      ...fittedMetrics,
      { id: 'valueLoss', title: 'value loss', description: 'Expectile loss of the state values, mean since the last row.' },
      { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, added.' },
      { id: 'actorLoss', title: 'policy loss', description: 'Cost of the recorded actions, weighted by how good they were.' },
      { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the recorded actions.' },
      { id: 'weight', title: 'mean weight', description: 'Mean of exp(beta (Q - V)), at most 100.' },
      agreementMetric,
    ],
  },

  fits: (meta) => checkRecordable(meta, 'Implicit Q-learning'),

  train: (run, resume) => trainOffline(run, resume, learner),

  policy: savedActor,

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critics.run() };
  },
});
