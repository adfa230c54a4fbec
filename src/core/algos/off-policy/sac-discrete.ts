/**
 * Soft actor-critic for discrete actions (Christodoulou 2019, as CleanRL's sac_atari.py runs it): critics give the value of every action,
 * so that the policy's expectations are sums and need no sampling.
 *   y = r + d sum_a pi(a | s') [min(Q1', Q2')(s', a) - alpha ln pi(a | s')];  d is 0 after a termination, not at a time limit
 *   J(pi) = mean sum_a pi(a | s) [alpha ln pi(a | s) - min(Q1, Q2)(s, a)]
 *   J(alpha) = -mean[alpha (sum_a pi ln pi + H)],  H = scale mean ln(actions that are legal)
 * CleanRL's target, 0.89 ln(actions), is near that of random play where actions are few, and out of reach where few of them are legal: the
 * temperature then grows without bound.
 * Several agents that are alike share the networks and are rows like parallel environments.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     act: before learningStarts at random among the legal actions, then drawn from pi
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       one step of both critics on mean (Q1(s, a) - y)^2 + mean (Q2(s, a) - y)^2
 *       one step of the policy on J(pi), on the same observations
 *       if autoTemperature: one step of alpha on J(alpha)
 *       target critics += tau (critics - target critics)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { exp, logSoftmax, mean, minimum, mul, pick, softmax, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { mlp } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { categorical, randomAction } from '#math/sampling.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { finalMasks, livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkBufferSize, checkSameAgents } from '../api/guards.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';
import * as ac from './lib/actor-critic.ts';

const source = 'CleanRL sac_atari.py';

const config = z.strictObject({
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam for the policy.' }),
  criticLr: fields.lr(3e-4, source, {
    title: 'critic learning rate',
    description: 'Step size of Adam for the critics and the temperature.',
  }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, 'Christodoulou 2019', { live: true }),
  autoTemperature: variant(
    'on',
    [
      kind('off', {}),
      kind('on', {
        share: fields.real(0.5, {
          min: 0,
          max: 1,
          title: 'target entropy',
          description: 'As a share of that of uniformly random actions.',
          source: 'own choice; 0.89 in CleanRL sac_atari.py, 0.98 in Christodoulou 2019',
          live: true,
          slider: [0, 1],
          group: 'entropy',
        }),
        of: z.enum(['legal', 'all']).default('legal').meta({
          title: 'target entropy counts',
          description: 'The random actions that it is a share of: those that are legal in each state, or all there are.',
          source: 'all in CleanRL sac_atari.py, which has no illegal ones',
          depth: 'research',
          group: 'entropy',
        }),
      }),
    ],
    ac.automaticTemperature(source),
  ),
  temperature: ac.temperatureField(source),
  ...fields.replay(source, { batchSize: 64, learningStarts: 1000 }),
  hidden: fields.hidden([64, 64], 'own choice', { description: 'Units of each layer, in actor and critics; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const sizes = [encodedSize(space), ...c.hidden, meta.actionCount];
  const layers = { act: 'relu', init: 'torch' } as const;
  const criticsIn = (group: ParamGroup, from: Rng): ((x: Tensor) => [Tensor, Tensor]) => {
    const [first, second] = [mlp(group, 'q1', from, sizes, layers), mlp(group, 'q2', from, sizes, layers)];
    return (x) => [first(x), second(x)];
  };
  const actor = engine.group('actor');
  const body = mlp(actor, 'actor', rng, sizes, layers);
  const critic = engine.group('critic');
  const target = engine.group('target');
  const temperature = ac.temperature(engine, c.temperature);
  return {
    actor,
    critic,
    target,
    temperature,
    q: criticsIn(critic, rng),
    targetQ: criticsIn(target, Rng.from(0)), // overwritten by a copy before the first use
    features: (g: Graph, obs: Tensor): Tensor => encode(g, obs, space),
    logits: (features: Tensor, mask: Tensor | undefined): Tensor =>
      mask === undefined ? body(features) : maskLogits(body(features), mask),
  };
}
type Networks = ReturnType<typeof networks>;

/** Shape of the masks of so many rows; null: the environment has none. */
const masks = (meta: EnvMeta, rows: number) => (meta.masked ? [rows, meta.actionCount] : null);

function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize], mask: masks(meta, rows) },
    (x, g) => ({ logits: nets.logits(nets.features(g, x.obs), x.mask) }),
    { name: 'sac-discrete act' },
  );
}

/** With what the policy expects of the smaller critic. */
function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize], mask: masks(meta, rows) },
    (x, g) => {
      const features = nets.features(g, x.obs);
      const logits = nets.logits(features, x.mask);
      const [q1, q2] = nets.q(features);
      return { logits, value: sum(mul(softmax(logits), minimum(q1, q2)), -1) };
    },
    { name: 'sac-discrete policy' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], action: [M], reward: [M], discount: [M], nextObs: [M, O], nextMask: masks(meta, M) },
    (x, g) => {
      const nextFeatures = nets.features(g, x.nextObs);
      const logProbs = logSoftmax(nets.logits(nextFeatures, x.nextMask));
      const [t1, t2] = nets.targetQ(nextFeatures);
      const next = ac.discreteSoftValue(logProbs, t1, t2, nets.temperature.alpha(g));
      const y = ac.bootstrapped(x.reward, x.discount, next);
      const { action } = x;
      const taken = nets.q(nets.features(g, x.obs)).map((q) => pick(q, action));
      return { loss: ac.criticLoss(taken, y), qMean: mean(taken[0]!) };
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'sac-discrete critics' },
  );
}

