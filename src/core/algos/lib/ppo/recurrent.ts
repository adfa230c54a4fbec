/**
 * Recurrent actor and critic: dense layers, a GRU or LSTM cell, a head. A critic that sees what its agent sees shares all but the head
 * (CleanRL's ppo_atari_lstm.py, JaxMARL's ippo_rnn files); one that sees more has layers and a cell of its own (JaxMARL's mappo_rnn).
 * A row carries the whole state of its cells, the actor's first. Learning unrolls sequences of L steps from the state each began with when it
 * was played, which is zeroed before the first step of an episode; rows of a minibatch are whole environments in time order.
 */
import { type Activation, broadcastTo, concat, logSoftmax, reshape, sliceAxis } from '#core/engine/ops.ts';
import type { Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb, maskLogits } from '#core/nets/heads.ts';
import { zeros } from '#core/nets/init.ts';
import { column, dense, mlp } from '#core/nets/mlp.ts';
import { gruCell, lstmCell, step, unroll } from '#core/nets/recurrent.ts';
import type { Rng } from '#math/rng.ts';
import { encodedInputs, encodeRows, type SharedNetwork } from '../sharing.ts';
import type { CriticView } from './critic-view.ts';
import type { Actor, Critic } from './networks.ts';

export interface MemoryOptions {
  readonly cell: 'gru' | 'lstm';
  readonly units: number;
  readonly sequence: number; // L
}

export function createRecurrentPair(
  group: ParamGroup,
  network: SharedNetwork,
  view: CriticView,
  masked: boolean,
  options: { readonly hidden: readonly number[]; readonly activation: Activation },
  memory: MemoryOptions,
  rng: Rng,
): { readonly actor: Actor; readonly critic: Critic } {
  const { discrete, choices, actionWidth, inputs } = network;
  const { units, sequence } = memory;
  const { hidden, activation } = options;
  const embed = mlp(group, 'trunk', rng, [encodedInputs(network), ...hidden], { act: activation, outAct: activation });
  const makeCell = memory.cell === 'lstm' ? lstmCell : gruCell;
  const cell = makeCell(group, 'cell', rng, hidden.at(-1)!, units);
  const policy = dense(group, 'actor', rng, units, discrete ? choices : actionWidth, { gain: 0.01 });
  const value = dense(group, 'critic', rng, units, 1, { gain: 1 });
  const spread = discrete ? undefined : group.param('logStd', [actionWidth], zeros(actionWidth));
  const apart = view.own
    ? null
    : {
        embed: mlp(group, 'criticTrunk', rng, [view.inputs, ...hidden], { act: activation, outAct: activation }),
        cell: makeCell(group, 'criticCell', rng, hidden.at(-1)!, units),
      };
  const S = cell.stateSize;
  const stateSize = apart === null ? S : S + apart.cell.stateSize;

  const seen = (g: Graph, rows: number): Tensor => embed(encodeRows(g, g.input('obs', [rows, inputs]), network));
  const judged = (g: Graph, rows: number): Tensor =>
    apart === null ? seen(g, rows) : apart.embed(view.encode(g, g.input('critic', [rows, view.width])));
  /** The actor's part of what rows carry, or the critic's. */
  const part = (state: Tensor, own: boolean): Tensor =>
    apart === null ? state : own ? sliceAxis(state, 1, 0, S) : sliceAxis(state, 1, S, apart.cell.stateSize);
  const headOf = (g: Graph, features: Tensor, rows: number): Tensor => {
    const out = policy(features);
    return discrete && masked ? maskLogits(out, g.input('mask', [rows, choices])) : out;
  };
  /** Rows are [L, many] flat: that many sequences of L steps. */
  const features = (g: Graph, rows: number, own: boolean): Tensor => {
    const many = rows / sequence;
    const xs = reshape(own ? seen(g, rows) : judged(g, rows), [sequence, many, hidden.at(-1)!]);
    const starts = reshape(g.input('starts', [rows]), [sequence, many]);
    const state = part(g.input('state', [many, stateSize]), own);
    return reshape(unroll(own || apart === null ? cell : apart.cell, xs, state, starts).outputs, [rows, units]);
  };
  return {
    actor: {
      network,
      group,
      masked: discrete && masked,
      stateSize,
      outputs(g, rows, valued) {
        const state = g.input('state', [rows, stateSize]);
        const now = step(cell, seen(g, rows), part(state, true));
        const head = headOf(g, now.output, rows);
        const judge = apart === null || valued !== true ? null : step(apart.cell, judged(g, rows), part(state, false));
        const next = apart === null ? now.state : concat([now.state, judge?.state ?? part(state, false)], 1);
        const grounds = apart === null ? now.output : judge?.output; // a policy in use has nobody to judge it
        const more = { ...(grounds && { value: column(value(grounds)) }), state: next };
        if (spread === undefined) return { logits: head, logProbs: logSoftmax(head), ...more };
        return { mean: head, logStd: broadcastTo(g.read(spread), head.shape), ...more };
      },
      judge(g, rows) {
        const head = headOf(g, features(g, rows, true), rows);
        if (spread === undefined) {
          return { logProb: categoricalLogProb(head, g.input('action', [rows])), entropy: categoricalEntropy(head) };
        }
        const logStd = g.read(spread);
        return {
          logProb: gaussianLogProb(head, logStd, g.input('action', [rows, actionWidth])),
          entropy: broadcastTo(gaussianEntropy(logStd), [rows]),
        };
      },
    },
    critic: { view, group, value: (g, rows) => column(value(features(g, rows, apart === null))) },
  };
}

