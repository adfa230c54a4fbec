/**
 * Soft actor-critic (Haarnoja et al. 2018, "Algorithms and Applications") for continuous actions in a box: replayed transitions, the
 * smaller of two critics, a tanh-squashed Gaussian policy, and a temperature that keeps its entropy near a target.
 *   y = r + d [min(Q1', Q2')(s', a') - alpha ln pi(a' | s')],  a' drawn from pi;  d is gamma, 0 after a termination
 *   J(pi) = mean[alpha ln pi(a | s) - min(Q1, Q2)(s, a)],  a = tanh(mean + std noise)
 *   J(alpha) = -mean[ln alpha (ln pi + H)] (Stable-Baselines3) or -mean[alpha (ln pi + H)] (CleanRL)
 * Several agents that are alike share one policy and pair of critics and are rows like parallel environments. Truncated episodes bootstrap.
 * Equations: lib/actor-critic.ts. Differs from Stable-Baselines3: ln pi is that of the environment's action, not of the squashed one.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then a = tanh(mean + std noise)
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       one step of both critics on mean (Q1 - y)^2 + mean (Q2 - y)^2
 *       every actorEvery updates, actorUpdates times, on the same observations
 *         one step of the policy on J(pi)
 *         if autoTemperature: a step of alpha on J(alpha), H by default minus the action dimensions
 *       target critics += tau (critics - target critics)
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import { RLTOOLS_QUADROTOR } from '#contract/published.ts';
import { mean, minimum, mul, split, sub, tanh } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { mlp } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import * as fn from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { boxOf, boxPolicy, checkBox, createBoxActions } from '../lib/box.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';
import * as ac from './lib/actor-critic.ts';

const source = 'Stable-Baselines3 SAC';

const config = z.strictObject({
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam for the policy.' }),
  criticLr: fields.lr(3e-4, source, {
    title: 'critic learning rate',
    description: 'Step size of Adam for the critics and the temperature.',
  }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source, { live: true }),
  ...ac.temperatureFields(source),
  targetEntropy: z.number().min(-100).max(100).nullable().default(null).meta({
    title: 'target entropy',
    unit: 'nats',
    description: 'Entropy that the policy is kept near, in the units of the actions; empty: minus the number of action dimensions.',
    source,
    group: 'entropy',
  }),
  temperatureLoss: z.enum(['log', 'exp']).default('log').meta({
    title: 'temperature loss',
    description: 'ln alpha times the gap (Stable-Baselines3) or alpha times the gap (CleanRL): the same fixed point at another speed.',
    source,
    depth: 'research',
    group: 'entropy',
  }),
  logStd: z.enum(['clamp', 'tanh']).default('clamp').meta({
    title: 'log std',
    description: 'Clipped to [-20, 2], or bent into [-5, 2] by a tanh as CleanRL does.',
    source,
    depth: 'research',
    group: 'network',
  }),
  actorEvery: fields.integer(1, {
    min: 1,
    max: 64,
    title: 'policy update interval',
    unit: 'critic updates',
    description: 'Critic updates between two rounds of policy updates.',
    source,
    slider: [1, 4],
    group: 'optimisation',
  }),
  actorUpdates: fields.integer(1, {
    min: 1,
    max: 64,
    title: 'policy updates',
    description: 'Policy updates in each round.',
    source,
    slider: [1, 4],
    group: 'optimisation',
  }),
  ...fields.replay(source, { batchSize: 256, learningStarts: 100 }),
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer, in actor and critics; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const D = meta.actionSize;
  const inputs = encodedSize(space);
  const actor = engine.group('actor');
  const body = mlp(actor, 'actor', rng, [inputs, ...c.hidden, 2 * D], { act: 'relu', init: 'torch' });
  const critic = engine.group('critic');
  const target = engine.group('target');
  const temperature = ac.temperature(engine, c.temperature);
  return {
    actor,
    critic,
    target,
    temperature,
    q: ac.criticPair(critic, rng, inputs + D, c.hidden),
    targetQ: ac.criticPair(target, Rng.from(0), inputs + D, c.hidden), // overwritten by a copy before the first use
    features: (g: Graph, obs: Tensor): Tensor => encode(g, obs, space),
    /** Mean and log std [rows, D] before squashing. */
    gaussian(features: Tensor) {
      const [centre, raw] = split(body(features), [D, D]) as [Tensor, Tensor];
      return { mean: centre, logStd: ac.boundedLogStd(raw, c.logStd) };
    },
    /** Half the width of the box. */
    half: (g: Graph): Tensor => g.constant(boxOf(meta).half.slice(0, D), [D]),
  };
}
type Networks = ReturnType<typeof networks>;

