/** Everything the module exports. Addresses are byte addresses in the memory the host passes in. */
export * from './binary';
export { codeColumns, codeMatmul, codeMatmulTN, codeRows } from './codes';
export { matmul, part } from './matmul';
export { setScratch, setTall } from './scratch';
export { col2im, copyStrided, gather, im2col, scatterAdd } from './move';
export { adam, polyak, rmsprop, sgd, sumSquares } from './optimise';
export { maxColumns, maxRows, sumColumns, sumRows } from './reduce';
export { codeOrder } from './prefixes';
export { transpose } from './transpose';
export { abs, copy, cos, elu, exp, fill, gelu, log, neg, relu, sigmoid, sign, sin, softplus, spread, sqrt, square, tanh } from './unary';
export { matmulTN, partTN } from './weight';
export { mostlyZero } from './sparse';

/** Where the constants of math.ts end: the host must not put anything below. */
export function heapBase(): usize {
  return __heap_base;
}
