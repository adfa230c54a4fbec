/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018): replayed transitions, the smaller of two critics, a
 * deterministic tanh policy that is updated less often, noise on the target's action. With one critic, no such noise and an update
 * every time it is DDPG (ddpg.ts), which shares the learner below.
 *   y = r + d min(Q1', Q2')(s', a'),  a' = clip(mu'(s') + clip(smoothing noise, -c, c), low, high);  d is gamma, 0 after a termination
 *   critics: mean of (Q1(s, a) - y)^2 + (Q2(s, a) - y)^2;   policy: -mean Q1(s, mu(s))
 * Actions lie in a box; several agents that are alike share the networks and are rows like parallel environments. Truncated episodes
 * bootstrap. Equations: lib/actor-critic.ts.
 * Pseudo-code:
 *   target policy and critics = policy and critics
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then mu(s) + Gaussian noise, clipped to it
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       a' by the target policy with clipped noise; y by the smaller target critic (twin off: the one)
 *       one step of the critics
 *       every actorEvery updates
 *         one step of the policy towards a larger Q1(s, mu(s))
 *         target policy and critics += tau (policy and critics - targets)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { mean, minimum, neg } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { mlp } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, RowMeans } from '../api/metrics.ts';
import { type ExtendedMethod, type ExtendedPrograms, type Extensions, NOTHING_ADDED } from '../api/standing.ts';
import type { AlgoDef, Run } from '../api/types.ts';
import { extensionsOf } from '../extensions/index.ts';
import { boxPolicy, checkBox, createBoxActions } from '../lib/box.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';
import * as ac from './lib/actor-critic.ts';

const source = 'CleanRL td3_continuous_action.py';

const extensions = extensionsOf({ loop: 'replay', networks: 'deterministic' });
const config = z.strictObject({
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam for the policy.' }),
  criticLr: fields.lr(3e-4, source, { title: 'critic learning rate', description: 'Step size of Adam for the critics.' }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source, { live: true }),
  explorationNoise: ac.explorationNoise(source, {
    description: 'Standard deviation of the noise on actions taken; 1 is half the width of the box.',
    depth: 'teach',
  }),
  twin: z.boolean().default(true).meta({
    title: 'twin critics',
    description: 'The smaller of two predictions counts, against over-estimation; off: DDPG.',
    source,
    depth: 'teach',
    group: 'variant',
  }),
  smoothing: fields.real(0.2, {
    min: 0,
    max: 2,
    title: 'target policy smoothing',
    description: 'Standard deviation of the noise on the target’s action, so that close actions get close values; 0: none.',
    source,
    live: true,
    slider: [0, 0.5],
    group: 'variant',
  }),
  smoothingLimit: fields.real(0.5, {
    min: 0,
    max: 2,
    title: 'smoothing limit',
    description: 'That noise is clipped here.',
    source,
    depth: 'research',
    group: 'variant',
  }),
  actorEvery: fields.integer(2, {
    min: 1,
    max: 64,
    title: 'policy update interval',
    unit: 'critic updates',
    description: 'Critic updates for one of the policy and of all targets.',
    source,
    slider: [1, 4],
    group: 'variant',
  }),
  ...fields.replay(source, { batchSize: 256, learningStarts: 1000 }),
  ...ac.networkFields(source),
});
type Config = z.infer<typeof config>;
/** What TD3 adds to DDPG may be missing: then there is one critic, no smoothing, and the policy is updated every time. */
type Added = 'twin' | 'smoothing' | 'smoothingLimit' | 'actorEvery';
export type DeterministicConfig = Omit<Config, Added> & Partial<Pick<Config, Added>>;

const ddpg = { twin: false, smoothing: 0, actorEvery: 1 };

function networks(engine: Engine, meta: EnvMeta, c: DeterministicConfig, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const inputs = encodedSize(space);
  const sizes = [inputs, ...c.hidden, meta.actionSize];
  const criticsIn = (group: ParamGroup, from: Rng): ((obs: Tensor, action: Tensor) => Tensor[]) => {
    const width = inputs + meta.actionSize;
    if (c.twin === true) return ac.criticPair(group, from, width, c);
    const one = ac.critic(group, 'q1', from, width, c);
    return (obs, action) => [one(obs, action)];
  };
  const policyIn = (group: ParamGroup, from: Rng) => mlp(group, 'actor', from, sizes, { ...ac.layersOf(c), outAct: 'tanh' });
  const actor = engine.group('actor');
  const actorTarget = engine.group('actorTarget');
  const critic = engine.group('critic');
  const criticTarget = engine.group('criticTarget');
  return {
    actor,
    actorTarget,
    critic,
    criticTarget,
    mu: policyIn(actor, rng), // [-1, 1] per dimension
    q: criticsIn(critic, rng),
    // Overwritten by copies before their first use.
    targetMu: policyIn(actorTarget, Rng.from(0)),
    targetQ: criticsIn(criticTarget, Rng.from(0)),
    features: (g: Graph, obs: Tensor): Tensor => encode(g, obs, space),
  };
}
type Networks = ReturnType<typeof networks>;

