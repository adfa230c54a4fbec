/**
 * Bootstrapped DQN (Osband et al. 2016) with randomised priors (Osband, Aslanides & Cassirer 2018), as bsuite's `boot_dqn` runs it: K
 * networks learn from one memory, each from a random share of the transitions. For every episode one of them is drawn and followed
 * greedily to its end, so that an overestimate is tried out over many steps (deep exploration). A fixed random network is
 * added to each, which keeps them apart where there are no data:
 *   Q_k = f_k + priorScale p_k,   y_k = r + gamma max_b Qtarget_k(s', b),   loss: sum over k of mean m_k (Q_k(s, a) - y_k)^2 / 2
 * with m_k 0 or 1, drawn once for each transition. Evaluations follow the mean of the networks.
 * Pseudo-code:
 *   target networks = networks; the priors p_k stay as they were drawn
 *   repeat until the budget is spent
 *     where an episode begins: draw the network k that is followed through it
 *     act by argmax_b Q_k(s, b)
 *     store the transition with its m_1 .. m_K, each 1 with chance maskChance
 *     once learningStarts steps are played
 *       every trainEvery steps, gradientSteps times
 *         draw a minibatch of transitions uniformly
 *         y_k by the k-th target network with the same prior, for every k
 *         one step of Adam on the loss of all networks
 *       every targetEvery steps: target networks = networks
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { updateTarget } from '#core/nets/target.ts';
import { Rng } from '#math/rng.ts';
import { argmax } from '#math/sampling.ts';
import { add, amax, mean, mul, oneHot, reshape, square, stopGradient, sub, sum, where } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { ensemble } from '../../nets/ensemble.ts';
import { maskLogits } from '../../nets/heads.ts';
import { maxQ } from '../../nets/q-values.ts';
import { loadGroups, saveGroups } from '../../state/params.ts';
import { sampleBatch } from '../../state/sample-batch.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkSameAgents } from '../api/guards.ts';
import { episodeMetrics, RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';

const source = 'bsuite baselines, boot_dqn';
const MOST_HEADS = 64;

const config = z.strictObject({
  lr: fields.lr(1e-3, source),
  gamma: fields.gamma(0.99, source),
  heads: fields.integer(20, {
    min: 1,
    max: MOST_HEADS,
    title: 'networks (heads)',
    description: 'Learned side by side; one of them is followed through each episode.',
    source,
    slider: [1, 30],
    depth: 'teach',
    group: 'exploration',
  }),
  priorScale: fields.real(3, {
    min: 0,
    max: 1000,
    title: 'scale of the prior networks',
    description: 'Of the fixed random network that is added to each; 0: bootstrapped DQN without priors, as first published.',
    source: `${source}; Osband et al. 2018`,
    slider: [0, 10],
    depth: 'teach',
    group: 'exploration',
  }),
  maskChance: fields.real(0.5, {
    above: 0,
    max: 1,
    title: 'share of transitions for each network',
    description: 'Chance that a network learns from a transition, drawn once for each; 1: all learn from everything.',
    source,
    depth: 'research',
    group: 'exploration',
  }),
  envs: fields.numEnvs(1, source, { max: 256, slider: [1, 16], group: 'replay' }),
  bufferSize: fields.bufferSize(10_000, source, { max: 100_000, slider: [1000, 100_000] }),
  learningStarts: fields.learningStarts(128, source),
  batchSize: fields.batchSize(128, source),
  trainEvery: fields.trainEvery(1, source, { slider: [1, 64] }),
  gradientSteps: fields.gradientSteps(1, source),
  targetEvery: fields.targetEvery(4, source),
  hidden: fields.hidden([50, 50], source),
});
type Config = z.infer<typeof config>;

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Error of the value predictions, summed over the networks, mean since the last row.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions, over all networks.' },
  {
    id: 'disagreement',
    title: 'disagreement',
    description: 'Standard deviation over the networks of the value of a replayed action: falls where they know.',
  },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient.' },
];

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const sizes = [encodedSize(space), ...c.hidden, meta.actionCount];
  const [online, target, fixed] = [engine.group('q'), engine.group('target'), engine.group('prior')];
  const learned = ensemble(online, 'q', rng, c.heads, sizes);
  const old = ensemble(target, 'q', Rng.from(0), c.heads, sizes); // overwritten by a copy before its first use
  const prior = ensemble(fixed, 'prior', rng, c.heads, sizes);
  const withPrior = (net: (x: Tensor) => Tensor) => (obs: Tensor) => {
    const seen = encode(obs.graph, obs, space);
    return c.priorScale === 0 ? net(seen) : add(net(seen), stopGradient(mul(prior(seen), c.priorScale)));
  };
  return { online, target, fixed, q: withPrior(learned), targetQ: withPrior(old) }; // [M, K, N]
}
type Networks = ReturnType<typeof networks>;

/** `q`: of all networks, side by side [rows, K N]; for those who evaluate their mean [rows, N]. */
function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  const inputs = { obs: [rows, meta.obsSize], mask: meta.masked ? [rows, meta.actionCount] : null } as const;
  return engine.compile(
    inputs,
    (x) => {
      const q = mean(nets.q(x.obs), 1);
      return { q, value: maxQ(x.mask === undefined ? q : maskLogits(q, x.mask)) };
    },
    { name: 'bootstrapped dqn act' },
  );
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const [M, N, K] = [c.batchSize, meta.actionCount, c.heads];
  return engine.compile(
    {
      obs: [M, meta.obsSize],
      action: [M],
      reward: [M],
      discount: [M],
      nextObs: [M, meta.obsSize],
      nextMask: meta.masked ? [M, N] : null,
      heads: [M, K],
    },
    (x) => {
      const next = nets.targetQ(x.nextObs);
      const legal = x.nextMask === undefined ? next : where(reshape(x.nextMask, [M, 1, N]), next, -1e8);
      const y = stopGradient(add(reshape(x.reward, [M, 1]), mul(reshape(x.discount, [M, 1]), amax(legal, -1)))); // [M, K]
      const chosen = sum(mul(nets.q(x.obs), reshape(oneHot(x.action, N), [M, 1, N])), -1);
      const loss = mul(sum(mul(x.heads, square(sub(chosen, y)))), 0.5 / M);
      const spread = mean(square(sub(chosen, mean(chosen, 1, true))), 1);
      return { loss, qMean: mean(chosen), spread: mean(spread) };
    },
    { minimise: 'loss', group: nets.online, with: adam(), name: 'bootstrapped dqn learn' },
  );
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, { buffers, batch: B }: VectorEnv): ReplayLearner {
  const [N, K] = [meta.actionCount, c.heads];
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = engine.compile({ obs: [B, meta.obsSize] }, ({ obs }) => ({ q: reshape(nets.q(obs), [B * K, N]) }), {
    name: 'bootstrapped dqn explore',
  });
  const learn = compileLearner(engine, nets, meta, c);
  const targetUpdate = engine.polyak(nets.target, nets.online);
  const [exploring, replaying, masking] = [rng.split('exploration'), rng.split('replay'), rng.split('masks')];
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: B });
  const { buffer: replay } = store;
  const member = new Int32Array(B).fill(-1); // the network that is followed
  const learns = new Uint8Array(c.bufferSize * K); // [capacity, K] by number of the transition
  const actions = new Int32Array(B);
  const ids = new Float64Array(c.batchSize);
  const means = new RowMeans(['loss', 'qMean', 'disagreement', 'gradNorm']);
  const counters = { step: 0 };
  const sampling = {
    batchSize: c.batchSize,
    nStep: 1,
    get gamma() {
      return c.gamma;
    },
  };

  return {
    store,
    state: { counters, arrays: { exploring, replaying, masking, member, learns } },
    means,
    stepsPerRow: 500,
    stored: actions,
    copyTargets: async () => updateTarget(targetUpdate, 1),
    async act() {
      act.in.obs.set(buffers.obs);
      const pending = act.run();
      if (pending) await pending;
      for (let row = 0; row < B; row++) {
        if (member[row] === -1 || buffers.terminated[row] !== 0 || buffers.truncated[row] !== 0) member[row] = exploring.int(K);
        actions[row] = argmax(act.out.q, (row * K + member[row]!) * N, N, buffers.mask, row * N);
        const at = ((replay.total + row) % c.bufferSize) * K;
        for (let k = 0; k < K; k++) learns[at + k] = masking.uniform() < c.maskChance ? 1 : 0;
      }
      return actions;
    },
    async update(k) {
      sampleBatch(replay, null, replaying, sampling, 0, ids, { ...learn.in, weight: undefined });
      for (let row = 0; row < c.batchSize; row++) {
        const at = (ids[row]! % c.bufferSize) * K;
        for (let head = 0; head < K; head++) learn.in.heads[row * K + head] = learns[at + head]!;
      }
      learn.in.lr[0] = c.lr;
      const read = k % c.gradientSteps === 0; // reading is a round trip on a GPU
      const pending = learn.run({ read });
      if (pending) await pending;
      if (!read) return;
      const { out } = learn;
      means.add('loss', out.loss[0]!);
      means.add('qMean', out.qMean[0]!);
      means.add('disagreement', Math.sqrt(out.spread[0]!));
      means.add('gradNorm', out.gradNorm[0]!);
    },
    async afterStep(before) {
      if (Math.floor(counters.step / c.targetEvery) > Math.floor(before / c.targetEvery)) await updateTarget(targetUpdate, 1);
    },
    snapshot: () => saveGroups(engine, { net: nets.online, prior: nets.fixed }),
    policy: () => networkPolicy({ meta, compile: (rows) => compileActor(engine, nets, meta, rows) }),
  };
}

