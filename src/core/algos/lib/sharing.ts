/**
 * Parameter sharing: which agents share a network, and the policy of such a team. A plan has one or several networks; each serves
 * agents of equal spaces and takes its own widths: the environment's rows are padded to its widest agent, a network's are not. Rows of
 * a network are [B, M, ...]: all environments, in each its M agents by index. With `agentId` a one-hot index follows the observation,
 * so that alike agents may act differently.
 *   grouped      one network per role (a group of the environment) and space: predators one, prey another
 *   shared       one network for all agents of equal spaces, whatever their role
 *   independent  one network per agent
 */

import type { z } from 'zod';
import { type ActionSpace, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import { concat, sliceAxis } from '#core/engine/ops.ts';
import type { Graph, Program, Tensor } from '#core/engine/types.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import type { Normaliser } from '#core/nets/agent-network.ts';
import { chunkSize } from '#core/nets/chunks.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { type SplitNetwork, splitNetwork } from '#core/nets/split-network.ts';
import { exp } from '#math/functions.ts';
import { giveRows, takeRows } from '#math/rows.ts';
import { argmax, categorical, normal, randomAction } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import type { Act, ActQuery, Policy } from '../api/types.ts';

export const sharingConfig = fields.sharing();
export type SharingKind = z.infer<typeof sharingConfig>;

/** One network and the agents it serves. */
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

export interface ParameterSharing {
  readonly networks: readonly SharedNetwork[];
  readonly agentToNetwork: Int32Array; // [A] index into networks
  readonly agentSlot: Int32Array; // [A] place among that network's agents
}

export function shareNetworks(meta: EnvMeta, kind: SharingKind, agentId = false): ParameterSharing {
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
    agentToNetwork: Int32Array.from(keys, (key) => distinct.indexOf(key)),
    agentSlot: Int32Array.from(keys, (key, i) => keys.slice(0, i).filter((other) => other === key).length),
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

const NEVER = -1e8;

/** Rows of a query that belong together: where they begin, and how many (A: a whole team, agents 0 .. A - 1 in order; 1: an agent alone). */
export function teamsOf({ rows, agent }: ActQuery, agents: number): { readonly first: number; readonly size: number }[] {
  const found: { first: number; size: number }[] = [];
  for (let row = 0; row < rows; ) {
    let whole = row + agents <= rows;
    for (let i = 0; i < agents && whole; i++) whole = agent[row + i] === i;
    found.push({ first: row, size: whole ? agents : 1 });
    row += whole ? agents : 1;
  }
  return found;
}

export interface TeamPolicyOptions {
  readonly meta: EnvMeta;
  readonly sharing: ParameterSharing;
  /**
   * The program of a network: inputs `obs` [rows, inputs], `mask` [rows, choices] where the environment masks, and `state` [rows, S]
   * if it is recurrent; outputs some of `logits`, `q` [rows, choices], `mean`, `logStd` [rows, D], `value` [rows] and `state`.
   */
  compile(network: number, rows: number): Program;
  /** What normalises a network's rows, the agent's number included. */
  normaliser?(network: number): Normaliser | null;
  /** Values in units of the reward, in place, where the network's own numbers are others. */
  restore?(network: number, values: Float32Array): void;
  /** Recurrent: columns of the state that a row carries, the same for every network; it starts at 0. */
  readonly stateSize?: number;
  /** Further inputs of a program: row i of it is the answer for row rows[from + i] of the query. */
  feedMore?(program: Program, rows: Int32Array, from: number, count: number): void;
  /** What action values explore with when not greedy. */
  readonly epsilon?: () => number;
  dispose?(): void;
}

/** The policy of a team. Actions that a narrower network does not have get logits and values of -1e8. */
export function teamPolicy(options: TeamPolicyOptions): Policy {
  const { meta, sharing, stateSize = 0 } = options;
  const { obsSize: O, actionCount: N, actionSize: D } = meta;
  const programs = new Map<string, Program>();
  const widths = { logits: N, q: N, mean: D, logStd: D, value: 1 } as const;
  type Name = keyof typeof widths;
  type Outputs = { [K in Name]?: Float32Array };

  const names = Object.keys(widths) as Name[];
  const actors = new Map<string, Program>();
  const cuts = new Map<string, SplitNetwork | null>();
  let asked = new Int32Array(0);

  function programOf(network: number, rows: number): Program {
    const key = `${network} ${rows}`;
    let found = programs.get(key);
    if (found === undefined) programs.set(key, (found = options.compile(network, rows)));
    return found;
  }

  /** Without the part of the network that only the value needs. */
  function actorOf(network: number, rows: number): Program {
    const key = `${network} ${rows}`;
    let found = actors.get(key);
    if (found === undefined) {
      const acting = (name: string): boolean => name === 'state' || (name !== 'value' && name in widths);
      const change = (outputs: { readonly [name: string]: Tensor }) =>
        Object.fromEntries(Object.entries(outputs).filter(([name]) => acting(name)));
      actors.set(key, (found = programOf(network, rows).derive(change)));
    }
    return found;
  }

  function normalise(network: number, rows: Float32Array): void {
    const normaliser = options.normaliser?.(network);
    normaliser?.moments.normalise(rows, rows, normaliser.clip);
  }

  /** An observation as the network wants it, but not normalised: its own columns, then its agent's number. */
  function place(network: SharedNetwork, agent: number, obs: Float32Array, from: number, into: Float32Array, to: number): void {
    const { obsWidth, ids, inputs } = network;
    const number = sharing.agentSlot[agent]!;
    for (let j = 0; j < obsWidth; j++) into[to * inputs + j] = obs[from * O + j]!;
    for (let j = 0; j < ids; j++) into[to * inputs + obsWidth + j] = j === number ? 1 : 0;
  }

  /** Rows asked[from .. from + count - 1] of the query into a program's inputs. */
  function feed(network: SharedNetwork, program: Program, query: ActQuery, from: number, count: number): void {
    const { obs, mask, state } = program.in;
    const { choices } = network;
    const into = present(obs, 'the input "obs"');
    for (let i = 0; i < count; i++) {
      const row = asked[from + i]!;
      place(network, query.agent[row]!, query.obs, row, into, i);
      if (mask !== undefined) for (let a = 0; a < choices; a++) mask[i * choices + a] = query.mask?.[row * N + a] ?? 1;
    }
    if (state !== undefined) takeRows(asked, from, count, query.hidden, stateSize, state);
    options.feedMore?.(program, asked, from, count);
  }

  /** The other way round: the program's outputs to those rows of the answer. */
  function fetch(program: Program, size: number, from: number, count: number, rows: number, outputs: Outputs): void {
    for (const name of names) {
      const found = program.out[name];
      if (found === undefined) continue;
      const width = widths[name];
      const own = found.length / size;
      const all = (outputs[name] ??= new Float32Array(rows * width).fill(name === 'logits' || name === 'q' ? NEVER : 0));
      if (own === width) giveRows(asked, from, count, found, width, all);
      else for (let i = 0; i < count; i++) for (let j = 0; j < own; j++) all[asked[from + i]! * width + j] = found[i * own + j]!;
    }
  }

  function choose(query: ActQuery, { logits, q, mean, logStd }: Outputs): Act['actions'] {
    const { rows, rng, greedy, mask, unread } = query;
    if (mean !== undefined && logStd !== undefined) {
      const actions = new Float32Array(rows * D);
      for (let row = 0; row < rows; row++) {
        const { action } = sharing.networks[sharing.agentToNetwork[query.agent[row]!]!]!;
        if (action.kind !== 'box') continue;
        for (let d = 0; d < action.size; d++) {
          const i = row * D + d;
          const drawn = greedy ? mean[i]! : mean[i]! + exp(logStd[i]!) * normal(rng);
          actions[i] = Math.min(action.high[d]!, Math.max(action.low[d]!, drawn));
        }
      }
      return actions;
    }
    const actions = new Int32Array(rows);
    for (let row = 0; row < rows; row++) {
      if (unread?.[row] === 1) continue;
      const n = sharing.networks[sharing.agentToNetwork[query.agent[row]!]!]!.choices;
      const at = row * N;
      if (logits !== undefined) actions[row] = greedy ? argmax(logits, at, n) : categorical(logits, at, n, rng.uniform());
      else if (!greedy && rng.uniform() < (options.epsilon?.() ?? 0)) actions[row] = randomAction(rng, n, mask, at);
      else actions[row] = argmax(q as Float32Array, at, n, mask, at);
    }
    return actions;
  }

  return {
    initial: (rows) => new Float32Array(rows * stateSize),
    async act(query): Promise<Act> {
      const { rows, agent, valueless } = query;
      // a recurrent state has to follow the episode, read or not
      const unread = stateSize > 0 ? undefined : query.unread;
      const outputs: Outputs = {};
      const hidden = new Float32Array(rows * stateSize);
      if (asked.length < rows) asked = new Int32Array(rows);
      for (const [k, network] of sharing.networks.entries()) {
        let total = 0;
        let other = -1; // served, but not read: asked if no other is, so that an answer has all its parts
        for (let row = 0; row < rows; row++) {
          if (sharing.agentToNetwork[agent[row]!] !== k) continue;
          if (unread?.[row] === 1) other = row;
          else asked[total++] = row;
        }
        if (total === 0 && other >= 0) asked[total++] = other;
        for (let from = 0; from < total; ) {
          const size = chunkSize(total - from);
          const count = Math.min(size, total - from);
          const program = valueless === true ? actorOf(k, size) : programOf(k, size);
          feed(network, program, query, from, count);
          normalise(k, present(program.in.obs, 'the input "obs"').subarray(0, count * network.inputs));
          const pending = program.run();
          if (pending) await pending;
          if (program.out.value !== undefined) options.restore?.(k, program.out.value);
          fetch(program, size, from, count, rows, outputs);
          if (program.out.state !== undefined) giveRows(asked, from, count, program.out.state, stateSize, hidden);
          from += count;
        }
      }
      return { actions: choose(query, outputs), hidden, ...outputs };
    },
    split(output, agent) {
      const key = `${output} ${agent}`;
      let found = cuts.get(key);
      if (found === undefined) {
        const k = sharing.agentToNetwork[agent]!;
        const network = sharing.networks[k]!;
        const write = (obs: Float32Array, from: number, count: number, into: Float32Array): void => {
          for (let i = 0; i < count; i++) place(network, agent, obs, from + i, into, i);
          normalise(k, into.subarray(0, count * network.inputs));
        };
        const restore = (values: Float32Array): void => options.restore?.(k, values);
        found = stateSize > 0 ? null : splitNetwork({ program: (rows) => programOf(k, rows), feed: write, restore }, output);
        cuts.set(key, found);
      }
      return found;
    },
    network(agent) {
      const k = sharing.agentToNetwork[agent]!;
      const { obsWidth, ids, action } = sharing.networks[k]!;
      const number = Array.from({ length: ids }, (_, i) => Number(i === sharing.agentSlot[agent]));
      return {
        program: (rows) => programOf(k, rows),
        obsWidth,
        number,
        normaliser: options.normaliser?.(k) ?? null,
        restore: (values) => options.restore?.(k, values),
        box: action.kind === 'box' ? { form: 'clipped', low: action.low, high: action.high } : null,
      };
    },
    dispose() {
      options.dispose?.();
    },
  };
}
