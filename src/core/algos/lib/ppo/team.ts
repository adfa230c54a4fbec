/**
 * Teams of actor-critics on one engine (IPPO, MAPPO, HAPPO, recurrent PPO, self-play): the settings they add to PPO's, networks by
 * sharing.ts with their programs, rollouts and generators, the update, the policy, and how all of it is saved. The loop itself stands
 * in the method's file.
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import { add, mean, mul, reshape, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { gae } from '#math/gae.ts';
import { RunningMoments, standardiseWeighted, ValueNorm } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { linear } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import * as fields from '../../api/fields.ts';
import type { Policy, Run } from '../../api/types.ts';
import { type ParameterSharing, type SharingKind, shareNetworks, teamPolicy } from '../sharing.ts';
import {
  type ActorWorker,
  CLIP_NORMALISED,
  type Collector,
  createCollector,
  createMemory,
  createRollout,
  type Memory,
  type Rollout,
  type ValueRollout,
} from './collect.ts';
import {
  type EpochOptions as CommonEpochOptions,
  checkUpdate,
  clippedSurrogate,
  clippedValueError,
  minibatchEpochs,
  REPORTED,
  type RewardMix,
  rewardFields,
  type UpdateReport,
  weightedMean,
} from './common.ts';
import {
  type Actor,
  type Critic,
  type CriticInputKind,
  createActor,
  createCritic,
  createRecurrentPair,
  criticInput,
  type MemoryOptions,
  type NetworkOptions,
} from './networks.ts';

export const advantagesField = (value: 'minibatch' | 'rollout' | 'none', source: string) =>
  z.enum(['minibatch', 'rollout', 'none']).default(value).meta({
    title: 'standardise advantages',
    description: 'Per minibatch (JaxMARL), over the whole rollout (on-policy), or not at all.',
    source,
    group: 'loss',
  });
export const valueNormField = (value: boolean, source: string) =>
  z.boolean().default(value).meta({
    title: 'normalise values',
    description: 'The critic learns returns standardised by their running mean and standard deviation.',
    source,
    group: 'normalisation',
  });
export const huberDeltaField = (value: number | null, source: string) =>
  z.number().gt(0).max(1000).nullable().default(value).meta({
    title: 'Huber delta',
    description: 'Value errors beyond this count linearly; empty: squared loss.',
    empty: 'squared loss',
    source,
    depth: 'research',
    group: 'loss',
  });

/** Settings of the team methods, beside PPO's own (common.ts). */
export const teamFields = {
  sharing: fields.sharing(),
  agentId: fields.agentId(),
  ...rewardFields,
  deathEnds: z.boolean().default(true).meta({
    title: 'mask dead agents (active masks)',
    description: 'Death terminates the agent’s own episode: its return ends there. Without effect where agents come back after a time-out.',
    source: 'active masks of MAPPO',
    depth: 'research',
    group: 'team',
  }),
  shapingUntil: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({
      title: 'shaped-reward annealing fraction',
      description: 'Share of the budget over which the environment’s shaped reward is annealed to 0; 0: never used.',
      source: 'Carroll et al. 2019',
      slider: [0, 1],
      group: 'team',
    }),
  advantages: advantagesField('minibatch', 'JaxMARL'),
  valueNorm: valueNormField(false, 'MAPPO (ValueNorm)'),
  huberDelta: huberDeltaField(null, '10 in MAPPO'),
  layerNorm: fields.layerNorm(false, 'on in MAPPO'),
};

/** Of a recurrent network, beside its kind of cell. */
export const memoryFields = {
  units: z
    .int()
    .min(1)
    .max(1024)
    .default(64)
    .meta({
      title: 'recurrent units',
      unit: 'units',
      description: 'Size of the cell.',
      source: '64 in MAPPO',
      slider: [16, 256],
      group: 'network',
    }),
  sequence: z
    .int()
    .min(1)
    .max(64)
    .default(16)
    .meta({
      title: 'sequence length',
      unit: 'steps',
      description: 'Steps of backpropagation through time; it divides the rollout.',
      source: '10 in MAPPO',
      slider: [4, 32],
      group: 'rollout',
    }),
};

