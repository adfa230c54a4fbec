/**
 * Weight gradient: out [K, N] (+)= a^T d for a [M, K] and d [M, N], row strides in bytes. Rows are taken in blocks of 32, so that
 * both blocks stay in cache; the target accumulates from block to block, and every element still adds its rows in order 0..M-1.
 * Tile: 4 rows of out by 8 columns, or 5 where they stay in registers. Narrow d (N <= 4) runs along K instead: the same additions, full vectors.
 */
import { splat } from './math';
import { scratch, tall, tile } from './scratch';
import { mostlyZero, sparseTN } from './sparse';
import { storeLanes } from './tail';
import { fill } from './unary';

@inline function from(fresh: bool, p: usize): v128 {
  return fresh ? splat(0) : v128.load(p);
}

@inline function tile4x8(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool): void {
  const o1 = out + so;
  const o2 = o1 + so;
  const o3 = o2 + so;
  let c00 = from(fresh, out);
  let c01 = from(fresh, out + 16);
  let c10 = from(fresh, o1);
  let c11 = from(fresh, o1 + 16);
  let c20 = from(fresh, o2);
  let c21 = from(fresh, o2 + 16);
  let c30 = from(fresh, o3);
  let c31 = from(fresh, o3 + 16);
  // counted: the stride of a may be 0 (a broadcast row)
  for (let r = rows; r > 0; r--) {
    const d0 = v128.load(d);
    const d1 = v128.load(d, 16);
    d += sd;
    const x0 = v128.load_splat<f32>(a);
    c00 = f32x4.add(c00, f32x4.mul(x0, d0));
    c01 = f32x4.add(c01, f32x4.mul(x0, d1));
    const x1 = v128.load_splat<f32>(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x1, d0));
    c11 = f32x4.add(c11, f32x4.mul(x1, d1));
    const x2 = v128.load_splat<f32>(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x2, d0));
    c21 = f32x4.add(c21, f32x4.mul(x2, d1));
    const x3 = v128.load_splat<f32>(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x3, d0));
    c31 = f32x4.add(c31, f32x4.mul(x3, d1));
    a += sa;
  }
  v128.store(out, c00);
  v128.store(out, c01, 16);
  v128.store(o1, c10);
  v128.store(o1, c11, 16);
  v128.store(o2, c20);
  v128.store(o2, c21, 16);
  v128.store(o3, c30);
  v128.store(o3, c31, 16);
}

/** Five rows of out, eight columns, eight rows of a and d at a time: see tiles.ts. */
@inline function tall5x8(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool): void {
  let o = out;
  // #repeat 5 $r
  let c$r0 = from(fresh, o);
  let c$r1 = from(fresh, o + 16);
  o += so;
  // #end
  let left = rows;
  for (; left >= 8; left -= 8) {
    // #repeat 8 $i
    {
      const d0 = v128.load(d);
      const d1 = v128.load(d, 16);
      d += sd;
      // #repeat 5 $r
      const x$r = v128.load_splat<f32>(a, 4 * $r);
      const t$r = f32x4.mul(x$r, d0);
      const u$r = f32x4.mul(x$r, d1);
      c$r0 = f32x4.add(c$r0, t$r);
      c$r1 = f32x4.add(c$r1, u$r);
      // #end
      a += sa;
    }
    // #end
  }
  for (; left > 0; left--) {
    const d0 = v128.load(d);
    const d1 = v128.load(d, 16);
    d += sd;
    // #repeat 5 $r
    const x$r = v128.load_splat<f32>(a, 4 * $r);
    const t$r = f32x4.mul(x$r, d0);
    const u$r = f32x4.mul(x$r, d1);
    c$r0 = f32x4.add(c$r0, t$r);
    c$r1 = f32x4.add(c$r1, u$r);
    // #end
    a += sa;
  }
  o = out;
  // #repeat 5 $r
  v128.store(o, c$r0);
  v128.store(o, c$r1, 16);
  o += so;
  // #end
}

/** Four rows of out, eight columns, eight rows of a and d at a time: see tiles.ts. */
@inline function tall4x8(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool): void {
  let o = out;
  // #repeat 4 $r
  let c$r0 = from(fresh, o);
  let c$r1 = from(fresh, o + 16);
  o += so;
  // #end
  let left = rows;
  for (; left >= 8; left -= 8) {
    // #repeat 8 $i
    {
      const d0 = v128.load(d);
      const d1 = v128.load(d, 16);
      d += sd;
      // #repeat 4 $r
      const x$r = v128.load_splat<f32>(a, 4 * $r);
      const t$r = f32x4.mul(x$r, d0);
      const u$r = f32x4.mul(x$r, d1);
      c$r0 = f32x4.add(c$r0, t$r);
      c$r1 = f32x4.add(c$r1, u$r);
      // #end
      a += sa;
    }
    // #end
  }
  for (; left > 0; left--) {
    const d0 = v128.load(d);
    const d1 = v128.load(d, 16);
    d += sd;
    // #repeat 4 $r
    const x$r = v128.load_splat<f32>(a, 4 * $r);
    const t$r = f32x4.mul(x$r, d0);
    const u$r = f32x4.mul(x$r, d1);
    c$r0 = f32x4.add(c$r0, t$r);
    c$r1 = f32x4.add(c$r1, u$r);
    // #end
    a += sa;
  }
  o = out;
  // #repeat 4 $r
  v128.store(o, c$r0);
  v128.store(o, c$r1, 16);
  o += so;
  // #end
}

