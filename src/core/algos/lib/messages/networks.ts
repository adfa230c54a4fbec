/**
 * Pieces of networks that read a whole team at once: tensors are [B, A, ...], B copies of a team of A agents. Agents of different
 * roles keep encoders and heads of their own (sharing.ts); what lies between them is as wide for all, so that they can communicate.
 */

import { gradients } from '#core/engine/autodiff.ts';
import {
  broadcastTo,
  concat,
  logSoftmax,
  mean,
  mul,
  neg,
  pick,
  reshape,
  sliceAxis,
  square,
  sub,
  sum,
  tanh,
  where,
} from '#core/engine/ops.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode } from '#core/nets/encoder.ts';
import { zeros } from '#core/nets/init.ts';
import { dense, type Net } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';
import { encodedInputs, type ParameterSharing, type SharedNetwork } from '../sharing.ts';

/** What one step of a team is computed from. */
export interface TeamInputs {
  readonly obs: Tensor; // [B, A, O]
  readonly gate: Tensor; // [B, A] 1: delivered, 0: the message that this agent sends (HAMMER: receives) is replaced by zeros
  readonly state?: Tensor | undefined; // [B, A, S] what agents carry from step to step
  readonly noise?: Tensor | undefined; // [B, A, Z] standard normal numbers, where the channel is noisy
}

/** An input that this network cannot do without. */
export function required(x: Tensor | undefined, name: string): Tensor {
  if (x === undefined) throw new Error(`This network needs the input "${name}".`);
  return x;
}

export interface TeamOutputs {
  readonly head: Tensor; // [B, A, W] logits, or means of continuous actions
  readonly value: Tensor; // [B, A]
  readonly messages: Tensor; // [B, A, M]
  readonly state?: Tensor; // [B, A, S]
}

/** A whole team as one network. */
export interface TeamNetwork {
  readonly group: ParamGroup; // what is learned
  readonly frozen?: ParamGroup; // what only acts
  readonly sharing: ParameterSharing;
  readonly messageSize: number; // M
  readonly topology?: 'peer' | 'central'; // agents send messages to each other (default), or one messenger sends each agent its message
  readonly stateSize: number; // S
  readonly noiseSize: number; // Z
  readonly noiseInUse?: boolean; // noise is the message itself, not only a help while learning
  /** `noisy`: as while training, where the channel may have noise; otherwise as in use. */
  apply(inputs: TeamInputs, noisy: boolean): TeamOutputs;
  /** [A, D] continuous actions only. */
  logStd(g: Graph): Tensor;
}

/** [B, A, X] -> [B, M, X]: the agents that one network serves. */
export function membersOf(x: Tensor, { agents }: SharedNetwork): Tensor {
  const [first = 0] = agents;
  const inRow = agents.every((agent, i) => agent === first + i);
  if (inRow) return agents.length === x.shape[1] ? x : sliceAxis(x, 1, first, agents.length);
  return concat(
    agents.map((agent) => sliceAxis(x, 1, agent, 1)),
    1,
  );
}

/** One [B, M, X] per network -> [B, A, X] by number. */
export function together(parts: readonly Tensor[], { networks, agentToNetwork, agentSlot }: ParameterSharing): Tensor {
  if (parts.length === 1) return parts[0]!;
  const inRow = networks.flatMap(({ agents }) => agents).every((agent, i) => agent === i);
  if (inRow) return concat(parts, 1);
  return concat(
    Array.from(agentToNetwork, (network, agent) => sliceAxis(parts[network]!, 1, agentSlot[agent]!, 1)),
    1,
  );
}

/** Observations [B, A, O] as each network wants them: encoded by their space, then the agent's number. [B, M, encodedInputs] */
export function seenBy(obs: Tensor, sharing: ParameterSharing): Tensor[] {
  return sharing.networks.map((network) => {
    const rows = membersOf(obs, network);
    const [teams, members, width] = rows.shape as [number, number, number];
    const flat = encode(rows.graph, reshape(rows, [teams * members, width]), network.obs);
    const seen = reshape(flat, [teams, members, flat.shape[1]!]);
    if (network.ids === 0) return seen;
    const numbers = Float32Array.from({ length: members * members }, (_, i) => Number(i % members === Math.floor(i / members)));
    return concat([seen, broadcastTo(rows.graph.constant(numbers, [members, members]), [teams, members, members])], 2);
  });
}