export interface TeamConfig extends NetworkOptions, ObjectiveOptions, RewardMix {
  readonly sharing: SharingKind;
  readonly agentId: boolean;
  readonly envs: number;
  readonly rolloutSteps: number;
  readonly minibatches: number;
  readonly maxGradNorm: number;
  readonly adamEps: number;
  readonly normaliseObs: boolean;
  readonly valueNorm: boolean;
  readonly shapingUntil: number;
  /** Recurrent networks: minibatches are whole environments then. */
  readonly memory?: MemoryOptions;
}

/** Throws LabError('incompatible' or 'config-invalid'): several rewards, no equal minibatches, or observations that cannot be normalised. */
export function checkTeam(meta: EnvMeta, c: TeamConfig, title: string): void {
  if (meta.rewards.length > 1) {
    const names = meta.rewards.join(', ');
    throw fail('incompatible', `${title} needs one reward; this environment gives ${names}.`, 'Choose another environment.', 'env.id');
  }
  if (c.normaliseObs && meta.agents.some((group) => group.obs.kind !== 'box')) {
    throw fail(
      'config-invalid',
      'One-hot codes and numbered states cannot be normalised.',
      'Set normaliseObs to false.',
      'algo.normaliseObs',
    );
  }
  if (c.shapingUntil > 0 && meta.shaped !== true) {
    throw fail('config-invalid', 'This environment gives no shaped reward.', 'Set it to 0.', 'algo.shapingUntil');
  }
  for (const { agents } of shareNetworks(meta, c.sharing).networks) {
    const rows = c.envs * c.rolloutSteps * agents.length;
    if (rows % c.minibatches === 0) continue;
    throw fail(
      'config-invalid',
      `A rollout of ${rows} rows cannot be split into ${c.minibatches} equal minibatches.`,
      `Choose minibatches that divide ${rows}.`,
      'algo.minibatches',
    );
  }
  if (c.memory !== undefined) checkSequences(meta, c, c.memory.sequence);
}

/** Throws LabError('config-invalid') unless a rollout is whole sequences and a minibatch whole environments. */
function checkSequences(meta: EnvMeta, c: TeamConfig, sequence: number): void {
  if (c.rolloutSteps % sequence !== 0) {
    const message = `A rollout of ${c.rolloutSteps} steps is not a whole number of sequences of ${sequence}.`;
    throw fail('config-invalid', message, `Choose a divisor of ${c.rolloutSteps}.`, 'algo.sequence');
  }
  for (const { agents } of shareNetworks(meta, c.sharing).networks) {
    const rows = c.envs * agents.length;
    if (rows % c.minibatches === 0) continue;
    const message = `Minibatches are whole environments here: ${rows} rows are not ${c.minibatches} equal parts.`;
    throw fail('config-invalid', message, `Choose minibatches that divide ${rows}.`, 'algo.minibatches');
  }
}

/** Weight of the shaped reward at this step: linear from 1 to 0 over the share `until` of the budget. */
export const shapingAt = (until: number, budget: number, step: number): number => (until === 0 ? 0 : linear(1, 0, until * budget, step));

export interface ActorCriticPair {
  readonly actor: Actor;
  readonly critic: Critic;
}

/** One parameter group per network, actor and critic in it. */
export function buildPairs(
  engine: Engine,
  meta: EnvMeta,
  sharing: ParameterSharing,
  c: TeamConfig,
  kind: CriticInputKind,
  rng: Rng,
): ActorCriticPair[] {
  return sharing.networks.map((network, k) => {
    const group = engine.group(network.name);
    const own = rng.split('network', k);
    const input = criticInput(meta, sharing, k, kind);
    if (c.memory !== undefined) return createRecurrentPair(group, network, input, meta.masked, c, c.memory, own);
    const actor = createActor(group, network, meta.masked, c, own);
    return { actor, critic: createCritic(group, input, network, c, own) };
  });
}

export function compileActor(engine: Engine, actor: Actor, critic: Critic | null, rows: number): Program {
  return engine.compile(
    (g) => ({
      ...actor.outputs(g, rows, critic !== null),
      ...(critic !== null && actor.stateSize === 0 && { value: critic.value(g, rows) }),
    }),
    { name: 'act' },
  );
}

