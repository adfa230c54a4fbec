/** The register tiles of matrix products: each element is its start, then a0 b0 + a1 b1 + ... in this order, whatever the tile. */
import { splat } from './math';
import { storeLanes } from './tail';

@inline export function start(from: usize, j: usize): v128 {
  return from ? v128.load(from + j) : splat(0);
}

/** Sixteen columns of two rows, beginning with what lies at from0 and from1 (0: zeros). b points to the first of the columns. */
@inline export function tile2x16(
  o: usize, so: usize, a: usize, sa: usize, kEnd: usize, b: usize, sb: usize, from0: usize, from1: usize,
): void {
  let c00 = start(from0, 0);
  let c01 = start(from0, 16);
  let c02 = start(from0, 32);
  let c03 = start(from0, 48);
  let c10 = start(from1, 0);
  let c11 = start(from1, 16);
  let c12 = start(from1, 32);
  let c13 = start(from1, 48);
  for (let p = a; p < kEnd; p += 4) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    const b2 = v128.load(b, 32);
    const b3 = v128.load(b, 48);
    b += sb;
    const x0 = v128.load_splat<f32>(p);
    c00 = f32x4.add(c00, f32x4.mul(x0, b0));
    c01 = f32x4.add(c01, f32x4.mul(x0, b1));
    c02 = f32x4.add(c02, f32x4.mul(x0, b2));
    c03 = f32x4.add(c03, f32x4.mul(x0, b3));
    const x1 = v128.load_splat<f32>(p + sa);
    c10 = f32x4.add(c10, f32x4.mul(x1, b0));
    c11 = f32x4.add(c11, f32x4.mul(x1, b1));
    c12 = f32x4.add(c12, f32x4.mul(x1, b2));
    c13 = f32x4.add(c13, f32x4.mul(x1, b3));
  }
  v128.store(o, c00);
  v128.store(o, c01, 16);
  v128.store(o, c02, 32);
  v128.store(o, c03, 48);
  o += so;
  v128.store(o, c10);
  v128.store(o, c11, 16);
  v128.store(o, c12, 32);
  v128.store(o, c13, 48);
}

/** The same of one row. */
@inline export function tile1x16(o: usize, a: usize, kEnd: usize, b: usize, sb: usize, from: usize): void {
  let c0 = start(from, 0);
  let c1 = start(from, 16);
  let c2 = start(from, 32);
  let c3 = start(from, 48);
  for (let p = a; p < kEnd; p += 4) {
    const x = v128.load_splat<f32>(p);
    c0 = f32x4.add(c0, f32x4.mul(x, v128.load(b)));
    c1 = f32x4.add(c1, f32x4.mul(x, v128.load(b, 16)));
    c2 = f32x4.add(c2, f32x4.mul(x, v128.load(b, 32)));
    c3 = f32x4.add(c3, f32x4.mul(x, v128.load(b, 48)));
    b += sb;
  }
  v128.store(o, c0);
  v128.store(o, c1, 16);
  v128.store(o, c2, 32);
  v128.store(o, c3, 48);
}

/**
 * Eight columns of five rows, for compilers that keep them in registers (see scratch.ts). Eight steps at a time: a pointer for each row
 * and steps written out leave little beside the arithmetic, and of a row both products come before both sums, so that none waits.
 */
