/**
 * TD3+BC (Fujimoto and Gu 2021): TD3 on recorded rows whose policy is also pulled towards the recorded actions, and standardised
 * observations.
 *   J(pi) = -lambda mean Q1(s, pi(s)) + mean (pi(s) - a)^2,  lambda = alpha / mean |Q1(s, pi(s))|, means over rows and dimensions
 * Critics as in TD3 (off-policy/lib/actor-critic.ts). Actions lie in a box. A step is one update of the critics. Several agents that are
 * alike share the networks.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   standardise observations by mean and deviation of the data; copy the networks into their targets
 *   repeat until the budget is spent
 *     draw a minibatch of rows (s, a, r, s') with replacement
 *     a' = clip(pi'(s') + clip(N(0, smoothing), -smoothingLimit, smoothingLimit), -1, 1)
 *     d = gamma, 0 after a termination; unless bootstrapAtTruncation: 0 also where the recording was cut
 *     y = r + d min(Q1', Q2')(s', a')
 *     descend mean (Q1(s, a) - y)^2 + mean (Q2(s, a) - y)^2 with Adam
 *     if fitted: one update of fitted Q evaluation of pi, for measuring alone
 *     every actorEvery-th update
 *       descend J(pi) with Adam on the same minibatch
 *       targets of policy and critics <- (1 - tau) target + tau network
 *     every 64 updates: play pi 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, mean, minimum, mul, neg, square, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encodedSize } from '#core/nets/encoder.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { td3BcWeight } from '../lib/data/losses.ts';
import { momentsFields, momentsOf, normalisationChosen, steadyMetric } from '../lib/data/moments.ts';
import { dataActor, dataCritics } from '../lib/data/networks.ts';
import { fittedMetrics, fittedQ, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { checkContinuous, cutField, type DataRows, fittedField, sourceFields } from '../lib/data/source.ts';
import { bootstrapped, criticLoss, fillUniform, gaussianNoise, smoothedAction, uniformShape } from '../off-policy/lib/actor-critic.ts';

const source = 'CORL td3_bc.py';

const config = z.strictObject({
  ...sourceFields(source, 'mixed'),
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam, for policy and critics.' }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source),
  alpha: fields.real(2.5, {
    min: 0,
    max: 100,
    title: 'weight of the values',
    description: 'Against the pull towards the recorded actions; 0 is behaviour cloning.',
    slider: [0, 10],
    source,
    depth: 'teach',
  }),
  smoothing: fields.real(0.2, {
    min: 0,
    max: 2,
    title: 'target policy smoothing',
    description: 'Standard deviation of the noise on the target’s action.',
    slider: [0, 0.5],
    source,
  }),
  smoothingLimit: fields.real(0.5, {
    min: 0,
    max: 2,
    title: 'smoothing limit',
    description: 'That noise is clipped here.',
    source,
    depth: 'research',
  }),
  actorEvery: fields.integer(2, {
    min: 1,
    max: 64,
    title: 'policy update interval',
    unit: 'critic updates',
    description: 'Critic updates for one of the policy and of all targets.',
    source,
    slider: [1, 4],
  }),
  bootstrapAtTruncation: cutField,
  fitted: fittedField,
  ...momentsFields,
  batchSize: fields.batchSize(256, source),
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer, in policy and critics; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

/** `rows` null: the policy alone, whose numbers are loaded. */
function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng, rows: DataRows | null) {
  const inputs = encodedSize(meta.agents[0]!.obs);
  const moments = engine.group('moments'); // no optimiser has it: constants that a snapshot keeps
  const { mean: means, scale, steady } = momentsOf(rows, meta.obsSize, inputs, c);
  const [shift, stretch] = [moments.param('mean', [inputs], means), moments.param('scale', [inputs], scale)];
  const standard = (g: Graph, x: Tensor): Tensor => mul(sub(x, g.read(shift)), g.read(stretch));
  const [critic, target] = [engine.group('critic'), engine.group('criticTarget')];
  return {
    moments,
    steady,
    critic,
    target,
    actor: dataActor(engine, meta, c.hidden, rng, standard),
    actorTarget: dataActor(engine, meta, c.hidden, Rng.from(0), standard, 'actorTarget'), // targets are overwritten by copies
    q: dataCritics(critic, 'q', rng, meta, c.hidden, standard),
    targetQ: dataCritics(target, 'q', Rng.from(0), meta, c.hidden, standard),
  };
}
type Networks = ReturnType<typeof networks>;

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const { obsSize: O, actionSize: D } = meta;
  return engine.compile(
    { obs: [M, O], action: [M, D], reward: [M], discount: [M], nextObs: [M, O], uniform: uniformShape(M, D) },
    (x, g) => {
      const next = smoothedAction(nets.actorTarget.head(g, x.nextObs), gaussianNoise(x.uniform, M, D), c.smoothing, c.smoothingLimit);
      const [t1, t2] = nets.targetQ;
      const y = bootstrapped(x.reward, x.discount, minimum(t1.of(g, x.nextObs, next), t2.of(g, x.nextObs, next)));
      const q = nets.q.map((one) => one.of(g, x.obs, x.action));
      return { loss: criticLoss(q, y), qMean: mean(q[0]!) };
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'td3-bc critics' },
  );
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  return engine.compile(
    { obs: [M, meta.obsSize], action: [M, meta.actionSize] },
    (x, g) => {
      const action = nets.actor.head(g, x.obs);
      const q = nets.q[0].of(g, x.obs, action);
      const distance = mean(square(sub(action, x.action)));
      return { loss: add(neg(mul(td3BcWeight(q, c.alpha), mean(q))), distance), distance };
    },
    { minimise: 'loss', group: nets.actor.group, with: adam(), name: 'td3-bc actor' },
  );
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, rows: DataRows): OfflineLearner {
  const nets = networks(engine, meta, c, rng.split('init'), rows);
  const critics = compileCritics(engine, nets, meta, c);
  const actor = compileActor(engine, nets, meta, c);
  const targets = [engine.polyak(nets.actorTarget.group, nets.actor.group), engine.polyak(nets.target, nets.critic)];
  const updateTargets = async (tau: number): Promise<void> => {
    for (const program of targets) await updateTarget(program, tau);
  };
  const fitted = fittedQ(engine, meta, rows, c, nets.actor.head, rng.split('fitted'));
  const [drawing, noise, fitting] = [rng.split('replay'), rng.split('noise'), rng.split('fit')];
  const means = new RowMeans<string>(['criticLoss', 'actorLoss', 'qMean', 'distance', 'gradNorm', 'steadyObs']);
  const counters = { step: 0, updates: 0 };
  return {
    state: { counters, arrays: { drawing, noise, fitting } },
    means,
    gamma: c.gamma,
    fitted,
    copyTargets: () => updateTargets(1),
    async update() {
      rows.sample(drawing, c.batchSize, c.gamma, critics.in);
      fillUniform(noise, critics.in.uniform);
      await descend(critics, c.lr);
      means.add('steadyObs', nets.steady);
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      await fitted?.update(fitting, c.gamma, c.lr, c.tau);
      counters.updates++;
      if (counters.updates % c.actorEvery !== 0) return;
      actor.in.obs.set(critics.in.obs);
      actor.in.action.set(critics.in.action);
      await descend(actor, c.lr);
      means.add('actorLoss', actor.out.loss[0]!);
      means.add('distance', actor.out.distance[0]!);
      await updateTargets(c.tau);
    },
    snapshot: () => saveGroups(engine, { actor: nets.actor.group, moments: nets.moments }),
    policy: () => nets.actor.policy(),
  };
}