export const bootstrappedDqn = defineAlgo<Config>({
  spec: {
    id: 'bootstrapped-dqn',
    version: 1,
    title: 'Bootstrapped DQN',
    summary: 'Ensemble of Q-networks; one of them is followed through each episode (deep exploration).',
    source: {
      title: 'Randomized Prior Functions for Deep Reinforcement Learning',
      authors: 'Osband, Aslanides, Cassirer',
      year: 2018,
      url: 'https://arxiv.org/abs/1806.03335',
    },
    config,
    presets: [
      { id: 'no-priors', title: 'Without prior networks (Osband et al. 2016)', config: { priorScale: 0 } },
      {
        id: 'deep-sea',
        title: 'Deep sea 20 in 40,000 steps: 10 networks, an update every 4 steps',
        config: { heads: 10, batchSize: 64, trainEvery: 4, targetEvery: 16 },
      },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'deep-sea',
      steps: 1000,
      config: { heads: 3, hidden: [8], learningStarts: 100, bufferSize: 300, batchSize: 16, targetEvery: 50, trainEvery: 4 },
    },
    probes: [
      { on: ['bandit'], steps: 2000 },
      { on: ['cued'], steps: 3000 },
      { on: ['delayed', 'masked'], steps: 4000 },
    ],
    probeConfig: {
      lr: 3e-3,
      gamma: 0.9,
      heads: 5,
      hidden: [16],
      learningStarts: 100,
      bufferSize: 1000,
      batchSize: 32,
      trainEvery: 2,
      targetEvery: 50,
    },
    metrics,
  },

  fits(meta) {
    checkSameAgents(meta, 'Bootstrapped DQN');
  },

  train: (run, resume) => trainReplayed(run, resume, (engine, env) => learner(run, engine, env)),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: nets.online, prior: nets.fixed }, saved);
    return networkPolicy({ meta, compile: (rows) => compileActor(engine, nets, meta, rows), dispose: () => engine.dispose() });
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => learn.run() };
  },
});
