/**
 * Teams of actor-critics on one engine (IPPO, MAPPO, HAPPO, recurrent PPO, self-play): the settings they add to PPO's, networks by
 * sharing.ts with their programs and rollouts, the update, the policy, how all of it is saved, and the loop of the methods in which every
 * network learns by itself.
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import type { Body } from '#core/nets/body.ts';
import { registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { RunningMoments, ValueNorm } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { annealed, linear } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import * as fields from '../../api/fields.ts';
import { checkBody, checkOneReward } from '../../api/guards.ts';
import { episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { Extensions } from '../../api/standing.ts';
import type { Policy, Progress, Run } from '../../api/types.ts';
import { type ParameterSharing, shareNetworks, type TeamPolicyOptions, teamPolicy } from '../sharing.ts';
import {
  type ActorWorker,
  collect,
  createCollector,
  createMemory,
  createRollout,
  type EpochOptions,
  type MinibatchSource,
  updateEpochs,
  type ValueRollout,
} from './collect.ts';
import {
  CLIP_NORMALISED,
  type CommonSettings,
  checkMinibatches,
  checkNormalised,
  checkUpdate,
  lossInputs,
  ppoLoss,
  REPORTED,
  type Settings,
  savedPacked,
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
} from './networks.ts';

export const deathEndsField = (depth: 'research' | 'stored') =>
  z.boolean().default(true).meta({
    title: 'mask dead agents (active masks)',
    description: 'Death terminates the agent’s own episode: its return ends there. Without effect where agents come back after a time-out.',
    source: 'active masks of MAPPO',
    depth,
    group: 'team',
  });
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
  deathEnds: deathEndsField('research'),
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

/** Of every kind of recurrent cell. */
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

type TeamSettings = CommonSettings & Settings<typeof teamFields>;

/** What the networks, rollouts and programs of a team are made by; read when a run begins. */
export type TeamConfig = Omit<TeamSettings, 'deathEnds' | 'advantages'> & {
  /** Dense layers if missing. */
  readonly body?: Body;
  /** Recurrent networks: minibatches are whole environments then. */
  readonly memory?: MemoryOptions;
  /** Numbers that actors are told of what others chose in the same step; none if missing. */
  readonly told?: number;
};

/** Throws LabError('incompatible' or 'config-invalid'): several rewards, no equal minibatches, or observations that cannot be normalised. */
export function checkTeam(meta: EnvMeta, c: TeamConfig, title: string): void {
  checkOneReward(meta, title);
  checkNormalised(meta, c.normaliseObs);
  checkBody(meta, c);
  if (c.shapingUntil > 0 && meta.shaped !== true) {
    throw fail('config-invalid', 'This environment gives no shaped reward.', 'Set it to 0.', 'algo.shapingUntil');
  }
  for (const { agents } of shareNetworks(meta, c.sharing).networks)
    checkMinibatches(c.envs * c.rolloutSteps * agents.length, c.minibatches);
  if (c.memory !== undefined) checkSequences(meta, c, c.memory.sequence);
}

/** Throws LabError('config-invalid') unless a rollout is whole sequences and a minibatch whole environments. */
function checkSequences(meta: EnvMeta, c: TeamConfig, sequence: number): void {
  if (c.rolloutSteps % sequence !== 0) {
    const message = `A rollout of ${c.rolloutSteps} steps is not a whole number of sequences of ${sequence}.`;
    throw fail('config-invalid', message, `Choose a divisor of ${c.rolloutSteps}.`, 'algo.memory.sequence');
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
  engine: Pick<Engine, 'group'>,
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
    return { actor, critic: createCritic(group, input, network, c, own, actor.front) };
  });
}