export const td3Bc = defineAlgo<Config>({
  spec: {
    id: 'td3-bc',
    version: 3,
    changes: [
      { version: 2, what: 'Where a recording was cut, nothing may follow.', before: { bootstrapAtTruncation: true }, rerun: false },
      normalisationChosen(3),
    ],
    title: 'TD3+BC',
    summary: 'TD3 on recorded play, held near the recorded actions. A step is one update.',
    source: {
      title: 'A Minimalist Approach to Offline Reinforcement Learning',
      authors: 'Fujimoto and Gu',
      year: 2021,
      url: 'https://arxiv.org/abs/2106.06860',
    },
    config,
    presets: [
      { id: 'cloning', title: 'without values: behaviour cloning', config: { alpha: 0 } },
      { id: 'small', title: '64-64, batch 64: quick on any machine', config: { hidden: [64, 64], batchSize: 64, lr: 1e-3 } },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: { env: 'pendulum', steps: 256, config: { hidden: [16], batchSize: 32, recordSteps: 600 } },
    probes: [
      { on: ['pointing'], steps: 3000, atLeast: 0.9 },
      { on: ['aimedBefore'], steps: 4000, atLeast: 0.85 },
    ],
    // Random actions are far from the best one: values count more than where play is recorded from players who try.
    probeConfig: {
      dataset: 'random',
      hidden: [32],
      batchSize: 64,
      lr: 3e-3,
      tau: 0.05,
      gamma: 0.9,
      alpha: 50,
      recordSteps: 1000,
      fitted: false,
    },
    metrics: [
      ...offlineMetrics,
      ...fittedMetrics,
      { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, added, mean since the last row.' },
      { id: 'actorLoss', title: 'policy loss', description: 'Minus the weighted value, plus the distance to the recorded actions.' },
      { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the recorded actions.' },
      {
        id: 'distance',
        title: 'distance to the data',
        description: 'Mean squared distance of the policy’s actions from the recorded ones, in [-1, 1].',
      },
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the critics’ gradient.' },
      steadyMetric,
    ],
  },

  fits(meta) {
    checkRecordable(meta, 'TD3+BC');
    checkContinuous(meta, 'TD3+BC');
  },

  train: (run, resume) => trainOffline(run, resume, learner),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0), null);
    loadGroups(engine, { actor: nets.actor.group, moments: nets.moments }, saved);
    return nets.actor.policy(() => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0), null), meta, c);
    return { run: () => critics.run() };
  },
});
