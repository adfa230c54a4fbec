/**
 * Action values of a team, for Q-learning with replay (q-learning-team.ts) and without (pqn.ts): the network, epsilon-greedy
 * selection, the policy, and what a team must be like.
 * Each agent's row goes through the network that it shares (sharing.ts): dense layers, optionally layer-normalised, an optional
 * GRU, a linear head. Observations are [R, A, O] as the environment writes them, values [R, A, N]; actions that an agent does not
 * have get -1e8. Recurrent states are [R, A, S]; sequences have the time first and start from zero states.
 */
import { fail } from '#contract/errors.ts';
import { broadcastTo, concat, reshape, sliceAxis } from '#core/engine/ops.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { dense, type Net } from '#core/nets/mlp.ts';
import { maxQ } from '#core/nets/q-values.ts';
import { type Cell, gruCell, step, unroll } from '#core/nets/recurrent.ts';
import type { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';
import { encodedInputs, encodeRows, type ParameterSharing, type SharedNetwork, teamPolicy } from '../../lib/sharing.ts';

const ILLEGAL = -1e8;

export interface TeamQOptions {
  readonly hidden: readonly number[];
  readonly layerNorm?: boolean;
  /** Units of a GRU between the dense layers and the head; 0: none. */
  readonly gruUnits?: number;
}

export interface TeamQ {
  readonly stateSize: number; // S, 0 without a GRU
  /** obs [T, R, A, O] -> [T, R, A, N]. */
  sequence(obs: Tensor): Tensor;
  /** obs [R, A, O] and, if recurrent, state [R, A, S] -> [R, A, N] and the next state. */
  step(obs: Tensor, state: Tensor | null): { readonly q: Tensor; readonly state: Tensor | null };
  /** Outputs of network k for rows of its agents, as teamPolicy wants them. */
  outputs(g: Graph, k: number, rows: number): { readonly [name: string]: Tensor };
}

interface AgentNetwork {
  readonly shared: SharedNetwork;
  readonly body: Net; // [M, inputs] -> [M, H]
  readonly cell: Cell | null;
  readonly head: Net; // [M, H] -> [M, choices]
}

function agentNetwork(group: ParamGroup, rng: Rng, shared: SharedNetwork, options: TeamQOptions): AgentNetwork {
  const { hidden, layerNorm = false, gruUnits = 0 } = options;
  const sizes = [encodedInputs(shared), ...hidden];
  const layers = hidden.map((units, i) => dense(group, `${shared.name}.${i}`, rng, sizes[i]!, units, { act: 'relu', layerNorm }));
  const top = sizes.at(-1)!;
  const cell = gruUnits > 0 ? gruCell(group, `${shared.name}.memory`, rng, top, gruUnits) : null;
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

/** Observations [R, M, O] -> the network's rows [R * M, inputs], agent-ID one-hots included. */
function inputRows(obs: Tensor, { obsWidth, ids, inputs }: SharedNetwork): Tensor {
  const [R, M] = obs.shape as [number, number];
  const own = sliceAxis(obs, 2, 0, obsWidth);
  if (ids === 0) return reshape(own, [R * M, inputs]);
  const oneHots = Float32Array.from({ length: M * ids }, (_, i) => (Math.floor(i / ids) === i % ids ? 1 : 0));
  return reshape(concat([own, broadcastTo(obs.graph.constant(oneHots, [1, M, ids]), [R, M, ids])], 2), [R * M, inputs]);
}

/** Values [R * M, choices] -> [R, M, N], -1e8 for actions that these agents do not have. */
function padActions(q: Tensor, rows: number, choices: number, N: number): Tensor {
  const all = q.shape[0]!;
  const wide = choices === N ? q : concat([q, broadcastTo(q.graph.constant(ILLEGAL, [1, 1]), [all, N - choices])], 1);
  return reshape(wide, [rows, all / rows, N]);
}

/** q [..., A, N] with illegal actions at -1e8; mask: 1 legal, 0 not, undefined: all legal. */
export const maskActions = (q: Tensor, mask: Tensor | undefined): Tensor => (mask === undefined ? q : maskLogits(q, mask));

/** Parameters go into `group`, one set per network of `sharing`. */
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
        if (cell === null) return padActions(head(features), T * R, shared.choices, N);
        const xs = reshape(features, [T, R * M, features.shape[1]!]);
        const { outputs } = unroll(cell, xs, obs.graph.constant(0, [R * M, S]));
        return padActions(head(reshape(outputs, [T * R * M, cell.outputs])), T * R, shared.choices, N);
      });
      return reshape(joinAgents(parts, sharing), [T, R, A, N]);
    },
    step(obs, state) {
      const R = obs.shape[0]!;
      const states: Tensor[] = [];
      const parts = networks.map(({ shared, body, cell, head }) => {
        const M = shared.agents.length;
        const features = body(inputRows(pickAgents(obs, shared.agents), shared));
        if (cell === null || state === null) return padActions(head(features), R, shared.choices, N);
        const next = step(cell, features, reshape(pickAgents(state, shared.agents), [R * M, S]));
        states.push(reshape(next.state, [R, M, S]));
        return padActions(head(next.output), R, shared.choices, N);
      });
      return { q: joinAgents(parts, sharing), state: states.length === 0 ? null : joinAgents(states, sharing) };
    },
    outputs(g, k, rows) {
      const { shared, body, cell, head } = networks[k]!;
      const features = body(g.input('obs', [rows, shared.inputs]));
      const next = cell === null ? null : step(cell, features, g.input('state', [rows, S]));
      const q = head(next?.output ?? features);
      const value = maxQ(meta.masked ? maskLogits(q, g.input('mask', [rows, shared.choices])) : q);
      return next === null ? { q, value } : { q, value, state: next.state };
    },
  };
}

