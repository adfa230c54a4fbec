/**
 * What soft actor-critics share, whatever their critics are: settings, the squashed Gaussian policy, the temperature, programs and learner.
 *   J(pi) = mean[alpha ln pi(a | s) - Q(s, a)],  a = tanh(mean + std noise);  Q is what the method's critics say of an action
 *   J(alpha): actor-critic.ts
 * Per update: one step of the critics, then, every actorEvery updates, steps of the policy and the temperature on the same observations, then the
 * target critics, if there are any, move by tau. With hindsight, drawn transitions get goals that were reached later (lib/replay/hindsight.ts). A method gives its critics (SoftCritics) and how to build them.
 */
import { z } from 'zod';
import { type Activation, add, mean, mul, split, sub, tanh } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Optimiser, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { type MlpOptions, mlp, type Net } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import * as fn from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';
import { RowMeans } from '../../api/metrics.ts';
import type { AlgoDef, Run } from '../../api/types.ts';
import { boxOf, boxPolicy, checkBox, createBoxActions } from '../../lib/box.ts';
import { headOf, ofTask, type Told, toldTasks } from '../../lib/continual/heads.ts';
import { PackedMasks } from '../../lib/continual/packed-masks.ts';
import { headsOf, type PolicyForgetting, packedOf } from '../../lib/continual/settings.ts';
import { checkHindsight, hindsightField, hindsightOf } from '../../lib/replay/hindsight.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../../lib/replay/transitions.ts';
import * as ac from './actor-critic.ts';
import { type SoftRemedies, softRemedies } from './remedies.ts';

/** Defaults that methods differ in. */
interface Own {
  readonly lr?: number;
  readonly actorEvery?: number;
  readonly gradientSteps?: number;
  readonly learningStarts?: number;
  readonly hidden?: { readonly units: readonly number[]; readonly source: string };
}

