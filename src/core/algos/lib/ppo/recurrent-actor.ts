/**
 * A recurrent actor without a critic beside it (HAPPO, whose critic values the whole team and keeps nothing): an encoder over things where the
 * body is one, dense layers, a cell, a head.
 *   x_t = hidden(body(o_t)),   h_t = cell(x_t, h_t-1),   pi = head(h_t)
 * Over entities this is a recurrence over a graph: what each thing is takes part by messages and attention, and the cell keeps what came of it.
 */
import { reshape } from '#core/engine/ops.ts';
import type { ParamGroup, Tensor } from '#core/engine/types.ts';
import { zeros } from '#core/nets/init.ts';
import { dense, mlp } from '#core/nets/mlp.ts';
import { step, unroll } from '#core/nets/recurrent.ts';
import type { Rng } from '#math/rng.ts';
import { encodedInputs, encodeRows, type SharedNetwork } from '../sharing.ts';
import {
  type Actor,
  actorShapes,
  distribution,
  evaluateActions,
  frontOf,
  type MemoryOptions,
  makeCell,
  maskedHead,
  type NetworkOptions,
  type PairInputs,
} from './networks.ts';

/** Learning unrolls sequences of L steps, as those of createRecurrentPair do; its parameters are `trunk.*`, `cell.*`, `actor.*` and `logStd`. */
export function createRecurrentActor(
  group: ParamGroup,
  network: SharedNetwork,
  masked: boolean,
  options: NetworkOptions,
  memory: MemoryOptions,
  rng: Rng,
): Actor {
  const { discrete, choices, actionWidth } = network;
  const { hidden, activation } = options;
  const { units, sequence } = memory;
  const front = frontOf(group, 'trunk', network, options, rng);
  const width = front?.size ?? encodedInputs(network);
  const embed = mlp(group, 'trunk', rng, [width, ...hidden], { act: activation, outAct: activation });
  const cell = makeCell(memory, group, 'cell', rng, hidden.at(-1) ?? width);
  const policy = dense(group, 'actor', rng, units, discrete ? choices : actionWidth, { gain: 0.01 });
  const logStd = discrete ? undefined : group.param('logStd', [actionWidth], zeros(actionWidth));
  const features = (obs: Tensor): Tensor => {
    const rows = encodeRows(obs.graph, obs, network);
    return embed(front === undefined ? rows : front.net(rows));
  };
  const over = ({ obs, mask, state, starts }: PairInputs): Tensor => {
    if (state === undefined || starts === undefined) throw new Error('A recurrent network learns from `state` and `starts`.');
    const many = obs.shape[0]! / sequence;
    const embedded = features(obs);
    const xs = reshape(embedded, [sequence, many, embedded.shape[1]!]);
    const { outputs } = unroll(cell, xs, state, reshape(starts, [sequence, many]));
    return maskedHead(policy(reshape(outputs, [obs.shape[0]!, units])), mask);
  };
  return {
    network,
    group,
    masked: discrete && masked,
    stateSize: cell.stateSize,
    ...actorShapes(network, masked, cell.stateSize, sequence),
    outputs(x, g) {
      if (x.state === undefined) throw new Error('A recurrent network acts from `state`.');
      const now = step(cell, features(x.obs), x.state);
      return { ...distribution(g, maskedHead(policy(now.output), x.mask), logStd), state: now.state };
    },
    evaluate: (x, action, g) => evaluateActions(g, over(x), action, logStd),
  };
}
