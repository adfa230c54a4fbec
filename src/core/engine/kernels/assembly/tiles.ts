/** The register tiles of matrix products: each element is its start, then a0 b0 + a1 b1 + ... in this order, whatever the tile. */
import { splat } from './math';

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

/** Eight columns of five rows, for compilers that keep them in registers (see scratch.ts). */
@inline export function tile5x8(
  o: usize, so: usize, a: usize, sa: usize, kEnd: usize, b: usize, sb: usize, from: usize, sf: usize,
): void {
  let c00 = start(from, 0);
  let c01 = start(from, 16);
  from += sf;
  let c10 = start(from, 0);
  let c11 = start(from, 16);
  from += sf;
  let c20 = start(from, 0);
  let c21 = start(from, 16);
  from += sf;
  let c30 = start(from, 0);
  let c31 = start(from, 16);
  from += sf;
  let c40 = start(from, 0);
  let c41 = start(from, 16);
  const sa2 = sa + sa;
  const sa3 = sa2 + sa;
  const sa4 = sa3 + sa;
  for (let p = a; p < kEnd; p += 4) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    b += sb;
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
    const x4 = v128.load_splat<f32>(p + sa4);
    c40 = f32x4.add(c40, f32x4.mul(x4, b0));
    c41 = f32x4.add(c41, f32x4.mul(x4, b1));
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
  o += so;
  v128.store(o, c40);
  v128.store(o, c41, 16);
}
