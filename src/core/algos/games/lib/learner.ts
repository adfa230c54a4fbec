/**
 * A learner of self-play (PPO), its opponents, and the settings of both. It plays in environments of its own. In the first of them it plays itself and learns from both
 * seats; in the rest one seat, alternating, belongs to an opponent slot with a member of the pool, whose rows are not learned from.
 * Waiting for the other's turn is no decision: those rows have weight 0 in the policy's loss, but their values count.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Engine, ParamGroup } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { type RegisteredState, registerState } from '#core/state/checkpoint.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import * as fields from '../../api/fields.ts';
import type { Policy, Run } from '../../api/types.ts';
import { anyTruncated, createRollout, type EpochOptions, type Rollout, updateEpochs } from '../../lib/ppo/collect.ts';
import { checkMinibatches, commonFields, ppoMetrics, type Settings, sampleActions, type UpdateReport } from '../../lib/ppo/common.ts';
import { createActor, createCritic, criticInput, type NetworkOptions } from '../../lib/ppo/networks.ts';
import { type ActorCriticPair, compileActor, compilePair, computeAdvantages, pairsPolicy, teamFields } from '../../lib/ppo/team.ts';
import { type SharedNetwork, shareNetworks } from '../../lib/sharing.ts';

/** Settings of methods whose learner plays such games. */
const own = 'own choice';
const { normaliseObs: _left, ...learning } = commonFields; // members would each need statistics of their own

export const gameFields = {
  ...learning,
  envs: fields.numEnvs(32, own),
  layerNorm: fields.layerNorm(false, 'on in MAPPO'),
  advantages: teamFields.advantages,
  slots: z.int().min(1).max(64).default(4).meta({
    title: 'opponents per rollout',
    description: 'Different members of the pool that are played in one rollout.',
    source: own,
    depth: 'stored',
    group: 'opponents',
  }),
  pairGames: z.int().min(1).max(500).default(4).meta({
    title: 'evaluation games per seat',
    unit: 'games',
    description: 'A new member plays twice this many games, one half from each seat, for the payoff table. Not counted as steps.',
    source: own,
    group: 'measuring',
  }),
  gameLimit: z.int().min(0).max(1_000_000).default(0).meta({
    title: 'step limit of evaluation games',
    unit: 'steps',
    description: 'Evaluation games stop here and count as they stand; 0: they are played to the end.',
    source: own,
    group: 'measuring',
  }),
};

export const gameMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'winRate',
    title: 'win rate against the pool',
    description: 'Share of wins in training games against members of the pool, a running mean; a draw is half a win.',
  },
  { id: 'elo', title: 'Elo', description: 'Rating of the newest member among all that are in the pool; their mean is 0.' },
  { id: 'members', title: 'members', description: 'Policies in the pool.' },
];

export type SelfPlayLearnerConfig = Settings<typeof gameFields>;

export type ChooseOpponent = () => { readonly id: string; readonly frozen: Frozen };

export interface Game {
  readonly opponent: string; // member id
  readonly won: number; // 1, 0.5, 0
}

export interface SelfPlayLearner {
  readonly name: string;
  readonly env: VectorEnv;
  readonly pair: ActorCriticPair;
  readonly slots: readonly OpponentSlot[];
  readonly rollout: Rollout;
  /**
   * One rollout; before it slots that have played enough (with `anew` all) get the opponent that `pick` chooses. Gives the games that ended, whole
   * and against one opponent.
   */
  collect(pick: ChooseOpponent, anew?: boolean): Promise<readonly Game[]>;
  learn(options: EpochOptions): Promise<UpdateReport>;
  /** A frozen copy of the player's present policy. */
  frozen(): Promise<Frozen>;
  /** Goes on from these parameters; the optimiser keeps its moments, which fade within some hundred updates. */
  become(frozen: Frozen): void;
  /** All it needs besides the parameters. */
  readonly state: RegisteredState<object>;
}

