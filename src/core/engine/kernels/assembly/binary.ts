/**
 * Elementwise functions of two operands, out [rows, cols] contiguous. Each operand has a row stride in bytes (0: the same row
 * again, which is a row operand) and either unit columns (v) or one value per row (s: a column operand; with row stride 0 a scalar).
 * In place is allowed where an operand has the layout of out.
 */
import { splat } from './math';
import { storeLanes } from './tail';

const ADD = 0;
const SUB = 1;
const MUL = 2;
const DIV = 3;
const MIN = 4;
const MAX = 5;
const EQ = 6;
const LT = 7;
const LE = 8;

@inline function apply(op: i32, a: v128, b: v128): v128 {
  if (op == ADD) return f32x4.add(a, b);
  if (op == SUB) return f32x4.sub(a, b);
  if (op == MUL) return f32x4.mul(a, b);
  if (op == DIV) return f32x4.div(a, b);
  if (op == MIN) return f32x4.min(a, b); // NaN of either side passes
  if (op == MAX) return f32x4.max(a, b);
  if (op == EQ) return v128.and(f32x4.eq(a, b), splat(1));
  if (op == LT) return v128.and(f32x4.lt(a, b), splat(1));
  return v128.and(f32x4.le(a, b), splat(1));
}

@inline function vv(op: i32, out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void {
  for (let i = 0; i < m; i++) {
    const end = (n & ~3) << 2;
    let j = 0;
    for (; j < end; j += 16) v128.store(out + j, apply(op, v128.load(a + j), v128.load(b + j)));
    if (n & 3) storeLanes(out + j, apply(op, v128.load(a + j), v128.load(b + j)), n & 3);
    out += n << 2;
    a += sa;
    b += sb;
  }
}

@inline function vs(op: i32, out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void {
  for (let i = 0; i < m; i++) {
    const s = v128.load_splat<f32>(b);
    const end = (n & ~3) << 2;
    let j = 0;
    for (; j < end; j += 16) v128.store(out + j, apply(op, v128.load(a + j), s));
    if (n & 3) storeLanes(out + j, apply(op, v128.load(a + j), s), n & 3);
    out += n << 2;
    a += sa;
    b += sb;
  }
}

@inline function sv(op: i32, out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void {
  for (let i = 0; i < m; i++) {
    const s = v128.load_splat<f32>(a);
    const end = (n & ~3) << 2;
    let j = 0;
    for (; j < end; j += 16) v128.store(out + j, apply(op, s, v128.load(b + j)));
    if (n & 3) storeLanes(out + j, apply(op, s, v128.load(b + j)), n & 3);
    out += n << 2;
    a += sa;
    b += sb;
  }
}

export function addVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(ADD, out, a, sa, b, sb, m, n); }
export function subVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(SUB, out, a, sa, b, sb, m, n); }
export function mulVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(MUL, out, a, sa, b, sb, m, n); }
export function divVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(DIV, out, a, sa, b, sb, m, n); }
export function minVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(MIN, out, a, sa, b, sb, m, n); }
export function maxVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(MAX, out, a, sa, b, sb, m, n); }
export function eqVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(EQ, out, a, sa, b, sb, m, n); }
export function ltVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(LT, out, a, sa, b, sb, m, n); }
export function leVV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vv(LE, out, a, sa, b, sb, m, n); }

export function addVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(ADD, out, a, sa, b, sb, m, n); }
export function subVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(SUB, out, a, sa, b, sb, m, n); }
export function mulVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(MUL, out, a, sa, b, sb, m, n); }
export function divVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(DIV, out, a, sa, b, sb, m, n); }
export function minVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(MIN, out, a, sa, b, sb, m, n); }
export function maxVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(MAX, out, a, sa, b, sb, m, n); }
export function eqVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(EQ, out, a, sa, b, sb, m, n); }
export function ltVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(LT, out, a, sa, b, sb, m, n); }
export function leVS(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { vs(LE, out, a, sa, b, sb, m, n); }

export function subSV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { sv(SUB, out, a, sa, b, sb, m, n); }
export function divSV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { sv(DIV, out, a, sa, b, sb, m, n); }
export function ltSV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { sv(LT, out, a, sa, b, sb, m, n); }
export function leSV(out: usize, a: usize, sa: usize, b: usize, sb: usize, m: i32, n: i32): void { sv(LE, out, a, sa, b, sb, m, n); }

/** out = cond != 0 ? a : b; `ka`, `kb`: 1 where a, b has unit columns, 0 where it is one value per row. cond has unit columns. */
export function where(out: usize, c: usize, sc: usize, a: usize, sa: usize, ka: i32, b: usize, sb: usize, kb: i32, m: i32, n: i32): void {
  for (let i = 0; i < m; i++) {
    const end = n << 2;
    let va = v128.load_splat<f32>(a);
    let vb = v128.load_splat<f32>(b);
    for (let j = 0; j < end; j += 16) {
      if (ka) va = v128.load(a + j);
      if (kb) vb = v128.load(b + j);
      const y = v128.bitselect(va, vb, f32x4.ne(v128.load(c + j), splat(0)));
      if (end - j >= 16) v128.store(out + j, y);
      else storeLanes(out + j, y, (end - j) >> 2);
    }
    out += end;
    c += sc;
    a += sa;
    b += sb;
  }
}

/** The slope of an activation from its output y: 1 - y^2 of tanh, 0 < y of relu. */
@inline export function slope(relu: bool, y: v128, one: v128): v128 {
  return relu ? v128.and(f32x4.lt(splat(0), y), one) : f32x4.sub(one, f32x4.mul(y, y));
}

/** out = g times the slope at h, all contiguous: the same roundings as the separate steps. */
@inline function throughSlope(relu: bool, out: usize, g: usize, h: usize, n: i32): void {
  const one = splat(1);
  const end = (n & ~3) << 2;
  let j = 0;
  for (; j < end; j += 16) v128.store(out + j, f32x4.mul(v128.load(g + j), slope(relu, v128.load(h + j), one)));
  if (n & 3) storeLanes(out + j, f32x4.mul(v128.load(g + j), slope(relu, v128.load(h + j), one)), n & 3);
}

export function tanhGrad(out: usize, g: usize, h: usize, n: i32): void { throughSlope(false, out, g, h, n); }
export function reluGrad(out: usize, g: usize, h: usize, n: i32): void { throughSlope(true, out, g, h, n); }

/** out = g y (1 - y), what flows back through a sigmoid with the output y; all contiguous, the roundings of the separate steps. */
export function sigmoidGrad(out: usize, g: usize, y: usize, n: i32): void {
  const one = splat(1);
  const end = (n & ~3) << 2;
  let j = 0;
  for (; j < end; j += 16) {
    const h = v128.load(y + j);
    v128.store(out + j, f32x4.mul(v128.load(g + j), f32x4.mul(h, f32x4.sub(one, h))));
  }
  if (n & 3) {
    const h = v128.load(y + j);
    storeLanes(out + j, f32x4.mul(v128.load(g + j), f32x4.mul(h, f32x4.sub(one, h))), n & 3);
  }
}
