/**
 * Layers and stacks of layers over a parameter group. A Net is built once (its parameters are drawn then) and applied in as
 * many programs as needed: it reads its parameters through the graph of its argument.
 * Defaults are PPO's on vectors: tanh, orthogonal sqrt(2), zero bias (Huang et al. 2022, "The 37 implementation details").
 */

import { present } from '#contract/kit/errors.ts';
import type { Rng } from '#math/rng.ts';
import { type Activation, activate, add, layerNorm, linear, mean, reshape, sub } from '../engine/ops.ts';
import type { Param, ParamGroup, Tensor } from '../engine/types.ts';
import { constant, kaimingUniform, orthogonal, xavierUniform, zeros } from './init.ts';

/** [B, I] -> [B, O] */
export type Net = (x: Tensor) => Tensor;

/** `torch`: U(+-1/sqrt(inputs)) for weights and biases, as torch.nn.Linear. The others have zero biases. */
export type Init = 'orthogonal' | 'xavier' | 'torch';

export interface DenseOptions {
  readonly act?: Activation;
  readonly init?: Init;
  /** Of orthogonal and Xavier; sqrt(2) if missing. */
  readonly gain?: number;
  /** Normalise before the activation. */
  readonly layerNorm?: boolean;
}

export function weights(rng: Rng, inputs: number, outputs: number, init: Init, gain: number): Float32Array {
  switch (init) {
    case 'orthogonal':
      return orthogonal(rng, inputs, outputs, gain);
    case 'xavier':
      return xavierUniform(rng, inputs, outputs, gain);
    case 'torch':
      return kaimingUniform(rng, inputs, inputs * outputs);
  }
}

/** Gain and bias of a layerNorm. */
export function norm(group: ParamGroup, name: string, size: number): Net {
  const gain = group.param(`${name}.gain`, [size], constant(size, 1));
  const bias = group.param(`${name}.shift`, [size], zeros(size));
  return (x) => layerNorm(x, x.graph.read(gain), x.graph.read(bias));
}

/** act(x w + b). */
export function dense(group: ParamGroup, name: string, rng: Rng, inputs: number, outputs: number, options: DenseOptions = {}): Net {
  const { act = 'none', init = 'orthogonal', gain = Math.SQRT2 } = options;
  const w: Param = group.param(`${name}.w`, [inputs, outputs], weights(rng, inputs, outputs, init, gain));
  const b: Param = group.param(`${name}.b`, [outputs], init === 'torch' ? kaimingUniform(rng, inputs, outputs) : zeros(outputs));
  if (options.layerNorm !== true) return (x) => linear(x, x.graph.read(w), x.graph.read(b), act);
  const normalise = norm(group, `${name}.norm`, outputs);
  return (x) => activate(normalise(linear(x, x.graph.read(w), x.graph.read(b))), act);
}

export interface MlpOptions extends DenseOptions {
  /** Gain of the last layer; as the others if missing. */
  readonly outGain?: number;
  /** Activation after the last layer; none if missing. */
  readonly outAct?: Activation;
  /** The last layer is a hidden one of something larger: it is normalised like the others. */
  readonly outNorm?: boolean;
}

/** Layers of the given sizes, inputs first; the last has no activation (unless `outAct`) and no layerNorm (unless `outNorm`). */
export function mlp(group: ParamGroup, name: string, rng: Rng, sizes: readonly number[], options: MlpOptions = {}): Net {
  const { act = 'tanh', outAct = 'none', outNorm = false, outGain, ...rest } = options;
  const layers = sizes.slice(1).map((outputs, i) => {
    const last = i === sizes.length - 2;
    const gain = last ? outGain : options.gain;
    const { layerNorm: normalised = false, init = 'orthogonal' } = rest;
    return dense(group, `${name}.${i}`, rng, sizes[i]!, outputs, {
      init,
      layerNorm: normalised && (!last || outNorm),
      act: last ? outAct : act,
      ...(gain === undefined ? {} : { gain }),
    });
  });
  return (x) => layers.reduce((h, layer) => layer(h), x);
}

