/**
 * Which agents share a network. A plan has one or several networks; each serves agents of equal spaces and takes its own widths:
 * the environment's rows are padded to its widest agent, a network's are not. Rows of a network are [B, M, ...]: all copies, in
 * each its M agents by number. With `agentId` a one-hot number follows the observation, so that alike agents may act differently.
 *   grouped      one network per role (a group of the environment) and space: predators one, prey another
 *   shared       one network for all agents of equal spaces, whatever their role
 *   independent  one network per agent
 */
import { z } from 'zod';
import { type ActionSpace, type ObsSpace, obsSize } from '#contract/spaces.ts';
import { concat, sliceAxis } from '../../engine/ops.ts';
import type { Graph, Tensor } from '../../engine/types.ts';
import type { Actions, EnvMeta } from '../../envs/api/types.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';

export const sharingConfig = z.enum(['grouped', 'shared', 'independent']).default('grouped').meta({
  title: 'who shares a network',
  description: 'Agents of one role, all agents that see and do the same, or nobody.',
  source: 'MAPPO: agents that are alike share',
  group: 'team',
});
export const agentIdConfig = z.boolean().default(false).meta({
  title: 'agents know their number',
  description: 'Agents that share a network see who they are, so that they may act differently.',
  source: 'MAPPO (use_agent_id), EPyMARL',
  group: 'team',
});
export type SharingKind = z.infer<typeof sharingConfig>;

/** One network and whom it serves. */
export interface SharedNetwork {
  /** Unique and the same for the same team: prefixes of parameter groups and saved arrays. */
  readonly name: string;
  readonly agents: readonly number[]; // M numbers, ascending
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly obsWidth: number; // columns of its agents' own observations
  readonly ids: number; // columns of the one-hot number behind them; 0: none
  readonly inputs: number; // obsWidth + ids: columns of a row
  readonly discrete: boolean;
  readonly choices: number; // discrete actions, 0 for box
  readonly actionWidth: number; // numbers per action, 1 for discrete
}

export interface Sharing {
  readonly networks: readonly SharedNetwork[];
  readonly networkOf: Int32Array; // [A] index into networks
  readonly placeOf: Int32Array; // [A] place among that network's agents
}

export function shareNetworks(meta: EnvMeta, kind: SharingKind, agentId = false): Sharing {
  const agents = meta.agents.flatMap((group, role) =>
    group.names.slice(0, group.count).map((name) => ({ role, name, obs: group.obs, action: group.action })),
  );
  const keyOf = (agent: (typeof agents)[number], i: number): string => {
    const spaces = JSON.stringify([agent.obs, agent.action]);
    if (kind === 'independent') return String(i);
    return kind === 'shared' ? spaces : `${agent.role} ${spaces}`;
  };
  const keys = agents.map(keyOf);
  const distinct = [...new Set(keys)];
  const networks = distinct.map((key, k): SharedNetwork => {
    const members = keys.flatMap((other, i) => (other === key ? [i] : []));
    const { obs, action } = agents[members[0]!]!;
    const ids = agentId && members.length > 1 ? members.length : 0;
    const discrete = action.kind === 'discrete';
    return {
      name: distinct.length === 1 ? 'policy' : `policy${k}`,
      agents: members,
      obs,
      action,
      obsWidth: obsSize(obs),
      ids,
      inputs: obsSize(obs) + ids,
      discrete,
      choices: discrete ? action.n : 0,
      actionWidth: discrete ? 1 : action.size,
    };
  });
  return {
    networks,
    networkOf: Int32Array.from(keys, (key) => distinct.indexOf(key)),
    placeOf: Int32Array.from(keys, (key, i) => keys.slice(0, i).filter((other) => other === key).length),
  };
}

/** One number per agent and copy, [B, A] -> [B, M]. */
export function gatherAgents<T extends Float32Array | Uint8Array | Int32Array>(
  network: SharedNetwork,
  source: ArrayLike<number>,
  agentCount: number,
  out: T,
  at = 0,
): void {
  const { agents } = network;
  const M = agents.length;
  const batch = source.length / agentCount;
  for (let b = 0; b < batch; b++) for (let m = 0; m < M; m++) out[at + b * M + m] = source[b * agentCount + agents[m]!]!;
}

/** Observations [B, A, O] -> the network's rows [B, M, inputs], numbers included, from `at` on (in floats). */
export function gatherObs(network: SharedNetwork, source: Float32Array, meta: EnvMeta, out: Float32Array, at = 0): void {
  const { agents, obsWidth, inputs, ids } = network;
  const { agentCount: A, obsSize: O } = meta;
  const M = agents.length;
  if (M === A && inputs === O) {
    out.set(source, at); // one network for all, nothing added: the same rows
    return;
  }
  const batch = source.length / (A * O);
  for (let b = 0; b < batch; b++) {
    for (let m = 0; m < M; m++) {
      const from = (b * A + agents[m]!) * O;
      const to = at + (b * M + m) * inputs;
      for (let j = 0; j < obsWidth; j++) out[to + j] = source[from + j]!;
      for (let j = 0; j < ids; j++) out[to + obsWidth + j] = j === m ? 1 : 0;
    }
  }
}

/** Legal actions [B, A, N] -> [B, M, choices]. */
export function gatherMasks(network: SharedNetwork, source: Uint8Array, meta: EnvMeta, out: Float32Array, at = 0): void {
  const { agents, choices } = network;
  const { agentCount: A, actionCount: N } = meta;
  const M = agents.length;
  const batch = source.length / (A * N);
  for (let b = 0; b < batch; b++) {
    for (let m = 0; m < M; m++) {
      const from = (b * A + agents[m]!) * N;
      const to = at + (b * M + m) * choices;
      for (let a = 0; a < choices; a++) out[to + a] = source[from + a]!;
    }
  }
}

/** The network's actions [B, M, actionWidth] -> the environment's [B, A, D]; box actions are clipped to their bounds. */
export function scatterActions(network: SharedNetwork, source: Float32Array | Int32Array, meta: EnvMeta, out: Actions, at = 0): void {
  const { agents, action, actionWidth } = network;
  const { agentCount: A, actionSize: D } = meta;
  const M = agents.length;
  const batch = out.length / (A * D);
  for (let b = 0; b < batch; b++) {
    for (let m = 0; m < M; m++) {
      const from = at + (b * M + m) * actionWidth;
      const to = (b * A + agents[m]!) * D;
      for (let d = 0; d < actionWidth; d++) {
        const a = source[from + d]!;
        out[to + d] = action.kind === 'discrete' ? a : Math.min(action.high[d]!, Math.max(action.low[d]!, a));
      }
    }
  }
}

/** Columns that `encodeRows` gives. */
export const encodedInputs = (network: SharedNetwork): number => encodedSize(network.obs) + network.ids;

/** Rows [R, inputs] as a network wants them: the observation encoded by its space, then the one-hot number. */
export function encodeRows(g: Graph, rows: Tensor, network: SharedNetwork): Tensor {
  const seen = encode(g, rows, network.obs);
  return network.ids === 0 ? seen : concat([seen, sliceAxis(rows, 1, network.obsWidth, network.ids)], 1);
}