const smallest = (values: readonly Tensor[]): Tensor => values.reduce((a, b) => minimum(a, b));

function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => ({ mean: nets.mu(nets.features(g, obs)) }), { name: 'td3 act' });
}

function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize] },
    ({ obs }, g) => {
      const features = nets.features(g, obs);
      const action = nets.mu(features);
      return { mean: action, value: smallest(nets.q(features, action)) };
    },
    { name: 'td3 policy' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: DeterministicConfig, added: ExtendedPrograms = NOTHING_ADDED) {
  const M = c.batchSize;
  const { obsSize: O, actionSize: D } = meta;
  return engine.compile(
    {
      obs: [M, O],
      action: [M, D],
      reward: [M],
      discount: [M],
      nextObs: [M, O],
      uniform: c.smoothing === undefined ? null : ac.uniformShape(M, D),
      smoothing: c.smoothing === undefined ? null : [1],
      ...added.inputs('critics'),
    },
    (x, g) => {
      const nextFeatures = nets.features(g, x.nextObs);
      const best = nets.targetMu(nextFeatures);
      const action =
        x.uniform === undefined || x.smoothing === undefined || c.smoothingLimit === undefined
          ? best
          : ac.smoothedAction(best, ac.gaussianNoise(x.uniform, M, D), x.smoothing, c.smoothingLimit);
      const y = ac.bootstrapped(x.reward, x.discount, smallest(nets.targetQ(nextFeatures, action)));
      const features = nets.features(g, x.obs);
      const q = nets.q(features, x.action);
      const terms = { loss: ac.criticLoss(q, y), qMean: mean(q[0]!) };
      return added.join('critics', terms, x, g, { features, action: x.action });
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'td3 critics' },
  );
}

/** The policy climbs the first critic's value. */
function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: DeterministicConfig, added: ExtendedPrograms = NOTHING_ADDED) {
  return engine.compile(
    { obs: [c.batchSize, meta.obsSize], ...added.inputs('actor') },
    (x, g) => {
      const features = nets.features(g, x.obs);
      const action = nets.mu(features);
      const terms = { loss: neg(mean(nets.q(features, action)[0]!)) };
      return added.join('actor', terms, x, g, { mean: action });
    },
    { minimise: 'loss', group: nets.actor, with: adam(), name: 'td3 actor' },
  );
}

function learner(
  { config: c, meta, rng }: Run<DeterministicConfig>,
  engine: Engine,
  env: VectorEnv,
  extended: ExtendedMethod,
): ReplayLearner {
  const { buffers, batch } = env;
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = compileActing(engine, nets, meta, batch * meta.agentCount);
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: batch });
  const learned = [
    { name: 'actor', group: nets.actor },
    { name: 'critics', group: nets.critic },
  ] as const;
  const added = extended.attach({
    loop: 'replay',
    networks: 'deterministic',
    engine,
    meta,
    env,
    rng,
    replay: store.buffer,
    learned,
    config: c,
  });
  const critics = compileCritics(engine, nets, meta, c, added);
  const actor = compileActor(engine, nets, meta, c, added);
  const also = added.places();
  const targetUpdates = [engine.polyak(nets.actorTarget, nets.actor), engine.polyak(nets.criticTarget, nets.critic)];
  const updateTargets = async (tau: number): Promise<void> => {
    for (const program of targetUpdates) await updateTarget(program, tau);
  };
  const streams = { ...ac.streamsOf(rng), drawing: rng.split('noise') };
  const { exploring, replaying, drawing } = streams;
  const actions = createBoxActions(meta, batch);
  const { unit } = actions;
  const noise = new Float64Array(unit.length);
  const means = new RowMeans<string>(['criticLoss', 'actorLoss', 'qMean', 'gradNorm', ...added.reported]);
  const counters = { step: 0, updates: 0 };

  return {
    store,
    state: { counters, arrays: streams },
    extended: also,
    means,
    stored: unit,
    copyTargets: () => updateTargets(1),
    async act(warmUp) {
      if (warmUp) actions.drawUniform(exploring);
      else {
        act.in.obs.set(buffers.obs);
        const pending = act.run();
        if (pending) await pending;
        const best = act.out.mean;
        for (let i = 0; i < noise.length; i++) noise[i] = normal(exploring);
        also.noise?.(noise);
        for (let i = 0; i < unit.length; i++) unit[i] = Math.min(1, Math.max(-1, best[i]! + c.explorationNoise * noise[i]!));
      }
      return actions.scaled();
    },
    async update() {
      await also.beforeUpdate?.();
      store.sample(replaying, c.batchSize, c.gamma, critics.in, also.sampledRow);
      if (critics.in.uniform !== undefined) ac.fillUniform(drawing, critics.in.uniform);
      if (critics.in.smoothing !== undefined) critics.in.smoothing[0] = c.smoothing ?? 0;
      also.sampled?.('critics', critics.in);
      const criticUpdate = descend(critics, c.criticLr);
      if (criticUpdate) await criticUpdate;
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      means.addAll(added.reported, critics.out);
      also.afterUpdate?.('critics', critics.out);
      counters.updates++;
      if (counters.updates % (c.actorEvery ?? 1) !== 0) return;
      actor.in.obs.set(critics.in.obs);
      also.sampled?.('actor', actor.in);
      const actorUpdate = descend(actor, c.lr);
      if (actorUpdate) await actorUpdate;
      means.add('actorLoss', actor.out.loss[0]!);
      also.afterUpdate?.('actor', actor.out);
      await updateTargets(c.tau);
    },
    snapshot: () => saveGroups(engine, { actor: nets.actor, critic: nets.critic }, { noise: c.explorationNoise }),
    policy: () => boxPolicy({ meta, noise: () => c.explorationNoise, compile: (rows) => compilePolicy(engine, nets, meta, rows) }),
  };
}