/** Settings of a soft actor-critic; Stable-Baselines3's values but for those given. */
export const softFields = (source: string, own: Own = {}) => ({
  lr: fields.lr(own.lr ?? 3e-4, source, { description: 'Step size of Adam for the policy.' }),
  criticLr: fields.lr(own.lr ?? 3e-4, source, {
    title: 'critic learning rate',
    description: 'Step size of Adam for the critics and the temperature.',
  }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source, { live: true }),
  autoTemperature: variant(
    'on',
    [
      kind('off', {}),
      kind('on', {
        target: z.number().min(-100).max(100).nullable().default(null).meta({
          title: 'target entropy',
          unit: 'nats',
          description: 'Entropy that the policy is kept near, in the units of the actions; empty: minus the number of action dimensions.',
          source,
          group: 'entropy',
        }),
        loss: z.enum(['log', 'exp']).default('log').meta({
          title: 'temperature loss',
          description:
            'ln alpha times the gap (Stable-Baselines3) or alpha times the gap (CleanRL): the same fixed point at another speed.',
          source,
          depth: 'research',
          group: 'entropy',
        }),
      }),
    ],
    ac.automaticTemperature(source),
  ),
  temperature: ac.temperatureField(source),
  logStd: z.enum(['clamp', 'tanh']).default('clamp').meta({
    title: 'log std',
    description: 'Clipped to [-20, 2], or bent into [-5, 2] by a tanh as CleanRL does.',
    source,
    depth: 'research',
    group: 'network',
  }),
  actorEvery: fields.integer(own.actorEvery ?? 1, {
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
  ...fields.replay(source, { batchSize: 256, learningStarts: own.learningStarts ?? 100, gradientSteps: own.gradientSteps ?? 1 }),
  hindsight: hindsightField(),
  hidden: fields.hidden(own.hidden?.units ?? [256, 256], own.hidden?.source ?? source, {
    description: 'Units of each layer, in actor and critics; ReLU between them.',
  }),
});
type Settings = z.infer<z.ZodObject<ReturnType<typeof softFields>>>;
/** `tau` only where there are target critics, `forgetting` where something may be done against it. */
export type SoftConfig = Omit<Settings, 'tau'> &
  Partial<Pick<Settings, 'tau'>> & { readonly forgetting?: PolicyForgetting; readonly activation?: Activation };

/** A minibatch as the critics see it: rows [M], observations encoded, the next action drawn from the policy. */
export interface SoftBatch {
  readonly features: Tensor;
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
  readonly nextFeatures: Tensor;
  readonly nextAction: Tensor;
  readonly nextLogProb: Tensor;
  readonly alpha: Tensor;
  /** Numbers of `draws.learn`, if there are any. */
  readonly draws: Tensor | undefined;
}

/** Random numbers that critics need for one run of a program. */
interface Draws {
  readonly size: number;
  fill(rng: Rng, into: Float32Array): void;
}

export interface SoftCritics {
  /** What Adam moves. */
  readonly critic: ParamGroup;
  /** Follows it by tau, parameter by parameter; missing: there is none. */
  readonly target?: ParamGroup;
  /** What else a policy needs of them. */
  readonly kept?: { readonly [part: string]: ParamGroup };
  /** Of critics and policy; Adam with its usual settings if missing. */
  readonly optimiser?: Optimiser;
  /** Of the critics, and the mean predicted value of the replayed actions. */
  learn(batch: SoftBatch): { readonly loss: Tensor; readonly qMean: Tensor };
  /** Value [M] that the policy climbs; `draws`: numbers of `draws.climb`. */
  climb(features: Tensor, action: Tensor, draws: Tensor | undefined): Tensor;
  /** Both values [rows], and which weights belong to which task where they are packed: of methods with `forgetting`. */
  both?(features: Tensor, action: Tensor): readonly [Tensor, Tensor];
  readonly packed?: PackedMasks | null;
  /** Value [rows] that is shown beside a policy's action. */
  value(features: Tensor, action: Tensor): Tensor;
  readonly draws?: { readonly learn: Draws; readonly climb: Draws };
}

/** Builds critics over `inputs` numbers, those of state and action side by side. Groups: `critic` and `target`. */
type BuildCritics<C> = (engine: Engine, rng: Rng, inputs: number, config: C, meta: EnvMeta) => SoftCritics;

const NOTHING: PolicyForgetting = { kind: 'none' };

/** The outputs of the task that each row is told: of its own head, or by its own weights where they are packed. */
export function inTasks(
  net: Net,
  told: Told,
  masks: { readonly packed: PackedMasks; readonly params: ParamGroup['params'] } | null,
  seenOf: (inputs: Tensor) => Tensor = (inputs) => inputs,
): Net {
  if (masks === null) return (inputs) => headOf(net(inputs), seenOf(inputs), told);
  const { packed, params } = masks;
  return (inputs) =>
    ofTask(
      seenOf(inputs),
      told,
      told.codes.map((_, k) => packed.inTask(inputs.graph, k, () => net(inputs), params)),
    );
}

/** How a method builds its networks: its critics, and the hidden layers of its actor. */
interface Build<C> {
  readonly critics: BuildCritics<C>;
  readonly layers: (config: C) => MlpOptions;
}

function networks<C extends SoftConfig>(engine: Engine, meta: EnvMeta, c: C, rng: Rng, build: Build<C>) {
  const space = meta.agents[0]!.obs;
  const D = meta.actionSize;
  const inputs = encodedSize(space);
  const actor = engine.group('actor');
  const forgetting = c.forgetting ?? NOTHING;
  const told = headsOf(forgetting) || packedOf(forgetting) !== null ? toldTasks(meta) : null;
  const heads = headsOf(forgetting) && told !== null ? told.codes.length : 1;
  const net = mlp(actor, 'actor', rng, [inputs, ...c.hidden, 2 * D * heads], build.layers(c));
  const critics = build.critics(engine, rng, inputs + D, c, meta);
  const packed = packedOf(forgetting) === null || told === null ? null : new PackedMasks(engine, actor, told.codes.length);
  const body = told === null ? net : inTasks(net, told, packed === null ? null : { packed, params: actor.params });
  return {
    actor,
    critics,
    packed,
    temperature: ac.temperature(engine, c.temperature),
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

/** What a snapshot holds. */
const groupsOf = ({ actor, critics, packed }: Networks) => ({
  actor,
  critic: critics.critic,
  ...critics.kept,
  ...(packed && { packed: packed.group }),
  ...(critics.packed && { packedCritic: critics.packed.group }),
});

const shapeOf = (draws: Draws | undefined): Shape | null => (draws === undefined || draws.size === 0 ? null : [draws.size]);

function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => nets.gaussian(nets.features(g, obs)), { name: 'act' });
}

/** With the critics' value of the best action. */
function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize] },
    ({ obs }, g) => {
      const features = nets.features(g, obs);
      const out = nets.gaussian(features);
      return { ...out, value: nets.critics.value(features, tanh(out.mean)) };
    },
    { name: 'policy' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: SoftConfig, remedies: SoftRemedies | null = null) {
  const M = c.batchSize;
  const { obsSize: O, actionSize: D } = meta;
  const inputs = { obs: [M, O], action: [M, D], reward: [M], discount: [M], nextObs: [M, O], uniform: ac.uniformShape(M, D) };
  return engine.compile(
    { ...inputs, draws: shapeOf(nets.critics.draws?.learn), ...remedies?.inputs() },
    (x, g) => {
      const nextFeatures = nets.features(g, x.nextObs);
      const out = nets.gaussian(nextFeatures);
      const noise = ac.gaussianNoise(x.uniform, M, D);
      const { action: nextAction, logProb } = ac.scaledSquashedGaussian(out.mean, out.logStd, noise, nets.half(g));
      const features = nets.features(g, x.obs);
      const terms: { readonly loss: Tensor; readonly qMean: Tensor; readonly penalty?: Tensor } = nets.critics.learn({
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
      const penalty = remedies?.ofCritics(x, g, features, x.action) ?? null;
      return penalty === null ? terms : { ...terms, loss: add(terms.loss, penalty), penalty };
    },
    { minimise: 'loss', group: nets.critics.critic, with: nets.critics.optimiser ?? adam(), name: 'critics' },
  );
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: SoftConfig, remedies: SoftRemedies | null = null) {
  const M = c.batchSize;
  const D = meta.actionSize;
  return engine.compile(
    { obs: [M, meta.obsSize], uniform: ac.uniformShape(M, D), draws: shapeOf(nets.critics.draws?.climb), ...remedies?.inputs() },
    (x, g) => {
      const features = nets.features(g, x.obs);
      const out = nets.gaussian(features);
      const noise = ac.gaussianNoise(x.uniform, M, D);
      const { action, logProb } = ac.scaledSquashedGaussian(out.mean, out.logStd, noise, nets.half(g));
      const value = nets.critics.climb(features, action, x.draws);
      const loss = mean(sub(mul(logProb, nets.temperature.alpha(g)), value));
      const penalty = remedies?.ofActor(x, g, out) ?? null;
      return { loss: penalty === null ? loss : add(loss, penalty), logProb: mean(logProb) };
    },
    { minimise: 'loss', group: nets.actor, with: nets.critics.optimiser ?? adam(), name: 'actor' },
  );
}

function learner<C extends SoftConfig>(
  { config: c, meta, rng }: Run<C>,
  engine: Engine,
  { env, buffers, batch }: VectorEnv,
  build: Build<C>,
): ReplayLearner {
  const nets = networks(engine, meta, c, rng.split('init'), build);
  const { critic, target, draws } = nets.critics;
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: batch, hindsight: hindsightOf(env, c.hindsight) });
  const { both, packed = null } = nets.critics;
  const remedies =
    both === undefined
      ? null
      : softRemedies(
          engine,
          { actor: nets.actor, critic, packed: [nets.packed, packed], gaussian: nets.gaussian, both },
          meta,
          { ...c, forgetting: c.forgetting ?? NOTHING, activation: c.activation ?? 'relu' },
          store.buffer,
          rng,
        );
  const act = compileActing(engine, nets, meta, batch * meta.agentCount);
  const critics = compileCritics(engine, nets, meta, c, remedies);
  const actor = compileActor(engine, nets, meta, c, remedies);
  // compiled in any case: its optimiser is part of a saved state
  const updateTemperature = nets.temperature.compile(c.autoTemperature.kind === 'on' ? c.autoTemperature.loss : 'log');
  const targetUpdate = target === undefined ? undefined : engine.polyak(target, critic);
  const streams = { ...ac.streamsOf(rng), drawing: rng.split('noise') };
  const { exploring, replaying, drawing } = streams;
  const ending = remedies?.ending() ?? null;
  const actions = createBoxActions(meta, batch);
  const { unit } = actions;
  const means = new RowMeans([
    'criticLoss',
    'actorLoss',
    'qMean',
    'entropy',
    'gradNorm',
    ...(remedies === null ? [] : ['forgettingPenalty']),
  ]);
  const counters = { step: 0, updates: 0, alpha: c.temperature };

  /** Policy and temperature, from the observations that the critics learned from. */
  async function updateActor(): Promise<void> {
    actor.in.obs.set(critics.in.obs);
    if (critics.in.kept !== undefined) actor.in.kept?.set(critics.in.kept);
    if (critics.in.again !== undefined) actor.in.again?.set(critics.in.again);
    ac.fillUniform(drawing, actor.in.uniform);
    if (actor.in.draws !== undefined) draws?.climb.fill(drawing, actor.in.draws);
    const pending = descend(actor, c.lr);
    if (pending) await pending;
    const logProb = actor.out.logProb[0]!;
    means.add('actorLoss', actor.out.loss[0]!);
    means.add('entropy', -logProb);
    if (c.autoTemperature.kind === 'off') return;
    counters.alpha = await updateTemperature(logProb, c.autoTemperature.target ?? -meta.actionSize, c.criticLr);
  }

  return {
    store,
    state: {
      counters,
      parts: remedies?.state.parts ?? {},
      arrays: { ...streams, ...remedies?.state.arrays, resets: ending?.resetting ?? null },
    },
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
      await ending?.offer();
      store.sample(replaying, c.batchSize, c.gamma, critics.in);
      remedies?.mix(critics.in);
      ac.fillUniform(drawing, critics.in.uniform);
      if (critics.in.draws !== undefined) draws?.learn.fill(drawing, critics.in.draws);
      const pending = descend(critics, c.criticLr);
      if (pending) await pending;
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      if (critics.out.penalty !== undefined) means.add('forgettingPenalty', critics.out.penalty[0]!);
      remedies?.look(critics.out.loss[0]!);
      counters.updates++;
      if (counters.updates % c.actorEvery === 0) for (let j = 0; j < c.actorUpdates; j++) await updateActor();
      if (targetUpdate !== undefined) await updateTarget(targetUpdate, c.tau ?? 1);
    },
    afterStep: async (before) => ending?.pass(before, counters.step),
    metrics: () => ({ temperature: counters.alpha }),
    snapshot: () => saveGroups(engine, groupsOf(nets)),
    policy: () => boxPolicy({ meta, compile: (rows) => compilePolicy(engine, nets, meta, rows) }),
  };
}