function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => nets.gaussian(nets.features(g, obs)), { name: 'sac act' });
}

/** With the smaller critic's value of the best action. */
function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize] },
    ({ obs }, g) => {
      const features = nets.features(g, obs);
      const out = nets.gaussian(features);
      const [q1, q2] = nets.q(features, tanh(out.mean));
      return { ...out, value: minimum(q1, q2) };
    },
    { name: 'sac policy' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const { obsSize: O, actionSize: D } = meta;
  return engine.compile(
    { obs: [M, O], action: [M, D], reward: [M], discount: [M], nextObs: [M, O], uniform: ac.uniformShape(M, D) },
    (x, g) => {
      const nextFeatures = nets.features(g, x.nextObs);
      const out = nets.gaussian(nextFeatures);
      const noise = ac.gaussianNoise(x.uniform, M, D);
      const { action, logProb } = ac.scaledSquashedGaussian(out.mean, out.logStd, noise, nets.half(g));
      const [t1, t2] = nets.targetQ(nextFeatures, action);
      const next = ac.softValue(t1, t2, logProb, nets.temperature.alpha(g));
      const y = ac.bootstrapped(x.reward, x.discount, next);
      const q = nets.q(nets.features(g, x.obs), x.action);
      return { loss: ac.criticLoss(q, y), qMean: mean(q[0]) };
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'sac critics' },
  );
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const D = meta.actionSize;
  return engine.compile(
    { obs: [M, meta.obsSize], uniform: ac.uniformShape(M, D) },
    (x, g) => {
      const features = nets.features(g, x.obs);
      const out = nets.gaussian(features);
      const noise = ac.gaussianNoise(x.uniform, M, D);
      const { action, logProb } = ac.scaledSquashedGaussian(out.mean, out.logStd, noise, nets.half(g));
      const [q1, q2] = nets.q(features, action);
      const loss = mean(sub(mul(logProb, nets.temperature.alpha(g)), minimum(q1, q2)));
      return { loss, logProb: mean(logProb) };
    },
    { minimise: 'loss', group: nets.actor, with: adam(), name: 'sac actor' },
  );
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, { buffers, batch }: VectorEnv): ReplayLearner {
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = compileActing(engine, nets, meta, batch * meta.agentCount);
  const critics = compileCritics(engine, nets, meta, c);
  const actor = compileActor(engine, nets, meta, c);
  const updateTemperature = nets.temperature.compile(c.temperatureLoss);
  const targetUpdate = engine.polyak(nets.target, nets.critic);
  const streams = { ...ac.streamsOf(rng), drawing: rng.split('noise') };
  const { exploring, replaying, drawing } = streams;
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: batch });
  const actions = createBoxActions(meta, batch);
  const { unit } = actions;
  const means = new RowMeans(['criticLoss', 'actorLoss', 'qMean', 'entropy', 'gradNorm']);
  const counters = { step: 0, updates: 0, alpha: c.temperature };

  /** Policy and temperature, from the observations that the critics learned from. */
  async function updateActor(): Promise<void> {
    actor.in.obs.set(critics.in.obs);
    ac.fillUniform(drawing, actor.in.uniform);
    const pending = descend(actor, c.lr);
    if (pending) await pending;
    const logProb = actor.out.logProb[0]!;
    means.add('actorLoss', actor.out.loss[0]!);
    means.add('entropy', -logProb);
    if (c.autoTemperature) counters.alpha = await updateTemperature(logProb, c.targetEntropy ?? -meta.actionSize, c.criticLr);
  }

  return {
    store,
    state: { counters, arrays: streams },
    means,
    stored: unit,
    copyTargets: async () => updateTarget(targetUpdate, 1),
    async act(warmUp) {
      if (warmUp) actions.drawUniform(exploring);
      else {
        act.in.obs.set(buffers.obs);
        const pending = act.run();
        if (pending) await pending;
        const { mean: centre, logStd } = act.out;
        for (let i = 0; i < unit.length; i++) unit[i] = fn.tanh(centre[i]! + fn.exp(logStd[i]!) * normal(exploring));
      }
      return actions.scaled();
    },
    async update() {
      store.sample(replaying, c.batchSize, c.gamma, critics.in);
      ac.fillUniform(drawing, critics.in.uniform);
      const pending = descend(critics, c.criticLr);
      if (pending) await pending;
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      counters.updates++;
      if (counters.updates % c.actorEvery === 0) for (let j = 0; j < c.actorUpdates; j++) await updateActor();
      await updateTarget(targetUpdate, c.tau);
    },
    metrics: () => ({ temperature: counters.alpha }),
    snapshot: () => saveGroups(engine, { actor: nets.actor, critic: nets.critic }),
    policy: () => boxPolicy({ meta, compile: (rows) => compilePolicy(engine, nets, meta, rows) }),
  };
}

