/**
 * Elementwise functions of one operand: out [rows, cols] contiguous, x with a row stride of `sx` bytes and unit columns.
 * A contiguous operand of any shape is one row. In place (out = x) is allowed.
 */
import { cos4, elu4, exp4, gelu4, log4, relu4, sigmoid4, sign4, sin4, softplus4, splat, tanh4 } from './math';
import { storeLanes } from './tail';

export const COPY = 0;
export const NEG = 1;
export const EXP = 2;
export const LOG = 3;
export const SQRT = 4;
export const ABS = 5;
export const TANH = 6;
export const SIGMOID = 7;
export const RELU = 8;
export const ELU = 9;
export const SOFTPLUS = 10;
export const GELU = 11;
export const SIN = 12;
export const COS = 13;
export const SQUARE = 14;
export const SIGN = 15;

@inline export function apply(op: i32, x: v128): v128 {
  if (op == NEG) return f32x4.neg(x);
  if (op == EXP) return exp4(x);
  if (op == LOG) return log4(x);
  if (op == SQRT) return f32x4.sqrt(x);
  if (op == ABS) return f32x4.abs(x);
  if (op == TANH) return tanh4(x);
  if (op == SIGMOID) return sigmoid4(x);
  if (op == RELU) return relu4(x);
  if (op == ELU) return elu4(x);
  if (op == SOFTPLUS) return softplus4(x);
  if (op == GELU) return gelu4(x);
  if (op == SIN) return sin4(x);
  if (op == COS) return cos4(x);
  if (op == SQUARE) return f32x4.mul(x, x);
  if (op == SIGN) return sign4(x);
  return x;
}

/** Two vectors side by side: one alone is a chain of dependent operations that leaves the processor waiting. */
@inline export function row(op: i32, out: usize, x: usize, n: i32): void {
  const pairs = out + ((n & ~7) << 2);
  while (out < pairs) {
    const a = apply(op, v128.load(x));
    const b = apply(op, v128.load(x, 16));
    v128.store(out, a);
    v128.store(out, b, 16);
    out += 32;
    x += 32;
  }
  if (n & 4) {
    v128.store(out, apply(op, v128.load(x)));
    out += 16;
    x += 16;
  }
  if (n & 3) storeLanes(out, apply(op, v128.load(x)), n & 3);
}

@inline function rows(op: i32, out: usize, x: usize, sx: usize, m: i32, n: i32): void {
  for (let i = 0; i < m; i++) {
    row(op, out, x, n);
    out += n << 2;
    x += sx;
  }
}

export function copy(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(COPY, out, x, sx, m, n); }
export function neg(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(NEG, out, x, sx, m, n); }
export function exp(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(EXP, out, x, sx, m, n); }
export function log(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(LOG, out, x, sx, m, n); }
export function sqrt(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(SQRT, out, x, sx, m, n); }
export function abs(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(ABS, out, x, sx, m, n); }
export function tanh(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(TANH, out, x, sx, m, n); }
export function sigmoid(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(SIGMOID, out, x, sx, m, n); }
export function relu(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(RELU, out, x, sx, m, n); }
export function elu(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(ELU, out, x, sx, m, n); }
export function softplus(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(SOFTPLUS, out, x, sx, m, n); }
export function gelu(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(GELU, out, x, sx, m, n); }
export function sin(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(SIN, out, x, sx, m, n); }
export function cos(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(COS, out, x, sx, m, n); }
export function square(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(SQUARE, out, x, sx, m, n); }
export function sign(out: usize, x: usize, sx: usize, m: i32, n: i32): void { rows(SIGN, out, x, sx, m, n); }

export function fill(out: usize, value: f32, n: i32): void {
  const v = splat(value);
  const end = out + ((n & ~3) << 2);
  while (out < end) {
    v128.store(out, v);
    out += 16;
  }
  if (n & 3) storeLanes(out, v, n & 3);
}

/** n times the number at x. */
export function spread(out: usize, x: usize, n: i32): void {
  fill(out, load<f32>(x), n);
}
