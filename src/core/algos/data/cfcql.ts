/**
 * Counterfactual conservative Q-learning of a team (CFCQL; Shao et al. 2023), for discrete actions: joint values from recorded steps of the
 * whole team, with a penalty that holds down what each agent could have done instead while the others do what was recorded.
 *   Q_tot(s, a) = mix(q(o_1, a_1) .. q(o_A, a_A), s), QMIX's or VDN's (nets/mixing.ts); s: all observations together
 *   L = mean (Q_tot(s, a) - y)^2 + alpha mean penalty
 *   y = r + d Q_tot'(s', argmax_b q(o', b));  d is 0 after a termination, not at a time limit
 *   counterfactual   mean_i log sum_b exp Q_tot(s, (b, a_-i)) - Q_tot(s, a)
 *   joint            log sum over joint actions b of exp Q_tot(s, b) - Q_tot(s, a): CQL(H) of the team as one agent
 *   independent      mean_i log sum_b exp q(o_i, b) - q(o_i, a_i): CQL(H) of every agent
 *   none             0: the joint values alone, which overestimate actions outside the data
 * r is the mean of the agents' rewards. Agents weigh alike; the paper also weighs them by how far each has left the recorded player. The
 * sum over joint actions is estimated from `samples` of them, half drawn uniformly, half by each agent's softmax(q). A step is one update.
 * Agents are alike and share the network.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   copy the agents' network and the mixer into the target network
 *   repeat until the budget is spent
 *     draw a minibatch of steps of the whole team with replacement
 *     a'_i = argmax_b q(o'_i, b) by the online network
 *     y = r + d mix'(q'(o'_1, a'_1) .. q'(o'_A, a'_A), s') by the target network
 *     penalty by the setting: counterfactual, joint (from drawn joint actions), independent or none
 *     descend mean (Q_tot(s, a) - y)^2 + alpha mean penalty with Adam, the gradient norm clipped
 *     target network <- (1 - tau) target network + tau online network
 *     every 64 updates: play the greedy policies 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { present } from '#contract/kit/errors.ts';
import {
  add,
  broadcastTo,
  concat,
  logSoftmax,
  lt,
  matmul,
  mean,
  mul,
  pick,
  reshape,
  sliceAxis,
  softmax,
  square,
  stopGradient,
  sub,
  sum,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { type Mixer, monotoneMixer, sumOfValues } from '#core/nets/mixing.ts';
import { nextValue } from '#core/nets/q-values.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { conservativePenalty, counterfactualPenalty, counterfactualValues, jointPenalty } from '../lib/data/losses.ts';
import { dataCritic } from '../lib/data/networks.ts';
import { type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { checkDiscrete, type DataRows, sourceFields } from '../lib/data/source.ts';
import { networkPolicy } from '../lib/network-policy.ts';

const source = 'Shao et al. 2023';
const own = 'own choice';

const alpha = fields.real(1, {
  min: 0,
  max: 100,
  title: 'conservative weight',
  description: 'Of the penalty.',
  slider: [0, 10],
  source: 'as CQL',
  live: true,
  depth: 'teach',
  group: 'penalty',
});

const samples = fields.integer(16, {
  min: 2,
  max: 128,
  title: 'joint actions drawn',
  description: 'For the joint penalty, in each row: half uniformly, half by the values of each agent.',
  source: 'CORL cql.py draws 10 of each kind',
  depth: 'research',
  group: 'penalty',
});

const config = z.strictObject({
  ...sourceFields(source, 'mixed'),
  penalty: variant(
    'counterfactual',
    [kind('counterfactual', { alpha }), kind('joint', { alpha, samples }), kind('independent', { alpha }), kind('none', {})],
    {
      title: 'penalty',
      description:
        'What is held down: one agent’s other actions beside what the others did, all joint actions, each agent’s own values, or nothing.',
      source,
      depth: 'teach',
      group: 'penalty',
    },
  ),
  mixing: z.enum(['monotone', 'sum']).default('monotone').meta({
    title: 'joint value',
    description: 'QMIX’s mixing network or VDN’s sum.',
    source,
    group: 'mixer',
  }),
  ...fields.mixer('JaxMARL ql_rnn, MPE'),
  lr: fields.lr(1e-3, own),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.01, own),
  maxGradNorm: fields.maxGradNorm(10, 'PyMARL'),
  batchSize: fields.batchSize(64, own, { unit: 'steps', description: 'Steps of the whole team per update.' }),
  hidden: fields.hidden([64, 64], own, { description: 'Units of each layer of the agents’ network; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

interface TeamValues {
  /** Observations [M, A * O] -> each agent's values [M, A, N]. */
  each(g: Graph, obs: Tensor): Tensor;
  /** Of one agent: [R, O] -> [R, N]. */
  one(g: Graph, obs: Tensor): Tensor;
  /** Of agents' values [M, A] or [M, V, A] under these observations [M, A * O]: [M] or [M, V]. */
  joint(g: Graph, obs: Tensor, values: Tensor): Tensor;
}

