/**
 * Sums and maxima. One order per primitive: a row is summed in four lanes (element i in lane i mod 4, missing ones 0), then
 * (l0 + l1) + (l2 + l3); a column is summed from the first row to the last. Maxima pass NaN on.
 */
import { splat } from './math';
import { addLanes, laneMask, storeLanes } from './tail';

@inline function rowSum(x: usize, n: i32): f32 {
  const end = (n & ~3) << 2;
  let s = splat(0);
  let j = 0;
  for (; j < end; j += 16) s = f32x4.add(s, v128.load(x + j));
  if (n & 3) s = f32x4.add(s, v128.and(v128.load(x + j), laneMask(n & 3)));
  return addLanes(s);
}

/** out [m] = sums of the rows of x [m, n]. */
export function sumRows(out: usize, x: usize, sx: usize, m: i32, n: i32): void {
  let i = 0;
  const end = (n & ~3) << 2;
  const mask = laneMask(n & 3);
  for (; i + 4 <= m; i += 4) {
    // four rows at once: one row alone would wait for each addition
    const x1 = x + sx;
    const x2 = x1 + sx;
    const x3 = x2 + sx;
    let a = splat(0);
    let b = a;
    let c = a;
    let d = a;
    let j = 0;
    for (; j < end; j += 16) {
      a = f32x4.add(a, v128.load(x + j));
      b = f32x4.add(b, v128.load(x1 + j));
      c = f32x4.add(c, v128.load(x2 + j));
      d = f32x4.add(d, v128.load(x3 + j));
    }
    if (n & 3) {
      a = f32x4.add(a, v128.and(v128.load(x + j), mask));
      b = f32x4.add(b, v128.and(v128.load(x1 + j), mask));
      c = f32x4.add(c, v128.and(v128.load(x2 + j), mask));
      d = f32x4.add(d, v128.and(v128.load(x3 + j), mask));
    }
    // lanes 0, 1 of each beside lanes 2, 3: pairs first, then their sum
    const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 2, 4, 6), v128.shuffle<f32>(a, b, 1, 3, 5, 7));
    const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 2, 4, 6), v128.shuffle<f32>(c, d, 1, 3, 5, 7));
    v128.store(out, f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7)));
    out += 16;
    x = x3 + sx;
  }
  for (; i < m; i++) {
    store<f32>(out, rowSum(x, n));
    out += 4;
    x += sx;
  }
}

/** out [m] = largest element of each row of x [m, n], n >= 1. */
export function maxRows(out: usize, x: usize, sx: usize, m: i32, n: i32): void {
  const end = (n & ~3) << 2;
  const mask = laneMask(n & 3);
  const least = splat(-Infinity);
  let i = 0;
  for (; i + 4 <= m; i += 4) {
    const x1 = x + sx;
    const x2 = x1 + sx;
    const x3 = x2 + sx;
    let a = least;
    let b = least;
    let c = least;
    let d = least;
    let j = 0;
    for (; j < end; j += 16) {
      a = f32x4.max(a, v128.load(x + j));
      b = f32x4.max(b, v128.load(x1 + j));
      c = f32x4.max(c, v128.load(x2 + j));
      d = f32x4.max(d, v128.load(x3 + j));
    }
    if (n & 3) {
      a = f32x4.max(a, v128.bitselect(v128.load(x + j), least, mask));
      b = f32x4.max(b, v128.bitselect(v128.load(x1 + j), least, mask));
      c = f32x4.max(c, v128.bitselect(v128.load(x2 + j), least, mask));
      d = f32x4.max(d, v128.bitselect(v128.load(x3 + j), least, mask));
    }
    const ab = f32x4.max(v128.shuffle<f32>(a, b, 0, 2, 4, 6), v128.shuffle<f32>(a, b, 1, 3, 5, 7));
    const cd = f32x4.max(v128.shuffle<f32>(c, d, 0, 2, 4, 6), v128.shuffle<f32>(c, d, 1, 3, 5, 7));
    v128.store(out, f32x4.max(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7)));
    out += 16;
    x = x3 + sx;
  }
  for (; i < m; i++) {
    let s = least;
    let j = 0;
    for (; j < end; j += 16) s = f32x4.max(s, v128.load(x + j));
    if (n & 3) s = f32x4.max(s, v128.bitselect(v128.load(x + j), least, mask));
    store<f32>(
      out,
      max<f32>(
        max<f32>(f32x4.extract_lane(s, 0), f32x4.extract_lane(s, 1)),
        max<f32>(f32x4.extract_lane(s, 2), f32x4.extract_lane(s, 3)),
      ),
    );
    out += 4;
    x += sx;
  }
}

@inline function fold(largest: bool, a: v128, b: v128): v128 {
  return largest ? f32x4.max(a, b) : f32x4.add(a, b);
}

@inline function columns(largest: bool, out: usize, x: usize, sx: usize, m: i32, n: i32): void {
  const initial = largest ? splat(-Infinity) : splat(0);
  const full = (n & ~15) << 2;
  const end = n << 2;
  let j = 0;
  for (; j < full; j += 64) {
    let a = initial;
    let b = initial;
    let c = initial;
    let d = initial;
    let p = x + j;
    for (let i = 0; i < m; i++) {
      a = fold(largest, a, v128.load(p));
      b = fold(largest, b, v128.load(p, 16));
      c = fold(largest, c, v128.load(p, 32));
      d = fold(largest, d, v128.load(p, 48));
      p += sx;
    }
    v128.store(out + j, a);
    v128.store(out + j, b, 16);
    v128.store(out + j, c, 32);
    v128.store(out + j, d, 48);
  }
  for (; j < end; j += 16) {
    let a = initial;
    let p = x + j;
    for (let i = 0; i < m; i++) {
      a = fold(largest, a, v128.load(p));
      p += sx;
    }
    if (end - j >= 16) v128.store(out + j, a);
    else storeLanes(out + j, a, (end - j) >> 2);
  }
}

/** out [outer, n] = sums over the middle axis of x [outer, m, n], contiguous except for the row stride sx of the middle axis. */
export function sumColumns(out: usize, x: usize, sx: usize, outer: i32, m: i32, n: i32): void {
  for (let o = 0; o < outer; o++) {
    columns(false, out, x, sx, m, n);
    out += n << 2;
    x += sx * m;
  }
}

export function maxColumns(out: usize, x: usize, sx: usize, outer: i32, m: i32, n: i32): void {
  for (let o = 0; o < outer; o++) {
    columns(true, out, x, sx, m, n);
    out += n << 2;
    x += sx * m;
  }
}
