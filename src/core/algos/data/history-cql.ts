/**
 * Conservative Q-learning on histories (after Hong, Dragan and Levine 2023), for discrete actions: CQL(H) over codes z_t = GRU(o_1 .. o_t)
 * of what an agent has seen, learned from whole recorded episodes, and a bisimulation loss that puts two histories as far apart as what
 * follows them: what of the past makes no difference to that is forgotten, so that parts of different episodes can be stitched.
 *   L = mean (Q(z, a) - y)^2 + alpha mean [log sum_b exp Q(z, b) - Q(z, a)] + weight B,   y = r + d Q'(z', argmax_b Q(z', b))
 *   B = mean over pairs (|z_i - z_j|_1 - (|r_i - r_j| + gamma |z'_i - z'_j|_1))^2,  z' of the target network, 0 behind a termination
 * Pairs are any two recorded steps of a minibatch; what follows them is what was recorded, one sample of it, where the paper learns a
 * model. Codes hold observations, not actions. B is measured also where its weight is 0. Episodes longer than `sequence` are cut, each
 * piece from an empty memory. A step is one update. Agents are alike and share the network.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   cut each agent's episodes into pieces of at most `sequence` steps; copy the network into its target
 *   repeat until the budget is spent
 *     draw a minibatch of pieces, and for every step a partner among its recorded steps
 *     unroll the online and the target network over the pieces from an empty memory: codes z, values Q
 *     y = r + d Q'(z', argmax_b Q(z', b)); d = gamma, 0 behind a termination
 *     penalty = log sum_b exp Q(z, b) - Q(z, a)
 *     B = (|z - z_partner|_1 - |r - r_partner| - gamma |z' - z'_partner|_1)^2, no gradient through z'
 *     descend mean (Q(z, a) - y)^2 + alpha mean penalty + weight mean B with Adam, the norm clipped
 *     target network <- (1 - tau) target network + tau online network
 *     every 64 updates: play the greedy policy 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { type Dataset, nextObservations } from '#contract/files/dataset.ts';
import { present } from '#contract/kit/errors.ts';
import { abs, add, gather, mean, mul, pick, reshape, sliceAxis, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { dense, mlp } from '#core/nets/mlp.ts';
import { maskedMean, maxQ, nextValue } from '#core/nets/q-values.ts';
import { gruCell, step, unroll } from '#core/nets/recurrent.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { EpisodeMemory } from '#core/state/replay-episodes.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { conservativePenalty } from '../lib/data/losses.ts';
import { type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { checkDiscrete, type DataRows, sourceFields } from '../lib/data/source.ts';
import { shareNetworks, teamPolicy } from '../lib/sharing.ts';

const source = 'Hong et al. 2023';
const own = 'own choice';

const config = z.strictObject({
  ...sourceFields(source, 'mixed'),
  bisimulation: fields.real(0, {
    min: 0,
    max: 100,
    title: 'bisimulation weight',
    description: 'Of the loss that puts histories as far apart as what follows them; 0: it is only measured.',
    slider: [0, 1],
    source,
    live: true,
    depth: 'teach',
    group: 'histories',
  }),
  alpha: fields.real(1, {
    min: 0,
    max: 100,
    title: 'conservative weight',
    description: 'Of the penalty on actions that were not recorded.',
    slider: [0, 10],
    source: 'as CQL',
    live: true,
    group: 'penalty',
  }),
  sequence: fields.integer(16, {
    min: 1,
    max: 40,
    title: 'longest history',
    unit: 'steps',
    description: 'Longer episodes are cut into pieces that start from an empty memory.',
    source: own,
    depth: 'stored',
    group: 'histories',
  }),
  units: fields.integer(32, {
    min: 1,
    max: 512,
    title: 'units of the memory',
    description: 'Of the GRU: numbers of a code.',
    source: own,
    slider: [8, 128],
    log: true,
    group: 'network',
  }),
  hidden: fields.hidden([32], own, { description: 'Units of the layers in front of the memory; ReLU behind each.' }),
  lr: fields.lr(1e-3, own),
  gamma: fields.gamma(0.99, own),
  tau: fields.tau(0.01, own),
  maxGradNorm: fields.maxGradNorm(10, own),
  batchSize: fields.batchSize(32, own, { unit: 'episodes', description: 'Episodes, or pieces of them, per update.' }),
});
type Config = z.infer<typeof config>;

function network(group: ParamGroup, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const body = mlp(group, 'body', rng, [encodedSize(space), ...c.hidden], { act: 'relu', init: 'torch', outAct: 'relu' });
  const cell = gruCell(group, 'memory', rng, present(c.hidden.at(-1), 'the width in front of the memory'), c.units);
  const head = dense(group, 'q', rng, c.units, meta.actionCount, { init: 'torch' });
  const see = (obs: Tensor): Tensor => body(encode(obs.graph, obs, space));
  return {
    /** One step of rows [R]. */
    step(obs: Tensor, state: Tensor) {
      const next = step(cell, see(obs), state);
      return { q: head(next.output), state: next.state };
    },
    /** obs [T, M, O] -> codes [T, M, U] and values [T, M, N], from empty memories. */
    over(obs: Tensor) {
      const [T, M, O] = obs.shape as [number, number, number];
      const seen = see(reshape(obs, [T * M, O]));
      const { outputs: codes } = unroll(cell, reshape(seen, [T, M, seen.shape[1]!]), obs.graph.constant(0, [M, c.units]));
      return { codes, q: reshape(head(reshape(codes, [T * M, c.units])), [T, M, meta.actionCount]) };
    },
  };
}
type Network = ReturnType<typeof network>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const [online, target] = [engine.group('q'), engine.group('target')];
  return { online, target, q: network(online, meta, c, rng), targetQ: network(target, meta, c, Rng.from(0)) }; // the latter is overwritten
}
type Networks = ReturnType<typeof networks>;

