/** Matrix products with one or two columns: the last layer of most value and policy networks. */
import { splat } from './math';

/**
 * One or two columns of four rows: four columns of a at a time are turned over in registers, so that lanes are rows and every
 * multiplication is used. The additions are those of the tiles.
 */
@inline export function narrow4(out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, k: i32, two: bool): void {
  let c0 = bias ? v128.load_splat<f32>(bias) : splat(0);
  let c1 = two && bias ? v128.load_splat<f32>(bias, 4) : splat(0);
  for (let i = 0; i < k; i += 4) {
    const r0 = v128.load(a);
    const r1 = v128.load(a + sa);
    const r2 = v128.load(a + sa * 2);
    const r3 = v128.load(a + sa * 3);
    const p = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
    const q = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
    const x0 = v128.shuffle<f32>(p, q, 0, 1, 4, 5);
    c0 = f32x4.add(c0, f32x4.mul(x0, v128.load_splat<f32>(b)));
    if (two) c1 = f32x4.add(c1, f32x4.mul(x0, v128.load_splat<f32>(b, 4)));
    b += sb;
    if (i + 1 < k) {
      const x1 = v128.shuffle<f32>(p, q, 2, 3, 6, 7);
      c0 = f32x4.add(c0, f32x4.mul(x1, v128.load_splat<f32>(b)));
      if (two) c1 = f32x4.add(c1, f32x4.mul(x1, v128.load_splat<f32>(b, 4)));
      b += sb;
    }
    if (i + 2 < k) {
      const u = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
      const v = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
      const x2 = v128.shuffle<f32>(u, v, 0, 1, 4, 5);
      c0 = f32x4.add(c0, f32x4.mul(x2, v128.load_splat<f32>(b)));
      if (two) c1 = f32x4.add(c1, f32x4.mul(x2, v128.load_splat<f32>(b, 4)));
      b += sb;
      if (i + 3 < k) {
        const x3 = v128.shuffle<f32>(u, v, 2, 3, 6, 7);
        c0 = f32x4.add(c0, f32x4.mul(x3, v128.load_splat<f32>(b)));
        if (two) c1 = f32x4.add(c1, f32x4.mul(x3, v128.load_splat<f32>(b, 4)));
        b += sb;
      }
    }
    a += 16;
  }
  v128.store_lane<f32>(out, c0, 0);
  v128.store_lane<f32>(out + so, c0, 1);
  v128.store_lane<f32>(out + so * 2, c0, 2);
  v128.store_lane<f32>(out + so * 3, c0, 3);
  if (two) {
    v128.store_lane<f32>(out, c1, 0, 4);
    v128.store_lane<f32>(out + so, c1, 1, 4);
    v128.store_lane<f32>(out + so * 2, c1, 2, 4);
    v128.store_lane<f32>(out + so * 3, c1, 3, 4);
  }
}