export function compilePair(engine: Engine, { actor, critic }: ActorCriticPair, c: TeamConfig, rows: number): Program {
  return engine.compile((g) => jointObjective(g, actor, critic, rows, c), {
    minimise: 'loss',
    group: actor.group,
    with: adam({ eps: c.adamEps }),
    maxGradNorm: c.maxGradNorm,
    name: 'learn',
  });
}

export interface AgentLearner extends ActorWorker, MinibatchSource {
  readonly rollout: ActorWorker['rollout'];
  readonly memory: ActorWorker['memory'];
}

export interface Team {
  readonly env: VectorEnv;
  readonly engine: Engine;
  readonly learners: readonly AgentLearner[];
  readonly collector: Collector;
  readonly shuffling: Rng;
  readonly policy: Policy;
  /** All that the loop needs besides its step. */
  save(step: number): Promise<Saved>;
  snapshot(): Promise<Saved>;
}

export async function openTeam(run: Run<unknown>, c: TeamConfig, kind: CriticInputKind, resume: Saved | undefined): Promise<Team> {
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const pairs = buildPairs(engine, meta, sharing, c, kind, run.rng.split('init'));
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const learners = pairs.map((pair): AgentLearner => {
    const { network } = pair.actor;
    const { input } = pair.critic;
    const rollout = createRollout(c.rolloutSteps, c.envs, network, input, pair.actor.masked);
    const total = rollout.steps * rollout.rows;
    const { rows } = rollout;
    const memory = c.memory === undefined ? null : createMemory(c.rolloutSteps, rows, pair.actor.stateSize, c.memory.sequence);
    return {
      network,
      memory,
      envOrder: Int32Array.from({ length: rows }, (_, i) => i),
      rollout,
      input,
      act: compileActor(engine, pair.actor, pair.critic, rows),
      learn: compilePair(engine, pair, c, total / c.minibatches),
      order: Int32Array.from({ length: total }, (_, i) => i),
      norm: c.valueNorm ? new ValueNorm() : null,
      moments: c.normaliseObs ? new RunningMoments(network.inputs) : null,
      criticMoments: c.normaliseObs && !input.own ? new RunningMoments(input.width) : null,
    };
  });
  if (resume === undefined) env.reset();
  else {
    env.load(partOf(resume, 'env'));
    engine.load(partOf(resume, 'engine'));
    restoreRng(sampling, resume.arrays.sampling);
    restoreRng(shuffling, resume.arrays.shuffling);
    for (const learner of learners) loadLearner(learner, resume);
  }
  return {
    env,
    engine,
    learners,
    collector: createCollector(env, learners, null, sampling),
    shuffling,
    policy: pairsPolicy(engine, meta, sharing, pairs, (k) => learners[k]!),
    async save(step) {
      const arrays = Object.assign({}, ...learners.map(learnerArrays)) as Saved['arrays'];
      const generators = { sampling: sampling.state.slice(), shuffling: shuffling.state.slice() };
      return joinSaved({ step }, { env: env.save(), engine: await engine.save() }, { ...arrays, ...generators });
    },
    snapshot: () => snapshotOf(engine, learners, pairs),
  };
}

type LearnerState = Pick<AgentLearner, 'order' | 'norm' | 'moments' | 'criticMoments' | 'memory' | 'envOrder'> & {
  readonly network: { readonly name: string };
};