export const sac = defineAlgo<Config>({
  spec: {
    id: 'sac',
    version: 1,
    title: 'SAC',
    summary: 'Learns continuous actions from replayed transitions, with a reward for entropy.',
    source: {
      title: 'Soft Actor-Critic Algorithms and Applications',
      authors: 'Haarnoja et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1812.05905',
    },
    config,
    presets: [
      {
        id: 'cleanrl',
        title: 'CleanRL sac_continuous_action.py',
        config: { criticLr: 1e-3, learningStarts: 5000, actorEvery: 2, actorUpdates: 2, temperatureLoss: 'exp', logStd: 'tanh' },
      },
      {
        id: 'spinning-up',
        title: 'Spinning Up (fixed temperature 0.2)',
        config: {
          lr: 1e-3,
          criticLr: 1e-3,
          batchSize: 100,
          learningStarts: 10_000,
          trainEvery: 50,
          gradientSteps: 50,
          autoTemperature: false,
          temperature: 0.2,
        },
      },
      {
        id: 'pendulum',
        title: 'RL Zoo settings for Pendulum (20,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3 },
      },
      { id: 'drone-hover', title: 'Drone hover, one speed for all motors (30,000 steps)', config: { hidden: [64, 64] } },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] },
      },
      {
        id: 'learning-to-fly',
        title: 'RLtools settings for the quadrotor (280,000 steps)',
        config: RLTOOLS_QUADROTOR,
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: ac.trialConfig },
    probes: [
      { on: ['pointing'], steps: 5000, atLeast: 0.93 },
      { on: ['aimedBefore'], steps: 4000, atLeast: 0.9 },
      { on: ['pointingTeam'], steps: 4000, atLeast: 0.85 },
    ],
    probeConfig: ac.probeConfig,
    metrics: ac.sacMetrics,
  },

  fits: (meta, c) => checkBox(meta, 'SAC', c.bufferSize),

  train: (run, resume) => trainReplayed(run, resume, (engine, env) => learner(run, engine, env)),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { actor: nets.actor, critic: nets.critic }, saved);
    return boxPolicy({ meta, compile: (rows) => compilePolicy(engine, nets, meta, rows), dispose: () => engine.dispose() });
  },

  benchmark({ config: c, meta, engine }) {
    const nets = networks(engine, meta, c, Rng.from(0));
    const critics = compileCritics(engine, nets, meta, c);
    const actor = compileActor(engine, nets, meta, c);
    return {
      run() {
        const first = critics.run();
        return first === undefined ? actor.run() : first.then(() => actor.run());
      },
    };
  },
});
