/** A network as the stack of dense layers that it is, for what runs it outside of the engine. */
import { present } from '#contract/kit/errors.ts';
import { UNARY } from '../engine/shapes.ts';
import { uniformValue } from '../engine/simplify.ts';
import type { Param, Tensor } from '../engine/types.ts';
import type { AgentNetwork } from './agent-network.ts';

const ROWS = 97;
const ACTIVATIONS: ReadonlySet<string> = new Set(['tanh', 'relu', 'sigmoid', 'elu', 'softplus']);

export interface Dense {
  readonly inputs: number;
  readonly units: number;
  /** [inputs, units] */
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
  readonly activation: string;
  /** Between the product and the activation. */
  readonly norm?: Norm | undefined;
  /** Behind it everything above this is cut, and everything below 0. */
  readonly cutAt?: number;
}

interface Norm {
  readonly gain: Float32Array;
  readonly shift: Float32Array;
  readonly epsilon: number;
}

/** What the network answers, by name. */
export function outputsOf(network: AgentNetwork): { readonly [name: string]: Tensor } {
  let found: { readonly [name: string]: Tensor } = {};
  network
    .program(ROWS)
    .derive((all) => {
      found = all;
      return all;
    })
    .dispose();
  return found;
}

/** Forbidden actions are left to the caller: a Sequential has one input. */
export function unmasked(t: Tensor): Tensor {
  if (t.op === 'where' && t.inputs[0]?.op === 'input') return present(t.inputs[1], 'what is masked');
  return t;
}

interface Reading {
  readonly read: (param: Param) => Float32Array;
  /** What is thrown where it is no stack of dense layers. */
  readonly no: (why: string) => Error;
}

/** The first columns of an input, whole or put together of neighbouring parts. */
function isSight(t: Tensor, width: number): boolean {
  if (t.op === 'input') return true;
  if (t.op === 'slice') return t.inputs[0]?.op === 'input' && t.attrs.begin[1] === 0 && t.shape[1] === width;
  if (t.op !== 'concat') return false;
  let at = 0;
  for (const part of t.inputs) {
    if (part.op !== 'slice' || part.inputs[0]?.op !== 'input' || part.inputs[0] !== t.inputs[0]?.inputs[0]) return false;
    if (part.attrs.begin[1] !== at) return false;
    at += part.shape[1] ?? 0;
  }
  return at === width;
}

/** The dense layers from the observation, the first `width` columns of the input, to this tensor. */
export function stackTo(t: Tensor, width: number, { read, no }: Reading): Dense[] {
  const layers: Dense[] = [];
  let at = t;
  // the last layer may give more than is asked for: mean and log std side by side
  const columns = at.op === 'slice' && at.inputs[0]?.op !== 'input' ? { from: at.attrs.begin[1] ?? 0, count: at.shape[1] ?? 0 } : null;
  if (columns !== null) at = present(at.inputs[0], 'what is sliced');
  for (;;) {
    if (isSight(at, width)) break;
    const activation = ACTIVATIONS.has(at.op) ? at.op : undefined;
    if (activation === undefined && UNARY.some((name) => name === at.op)) throw no(`there is no layer for ${at.op}`);
    const activated = activation === undefined ? at : present(at.inputs[0], 'what is activated');
    const normalised = normIn(activated, read);
    const sum = normalised?.of ?? activated;
    const product = sum.op === 'add' ? sum.inputs.find(({ op }) => op === 'matmul') : sum;
    const bias = sum.op === 'add' ? sum.inputs.find((input) => input !== product) : undefined;
    const shift = bias === undefined ? undefined : paramIn(bias);
    const [before, weights] = product?.op === 'matmul' ? product.inputs : [];
    if (before === undefined || weights?.op !== 'param' || (bias !== undefined && shift === undefined))
      throw no('it is no stack of dense layers');
    const [inputs = 0, units = 0] = weights.shape;
    layers.unshift({
      inputs,
      units,
      kernel: read(weights.attrs.param),
      bias: shift === undefined ? new Float32Array(units) : read(shift),
      activation: activation ?? 'linear',
      norm: normalised?.norm,
    });
    at = before;
  }
  const last = layers.pop();
  if (last === undefined) throw no('it has no layers');
  return [...layers, columns === null ? last : cut(last, columns.from, columns.count)];
}

/** The parameter that is the same in every row here. */
function paramIn(t: Tensor): Param | undefined {
  const at = t.op === 'broadcast' ? t.inputs[0] : t;
  return at?.op === 'param' ? at.attrs.param : undefined;
}

/** What a layerNorm (engine/ops.ts) stands over: (x - mean) / sqrt(variance + epsilon) gain + shift; undefined: there is none here. */
function normIn(t: Tensor, read: (param: Param) => Float32Array): { readonly of: Tensor; readonly norm: Norm } | undefined {
  const [scaled, last] = t.op === 'add' ? t.inputs : [];
  const [normal, first] = scaled?.op === 'mul' ? scaled.inputs : [];
  const [centred, under] = normal?.op === 'div' ? normal.inputs : [];
  const root = under?.op === 'broadcast' ? under.inputs[0] : under;
  const spread = root?.op === 'sqrt' ? root.inputs[0] : undefined;
  const epsilon = spread?.op === 'add' && spread.inputs[1] !== undefined ? uniformValue(spread.inputs[1]) : undefined;
  const of = centred?.op === 'sub' ? centred.inputs[0] : undefined;
  const [gain, shift] = [first, last].map((each) => (each === undefined ? undefined : paramIn(each)));
  if (of === undefined || epsilon === undefined || gain === undefined || shift === undefined) return undefined;
  return { of, norm: { gain: read(gain), shift: read(shift), epsilon } };
}

function cut({ inputs, units, kernel, bias, activation }: Dense, from: number, count: number): Dense {
  const part = new Float32Array(inputs * count);
  for (let i = 0; i < inputs; i++) part.set(kernel.subarray(i * units + from, i * units + from + count), i * count);
  return { inputs, units: count, kernel: part, bias: bias.slice(from, from + count), activation };
}