/** Five rows of out, `left` (1..4) columns. */
@inline function tile5x4(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool, left: i32): void {
  let o = out;
  // #repeat 5 $r
  let c$r = from(fresh, o);
  o += so;
  // #end
  for (let r = rows; r > 0; r--) {
    const d0 = v128.load(d);
    d += sd;
    // #repeat 5 $r
    const x$r = f32x4.mul(v128.load_splat<f32>(a, 4 * $r), d0);
    // #end
    // #repeat 5 $r
    c$r = f32x4.add(c$r, x$r);
    // #end
    a += sa;
  }
  o = out;
  // #repeat 5 $r
  if (left >= 4) v128.store(o, c$r);
  else storeLanes(o, c$r, left);
  o += so;
  // #end
}

/** Five rows of out, n columns. A function of its own, as strip4 is, so that its loops have the registers to themselves. */
function strip5(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool, n: i32): void {
  const full = (n & ~7) << 2;
  const end = n << 2;
  let j = 0;
  for (; j < full; j += 32) tall5x8(out + j, so, a, sa, d + j, sd, rows, fresh);
  for (; j < end; j += 16) {
    tile5x4(out + j, so, a, sa, d + j, sd, rows, fresh, min(4, (end - j) >> 2));
  }
}

/** Four rows of out, the first columns of n that come by eights. */
function strip4(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool, n: i32): void {
  const full = (n & ~7) << 2;
  if (tall) for (let j = 0; j < full; j += 32) tall4x8(out + j, so, a, sa, d + j, sd, rows, fresh);
  else for (let j = 0; j < full; j += 32) tile4x8(out + j, so, a, sa, d + j, sd, rows, fresh);
}

/** Four rows of out, `left` (1..4) columns; all loads of out come before the stores, which write no other column. */
function tile4x4(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool, left: i32): void {
  const o1 = out + so;
  const o2 = o1 + so;
  const o3 = o2 + so;
  let c0 = from(fresh, out);
  let c1 = from(fresh, o1);
  let c2 = from(fresh, o2);
  let c3 = from(fresh, o3);
  for (let r = rows; r > 0; r--) {
    const d0 = v128.load(d);
    d += sd;
    c0 = f32x4.add(c0, f32x4.mul(v128.load_splat<f32>(a), d0));
    c1 = f32x4.add(c1, f32x4.mul(v128.load_splat<f32>(a, 4), d0));
    c2 = f32x4.add(c2, f32x4.mul(v128.load_splat<f32>(a, 8), d0));
    c3 = f32x4.add(c3, f32x4.mul(v128.load_splat<f32>(a, 12), d0));
    a += sa;
  }
  if (left >= 4) {
    v128.store(out, c0);
    v128.store(o1, c1);
    v128.store(o2, c2);
    v128.store(o3, c3);
  } else {
    storeLanes(out, c0, left);
    storeLanes(o1, c1, left);
    storeLanes(o2, c2, left);
    storeLanes(o3, c3, left);
  }
}

/** One row of out, `left` (1..4) columns. */
function tile1x4(out: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, fresh: bool, left: i32): void {
  let c = from(fresh, out);
  for (let r = rows; r > 0; r--) {
    c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(a), v128.load(d)));
    a += sa;
    d += sd;
  }
  if (left >= 4) v128.store(out, c);
  else storeLanes(out, c, left);
}

@inline function gatherLanes(fresh: bool, p: usize, so: usize): v128 {
  if (fresh) return splat(0);
  return f32x4(load<f32>(p), load<f32>(p + so), load<f32>(p + so * 2), load<f32>(p + so * 3));
}

@inline function scatterLanes(p: usize, so: usize, v: v128): void {
  v128.store_lane<f32>(p, v, 0);
  v128.store_lane<f32>(p + so, v, 1);
  v128.store_lane<f32>(p + so * 2, v, 2);
  v128.store_lane<f32>(p + so * 3, v, 3);
}

