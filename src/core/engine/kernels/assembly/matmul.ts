/**
 * out [M, N] = act(a [M, K] b [K, N] + bias), each with a row stride in bytes and unit columns. Every output element is
 * bias + a0 b0 + a1 b1 + ..., added in this order whatever tile it falls into, so its bits do not depend on M or N.
 * Tiles: tall ones of 5 rows by 8 columns, then 4 by 8 for the last rows, eight steps written out; where ten accumulators spill, 2 by 16,
 * then 4 by 8 for five to eight columns left over, K not unrolled (V8 does it, and more steps spill too). The rest is 4-wide with lane stores; single rows
 * go through 1 by 16. The activation runs over each block of rows while it is in cache.
 */
import { activate } from './activate';
import { reluGrad, tanhGrad } from './binary';
import { splat } from './math';
import { narrow4, narrow8, outerGrad } from './narrow';
import { scratch, tall } from './scratch';
import { mostlyZero, sparseRow } from './sparse';
import { storeLanes } from './tail';
import { start, tile1x16, tile2x16, tile4x8, tile5x4, tile5x8 } from './tiles';

@inline function backThrough(relu: bool, p: usize, h: usize, n: i32): void {
  if (relu) reluGrad(p, p, h, n);
  else tanhGrad(p, p, h, n);
}

@inline function shifted(p: usize, j: usize): usize {
  return p ? p + j : 0;
}

/** Columns j.. of four rows. */
function rows4(out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, k: i32, n: i32, j: i32): void {
  const wide = tall ? 0 : (n & ~15) << 2;
  // five to seven columns left over take the tile of eight, too: a tile of four is too few additions side by side
  const over = (n & 7) > 4 ? n & 3 : 0;
  const full = over ? ((n + 7) & ~7) << 2 : (n & ~7) << 2;
  const kEnd = a + (k << 2);
  const sa2 = sa + sa;
  const sa3 = sa2 + sa;
  for (; j < wide; j += 64) {
    const from = shifted(bias, j);
    for (let r: usize = 0; r < 4; r += 2) tile2x16(out + so * r + j, so, a + sa * r, sa, kEnd + sa * r, b + j, sb, from, from);
  }
  const eights = tall ? (n & ~7) << 2 : 0;
  for (; j < eights; j += 32) tile4x8(out + j, so, a, sa, kEnd, b + j, sb, shifted(bias, j), 0);
  for (; j < full; j += 32) {
    let c00 = start(bias, j);
    let c01 = start(bias, j + 16);
    let c10 = c00;
    let c11 = c01;
    let c20 = c00;
    let c21 = c01;
    let c30 = c00;
    let c31 = c01;
    let q = b + j;
    for (let p = a; p < kEnd; p += 4) {
      const b0 = v128.load(q);
      const b1 = v128.load(q, 16);
      q += sb;
      const x0 = v128.load_splat<f32>(p);
      c00 = f32x4.add(c00, f32x4.mul(x0, b0));
      c01 = f32x4.add(c01, f32x4.mul(x0, b1));
      const x1 = v128.load_splat<f32>(p + sa);
      c10 = f32x4.add(c10, f32x4.mul(x1, b0));
      c11 = f32x4.add(c11, f32x4.mul(x1, b1));
      const x2 = v128.load_splat<f32>(p + sa2);
      c20 = f32x4.add(c20, f32x4.mul(x2, b0));
      c21 = f32x4.add(c21, f32x4.mul(x2, b1));
      const x3 = v128.load_splat<f32>(p + sa3);
      c30 = f32x4.add(c30, f32x4.mul(x3, b0));
      c31 = f32x4.add(c31, f32x4.mul(x3, b1));
    }
    let o = out + j;
    if (over && j + 32 == full) {
      v128.store(o, c00);
      storeLanes(o + 16, c01, over);
      o += so;
      v128.store(o, c10);
      storeLanes(o + 16, c11, over);
      o += so;
      v128.store(o, c20);
      storeLanes(o + 16, c21, over);
      o += so;
      v128.store(o, c30);
      storeLanes(o + 16, c31, over);
      return;
    }
    v128.store(o, c00);
    v128.store(o, c01, 16);
    o += so;
    v128.store(o, c10);
    v128.store(o, c11, 16);
    o += so;
    v128.store(o, c20);
    v128.store(o, c21, 16);
    o += so;
    v128.store(o, c30);
    v128.store(o, c31, 16);
  }
  const end = n << 2;
  for (; j < end; j += 16) {
    let c0 = start(bias, j);
    let c1 = c0;
    let c2 = c0;
    let c3 = c0;
    let q = b + j;
    for (let p = a; p < kEnd; p += 4) {
      const b0 = v128.load(q);
      q += sb;
      c0 = f32x4.add(c0, f32x4.mul(v128.load_splat<f32>(p), b0));
      c1 = f32x4.add(c1, f32x4.mul(v128.load_splat<f32>(p + sa), b0));
      c2 = f32x4.add(c2, f32x4.mul(v128.load_splat<f32>(p + sa2), b0));
      c3 = f32x4.add(c3, f32x4.mul(v128.load_splat<f32>(p + sa3), b0));
    }
    const left = (end - j) >> 2;
    const o = out + j;
    if (left >= 4) {
      v128.store(o, c0);
      v128.store(o + so, c1);
      v128.store(o + so * 2, c2);
      v128.store(o + so * 3, c3);
    } else {
      storeLanes(o, c0, left);
      storeLanes(o + so, c1, left);
      storeLanes(o + so * 2, c2, left);
      storeLanes(o + so * 3, c3, left);
    }
  }
}