/** A program that acts for `rows` rows, with their values if there is a critic. */
export function compileActor(engine: Engine, actor: Actor, critic: Critic | null, rows: number) {
  return engine.compile(
    { ...actor.inputs(rows), critic: critic === null ? null : critic.inputShape(rows) },
    (x, g) => {
      const out = actor.outputs(x, g, critic !== null);
      return critic === null || actor.stateSize > 0 ? out : { ...out, value: critic.value(x.critic ?? x.obs) };
    },
    { name: 'act' },
  );
}

/** Policy and value together: rows that do not count leave the means instead of counting as 0. */
export function compilePair(
  engine: Engine,
  { actor, critic }: ActorCriticPair,
  c: Pick<TeamConfig, 'clipValue' | 'huberDelta' | 'adamEps' | 'maxGradNorm'>,
  rows: number,
) {
  return engine.compile(
    {
      ...actor.learnInputs(rows),
      ...lossInputs(rows, c.clipValue),
      critic: critic.inputShape(rows),
      policyMask: [rows],
      valueMask: [rows],
    },
    (x, g) => {
      const of = actor.evaluate(x, x.action, g);
      const average = (values: Tensor): Tensor => weightedMean(values, x.policyMask);
      const valueAverage = (values: Tensor): Tensor => weightedMean(values, x.valueMask);
      return ppoLoss(x, { ...of, value: critic.value(x.critic ?? x.obs, x) }, { average, valueAverage, huberDelta: c.huberDelta });
    },
    { minimise: 'loss', group: actor.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'learn' },
  );
}

export interface AgentLearner extends ActorWorker, MinibatchSource {
  readonly rollout: ActorWorker['rollout'];
  readonly memory: ActorWorker['memory'];
  readonly told: Float32Array;
}

/** What a team is made of once its programs are compiled. */
export interface TeamParts {
  readonly engine: Engine;
  readonly env: VectorEnv;
  readonly sharing: ParameterSharing;
  readonly pairs: readonly ActorCriticPair[];
  readonly learners: readonly AgentLearner[];
  readonly sampling: Rng;
}

/** Agents of a team that do not choose all at once, as parts of its loop (ordered-mappo.ts). */
export interface Deciding {
  /** What it keeps between updates. */
  readonly state: StateLayout;
  /** Before a rollout that begins with this environment step. */
  begin(step: number): void;
  /** All agents choose in step t of a rollout, into the rollouts of the learners and `actions`. */
  decide(t: number, actions: Actions): Promise<void>;
  /** After a rollout whose advantages are there, before the networks learn. */
  learn(options: EpochOptions, shuffling: Rng): Promise<void>;
  metrics(): Readonly<Record<string, number>>;
  snapshot(team: Saved): Promise<Saved>;
  policy(): Policy;
}

/** One network with its programs, its rollout and what it carries from update to update. */
export function openLearner(engine: Engine, pair: ActorCriticPair, c: TeamConfig): AgentLearner {
  const worker = openWorker(engine, pair, c);
  return { ...worker, learn: compilePair(engine, pair, c, worker.order.length / c.minibatches) };
}

/** The same without a program of its own to learn by. */
export function openWorker(engine: Engine, { actor, critic }: ActorCriticPair, c: TeamConfig): Omit<AgentLearner, 'learn'> {
  const { network } = actor;
  const { input } = critic;
  const rollout = createRollout(c.rolloutSteps, c.envs, network, input, actor.masked);
  const { rows } = rollout;
  const total = rollout.steps * rows;
  return {
    network,
    memory: c.memory === undefined ? null : createMemory(c.rolloutSteps, rows, actor.stateSize, c.memory.sequence),
    envOrder: Int32Array.from({ length: rows }, (_, i) => i),
    stepOrder: input.serves === 1 ? null : Int32Array.from({ length: total / input.serves }, (_, i) => i),
    rollout,
    told: new Float32Array(total * (c.told ?? 0)),
    input,
    act: compileActor(engine, actor, critic, rows),
    order: Int32Array.from({ length: total }, (_, i) => i),
    norm: c.valueNorm ? new ValueNorm() : null,
    moments: c.normaliseObs ? new RunningMoments(network.inputs) : null,
    criticMoments: c.normaliseObs && !input.own ? new RunningMoments(input.width) : null,
  };
}

