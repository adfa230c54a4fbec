/**
 * Action values of a team, for Q-learning with replay (q-learning-team.ts) and without (pqn.ts): the network, the programs of learning from
 * episodes, epsilon-greedy selection, the policy, and what a team must be like.
 * Each agent's row goes through the network that it shares (sharing.ts): dense layers, optionally layer-normalised, an optional
 * GRU, a linear head. Observations are [R, A, O] as the environment writes them, values [R, A, N]; actions that an agent does not
 * have get -1e8. Recurrent states are [R, A, S]; sequences have the time first and start from zero states.
 */
import { fail } from '#contract/kit/errors.ts';
import { abs, add, broadcastTo, concat, mul, pick, reshape, sliceAxis, stopGradient, sub } from '#core/engine/ops.ts';
import type { Engine, InputsOf, Optimiser, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { type BodySettings, bodyFront } from '#core/nets/body.ts';
import { maskLogits } from '#core/nets/heads.ts';
import type { MakeMixer, Mixer } from '#core/nets/mixing.ts';
import { dense, type Net } from '#core/nets/mlp.ts';
import { halfMaskedMse, maskedMean, maxQ, nextValue } from '#core/nets/q-values.ts';
import { type Cell, gruCell, step, unroll } from '#core/nets/recurrent.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';
import {
  encodedInputs,
  encodeRows,
  type ParameterSharing,
  type SharedNetwork,
  type SharingKind,
  shareNetworks,
  teamPolicy,
} from '../../lib/sharing.ts';

const ILLEGAL = -1e8;

/** What stands in front of the dense layers is not normalised. */
export interface TeamQOptions extends BodySettings {
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
  /** Network k for rows of its agents, as teamPolicy wants it. */
  compilePolicy(engine: Engine, k: number, rows: number): Program;
}

interface AgentNetwork {
  readonly shared: SharedNetwork;
  readonly body: Net; // [M, inputs] -> [M, H]
  readonly cell: Cell | null;
  readonly head: Net; // [M, H] -> [M, choices]
}

function agentNetwork(group: ParamGroup, rng: Rng, shared: SharedNetwork, options: TeamQOptions): AgentNetwork {
  const { hidden, layerNorm = false, gruUnits = 0 } = options;
  const front = bodyFront(shared.obs, options, { act: 'relu' })?.(group, shared.name, rng, encodedInputs(shared));
  const sizes = [front?.size ?? encodedInputs(shared), ...hidden];
  const layers = hidden.map((units, i) => dense(group, `${shared.name}.${i}`, rng, sizes[i]!, units, { act: 'relu', layerNorm }));
  const top = sizes.at(-1) ?? encodedInputs(shared);
  const cell = gruUnits > 0 ? gruCell(group, `${shared.name}.memory`, rng, top, gruUnits) : null;
  const head = dense(group, `${shared.name}.q`, rng, cell?.outputs ?? top, shared.choices, { gain: 1 });
  const stack = front === undefined ? layers : [front.net, ...layers];
  return { shared, body: (x) => stack.reduce((h, layer) => layer(h), encodeRows(x.graph, x, shared)), cell, head };
}

/** Columns of some agents, [R, A, W] -> [R, M, W]. */
function pickAgents(x: Tensor, agents: readonly number[]): Tensor {
  if (agents.length === x.shape[1]) return x;
  const first = agents[0]!;
  if (agents[agents.length - 1]! - first === agents.length - 1) return sliceAxis(x, 1, first, agents.length);
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
    compilePolicy(engine, k, rows) {
      const { shared, body, cell, head } = networks[k]!;
      const inputs = {
        obs: [rows, shared.inputs],
        state: cell === null ? null : [rows, S],
        mask: meta.masked ? [rows, shared.choices] : null,
      };
      const build = (x: InputsOf<typeof inputs>): { readonly [name: string]: Tensor } => {
        const features = body(x.obs);
        const next = cell === null || x.state === undefined ? null : step(cell, features, x.state);
        const q = head(next?.output ?? features);
        const value = maxQ(maskActions(q, x.mask));
        return next === null ? { q, value } : { q, value, state: next.state };
      };
      return engine.compile(inputs, build, { name: 'team policy' });
    },
  };
}

/** What these programs need of a config. */
export interface TeamQConfig extends Pick<BodySettings, 'body'> {
  readonly sharing: SharingKind;
  readonly agentId: boolean;
  readonly hidden: readonly number[];
  readonly recurrent: { readonly kind: 'off' } | { readonly kind: 'on'; readonly units: number; readonly sequence: number };
  readonly batchSize: number;
  readonly double: boolean;
  readonly maxGradNorm: number;
}

export interface TeamNetworks {
  readonly sharing: ParameterSharing;
  readonly online: ParamGroup;
  readonly target: ParamGroup;
  readonly q: TeamQ;
  readonly targetQ: TeamQ;
  /** null: every agent learns by itself, from its own reward. */
  readonly mixer: Mixer | null;
  readonly targetMixer: Mixer | null;
}

