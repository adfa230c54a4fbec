/**
 * Elementwise functions of one operand: out [rows, cols] contiguous, x with a row stride of `sx` bytes and unit columns.
 * A contiguous operand of any shape is one row. In place (out = x) is allowed.
 */
import { cos4, elu4, EXP as EXP_TABLE, exp4, gelu4, k, log4, reduceLn2, relu4, scaleExp, sigmoid4, sign4, sin4, softplus4, splat, TANH as TANH_TABLE, tanh4 } from './math';
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

/**
 * tanh4 of four vectors, step by step side by side: one after another each would be a chain of operations that wait for the one
 * before. The same operations, hence the same bits.
 */
function tanhRow(out: usize, x: usize, n: i32): void {
  const fours = out + ((n & ~15) << 2);
  let u: v128;
  let v: v128;
  while (out < fours) {
    u = k(TANH_TABLE, 10);
    v = k(TANH_TABLE, 11);
    // #repeat 4 $i
    const c$i = f32x4.pmax(f32x4.pmin(v128.load(x, 16 * $i), u), v);
    const z$i = f32x4.mul(c$i, c$i);
    // #end
    u = k(TANH_TABLE, 0);
    v = k(TANH_TABLE, 1);
    // #repeat 4 $i
    let p$i = f32x4.add(f32x4.mul(u, z$i), v);
    // #end
    u = k(TANH_TABLE, 4);
    v = k(TANH_TABLE, 5);
    // #repeat 4 $i
    let q$i = f32x4.add(f32x4.mul(u, z$i), v);
    // #end
    u = k(TANH_TABLE, 2);
    // #repeat 4 $i
    p$i = f32x4.add(f32x4.mul(p$i, z$i), u);
    // #end
    u = k(TANH_TABLE, 6);
    // #repeat 4 $i
    q$i = f32x4.add(f32x4.mul(q$i, z$i), u);
    // #end
    u = k(TANH_TABLE, 3);
    // #repeat 4 $i
    p$i = f32x4.add(f32x4.mul(p$i, z$i), u);
    // #end
    u = k(TANH_TABLE, 7);
    // #repeat 4 $i
    q$i = f32x4.add(f32x4.mul(q$i, z$i), u);
    // #end
    u = k(TANH_TABLE, 8);
    // #repeat 4 $i
    p$i = f32x4.add(f32x4.mul(p$i, z$i), u);
    // #end
    // #repeat 4 $i
    q$i = f32x4.add(f32x4.mul(q$i, z$i), u);
    // #end
    v = k(TANH_TABLE, 9);
    // #repeat 4 $i
    p$i = f32x4.div(f32x4.mul(c$i, p$i), q$i);
    // #end
    // #repeat 4 $i
    v128.store(out, f32x4.pmax(f32x4.pmin(p$i, u), v), 16 * $i);
    // #end
    out += 64;
    x += 64;
  }
  row(TANH, out, x, n & 15);
}

/** The same of exp4, or of sigmoid4, which is 1 / (1 + exp(-x)). */
@inline function expRow(logistic: bool, out: usize, x: usize, n: i32): void {
  const fours = out + ((n & ~15) << 2);
  let u: v128;
  let v: v128;
  while (out < fours) {
    // #repeat 4 $i
    const x$i = logistic ? f32x4.neg(v128.load(x, 16 * $i)) : v128.load(x, 16 * $i);
    // #end
    u = k(EXP_TABLE, 10);
    v = k(EXP_TABLE, 11);
    // #repeat 4 $i
    const c$i = f32x4.pmax(f32x4.pmin(x$i, u), v);
    // #end
    u = k(EXP_TABLE, 0);
    v = k(EXP_TABLE, 1);
    // #repeat 4 $i
    const t$i = f32x4.add(f32x4.mul(c$i, u), v);
    // #end
    // #repeat 4 $i
    const r$i = reduceLn2(c$i, t$i);
    // #end
    u = k(EXP_TABLE, 5);
    v = k(EXP_TABLE, 6);
    // #repeat 4 $i
    let p$i = f32x4.add(f32x4.mul(u, r$i), v);
    // #end
    u = k(EXP_TABLE, 7);
    // #repeat 4 $i
    p$i = f32x4.add(f32x4.mul(p$i, r$i), u);
    // #end
    u = k(EXP_TABLE, 8);
    // #repeat 4 $i
    p$i = f32x4.add(f32x4.mul(p$i, r$i), u);
    // #end
    u = k(EXP_TABLE, 9);
    // #repeat 4 $i
    p$i = f32x4.add(f32x4.mul(p$i, r$i), u);
    // #end
    u = k(EXP_TABLE, 4);
    // #repeat 4 $i
    p$i = f32x4.add(u, f32x4.add(r$i, f32x4.mul(f32x4.mul(r$i, r$i), p$i)));
    // #end
    if (logistic) {
      // #repeat 4 $i
      p$i = scaleExp(f32x4.neg(v128.load(x, 16 * $i)), p$i, t$i);
      // #end
      u = k(TANH_TABLE, 8);
      // #repeat 4 $i
      v128.store(out, f32x4.div(u, f32x4.add(u, p$i)), 16 * $i);
      // #end
    } else {
      // #repeat 4 $i
      v128.store(out, scaleExp(v128.load(x, 16 * $i), p$i, t$i), 16 * $i);
      // #end
    }
    out += 64;
    x += 64;
  }
  row(logistic ? SIGMOID : EXP, out, x, n & 15);
}
function exponentialRow(out: usize, x: usize, n: i32): void { expRow(false, out, x, n); }
function sigmoidRow(out: usize, x: usize, n: i32): void { expRow(true, out, x, n); }

@inline function rows(op: i32, out: usize, x: usize, sx: usize, m: i32, n: i32): void {
  for (let i = 0; i < m; i++) {
    if (op == TANH) tanhRow(out, x, n);
    else if (op == EXP) exponentialRow(out, x, n);
    else if (op == SIGMOID) sigmoidRow(out, x, n);
    else row(op, out, x, n);
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