/** Columns j.. of one row. */
function row1(out: usize, a: usize, b: usize, sb: usize, bias: usize, k: i32, n: i32, j: i32): void {
  const full = (n & ~15) << 2;
  const kEnd = a + (k << 2);
  for (; j < full; j += 64) tile1x16(out + j, a, kEnd, b + j, sb, shifted(bias, j));
  const end = n << 2;
  for (; j < end; j += 16) {
    let c = start(bias, j);
    let q = b + j;
    for (let p = a; p < kEnd; p += 4) {
      c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(p), v128.load(q)));
      q += sb;
    }
    const left = (end - j) >> 2;
    if (left >= 4) v128.store(out + j, c);
    else storeLanes(out + j, c, left);
  }
}

/** Columns j.. of five rows. */
function rows5(out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, k: i32, n: i32, j: i32): void {
  const full = (n & ~7) << 2;
  const kEnd = a + (k << 2);
  for (; j < full; j += 32) tile5x8(out + j, so, a, sa, kEnd, b + j, sb, shifted(bias, j), 0);
  const end = n << 2;
  for (; j < end; j += 16) tile5x4(out + j, so, a, sa, kEnd, b + j, sb, shifted(bias, j), min(4, (end - j) >> 2));
}

/** How many of m rows to take by fives so that, where possible, fours remain. */
@inline function byFives(m: i32): i32 {
  const fours = (5 - (m % 5)) % 5;
  return fours << 2 <= m ? m - (fours << 2) : m - (m % 5);
}

const PANEL_ROWS = 256;

/**
 * The full panels of 16 columns where b does not fit in the first-level cache: each is copied together, 256 rows at a time, and then
 * serves all rows of a. out carries the sums from one block of rows to the next, in the same order of additions.
 */