/** All of a method but its card. `layers`: the hidden layers of its actor, ReLU with torch's initialisation if missing; `check`: what it refuses beside. */
export function softActorCritic<C extends SoftConfig>(
  title: string,
  critics: BuildCritics<C>,
  layers: Build<C>['layers'] = () => ({ act: 'relu', init: 'torch' }),
  check: (meta: EnvMeta, config: C) => void = () => {},
): Omit<AlgoDef<C>, 'spec'> {
  const build: Build<C> = { critics, layers };
  return {
    fits(meta, c) {
      checkBox(meta, title, c.bufferSize);
      checkHindsight(meta, c.hindsight);
      check(meta, c);
    },

    train: (run, resume) => trainReplayed(run, resume, (engine, env) => learner(run, engine, env, build)),

    async policy({ config: c, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, c, Rng.from(0), build);
      loadGroups(engine, groupsOf(nets), saved);
      return boxPolicy({ meta, compile: (rows) => compilePolicy(engine, nets, meta, rows), dispose: () => engine.dispose() });
    },

    benchmark({ config: c, meta, engine }) {
      const nets = networks(engine, meta, c, Rng.from(0), build);
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

/** Environments of a soft actor-critic's probes and trial. */
export const softProbes = [
  { on: ['pointing'], steps: 5000, atLeast: 0.93 },
  { on: ['aimedBefore'], steps: 4000, atLeast: 0.9 },
  { on: ['pointingTeam'], steps: 4000, atLeast: 0.85 },
] as const;
