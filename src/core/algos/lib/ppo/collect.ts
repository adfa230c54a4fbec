/**
 * Rollouts of a team: T steps of every environment with the current policies. Every network acts for its own agents, in the order of
 * the networks; values come with the action where a network has a critic, or from one critic for the team. Rows of dead agents have
 * policyMask 0. With `deathEnds` and rewards of its own an agent's episode ends when it dies; else its later rewards count, and its
 * value is learned on.
 */
import type { Program, Views } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { type RunningMoments, standardiseWeighted, type ValueNorm } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { gatherAgents, gatherMasks, gatherObs, type SharedNetwork, scatterActions } from '../sharing.ts';
import {
  CLIP_NORMALISED,
  type EpochOptions as CommonEpochOptions,
  type HeadViews,
  minibatchEpochs,
  sampleActions,
  type UpdateReport,
} from './common.ts';
import type { CriticInput } from './networks.ts';

/** What a critic learns from, time-major: T steps of `rows` rows (environments x agents of the network); input null or 'own': it reads obs. */
export function createValueRollout(steps: number, rows: number, input: CriticInput | null) {
  const numbers = (): Float32Array => new Float32Array(steps * rows);
  return {
    steps, // T
    rows, // R
    critic: new Float32Array(input === null || input.own ? 0 : (steps * rows * input.width) / input.serves), // [T, R, width], or [T, B, width] of whole steps
    values: numbers(), // [T, R] in units of the reward
    outputs: numbers(), // [T, R] the critic's own numbers, which ValueNorm scales to values
    rewards: numbers(), // [T, R] mixed
    terminated: new Uint8Array(steps * rows), // [T, R]
    truncated: new Uint8Array(steps * rows), // [T, R]
    valueMask: numbers(), // [T, R] 1 where the value is learned
    finalValues: numbers(), // [T, R] where truncated
    lastValues: new Float32Array(rows), // [R]
    advantages: numbers(), // [T, R]
    targets: numbers(), // [T, R] in units of the reward
    goals: numbers(), // [T, R] the same in the critic's own numbers
  };
}
export type ValueRollout = Readonly<ReturnType<typeof createValueRollout>>;

/** What an actor and its critic learn from: `numEnvs` environments x the agents of `network`. Observations are kept as the network got them. */
export function createRollout(steps: number, numEnvs: number, network: SharedNetwork, input: CriticInput | null, masked: boolean) {
  const rows = numEnvs * network.agents.length;
  const numbers = (width = 1): Float32Array => new Float32Array(steps * rows * width);
  return {
    ...createValueRollout(steps, rows, input),
    obs: numbers(network.inputs), // [T, R, inputs]
    masks: numbers(masked ? network.choices : 0), // [T, R, choices]; empty without masks
    actions: numbers(network.actionWidth), // [T, R, D] as drawn, before any clipping
    logProbs: numbers(), // [T, R]
    policyMask: numbers(), // [T, R] 1 where the agent was alive and could act
  };
}
export type Rollout = Readonly<ReturnType<typeof createRollout>>;

/** Recurrent states of a network's rows during a rollout; `size` S numbers each, sequences of L steps. */
export function createMemory(steps: number, rows: number, size: number, sequence: number) {
  return {
    size,
    sequence,
    state: new Float32Array(rows * size), // [R, S] before the next step
    starts: new Float32Array(steps * rows), // [T, R] 1: an episode begins with this step
    states: new Float32Array((steps / sequence) * rows * size), // [T / L, R, S] before each sequence
    fresh: new Uint8Array(rows).fill(1), // [R] the next step begins an episode
  };
}
export type Memory = Readonly<ReturnType<typeof createMemory>>;

/** Before step t: the state to the program's input, and to `states` where a sequence begins. */
export function recall(memory: Memory, t: number, into: Float32Array): void {
  const { state, starts, states, fresh, sequence } = memory;
  into.set(state);
  for (let row = 0; row < fresh.length; row++) starts[t * fresh.length + row] = fresh[row]!;
  if (t % sequence === 0) states.set(state, (t / sequence) * state.length);
}

/** After a step: the states of rows whose episode is over become 0. */
export function forget({ state, fresh, size }: Memory, terminated: Uint8Array, truncated: Uint8Array, agents: number): void {
  for (let row = 0; row < fresh.length; row++) {
    const env = Math.floor(row / agents);
    fresh[row] = terminated[env]! | truncated[env]!;
    if (fresh[row] !== 0) state.fill(0, row * size, (row + 1) * size);
  }
}

/** Acts for its rows; `mask` where actions are masked, `critic` where the critic has an input of its own, `state` if it is recurrent. */
export type ActorProgram = Program<
  Views & { readonly obs: Float32Array; readonly mask: Float32Array | undefined; readonly critic: Float32Array | undefined },
  HeadViews & { readonly value?: Float32Array; readonly state?: Float32Array }