/** Copies in which it plays itself, of all. */
export const mirrored = (envs: number, share: number): number => Math.round(envs * share);

/** Throws LabError('config-invalid') unless what it learns from (both seats where it plays itself) splits into equal minibatches. */
export function checkRows(c: { readonly envs: number; readonly rolloutSteps: number; readonly minibatches: number }, alone: number): void {
  checkMinibatches((c.envs + alone) * c.rolloutSteps, c.minibatches);
}

export function createSelfPlayLearner(
  run: Run<unknown>,
  engine: Engine,
  c: SelfPlayLearnerConfig,
  name: string,
  alone: number,
  rng: Rng,
): SelfPlayLearner {
  const { meta } = run;
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const B = c.envs;
  const R = B + alone; // rows it learns from
  const T = c.rolloutSteps;
  const network = seatNetwork(meta);
  const pair = buildPair(engine, name, meta, c, rng.split('init'));
  const { group } = pair.actor;
  // seats are copy * 2 + agent
  const own = new Int32Array(R);
  for (let b = 0; b < alone; b++) {
    own[2 * b] = 2 * b;
    own[2 * b + 1] = 2 * b + 1;
  }
  for (let b = alone; b < B; b++) own[alone + b] = 2 * b + (b % 2);
  const S = Math.min(c.slots, B - alone);
  const slotOf = Int32Array.from({ length: B }, (_, b) => (b < alone ? -1 : (b - alone) % S));
  const slots = Array.from({ length: S }, (_, s) => {
    const copies = [...slotOf.keys()].filter((b) => slotOf[b] === s);
    return createOpponentSlot(
      engine,
      `${name}.opponent${s}`,
      meta,
      Int32Array.from(copies, (b) => 2 * b + 1 - (b % 2)),
      c,
    );
  });
  const act = compileActor(engine, pair.actor, pair.critic, R);
  const learn = compilePair(engine, pair, { ...c, huberDelta: null }, (T * R) / c.minibatches);
  const rollout = createRollout(T, R, network, pair.critic.input, pair.actor.masked);
  const order = Int32Array.from({ length: T * R }, (_, i) => i);
  const sampling = rng.split('sampling');
  const opposing = rng.split('opposing');
  const shuffling = rng.split('shuffling');
  const actions = createActions(meta, B);
  const returns = new Float64Array(2 * B); // of the running games
  const whole = new Uint8Array(B).fill(1); // 1: the same opponent since its start
  const finished = new Int32Array(S); // games since the slot's opponent came
  const copiesOf = Int32Array.from({ length: S }, (_, s) => slotOf.filter((x) => x === s).length);
  const opponents = {
    save: () => slots.map(({ id }) => id),
    load(ids: Json) {
      if (Array.isArray(ids)) for (const [s, slot] of slots.entries()) slot.id = String(ids[s]); // its parameters are the engine's
    },
  };
  const arrays = { order, sampling, opposing, shuffling, returns, whole, finished };
  const state = registerState({ counters: {}, json: { ids: opponents }, parts: { env }, arrays });
  env.reset();

  const forward = async (obs: Float32Array, mask: Uint8Array | undefined): Promise<Float32Array> => {
    observeSeats(act.in, own, meta, obs, mask);
    const pending = act.run();
    if (pending) await pending;
    if (act.out.value === undefined) throw new Error('A self-play learner has a critic.');
    return act.out.value;
  };

  function seat(pick: ChooseOpponent, anew: boolean): void {
    for (const [s, slot] of slots.entries()) {
      if (!anew && slot.id !== '' && finished[s]! < copiesOf[s]!) continue;
      const { id, frozen } = pick();
      finished[s] = 0;
      // games under way have had two opponents; there are none before the first
      if (slot.id !== '' && id !== slot.id) for (let b = 0; b < B; b++) if (slotOf[b] === s) whole[b] = 0;
      slot.seat(id, frozen);
    }
  }

  function outcome(t: number, games: Game[]): void {
    const { terminated, truncated, reward } = buffers;
    const at = t * R;
    for (let r = 0; r < R; r++) {
      const seat = own[r]!;
      const b = seat >> 1;
      const over = terminated[b]!;
      rollout.rewards[at + r] = reward[seat]!;
      rollout.terminated[at + r] = over;
      rollout.truncated[at + r] = over === 0 ? truncated[b]! : 0;
      rollout.valueMask[at + r] = 1;
    }
    for (let b = 0; b < B; b++) {
      for (const seat of [2 * b, 2 * b + 1]) returns[seat] = returns[seat]! + reward[seat]!;
      if ((terminated[b]! | truncated[b]!) === 0) continue;
      const s = slotOf[b]!;
      if (s >= 0) {
        const mine = returns[2 * b + (b % 2)]!;
        const other = returns[2 * b + 1 - (b % 2)]!;
        finished[s] = finished[s]! + 1;
        if (whole[b] === 1) games.push({ opponent: slots[s]!.id, won: mine > other ? 1 : mine === other ? 0.5 : 0 });
        whole[b] = 1;
      }
      returns[2 * b] = 0;
      returns[2 * b + 1] = 0;
    }
  }

  return {
    name,
    env,
    pair,
    slots,
    rollout,
    async collect(pick, anew = false) {
      const games: Game[] = [];
      seat(pick, anew);
      const width = network.actionWidth;
      for (let t = 0; t < T; t++) {
        const at = t * R;
        const { toMove } = buffers;
        for (let r = 0; r < R; r++) {
          const seat = own[r]!;
          rollout.policyMask[at + r] = toMove === undefined || toMove[seat >> 1] === (seat & 1) ? 1 : 0;
        }
        const values = await forward(buffers.obs, buffers.mask);
        rollout.obs.set(act.in.obs, at * network.inputs);
        if (act.in.mask !== undefined) rollout.masks.set(act.in.mask, at * network.choices);
        rollout.values.set(values, at);
        rollout.outputs.set(values, at);
        sampleActions(act.out, network.discrete ? network.choices : width, R, sampling, rollout.actions, rollout.logProbs, at);
        seatActions(network, own, rollout.actions.subarray(at * width, (at + R) * width), 0, actions);
        for (const slot of slots) await slot.act(buffers, actions, opposing);
        env.step(actions);
        outcome(t, games);
        if (c.bootstrapAtTruncation && anyTruncated(buffers.terminated, buffers.truncated))
          rollout.finalValues.set(await forward(buffers.finalObs, undefined), at);
      }
      rollout.lastValues.set(await forward(buffers.obs, undefined));
      return games;
    },
    async learn(options) {
      computeAdvantages(rollout, null, c);
      return updateEpochs({ learn, rollout, order }, options, shuffling);
    },
    frozen: async () => readParams(engine, group),
    become: (frozen) => writeParams(engine, group, frozen),
    state,
  };
}