/** Arrays that a learner saves besides its parameters, by the name of its network. */
export function learnerArrays({ network: { name }, order, norm, moments, criticMoments, memory, envOrder }: LearnerState): Saved['arrays'] {
  return {
    [`${name}.order`]: order.slice(),
    ...normaliserArrays(name, { moments, norm }),
    ...(criticMoments && { [`${name}.criticMoments`]: criticMoments.pack() }),
    ...(memory && {
      [`${name}.state`]: memory.state.slice(),
      [`${name}.fresh`]: memory.fresh.slice(),
      ...(envOrder && { [`${name}.envOrder`]: envOrder.slice() }),
    }),
  };
}
export function loadLearner(
  { network: { name }, order, norm, moments, criticMoments, memory, envOrder }: LearnerState,
  { arrays }: Saved,
): void {
  order.set(arrays[`${name}.order`] as Int32Array);
  norm?.unpack(arrays[`${name}.norm`] as Float64Array);
  moments?.unpack(arrays[`${name}.moments`] as Float64Array);
  criticMoments?.unpack(arrays[`${name}.criticMoments`] as Float64Array);
  memory?.state.set(arrays[`${name}.state`] as Float32Array);
  memory?.fresh.set(arrays[`${name}.fresh`] as Uint8Array);
  if (memory) envOrder?.set(arrays[`${name}.envOrder`] as Int32Array);
}

async function snapshotOf(engine: Engine, learners: readonly AgentLearner[], pairs: readonly ActorCriticPair[]): Promise<Saved> {
  const parts: Record<string, Saved> = {};
  let arrays: Saved['arrays'] = {};
  for (const [k, learner] of learners.entries()) {
    const { name } = learner.network;
    parts[name] = await readParams(engine, pairs[k]!.actor.group);
    arrays = { ...arrays, ...normaliserArrays(name, learner) };
  }
  return joinSaved({}, parts, arrays);
}

/** What a policy needs besides parameters. */
export type Normalisers = Pick<AgentLearner, 'moments' | 'norm'>;

export function normaliserArrays(name: string, { moments, norm }: Normalisers): Saved['arrays'] {
  return { ...(moments && { [`${name}.moments`]: moments.pack() }), ...(norm && { [`${name}.norm`]: norm.pack() }) };
}
export function loadNormalisers(name: string, inputs: number, { arrays }: Saved): Normalisers {
  const [mean, spread] = [arrays[`${name}.moments`], arrays[`${name}.norm`]];
  const moments = mean === undefined ? null : new RunningMoments(inputs);
  moments?.unpack(mean as Float64Array);
  const norm = spread === undefined ? null : new ValueNorm();
  norm?.unpack(spread as Float64Array);
  return { moments, norm };
}

/** Values are given only where a critic sees no more than its agent: nothing else is known when a policy is asked. */
export function pairsPolicy(
  engine: Engine,
  meta: EnvMeta,
  sharing: ParameterSharing,
  pairs: readonly { readonly actor: Actor; readonly critic: Critic | null }[],
  kept: (k: number) => Normalisers,
  dispose?: () => void,
): Policy {
  return teamPolicy({
    meta,
    sharing,
    compile(k, rows) {
      const { actor, critic } = pairs[k]!;
      return compileActor(engine, actor, critic?.input.own === true ? critic : null, rows);
    },
    stateSize: pairs[0]!.actor.stateSize,
    prepare: (k, rows) => kept(k).moments?.normalise(rows, rows, CLIP_NORMALISED),
    restore: (k, values) => kept(k).norm?.restore(values, values),
    ...(dispose && { dispose }),
  });
}

/** A policy from a snapshot of openTeam. */
export async function policyFromTeam(
  context: { readonly meta: EnvMeta; readonly makeEngine: () => Promise<Engine> },
  c: TeamConfig,
  kind: CriticInputKind,
  saved: Saved,
  rng: Rng,
): Promise<Policy> {
  const { meta } = context;
  const engine = await context.makeEngine();
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const pairs = buildPairs(engine, meta, sharing, c, kind, rng);
  const kept = sharing.networks.map(({ name, inputs }, k): Normalisers => {
    writeParams(engine, pairs[k]!.actor.group, partOf(saved, name));
    return loadNormalisers(name, inputs, saved);
  });
  return pairsPolicy(
    engine,
    meta,
    sharing,
    pairs,
    (k) => kept[k]!,
    () => engine.dispose(),
  );
}

// The update.

export interface AdvantageOptions {
  readonly gamma: number;
  readonly lambda: number;
  readonly bootstrapAtTruncation: boolean;
}

