/**
 * Slots in the place of a recurrent cell (recurrent.ts): K slots of width D, written and read by content (after the neural Turing machine,
 * Graves et al. 2014). A controller without recurrence but for what was last read decides on both:
 *   c_t = tanh(x_t Wx + r_{t-1} Wr + b);   key k, question q, erase z = sigmoid(.), value v = tanh(.) and gate g = sigmoid(. - 2), linear in c_t
 *   w = g softmax_i(k (s_i + u_i) / sqrt(D)),   s_i <- s_i (1 - w_i z) + w_i v
 *   r_t = sum_i softmax_i(q (s_i + u_i) / sqrt(D)) s_i,   h_t = tanh([c_t, r_t] Wh + bh)
 * u [K, D], N(0, 1) at the start, is the learned address of a slot: without it empty slots would stay alike. Differs from the source: no
 * shifts, no sharpening, one head to write and one to read. State [B, S]: h, r, then the slots; zeros are an empty memory.
 */
import type { Rng } from '#math/rng.ts';
import { add, concat, matmul, mul, reshape, sigmoid, softmax, split, sub, tanh, transpose } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { scoresOf, table, XAVIER } from './memory.ts';
import { dense } from './mlp.ts';
import type { Cell } from './recurrent.ts';

/** A write gate of 0.12 at the start: what is written stays for a while before anything is learned. */
const WRITE_BIAS = -2;

export function slotCell(group: ParamGroup, name: string, rng: Rng, inputs: number, units: number, slots: number): Cell {
  const controller = dense(group, `${name}.input`, rng, inputs, units, { gain: 1 });
  const back = dense(group, `${name}.read`, rng, units, units, { gain: 1 });
  const interfaces = dense(group, `${name}.interface`, rng, units, 4 * units + 1, XAVIER);
  const join = dense(group, `${name}.join`, rng, 2 * units, units, { act: 'tanh', ...XAVIER });
  const addresses = table(group, `${name}.addresses`, rng, slots, units, 1);
  return {
    outputs: units,
    stateSize: 2 * units + slots * units,
    project: controller,
    advance(projected, state) {
      const B = state.shape[0]!;
      const [_, read, flat] = split(state, [units, units, slots * units], 1) as [Tensor, Tensor, Tensor];
      const c = tanh(add(projected, back(read)));
      const parts = split(interfaces(c), [units, units, units, units, 1], 1) as [Tensor, Tensor, Tensor, Tensor, Tensor];
      const [key, question, erase, value, gate] = parts;
      const own = state.graph.read(addresses);
      const at = (asked: Tensor, memory: Tensor): Tensor => softmax(scoresOf(reshape(asked, [B, 1, units]), add(memory, own))); // [B, 1, K]
      const memory = reshape(flat, [B, slots, units]);
      const w = transpose(mul(at(key, memory), reshape(sigmoid(add(gate, WRITE_BIAS)), [B, 1, 1]))); // [B, K, 1]
      const row = (x: Tensor): Tensor => reshape(x, [B, 1, units]);
      const next = add(mul(memory, sub(1, mul(w, row(sigmoid(erase))))), mul(w, row(tanh(value))));
      const r = reshape(matmul(at(question, next), next), [B, units]);
      const h = join(concat([c, r], 1));
      return concat([h, r, reshape(next, [B, slots * units])], 1);
    },
  };
}
