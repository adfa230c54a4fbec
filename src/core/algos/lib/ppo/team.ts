/**
 * A team of actor-critics on one engine (IPPO, MAPPO): networks by sharing.ts, their programs, storage and generators, and how all
 * of it is saved. The loop itself stands in the algorithm's own file.
 */

import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Program } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { RunningMoments, ValueNorm } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { linear } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { checkFinite } from '../../api/guards.ts';
import type { Policy, Run } from '../../api/types.ts';
import { type ParameterSharing, type SharingKind, shareNetworks, teamPolicy } from '../sharing.ts';
import { type Collector, createCollector, type Player } from './collect.ts';
import { type CriticSight, criticView } from './critic-view.ts';
import { type Actor, type Critic, createActor, createCritic, type NetworkOptions } from './networks.ts';
import { createMemory, createRecurrentPair, type MemoryOptions } from './recurrent.ts';
import type { RewardMix } from './rewards.ts';
import { createRollout, type ValueTrack } from './rollout.ts';
import { type Batchwise, jointObjective, type ObjectiveOptions, type UpdateReport } from './update.ts';

const CLIP_NORMALISED = 10;

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

/** Throws LabError: several rewards, no equal minibatches, or observations that cannot be normalised. */
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
    throw fail('config-invalid', 'This environment gives no helping reward.', 'Set it to 0.', 'algo.shapingUntil');
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

/** Weight of the helping reward at this step. */
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
  sight: CriticSight,
  rng: Rng,
): ActorCriticPair[] {
  return sharing.networks.map((network, k) => {
    const group = engine.group(network.name);
    const own = rng.split('network', k);
    const view = criticView(meta, sharing, k, sight);
    if (c.memory !== undefined) return createRecurrentPair(group, network, view, meta.masked, c, c.memory, own);
    const actor = createActor(group, network, meta.masked, c, own);
    return { actor, critic: createCritic(group, view, network, c, own) };
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

export interface Member extends Player, Batchwise {
  readonly rollout: Player['rollout'];
  readonly memory: Player['memory'];
}

export interface Team {
  readonly env: VectorEnv;
  readonly engine: Engine;
  readonly members: readonly Member[];
  readonly collector: Collector;
  readonly shuffling: Rng;
  readonly policy: Policy;
  /** All that the loop needs besides its step. */
  save(step: number): Promise<Saved>;
  snapshot(): Promise<Saved>;
}

export async function openTeam(run: Run<unknown>, c: TeamConfig, sight: CriticSight, resume: Saved | undefined): Promise<Team> {
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const pairs = buildPairs(engine, meta, sharing, c, sight, run.rng.split('init'));
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const members = pairs.map((pair): Member => {
    const { network } = pair.actor;
    const { view } = pair.critic;
    const rollout = createRollout(c.rolloutSteps, c.envs, network, view, pair.actor.masked);
    const total = rollout.steps * rollout.rows;
    const { rows } = rollout;
    const memory = c.memory === undefined ? null : createMemory(c.rolloutSteps, rows, pair.actor.stateSize, c.memory.sequence);
    return {
      network,
      memory,
      envOrder: Int32Array.from({ length: rows }, (_, i) => i),
      rollout,
      view,
      act: compileActor(engine, pair.actor, pair.critic, rows),
      learn: compilePair(engine, pair, c, total / c.minibatches),
      order: Int32Array.from({ length: total }, (_, i) => i),
      norm: c.valueNorm ? new ValueNorm() : null,
      moments: c.normaliseObs ? new RunningMoments(network.inputs) : null,
      criticMoments: c.normaliseObs && !view.own ? new RunningMoments(view.width) : null,
    };
  });
  if (resume === undefined) env.reset();
  else {
    env.load(partOf(resume, 'env'));
    engine.load(partOf(resume, 'engine'));
    restoreRng(sampling, resume.arrays.sampling);
    restoreRng(shuffling, resume.arrays.shuffling);
    for (const member of members) loadMember(member, resume);
  }
  return {
    env,
    engine,
    members,
    collector: createCollector(env, members, null, sampling),
    shuffling,
    policy: pairsPolicy(engine, meta, sharing, pairs, (k) => members[k]!),
    async save(step) {
      const arrays = Object.assign({}, ...members.map(memberArrays)) as Saved['arrays'];
      const generators = { sampling: sampling.state.slice(), shuffling: shuffling.state.slice() };
      return joinSaved({ step }, { env: env.save(), engine: await engine.save() }, { ...arrays, ...generators });
    },
    snapshot: () => snapshotOf(engine, members, pairs),
  };
}

type Kept = Pick<Member, 'order' | 'norm' | 'moments' | 'criticMoments' | 'memory' | 'envOrder'> & {
  readonly network: { readonly name: string };
};

/** What a member keeps besides parameters, by name. */
export function memberArrays({ network: { name }, order, norm, moments, criticMoments, memory, envOrder }: Kept): Saved['arrays'] {
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
export function loadMember({ network: { name }, order, norm, moments, criticMoments, memory, envOrder }: Kept, { arrays }: Saved): void {
  order.set(arrays[`${name}.order`] as Int32Array);
  norm?.unpack(arrays[`${name}.norm`] as Float64Array);
  moments?.unpack(arrays[`${name}.moments`] as Float64Array);
  criticMoments?.unpack(arrays[`${name}.criticMoments`] as Float64Array);
  memory?.state.set(arrays[`${name}.state`] as Float32Array);
  memory?.fresh.set(arrays[`${name}.fresh`] as Uint8Array);
  if (memory) envOrder?.set(arrays[`${name}.envOrder`] as Int32Array);
}

async function snapshotOf(engine: Engine, members: readonly Member[], pairs: readonly ActorCriticPair[]): Promise<Saved> {
  const parts: Record<string, Saved> = {};
  let arrays: Saved['arrays'] = {};
  for (const [k, member] of members.entries()) {
    const { name } = member.network;
    parts[name] = await readParams(engine, pairs[k]!.actor.group);
    arrays = { ...arrays, ...normaliserArrays(name, member) };
  }
  return joinSaved({}, parts, arrays);
}

/** What a policy keeps besides parameters. */
export type Normalisers = Pick<Member, 'moments' | 'norm'>;

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
      return compileActor(engine, actor, critic?.view.own === true ? critic : null, rows);
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
  sight: CriticSight,
  saved: Saved,
  rng: Rng,
): Promise<Policy> {
  const { meta } = context;
  const engine = await context.makeEngine();
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const pairs = buildPairs(engine, meta, sharing, c, sight, rng);
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

const SHOWN = ['policyLoss', 'valueLoss', 'entropy', 'approxKl', 'clipFraction', 'gradNorm'] as const;
/** Means over networks, and how much of the returns' spread the values explain. Throws LabError('nan-loss'). */
export function reportOf(step: number, reports: readonly UpdateReport[], tracks: readonly ValueTrack[]): Record<string, number> {
  const row: Record<string, number> = {};
  for (const name of SHOWN) {
    const found = reports.flatMap((report) => report[name] ?? []);
    if (found.length > 0) row[name] = found.reduce((a, b) => a + b, 0) / found.length;
  }
  const { policyLoss = 0, valueLoss = 0, gradNorm = 0 } = row;
  checkFinite(step, { policyLoss, valueLoss, gradNorm });
  const explained = tracks.map((track) => explainedVariance(track.values, track.targets));
  row.explainedVariance = explained.reduce((a, b) => a + b, 0) / explained.length;
  return row;
}