/** A layer of its own per network: [B, M, I_k] each -> [B, A, O]. */
export function rolewise(
  group: ParamGroup,
  name: string,
  rng: Rng,
  sharing: ParameterSharing,
  inputs: (network: SharedNetwork) => number,
  outputs: number,
  options: { readonly act?: 'tanh' | 'none'; readonly gain?: number },
): (parts: readonly Tensor[]) => Tensor {
  const layers: Net[] = sharing.networks.map((network) => dense(group, `${network.name}.${name}`, rng, inputs(network), outputs, options));
  return (parts) =>
    together(
      parts.map((part, k) => layers[k]!(part)),
      sharing,
    );
}

/** Action heads: logits of as many actions as the widest agent has (its missing ones -1e8), or means padded with zeros. */
export function actionHeads(group: ParamGroup, rng: Rng, sharing: ParameterSharing, meta: EnvMeta, width: number) {
  const discrete = meta.actionCount > 0;
  const wide = discrete ? meta.actionCount : meta.actionSize;
  const heads = sharing.networks.map((network) =>
    dense(group, `${network.name}.act`, rng, width, discrete ? network.choices : network.actionWidth, { gain: 0.01 }),
  );
  const spreads = discrete
    ? []
    : sharing.networks.map((network) => group.param(`${network.name}.logStd`, [network.actionWidth], zeros(network.actionWidth)));
  const padded = (x: Tensor, by: number): Tensor => {
    const missing = wide - x.shape[x.shape.length - 1]!;
    if (missing === 0) return x;
    const shape = [...x.shape.slice(0, -1), missing];
    return concat([x, broadcastTo(x.graph.constant(by), shape)], -1);
  };
  return {
    /** [B, A, H] -> [B, A, W] */
    head: (hidden: Tensor): Tensor =>
      together(
        sharing.networks.map((network, k) => padded(heads[k]!(membersOf(hidden, network)), discrete ? -1e8 : 0)),
        sharing,
      ),
    logStd(g: Graph): Tensor {
      const parts = sharing.networks.map(({ agents }, k) => {
        const own = g.read(spreads[k]!);
        return broadcastTo(padded(own, 0), [1, agents.length, wide]);
      });
      return reshape(together(parts, sharing), [meta.agentCount, wide]);
    },
  };
}

/**
 * Values of all agents, for training only: each from the agent's own observation and from the mean over all agents. The critic never
 * reads messages, so that a silent team has the same critic as one that communicates.
 */
export function pooledCritic(group: ParamGroup, rng: Rng, sharing: ParameterSharing, width: number): (seen: readonly Tensor[]) => Tensor {
  const see = rolewise(group, 'critic.see', rng, sharing, encodedInputs, width, { act: 'tanh' });
  const think = rolewise(group, 'critic.think', rng, sharing, () => 2 * width, width, { act: 'tanh' });
  const judge = rolewise(group, 'critic.value', rng, sharing, () => width, 1, { gain: 1 });
  return (seen) => {
    const own = see(seen);
    const all = broadcastTo(mean(own, 1, true), own.shape);
    const parts = (x: Tensor): Tensor[] => sharing.networks.map((network) => membersOf(x, network));
    const value = judge(parts(think(parts(concat([own, all], 2)))));
    return reshape(value, value.shape.slice(0, 2));
  };
}

/** [B, A] times [B, A, X]. */
export const gated = (x: Tensor, gate: Tensor): Tensor => mul(x, reshape(gate, [...gate.shape, 1]));