/** Steps as rows: codes [R, U], codes of what followed [R, U], 0 behind a termination, rewards [R]. */
export interface CodedSteps {
  readonly codes: Tensor;
  readonly next: Tensor;
  readonly reward: Tensor;
}

/** Distance of each row [R, U] from its partner [R], the sum over its numbers, [R]. */
const apart = (x: Tensor, partner: Tensor): Tensor => sum(abs(sub(x, gather(x, partner))), -1);

/** How far each row and its partner [R] are apart beyond what follows them, squared, [R]. */
export function bisimulationLoss({ codes, next, reward }: CodedSteps, partner: Tensor, gamma: Tensor): Tensor {
  const wanted = add(apart(reshape(reward, [reward.shape[0]!, 1]), partner), mul(gamma, apart(next, partner)));
  return square(sub(apart(codes, partner), stopGradient(wanted)));
}

function compileLearner(engine: Engine, { q, targetQ, online }: Networks, meta: EnvMeta, c: Config) {
  const [L, M, U] = [c.sequence, c.batchSize, c.units];
  const now = (x: Tensor): Tensor => sliceAxis(x, 0, 0, L);
  const later = (x: Tensor): Tensor => sliceAxis(x, 0, 1, L);
  return engine.compile(
    {
      obs: [L + 1, M, meta.obsSize],
      action: [L, M, 1],
      reward: [L, M, 1],
      filled: [L, M],
      goesOn: [L, M],
      partner: [L * M],
      gamma: [1],
      alpha: [1],
      bisimulation: [1],
    },
    (x) => {
      const [here, there] = [q.over(x.obs), targetQ.over(x.obs)];
      const [action, reward] = [reshape(x.action, [L, M]), reshape(x.reward, [L, M])];
      const y = add(reward, mul(mul(x.gamma, x.goesOn), nextValue(later(there.q), later(here.q))));
      const taken = pick(now(here.q), action);
      const tdLoss = maskedMean(square(sub(taken, stopGradient(y))), x.filled);
      const penalty = maskedMean(conservativePenalty(now(here.q), action), x.filled);
      const next = reshape(mul(later(there.codes), reshape(x.goesOn, [L, M, 1])), [L * M, U]);
      const steps = { codes: reshape(now(here.codes), [L * M, U]), next, reward: reshape(reward, [L * M]) };
      const rows = reshape(x.filled, [L * M]);
      const beyond = maskedMean(bisimulationLoss(steps, x.partner, x.gamma), rows);
      const spread = maskedMean(square(apart(steps.codes, x.partner)), rows);
      const loss = mean(add(add(tdLoss, mul(x.alpha, penalty)), mul(x.bisimulation, beyond)));
      return { loss, tdLoss, penalty, beyond, spread, qMean: maskedMean(taken, x.filled) };
    },
    { minimise: 'loss', group: online, with: adam(), maxGradNorm: c.maxGradNorm, name: 'history cql' },
  );
}

function policyOf(engine: Engine, net: Network, meta: EnvMeta, c: Config, dispose?: () => void): Policy {
  const compile = (_: number, rows: number) =>
    engine.compile(
      { obs: [rows, meta.obsSize], state: [rows, c.units] },
      (x) => {
        const { q, state } = net.step(x.obs, x.state);
        return { q, value: maxQ(q), state };
      },
      { name: 'history cql act' },
    );
  return teamPolicy({
    meta,
    sharing: shareNetworks(meta, 'shared'),
    stateSize: c.units,
    epsilon: () => 0,
    compile,
    ...(dispose && { dispose }),
  });
}

