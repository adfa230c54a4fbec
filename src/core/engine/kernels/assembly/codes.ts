/**
 * Products with one-hot codes that are never written out. A row of codes (a grid: cells of a few channels, each a whole number below the
 * channel's size) stands for a row of zeros with a one per code; code c of a channel is column first + c, and a number that is no code
 * is all zeros. Behind the codes may lie `tail` ordinary numbers. The product is a sum of rows of the other matrix, added in the order of
 * the columns as the dense kernels do; what is left out is 0 * w and 1 * w is w, so the bits are theirs as long as the weights are finite.
 */
import { activate } from './activate';
import { splat } from './math';
import { storeLanes } from './tail';
import { start } from './tiles';
import { fill } from './unary';

/** Rows in one block of a list by columns: their numbers are bytes. */
const BLOCK = 256;

/**
 * The columns of the ones, row by row: out holds m + 1 starts (i32, counted in entries), then the entries (u16). codes: m rows of n
 * numbers, sc bytes from row to row. sizes: n i32, how many codes each number may have, then n i32, the column of its code 0; columns
 * are below 65536. Up to three entries are written behind the last.
 */
export function codeRows(out: usize, codes: usize, sc: usize, m: i32, n: i32, sizes: usize): void {
  const entries = out + ((m + 1) << 2);
  const firsts: usize = n << 2;
  const fours = sizes + ((n & ~3) << 2);
  const end = sizes + firsts;
  let to = entries;
  for (; m > 0; m--) {
    store<i32>(out, <i32>((to - entries) >> 1));
    out += 4;
    let p = codes;
    let s = sizes;
    for (; s < fours; s += 16) {
      const x = v128.load(p);
      const code = i32x4.trunc_sat_f32x4_s(x);
      const fits = v128.and(f32x4.eq(f32x4.convert_i32x4_s(code), x), i32x4.lt_u(code, v128.load(s)));
      const column = i32x4.add(code, v128.load(s + firsts));
      if (i32x4.all_true(fits)) {
        v128.store64_lane(to, i16x8.narrow_i32x4_u(column, column), 0);
        to += 8;
      } else {
        // #repeat 4 $i
        store<u16>(to, <u16>i32x4.extract_lane(column, $i));
        to += i32x4.extract_lane(fits, $i) & 2;
        // #end
      }
      p += 16;
    }
    for (; s < end; s += 4) {
      const x = load<f32>(p);
      const code = <i32>x;
      // written in any case, kept where it is a code
      store<u16>(to, <u16>(load<i32>(s + firsts) + code));
      if (<f32>code == x && <u32>code < load<u32>(s)) to += 2;
      p += 4;
    }
    codes += sc;
  }
  store<i32>(out, <i32>((to - entries) >> 1));
}

/**
 * The same list by columns, in blocks of 256 rows: out holds for each block columns + 1 bounds (i32, counted in entries), then the
 * entries (u8), a row's number within its block; those of column c lie between bounds c and c + 1, in the order of the rows.
 */
export function codeColumns(out: usize, list: usize, m: i32, columns: i32): void {
  const entries = list + ((m + 1) << 2);
  const words: usize = (columns + 1) << 2;
  const blocks = (m + BLOCK - 1) / BLOCK;
  const to = out + words * blocks;
  for (let i = 0; i < m; i += BLOCK) {
    const rows = min(BLOCK, m - i);
    const from = list + (i << 2);
    fill(out, 0, columns + 1);
    const first = load<i32>(from);
    const end = entries + (load<i32>(from + (rows << 2)) << 1);
    store<i32>(out, first);
    for (let p = entries + (first << 1); p < end; p += 2) {
      const at = out + 4 + ((<usize>load<u16>(p)) << 2);
      store<i32>(at, load<i32>(at) + 1);
    }
    // counts become starts, and while the entries are placed, ends
    let at = first;
    for (let p = out + 4; p < out + words; p += 4) {
      const count = load<i32>(p);
      store<i32>(p, at);
      at += count;
    }
    for (let r = 0; r < rows; r++) {
      const last = entries + (load<i32>(from + (r << 2), 4) << 1);
      for (let p = entries + (load<i32>(from + (r << 2)) << 1); p < last; p += 2) {
        const bound = out + 4 + ((<usize>load<u16>(p)) << 2);
        const place = load<i32>(bound);
        store<i32>(bound, place + 1);
        store<u8>(to + place, <u8>r);
      }
    }
    out += words;
  }
}

/** Thirty-two columns of one row: from + the rows of b in the list + tail numbers times theirs. */
@inline function row32(out: usize, p: usize, end: usize, b: usize, sb: usize, from: usize, x: usize, xEnd: usize, bx: usize): void {
  // #repeat 8 $i
  let c$i = start(from, 16 * $i);
  // #end
  for (; p < end; p += 2) {
    const q = b + sb * <usize>load<u16>(p);
    // #repeat 8 $i
    c$i = f32x4.add(c$i, v128.load(q, 16 * $i));
    // #end
  }
  for (; x < xEnd; x += 4) {
    if (load<f32>(x) != 0) {
      const y = v128.load_splat<f32>(x);
      // #repeat 8 $i
      c$i = f32x4.add(c$i, f32x4.mul(y, v128.load(bx, 16 * $i)));
      // #end
    }
    bx += sb;
  }
  // #repeat 8 $i
  v128.store(out, c$i, 16 * $i);
  // #end
}