>;

/** One network that acts. */
export interface ActorWorker {
  readonly network: SharedNetwork;
  readonly rollout: Rollout;
  /** Of R rows; it gives `value` if it has a critic. */
  readonly act: ActorProgram;
  /** null: it has no critic of its own. */
  readonly input: CriticInput | null;
  readonly norm: ValueNorm | null;
  readonly moments: RunningMoments | null; // of obs rows
  readonly criticMoments: RunningMoments | null; // of critic rows
  /** Recurrent networks only. */
  readonly memory: Memory | null;
}

/** A critic that values whole environments, B rows. */
export interface TeamCritic {
  readonly rollout: ValueRollout;
  readonly act: Program<{ readonly critic: Float32Array }, { readonly value: Float32Array }>;
  readonly input: CriticInput;
  readonly norm: ValueNorm | null;
  readonly criticMoments: RunningMoments | null;
}

/** `decide`: makes all agents choose in step t, with prepareRows and keepValues, where they do not choose all at once. */
export function createCollector(
  env: VectorEnv,
  workers: readonly ActorWorker[],
  teamCritic: TeamCritic | null,
  sampling: Rng,
  decide?: (t: number, actions: Actions) => Promise<void>,
) {
  const size = env.batch * env.meta.agentCount;
  return {
    env,
    workers,
    teamCritic,
    sampling,
    decide,
    actions: createActions(env.meta, env.batch), // [B, A, D]
    mixed: new Float32Array(size), // [B, A] what agents learn from
    alive: new Uint8Array(size), // [B, A] when the action was chosen
    able: new Uint8Array(size), // [B, A] alive and to move
  };
}
export type Collector = Readonly<ReturnType<typeof createCollector>>;

export interface CollectOptions {
  /** Changes the rewards [B, A] of a step; undefined: each agent learns from its own. */
  readonly rewards: ((rewards: Float32Array) => void) | undefined;
  /** Whether the final state of a truncated episode keeps its value. */
  readonly bootstrapAtTruncation: boolean;
  /** Whether an agent's own episode ends with its death; not where the environment's agents come back. */
  readonly deathEnds: boolean;
  /** Weight of the shaped reward, where the environment gives one. */
  readonly shaping: number;
}

/** Fills the rollouts of all workers (and of the team's critic) with T steps of every environment, values of what follows included. */
export async function collect(collector: Collector, options: CollectOptions): Promise<void> {
  const { env, workers, teamCritic, actions } = collector;
  const { buffers, meta } = env;
  const steps = workers[0]!.rollout.steps;
  for (let t = 0; t < steps; t++) {
    noteWhoActs(collector);
    if (collector.decide !== undefined) await collector.decide(t, actions);
    for (const worker of collector.decide === undefined ? workers : []) {
      const { network, rollout, act, memory } = worker;
      prepareRows(env, worker, t);
      if (memory !== null && act.in.state !== undefined) recall(memory, t, act.in.state);
      const pending = act.run();
      if (pending) await pending;
      const { value, state } = act.out;
      if (value !== undefined) keepValues(value, worker.norm, rollout, t);
      if (state !== undefined) memory?.state.set(state);
      const { choices, actionWidth } = network;
      const { rows, actions: drawn, logProbs } = rollout;
      sampleActions(act.out, network.discrete ? choices : actionWidth, rows, collector.sampling, drawn, logProbs, t * rows);
      scatterActions(network, rollout.actions, meta, actions, t * rollout.rows * network.actionWidth);
    }
    if (teamCritic !== null) {
      feedTeam(teamCritic, buffers.obs, buffers.state, true);
      teamCritic.rollout.critic.set(teamCritic.act.in.critic, t * teamCritic.act.in.critic.length);
      const pending = teamCritic.act.run();
      if (pending) await pending;
      keepValues(teamCritic.act.out.value, teamCritic.norm, teamCritic.rollout, t);
    }
    env.step(actions);
    mix(collector, options);
    for (const worker of workers) keepOutcome(worker, collector, options, t);
    if (teamCritic !== null) keepTeamOutcome(teamCritic, collector, t);
    // An episode cut by a time limit is worth the value of its own final state.
    if (options.bootstrapAtTruncation && anyTruncated(buffers.terminated, buffers.truncated)) {
      const at = (rollout: ValueRollout): Float32Array => rollout.finalValues.subarray(t * rollout.rows, (t + 1) * rollout.rows);
      await evaluateValues(collector, buffers.finalObs, buffers.finalState, at);
    }
    for (const { memory, network } of workers) {
      if (memory !== null) forget(memory, buffers.terminated, buffers.truncated, network.agents.length);
    }
  }
  await evaluateValues(collector, buffers.obs, buffers.state, (rollout) => rollout.lastValues);
}

