/**
 * The input of a centralised critic: the observations and actions of all agents side by side, cut out of the environment's padded rows
 * [M, A * O] and [M, A * D]. Discrete actions are one-hot, continuous ones stand in [-1, 1] per dimension.
 */
import { fail } from '#contract/kit/errors.ts';
import { concat, oneHot, reshape, sliceAxis } from '../../engine/ops.ts';
import type { Graph, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { checkOneReward } from '../api/guards.ts';
import type { ParameterSharing, SharedNetwork } from './sharing.ts';

/** One agent of a team. */
export interface Member {
  readonly agent: number;
  readonly network: SharedNetwork;
  readonly index: number; // of its network
  readonly place: number; // among its network's agents
}

export function membersOf(sharing: ParameterSharing): readonly Member[] {
  return Array.from(sharing.agentToNetwork, (index, agent) => ({
    agent,
    network: sharing.networks[index]!,
    index,
    place: sharing.agentSlot[agent]!,
  }));
}

/** Columns of an agent's action as a critic sees it. */
export const actionColumns = ({ discrete, choices, actionWidth }: SharedNetwork): number => (discrete ? choices : actionWidth);

/** Columns of all observations, encoded, side by side. */
export const jointObsSize = (members: readonly Member[]): number => members.reduce((sum, { network }) => sum + encodedSize(network.obs), 0);
export const jointActionSize = (members: readonly Member[]): number =>
  members.reduce((sum, { network }) => sum + actionColumns(network), 0);

/** Rows of the agent's own network: [M, A * O] -> [M, encodedInputs]. */
export function ownRows(g: Graph, all: Tensor, { agent, network, place }: Member, meta: EnvMeta): Tensor {
  const seen = encode(g, sliceAxis(all, 1, agent * meta.obsSize, meta.obsSize), network.obs);
  return network.ids === 0 ? seen : withNumber(g, seen, network.ids, place);
}

/** A one-hot number behind every row. */
export function withNumber(g: Graph, rows: Tensor, count: number, number: number): Tensor {
  const M = rows.shape[0]!;
  const hot = Float32Array.from({ length: M * count }, (_, i) => (i % count === number ? 1 : 0));
  return concat([rows, g.constant(hot, [M, count])], 1);
}

export function jointObs(g: Graph, all: Tensor, members: readonly Member[], meta: EnvMeta): Tensor {
  return side(members.map(({ agent, network }) => encode(g, sliceAxis(all, 1, agent * meta.obsSize, meta.obsSize), network.obs)));
}

/** One agent's column of legal actions in [M, A * N]: [M, choices]. */
export const ownMask = (all: Tensor, { agent, network }: Member, meta: EnvMeta): Tensor =>
  sliceAxis(all, 1, agent * meta.actionCount, network.choices);

/** What each agent did, from [M, A * D] as the replay memory keeps it. */
export function actionsOf(all: Tensor, members: readonly Member[], meta: EnvMeta): Tensor[] {
  return members.map(({ agent, network }) => {
    const own = sliceAxis(all, 1, agent * meta.actionSize, network.actionWidth);
    return network.discrete ? oneHot(reshape(own, [own.shape[0]!]), network.choices) : own;
  });
}

export const side = (parts: readonly Tensor[]): Tensor => (parts.length === 1 ? parts[0]! : concat(parts, 1));

/** Throws LabError('incompatible') for vector rewards and for teams of which some choose and others steer. */
export function checkTeam(meta: EnvMeta, title: string): void {
  const refuse = (why: string) => fail('incompatible', `${title} ${why}.`, 'Choose another environment or algorithm.', 'env.id');
  checkOneReward(meta, title);
  if (new Set(meta.agents.map(({ action }) => action.kind)).size > 1) throw refuse('needs a team that either chooses or steers');
  if (meta.actionCount > 0) return;
  const bounds = meta.agents.flatMap(({ action }) => (action.kind === 'box' ? [...action.low, ...action.high] : []));
  if (!bounds.every(Number.isFinite)) throw refuse('needs bounds on continuous actions');
}