/** Two tanh layers from [B, M, I_k] to [B, A, width]. */
export function body(
  group: ParamGroup,
  name: string,
  rng: Rng,
  sharing: ParameterSharing,
  inputs: (network: SharedNetwork) => number,
  width: number,
): (parts: readonly Tensor[]) => Tensor {
  const first = rolewise(group, `${name}.0`, rng, sharing, inputs, width, { act: 'tanh' });
  const second = rolewise(group, `${name}.1`, rng, sharing, () => width, width, {});
  return (parts) => {
    const h = first(parts);
    return tanh(second(sharing.networks.map((network) => membersOf(h, network))));
  };
}

/** Logits, masked ones -1e8. */
export function legal(head: Tensor, mask: Tensor | undefined): Tensor {
  return mask === undefined ? head : where(mask, head, -1e8);
}

/** [A, D] 1 where an agent has this number of its action. */
export function usedNumbers(meta: EnvMeta, net: TeamNetwork): Float32Array {
  const { networks, agentToNetwork } = net.sharing;
  const D = meta.actionSize;
  return Float32Array.from({ length: meta.agentCount * D }, (_, i) =>
    Number(i % D < networks[agentToNetwork[Math.floor(i / D)]!]!.actionWidth),
  );
}

/** Shapes of the inputs of one acting step of B teams. */
export function stepInputs(net: TeamNetwork, meta: EnvMeta, teams: number, noisy: boolean) {
  const { agentCount: A, obsSize, actionCount, masked } = meta;
  const { stateSize: S, noiseSize: Z, noiseInUse = false } = net;
  return {
    obs: [teams, A, obsSize],
    gate: [teams, A],
    state: S > 0 ? [teams, A, S] : null,
    noise: Z > 0 && (noisy || noiseInUse) ? [teams, A, Z] : null,
    mask: masked ? [teams, A, actionCount] : null,
  };
}

/** Of all agents, one after the other: rows [B A]. */
export type StepOutputs = (
  | { readonly logits: Tensor; readonly logProbs: Tensor }
  | { readonly mean: Tensor; readonly logStd: Tensor } // [rows, D]
) & { readonly value: Tensor; readonly messages?: Tensor; readonly state?: Tensor };

/** One acting step of B teams: logits and ln p of every action, or mean and logStd; value, messages sent, the next state. */
export function actingStep(
  x: TeamInputs & { readonly mask: Tensor | undefined },
  g: Graph,
  net: TeamNetwork,
  meta: EnvMeta,
  noisy: boolean,
): StepOutputs {
  const out = net.apply(x, noisy);
  const [teams, A] = [x.obs.shape[0]!, meta.agentCount];
  const rows = teams * A;
  const shared = {
    value: reshape(out.value, [rows]),
    ...(net.messageSize > 0 && { messages: reshape(out.messages, [rows, net.messageSize]) }),
    ...(out.state && { state: reshape(out.state, [rows, net.stateSize]) }),
  };
  if (meta.actionCount > 0) {
    const logits = reshape(legal(out.head, x.mask), [rows, meta.actionCount]);
    return { ...shared, logits, logProbs: logSoftmax(logits) };
  }
  const D = meta.actionSize;
  const spread = broadcastTo(reshape(net.logStd(g), [1, A, D]), [teams, A, D]);
  return { ...shared, mean: reshape(out.head, [rows, D]), logStd: reshape(spread, [rows, D]) };
}

/** Slopes of -ln p of `action` (continuous: its squared distance from the mean), what an attack climbs: [B, A, O]. */
export function compileSlope(engine: Engine, net: TeamNetwork, meta: EnvMeta, teams: number) {
  const { agentCount: A, obsSize: O, actionCount: N, actionSize: D } = meta;
  return engine.compile(
    { ...stepInputs(net, meta, teams, false), action: N > 0 ? [teams * A] : [teams * A, D] },
    (x, g) => {
      const out = actingStep(x, g, net, meta, false);
      const surprise = 'mean' in out ? sum(square(sub(out.mean, x.action))) : neg(sum(pick(out.logProbs, x.action)));
      const [slope] = gradients(surprise, [x.obs]);
      return { slope: slope ?? g.constant(new Float32Array(teams * A * O), [teams, A, O]) };
    },
    { name: 'team slope' },
  );
}