export const deterministicMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, added, mean since the last row.' },
  { id: 'actorLoss', title: 'policy loss', description: 'Minus the predicted value of the policy’s actions.' },
  {
    id: 'qMean',
    title: 'mean Q',
    description: 'Mean predicted value of the replayed actions: grows without bound when values are over-estimated.',
  },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the critics’ gradient.' },
];

/** All of a method but its card. */
export function deterministicActorCritic<C extends DeterministicConfig>(title: string, all: Extensions): Omit<AlgoDef<C>, 'spec'> {
  return {
    fits(meta, c) {
      checkBox(meta, title, c.bufferSize);
    },

    train: (run, resume) => trainReplayed(run, resume, (engine, env, extended) => learner(run, engine, env, extended), all),

    async policy({ config: c, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, c, Rng.from(0));
      loadGroups(engine, { actor: nets.actor, critic: nets.critic }, saved);
      const noise = savedNumber(saved, 'noise');
      const compile = (rows: number) => compilePolicy(engine, nets, meta, rows);
      return boxPolicy({ meta, noise: () => noise, compile, dispose: () => engine.dispose() });
    },

    benchmark({ config: c, meta, engine }) {
      const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
      return { run: () => critics.run() };
    },
  };
}

export const td3 = defineAlgo<Config>({
  spec: {
    id: 'td3',
    version: 2,
    changes: [livingRows(2)],
    title: 'TD3',
    summary: 'Learns a deterministic policy for continuous actions, with two critics of which the lower estimate counts.',
    source: {
      title: 'Addressing Function Approximation Error in Actor-Critic Methods',
      authors: 'Fujimoto et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1802.09477',
    },
    config,
    extensions,
    presets: [
      { id: 'cleanrl', title: 'CleanRL td3_continuous_action.py', config: { learningStarts: 25_000 } },
      { id: 'sb3', title: 'Stable-Baselines3', config: { lr: 1e-3, criticLr: 1e-3, learningStarts: 100, hidden: [400, 300] } },
      {
        id: 'pendulum',
        title: 'RL Zoo settings for Pendulum (20,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3, gamma: 0.98, learningStarts: 10_000, hidden: [400, 300] },
      },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] },
      },
      { id: 'ddpg', title: 'DDPG (CleanRL ddpg_continuous_action.py)', config: { ...ddpg, learningStarts: 25_000 } },
      {
        id: 'ddpg-pendulum',
        title: 'DDPG, RL Zoo settings for Pendulum (20,000 steps)',
        config: { ...ddpg, lr: 1e-3, criticLr: 1e-3, gamma: 0.98, learningStarts: 10_000, hidden: [400, 300] },
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: ac.trialConfig },
    probes: ac.boxProbes,
    probeConfig: { ...ac.probeConfig, explorationNoise: 0.2 },
    metrics: deterministicMetrics,
  },

  ...deterministicActorCritic<Config>('TD3', extensions),
});