function teamValues(group: ParamGroup, rng: Rng, meta: EnvMeta, c: Config): TeamValues {
  const { agentCount: A, actionCount: N, obsSize: O } = meta;
  const space = meta.agents[0]!.obs;
  const q = dataCritic(group, 'q', rng, meta, c.hidden);
  const S = A * encodedSize(space);
  const mixer: Mixer = c.mixing === 'sum' ? sumOfValues : monotoneMixer(c)(group, rng, { agents: A, stateSize: S });
  const rows = (obs: Tensor): Tensor => reshape(obs, [obs.shape[0]! * A, O]);
  return {
    each: (g, obs) => reshape(q.all(g, rows(obs)), [obs.shape[0]!, A, N]),
    one: q.all,
    joint: (g, obs, values) => mixer(values, reshape(encode(g, rows(obs), space), [obs.shape[0]!, S])),
  };
}

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const [online, target] = [engine.group('q'), engine.group('target')];
  return {
    online,
    target,
    q: teamValues(online, rng, meta, c),
    targetQ: teamValues(target, Rng.from(0), meta, c), // overwritten by a copy before its first use
  };
}
type Networks = ReturnType<typeof networks>;

/** Joint actions [M, K, A] by each agent's chances [M, A, N], one for each row of uniform numbers [M, K, A]. */
export function drawnActions(chances: Tensor, uniform: Tensor): Tensor {
  const [M, A, N] = chances.shape as [number, number, number];
  const upTo = Float32Array.from({ length: N * N }, (_, k) => (Math.floor(k / N) <= k % N ? 1 : 0));
  const cumulative = matmul(reshape(chances, [M * A, N]), chances.graph.constant(upTo, [N, N]));
  const bounds = reshape(sliceAxis(cumulative, 1, 0, N - 1), [M, 1, A, N - 1]);
  return stopGradient(sum(lt(bounds, reshape(uniform, [...uniform.shape, 1])), -1));
}

function compileCritic(engine: Engine, { q, targetQ, online }: Networks, meta: EnvMeta, c: Config) {
  const { agentCount: A, actionCount: N, obsSize: O } = meta;
  const M = c.batchSize;
  const half = c.penalty.kind === 'joint' ? Math.ceil(c.penalty.samples / 2) : 0;
  const drawn = c.penalty.kind === 'joint' ? [M, half, A] : null;
  return engine.compile(
    { obs: [M, A * O], action: [M, A], reward: [M, A], discount: [M], nextObs: [M, A * O], alpha: [1], random: drawn, uniform: drawn },
    (x, g) => {
      const values = q.each(g, x.obs);
      const chosen = pick(values, x.action);
      const taken = q.joint(g, x.obs, chosen);
      const next = nextValue(targetQ.each(g, x.nextObs), q.each(g, x.nextObs));
      const y = add(mean(x.reward, -1), mul(x.discount, targetQ.joint(g, x.nextObs, next)));
      const tdLoss = mean(square(sub(taken, stopGradient(y))));
      const each = (): Tensor => {
        switch (c.penalty.kind) {
          case 'counterfactual':
            return counterfactualPenalty(q.joint(g, x.obs, counterfactualValues(values, x.action)), taken, N);
          case 'independent':
            return mean(conservativePenalty(values, x.action), -1);
          case 'joint': {
            const own = drawnActions(stopGradient(softmax(values)), present(x.uniform, 'the input "uniform"'));
            const actions = concat([present(x.random, 'the input "random"'), own], 1);
            const logits = logSoftmax(reshape(values, [M, 1, A, N]));
            const evenly = broadcastTo(g.constant(-A * log(N), [1, 1]), [M, half]);
            const logProb = concat([evenly, sum(pick(logits, own), -1)], 1);
            return jointPenalty(q.joint(g, x.obs, pick(reshape(values, [M, 1, A, N]), actions)), logProb, taken);
          }
          case 'none':
            return mul(taken, 0);
        }
      };
      const penalty = mean(each());
      return { loss: add(tdLoss, mean(mul(x.alpha, penalty))), tdLoss, penalty, qMean: mean(taken) };
    },
    { minimise: 'loss', group: online, with: adam(), maxGradNorm: c.maxGradNorm, name: 'cfcql critic' },
  );
}