/** What the rows of a worker see in step t, to the inputs of its program and into its rollout. */
export function prepareRows({ buffers, meta }: VectorEnv, worker: ActorWorker, t: number): void {
  const { network, act } = worker;
  feed(worker, meta, buffers.obs, buffers.state, true);
  if (buffers.mask !== undefined && act.in.mask !== undefined) gatherMasks(network, buffers.mask, meta, act.in.mask);
  keepInputs(worker, t);
}

function noteWhoActs({ env, alive, able }: Collector): void {
  const { buffers, meta } = env;
  const { toMove } = buffers;
  const A = meta.agentCount;
  for (let i = 0; i < alive.length; i++) {
    alive[i] = buffers.alive?.[i] ?? 1;
    able[i] = alive[i] === 1 && (toMove === undefined || toMove[Math.floor(i / A)] === i % A) ? 1 : 0;
  }
}

/** Observations to the program's inputs; `learn` false: only to value them, the running moments stay as they are. */
function feed(worker: ActorWorker, meta: EnvMeta, obs: Float32Array, state: Float32Array | undefined, learn: boolean): void {
  const { act, network, input, moments, criticMoments } = worker;
  const { obs: rows, critic } = act.in;
  gatherObs(network, obs, meta, rows);
  normalise(moments, rows, learn);
  if (input === null || critic === undefined) return;
  input.fill(obs, state, critic);
  normalise(criticMoments, critic, learn);
}

function feedTeam({ input, act, criticMoments }: TeamCritic, obs: Float32Array, state: Float32Array | undefined, learn: boolean): void {
  input.fill(obs, state, act.in.critic);
  normalise(criticMoments, act.in.critic, learn);
}

function normalise(moments: RunningMoments | null, rows: Float32Array, learn: boolean): void {
  if (moments === null) return;
  if (learn) moments.update(rows, rows.length / moments.size);
  moments.normalise(rows, rows, CLIP_NORMALISED);
}

function keepInputs({ act, rollout }: ActorWorker, t: number): void {
  const { obs, critic, mask } = act.in;
  rollout.obs.set(obs, t * obs.length);
  if (critic !== undefined) rollout.critic.set(critic, t * critic.length);
  if (mask !== undefined) rollout.masks.set(mask, t * mask.length);
}

/** What a critic gave in step t. */
export function keepValues(outputs: Float32Array, norm: ValueNorm | null, rollout: ValueRollout, t: number): void {
  const at = t * rollout.rows;
  rollout.outputs.set(outputs, at);
  if (norm === null) rollout.values.set(outputs, at);
  else norm.restore(outputs, rollout.values.subarray(at, at + rollout.rows));
}

function mix({ env, mixed }: Collector, { shaping, rewards }: CollectOptions): void {
  const { reward, shaped } = env.buffers;
  if (shaped === undefined || shaping === 0) mixed.set(reward);
  else for (let i = 0; i < mixed.length; i++) mixed[i] = reward[i]! + shaping * shaped[i]!;
  rewards?.(mixed);
}

function keepOutcome({ network, rollout }: ActorWorker, { env, mixed, alive, able }: Collector, options: CollectOptions, t: number): void {
  const { buffers } = env;
  const A = env.meta.agentCount;
  const { agents } = network;
  const M = agents.length;
  const at = t * rollout.rows;
  const deathEnds = options.deathEnds && options.rewards === undefined && env.meta.agentsReturn !== true;
  gatherAgents(network, mixed, A, rollout.rewards, at);
  gatherAgents(network, able, A, rollout.policyMask, at);
  for (let b = 0; b < env.batch; b++) {
    const terminated = buffers.terminated[b]!;
    const truncated = terminated === 0 ? buffers.truncated[b]! : 0;
    for (let m = 0; m < M; m++) {
      const i = at + b * M + m;
      const agent = b * A + agents[m]!;
      const died = deathEnds && truncated === 0 && terminated === 0 && alive[agent] === 1 && buffers.alive?.[agent] === 0;
      rollout.terminated[i] = died ? 1 : terminated;
      rollout.truncated[i] = truncated;
      rollout.valueMask[i] = deathEnds ? alive[agent]! : 1;
    }
  }
}

function keepTeamOutcome({ rollout }: TeamCritic, { env, mixed }: Collector, t: number): void {
  const { terminated, truncated } = env.buffers;
  const at = t * rollout.rows;
  for (let b = 0; b < env.batch; b++) {
    rollout.rewards[at + b] = mixed[b * env.meta.agentCount]!; // the same for all of a team
    rollout.terminated[at + b] = terminated[b]!;
    rollout.truncated[at + b] = terminated[b] === 0 ? truncated[b]! : 0;
    rollout.valueMask[at + b] = 1;
  }
}

