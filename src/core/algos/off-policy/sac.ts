/**
 * Soft actor-critic (Haarnoja et al. 2018, "Algorithms and Applications") for continuous actions in a box: replayed transitions, the
 * smaller of two critics, a tanh-squashed Gaussian policy, and a temperature that keeps its entropy near a target.
 *   y = r + d [min(Q1', Q2')(s', a') - alpha ln pi(a' | s')],  a' drawn from pi;  d is gamma, 0 after a termination
 *   J(pi) = mean[alpha ln pi(a | s) - min(Q1, Q2)(s, a)],  a = tanh(mean + std noise)
 *   J(alpha) = -mean[ln alpha (ln pi + H)] (Stable-Baselines3) or -mean[alpha (ln pi + H)] (CleanRL)
 * Agents that are alike share one policy and one pair of critics; each is a row of the batch, as a parallel environment is. Truncated episodes
 * bootstrap.
 * Here are the losses and the update; CrossQ and DroQ share them with critics of their own. Networks and settings: lib/soft.ts, equations of
 * targets and temperature: lib/actor-critic.ts, the loop: lib/replay/transitions.ts, which names the places of extensions.
 * Differs from Stable-Baselines3: ln pi is that of the environment's action, not of the squashed one.
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
import { RLTOOLS_QUADROTOR, ZOO_BIPEDAL_WALKER_SAC, ZOO_LUNAR_LANDER_SAC } from '#contract/papers/published.ts';
import { concat, mean, minimum, mul, sliceAxis, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { column, type Net } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import * as fn from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import { type NetworkParts, outputsOf } from '../api/extension.ts';
import { RowMeans } from '../api/metrics.ts';
import { type ExtendedMethod, type ExtendedPrograms, type Extensions, NOTHING_ADDED } from '../api/standing.ts';
import type { AlgoDef, Run } from '../api/types.ts';
import { extensionsOf } from '../extensions/index.ts';
import { boxPolicy, checkBox, createBoxActions } from '../lib/box.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';
import * as ac from './lib/actor-critic.ts';
import * as soft from './lib/soft.ts';

const source = 'Stable-Baselines3 SAC';
const extensions = extensionsOf({ loop: 'replay', networks: 'soft' });
const config = z.strictObject({ ...soft.softFields(source), ...ac.networkFields(source) });
type Config = z.infer<typeof config>;

/** Two critics and their targets. */
function critics(engine: Engine, rng: Rng, inputs: number, c: Config, meta: EnvMeta, parts: NetworkParts | null): soft.SoftCritics {
  const critic = engine.group('critic');
  const target = engine.group('target');
  const outputs = parts?.heads ?? 1;
  const nets = ac.criticNets(critic, rng, inputs, outputs, c);
  const targets = ac.criticNets(target, Rng.from(0), inputs, outputs, c); // overwritten by a copy before the first use
  const bound = parts?.bind(critic) ?? null;
  const pair = ([one, other]: readonly [Net, Net], { params }: ParamGroup) => {
    const taken = (net: Net, both: Tensor): Tensor => {
      const seen = (): Tensor => sliceAxis(both, 1, 0, inputs - meta.actionSize);
      const value = outputsOf(bound, seen, () => [net(both)], params)[0]!;
      return value.shape.length === 1 ? value : column(value);
    };
    return (features: Tensor, action: Tensor): [Tensor, Tensor] => {
      const both = concat([features, action], 1);
      return [taken(one, both), taken(other, both)];
    };
  };
  const q = pair(nets, critic);
  const targetQ = pair(targets, target);
  const smaller: soft.SoftCritics['value'] = (features, action) => minimum(...q(features, action));
  return {
    critic,
    target,
    both: q,
    parts: bound,
    learn(x) {
      const next = ac.softValue(...targetQ(x.nextFeatures, x.nextAction), x.nextLogProb, x.alpha);
      const y = ac.bootstrapped(x.reward, x.discount, next);
      const both = q(x.features, x.action);
      return { loss: ac.criticLoss(both, y), qMean: mean(both[0]) };
    },
    climb: smaller,
    value: smaller,
  };
}

const shapeOf = (draws: soft.Draws | undefined): Shape | null => (draws === undefined || draws.size === 0 ? null : [draws.size]);

