/**
 * Optimiser steps over one parameter block: parameters p, gradients g and states, n floats each (a multiple of 8, padding zero).
 * `scale` is the clipping factor. Moments below 1e-30 are flushed to zero: WebAssembly has no flush-to-zero mode, and subnormal
 * moments would slow every later step two- to fourfold. Equations: Kingma & Ba 2015; Loshchilov & Hutter 2019; Liu et al. 2020;
 * RMSprop in the forms of PyTorch (eps outside the root) and TensorFlow (inside). Scalars are read from memory (`s`), where the host
 * writes them: as arguments each would be a number object on its heap, every step.
 */
import { splat } from './math';
import { addLanes } from './tail';

const TINY: f32 = 1e-30;
/** Smaller groups are not searched for parameters without a gradient. */
const SPARSE_FROM = 16384;

/** Zero below TINY; NaN stays: a broken gradient must remain visible. */
@inline function flush(x: v128): v128 {
  return v128.andnot(x, f32x4.lt(f32x4.abs(x), splat(TINY)));
}

/** The same for what cannot be negative. */
@inline function flushSquare(x: v128): v128 {
  return v128.andnot(x, f32x4.lt(x, splat(TINY)));
}

/** to = sum of squares in 16 lanes: four vectors, (a + b) + (c + d), then the lanes. n is a multiple of 8. */
export function sumSquares(to: usize, g: usize, n: i32): void {
  let a = splat(0);
  let b = a;
  let c = a;
  let d = a;
  const end = g + ((n & ~15) << 2);
  for (; g < end; g += 64) {
    const x0 = v128.load(g);
    const x1 = v128.load(g, 16);
    const x2 = v128.load(g, 32);
    const x3 = v128.load(g, 48);
    a = f32x4.add(a, f32x4.mul(x0, x0));
    b = f32x4.add(b, f32x4.mul(x1, x1));
    c = f32x4.add(c, f32x4.mul(x2, x2));
    d = f32x4.add(d, f32x4.mul(x3, x3));
  }
  if (n & 8) {
    const x0 = v128.load(g);
    const x1 = v128.load(g, 16);
    a = f32x4.add(a, f32x4.mul(x0, x0));
    b = f32x4.add(b, f32x4.mul(x1, x1));
  }
  store<f32>(to, addLanes(f32x4.add(f32x4.add(a, b), f32x4.add(c, d))));
}

/**
 * m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2; p = p decay - step m / (root sqrt(v) + eps), with g scaled and g += l2 p before.
 * step = lr / (1 - b1^t), root = 1 / sqrt(1 - b2^t). adaptive 0: p = p decay - step m (RAdam's first steps).
 * s: scale, step, root, b1, 1 - b1, b2, 1 - b2, eps, l2, decay.
 */
export function adam(p: usize, g: usize, m: usize, v: usize, n: i32, s: usize, adaptive: i32): void {
  const scale = load<f32>(s);
  const step = load<f32>(s, 4);
  const root = load<f32>(s, 8);
  const b1 = load<f32>(s, 12);
  const c1 = load<f32>(s, 16);
  const b2 = load<f32>(s, 20);
  const c2 = load<f32>(s, 24);
  const eps = load<f32>(s, 28);
  const l2 = load<f32>(s, 32);
  const decay = load<f32>(s, 36);
  const bytes = n << 2;
  if (adaptive && l2 == 0 && decay == 1) {
    // the usual case by itself: fewer scalars, each in all lanes of a register, and two vectors side by side
    const tiny = splat(TINY);
    const vScale = splat(scale);
    const vB1 = splat(b1);
    const vC1 = splat(c1);
    const vB2 = splat(b2);
    const vC2 = splat(c2);
    const vRoot = splat(root);
    const vEps = splat(eps);
    const vStep = splat(step);
    // embeddings and first layers of grids: what has never had a gradient stays as it is, 0 / eps = 0
    const sparse = n >= SPARSE_FROM && eps > 0 && scale - scale == 0 && step - step == 0 && root - root == 0;
    for (let i = 0; i < bytes; i += 32) {
      if (sparse && !v128.any_true(v128.or(v128.load(v + i), v128.load(v + i, 16)))) {
        const still = v128.or(v128.or(v128.load(g + i), v128.load(g + i, 16)), v128.or(v128.load(m + i), v128.load(m + i, 16)));
        if (!v128.any_true(still)) continue;
      }
      // #repeat 2 $i
      let x$i = f32x4.mul(v128.load(g + i, 16 * $i), vScale);
      // #end
      // #repeat 2 $i
      let m$i = f32x4.add(f32x4.mul(v128.load(m + i, 16 * $i), vB1), f32x4.mul(x$i, vC1));
      // #end
      // #repeat 2 $i
      x$i = f32x4.mul(x$i, x$i);
      // #end
      // #repeat 2 $i
      x$i = v128.andnot(x$i, f32x4.lt(x$i, tiny));
      // #end
      // #repeat 2 $i
      x$i = f32x4.add(f32x4.mul(v128.load(v + i, 16 * $i), vB2), f32x4.mul(x$i, vC2));
      // #end
      // #repeat 2 $i
      x$i = v128.andnot(x$i, f32x4.lt(x$i, tiny));
      v128.store(v + i, x$i, 16 * $i);
      // #end
      // #repeat 2 $i
      x$i = f32x4.add(f32x4.mul(f32x4.sqrt(x$i), vRoot), vEps);
      // #end
      // #repeat 2 $i
      m$i = v128.andnot(m$i, f32x4.lt(f32x4.abs(m$i), tiny));
      v128.store(m + i, m$i, 16 * $i);
      // #end
      // #repeat 2 $i
      v128.store(p + i, f32x4.sub(v128.load(p + i, 16 * $i), f32x4.div(f32x4.mul(m$i, vStep), x$i)), 16 * $i);
      // #end
    }
    return;
  }
  for (let i = 0; i < bytes; i += 16) {
    const w = v128.load(p + i);
    const x = f32x4.add(f32x4.mul(v128.load(g + i), splat(scale)), f32x4.mul(w, splat(l2)));
    const mi = flush(f32x4.add(f32x4.mul(v128.load(m + i), splat(b1)), f32x4.mul(x, splat(c1))));
    const x2 = flushSquare(f32x4.mul(x, x));
    const vi = flushSquare(f32x4.add(f32x4.mul(v128.load(v + i), splat(b2)), f32x4.mul(x2, splat(c2))));
    v128.store(m + i, mi);
    v128.store(v + i, vi);
    let delta = f32x4.mul(mi, splat(step));
    if (adaptive) delta = f32x4.div(delta, f32x4.add(f32x4.mul(f32x4.sqrt(vi), splat(root)), splat(eps)));
    v128.store(p + i, f32x4.sub(f32x4.mul(w, splat(decay)), delta));
  }
}