/** The recorded episodes, each agent's own, in pieces of at most `length` steps. */
export function dataPieces(data: Dataset, length: number): EpisodeMemory {
  const { steps: T, agents: A, obsSize: O } = data.header;
  const pieces = new EpisodeMemory({ capacity: T * A, rows: A, length, obsSize: O, actionSize: 1, rewardSize: 1, maskSize: 0 });
  const next = nextObservations(data);
  const part = (x: Float32Array, t: number, width: number): Float32Array => x.subarray(t * A * width, (t + 1) * A * width);
  for (let t = 0; t < T; t++)
    pieces.add({
      obs: part(data.observations, t, O),
      action: part(data.actions, t, 1),
      reward: part(data.rewards, t, 1),
      nextObs: part(next, t, O),
      terminated: new Uint8Array(A).fill(data.terminals[t]!),
      truncated: new Uint8Array(A).fill(data.timeouts[t]!),
      mask: undefined,
      nextMask: undefined,
    });
  return pieces;
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, _: DataRows, data: Dataset): OfflineLearner {
  const nets = networks(engine, meta, c, rng.split('init'));
  const learn = compileLearner(engine, nets, meta, c);
  const target = engine.polyak(nets.target, nets.online);
  const pieces = dataPieces(data, c.sequence);
  const [drawing, pairing] = [rng.split('replay'), rng.split('pairs')];
  const means = new RowMeans<string>(['criticLoss', 'penalty', 'bisimulation', 'bisimulationShare', 'qMean', 'gradNorm']);
  const filled = new Int32Array(c.sequence * c.batchSize);
  return {
    state: { counters: { step: 0 }, arrays: { drawing, pairing } },
    means,
    copyTargets: async () => void (await updateTarget(target, 1)),
    async update() {
      const { in: feed, out } = learn;
      for (let m = 0; m < c.batchSize; m++) pieces.read(pieces.draw(drawing), m, c.batchSize, feed);
      let count = 0;
      feed.filled.forEach((one, i) => {
        if (one !== 0) filled[count++] = i;
      });
      for (let i = 0; i < feed.partner.length; i++) feed.partner[i] = filled[pairing.int(count)]!;
      feed.gamma[0] = c.gamma;
      feed.alpha[0] = c.alpha;
      feed.bisimulation[0] = c.bisimulation;
      const pending = descend(learn, c.lr);
      if (pending) await pending;
      await updateTarget(target, c.tau);
      means.add('criticLoss', out.tdLoss[0]!);
      means.add('penalty', out.penalty[0]!);
      means.add('bisimulation', out.beyond[0]!);
      if (out.spread[0]! > 0) means.add('bisimulationShare', out.beyond[0]! / out.spread[0]!);
      means.add('qMean', out.qMean[0]!);
      means.add('gradNorm', out.gradNorm[0]!);
    },
    snapshot: () => saveGroups(engine, { q: nets.online }),
    policy: () => policyOf(engine, nets.q, meta, c),
  };
}

export const historyCql = defineAlgo<Config>({
  spec: {
    id: 'history-cql',
    version: 1,
    title: 'History CQL',
    summary: 'CQL on the history of observations; histories with the same future can get similar codes.',
    source: {
      title: 'Offline RL with Observation Histories: Analyzing and Improving Sample Complexity',
      authors: 'Hong et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2310.20663',
    },
    config,
    presets: [{ id: 'bisimulation', title: 'with the bisimulation loss', config: { bisimulation: 0.1 } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: {
      env: 'gridworld-memory',
      steps: 256,
      config: { hidden: [8], units: 8, sequence: 8, batchSize: 8, recordSteps: 300, bisimulation: 0.1 },
    },
    probes: [
      { on: ['bandit', 'cued', 'delayed', 'memoryOne'], steps: 1500 },
      { on: ['memoryOne'], steps: 1500, config: { bisimulation: 0.01 } },
    ],
    probeConfig: {
      dataset: 'random',
      hidden: [16],
      units: 16,
      sequence: 4,
      batchSize: 32,
      lr: 3e-3,
      tau: 0.05,
      gamma: 0.9,
      alpha: 0.1,
      recordSteps: 1000,
    },
    metrics: [
      ...offlineMetrics,
      { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the values, mean since the last row.' },
      { id: 'penalty', title: 'penalty', description: 'How much larger the values of all actions are than that of the recorded one.' },
      {
        id: 'bisimulation',
        title: 'bisimulation loss',
        description: 'Squared difference of how far two histories’ codes are apart and how far what follows them is.',
      },
      {
        id: 'bisimulationShare',
        title: 'bisimulation loss by distance',
        description:
          'The bisimulation loss over the mean squared distance of two histories’ codes, which makes it free of their size; 0: exactly as far apart as what follows them.',
      },
      { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the recorded actions.' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient before clipping.' },
    ],
  },

  fits(meta) {
    checkRecordable(meta, 'History CQL');
    checkDiscrete(meta, 'History CQL');
  },

  train: (run, resume) => trainOffline(run, resume, learner),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { q: nets.online }, saved);
    return policyOf(engine, nets.q, meta, c, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => learn.run() };
  },
});