/** GAE advantages, value targets, and these in the critic's own numbers, into `rollout`. ValueNorm sees each rollout once, not once per minibatch. */
export function computeAdvantages(rollout: ValueRollout, norm: ValueNorm | null, options: AdvantageOptions): void {
  gae({ ...rollout, ...options }, rollout.advantages, rollout.targets);
  if (norm === null) {
    rollout.goals.set(rollout.targets);
    return;
  }
  norm.update(rollout.targets);
  norm.normalise(rollout.targets, rollout.goals);
}

export interface ObjectiveOptions {
  readonly clipValue: boolean;
  readonly huberDelta: number | null;
}

type Terms = { readonly [name: string]: Tensor };

/** Over M rows: inputs obs, action, oldLogProb, advantage, policyMask and the scalars clip, entropyCoef; `factor` for HAPPO. */
export function policyObjective(g: Graph, actor: Actor, rows: number, factored = false): Terms & { readonly loss: Tensor } {
  const row = (name: string): Tensor => g.input(name, [rows]);
  const { logProb, entropy } = actor.evaluate(g, rows);
  const mask = row('policyMask');
  const average = (x: Tensor): Tensor => weightedMean(x, mask);
  const factor = factored ? row('factor') : undefined;
  const policy = clippedSurrogate(logProb, row('oldLogProb'), row('advantage'), g.input('clip', [1]), average, factor);
  const bonus = average(entropy);
  const loss = reshape(sub(policy.loss, mul(g.input('entropyCoef', [1]), bonus)), []);
  return { loss, policyLoss: policy.loss, entropy: bonus, approxKl: policy.kl, clipFraction: policy.clipFraction };
}

/** Over M rows: inputs obs or critic, goal, valueMask, oldValue if clipped, and the scalar clip. */
export function valueObjective(g: Graph, critic: Critic, rows: number, options: ObjectiveOptions): Tensor {
  const row = (name: string): Tensor => g.input(name, [rows]);
  const clip = options.clipValue ? g.input('clip', [1]) : null;
  const value = critic.value(g, rows);
  const error = clippedValueError(value, clip === null ? value : row('oldValue'), row('goal'), clip, options.huberDelta);
  return weightedMean(error, row('valueMask'));
}

/** Policy and value together; also the scalar valueCoef. */
export function jointObjective(g: Graph, actor: Actor, critic: Critic, rows: number, options: ObjectiveOptions): Terms {
  const policy = policyObjective(g, actor, rows);
  const valueLoss = valueObjective(g, critic, rows, options);
  return { ...policy, valueLoss, loss: reshape(add(policy.loss, mul(g.input('valueCoef', [1]), mean(valueLoss))), []) };
}

export interface EpochOptions extends CommonEpochOptions {
  readonly advantages: 'minibatch' | 'rollout' | 'none';
}

/** What minibatches are drawn from; the inputs of `learn` decide which of it they hold. */
export interface MinibatchSource {
  readonly learn: Program;
  readonly rollout: ValueRollout & Partial<Rollout>;
  readonly order: Int32Array; // [T * R] a permutation, kept between updates
  /** Recurrent: the states of the rollout, and a permutation of the rows, kept between updates. */
  readonly memory?: Memory | null;
  readonly envOrder?: Int32Array; // [R]
  /** HAPPO. [T, R] */
  readonly factor?: Float32Array;
}

