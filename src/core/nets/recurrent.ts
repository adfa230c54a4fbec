/**
 * Recurrent cells in PyTorch's conventions, and sequences unrolled in the graph. A cell's whole state is one row [B, S]
 * (LSTM: h then c), as policies carry it. `starts` marks steps that begin an episode: the state is zeroed before them.
 * GRU (Cho et al. 2014), gates r, z, n with the reset applied after the recurrent product: n = tanh(x_n + r (h W_n + b_n)),
 * h = (1 - z) n + z h. LSTM (Hochreiter & Schmidhuber 1997), gates i, f, g, o. Orthogonal weights, zero biases.
 * Unroll at most about 16 steps: programs grow with T. Longer sequences go in chunks, the state fed from chunk to chunk.
 */

import type { Rng } from '#math/rng.ts';
import { add, linear, mul, reshape, sigmoid, sliceAxis, split, stack, sub, tanh } from '../engine/ops.ts';
import type { Param, ParamGroup, Tensor } from '../engine/types.ts';
import { orthogonal, zeros } from './init.ts';

export interface Cell {
  /** Columns of the output, and of the state. */
  readonly outputs: number;
  readonly stateSize: number;
  /** What of a step depends on its input alone: [..., I] -> [..., gates]. One product for all steps of a sequence. */
  project(x: Tensor): Tensor;
  /** projected [B, gates], state [B, S] -> the next state; its first `outputs` columns are the output. */
  advance(projected: Tensor, state: Tensor): Tensor;
  /** All steps at once, where that takes less than one by one: projected [T, B, gates], state, starts [T, B] -> the same as `unroll`. */
  readonly sequence?: (projected: Tensor, state: Tensor, starts?: Tensor) => Unrolled;
}

export interface Unrolled {
  readonly outputs: Tensor; // [T, B, H]
  readonly state: Tensor;
}

interface Weights {
  readonly wx: Param;
  readonly wh: Param;
  readonly bx: Param;
  readonly bh: Param;
}
/** Each gate's block is orthogonal by itself. */
function gateWeights(rng: Rng, inputs: number, hidden: number, gates: number): Float32Array {
  const out = new Float32Array(inputs * hidden * gates);
  for (let k = 0; k < gates; k++) {
    const block = orthogonal(rng, inputs, hidden);
    for (let i = 0; i < inputs; i++) out.set(block.subarray(i * hidden, (i + 1) * hidden), (i * gates + k) * hidden);
  }
  return out;
}
function cellWeights(group: ParamGroup, name: string, rng: Rng, inputs: number, hidden: number, gates: number): Weights {
  const width = gates * hidden;
  return {
    wx: group.param(`${name}.wx`, [inputs, width], gateWeights(rng, inputs, hidden, gates)),
    wh: group.param(`${name}.wh`, [hidden, width], gateWeights(rng, hidden, hidden, gates)),
    bx: group.param(`${name}.bx`, [width], zeros(width)),
    bh: group.param(`${name}.bh`, [width], zeros(width)),
  };
}

export function gruCell(group: ParamGroup, name: string, rng: Rng, inputs: number, hidden: number): Cell {
  const { wx, wh, bx, bh } = cellWeights(group, name, rng, inputs, hidden, 3);
  return {
    outputs: hidden,
    stateSize: hidden,
    project: (x) => linear(x, x.graph.read(wx), x.graph.read(bx)),
    advance: (projected, h) => {
      const recurrent = linear(h, h.graph.read(wh), h.graph.read(bh));
      const [xr, xz, xn] = split(projected, [hidden, hidden, hidden]) as [Tensor, Tensor, Tensor];
      const [hr, hz, hn] = split(recurrent, [hidden, hidden, hidden]) as [Tensor, Tensor, Tensor];
      const r = sigmoid(add(xr, hr));
      const z = sigmoid(add(xz, hz));
      const n = tanh(add(xn, mul(r, hn)));
      return add(n, mul(z, sub(h, n)));
    },
  };
}

export function lstmCell(group: ParamGroup, name: string, rng: Rng, inputs: number, hidden: number): Cell {
  const { wx, wh, bx, bh } = cellWeights(group, name, rng, inputs, hidden, 4);
  return {
    outputs: hidden,
    stateSize: 2 * hidden,
    project: (x) => linear(x, x.graph.read(wx), x.graph.read(bx)),
    advance: (projected, state) => {
      const [h, c] = split(state, [hidden, hidden]) as [Tensor, Tensor];
      const gates = add(projected, linear(h, h.graph.read(wh), h.graph.read(bh)));
      const [i, f, g, o] = split(gates, [hidden, hidden, hidden, hidden]) as [Tensor, Tensor, Tensor, Tensor];
      const next = add(mul(sigmoid(f), c), mul(sigmoid(i), tanh(g)));
      return concatState(mul(sigmoid(o), tanh(next)), next);
    },
  };
}
const concatState = (h: Tensor, c: Tensor): Tensor => {
  const [rows, width] = h.shape as [number, number];
  return reshape(stack([h, c], 1), [rows, 2 * width]);
};

/** The output part of a state. */
export const outputOf = (cell: Cell, state: Tensor): Tensor => sliceAxis(state, 1, 0, cell.outputs);

/** One step: x [B, I], state [B, S], starts [B] (1: zero the state first). */
export function step(cell: Cell, x: Tensor, state: Tensor, starts?: Tensor): { readonly output: Tensor; readonly state: Tensor } {
  const next = cell.advance(cell.project(x), starts === undefined ? state : keepUnless(state, starts));
  return { output: outputOf(cell, next), state: next };
}
const keepUnless = (state: Tensor, starts: Tensor): Tensor => mul(state, reshape(sub(1, starts), [state.shape[0]!, 1]));

/** xs [T, B, I], state [B, S] before the first step, starts [T, B] -> outputs [T, B, H] and the state after the last. */
export function unroll(cell: Cell, xs: Tensor, state: Tensor, starts?: Tensor): Unrolled {
  const [steps, rows] = xs.shape as [number, number];
  const projected = cell.project(xs); // [T, B, gates]
  if (cell.sequence !== undefined) return cell.sequence(projected, state, starts);
  const width = projected.shape[2]!;
  const outputs: Tensor[] = [];
  let now = state;
  for (let t = 0; t < steps; t++) {
    if (starts !== undefined) now = keepUnless(now, reshape(sliceAxis(starts, 0, t, 1), [rows]));
    now = cell.advance(reshape(sliceAxis(projected, 0, t, 1), [rows, width]), now);
    outputs.push(outputOf(cell, now));
  }
  return { outputs: stack(outputs, 0), state: now };
}
