/**
 * Plays T steps of every copy with the current policies and keeps what learning needs (rollout.ts). Every network draws for its own
 * agents, in the order of the networks; values come with the action where a network has a critic, or from one critic for the team.
 * A dead agent's rows weigh nothing in the policy. With `deathEnds` and rewards of its own its episode ends when it dies; else what
 * comes later counts, and its value is learned on.
 */
import type { Program } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { exp } from '#math/functions.ts';
import type { RunningMoments, ValueNorm } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { categorical, normal } from '#math/sampling.ts';
import { gatherAgents, gatherMasks, gatherObs, type SharedNetwork, scatterActions } from '../sharing.ts';
import type { CriticView } from './critic-view.ts';
import { forget, type Memory, recall } from './recurrent.ts';
import { mixRewards, type RewardMix } from './rewards.ts';
import type { Rollout, ValueTrack } from './rollout.ts';

const HALF_LOG_TWO_PI = 0.9189385332046727;
const CLIP_NORMALISED = 10;

/** One network at work. */
export interface Player {
  readonly network: SharedNetwork;
  readonly rollout: Rollout;
  /** Of R rows: `obs`, `mask`, `critic` in; `logProbs` or `mean` and `logStd`, and `value` if it has a critic, out. */
  readonly act: Program;
  /** null: it has no critic of its own. */
  readonly view: CriticView | null;
  readonly norm: ValueNorm | null;
  readonly moments: RunningMoments | null; // of obs rows
  readonly criticMoments: RunningMoments | null; // of critic rows
  /** Recurrent networks only. */
  readonly memory: Memory | null;
}

/** A critic that values whole copies: `critic` in, `value` out, of B rows. */
export interface TeamCritic {
  readonly track: ValueTrack;
  readonly look: Program;
  readonly view: CriticView;
  readonly norm: ValueNorm | null;
  readonly criticMoments: RunningMoments | null;
}

export interface Collector {
  readonly env: VectorEnv;
  readonly players: readonly Player[];
  readonly teamCritic: TeamCritic | null;
  readonly sampling: Rng;
  readonly actions: Actions; // [B, A, D]
  readonly mixed: Float32Array; // [B, A]
  readonly raw: Float32Array; // [B, A]
  readonly acting: Uint8Array; // [B, A] alive when the action was chosen
  readonly able: Uint8Array; // [B, A] and could choose
}

export function createCollector(env: VectorEnv, players: readonly Player[], teamCritic: TeamCritic | null, sampling: Rng): Collector {
  const size = env.batch * env.meta.agentCount;
  const bytes = (): Uint8Array => new Uint8Array(size);
  const actions = createActions(env.meta, env.batch);
  const numbers = (): Float32Array => new Float32Array(size);
  return { env, players, teamCritic, sampling, actions, mixed: numbers(), raw: numbers(), acting: bytes(), able: bytes() };
}

export interface CollectOptions extends RewardMix {
  /** Whether the last state of an episode that the clock ended keeps its value. */
  readonly bootstrapAtTruncation: boolean;
  /** Whether an agent that died is gone for good. */
  readonly deathEnds: boolean;
  /** Weight of the helping reward, where the environment gives one. */
  readonly shaping: number;
}