/** Whether an episode of [B] was truncated without terminating. */
export function anyTruncated(terminated: Uint8Array, truncated: Uint8Array): boolean {
  for (let b = 0; b < truncated.length; b++) if (truncated[b] !== 0 && terminated[b] === 0) return true;
  return false;
}

/** Values of these states, in units of the reward, to the array that `into` names of each rollout. */
async function evaluateValues(
  { env, workers, teamCritic }: Collector,
  obs: Float32Array,
  state: Float32Array | undefined,
  into: (rollout: ValueRollout) => Float32Array,
): Promise<void> {
  const put = (found: Float32Array, norm: ValueNorm | null, rollout: ValueRollout): void => {
    if (norm === null) into(rollout).set(found);
    else norm.restore(found, into(rollout));
  };
  for (const worker of workers) {
    const { act, memory, norm, rollout } = worker;
    if (act.out.value === undefined) continue;
    feed(worker, env.meta, obs, state, false);
    act.in.mask?.fill(1);
    if (memory !== null) act.in.state?.set(memory.state);
    const pending = act.run();
    if (pending) await pending;
    put(act.out.value, norm, rollout);
  }
  if (teamCritic === null) return;
  feedTeam(teamCritic, obs, state, false);
  const pending = teamCritic.act.run();
  if (pending) await pending;
  put(teamCritic.act.out.value, teamCritic.norm, teamCritic.rollout);
}

// Minibatches of a rollout, and the epochs over them.

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
  /** Where a critic values whole steps: a permutation of them, kept between updates, which `order` follows. */
  readonly stepOrder?: Int32Array | null; // [T * B]
  /** HAPPO. [T, R] */
  readonly factor?: Float32Array;
  /** What the actor of each row was told, [T, R, told]. */
  readonly told?: Float32Array;
}

/** How the minibatches of one rollout get into the inputs of a program. */
export interface MinibatchFeed {
  /** Places of a minibatch. */
  readonly size: number;
  /** Before every epoch. */
  shuffle(): void;
  /** The places from .. from + size - 1 of the shuffled order. */
  gather(from: number): void;
}

/** Of one rollout, into the inputs `feed`; recurrent networks get whole environments in time order, critics over whole steps all agents of a step. */
export function minibatchFeed(
  source: Omit<MinibatchSource, 'learn'>,
  feed: Views,
  { advantages: how, minibatches }: Pick<EpochOptions, 'advantages' | 'minibatches'>,
  shuffling: Rng,
): MinibatchFeed {
  const { rollout, order, factor, told, memory, envOrder, stepOrder } = source;
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
    told,
    target: rollout.goals,
    oldValue: rollout.outputs,
    valueMask: rollout.valueMask,
    starts: memory?.starts,
  };
  const gathered: { readonly name: string; readonly array: Float32Array }[] = [];
  for (const [name, array] of Object.entries(arrays)) {
    if (feed[name] === undefined || array === undefined) continue;
    // Masks of ones are the same in every minibatch.
    if ((name === 'policyMask' || name === 'valueMask') && array.every((w) => w === 1)) feed[name].fill(1);
    else gathered.push({ name, array });
  }
  const begins = new Int32Array(memory ? order.length / memory.sequence : 0);
  const perStep = stepOrder ? order.length / stepOrder.length : 1;
  const shuffle = (): void => {
    if (memory && envOrder) {
      shuffling.shuffle(envOrder);
      arrangeSequences(envOrder, rollout.steps, memory.sequence, minibatches, order, begins);
    } else if (stepOrder) {
      shuffling.shuffle(stepOrder);
      for (let i = 0; i < order.length; i++) order[i] = stepOrder[Math.floor(i / perStep)]! * perStep + (i % perStep);
    } else shuffling.shuffle(order);
  };
  const gather = (from: number): void => {
    for (const { name, array } of gathered) {
      const into = feed[name];
      if (into === undefined) continue;
      if (name === 'critic' && stepOrder)
        gatherRows(stepOrder, from / perStep, size / perStep, array, (into.length / size) * perStep, into);
      else gatherRows(order, from, size, array, into.length / size, into);
    }
    if (memory && feed.state !== undefined)
      gatherRows(begins, from / memory.sequence, size / memory.sequence, memory.states, memory.size, feed.state);
    const { advantage, policyMask } = feed;
    if (how === 'minibatch' && advantage !== undefined && policyMask !== undefined)
      standardiseWeighted(advantage, policyMask, 1e-8, advantage);
  };
  return { size, shuffle, gather };
}

/** Epochs of shuffled minibatches on one rollout. */
export function updateEpochs(source: MinibatchSource, options: EpochOptions, shuffling: Rng): Promise<UpdateReport> {
  const { size, shuffle, gather } = minibatchFeed(source, source.learn.in, options, shuffling);
  return minibatchEpochs(source.learn, size, options, shuffle, gather);
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