/** What the loop reads anew in every iteration. */
type LoopConfig = CommonSettings & Pick<TeamSettings, 'deathEnds' | 'shapingUntil' | 'advantages'>;

/** The loop of IPPO, MAPPO and recurrent PPO: all networks act, then each learns from its own agents' rows, one after the other. */
export async function* trainTeam(
  run: Run<LoopConfig>,
  structure: TeamConfig,
  kind: CriticInputKind,
  resume: Saved | undefined,
  extensions: Extensions,
  decidingOf?: (parts: TeamParts) => Deciding,
): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const sharing = shareNetworks(meta, structure.sharing, structure.agentId);
  const pairs = buildPairs(engine, meta, sharing, structure, kind, run.rng.split('init'));
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const learners = pairs.map((pair) => openLearner(engine, pair, structure));
  const deciding = decidingOf?.({ engine, env, sharing, pairs, learners, sampling });
  const collector = createCollector(env, learners, null, sampling, deciding?.decide);
  const also = (await extensions.begin(c, { engine, meta }))
    .attach({ loop: 'team', networks: 'other', engine, meta, env, rng: run.rng, learned: [] })
    .places();
  const layouts = [
    ...learners.map(learnerState),
    { arrays: { sampling, shuffling } },
    ...also.states,
    ...(deciding ? [deciding.state] : []),
  ];
  const state = registerState({ counters: { step: 0 }, parts: { env, engine } }, ...layouts);
  const { counters } = state;
  const point = safePoint({
    state,
    engine,
    snapshot: async () => {
      const team = await snapshotOf(engine, pairs, learners);
      return deciding === undefined ? team : deciding.snapshot(team);
    },
    policy: () => deciding?.policy() ?? pairsPolicy(engine, meta, sharing, pairs, learners),
  });
  if (resume === undefined) env.reset();
  else state.load(resume);

  while (counters.step < run.steps) {
    // 1. All agents act on their own observations; critics may get more.
    deciding?.begin(counters.step);
    await collect(collector, { ...c, rewards: also.rewards, shaping: shapingAt(c.shapingUntil, run.steps, counters.step) });

    // 2. Every network learns from its own agents' rows.
    const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
    const reports: UpdateReport[] = [];
    for (const learner of learners) computeAdvantages(learner.rollout, learner.norm, c);
    await deciding?.learn({ ...c, lr }, shuffling);
    for (const learner of learners) reports.push(await updateEpochs(learner, { ...c, lr }, shuffling));
    counters.step += c.rolloutSteps * c.envs;
    const { step } = counters;
    const rollouts = learners.map(({ rollout }) => rollout);
    yield {
      step,
      metrics: { ...episodeRow(env), ...reportOf(step, reports, rollouts), learningRate: lr, ...also.metrics?.(), ...deciding?.metrics() },
      ...point,
    };
  }
}

type LearnerState = Pick<AgentLearner, 'order' | 'norm' | 'moments' | 'criticMoments' | 'memory' | 'envOrder' | 'stepOrder'> & {
  readonly network: { readonly name: string };
};

/** What a learner saves besides its parameters, by the name of its network. */
export function learnerState({
  network: { name },
  order,
  norm,
  moments,
  criticMoments,
  memory = null,
  envOrder,
  stepOrder = null,
}: LearnerState): StateLayout {
  return {
    arrays: {
      [`${name}.order`]: order,
      [`${name}.moments`]: moments,
      [`${name}.norm`]: norm,
      [`${name}.criticMoments`]: criticMoments,
      [`${name}.state`]: memory?.state ?? null,
      [`${name}.fresh`]: memory?.fresh ?? null,
      [`${name}.envOrder`]: (memory && envOrder) ?? null,
      [`${name}.stepOrder`]: stepOrder,
    },
  };
}

