/** Activations of a product's result, in place. */
import * as unary from './unary';

/** Over n floats. The exported functions, not inlined ones: a loop per function keeps its constants in registers. */
@inline export function activate(act: i32, p: usize, n: i32): void {
  if (act == unary.TANH) unary.tanh(p, p, 0, 1, n);
  else if (act == unary.RELU) unary.relu(p, p, 0, 1, n);
  else if (act == unary.SIGMOID) unary.sigmoid(p, p, 0, 1, n);
  else if (act == unary.ELU) unary.elu(p, p, 0, 1, n);
  else if (act == unary.GELU) unary.gelu(p, p, 0, 1, n);
  else if (act == unary.SOFTPLUS) unary.softplus(p, p, 0, 1, n);
}