/** The same of one to four columns. */
@inline function row4(out: usize, p: usize, end: usize, b: usize, sb: usize, from: usize, x: usize, xEnd: usize, bx: usize, n: i32): void {
  let c = start(from, 0);
  for (; p < end; p += 2) c = f32x4.add(c, v128.load(b + sb * <usize>load<u16>(p)));
  for (; x < xEnd; x += 4) {
    if (load<f32>(x) != 0) c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(x), v128.load(bx)));
    bx += sb;
  }
  if (n >= 4) v128.store(out, c);
  else storeLanes(out, c, n);
}

/**
 * out [m, n] = act(one-hot b + bias): `list` of codeRows, b [columns + tail, n], x the tail numbers of the first row, sx bytes apart.
 * out is contiguous. Thirty-two columns of all rows at a time, so that the rows of b that the codes name stay in the first-level cache.
 */
export function codeMatmul(
  out: usize, list: usize, b: usize, sb: usize, bias: usize, act: i32, x: usize, sx: usize, tail: i32, m: i32, columns: i32, n: i32,
): void {
  const entries = list + ((m + 1) << 2);
  const so: usize = n << 2;
  const wide: usize = (n & ~31) << 2;
  const bx = b + sb * columns;
  const tailBytes: usize = tail << 2;
  for (let j: usize = 0; j < so; j += j < wide ? 128 : 16) {
    const from = bias ? bias + j : 0;
    let o = out + j;
    let t = x;
    let p = entries;
    const left = <i32>((so - j) >> 2);
    for (let i = 0; i < m; i++) {
      const end = entries + (load<i32>(list + (i << 2), 4) << 1);
      if (j < wide) row32(o, p, end, b + j, sb, from, t, t + tailBytes, bx + j);
      else row4(o, p, end, b + j, sb, from, t, t + tailBytes, bx + j, left);
      p = end;
      o += so;
      t += sx;
    }
  }
  if (act) activate(act, out, m * n);
}

@inline function from(fresh: bool, p: usize): v128 {
  return fresh ? splat(0) : v128.load(p);
}

/**
 * out [columns + tail, n] (+)= one-hot^T d for d [m, n]: `list` of codeColumns, x and sx as above. Every column adds the rows of d that
 * have it, in the order of the rows, in registers; a block of 256 rows of thirty-two numbers stays in the first-level cache.
 */
export function codeMatmulTN(
  out: usize, so: usize, list: usize, d: usize, sd: usize, x: usize, sx: usize, tail: i32, m: i32, columns: i32, n: i32, accumulate: i32,
): void {
  const words: usize = (columns + 1) << 2;
  const blocks = (m + BLOCK - 1) / BLOCK;
  const entries = list + words * blocks;
  const wide: usize = (n & ~31) << 2;
  const width: usize = n << 2;
  for (let block = 0; block < blocks; block++) {
    const fresh: bool = block == 0 && !accumulate;
    for (let j: usize = 0; j < width; j += j < wide ? 128 : 16) {
      let o = out + j;
      const left = <i32>((width - j) >> 2);
      let p = entries + load<i32>(list);
      for (let bound = list + 4; bound < list + words; bound += 4) {
        const end = entries + load<i32>(bound);
        if (fresh || p < end) {
          if (j < wide) {
            // #repeat 8 $i
            let c$i = from(fresh, o + 16 * $i);
            // #end
            for (; p < end; p++) {
              const q = d + j + sd * <usize>load<u8>(p);
              // #repeat 8 $i
              c$i = f32x4.add(c$i, v128.load(q, 16 * $i));
              // #end
            }
            // #repeat 8 $i
            v128.store(o, c$i, 16 * $i);
            // #end
          } else {
            let c = from(fresh, o);
            for (; p < end; p++) c = f32x4.add(c, v128.load(d + j + sd * <usize>load<u8>(p)));
            if (left >= 4) v128.store(o, c);
            else storeLanes(o, c, left);
          }
        }
        o += so;
      }
    }
    for (let t = 0; t < tail; t++) {
      const o = out + so * (columns + t);
      const rows = min(BLOCK, m - block * BLOCK);
      for (let j: usize = 0; j < width; j += 16) {
        let c = from(fresh, o + j);
        let q = d + j;
        let p = x + (t << 2);
        for (let i = rows; i > 0; i--) {
          if (load<f32>(p) != 0) c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(p), v128.load(q)));
          p += sx;
          q += sd;
        }
        const left = <i32>((width - j) >> 2);
        if (left >= 4) v128.store(o + j, c);
        else storeLanes(o + j, c, left);
      }
    }
    list += words;
    d += sd * BLOCK;
    x += sx * BLOCK;
  }
}
