/**
 * Products with a matrix that is mostly zeros: one-hot grid codes are 980 columns with 147 ones. The numbers of a row that are not
 * zero are listed once, with the address of the row of the other matrix each belongs to; only those are multiplied and added, in
 * the order of the dense kernels. A skipped term is 0 * w, which changes no sum: the bits are those of the dense kernels as long
 * as the weights are finite (0 * infinity would be NaN).
 */
import { splat } from './math';
import { scratch } from './scratch';
import { storeLanes } from './tail';
import { start } from './tiles';

/** Rows shorter than this are quicker without a list; longer ones do not fit in the scratch memory, at eight bytes a number. */
const SHORTEST = 128;
const LONGEST = 2048;

/** Whether to take this path for rows of k numbers: decided by the first row, which changes the speed only. */
export function mostlyZero(a: usize, k: i32, n: i32): bool {
  if (k < SHORTEST || k > LONGEST || n < 8) return false;
  let count = 0;
  for (const end = a + (k << 2); a < end; a += 4) count += load<f32>(a) != 0 ? 1 : 0;
  return count << 2 <= k;
}

/** Writes (row + index * stride, value) of what is not zero into the scratch memory; returns the end of the list. */
function list(a: usize, k: i32, row: usize, stride: usize): usize {
  let to = scratch;
  const zero = splat(0);
  const whole = a + ((k & ~3) << 2);
  while (a < whole) {
    let bits = i32x4.bitmask(f32x4.ne(v128.load(a), zero));
    while (bits) {
      const i: usize = ctz(bits);
      store<usize>(to, row + i * stride);
      store<f32>(to, load<f32>(a + (i << 2)), 4);
      to += 8;
      bits &= bits - 1;
    }
    a += 16;
    row += stride << 2;
  }
  for (let i = k & 3; i > 0; i--) {
    if (load<f32>(a) != 0) {
      store<usize>(to, row);
      store<f32>(to, load<f32>(a), 4);
      to += 8;
    }
    a += 4;
    row += stride;
  }
  return to;
}

/** out [n] = bias + sum of value * row over the list. */
function combine(out: usize, end: usize, bias: usize, n: i32): void {
  const wide: usize = (n & ~31) << 2;
  const all: usize = n << 2;
  let j: usize = 0;
  for (; j < wide; j += 128) {
    let c0 = start(bias, j);
    let c1 = start(bias, j + 16);
    let c2 = start(bias, j + 32);
    let c3 = start(bias, j + 48);
    let c4 = start(bias, j + 64);
    let c5 = start(bias, j + 80);
    let c6 = start(bias, j + 96);
    let c7 = start(bias, j + 112);
    for (let p = scratch; p < end; p += 8) {
      const q = load<usize>(p) + j;
      const x = v128.load_splat<f32>(p, 4);
      c0 = f32x4.add(c0, f32x4.mul(x, v128.load(q)));
      c1 = f32x4.add(c1, f32x4.mul(x, v128.load(q, 16)));
      c2 = f32x4.add(c2, f32x4.mul(x, v128.load(q, 32)));
      c3 = f32x4.add(c3, f32x4.mul(x, v128.load(q, 48)));
      c4 = f32x4.add(c4, f32x4.mul(x, v128.load(q, 64)));
      c5 = f32x4.add(c5, f32x4.mul(x, v128.load(q, 80)));
      c6 = f32x4.add(c6, f32x4.mul(x, v128.load(q, 96)));
      c7 = f32x4.add(c7, f32x4.mul(x, v128.load(q, 112)));
    }
    v128.store(out + j, c0);
    v128.store(out + j, c1, 16);
    v128.store(out + j, c2, 32);
    v128.store(out + j, c3, 48);
    v128.store(out + j, c4, 64);
    v128.store(out + j, c5, 80);
    v128.store(out + j, c6, 96);
    v128.store(out + j, c7, 112);
  }
  for (; j < all; j += 16) {
    let c = start(bias, j);
    for (let p = scratch; p < end; p += 8) c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(p, 4), v128.load(load<usize>(p) + j)));
    const left = <i32>((all - j) >> 2);
    if (left >= 4) v128.store(out + j, c);
    else storeLanes(out + j, c, left);
  }
}

/** Each row of the list += value * d [n]. */
function spreadRows(end: usize, d: usize, n: i32): void {
  const wide: usize = (n & ~15) << 2;
  const all: usize = n << 2;
  let j: usize = 0;
  for (; j < wide; j += 64) {
    const d0 = v128.load(d + j);
    const d1 = v128.load(d + j, 16);
    const d2 = v128.load(d + j, 32);
    const d3 = v128.load(d + j, 48);
    for (let p = scratch; p < end; p += 8) {
      const q = load<usize>(p) + j;
      const x = v128.load_splat<f32>(p, 4);
      v128.store(q, f32x4.add(v128.load(q), f32x4.mul(x, d0)));
      v128.store(q, f32x4.add(v128.load(q, 16), f32x4.mul(x, d1)), 16);
      v128.store(q, f32x4.add(v128.load(q, 32), f32x4.mul(x, d2)), 32);
      v128.store(q, f32x4.add(v128.load(q, 48), f32x4.mul(x, d3)), 48);
    }
  }
  for (; j < all; j += 4) {
    const y = load<f32>(d + j);
    for (let p = scratch; p < end; p += 8) {
      const q = load<usize>(p) + j;
      store<f32>(q, load<f32>(q) + load<f32>(p, 4) * y);
    }
  }
}

/** One row of out = bias + a b. */
export function sparseRow(out: usize, a: usize, b: usize, sb: usize, bias: usize, k: i32, n: i32): void {
  combine(out, list(a, k, b, sb), bias, n);
}

/** out [K, N] += a^T d. */
export function sparseTN(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, m: i32, k: i32, n: i32): void {
  for (; m > 0; m--) {
    spreadRows(list(a, k, out, so), d, n);
    a += sa;
    d += sd;
  }
}