function policyOf(engine: Engine, nets: Networks, meta: EnvMeta, dispose?: () => void): Policy {
  const compile = (rows: number) =>
    engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => ({ q: nets.q.one(g, obs) }), { name: 'policy' });
  return networkPolicy({ meta, compile, ...(dispose && { dispose }) });
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, rows: DataRows): OfflineLearner {
  const nets = networks(engine, meta, c, rng.split('init'));
  const critic = compileCritic(engine, nets, meta, c);
  const target = engine.polyak(nets.target, nets.online);
  const [drawing, sampling] = [rng.split('replay'), rng.split('joint')];
  const means = new RowMeans<string>(['criticLoss', 'penalty', 'qMean', 'gradNorm']);
  return {
    state: { counters: { step: 0 }, arrays: { drawing, sampling } },
    means,
    copyTargets: async () => void (await updateTarget(target, 1)),
    async update() {
      const { in: feed, out } = critic;
      rows.sample(drawing, c.batchSize, c.gamma, feed);
      const { random, uniform } = feed;
      if (random !== undefined) for (let i = 0; i < random.length; i++) random[i] = sampling.int(meta.actionCount);
      if (uniform !== undefined) for (let i = 0; i < uniform.length; i++) uniform[i] = sampling.uniform();
      feed.alpha[0] = c.penalty.kind === 'none' ? 0 : c.penalty.alpha;
      const pending = descend(critic, c.lr);
      if (pending) await pending;
      await updateTarget(target, c.tau);
      means.add('criticLoss', out.tdLoss[0]!);
      means.add('penalty', out.penalty[0]!);
      means.add('qMean', out.qMean[0]!);
      means.add('gradNorm', out.gradNorm[0]!);
    },
    snapshot: () => saveGroups(engine, { q: nets.online }),
    policy: () => policyOf(engine, nets, meta),
  };
}

export const cfcql = defineAlgo<Config>({
  spec: {
    id: 'cfcql',
    version: 1,
    title: 'CFCQL',
    summary: 'Learns a team’s values from recorded play, with a penalty on one agent’s other actions while the rest act as recorded.',
    source: {
      title: 'Counterfactual Conservative Q Learning for Offline Multi-agent Reinforcement Learning',
      authors: 'Shao et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2309.12696',
    },
    config,
    presets: [
      { id: 'joint', title: 'the team as one agent: all joint actions are held down', config: { penalty: 'joint' } },
      { id: 'qmix', title: 'QMIX on recordings, without a penalty', config: { penalty: 'none' } },
      { id: 'sum', title: 'over VDN’s sum of values', config: { mixing: 'sum' } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: {
      env: 'coin-game',
      steps: 256,
      config: { hidden: [16], mixerUnits: 8, hyperUnits: 8, batchSize: 32, recordSteps: 500, penalty: 'joint' },
    },
    probes: [
      { on: ['bandit', 'cued', 'delayed', 'team'], steps: 1500 },
      { on: ['team'], steps: 1500, config: { penalty: 'joint', mixing: 'sum' } },
    ],
    probeConfig: {
      dataset: 'random',
      hidden: [32],
      mixerUnits: 8,
      hyperUnits: 8,
      mixerScale: 1,
      batchSize: 64,
      lr: 3e-3,
      tau: 0.05,
      gamma: 0.9,
      alpha: 0.1,
      recordSteps: 1000,
    },
    metrics: [
      ...offlineMetrics,
      { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the joint value, mean since the last row.' },
      {
        id: 'penalty',
        title: 'penalty',
        description: 'How much larger the values of other actions are than that of the recorded ones, before its weight.',
      },
      { id: 'qMean', title: 'mean Q', description: 'Mean predicted joint value of the recorded actions.' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient before clipping.' },
    ],
  },

  fits(meta) {
    checkRecordable(meta, 'CFCQL');
    checkDiscrete(meta, 'CFCQL');
  },

  train: (run, resume) => trainOffline(run, resume, learner, true),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { q: nets.online }, saved);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const critic = compileCritic(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critic.run() };
  },
});
