/** Discrete actions that gradients can pass (Jang et al. 2017, Maddison et al. 2017). */
import { add, amax, div, eq, softmax, stopGradient, sub } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

/** A relaxed one-hot draw: softmax((logits + gumbel) / temperature), all [M, N]. */
export const gumbelSoftmax = (logits: Tensor, gumbel: Tensor, temperature: number): Tensor =>
  softmax(div(add(logits, gumbel), temperature));

/** The largest entry of each row as 1, the others 0. */
export const hardened = (soft: Tensor): Tensor => eq(soft, amax(soft, -1, true));

/** One-hot forward, the relaxed draw's slope backward. */
export const straightThrough = (soft: Tensor): Tensor => add(hardened(soft), sub(soft, stopGradient(soft)));