@inline export function tile5x8(
  o: usize, so: usize, a: usize, sa: usize, kEnd: usize, b: usize, sb: usize, from: usize, sf: usize,
): void {
  // #repeat 5 $r
  let c$r0 = start(from, 0);
  let c$r1 = start(from, 16);
  from += sf;
  // #end
  let p0 = a;
  let p1 = p0 + sa;
  let p2 = p1 + sa;
  let p3 = p2 + sa;
  let p4 = p3 + sa;
  const eights = a + ((kEnd - a) & ~31);
  while (p0 < eights) {
    // #repeat 8 $k
    {
      const b0 = v128.load(b);
      const b1 = v128.load(b, 16);
      b += sb;
      // #repeat 5 $r
      const x$r = v128.load_splat<f32>(p$r, 4 * $k);
      const t$r = f32x4.mul(x$r, b0);
      const u$r = f32x4.mul(x$r, b1);
      c$r0 = f32x4.add(c$r0, t$r);
      c$r1 = f32x4.add(c$r1, u$r);
      // #end
    }
    // #end
    // #repeat 5 $r
    p$r += 32;
    // #end
  }
  while (p0 < kEnd) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    b += sb;
    // #repeat 5 $r
    const x$r = v128.load_splat<f32>(p$r);
    p$r += 4;
    const t$r = f32x4.mul(x$r, b0);
    const u$r = f32x4.mul(x$r, b1);
    c$r0 = f32x4.add(c$r0, t$r);
    c$r1 = f32x4.add(c$r1, u$r);
    // #end
  }
  // #repeat 5 $r
  v128.store(o, c$r0);
  v128.store(o, c$r1, 16);
  o += so;
  // #end
}

/** The same of four rows. */
@inline export function tile4x8(
  o: usize, so: usize, a: usize, sa: usize, kEnd: usize, b: usize, sb: usize, from: usize, sf: usize,
): void {
  // #repeat 4 $r
  let c$r0 = start(from, 0);
  let c$r1 = start(from, 16);
  from += sf;
  // #end
  let p0 = a;
  let p1 = p0 + sa;
  let p2 = p1 + sa;
  let p3 = p2 + sa;
  const eights = a + ((kEnd - a) & ~31);
  while (p0 < eights) {
    // #repeat 8 $k
    {
      const b0 = v128.load(b);
      const b1 = v128.load(b, 16);
      b += sb;
      // #repeat 4 $r
      const x$r = v128.load_splat<f32>(p$r, 4 * $k);
      const t$r = f32x4.mul(x$r, b0);
      const u$r = f32x4.mul(x$r, b1);
      c$r0 = f32x4.add(c$r0, t$r);
      c$r1 = f32x4.add(c$r1, u$r);
      // #end
    }
    // #end
    // #repeat 4 $r
    p$r += 32;
    // #end
  }
  while (p0 < kEnd) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    b += sb;
    // #repeat 4 $r
    const x$r = v128.load_splat<f32>(p$r);
    p$r += 4;
    const t$r = f32x4.mul(x$r, b0);
    const u$r = f32x4.mul(x$r, b1);
    c$r0 = f32x4.add(c$r0, t$r);
    c$r1 = f32x4.add(c$r1, u$r);
    // #end
  }
  // #repeat 4 $r
  v128.store(o, c$r0);
  v128.store(o, c$r1, 16);
  o += so;
  // #end
}

/** `left` (1 to 4) columns of five rows. */
@inline export function tile5x4(
  o: usize, so: usize, a: usize, sa: usize, kEnd: usize, b: usize, sb: usize, from: usize, left: i32,
): void {
  // #repeat 5 $r
  let c$r = start(from, 0);
  // #end
  let p0 = a;
  let p1 = p0 + sa;
  let p2 = p1 + sa;
  let p3 = p2 + sa;
  let p4 = p3 + sa;
  const fours = a + ((kEnd - a) & ~15);
  while (p0 < fours) {
    // #repeat 4 $k
    {
      const b0 = v128.load(b);
      b += sb;
      // #repeat 5 $r
      const x$r = f32x4.mul(v128.load_splat<f32>(p$r, 4 * $k), b0);
      // #end
      // #repeat 5 $r
      c$r = f32x4.add(c$r, x$r);
      // #end
    }
    // #end
    // #repeat 5 $r
    p$r += 16;
    // #end
  }
  while (p0 < kEnd) {
    const b0 = v128.load(b);
    b += sb;
    // #repeat 5 $r
    c$r = f32x4.add(c$r, f32x4.mul(v128.load_splat<f32>(p$r), b0));
    p$r += 4;
    // #end
  }
  // #repeat 5 $r
  if (left >= 4) v128.store(o, c$r);
  else storeLanes(o, c$r, left);
  o += so;
  // #end
}