/** The policy of this network, epsilon-greedy unless asked to be greedy; `owned`: disposing of it frees the engine. */
export function teamQPolicy(
  engine: Engine,
  q: TeamQ,
  sharing: ParameterSharing,
  meta: EnvMeta,
  epsilon: () => number,
  owned = false,
): Policy {
  return teamPolicy({
    meta,
    sharing,
    epsilon,
    stateSize: q.stateSize,
    compile: (k, rows) => engine.compile((g) => q.outputs(g, k, rows), { name: 'team policy' }),
    ...(owned && { dispose: () => engine.dispose() }),
  });
}

export interface Selection {
  readonly q: Float32Array; // [B, A, N], -1e8 where an action is illegal or does not exist
  readonly mask: Uint8Array | undefined; // [B, A, N]
  readonly epsilon: number;
  readonly rng: Rng;
  readonly sharing: ParameterSharing;
  readonly meta: EnvMeta;
}

/** Epsilon-greedy actions [B, A] into `out`; each agent explores independently of the others. */
export function selectActions({ q, mask, epsilon, rng, sharing, meta }: Selection, out: Int32Array): void {
  const { agentCount: A, actionCount: N } = meta;
  for (let row = 0; row < out.length; row++) {
    const n = sharing.networks[sharing.agentToNetwork[row % A]!]!.choices;
    const random = epsilon > 0 && rng.uniform() < epsilon;
    out[row] = random ? randomAction(rng, n, mask, row * N) : argmax(q, row * N, n, mask, row * N);
  }
}

/** Team reward: the sum of `agents` rewards from index `at` on. */
export function teamReward(reward: Float32Array, at: number, agents: number): number {
  let total = 0;
  for (let a = at; a < at + agents; a++) total += reward[a]!;
  return total;
}

/** Throws LabError('incompatible') for continuous actions and vector rewards. */
export function checkDiscreteTeam(meta: EnvMeta, title: string): void {
  if (meta.agents.some(({ action }) => action.kind !== 'discrete')) {
    throw fail(
      'incompatible',
      `${title} needs discrete actions; here they are continuous.`,
      'Choose another environment or algorithm.',
      'env.id',
    );
  }
  if (meta.rewards.length > 1) {
    throw fail(
      'incompatible',
      `${title} needs one reward; this environment gives ${meta.rewards.join(', ')}.`,
      'Choose another environment.',
      'env.id',
    );
  }
}
