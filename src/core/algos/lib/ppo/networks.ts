/**
 * Actors and critics of a team over parameter groups. Discrete actions get logits (forbidden ones -1e8), continuous ones the mean of
 * a Gaussian whose log-deviation is a free parameter, 0 at the start. Orthogonal weights, gains sqrt(2) inside, 0.01 for the
 * policy's head and 1 for the value's. `layerNorm` normalises inputs and hidden layers (MAPPO's code does it behind the
 * activation, here before).
 */
import { type Activation, broadcastTo, logSoftmax } from '#core/engine/ops.ts';
import type { Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb, maskLogits } from '#core/nets/heads.ts';
import { zeros } from '#core/nets/init.ts';
import { column, mlp, type Net, norm } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';
import { encodedInputs, encodeRows, type SharedNetwork } from '../sharing.ts';
import type { CriticView } from './critic-view.ts';

export interface NetworkOptions {
  readonly hidden: readonly number[];
  readonly activation: Activation;
  readonly layerNorm: boolean;
}

/** Reads the inputs `obs` [rows, inputs] and, where actions are masked, `mask` [rows, choices] of its program. */
export interface Actor {
  readonly network: SharedNetwork;
  readonly group: ParamGroup;
  readonly masked: boolean;
  /** Recurrent (recurrent.ts): columns of `state`, in and out; its outputs hold the value too where they are `valued`. */
  readonly stateSize: number;
  /** What acting and policies need: `logits` and `logProbs`, or `mean` and `logStd` [rows, D]. */
  outputs(g: Graph, rows: number, valued?: boolean): { readonly [name: string]: Tensor };
  /** Of the input `action`; entropy [rows]. */
  judge(g: Graph, rows: number): { readonly logProb: Tensor; readonly entropy: Tensor };
}

/** Reads `obs`, or `critic` [rows, width] where it sees more. */
export interface Critic {
  readonly view: CriticView;
  readonly group: ParamGroup;
  value(g: Graph, rows: number): Tensor; // [rows]
}

function stack(group: ParamGroup, name: string, rng: Rng, inputs: number, outputs: number, options: NetworkOptions, outGain: number): Net {
  const { hidden, activation: act, layerNorm } = options;
  const first = layerNorm ? norm(group, `${name}.in`, inputs) : undefined;
  const layers = mlp(group, name, rng, [inputs, ...hidden, outputs], { act, outGain, layerNorm });
  return (x) => layers(first === undefined ? x : first(x));
}

export function createActor(group: ParamGroup, network: SharedNetwork, masked: boolean, options: NetworkOptions, rng: Rng): Actor {
  const { discrete, choices, actionWidth, inputs } = network;
  const net = stack(group, 'actor', rng, encodedInputs(network), discrete ? choices : actionWidth, options, 0.01);
  const spread = discrete ? undefined : group.param('logStd', [actionWidth], zeros(actionWidth));
  const head = (g: Graph, rows: number): Tensor => {
    const out = net(encodeRows(g, g.input('obs', [rows, inputs]), network));
    return discrete && masked ? maskLogits(out, g.input('mask', [rows, choices])) : out;
  };
  return {
    network,
    group,
    masked: discrete && masked,
    stateSize: 0,
    outputs(g, rows) {
      const out = head(g, rows);
      if (spread === undefined) return { logits: out, logProbs: logSoftmax(out) };
      return { mean: out, logStd: broadcastTo(g.read(spread), out.shape) };
    },
    judge(g, rows) {
      const out = head(g, rows);
      if (spread === undefined) {
        return { logProb: categoricalLogProb(out, g.input('action', [rows])), entropy: categoricalEntropy(out) };
      }
      const logStd = g.read(spread);
      return {
        logProb: gaussianLogProb(out, logStd, g.input('action', [rows, actionWidth])),
        entropy: broadcastTo(gaussianEntropy(logStd), [rows]),
      };
    },
  };
}

/** `network` is whose rows an 'own' view reads. */
export function createCritic(
  group: ParamGroup,
  view: CriticView,
  network: SharedNetwork | null,
  options: NetworkOptions,
  rng: Rng,
): Critic {
  const own = view.own ? network : null;
  const net = stack(group, 'critic', rng, own === null ? view.inputs : encodedInputs(own), 1, options, 1);
  return {
    view,
    group,
    value(g, rows) {
      if (own !== null) return column(net(encodeRows(g, g.input('obs', [rows, own.inputs]), own)));
      return column(net(view.encode(g, g.input('critic', [rows, view.width]))));
    },
  };
}