/** x [B, I] -> policy [B, N] (logits or means) and value [B]; with K > 1 heads [B, K N] and [B, K]. */
export type ActorCritic = (x: Tensor) => { readonly policy: Tensor; readonly value: Tensor };
/** A stack of layers with an activation behind each: [B, I] -> [B, last size]. */
export type MakeTrunk = (group: ParamGroup, rng: Rng, sizes: readonly number[], act: Activation) => Net;
export interface ActorCriticOptions {
  readonly inputs: number;
  readonly outputs: number;
  readonly hidden?: readonly number[];
  /** Of the value network where it has other sizes; without effect where the trunk is shared. */
  readonly criticHidden?: readonly number[];
  readonly act?: Activation;
  readonly init?: Init;
  /** Hidden layers are normalised before their activation; a convolution in front of them is not. */
  readonly layerNorm?: boolean;
  /** Gains of the two heads. */
  readonly policyGain?: number;
  readonly valueGain?: number;
  /** One trunk for both. Separate ones do better on vectors. */
  readonly shared?: boolean;
  /** Makes the shared trunk of these sizes, inputs first; dense layers if missing. */
  readonly trunk?: MakeTrunk | undefined;
  /** In front of the hidden layers, for both or for each (conv.ts); its names start with those of what it is in front of. */
  readonly front?: Front | undefined;
  /** One in front of both networks instead of one for each. */
  readonly sharedFront?: boolean;
  /** Outputs of policy and value so many times side by side; 1 if missing. */
  readonly heads?: number;
}

/** Layers in front of the first dense one: rows [B, inputs] -> [B, size]. */
export type Front = (group: ParamGroup, name: string, rng: Rng, inputs: number) => { readonly net: Net; readonly size: number };

const nothing: Front = (_group, _name, _rng, inputs) => ({ net: (x) => x, size: inputs });

/** Policy and value network: names start with `actor`, `critic` (and `trunk` where shared). */
export function actorCritic(group: ParamGroup, rng: Rng, options: ActorCriticOptions): ActorCritic {
  const {
    inputs,
    outputs,
    hidden = [64, 64],
    criticHidden = hidden,
    act = 'tanh',
    init = 'orthogonal',
    layerNorm: normalised = false,
    policyGain = 0.01,
    valueGain = 1,
    shared = false,
    trunk: makeTrunk = (into, draws, sizes, act) =>
      mlp(into, 'trunk', draws, sizes, { act, init, layerNorm: normalised, outNorm: normalised, outAct: act }),
    front = nothing,
    sharedFront = false,
    heads = 1,
  } = options;
  const one = (out: Tensor): Tensor => (heads === 1 ? column(out) : out);
  const top = hidden.at(-1) ?? inputs;
  const common = { act, init, layerNorm: normalised };
  if (shared && hidden.length > 0) {
    const first = front(group, 'trunk', rng, inputs);
    const trunk = makeTrunk(group, rng, [first.size, ...hidden], act);
    const policy = dense(group, 'actor', rng, top, heads * outputs, { init, gain: policyGain });
    const value = dense(group, 'critic', rng, top, heads, { init, gain: valueGain });
    return (x) => {
      const h = trunk(first.net(x));
      return { policy: policy(h), value: one(value(h)) };
    };
  }
  const seen = front(group, 'actor', rng, inputs);
  const policy = mlp(group, 'actor', rng, [seen.size, ...hidden, heads * outputs], { ...common, outGain: policyGain });
  const valued = sharedFront ? seen : front(group, 'critic', rng, inputs);
  const value = mlp(group, 'critic', rng, [valued.size, ...criticHidden, heads], { ...common, outGain: valueGain });
  return (x) => ({ policy: policy(seen.net(x)), value: one(value(valued.net(x))) });
}

/** [B, 1] -> [B] */
export const column = (x: Tensor): Tensor => reshape(x, [x.shape[0]!]);

export interface QOptions extends MlpOptions {
  /** Q = V + A - mean A over a shared trunk (Wang et al. 2016). */
  readonly dueling?: boolean;
  /** In front of the hidden layers. */
  readonly front?: Front | undefined;
}
/** Action values: sizes are inputs, hidden layers, actions. ReLU and torch's initialisation by default. */
export function qNetwork(group: ParamGroup, rng: Rng, sizes: readonly number[], options: QOptions = {}): Net {
  const { dueling = false, front, ...rest } = options;
  if (front !== undefined) {
    const first = front(group, 'q', rng, sizes[0]!);
    const behind = qNetwork(group, rng, [first.size, ...sizes.slice(1)], { dueling, ...rest });
    return (x) => behind(first.net(x));
  }
  const layers: MlpOptions = { act: 'relu', init: 'torch', ...rest };
  if (!dueling) return mlp(group, 'q', rng, sizes, layers);
  const top = present(sizes.at(-2), 'the number of inputs');
  const trunk: Net =
    sizes.length > 2 ? mlp(group, 'trunk', rng, sizes.slice(0, -1), { ...layers, outAct: layers.act ?? 'relu' }) : (x) => x;
  const value = dense(group, 'value', rng, top, 1, { init: layers.init ?? 'torch' });
  const advantage = dense(group, 'advantage', rng, top, present(sizes.at(-1), 'the number of actions'), { init: layers.init ?? 'torch' });
  return (x) => {
    const h = trunk(x);
    const a = advantage(h);
    return add(value(h), sub(a, mean(a, -1, true)));
  };
}
