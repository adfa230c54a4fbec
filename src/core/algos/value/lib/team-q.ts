/**
 * Action values of a whole team in one program: every agent's row goes through the network that serves it (sharing.ts): dense
 * layers (each normalised, if asked), a GRU if asked, a head. Rows are [R, A, O] as the environment writes them, values [R, A, N];
 * actions that an agent does not have get -1e8. Memories are [R, A, S]; sequences start from empty ones and have the time first.
 */
import { broadcastTo, concat, reshape, sliceAxis } from '#core/engine/ops.ts';
import type { Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { dense, type Net } from '#core/nets/mlp.ts';
import { type Cell, gruCell, step, unroll } from '#core/nets/recurrent.ts';
import type { Rng } from '#math/rng.ts';
import { encodedInputs, encodeRows, type ParameterSharing, type SharedNetwork } from '../../lib/sharing.ts';
import { highest } from '../../lib/targets.ts';

const NEVER = -1e8;

export interface TeamQOptions {
  readonly hidden: readonly number[];
  readonly layerNorm?: boolean;
  /** GRU units behind the dense layers; 0: no memory. */
  readonly memory?: number;
}

export interface TeamQ {
  readonly stateSize: number; // S
  /** obs [T, R, A, O] -> [T, R, A, N]. */
  sequence(obs: Tensor): Tensor;
  /** obs [R, A, O] and, with a memory, state [R, A, S] -> [R, A, N] and the next state. */
  step(obs: Tensor, state: Tensor | null): { readonly q: Tensor; readonly state: Tensor | null };
  /** What team-policy.ts asks of network k for rows of its agents. */
  outputs(g: Graph, k: number, rows: number): { readonly [name: string]: Tensor };
}

interface AgentNetwork {
  readonly shared: SharedNetwork;
  readonly body: Net; // [M, inputs] -> [M, H]
  readonly cell: Cell | null;
  readonly head: Net; // [M, H] -> [M, choices]
}

function agentNetwork(group: ParamGroup, rng: Rng, shared: SharedNetwork, options: TeamQOptions): AgentNetwork {
  const { hidden, layerNorm = false, memory = 0 } = options;
  const sizes = [encodedInputs(shared), ...hidden];
  const layers = hidden.map((units, i) => dense(group, `${shared.name}.${i}`, rng, sizes[i]!, units, { act: 'relu', layerNorm }));
  const top = sizes.at(-1)!;
  const cell = memory > 0 ? gruCell(group, `${shared.name}.memory`, rng, top, memory) : null;
  const head = dense(group, `${shared.name}.q`, rng, cell?.outputs ?? top, shared.choices, { gain: 1 });
  return { shared, body: (x) => layers.reduce((h, layer) => layer(h), encodeRows(x.graph, x, shared)), cell, head };
}

/** Columns of some agents, [R, A, W] -> [R, M, W]. */
function pickAgents(x: Tensor, agents: readonly number[]): Tensor {
  if (agents.length === x.shape[1]) return x;
  const first = agents[0]!;
  if (agents.at(-1)! - first === agents.length - 1) return sliceAxis(x, 1, first, agents.length);
  return concat(
    agents.map((i) => sliceAxis(x, 1, i, 1)),
    1,
  );
}

/** Each network's rows [R, M, W] back into the order of the agents, [R, A, W]. */
function joinAgents(parts: readonly Tensor[], { agentToNetwork, agentSlot }: ParameterSharing): Tensor {
  if (parts.length === 1) return parts[0]!;
  return concat(
    [...agentToNetwork].map((k, i) => sliceAxis(parts[k]!, 1, agentSlot[i]!, 1)),
    1,
  );
}

/** Observations [R, M, O] -> the network's rows [R * M, inputs], one-hot numbers included. */
function inputRows(obs: Tensor, { obsWidth, ids, inputs }: SharedNetwork): Tensor {
  const [R, M] = obs.shape as [number, number];
  const own = sliceAxis(obs, 2, 0, obsWidth);
  if (ids === 0) return reshape(own, [R * M, inputs]);
  const numbers = Float32Array.from({ length: M * ids }, (_, i) => (Math.floor(i / ids) === i % ids ? 1 : 0));
  return reshape(concat([own, broadcastTo(obs.graph.constant(numbers, [1, M, ids]), [R, M, ids])], 2), [R * M, inputs]);
}

/** Values [M, choices] -> [R, M / R, N]: what an agent cannot choose is worth -1e8. */
function padded(q: Tensor, rows: number, choices: number, N: number): Tensor {
  const all = q.shape[0]!;
  const wide = choices === N ? q : concat([q, broadcastTo(q.graph.constant(NEVER, [1, 1]), [all, N - choices])], 1);
  return reshape(wide, [rows, all / rows, N]);
}

/** q [R, A, N] with what this program's input `mask` forbids at -1e8. */
export function maskActions(q: Tensor, meta: EnvMeta): Tensor {
  return meta.masked ? maskLogits(q, q.graph.input('mask', [...q.shape])) : q;
}

export function teamQ(group: ParamGroup, rng: Rng, meta: EnvMeta, sharing: ParameterSharing, options: TeamQOptions): TeamQ {
  const { agentCount: A, obsSize: O, actionCount: N } = meta;
  const networks = sharing.networks.map((shared) => agentNetwork(group, rng, shared, options));
  const S = networks[0]!.cell?.stateSize ?? 0;
  return {
    stateSize: S,
    sequence(obs) {
      const [T, R] = obs.shape as [number, number];
      const flat = reshape(obs, [T * R, A, O]);
      const parts = networks.map(({ shared, body, cell, head }) => {
        const M = shared.agents.length;
        const features = body(inputRows(pickAgents(flat, shared.agents), shared)); // [T * R * M, H]
        if (cell === null) return padded(head(features), T * R, shared.choices, N);
        const xs = reshape(features, [T, R * M, features.shape[1]!]);
        const { outputs } = unroll(cell, xs, obs.graph.constant(0, [R * M, S]));
        return padded(head(reshape(outputs, [T * R * M, cell.outputs])), T * R, shared.choices, N);
      });
      return reshape(joinAgents(parts, sharing), [T, R, A, N]);
    },
    step(obs, state) {
      const R = obs.shape[0]!;
      const states: Tensor[] = [];
      const parts = networks.map(({ shared, body, cell, head }) => {
        const M = shared.agents.length;
        const features = body(inputRows(pickAgents(obs, shared.agents), shared));
        if (cell === null || state === null) return padded(head(features), R, shared.choices, N);
        const next = step(cell, features, reshape(pickAgents(state, shared.agents), [R * M, S]));
        states.push(reshape(next.state, [R, M, S]));
        return padded(head(next.output), R, shared.choices, N);
      });
      return { q: joinAgents(parts, sharing), state: states.length === 0 ? null : joinAgents(states, sharing) };
    },
    outputs(g, k, rows) {
      const { shared, body, cell, head } = networks[k]!;
      const features = body(g.input('obs', [rows, shared.inputs]));
      const next = cell === null ? null : step(cell, features, g.input('state', [rows, S]));
      const q = head(next?.output ?? features);
      const value = highest(meta.masked ? maskLogits(q, g.input('mask', [rows, shared.choices])) : q);
      return next === null ? { q, value } : { q, value, state: next.state };
    },
  };
}