/** One step of the critics: the next actions are drawn from the policy. */
function compileCritics(engine: Engine, nets: soft.Networks, meta: EnvMeta, c: soft.SoftConfig, added: ExtendedPrograms = NOTHING_ADDED) {
  const M = c.batchSize;
  const { obsSize: O, actionSize: D } = meta;
  const inputs = { obs: [M, O], action: [M, D], reward: [M], discount: [M], nextObs: [M, O], uniform: ac.uniformShape(M, D) };
  return engine.compile(
    { ...inputs, draws: shapeOf(nets.critics.draws?.learn), ...added.inputs('critics') },
    (x, g) => {
      const nextFeatures = nets.features(g, x.nextObs);
      const out = nets.gaussian(nextFeatures);
      const noise = ac.gaussianNoise(x.uniform, M, D);
      const { action: nextAction, logProb } = ac.scaledSquashedGaussian(out.mean, out.logStd, noise, nets.half(g));
      const features = nets.features(g, x.obs);
      const terms = nets.critics.learn({
        features,
        action: x.action,
        reward: x.reward,
        discount: x.discount,
        nextFeatures,
        nextAction,
        nextLogProb: logProb,
        alpha: nets.temperature.alpha(g),
        draws: x.draws,
      });
      return added.join('critics', terms, x, g, { features, action: x.action });
    },
    { minimise: 'loss', group: nets.critics.critic, with: nets.critics.optimiser ?? adam(), name: 'critics' },
  );
}

/** One step of the policy on J(pi). */
function compileActor(engine: Engine, nets: soft.Networks, meta: EnvMeta, c: soft.SoftConfig, added: ExtendedPrograms = NOTHING_ADDED) {
  const M = c.batchSize;
  const D = meta.actionSize;
  return engine.compile(
    { obs: [M, meta.obsSize], uniform: ac.uniformShape(M, D), draws: shapeOf(nets.critics.draws?.climb), ...added.inputs('actor') },
    (x, g) => {
      const features = nets.features(g, x.obs);
      const out = nets.gaussian(features);
      const noise = ac.gaussianNoise(x.uniform, M, D);
      const { action, logProb } = ac.scaledSquashedGaussian(out.mean, out.logStd, noise, nets.half(g));
      const value = nets.critics.climb(features, action, x.draws);
      const terms = { loss: mean(sub(mul(logProb, nets.temperature.alpha(g)), value)), logProb: mean(logProb) };
      return added.join('actor', terms, x, g, out);
    },
    { minimise: 'loss', group: nets.actor, with: nets.critics.optimiser ?? adam(), name: 'actor' },
  );
}

function learner<C extends soft.SoftConfig>(
  { config: c, meta, rng }: Run<C>,
  engine: Engine,
  env: VectorEnv,
  build: soft.Build<C>,
  extended: ExtendedMethod,
): ReplayLearner {
  const { buffers, batch } = env;
  const nets = soft.networks(engine, meta, c, rng.split('init'), build, extended.parts);
  const { critic, target, draws, both } = nets.critics;
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: batch });
  const learned = [
    { name: 'actor', group: nets.actor },
    { name: 'critics', group: critic },
  ] as const;
  const host = { loop: 'replay', engine, meta, env, rng, replay: store.buffer, learned, config: c } as const;
  const shown = both && ({ networks: 'soft', activation: build.layers(c).act ?? 'relu', gaussian: nets.gaussian, both } as const);
  const added = extended.attach({ ...host, ...(shown ?? { networks: 'other' }) });
  const act = soft.compileActing(engine, nets, meta, batch * meta.agentCount);
  const critics = compileCritics(engine, nets, meta, c, added);
  const actor = compileActor(engine, nets, meta, c, added);
  // compiled in any case: its optimiser is part of a saved state
  const updateTemperature = nets.temperature.compile(c.autoTemperature.kind === 'on' ? c.autoTemperature.loss : 'log');
  const targetUpdate = target === undefined ? undefined : engine.polyak(target, critic);
  const streams = { ...ac.streamsOf(rng), drawing: rng.split('noise') };
  const { exploring, replaying, drawing } = streams;
  const also = added.places();
  const actions = createBoxActions(meta, batch);
  const { unit } = actions;
  const means = new RowMeans<string>(['criticLoss', 'actorLoss', 'qMean', 'entropy', 'gradNorm', ...added.reported]);
  const counters = { step: 0, updates: 0, alpha: c.temperature };

  /** Policy and temperature, from the observations that the critics learned from. */
  async function updateActor(): Promise<void> {
    actor.in.obs.set(critics.in.obs);
    ac.fillUniform(drawing, actor.in.uniform);
    if (actor.in.draws !== undefined) draws?.climb.fill(drawing, actor.in.draws);
    also.sampled?.('actor', actor.in);
    const pending = descend(actor, c.lr);
    if (pending) await pending;
    const logProb = actor.out.logProb[0]!;
    means.add('actorLoss', actor.out.loss[0]!);
    means.add('entropy', -logProb);
    also.afterUpdate?.('actor', actor.out);
    if (c.autoTemperature.kind === 'off') return;
    counters.alpha = await updateTemperature(logProb, c.autoTemperature.target ?? -meta.actionSize, c.criticLr);
  }

  return {
    store,
    state: { counters, arrays: streams },
    extended: also,
    means,
    stored: unit,
    async copyTargets() {
      if (targetUpdate !== undefined) await updateTarget(targetUpdate, 1);
    },
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
      await also.beforeUpdate?.();
      store.sample(replaying, c.batchSize, c.gamma, critics.in, also.sampledRow);
      ac.fillUniform(drawing, critics.in.uniform);
      if (critics.in.draws !== undefined) draws?.learn.fill(drawing, critics.in.draws);
      also.sampled?.('critics', critics.in);
      const pending = descend(critics, c.criticLr);
      if (pending) await pending;
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      means.addAll(added.reported, critics.out);
      also.afterUpdate?.('critics', critics.out);
      counters.updates++;
      if (counters.updates % c.actorEvery === 0) for (let j = 0; j < c.actorUpdates; j++) await updateActor();
      if (targetUpdate !== undefined) await updateTarget(targetUpdate, c.tau ?? 1);
    },
    metrics: () => ({ temperature: counters.alpha }),
    snapshot: () => saveGroups(engine, soft.groupsOf(nets)),
    policy: () => boxPolicy({ meta, compile: (rows) => soft.compilePolicy(engine, nets, meta, rows) }),
  };
}

