/** Plays a frozen policy (contract/run/frozen.ts) in a seat: greedily, as evaluation does, and with the same bits on every machine. */

import { type ActionSpace, actionSize, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { fromBase64 } from '#contract/kit/bytes.ts';
import { isObject } from '#contract/kit/json.ts';
import { type Frozen, frozenHash, MOST_WEIGHTS } from '#contract/run/frozen.ts';
import { exp, expm1, log1p, sqrt, tanh } from '#math/functions.ts';
import { badConfig } from './parse.ts';

const LAYERS = 12;
const WIDEST = 4096;
const ACTIVATIONS: Readonly<Record<string, (x: number) => number>> = {
  linear: (x) => x,
  tanh,
  relu: (x) => Math.max(0, x),
  sigmoid: (x) => 1 / (1 + exp(-x)),
  elu: (x) => (x > 0 ? x : expm1(x)),
  softplus: (x) => Math.max(x, 0) + log1p(exp(-Math.abs(x))),
};

interface Layer {
  readonly inputs: number;
  readonly units: number;
  readonly act: (x: number) => number;
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
  readonly norm: { readonly epsilon: number; readonly gain: Float32Array; readonly shift: Float32Array } | null;
}

interface Sight {
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
}

/** Writes the action for what is seen at `obs[from]`, into `out[to]`; of discrete actions the best that `mask[legal]` allows, all without a mask. */
export type FrozenPlayer = (
  obs: Float32Array,
  from: number,
  mask: Uint8Array | undefined,
  legal: number,
  out: { [i: number]: number },
  to: number,
) => void;

const whole = (value: unknown, most: number): value is number => Number.isInteger(value) && Number(value) > 0 && Number(value) <= most;

/** Throws LabError('config-invalid') where this is no frozen policy, another than it is named, or cannot sit here; `field`: its place in the settings. */
export function checkFrozen(given: unknown, field: string, { obs, action }: Sight): Frozen {
  const bad = (why: string) => badConfig(field, `This frozen policy ${why}.`, 'Freeze it again from the run that it comes from.');
  if (!isObject(given)) throw bad('is no object');
  const { frozen, title, net, ...rest } = given;
  const other = Object.keys(rest)[0];
  if (other !== undefined) throw bad(`has a member "${other}"`);
  if (typeof title !== 'string' || title.length > 200 || !isObject(net)) throw bad('has no title or no network');
  const { inputs, clip, layers, box, weights } = net;
  if (!whole(inputs, WIDEST) || !Array.isArray(layers) || layers.length === 0 || layers.length > LAYERS)
    throw bad('has no layers that fit');
  if (clip !== null && !(typeof clip === 'number' && clip > 0)) throw bad('cuts its inputs at no number');
  let numbers = clip === null ? 0 : 2 * inputs;
  let width = inputs;
  for (const layer of layers) {
    if (!isObject(layer) || !whole(layer.units, WIDEST) || ACTIVATIONS[String(layer.act)] === undefined)
      throw bad('has a layer that is unknown');
    if (layer.norm !== null && typeof layer.norm !== 'number') throw bad('has a layer that is unknown');
    numbers += (width + 1) * layer.units + (layer.norm === null ? 0 : 2 * layer.units);
    width = layer.units;
  }
  if (typeof weights !== 'string' || weights.length > MOST_WEIGHTS) throw bad('has no weights, or too many');
  const bytes = fromBase64(weights);
  if (bytes === null || bytes.length !== 4 * numbers) throw bad('has weights that are damaged');
  if (frozen !== frozenHash(net as unknown as Frozen['net'])) throw bad('is not the one that it is named');
  const own = action.kind === 'discrete' ? action.n : actionSize(action);
  const fits = isObject(box)
    ? (box.form === 'clipped' || box.form === 'scaled') && [box.low, box.high].every((ends) => Array.isArray(ends) && ends.length === own)
    : box === null;
  if (!fits) throw bad('has bounds that do not fit');
  if (inputs !== obsSize(obs) || width !== own || (box === null) !== (action.kind === 'discrete'))
    throw badConfig(
      field,
      `This frozen policy sees ${inputs} numbers and answers ${width}; in this seat there are ${obsSize(obs)} and ${own}.`,
      'Take one that was trained with these settings of the environment.',
    );
  return given as unknown as Frozen;
}

/** As checked. */
export function frozenPlayer({ net }: Frozen): FrozenPlayer {
  const bytes = fromBase64(net.weights) ?? new Uint8Array();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let read = 0;
  const take = (count: number): Float32Array =>
    Float32Array.from({ length: count }, () => {
      read += 4;
      return view.getFloat32(read - 4, true);
    });
  const { inputs, clip, box } = net;
  const [scale, offset] = clip === null ? [new Float32Array(), new Float32Array()] : [take(inputs), take(inputs)];
  let width = inputs;
  const layers = net.layers.map(({ units, act, norm }): Layer => {
    const layer: Layer = {
      ...{ inputs: width, units, act: ACTIVATIONS[act] ?? ((x) => x) },
      kernel: take(width * units),
      bias: take(units),
      norm: norm === null ? null : { epsilon: norm, gain: take(units), shift: take(units) },
    };
    width = units;
    return layer;
  });
  const widest = Math.max(inputs, ...layers.map(({ units }) => units));
  const buffers = [new Float64Array(widest), new Float64Array(widest)] as const;

  return (obs, from, mask, legal, out, to) => {
    let [x, y] = buffers;
    for (let i = 0; i < inputs; i++) {
      const value = obs[from + i]!;
      x[i] = clip === null ? value : Math.min(clip, Math.max(-clip, value * scale[i]! + offset[i]!));
    }
    for (const { inputs: wide, units, act, kernel, bias, norm } of layers) {
      for (let u = 0; u < units; u++) y[u] = bias[u]!;
      for (let i = 0; i < wide; i++) {
        const value = x[i]!;
        if (value === 0) continue;
        for (let u = 0, k = i * units; u < units; u++, k++) y[u] = y[u]! + value * kernel[k]!;
      }
      if (norm !== null) normalise(y, units, norm);
      for (let u = 0; u < units; u++) y[u] = act(y[u]!);
      [x, y] = [y, x];
    }
    if (box === null) {
      let best = -1;
      for (let a = 0; a < width; a++) {
        if (mask !== undefined && mask[legal + a] === 0) continue;
        if (best < 0 || x[a]! > x[best]!) best = a;
      }
      out[to] = Math.max(0, best);
      return;
    }
    for (let d = 0; d < width; d++) {
      const [low, high] = [box.low[d]!, box.high[d]!];
      const value = box.bent ? tanh(x[d]!) : x[d]!;
      out[to + d] = box.form === 'clipped' ? Math.min(high, Math.max(low, value)) : (low + high + (high - low) * value) / 2;
    }
  };
}

function normalise(y: Float64Array, units: number, { epsilon, gain, shift }: NonNullable<Layer['norm']>): void {
  let mean = 0;
  for (let u = 0; u < units; u++) mean += y[u]! / units;
  let variance = 0;
  for (let u = 0; u < units; u++) variance += (y[u]! - mean) ** 2 / units;
  const root = sqrt(variance + epsilon);
  for (let u = 0; u < units; u++) y[u] = ((y[u]! - mean) / root) * gain[u]! + shift[u]!;
}