/** What the rows of a network remember while T steps are played. */
export interface Memory {
  readonly size: number; // S
  readonly sequence: number; // L
  readonly state: Float32Array; // [R, S] before the next step
  readonly starts: Float32Array; // [T, R] 1: an episode begins with this step
  readonly states: Float32Array; // [T / L, R, S] before each sequence
  readonly fresh: Uint8Array; // [R] the next step begins an episode
}

export function createMemory(steps: number, rows: number, size: number, sequence: number): Memory {
  return {
    size,
    sequence,
    state: new Float32Array(rows * size),
    starts: new Float32Array(steps * rows),
    states: new Float32Array((steps / sequence) * rows * size),
    fresh: new Uint8Array(rows).fill(1),
  };
}

/** Before step t: the state into the program, and into the store where a sequence begins. */
export function recall(memory: Memory, t: number, into: Float32Array): void {
  const { state, starts, states, fresh, sequence } = memory;
  into.set(state);
  for (let row = 0; row < fresh.length; row++) starts[t * fresh.length + row] = fresh[row]!;
  if (t % sequence === 0) states.set(state, (t / sequence) * state.length);
}

/** After a step: the rows whose episode is over begin with nothing. */
export function forget({ state, fresh, size }: Memory, terminated: Uint8Array, truncated: Uint8Array, agents: number): void {
  for (let row = 0; row < fresh.length; row++) {
    const copy = Math.floor(row / agents);
    fresh[row] = terminated[copy]! | truncated[copy]!;
    if (fresh[row] !== 0) state.fill(0, row * size, (row + 1) * size);
  }
}

/**
 * Fills `order` (rows of [T, R]) so that each of `parts` minibatches is [L, S]: whole environments, cut into sequences. `rows` [R]
 * says in which order environments come; `begins` [T / L * R] then names each sequence's place in `states`.
 */
export function arrangeSequences(
  rows: Int32Array,
  steps: number,
  sequence: number,
  parts: number,
  order: Int32Array,
  begins: Int32Array,
): void {
  const R = rows.length;
  const chunks = steps / sequence;
  const own = R / parts; // environments of a minibatch
  const many = own * chunks; // sequences of a minibatch
  for (let part = 0; part < parts; part++) {
    for (let s = 0; s < many; s++) {
      const row = rows[part * own + (s % own)]!;
      const chunk = Math.floor(s / own);
      begins[part * many + s] = chunk * R + row;
      for (let l = 0; l < sequence; l++) order[part * many * sequence + l * many + s] = (chunk * sequence + l) * R + row;
    }
  }
}