/**
 * All of a method but its card. `layers`: the hidden layers of its actor, ReLU with torch's initialisation if missing; `check`: what it refuses
 * beside.
 */
export function softActorCritic<C extends soft.SoftConfig>(method: {
  readonly title: string;
  readonly critics: soft.BuildCritics<C>;
  readonly extensions: Extensions;
  readonly layers?: soft.Build<C>['layers'];
  check?(meta: EnvMeta, config: C): void;
}): Omit<AlgoDef<C>, 'spec'> {
  const { title, critics, extensions: all, layers = () => ({ act: 'relu', init: 'torch' }), check } = method;
  const build: soft.Build<C> = { critics, layers };
  return {
    fits(meta, c) {
      checkBox(meta, title, c.bufferSize);
      check?.(meta, c);
    },

    train: (run, resume) => trainReplayed(run, resume, (engine, env, extended) => learner(run, engine, env, build, extended), all),

    async policy({ config: c, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const { parts } = await all.begin(c, { engine, meta });
      const nets = soft.networks(engine, meta, c, Rng.from(0), build, parts);
      loadGroups(engine, soft.groupsOf(nets), saved);
      return boxPolicy({ meta, compile: (rows) => soft.compilePolicy(engine, nets, meta, rows), dispose: () => engine.dispose() });
    },

    benchmark({ config: c, meta, engine }) {
      const nets = soft.networks(engine, meta, c, Rng.from(0), build);
      const critics = compileCritics(engine, nets, meta, c);
      const actor = compileActor(engine, nets, meta, c);
      return {
        run() {
          const first = critics.run();
          return first === undefined ? actor.run() : first.then(() => actor.run());
        },
      };
    },
  };
}

export const sac = defineAlgo<Config>({
  spec: {
    id: 'sac',
    version: 2,
    changes: [livingRows(2)],
    title: 'SAC',
    summary: 'Learns continuous actions from replayed transitions, with a reward for entropy.',
    source: {
      title: 'Soft Actor-Critic Algorithms and Applications',
      authors: 'Haarnoja et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1812.05905',
    },
    config,
    extensions,
    presets: [
      {
        id: 'cleanrl',
        title: 'CleanRL sac_continuous_action.py',
        config: { criticLr: 1e-3, learningStarts: 5000, actorEvery: 2, actorUpdates: 2, autoTemperature: { loss: 'exp' }, logStd: 'tanh' },
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
          autoTemperature: 'off',
          temperature: 0.2,
        },
      },
      {
        id: 'pendulum',
        title: 'RL Zoo settings for Pendulum (20,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3 },
      },
      {
        id: 'lunar-lander',
        title: 'RL Zoo settings for LunarLanderContinuous (500,000 steps), step size fixed',
        config: ZOO_LUNAR_LANDER_SAC,
      },
      {
        id: 'bipedal-walker',
        title: 'RL Zoo settings for BipedalWalker (500,000 steps), without state-dependent noise',
        config: ZOO_BIPEDAL_WALKER_SAC,
      },
      { id: 'drone-hover', title: 'Drone hover, one speed for all motors (30,000 steps)', config: { hidden: [64, 64] } },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] },
      },
      {
        id: 'hindsight',
        title: 'Hindsight goals: RL Zoo settings for FetchReach, 64-64 (10,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3, gamma: 0.95, learningStarts: 1000, hidden: [64, 64], hindsight: { kind: 'on' } },
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
    probes: ac.boxProbes,
    probeConfig: ac.probeConfig,
    metrics: ac.sacMetrics,
  },

  ...softActorCritic<Config>({ title: 'SAC', critics, layers: ac.layersOf, extensions }),
});