/**
 * Parameters that no longer change, and programs that act with them: a slot is a copy of the actor into which any member of the pool
 * can be written. Rows are single agents, whatever copy they come from.
 */

/** What readParams gives: everything a member plays by. */
export type Frozen = Saved;

/** Throws LabError('incompatible') unless two agents that are alike play each other for one reward. */
export function checkTwoSeats(meta: EnvMeta, title: string): void {
  const alike = meta.agentCount === 2 && shareNetworks(meta, 'shared').networks.length === 1;
  if (alike && meta.rewards.length === 1) return;
  throw fail(
    'incompatible',
    `${title} needs two players that see and do the same, each for its own reward.`,
    'Choose a game for two: slime volleyball with two agents, tic-tac-toe, connect four, a poker or a matrix game.',
    'env.id',
  );
}

/** The network that serves both seats, with rows of its own number. */
export function seatNetwork(meta: EnvMeta): SharedNetwork {
  return { ...shareNetworks(meta, 'shared').networks[0]!, agents: [0] };
}

/** Observations and masks of these seats (copy * 2 + agent) into a program's inputs. */
export function observeSeats(
  into: { readonly obs: Float32Array; readonly mask: Float32Array | undefined },
  seats: Int32Array,
  meta: EnvMeta,
  obs: Float32Array,
  mask: Uint8Array | undefined,
): void {
  gatherRows(seats, 0, seats.length, obs, meta.obsSize, into.obs);
  if (into.mask === undefined) return;
  if (mask === undefined) into.mask.fill(1);
  else gatherRows(seats, 0, seats.length, mask, meta.actionCount, into.mask);
}

