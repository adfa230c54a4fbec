/**
 * Actors and critics of a team over parameter groups, dense or recurrent, and what a critic gets as input. Discrete actions get logits
 * (masked ones -1e8), continuous ones the mean of a Gaussian whose log std is a free parameter, 0 at the start. Orthogonal weights,
 * gains sqrt(2) inside, 0.01 for the policy's head and 1 for the value's. `layerNorm` normalises inputs and hidden layers (MAPPO's code
 * does it behind the activation, here before).
 */
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import { type Activation, activate, add, broadcastTo, concat, logSoftmax, matmul, reshape, sliceAxis } from '#core/engine/ops.ts';
import type { Graph, Param, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { type BodySettings, type BuiltFront, bodyFront, sharesBody, type TeamRows, teamBodyFront } from '#core/nets/body.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb, maskLogits } from '#core/nets/heads.ts';
import { orthogonal, zeros } from '#core/nets/init.ts';
import { attentionCell, chunkCell } from '#core/nets/memory.ts';
import { column, dense, mlp, type Net, norm } from '#core/nets/mlp.ts';
import { type Cell, gruCell, lstmCell, step, unroll } from '#core/nets/recurrent.ts';
import { slotCell } from '#core/nets/slots.ts';
import type { Rng } from '#math/rng.ts';
import { encodedInputs, encodeRows, type ParameterSharing, type SharedNetwork } from '../sharing.ts';

/**
 * Critic input, rows [B, M, width] like the rows of the network (sharing.ts) whose agents it values.
 *   own    what the agent itself observes: an independent critic (IPPO)
 *   joint  own observation, then those of all others, by network and index
 *   state  the environment's global state, then the own observation; 'joint' where the environment gives no state
 *   step   one row for a step [B, 1, width]: observations of the network's agents, then those of all others, by network and index. The
 *          network gives a value for each of its agents, so every observation is encoded once
 * Rows of 'joint' and 'state' differ between the agents of an environment on purpose: agent-specific global states (Yu et al. 2022, section 5.3).
 * A team's critic (HAPPO) values whole environments: [B, 1, width], the state alone, or all observations by index.
 */
export type CriticInputKind = 'own' | 'joint' | 'state' | 'step';

export interface CriticInput {
  /** 'own' needs no rows of its own: they are the actor's. */
  readonly own: boolean;
  readonly width: number; // columns of a row
  readonly inputs: number; // columns after encoding
  /** Rows of the network that one row of this input values: all agents of a step, or 1. */
  readonly serves: number;
  /** Where a row is a whole step: whose observations it is made of. */
  readonly team?: TeamRows;
  encode(g: Graph, rows: Tensor): Tensor;
  /** obs [B, A, O] and state [B, S] -> out [B, M, width] from `at` on. */
  fill(obs: Float32Array, state: Float32Array | undefined, out: Float32Array, at?: number): void;
}

interface Part {
  readonly space: ObsSpace | null; // null: plain numbers, the state
  readonly width: number;
}

function encodeParts(parts: readonly Part[]): Pick<CriticInput, 'width' | 'inputs' | 'encode'> {
  return {
    width: parts.reduce((sum, part) => sum + part.width, 0),
    inputs: parts.reduce((sum, { space, width }) => sum + (space === null ? width : encodedSize(space)), 0),
    encode(g, rows) {
      let from = 0;
      const seen = parts.map(({ space, width }) => {
        const piece = sliceAxis(rows, 1, from, width);
        from += width;
        return space === null ? piece : encode(g, piece, space);
      });
      return seen.length === 1 ? seen[0]! : concat(seen, 1);
    },
  };
}

const spacesOf = (meta: EnvMeta): readonly ObsSpace[] => perAgent(meta, (group) => group.obs);
const partOf = (space: ObsSpace): Part => ({ space, width: obsSize(space) });

/** Copies agents' observations one after the other; returns where it stopped. */
function copyObs(
  obs: Float32Array,
  b: number,
  agents: readonly number[],
  widths: readonly number[],
  meta: EnvMeta,
  out: Float32Array,
  at: number,
): number {
  let to = at;
  for (const agent of agents) {
    const from = (b * meta.agentCount + agent) * meta.obsSize;
    const width = widths[agent]!;
    for (let j = 0; j < width; j++) out[to + j] = obs[from + j]!;
    to += width;
  }
  return to;
}

/** Critic input of network `k`. */
export function criticInput(meta: EnvMeta, sharing: ParameterSharing, k: number, kind: CriticInputKind): CriticInput {
  const network = sharing.networks[k]!;
  if (kind === 'own') return { own: true, serves: 1, ...encodeParts([partOf(network.obs)]), fill: () => {} };
  const spaces = spacesOf(meta);
  const widths = spaces.map(obsSize);
  const useState = kind === 'state' && meta.globalSize > 0;
  // Others by network and number, so that every agent of this network finds the same spaces at the same columns.
  const byNetwork = spaces.map((_, i) => i).sort((a, b) => sharing.agentToNetwork[a]! - sharing.agentToNetwork[b]! || a - b);
  const whole = kind === 'step';
  const { agents } = network;
  const seenBy = (whole ? [agents] : agents.map((own) => [own])).map((own) =>
    useState ? own : [...own, ...byNetwork.filter((other) => !own.includes(other))],
  );
  const state: readonly Part[] = useState ? [{ space: null, width: meta.globalSize }] : [];
  return {
    own: false,
    serves: whole ? agents.length : 1,
    ...encodeParts([...state, ...seenBy[0]!.map((agent) => partOf(spaces[agent]!))]),
    ...(whole && {
      team: {
        roles: sharing.networks,
        seen: seenBy[0]!.map((agent) => sharing.networks[sharing.agentToNetwork[agent]!]!.name),
        valued: agents.length,
      },
    }),
    fill(obs, global, out, at = 0) {
      let to = at;
      const batch = obs.length / (meta.agentCount * meta.obsSize);
      for (let b = 0; b < batch; b++) {
        for (const seen of seenBy) {
          if (useState) to = copyState(global, meta.globalSize, b, out, to);
          to = copyObs(obs, b, seen, widths, meta, out, to);
        }
      }
    },
  };
}

/** Input of one critic for the whole team. `things`: one that reads all observations as things, from roles of agents that see alike. */
export function teamCriticInput(meta: EnvMeta, things = false): CriticInput {
  const spaces = spacesOf(meta);
  const widths = spaces.map(obsSize);
  const useState = meta.globalSize > 0 && !things;
  const roleOf = (group: EnvMeta['agents'][number]): string => `role${meta.agents.indexOf(group)}`;
  const roles = meta.agents.map((group) => ({ name: roleOf(group), obs: group.obs }));
  const all = spaces.map((_, i) => i);
  return {
    own: false,
    serves: 1,
    ...encodeParts(useState ? [{ space: null, width: meta.globalSize }] : spaces.map(partOf)),
    ...(things && { team: { roles, seen: perAgent(meta, roleOf), valued: 1 } }),
    fill(obs, global, out, at = 0) {
      const batch = obs.length / (meta.agentCount * meta.obsSize);
      let to = at;
      for (let b = 0; b < batch; b++) {
        to = useState ? copyState(global, meta.globalSize, b, out, to) : copyObs(obs, b, all, widths, meta, out, to);
      }
    },
  };
}

function copyState(state: Float32Array | undefined, width: number, b: number, out: Float32Array, at: number): number {
  if (state === undefined) throw new Error('meta.globalSize is positive, but buffers.state is missing');
  for (let j = 0; j < width; j++) out[at + j] = state[b * width + j]!;
  return at + width;
}

export interface NetworkOptions extends Pick<BodySettings, 'body'> {
  readonly hidden: readonly number[];
  readonly activation: Activation;
  readonly layerNorm: boolean;
  /** Numbers that an actor is told beside its observation (ordered-mappo.ts); none if missing. */
  readonly told?: number;
}

/** Inputs of a program of an actor, its critic or both, as far as it has them. */
export interface PairInputs {
  readonly obs: Tensor; // [rows, inputs]
  readonly mask?: Tensor | undefined; // [rows, choices] where actions are masked
  readonly critic?: Tensor | undefined; // [rows, width] where the critic's input is not the actor's
  readonly told?: Tensor | undefined; // [rows, told] where an actor is told something
  /** Recurrent: the states of the rows, when learning [sequences, S] before each sequence. */
  readonly state?: Tensor | undefined;
  readonly starts?: Tensor | undefined; // [rows] learning: 1 where an episode begins
}

/** What an actor gives to act by; recurrent ones also the next state, and the value where it is asked for. */
export type ActorOutputs = (
  | { readonly logits: Tensor; readonly logProbs: Tensor }
  | { readonly mean: Tensor; readonly logStd: Tensor } // [rows, D]
) & { readonly value?: Tensor; readonly state?: Tensor };

/** A policy network. */
export interface Actor {
  readonly network: SharedNetwork;
  readonly group: ParamGroup;
  /** In front of the dense layers, where a critic of kind 'own' shares it. */
  readonly front?: BuiltFront;
  readonly masked: boolean;
  /** Recurrent: columns of `state`, in and out, and the outputs hold the value too where they are `valued`; else 0. */
  readonly stateSize: number;
  /** Shapes of the inputs to act from, and to learn from. */
  inputs(rows: number): { readonly obs: Shape; readonly mask: Shape | null; readonly state: Shape | null; readonly told: Shape | null };
  learnInputs(rows: number): { readonly [K in 'obs' | 'action']: Shape } & {
    readonly [K in 'mask' | 'state' | 'starts' | 'told']: Shape | null;
  };
  outputs(x: PairInputs, g: Graph, valued?: boolean): ActorOutputs;
  /** Of actions drawn before, [rows] or [rows, D]: log-probability [rows], and the entropy [rows]. */
  evaluate(x: PairInputs, action: Tensor, g: Graph): { readonly logProb: Tensor; readonly entropy: Tensor };
}

/** A value network. */
export interface Critic {
  readonly input: CriticInput;
  readonly group: ParamGroup;
  /** Shape of the input `critic`; null: it reads `obs`. */
  inputShape(rows: number): Shape | null;
  /** [rows] from the rows of its input; recurrent ones also need `state` and `starts`. */
  value(rows: Tensor, memory?: Pick<PairInputs, 'state' | 'starts'>): Tensor;
}

const inputShapeOf =
  ({ own, width, serves }: CriticInput): Critic['inputShape'] =>
  (rows) =>
    own ? null : [rows / serves, width];

/** The shapes of an actor's inputs; learning, rows are sequences of so many steps. */
export function actorShapes(
  network: SharedNetwork,
  masked: boolean,
  stateSize: number,
  sequence: number,
  told = 0,
): Pick<Actor, 'inputs' | 'learnInputs'> {
  const { discrete, choices, actionWidth, inputs } = network;
  const recurrent = stateSize > 0;
  const seen = (rows: number) => ({
    obs: [rows, inputs],
    mask: discrete && masked ? [rows, choices] : null,
    told: told > 0 ? [rows, told] : null,
  });
  return {
    inputs: (rows) => ({ ...seen(rows), state: recurrent ? [rows, stateSize] : null }),
    learnInputs: (rows) => ({
      ...seen(rows),
      action: discrete ? [rows] : [rows, actionWidth],
      state: recurrent ? [rows / sequence, stateSize] : null,
      starts: recurrent ? [rows] : null,
    }),
  };
}

/** Outputs of a policy head [rows, width]; no log std: logits of discrete actions. */
export function distribution(g: Graph, head: Tensor, logStd: Param | undefined): ActorOutputs {
  if (logStd === undefined) return { logits: head, logProbs: logSoftmax(head) };
  return { mean: head, logStd: broadcastTo(g.read(logStd), head.shape) };
}

/** ln p of the actions, and the entropy, both [rows]. */
export function evaluateActions(g: Graph, head: Tensor, action: Tensor, logStd: Param | undefined) {
  if (logStd === undefined) return { logProb: categoricalLogProb(head, action), entropy: categoricalEntropy(head) };
  const spread = g.read(logStd);
  return { logProb: gaussianLogProb(head, spread, action), entropy: broadcastTo(gaussianEntropy(spread), action.shape.slice(0, 1)) };
}

export const maskedHead = (out: Tensor, mask: Tensor | undefined): Tensor => (mask === undefined ? out : maskLogits(out, mask));

export const frontOf = (group: ParamGroup, name: string, network: SharedNetwork, options: NetworkOptions, rng: Rng): BuiltFront =>
  bodyFront(network.obs, options, { act: options.activation })?.(group, name, rng, encodedInputs(network));

function stack(
  group: ParamGroup,
  name: string,
  rng: Rng,
  [inputs, outputs]: readonly [number, number],
  options: NetworkOptions,
  outGain: number,
  front: BuiltFront,
): Net {
  const { hidden, activation: act, layerNorm } = options;
  const width = front?.size ?? inputs;
  const first = layerNorm ? norm(group, `${name}.in`, width) : undefined;
  const layers = mlp(group, name, rng, [width, ...hidden, outputs], { act, outGain, layerNorm });
  return (x) => {
    const seen = front === undefined ? x : front.net(x);
    return layers(first === undefined ? seen : first(seen));
  };
}

/**
 * Dense layers of the same parameters as `stack` without a front, whose first layer adds what is told: act(x W + b + told V). Where nothing
 * was told, rows of 0, it is that stack.
 */
function toldStack(
  group: ParamGroup,
  rng: Rng,
  [inputs, outputs]: readonly [number, number],
  { hidden, activation: act, layerNorm }: NetworkOptions,
  told: number,
): (x: Tensor, told: Tensor) => Tensor {
  const before = layerNorm ? norm(group, 'actor.in', inputs) : undefined;
  const [width = outputs, ...rest] = hidden;
  const gain = hidden.length === 0 ? 0.01 : Math.SQRT2;
  const first = dense(group, 'actor.first', rng, inputs, width, { gain, layerNorm: layerNorm && hidden.length > 0 });
  const above = hidden.length === 0 ? undefined : mlp(group, 'actor', rng, [width, ...rest, outputs], { act, outGain: 0.01, layerNorm });
  const listen = group.param('actor.told', [told, width], orthogonal(rng.split('told'), told, width, gain));
  return (x, heard) => {
    const h = add(first(before === undefined ? x : before(x)), matmul(heard, x.graph.read(listen)));
    return above === undefined ? h : above(activate(h, act));
  };
}

/** A dense actor; its parameters are `actor.*` and, for continuous actions, `logStd`. */
export function createActor(group: ParamGroup, network: SharedNetwork, masked: boolean, options: NetworkOptions, rng: Rng): Actor {
  const { discrete, choices, actionWidth } = network;
  const { told = 0 } = options;
  const front = frontOf(group, 'actor', network, options, rng);
  const sizes = [encodedInputs(network), discrete ? choices : actionWidth] as const;
  const toldNet = told > 0 ? toldStack(group, rng, sizes, options, told) : undefined;
  const plain = toldNet === undefined ? stack(group, 'actor', rng, sizes, options, 0.01, front) : undefined;
  const net = (x: Tensor, heard: Tensor | undefined): Tensor =>
    toldNet === undefined ? present(plain, 'layers')(x) : toldNet(x, present(heard, 'what is told'));
  const logStd = discrete ? undefined : group.param('logStd', [actionWidth], zeros(actionWidth));
  const head = ({ obs, mask, told: heard }: PairInputs, g: Graph): Tensor => maskedHead(net(encodeRows(g, obs, network), heard), mask);
  return {
    network,
    group,
    masked: discrete && masked,
    stateSize: 0,
    front: sharesBody(options) ? front : undefined,
    ...actorShapes(network, masked, 0, 1, told),
    outputs: (x, g) => distribution(g, head(x, g), logStd),
    evaluate: (x, action, g) => evaluateActions(g, head(x, g), action, logStd),
  };
}

/** `network`: whose rows a critic of kind 'own' reads. `shared`: of its actor, in front of the dense layers. */
export function createCritic(
  group: ParamGroup,
  input: CriticInput,
  network: SharedNetwork | null,
  options: NetworkOptions,
  rng: Rng,
  shared?: BuiltFront,
): Critic {
  const own = input.own ? network : null;
  const front =
    own === null
      ? input.team && teamBodyFront(input.team, options)?.(group, 'critic', rng, input.inputs)
      : (shared ?? frontOf(group, 'critic', own, options, rng));
  const net = stack(group, 'critic', rng, [own === null ? input.inputs : encodedInputs(own), 1], options, 1, front);
  return {
    input,
    group,
    inputShape: inputShapeOf(input),
    value: (rows) => column(net(own === null ? input.encode(rows.graph, rows) : encodeRows(rows.graph, rows, own))),
  };
}

/** What takes the place of a recurrent cell, with its sizes (core/nets: memory.ts, slots.ts). */
export type MemoryBody =
  | { readonly kind: 'gru' | 'lstm' }
  | { readonly kind: 'attention'; readonly window: number }
  | { readonly kind: 'chunks'; readonly window: number; readonly chunk: number; readonly topK: number }
  | { readonly kind: 'slots'; readonly slots: number };

export type MemoryOptions = MemoryBody & {
  readonly units: number;
  readonly sequence: number; // L
};

export function makeCell(memory: MemoryOptions, group: ParamGroup, name: string, rng: Rng, inputs: number): Cell {
  const { units } = memory;
  switch (memory.kind) {
    case 'gru':
      return gruCell(group, name, rng, inputs, units);
    case 'lstm':
      return lstmCell(group, name, rng, inputs, units);
    case 'attention':
      return attentionCell(group, name, rng, inputs, units, memory.window);
    case 'chunks':
      return chunkCell(group, name, rng, inputs, units, memory);
    case 'slots':
      return slotCell(group, name, rng, inputs, units, memory.slots);
  }
}

/**
 * Recurrent actor and critic: dense layers, a cell, a head. A critic of kind 'own' shares all but the head (CleanRL's
 * ppo_atari_lstm.py, JaxMARL's ippo_rnn); another one has layers and a cell of its own (JaxMARL's mappo_rnn). A row's state is that of
 * all its cells, the actor's first. Learning unrolls sequences of L steps from the state each began with in the rollout, zeroed before
 * the first step of an episode; rows of a minibatch are whole environments in time order.
 */
export function createRecurrentPair(
  group: ParamGroup,
  network: SharedNetwork,
  input: CriticInput,
  masked: boolean,
  options: { readonly hidden: readonly number[]; readonly activation: Activation },
  memory: MemoryOptions,
  rng: Rng,
): { readonly actor: Actor; readonly critic: Critic } {
  const { discrete, choices, actionWidth } = network;
  const { units, sequence } = memory;
  const { hidden, activation } = options;
  const embed = mlp(group, 'trunk', rng, [encodedInputs(network), ...hidden], { act: activation, outAct: activation });
  const top = hidden.at(-1) ?? encodedInputs(network);
  const cell = makeCell(memory, group, 'cell', rng, top);
  const policy = dense(group, 'actor', rng, units, discrete ? choices : actionWidth, { gain: 0.01 });
  const value = dense(group, 'critic', rng, units, 1, { gain: 1 });
  const logStd = discrete ? undefined : group.param('logStd', [actionWidth], zeros(actionWidth));
  const separate = input.own
    ? null
    : {
        embed: mlp(group, 'criticTrunk', rng, [input.inputs, ...hidden], { act: activation, outAct: activation }),
        cell: makeCell(memory, group, 'criticCell', rng, top),
      };
  const S = cell.stateSize;
  const stateSize = separate === null ? S : S + separate.cell.stateSize;

  const actorFeatures = (obs: Tensor): Tensor => embed(encodeRows(obs.graph, obs, network));
  const criticFeatures = (rows: Tensor): Tensor =>
    separate === null ? actorFeatures(rows) : separate.embed(input.encode(rows.graph, rows));
  /** The actor's part of what rows carry, or the critic's. */
  const part = (state: Tensor, own: boolean): Tensor =>
    separate === null ? state : own ? sliceAxis(state, 1, 0, S) : sliceAxis(state, 1, S, separate.cell.stateSize);
  /** Rows are [L, many] flat: that many sequences of L steps. */
  const features = (inputRows: Tensor, { state, starts }: Pick<PairInputs, 'state' | 'starts'>, own: boolean): Tensor => {
    if (state === undefined || starts === undefined) throw new Error('A recurrent network learns from `state` and `starts`.');
    const rows = inputRows.shape[0]!;
    const many = rows / sequence;
    const embedded = own ? actorFeatures(inputRows) : criticFeatures(inputRows);
    const xs = reshape(embedded, [sequence, many, embedded.shape[1]!]);
    const from = part(state, own);
    return reshape(unroll(own || separate === null ? cell : separate.cell, xs, from, reshape(starts, [sequence, many])).outputs, [
      rows,
      units,
    ]);
  };
  return {
    actor: {
      network,
      group,
      masked: discrete && masked,
      stateSize,
      ...actorShapes(network, masked, stateSize, sequence),
      outputs(x, g, valued = false) {
        const { state } = x;
        if (state === undefined) throw new Error('A recurrent network acts from `state`.');
        const now = step(cell, actorFeatures(x.obs), part(state, true));
        const head = maskedHead(policy(now.output), x.mask);
        const critic = separate === null || !valued ? null : step(separate.cell, criticFeatures(x.critic ?? x.obs), part(state, false));
        const next = separate === null ? now.state : concat([now.state, critic?.state ?? part(state, false)], 1);
        const valueInput = separate === null ? now.output : critic?.output; // the critic is unused at inference
        const more = { ...(valueInput && { value: column(value(valueInput)) }), state: next };
        return { ...distribution(g, head, logStd), ...more };
      },
      evaluate: (x, action, g) => evaluateActions(g, maskedHead(policy(features(x.obs, x, true)), x.mask), action, logStd),
    },
    critic: {
      input,
      group,
      inputShape: inputShapeOf(input),
      value: (rows, carried = {}) => column(value(features(rows, carried, separate === null))),
    },
  };
}