/** Epochs of shuffled minibatches on one rollout; recurrent networks get whole environments in time order. */
export async function updateEpochs(source: MinibatchSource, options: EpochOptions, shuffling: Rng): Promise<UpdateReport> {
  const { learn, rollout, order, factor, memory, envOrder } = source;
  const { advantages: how, minibatches } = options;
  const feed = learn.in;
  const size = order.length / minibatches;
  const advantages = how === 'rollout' ? new Float32Array(order.length) : rollout.advantages;
  if (how === 'rollout') standardiseWeighted(rollout.advantages, rollout.policyMask ?? rollout.valueMask, 1e-5, advantages);
  const arrays: { readonly [input: string]: Float32Array | undefined } = {
    obs: rollout.obs,
    critic: rollout.critic,
    mask: rollout.masks,
    action: rollout.actions,
    oldLogProb: rollout.logProbs,
    policyMask: rollout.policyMask,
    advantage: advantages,
    factor,
    goal: rollout.goals,
    oldValue: rollout.outputs,
    valueMask: rollout.valueMask,
    starts: memory?.starts,
  };
  const gathered: { readonly name: string; readonly array: Float32Array }[] = [];
  for (const [name, array] of Object.entries(arrays)) {
    if (feed[name] === undefined || array === undefined) continue;
    // Masks of ones are the same in every minibatch.
    if ((name === 'policyMask' || name === 'valueMask') && array.every((w) => w === 1)) feed[name]!.fill(1);
    else gathered.push({ name, array });
  }
  const begins = new Int32Array(memory ? order.length / memory.sequence : 0);
  const shuffle = (): void => {
    if (memory && envOrder) {
      shuffling.shuffle(envOrder);
      arrangeSequences(envOrder, rollout.steps, memory.sequence, minibatches, order, begins);
    } else shuffling.shuffle(order);
  };
  return minibatchEpochs(learn, size, options, shuffle, (from) => {
    for (const { name, array } of gathered) {
      const into = feed[name]!;
      gatherRows(order, from, size, array, into.length / size, into);
    }
    if (memory) gatherRows(begins, from / memory.sequence, size / memory.sequence, memory.states, memory.size, feed.state!);
    if (how === 'minibatch' && feed.advantage !== undefined) standardiseWeighted(feed.advantage, feed.policyMask!, 1e-8, feed.advantage);
  });
}

/**
 * Fills `order` (rows of [T, R]) so that each of `parts` minibatches is [L, S]: whole environments, cut into sequences. `rows` [R]
 * is the order of environments; `begins` [T / L * R] gets each sequence's index in `states`.
 */
export function arrangeSequences(
  rows: Int32Array,
  steps: number,
  sequence: number,
  parts: number,
  order: Int32Array,
  begins: Int32Array,
): void {
  const R = rows.length;
  const chunks = steps / sequence;
  const own = R / parts; // environments of a minibatch
  const many = own * chunks; // sequences of a minibatch
  for (let part = 0; part < parts; part++) {
    for (let s = 0; s < many; s++) {
      const row = rows[part * own + (s % own)]!;
      const chunk = Math.floor(s / own);
      begins[part * many + s] = chunk * R + row;
      for (let l = 0; l < sequence; l++) order[part * many * sequence + l * many + s] = (chunk * sequence + l) * R + row;
    }
  }
}

/** Means over networks, and the mean explained variance of their rollouts. Throws LabError('nan-loss'). */
export function reportOf(step: number, reports: readonly UpdateReport[], rollouts: readonly ValueRollout[]): Record<string, number> {
  const row: Record<string, number> = {};
  for (const name of REPORTED) {
    const found = reports.flatMap((report) => report[name] ?? []);
    if (found.length > 0) row[name] = found.reduce((a, b) => a + b, 0) / found.length;
  }
  checkUpdate(step, row);
  const explained = rollouts.map((rollout) => explainedVariance(rollout.values, rollout.targets));
  row.explainedVariance = explained.reduce((a, b) => a + b, 0) / explained.length;
  return row;
}

/** Every network learns from its own agents' rows, one after the other; means of their reports. `step`: environment steps by then. */
export async function updateEach(
  { learners, shuffling }: Team,
  step: number,
  c: AdvantageOptions & EpochOptions,
): Promise<Record<string, number>> {
  const reports: UpdateReport[] = [];
  for (const learner of learners) {
    computeAdvantages(learner.rollout, learner.norm, c);
    reports.push(await updateEpochs(learner, c, shuffling));
  }
  return reportOf(
    step,
    reports,
    learners.map(({ rollout }) => rollout),
  );
}

/** One update of the first network on zeros, at the sizes of this config: what the executor race times. */
export function timedUpdate(engine: Engine, meta: EnvMeta, c: TeamConfig, kind: CriticInputKind): { run(): Promise<void> | undefined } {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const [first] = buildPairs(engine, meta, sharing, c, kind, Rng.from(0));
  const rows = (c.rolloutSteps * c.envs * first!.actor.network.agents.length) / c.minibatches;
  const learn = compilePair(engine, first!, c, rows);
  return { run: () => learn.run() };
}