/** What a policy needs besides parameters. */
export type Normalisers = Pick<AgentLearner, 'moments' | 'norm'>;
type PolicyPair = { readonly actor: Actor; readonly critic: Critic | null };

const actorGroups = (pairs: readonly PolicyPair[]) => Object.fromEntries(pairs.map(({ actor }) => [actor.network.name, actor.group]));

/** The parameters of every network's group, and its normalisers. */
export function snapshotOf(engine: Engine, pairs: readonly PolicyPair[], normalisers: readonly Normalisers[]): Promise<Saved> {
  const arrays: Record<string, Float64Array> = {};
  for (const [k, { actor }] of pairs.entries()) {
    const { moments, norm } = normalisers[k]!;
    if (moments !== null) arrays[`${actor.network.name}.moments`] = moments.pack();
    if (norm !== null) arrays[`${actor.network.name}.norm`] = norm.pack();
  }
  return saveGroups(engine, actorGroups(pairs), {}, arrays);
}

/** The policy of what `snapshotOf` gave; disposing of it frees the engine. */
export function restoredPolicy(
  engine: Engine,
  meta: EnvMeta,
  sharing: ParameterSharing,
  pairs: readonly PolicyPair[],
  saved: Saved,
  feedMore?: TeamPolicyOptions['feedMore'],
): Policy {
  loadGroups(engine, actorGroups(pairs), saved);
  const normalisers = sharing.networks.map(
    ({ name, inputs }): Normalisers => ({
      moments: savedPacked(saved, `${name}.moments`, new RunningMoments(inputs)),
      norm: savedPacked(saved, `${name}.norm`, new ValueNorm()),
    }),
  );
  return pairsPolicy(engine, meta, sharing, pairs, normalisers, () => engine.dispose(), feedMore);
}

/** Values are given only where a critic sees no more than its agent: nothing else is known when a policy is asked. */
export function pairsPolicy(
  engine: Engine,
  meta: EnvMeta,
  sharing: ParameterSharing,
  pairs: readonly PolicyPair[],
  normalisers: readonly Normalisers[],
  dispose?: () => void,
  feedMore?: TeamPolicyOptions['feedMore'],
): Policy {
  return teamPolicy({
    meta,
    sharing,
    compile(k, rows) {
      const { actor, critic } = pairs[k]!;
      return compileActor(engine, actor, critic?.input.own === true ? critic : null, rows);
    },
    stateSize: pairs[0]!.actor.stateSize,
    normaliser(k) {
      const { moments } = normalisers[k]!;
      return moments && { moments, clip: CLIP_NORMALISED };
    },
    restore: (k, values) => normalisers[k]!.norm?.restore(values, values),
    ...(dispose && { dispose }),
    ...(feedMore && { feedMore }),
  });
}

/** A policy from a snapshot of trainTeam. */
export async function policyFromTeam(
  { meta, makeEngine }: { readonly meta: EnvMeta; readonly makeEngine: () => Promise<Engine> },
  c: TeamConfig,
  kind: CriticInputKind,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  return restoredPolicy(engine, meta, sharing, buildPairs(engine, meta, sharing, c, kind, Rng.from(0)), saved);
}

// The update.

export type AdvantageOptions = Pick<CommonSettings, 'gamma' | 'lambda' | 'bootstrapAtTruncation'>;

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

/** One update of the first network on zeros, at the sizes of this config: what the executor race times. */
export function timedUpdate(engine: Engine, meta: EnvMeta, c: TeamConfig, kind: CriticInputKind): { run(): Promise<void> | undefined } {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const first = buildPairs(engine, meta, sharing, c, kind, Rng.from(0))[0]!;
  const learn = compilePair(engine, first, c, (c.rolloutSteps * c.envs * first.actor.network.agents.length) / c.minibatches);
  return { run: () => learn.run() };
}