/** One column of out: 16 values of k at a time, then 4, then 1. */
function column(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, k: i32, fresh: bool): void {
  let i = 0;
  for (; i + 16 <= k; i += 16) {
    const o = out + so * i;
    let c0 = gatherLanes(fresh, o, so);
    let c1 = gatherLanes(fresh, o + so * 4, so);
    let c2 = gatherLanes(fresh, o + so * 8, so);
    let c3 = gatherLanes(fresh, o + so * 12, so);
    let p = a + (i << 2);
    let q = d;
    for (let r = 0; r < rows; r++) {
      const x = v128.load_splat<f32>(q);
      c0 = f32x4.add(c0, f32x4.mul(v128.load(p), x));
      c1 = f32x4.add(c1, f32x4.mul(v128.load(p, 16), x));
      c2 = f32x4.add(c2, f32x4.mul(v128.load(p, 32), x));
      c3 = f32x4.add(c3, f32x4.mul(v128.load(p, 48), x));
      p += sa;
      q += sd;
    }
    scatterLanes(o, so, c0);
    scatterLanes(o + so * 4, so, c1);
    scatterLanes(o + so * 8, so, c2);
    scatterLanes(o + so * 12, so, c3);
  }
  for (; i < k; i++) {
    const o = out + so * i;
    let c: f32 = fresh ? 0 : load<f32>(o);
    let p = a + (i << 2);
    let q = d;
    for (let r = 0; r < rows; r++) {
      c += load<f32>(p) * load<f32>(q);
      p += sa;
      q += sd;
    }
    store<f32>(o, c);
  }
}

/** Columns of a that fit in the scratch memory, 32 rows of them. */
const COLUMNS = 128;

/**
 * The same for wide matrices, whose rows lie so far apart that a tile's lines push each other out of the cache: the block of a is
 * copied together by fours of columns, and each tile of d. Only the full tiles of 4 by 8.
 */
function blocked(out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, rows: i32, k4: i32, n8: i32, fresh: bool): void {
  for (let k0 = 0; k0 < k4; k0 += COLUMNS) {
    const k1 = min(k4, k0 + COLUMNS);
    let p = scratch;
    for (let kk = k0; kk < k1; kk += 4) {
      let x = a + (kk << 2);
      for (let r = rows; r > 0; r--) {
        v128.store(p, v128.load(x));
        p += 16;
        x += sa;
      }
    }
    for (let j = 0; j < n8; j += 8) {
      let q = d + (j << 2);
      for (let t = tile; t < tile + (rows << 5); t += 32) {
        v128.store(t, v128.load(q));
        v128.store(t, v128.load(q, 16), 16);
        q += sd;
      }
      let o = out + so * k0 + (j << 2);
      p = scratch;
      for (let kk = k0; kk < k1; kk += 4) {
        if (tall) tall4x8(o, so, p, 16, tile, 32, rows, fresh);
        else tile4x8(o, so, p, 16, tile, 32, rows, fresh);
        o += so << 2;
        p += rows << 4;
      }
    }
  }
}

/** accumulate 1: adds to out instead of overwriting it. */
export function matmulTN(
  out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, m: i32, k: i32, n: i32, accumulate: i32,
): void {
  partTN(mostlyZero(a, k, n), out, so, a, sa, d, sd, m, k, n, accumulate);
}

/** Some rows of out (columns of a), where the whole product decided whether a is mostly zeros. */
export function partTN(
  sparse: bool, out: usize, so: usize, a: usize, sa: usize, d: usize, sd: usize, m: i32, k: i32, n: i32, accumulate: i32,
): void {
  if (sparse) {
    if (!accumulate) for (let i = 0; i < k; i++) fill(out + so * i, 0, n);
    sparseTN(out, so, a, sa, d, sd, m, k, n);
    return;
  }
  const k4 = k & ~3;
  const n8 = n & ~7;
  const wide = max(sa, sd) >= 1024 && k >= 16 && n >= 16;
  for (let i = 0; i < m; i += 32) {
    const rows = min(32, m - i);
    const fresh: bool = i == 0 && !accumulate;
    const pa = a + sa * i;
    const pd = d + sd * i;
    if (n <= 4) {
      for (let j = 0; j < n; j++) column(out + (j << 2), so, pa, sa, pd + (j << 2), sd, rows, k, fresh);
      continue;
    }
    if (wide) blocked(out, so, pa, sa, pd, sd, rows, k4, n8, fresh);
    let k0 = 0;
    if (tall && !wide) {
      // fives, so that the rest is fours and what no tile takes
      const fives = k4 - ((5 - (k4 % 5)) % 5) * 4;
      for (; k0 < fives; k0 += 5) strip5(out + so * k0, so, pa + (k0 << 2), sa, pd, sd, rows, fresh, n);
    }
    for (let kk = k0; kk < k; kk += kk < k4 ? 4 : 1) {
      const o = out + so * kk;
      const x = pa + (kk << 2);
      let j = 0;
      if (kk < k4) {
        if (!wide) strip4(o, so, x, sa, pd, sd, rows, fresh, n);
        j = n8;
        for (; j < n; j += 4) tile4x4(o + (j << 2), so, x, sa, pd + (j << 2), sd, rows, fresh, min(4, n - j));
      } else {
        for (; j < n; j += 4) tile1x4(o + (j << 2), x, sa, pd + (j << 2), sd, rows, fresh, min(4, n - j));
      }
    }
  }
}