export async function collect(collector: Collector, options: CollectOptions): Promise<void> {
  const { env, players, teamCritic, actions } = collector;
  const { buffers, meta } = env;
  const steps = players[0]!.rollout.steps;
  for (let t = 0; t < steps; t++) {
    noteWhoActs(collector);
    for (const player of players) {
      look(player, meta, buffers.obs, buffers.state, true);
      if (meta.masked && player.network.discrete) gatherMasks(player.network, buffers.mask!, meta, player.act.in.mask!);
      if (player.memory !== null) recall(player.memory, t, player.act.in.state!);
      keepSeen(player, t);
      const pending = player.act.run();
      if (pending) await pending;
      if (player.view !== null) keepValues(player.act.out.value!, player.norm, player.rollout, t);
      player.memory?.state.set(player.act.out.state!);
      draw(player, t, collector.sampling);
      scatterActions(player.network, player.rollout.actions, meta, actions, t * player.rollout.rows * player.network.actionWidth);
    }
    if (teamCritic !== null) {
      lookTeam(teamCritic, buffers.obs, buffers.state, true);
      teamCritic.track.critic.set(teamCritic.look.in.critic!, t * teamCritic.look.in.critic!.length);
      const pending = teamCritic.look.run();
      if (pending) await pending;
      keepValues(teamCritic.look.out.value!, teamCritic.norm, teamCritic.track, t);
    }
    env.step(actions);
    reward(collector, options);
    for (const player of players) keepOutcome(player, collector, options, t);
    if (teamCritic !== null) keepTeamOutcome(teamCritic, collector, t);
    // What an episode that the clock ended would still have been worth: the value of its own last state.
    if (options.bootstrapAtTruncation && clockEnded(buffers.terminated, buffers.truncated)) {
      const at = (track: ValueTrack): Float32Array => track.finalValues.subarray(t * track.rows, (t + 1) * track.rows);
      await value(collector, buffers.finalObs, buffers.finalState, at);
    }
    for (const { memory, network } of players) {
      if (memory !== null) forget(memory, buffers.terminated, buffers.truncated, network.agents.length);
    }
  }
  await value(collector, buffers.obs, buffers.state, (track) => track.lastValues);
}

function noteWhoActs({ env, acting, able }: Collector): void {
  const { alive, toMove } = env.buffers;
  const A = env.meta.agentCount;
  for (let i = 0; i < acting.length; i++) {
    acting[i] = alive?.[i] ?? 1;
    able[i] = acting[i] === 1 && (toMove === undefined || toMove[Math.floor(i / A)] === i % A) ? 1 : 0;
  }
}

/** Observations into the program; `learn` false: only to value them, the normaliser learns nothing from them. */
function look(player: Player, meta: EnvMeta, obs: Float32Array, state: Float32Array | undefined, learn: boolean): void {
  const { act, network, view, moments, criticMoments } = player;
  const see = act.in;
  gatherObs(network, obs, meta, see.obs!);
  normalised(moments, see.obs!, learn);
  if (view === null || view.own) return;
  view.fill(obs, state, see.critic!);
  normalised(criticMoments, see.critic!, learn);
}

function lookTeam(
  { view, look: program, criticMoments }: TeamCritic,
  obs: Float32Array,
  state: Float32Array | undefined,
  learn: boolean,
): void {
  view.fill(obs, state, program.in.critic!);
  normalised(criticMoments, program.in.critic!, learn);
}

function normalised(moments: RunningMoments | null, rows: Float32Array, learn: boolean): void {
  if (moments === null) return;
  if (learn) moments.update(rows, rows.length / moments.size);
  moments.normalise(rows, rows, CLIP_NORMALISED);
}

function keepSeen({ act, rollout }: Player, t: number): void {
  const { obs, critic, mask } = act.in;
  rollout.obs.set(obs!, t * obs!.length);
  if (critic !== undefined) rollout.critic.set(critic, t * critic.length);
  if (mask !== undefined) rollout.masks.set(mask, t * mask.length);
}

function keepValues(outputs: Float32Array, norm: ValueNorm | null, track: ValueTrack, t: number): void {
  const at = t * track.rows;
  track.outputs.set(outputs, at);
  if (norm === null) track.values.set(outputs, at);
  else norm.restore(outputs, track.values.subarray(at, at + track.rows));
}

function draw({ act, network, rollout }: Player, t: number, sampling: Rng): void {
  const { rows, actions, logProbs } = rollout;
  const at = t * rows;
  if (network.discrete) drawCategories(act.out.logProbs!, network.choices, rows, sampling, actions, logProbs, at);
  else drawGaussians(act.out.mean!, act.out.logStd!, network.actionWidth, rows, sampling, actions, logProbs, at);
}

