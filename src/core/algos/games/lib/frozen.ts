/**
 * Parameters that no longer change, and programs that act with them: a slot is a copy of the actor into which any member of the pool
 * can be written. Rows are single agents, whatever copy they come from.
 */

import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import type { Engine, ParamGroup, Program } from '#core/engine/types.ts';
import type { Actions, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { sampleCategories, sampleGaussians } from '#math/sampling.ts';
import { createActor, type NetworkOptions } from '../../lib/ppo/networks.ts';
import { type SharedNetwork, shareNetworks } from '../../lib/sharing.ts';

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
  return { ...(shareNetworks(meta, 'shared').networks[0] as SharedNetwork), agents: [0] };
}

/** Observations and masks of these seats (copy * 2 + agent) into a program's inputs. */
export function seeSeats(program: Program, seats: Int32Array, meta: EnvMeta, obs: Float32Array, mask: Uint8Array | undefined): void {
  const { obsSize: O, actionCount: N } = meta;
  const into = program.in.obs as Float32Array;
  for (let r = 0; r < seats.length; r++) {
    const from = seats[r]! * O;
    for (let j = 0; j < O; j++) into[r * O + j] = obs[from + j]!;
  }
  const legal = program.in.mask;
  if (legal === undefined) return;
  if (mask === undefined) {
    legal.fill(1);
    return;
  }
  for (let r = 0; r < seats.length; r++) {
    const from = seats[r]! * N;
    for (let a = 0; a < N; a++) legal[r * N + a] = mask[from + a]!;
  }
}

/** Draws an action for every row of a program: as drawn to `drawn` [rows, D], ln p to `logProbs`, both from row `at` on. */
export function drawRows(
  { out }: Program,
  network: SharedNetwork,
  rows: number,
  rng: Rng,
  drawn: Float32Array,
  logProbs: Float32Array,
  at: number,
): void {
  if (network.discrete) sampleCategories(out.logProbs!, network.choices, rows, rng, drawn, logProbs, at);
  else sampleGaussians(out.mean!, out.logStd!, network.actionWidth, rows, rng, drawn, logProbs, at);
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

export interface Slot {
  /** Which member sits in it, by id; '' before the first. */
  id: string;
  readonly group: ParamGroup;
  seat(id: string, frozen: Frozen): void;
  /** Acts for these seats. */
  act(buffers: StepBuffers, actions: Actions, rng: Rng): Promise<void>;
}

/** `seats`: which rows of the environment it plays, always the same ones. */
export function createSlot(engine: Engine, name: string, meta: EnvMeta, seats: Int32Array, options: NetworkOptions): Slot {
  const network = seatNetwork(meta);
  const group = engine.group(name);
  const actor = createActor(group, network, meta.masked, options, Rng.from(0));
  const program = engine.compile((g) => actor.outputs(g, seats.length), { name: 'opponent' });
  const drawn = new Float32Array(seats.length * network.actionWidth);
  const unused = new Float32Array(seats.length);
  const slot: Slot = {
    id: '',
    group,
    seat(id, frozen) {
      slot.id = id;
      writeParams(engine, group, frozen);
    },
    async act({ obs, mask }, actions, rng) {
      seeSeats(program, seats, meta, obs, mask);
      const pending = program.run();
      if (pending) await pending;
      drawRows(program, network, seats.length, rng, drawn, unused, 0);
      seatActions(network, seats, drawn, 0, actions);
    },
  };
  return slot;
}