/** Drawn actions to their seats of the environment, within the bounds of box actions. */
export function seatActions(network: SharedNetwork, seats: Int32Array, drawn: Float32Array, at: number, out: Actions): void {
  const { action, actionWidth: width } = network;
  for (let r = 0; r < seats.length; r++)
    for (let d = 0; d < width; d++) {
      const a = drawn[(at + r) * width + d]!;
      out[seats[r]! * width + d] = action.kind === 'discrete' ? a : Math.min(action.high[d]!, Math.max(action.low[d]!, a));
    }
}

export interface OpponentSlot {
  /** Which member sits in it, by id; '' before the first. */
  id: string;
  readonly group: ParamGroup;
  seat(id: string, frozen: Frozen): void;
  /** Acts for these seats. */
  act(buffers: StepBuffers, actions: Actions, rng: Rng): Promise<void>;
}

/** `seats`: which rows of the environment it plays, always the same ones. */
export function createOpponentSlot(engine: Engine, name: string, meta: EnvMeta, seats: Int32Array, options: NetworkOptions): OpponentSlot {
  const network = seatNetwork(meta);
  const group = engine.group(name);
  const actor = createActor(group, network, meta.masked, options, Rng.from(0));
  const program = compileActor(engine, actor, null, seats.length);
  const width = network.discrete ? network.choices : network.actionWidth;
  const drawn = new Float32Array(seats.length * network.actionWidth);
  const unused = new Float32Array(seats.length);
  const slot: OpponentSlot = {
    id: '',
    group,
    seat(id, frozen) {
      slot.id = id;
      writeParams(engine, group, frozen);
    },
    async act({ obs, mask }, actions, rng) {
      observeSeats(program.in, seats, meta, obs, mask);
      const pending = program.run();
      if (pending) await pending;
      sampleActions(program.out, width, seats.length, rng, drawn, unused, 0);
      seatActions(network, seats, drawn, 0, actions);
    },
  };
  return slot;
}

/** One actor and critic for both seats as a policy; also for a policy that sits at one of them only. */

const PLAIN = [{ moments: null, norm: null }];

export function buildPair(engine: Engine, name: string, meta: EnvMeta, options: NetworkOptions, rng: Rng): ActorCriticPair {
  const network = seatNetwork(meta);
  const group = engine.group(name);
  const input = criticInput(meta, shareNetworks(meta, 'shared'), 0, 'own');
  return { actor: createActor(group, network, meta.masked, options, rng), critic: createCritic(group, input, network, options, rng) };
}

export function pairPolicy(engine: Engine, meta: EnvMeta, pair: ActorCriticPair, dispose?: () => void): Policy {
  return pairsPolicy(engine, meta, shareNetworks(meta, 'shared'), [pair], PLAIN, dispose);
}

/** From what readParams gave. */
export async function policyFromPair(
  makeEngine: () => Promise<Engine>,
  meta: EnvMeta,
  options: NetworkOptions,
  params: Saved,
  rng: Rng,
): Promise<Policy> {
  const engine = await makeEngine();
  const pair = buildPair(engine, 'policy', meta, options, rng);
  writeParams(engine, pair.actor.group, params);
  return pairPolicy(engine, meta, pair, () => engine.dispose());
}
