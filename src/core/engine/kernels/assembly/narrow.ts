/** Matrix products with one or two columns: the last layer of most value and policy networks. */
import { slope } from './binary';
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

/** The same of eight rows, two sums side by side, for k in fours. */
@inline export function narrow8(out: usize, so: usize, a: usize, sa: usize, b: usize, sb: usize, bias: usize, k: i32, two: bool): void {
  // #repeat 2 $g
  let c$g = bias ? v128.load_splat<f32>(bias) : splat(0);
  let d$g = two && bias ? v128.load_splat<f32>(bias, 4) : splat(0);
  let a$g = a + sa * (4 * $g);
  // #end
  for (let i = 0; i < k; i += 4) {
    let w: v128;
    // #repeat 2 $g
    const q$g0 = v128.load(a$g);
    const q$g1 = v128.load(a$g + sa);
    const q$g2 = v128.load(a$g + sa * 2);
    const q$g3 = v128.load(a$g + sa * 3);
    a$g += 16;
    const l$g = v128.shuffle<f32>(q$g0, q$g1, 0, 4, 1, 5);
    const m$g = v128.shuffle<f32>(q$g2, q$g3, 0, 4, 1, 5);
    const n$g = v128.shuffle<f32>(q$g0, q$g1, 2, 6, 3, 7);
    const o$g = v128.shuffle<f32>(q$g2, q$g3, 2, 6, 3, 7);
    const x$g0 = v128.shuffle<f32>(l$g, m$g, 0, 1, 4, 5);
    const x$g1 = v128.shuffle<f32>(l$g, m$g, 2, 3, 6, 7);
    const x$g2 = v128.shuffle<f32>(n$g, o$g, 0, 1, 4, 5);
    const x$g3 = v128.shuffle<f32>(n$g, o$g, 2, 3, 6, 7);
    // #end
    // #repeat 4 $k
    w = v128.load_splat<f32>(b);
    // #repeat 2 $g
    c$g = f32x4.add(c$g, f32x4.mul(x$g$k, w));
    // #end
    if (two) {
      w = v128.load_splat<f32>(b, 4);
      // #repeat 2 $g
      d$g = f32x4.add(d$g, f32x4.mul(x$g$k, w));
      // #end
    }
    b += sb;
    // #end
  }
  // #repeat 2 $g
  // #repeat 4 $r
  v128.store_lane<f32>(out, c$g, $r);
  if (two) v128.store_lane<f32>(out, d$g, $r, 4);
  out += so;
  // #end
  // #end
}

/**
 * a [M, 1 or 2] times one or two rows b, times the slope at h: what flows back from a last layer so narrow through an activation. out
 * and h are contiguous, n comes in fours. The operations of the tiles: zero plus each product in turn.
 */
@inline export function outerGrad(
  relu: bool, out: usize, a: usize, sa: usize, b: usize, sb: usize, h: usize, m: i32, k: i32, n: i32,
): void {
  const zero = splat(0);
  const one = splat(1);
  const bytes = n << 2;
  const second = b + sb;
  for (; m > 0; m--) {
    const x = v128.load_splat<f32>(a);
    if (k == 1) {
      for (let j = 0; j < bytes; j += 16) {
        const g = f32x4.add(zero, f32x4.mul(x, v128.load(b + j)));
        v128.store(out + j, f32x4.mul(g, slope(relu, v128.load(h + j), one)));
      }
    } else {
      const z = v128.load_splat<f32>(a, 4);
      for (let j = 0; j < bytes; j += 16) {
        const g = f32x4.add(f32x4.add(zero, f32x4.mul(x, v128.load(b + j))), f32x4.mul(z, v128.load(second + j)));
        v128.store(out + j, f32x4.mul(g, slope(relu, v128.load(h + j), one)));
      }
    }
    out += bytes;
    h += bytes;
    a += sa;
  }
}
