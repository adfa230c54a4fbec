/** Data movement: strided copies (permute, pad, concat, broadcast), rows by index, patches of images. */
import { storeLanes } from './tail';
import * as unary from './unary';

/**
 * Copies a block of up to five dimensions. `table` points to 15 words: sizes d0..d4, out strides, x strides in bytes (d4 innermost;
 * an x stride of 0 broadcasts).
 */
export function copyStrided(out: usize, x: usize, table: usize): void {
  const d4 = load<i32>(table, 16);
  const so = load<i32>(table, 36);
  const sx = load<i32>(table, 56);
  for (let a = 0; a < load<i32>(table); a++) {
    for (let b = 0; b < load<i32>(table, 4); b++) {
      for (let c = 0; c < load<i32>(table, 8); c++) {
        for (let d = 0; d < load<i32>(table, 12); d++) {
          let p = out + a * load<i32>(table, 20) + b * load<i32>(table, 24) + c * load<i32>(table, 28) + d * load<i32>(table, 32);
          let q = x + a * load<i32>(table, 40) + b * load<i32>(table, 44) + c * load<i32>(table, 48) + d * load<i32>(table, 52);
          if (so == 4 && sx == 4) unary.row(unary.COPY, p, q, d4);
          else {
            for (let e = 0; e < d4; e++) {
              store<f32>(p, load<f32>(q));
              p += so;
              q += sx;
            }
          }
        }
      }
    }
  }
}

/** An index held as float32; outside 0..v-1 it is clamped, NaN reads row 0. */
@inline function rowIndex(p: usize, v: i32): i32 {
  return max(0, min(v - 1, <i32>load<f32>(p)));
}

/** out [m, d] = table [v, d] at index [m]. */
export function gather(out: usize, table: usize, index: usize, m: i32, d: i32, v: i32): void {
  for (let i = 0; i < m; i++) {
    unary.row(unary.COPY, out, table + ((rowIndex(index, v) * d) << 2), d);
    out += d << 2;
    index += 4;
  }
}

@inline function addRow(out: usize, x: usize, n: i32): void {
  const end = (n & ~3) << 2;
  let j = 0;
  for (; j < end; j += 16) v128.store(out + j, f32x4.add(v128.load(out + j), v128.load(x + j)));
  for (; j < n << 2; j += 4) store<f32>(out + j, load<f32>(out + j) + load<f32>(x + j));
}

/** out [v, d] = 0, then row index[i] += x [i, d], in the order of i. */
export function scatterAdd(out: usize, index: usize, x: usize, m: i32, d: i32, v: i32): void {
  unary.fill(out, 0, v * d);
  for (let i = 0; i < m; i++) {
    addRow(out + ((rowIndex(index, v) * d) << 2), x, d);
    x += d << 2;
    index += 4;
  }
}

/** n numbers; a call per run would cost more than the few vectors of it. */
@inline function copyRun(out: usize, x: usize, n: i32): void {
  for (; n >= 4; n -= 4) {
    v128.store(out, v128.load(x));
    out += 16;
    x += 16;
  }
  if (n) storeLanes(out, v128.load(x), n);
}

/** Patches: out [B, OH, OW, kh * kw * C] from x [B, H, W, C]; zeros outside. */
export function im2col(out: usize, x: usize, b: i32, h: i32, w: i32, c: i32, kh: i32, kw: i32, stride: i32, pad: i32): void {
  const oh = (h + 2 * pad - kh) / stride + 1;
  const ow = (w + 2 * pad - kw) / stride + 1;
  const run: usize = (kw * c) << 2;
  const line: usize = (w * c) << 2;
  for (let n = 0; n < b; n++) {
    for (let i = 0; i < oh; i++) {
      for (let j = 0; j < ow; j++) {
        // columns of the patch inside the image: one contiguous run per patch row
        const left = j * stride - pad;
        const top = i * stride - pad;
        if (left >= 0 && left + kw <= w && top >= 0 && top + kh <= h) {
          let from = x + line * top + ((left * c) << 2);
          for (let y = 0; y < kh; y++) {
            copyRun(out, from, kw * c);
            out += run;
            from += line;
          }
          continue;
        }
        const first = max(0, -left);
        const last = min(kw, w - left);
        for (let y = 0; y < kh; y++) {
          const row = top + y;
          if (row < 0 || row >= h || first >= last) unary.fill(out, 0, kw * c);
          else {
            if (first > 0) unary.fill(out, 0, first * c);
            unary.row(unary.COPY, out + ((first * c) << 2), x + line * row + (((left + first) * c) << 2), (last - first) * c);
            if (last < kw) unary.fill(out + ((last * c) << 2), 0, (kw - last) * c);
          }
          out += run;
        }
      }
    }
    x += line * h;
  }
}

/** The gradient of im2col: out [B, H, W, C] = sums of the patches x that cover each pixel, in patch order. */
export function col2im(out: usize, x: usize, b: i32, h: i32, w: i32, c: i32, kh: i32, kw: i32, stride: i32, pad: i32): void {
  const oh = (h + 2 * pad - kh) / stride + 1;
  const ow = (w + 2 * pad - kw) / stride + 1;
  unary.fill(out, 0, b * h * w * c);
  for (let n = 0; n < b; n++) {
    for (let i = 0; i < oh; i++) {
      for (let j = 0; j < ow; j++) {
        const left = j * stride - pad;
        const first = max(0, -left);
        const last = min(kw, w - left);
        for (let y = 0; y < kh; y++) {
          const row = i * stride - pad + y;
          if (row >= 0 && row < h && first < last) {
            addRow(out + (((row * w + left + first) * c) << 2), x + ((first * c) << 2), (last - first) * c);
          }
          x += (kw * c) << 2;
        }
      }
    }
    out += (h * w * c) << 2;
  }
}