function drawCategories(
  logp: Float32Array,
  n: number,
  rows: number,
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
): void {
  for (let row = 0; row < rows; row++) {
    const a = categorical(logp, row * n, n, rng.uniform());
    actions[at + row] = a;
    logProbs[at + row] = logp[row * n + a]!;
  }
}

function drawGaussians(
  mean: Float32Array,
  logStd: Float32Array,
  width: number,
  rows: number,
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
): void {
  for (let row = 0; row < rows; row++) {
    let logProb = 0;
    for (let d = 0; d < width; d++) {
      const i = row * width + d;
      const noise = normal(rng);
      actions[at * width + i] = mean[i]! + exp(logStd[i]!) * noise;
      logProb -= 0.5 * noise * noise + logStd[i]! + HALF_LOG_TWO_PI;
    }
    logProbs[at + row] = logProb;
  }
}

function reward({ env, raw, mixed }: Collector, options: CollectOptions): void {
  const { reward: given, shaped } = env.buffers;
  if (shaped === undefined || options.shaping === 0) {
    mixRewards(options, given, env.meta.agentCount, mixed);
    return;
  }
  for (let i = 0; i < raw.length; i++) raw[i] = given[i]! + options.shaping * shaped[i]!;
  mixRewards(options, raw, env.meta.agentCount, mixed);
}

function keepOutcome({ network, rollout }: Player, { env, mixed, acting, able }: Collector, options: CollectOptions, t: number): void {
  const { terminated, truncated, alive } = env.buffers;
  const A = env.meta.agentCount;
  const { agents } = network;
  const M = agents.length;
  const at = t * rollout.rows;
  const gone = options.deathEnds && options.teamReward === 'own';
  gatherAgents(network, mixed, A, rollout.rewards, at);
  gatherAgents(network, able, A, rollout.weights, at);
  for (let b = 0; b < env.batch; b++) {
    const over = terminated[b]!;
    const late = over === 0 ? truncated[b]! : 0;
    for (let m = 0; m < M; m++) {
      const i = at + b * M + m;
      const agent = b * A + agents[m]!;
      const died = gone && late === 0 && over === 0 && acting[agent] === 1 && alive?.[agent] === 0;
      rollout.terminated[i] = died ? 1 : over;
      rollout.truncated[i] = late;
      rollout.counted[i] = gone ? acting[agent]! : 1;
    }
  }
}

function keepTeamOutcome({ track }: TeamCritic, { env, mixed }: Collector, t: number): void {
  const { terminated, truncated } = env.buffers;
  const at = t * track.rows;
  for (let b = 0; b < env.batch; b++) {
    track.rewards[at + b] = mixed[b * env.meta.agentCount]!; // the same for all of a team
    track.terminated[at + b] = terminated[b]!;
    track.truncated[at + b] = terminated[b] === 0 ? truncated[b]! : 0;
    track.counted[at + b] = 1;
  }
}

function clockEnded(terminated: Uint8Array, truncated: Uint8Array): boolean {
  for (let b = 0; b < truncated.length; b++) if (truncated[b] !== 0 && terminated[b] === 0) return true;
  return false;
}

/** Values of these states, in units of the reward, to where each track wants them. */
async function value(
  { env, players, teamCritic }: Collector,
  obs: Float32Array,
  state: Float32Array | undefined,
  into: (track: ValueTrack) => Float32Array,
): Promise<void> {
  const put = (found: Float32Array, norm: ValueNorm | null, track: ValueTrack): void => {
    if (norm === null) into(track).set(found);
    else norm.restore(found, into(track));
  };
  for (const player of players) {
    if (player.view === null) continue;
    look(player, env.meta, obs, state, false);
    player.act.in.mask?.fill(1);
    if (player.memory !== null) player.act.in.state!.set(player.memory.state);
    const pending = player.act.run();
    if (pending) await pending;
    put(player.act.out.value!, player.norm, player.rollout);
  }
  if (teamCritic === null) return;
  lookTeam(teamCritic, obs, state, false);
  const pending = teamCritic.look.run();
  if (pending) await pending;
  put(teamCritic.look.out.value!, teamCritic.norm, teamCritic.track);
}