/** The policy's loss is minus the soft value of the states; `logProb` is minus its mean entropy. */
function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  return engine.compile(
    { obs: [c.batchSize, meta.obsSize], mask: masks(meta, c.batchSize) },
    (x, g) => {
      const features = nets.features(g, x.obs);
      const logProbs = logSoftmax(nets.logits(features, x.mask));
      const [q1, q2] = nets.q(features);
      const loss = mul(mean(ac.discreteSoftValue(logProbs, q1, q2, nets.temperature.alpha(g))), -1);
      return { loss, logProb: mean(sum(mul(exp(logProbs), logProbs), -1)) };
    },
    { minimise: 'loss', group: nets.actor, with: adam(), name: 'sac-discrete actor' },
  );
}

/** Of uniformly random actions: ln N, or the mean of ln(legal actions) over the rows of a mask [M, N]. */
export function uniformEntropy(N: number, mask: Float32Array | undefined): number {
  if (mask === undefined) return log(N);
  let total = 0;
  for (let at = 0; at < mask.length; at += N) {
    const legal = mask.subarray(at, at + N).reduce((count, one) => count + one, 0);
    total += log(Math.max(1, legal)); // an agent that is out has none
  }
  return (total * N) / mask.length;
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, { buffers, batch: numEnvs }: VectorEnv): ReplayLearner {
  const { actionCount: N } = meta;
  const rows = numEnvs * meta.agentCount;
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = compileActing(engine, nets, meta, rows);
  const critics = compileCritics(engine, nets, meta, c);
  const actor = compileActor(engine, nets, meta, c);
  const updateTemperature = nets.temperature.compile('exp');
  const targetUpdate = engine.polyak(nets.target, nets.critic);
  const streams = ac.streamsOf(rng);
  const { exploring, replaying } = streams;
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs, currentMask: true });
  const actions = createActions(meta, numEnvs);
  const means = new RowMeans(['criticLoss', 'actorLoss', 'qMean', 'entropy', 'gradNorm']);
  const counters = { step: 0, alpha: c.temperature };

  return {
    store,
    state: { counters, arrays: streams },
    means,
    stored: actions,
    copyTargets: async () => updateTarget(targetUpdate, 1),
    async act(warmUp) {
      if (!warmUp) {
        act.in.obs.set(buffers.obs);
        if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
        const pending = act.run();
        if (pending) await pending;
      }
      for (let row = 0; row < rows; row++) {
        actions[row] = warmUp
          ? randomAction(exploring, N, buffers.mask, row * N)
          : categorical(act.out.logits, row * N, N, exploring.uniform());
      }
      return actions;
    },
    async update() {
      const { mask } = actor.in;
      store.sample(replaying, c.batchSize, c.gamma, { ...critics.in, mask });
      const criticUpdate = descend(critics, c.criticLr);
      if (criticUpdate) await criticUpdate;
      actor.in.obs.set(critics.in.obs);
      const actorUpdate = descend(actor, c.lr);
      if (actorUpdate) await actorUpdate;
      const logProb = actor.out.logProb[0]!;
      if (c.autoTemperature.kind === 'on') {
        const target = c.autoTemperature.share * uniformEntropy(N, c.autoTemperature.of === 'all' ? undefined : mask);
        counters.alpha = await updateTemperature(logProb, target, c.criticLr);
      }
      await updateTarget(targetUpdate, c.tau);
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      means.add('actorLoss', actor.out.loss[0]!);
      means.add('entropy', -logProb);
    },
    metrics: () => ({ temperature: counters.alpha }),
    snapshot: () => saveGroups(engine, { actor: nets.actor, critic: nets.critic }),
    policy: () => networkPolicy({ meta, compile: (n) => compilePolicy(engine, nets, meta, n) }),
  };
}

export const sacDiscrete = defineAlgo<Config>({
  spec: {
    id: 'sac-discrete',
    version: 4,
    changes: [
      finalMasks(2),
      {
        version: 3,
        what: 'The target entropy is a smaller share of that of all legal actions; it was 0.89 of that of all actions, legal or not.',
        before: { targetEntropyScale: 0.89, targetEntropyOf: 'all' },
        rerun: false,
      },
      livingRows(4),
    ],
    title: 'SAC (discrete)',
    summary: 'Learns discrete actions from replayed transitions, with a reward for entropy.',
    source: {
      title: 'Soft Actor-Critic for Discrete Action Settings',
      authors: 'Christodoulou',
      year: 2019,
      url: 'https://arxiv.org/abs/1910.07207',
    },
    config,
    presets: [
      {
        id: 'cartpole',
        title: 'CartPole (50,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3, tau: 0.01, autoTemperature: { share: 0.5 } },
      },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 700, config: ac.trialConfig },
    probes: [{ on: ['bandit', 'cued', 'delayed', 'masked', 'team'], steps: 4000 }],
    probeConfig: ac.probeConfig,
    metrics: ac.sacMetrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'SAC');
    checkBufferSize(c.bufferSize, 2 * meta.obsSize + 3 + (meta.masked ? meta.actionCount / 2 : 0));
  },

  train: (run, resume) => trainReplayed(run, resume, (engine, env) => learner(run, engine, env)),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { actor: nets.actor, critic: nets.critic }, saved);
    return networkPolicy({ meta, compile: (n) => compilePolicy(engine, nets, meta, n), dispose: () => engine.dispose() });
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critics.run() };
  },
});
