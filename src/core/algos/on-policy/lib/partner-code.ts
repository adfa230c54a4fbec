/**
 * Codes of a partner from what the ego saw and did so far in an episode (agent-modelling.ts): the encoder, and the losses that train it.
 *   e_k = tanh(norm(W x_k)),   x_k = (seen, its change, done) of step k;   a = softmax over the steps that there were of q e_k
 *   z = tanh(f(sum_k a_k e_k)),   before the first step z = tanh(f(0))
 *   contrastive     InfoNCE: -mean over pairs of ln( exp(u_i v_i / t) / sum_j exp(u_i v_j / t) ), and the same from v to u, halved;   u, v: z of
 *                   length 1; u_i and v_i of one episode, all others of other episodes
 *   reconstruction  mean of (d(z) - x)^2 over the steps that there were
 */
import {
  add,
  amax,
  div,
  ge,
  logsumexp,
  matmul,
  maximum,
  mean,
  mul,
  reshape,
  sliceAxis,
  softmax,
  sqrt,
  square,
  sub,
  sum,
  transpose,
} from '#core/engine/ops.ts';
import type { ParamGroup, Tensor } from '#core/engine/types.ts';
import { dense, mlp } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';
import type { Layout } from './histories.ts';

const [WIDE, NEVER] = [32, 1e8];

/** Which of the steps [M, H] there were: the last number of each entry. */
const marks = (steps: Tensor, rows: number, count: number): Tensor => reshape(sliceAxis(steps, 1, steps.shape[1]! - 1, 1), [rows, count]);

/** The entries of histories [M, past], one below the other: [M H, entry]. */
const entriesOf = (past: Tensor, { entry }: Layout): Tensor => reshape(past, [(past.shape[0]! * past.shape[1]!) / entry, entry]);

/** Histories [M, past] -> codes [M, size]. */
export function partnerEncoder(group: ParamGroup, rng: Rng, layout: Layout, size: number): (past: Tensor) => Tensor {
  const step = dense(group, 'step', rng, layout.entry, WIDE, { act: 'tanh', layerNorm: true });
  const attend = dense(group, 'attend', rng, WIDE, 1);
  const code = mlp(group, 'code', rng, [WIDE, 2 * WIDE, size], { act: 'tanh', outAct: 'tanh' });
  return (past) => {
    const rows = past.shape[0]!;
    const count = layout.past / layout.entry;
    const entries = entriesOf(past, layout);
    const there = marks(entries, rows, count);
    const each = step(entries);
    const scores = add(reshape(attend(each), [rows, count]), mul(sub(there, 1), NEVER));
    const shares = mul(softmax(scores), there); // where there was no step all shares are 0
    return code(sum(mul(reshape(each, [rows, count, WIDE]), reshape(shares, [rows, count, 1])), 1));
  };
}

/** Codes [M, size] -> histories [M, past]. */
export const partnerDecoder = (group: ParamGroup, rng: Rng, { past }: Layout, size: number): ((code: Tensor) => Tensor) =>
  mlp(group, 'decode', rng, [size, 2 * WIDE, past], { act: 'tanh', outGain: 1 });

const unit = (x: Tensor): Tensor => div(x, sqrt(add(sum(square(x), 1, true), 1e-8)));

/** InfoNCE, [], and the share of codes that are nearest to that of their own episode, []. `a`, `b` [P, size]: row i of both from one episode. */
export function infoNce(a: Tensor, b: Tensor, temperature: Tensor): { readonly loss: Tensor; readonly found: Tensor } {
  const [u, v] = [unit(a), unit(b)];
  const alike = div(matmul(u, transpose(v)), temperature); // [P, P]
  const own = div(sum(mul(u, v), 1), temperature);
  const forth = mean(sub(logsumexp(alike, 1), own));
  const back = mean(sub(logsumexp(alike, 0), own));
  const nearest = ge(add(own, 1e-4), amax(alike, 1)); // rounding differs between the two
  return { loss: mul(add(forth, back), 0.5), found: mean(nearest) };
}

/** Mean squared error over the steps that there were, []. `past`, `made` [M, past]. */
export function reconstruction(past: Tensor, made: Tensor, layout: Layout): Tensor {
  const entries = entriesOf(past, layout);
  const there = sliceAxis(entries, 1, layout.entry - 1, 1);
  const error = mul(square(sub(entriesOf(made, layout), entries)), there);
  return div(sum(error), mul(maximum(sum(there), 1), layout.entry));
}