function panels(out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, m: i32, k: i32, n: i32): void {
  const full = (n & ~15) << 2;
  for (let k0 = 0; k0 < k; k0 += PANEL_ROWS) {
    const rows = min(PANEL_ROWS, k - k0);
    for (let j = 0; j < full; j += 64) {
      let q = b + sb * k0 + j;
      for (let p = scratch; p < scratch + (rows << 6); p += 64) {
        v128.store(p, v128.load(q));
        v128.store(p, v128.load(q, 16), 16);
        v128.store(p, v128.load(q, 32), 32);
        v128.store(p, v128.load(q, 48), 48);
        q += sb;
      }
      let o = out + j;
      let x = a + (k0 << 2);
      let i = 0;
      if (tall) {
        const end = byFives(m);
        for (; i < end; i += 5) {
          const from = k0 ? o : shifted(bias, j);
          const xEnd = x + (rows << 2);
          tile5x8(o, so, x, sa, xEnd, scratch, 64, from, k0 ? so : 0);
          tile5x8(o + 32, so, x, sa, xEnd, scratch + 32, 64, shifted(from, 32), k0 ? so : 0);
          o += so * 5;
          x += sa * 5;
        }
      }
      for (; i + 2 <= m; i += 2) {
        const from0 = k0 ? o : shifted(bias, j);
        const from1 = k0 ? o + so : from0;
        tile2x16(o, so, x, sa, x + (rows << 2), scratch, 64, from0, from1);
        o += so << 1;
        x += sa << 1;
      }
      if (i < m) tile1x16(o, x, x + (rows << 2), scratch, 64, k0 ? o : shifted(bias, j));
    }
  }
}

/** Epilogues that multiply by the slope of an activation at its output h, given in place of the bias: what flows back through a layer. */
const TANH_GRAD = 100;
const RELU_GRAD = 101;

/**
 * bias 0: none; act 0: none, else an id of unary.ts, or TANH_GRAD, RELU_GRAD with h [M, N], contiguous as out must be then.
 */
export function matmul(
  out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, act: i32, m: i32, k: i32, n: i32,
): void {
  part(mostlyZero(a, k, n), out, so, a, sa, b, sb, bias, act, m, k, n);
}

/** Some rows of out (rows of a), where the whole product decided whether a is mostly zeros. */
export function part(
  sparse: bool, out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, act: i32, m: i32, k: i32, n: i32,
): void {
  const contiguous = so == <usize>(n << 2);
  let h: usize = 0;
  const relu = act == RELU_GRAD;
  if (act == TANH_GRAD || relu) {
    h = bias;
    bias = 0;
  }
  if (h && k <= 2 && (n & 3) == 0) {
    if (relu) outerGrad(true, out, a, sa, b, sb, h, m, k, n);
    else outerGrad(false, out, a, sa, b, sb, h, m, k, n);
    return;
  }
  let first = 0;
  if (!sparse && m >= 24 && n >= 16 && k * n > 8192) {
    panels(out, so, a, sa, b, sb, bias, m, k, n);
    first = (n & ~15) << 2;
  }
  let i = 0;
  if (tall && !sparse && n >= 8) {
    const end = byFives(m);
    for (; i < end; i += 5) {
      rows5(out, so, a, sa, b, sb, bias, k, n, first);
      if (h) {
        backThrough(relu, out, h, n * 5);
        h += so * 5;
      } else if (act) {
        if (contiguous) activate(act, out, n * 5);
        else for (let r = 0; r < 5; r++) activate(act, out + so * r, n);
      }
      out += so * 5;
      a += sa * 5;
    }
  }
  if (n <= 2 && (k & 3) == 0 && !act && !h) {
    for (; i + 8 <= m; i += 8) {
      if (n == 1) narrow8(out, so, a, sa, b, sb, bias, k, false);
      else narrow8(out, so, a, sa, b, sb, bias, k, true);
      out += so << 3;
      a += sa << 3;
    }
  }
  for (; !sparse && i + 4 <= m; i += 4) {
    if (n == 1) narrow4(out, so, a, sa, b, sb, bias, k, false);
    else if (n == 2) narrow4(out, so, a, sa, b, sb, bias, k, true);
    else rows4(out, so, a, sa, b, sb, bias, k, n, first);
    if (h) {
      backThrough(relu, out, h, n << 2);
      h += so << 2;
    } else if (act) {
      if (contiguous) activate(act, out, n << 2);
      else for (let r = 0; r < 4; r++) activate(act, out + so * r, n);
    }
    out += so << 2;
    a += sa << 2;
  }
  for (; i < m; i++) {
    if (sparse) sparseRow(out, a, b, sb, bias, k, n);
    else row1(out, a, b, sb, bias, k, n, first);
    if (h) {
      backThrough(relu, out, h, n);
      h += so;
    } else if (act) activate(act, out, n);
    out += so;
    a += sa;
  }
}