/** Groups of parameters are called `<prefix>q` and `<prefix>target`, so that several learners may share an engine. */
export function teamNetworks(
  engine: Engine,
  meta: EnvMeta,
  c: TeamQConfig,
  makeMixer: MakeMixer | null,
  rng: Rng,
  prefix = '',
): TeamNetworks {
  const { agentCount: A, obsSize: O, globalSize: G } = meta;
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const options = { ...(c.body && { body: c.body }), hidden: c.hidden, gruUnits: c.recurrent.kind === 'on' ? c.recurrent.units : 0 };
  const online = engine.group(`${prefix}q`);
  const target = engine.group(`${prefix}target`);
  const unused = Rng.from(0); // the target network is overwritten by a copy before its first use
  const sizes = { agents: A, stateSize: G > 0 ? G : A * O };
  return {
    sharing,
    online,
    target,
    q: teamQ(online, rng, meta, sharing, options),
    targetQ: teamQ(target, unused, meta, sharing, options),
    mixer: makeMixer?.(online, rng, sizes) ?? null,
    targetMixer: makeMixer?.(target, unused, sizes) ?? null,
  };
}

/** Steps of a replayed piece, L. */
export const sequenceLength = ({ recurrent }: TeamQConfig): number => (recurrent.kind === 'on' ? recurrent.sequence : 1);

/** Inputs as the environment and the GRU have them; outputs q [B, A, N], illegal actions at -1e8, and the next recurrent state. */
export function compileActor(engine: Engine, { q }: TeamNetworks, meta: EnvMeta, rows: number) {
  const { agentCount: A, obsSize: O, actionCount: N } = meta;
  const S = q.stateSize;
  return engine.compile(
    { obs: [rows, A, O], state: S > 0 ? [rows, A, S] : null, mask: meta.masked ? [rows, A, N] : null },
    (x) => {
      const recurrent = x.state ?? null;
      const next = q.step(x.obs, recurrent);
      return { q: maskActions(next.q, x.mask), ...(next.state && { state: next.state }) };
    },
    { name: 'team act' },
  );
}

/**
 * One update from M pieces of L steps, time first: obs [L + 1, M, A * O + G] (G: the global state behind the observations), action
 * [L, M, A], reward [L, M, K], filled and goesOn [L, M], mask [L + 1, M, A, N]. K = 1 with a mixer, else A.
 */
export function compileLearner(engine: Engine, nets: TeamNetworks, meta: EnvMeta, c: TeamQConfig, optimiser: Optimiser) {
  const { agentCount: A, obsSize: O, actionCount: N, globalSize: G } = meta;
  const [L, M] = [sequenceLength(c), c.batchSize];
  const K = nets.mixer === null ? A : 1;
  const current = (x: Tensor): Tensor => sliceAxis(x, 0, 0, L);
  const next = (x: Tensor): Tensor => sliceAxis(x, 0, 1, L);
  const mix = (mixer: Mixer, values: Tensor, state: Tensor): Tensor =>
    reshape(mixer(reshape(values, [L * M, A]), reshape(state, [L * M, state.shape[2]!])), [L, M, 1]);
  return engine.compile(
    {
      obs: [L + 1, M, A * O + G],
      mask: meta.masked ? [L + 1, M, A, N] : null,
      action: [L, M, A],
      reward: [L, M, K],
      filled: [L, M],
      goesOn: [L, M],
      gamma: [1],
    },
    (x) => {
      const rows = x.obs;
      const obs = reshape(sliceAxis(rows, 2, 0, A * O), [L + 1, M, A, O]);
      const states = G > 0 ? sliceAxis(rows, 2, A * O, G) : rows; // without a global state, all observations together
      const q = nets.q.sequence(obs);
      const targetQ = next(maskActions(nets.targetQ.sequence(obs), x.mask));
      const nextQ = nextValue(targetQ, c.double ? next(maskActions(q, x.mask)) : null); // [L, M, A]
      const chosen = pick(current(q), x.action);
      const value = nets.mixer === null ? chosen : mix(nets.mixer, chosen, current(states));
      const bootstrap = nets.targetMixer === null ? nextQ : mix(nets.targetMixer, nextQ, next(states));
      const discount = mul(x.gamma, reshape(x.goesOn, [L, M, 1]));
      const error = sub(value, stopGradient(add(x.reward, mul(discount, bootstrap))));
      const weight = broadcastTo(reshape(x.filled, [L, M, 1]), [L, M, K]);
      return { loss: halfMaskedMse(error, weight), errorMean: maskedMean(abs(error), weight), qMean: maskedMean(value, weight) };
    },
    { minimise: 'loss', group: nets.online, with: optimiser, maxGradNorm: c.maxGradNorm, name: 'team learn' },
  );
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
    compile: (k, rows) => q.compilePolicy(engine, k, rows),
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