/** g += l2 p; without momentum p -= lr g; with it m = mu m + g and p -= lr m, or lr (g + mu m) if nesterov. s: scale, lr, mu, l2. */
export function sgd(p: usize, g: usize, m: usize, n: i32, s: usize, nesterov: i32): void {
  const scale = load<f32>(s);
  const lr = load<f32>(s, 4);
  const mu = load<f32>(s, 8);
  const l2 = load<f32>(s, 12);
  const bytes = n << 2;
  for (let i = 0; i < bytes; i += 16) {
    const w = v128.load(p + i);
    const x = f32x4.add(f32x4.mul(v128.load(g + i), splat(scale)), f32x4.mul(w, splat(l2)));
    let d = x;
    if (m) {
      d = flush(f32x4.add(f32x4.mul(v128.load(m + i), splat(mu)), x));
      v128.store(m + i, d);
      if (nesterov) d = f32x4.add(x, f32x4.mul(d, splat(mu)));
    }
    v128.store(p + i, f32x4.sub(w, f32x4.mul(d, splat(lr))));
  }
}

/**
 * v = rho v + (1 - rho) g^2; centred (a != 0): a = rho a + (1 - rho) g, and v - a^2 in place of v below; r = sqrt(v) + eps, or
 * sqrt(v + eps) if inside; with momentum (m != 0) m = mu m + g / r, p -= lr m; else p -= lr g / r. s: scale, lr, rho, 1 - rho, eps, mu.
 */
export function rmsprop(p: usize, g: usize, m: usize, v: usize, a: usize, n: i32, s: usize, inside: i32): void {
  const scale = load<f32>(s);
  const lr = load<f32>(s, 4);
  const rho = load<f32>(s, 8);
  const rest = load<f32>(s, 12);
  const eps = load<f32>(s, 16);
  const mu = load<f32>(s, 20);
  const bytes = n << 2;
  for (let i = 0; i < bytes; i += 16) {
    const x = f32x4.mul(v128.load(g + i), splat(scale));
    const x2 = flushSquare(f32x4.mul(x, x));
    const vi = flushSquare(f32x4.add(f32x4.mul(v128.load(v + i), splat(rho)), f32x4.mul(x2, splat(rest))));
    v128.store(v + i, vi);
    let spread = vi;
    if (a) {
      const ai = flush(f32x4.add(f32x4.mul(v128.load(a + i), splat(rho)), f32x4.mul(x, splat(rest))));
      v128.store(a + i, ai);
      // rounding may take the variance of a constant gradient below zero
      spread = f32x4.max(f32x4.sub(vi, f32x4.mul(ai, ai)), splat(0));
    }
    const r = inside ? f32x4.sqrt(f32x4.add(spread, splat(eps))) : f32x4.add(f32x4.sqrt(spread), splat(eps));
    let d = f32x4.div(x, r);
    if (m) {
      d = flush(f32x4.add(f32x4.mul(v128.load(m + i), splat(mu)), d));
      v128.store(m + i, d);
    }
    v128.store(p + i, f32x4.sub(v128.load(p + i), f32x4.mul(d, splat(lr))));
  }
}

/** target = (1 - tau) target + tau source, tau read from memory; tau 1 copies exactly. */
export function polyak(target: usize, source: usize, n: i32, tau: usize): void {
  const t = load<f32>(tau);
  const keep: f32 = 1 - t;
  const bytes = n << 2;
  for (let i = 0; i < bytes; i += 16) {
    const x = v128.load(source + i);
    const y = t == 1 ? x : f32x4.add(f32x4.mul(v128.load(target + i), splat(keep)), f32x4.mul(x, splat(t)));
    v128.store(target + i, y);
  }
}
