/**
 * Products with one-hot codes that are never written out. A row of codes (a grid: cells of a few channels, each a whole number below the
 * channel's size) stands for a row of zeros with a one per code; code c of a channel is column first + c, and a number that is no code
 * is all zeros. Behind the codes may lie `tail` ordinary numbers. The product is a sum of rows of the other matrix, added in the order of
 * the columns as the dense kernels do; what is left out is 0 * w and 1 * w is w, so the bits are theirs as long as the weights are finite.
 */
import { activate } from './activate';
import { splat } from './math';
import { scratch } from './scratch';
import { storeLanes } from './tail';
import { start } from './tiles';
import { fill } from './unary';

/** Rows in one block of a list by columns: thirty-two numbers of each fit in the first-level cache. */
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
 * entries (u16), a row's number within its block; those of column c lie between bounds c and c + 1, in the order of the rows.
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
        store<u16>(to + (place << 1), <u16>r);
      }
    }
    out += words;
  }
}

/** Thirty-two columns of one row: from + the rows of b in the list + tail numbers times theirs. */
@inline function row32(out: usize, p: usize, end: usize, b: usize, sb: usize, from: usize, x: usize, xEnd: usize, bx: usize): void {
  // #repeat 8 $i
  let c$i = v128.load(from, 16 * $i);
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
  let c = v128.load(from);
  for (; p < end; p += 2) c = f32x4.add(c, v128.load(b + sb * <usize>load<u16>(p)));
  for (; x < xEnd; x += 4) {
    if (load<f32>(x) != 0) c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(x), v128.load(bx)));
    bx += sb;
  }
  if (n >= 4) v128.store(out, c);
  else storeLanes(out, c, n);
}

/** Rows of out, so bytes apart: see `sums`. Thirty-two columns. */
function sums32(out: usize, so: usize, order: usize, entries: usize, b: usize, sb: usize, x: usize, sx: usize, tail: usize, bx: usize): void {
  const last = load<usize>(order, 4);
  for (let record = load<usize>(order); record < last; record += 16) {
    const from = scratch + (load<i32>(record) << 5);
    const p = entries + (load<i32>(record, 4) << 1);
    const end = entries + (load<i32>(record, 8) << 1);
    const to = load<i32>(record, 12);
    if (to < 0) row32(scratch + (~to << 5), p, end, b, sb, from, 0, 0, 0);
    else row32(out + to * so, p, end, b, sb, from, x + to * sx, x + to * sx + tail, bx);
  }
}

/** One to four columns. */
function sums4(
  out: usize, so: usize, order: usize, entries: usize, b: usize, sb: usize, x: usize, sx: usize, tail: usize, bx: usize, n: i32,
): void {
  const last = load<usize>(order, 4);
  for (let record = load<usize>(order); record < last; record += 16) {
    const from = scratch + (load<i32>(record) << 5);
    const p = entries + (load<i32>(record, 4) << 1);
    const end = entries + (load<i32>(record, 8) << 1);
    const to = load<i32>(record, 12);
    if (to < 0) row4(scratch + (~to << 5), p, end, b, sb, from, 0, 0, 0, 4);
    else row4(out + to * so, p, end, b, sb, from, x + to * sx, x + to * sx + tail, bx, n);
  }
}

/**
 * Rows of out [., n], so bytes apart: each the sum of bias (0: zeros), the rows of b that its list names, in the given `order` (codeOrder),
 * and its tail numbers, in `tail` bytes at x and then every sx, times the rows of b from bx on. Thirty-two columns of all rows at a time, so
 * that the rows of b that the lists name stay in the first-level cache. Sums of shared parts of d entries lie at 32 d of the scratch
 * memory, what sums begin with at 0.
 */
function sums(
  out: usize, so: usize, order: usize, entries: usize, b: usize, sb: usize, bias: usize, x: usize, sx: usize, tail: usize, bx: usize, n: i32,
): void {
  let j: usize = 0;
  for (const wide: usize = (n & ~31) << 2; j < wide; j += 128) {
    // #repeat 8 $i
    v128.store(scratch, start(bias, j + 16 * $i), 16 * $i);
    // #end
    sums32(out + j, so, order, entries, b + j, sb, x, sx, tail, bx + j);
  }
  for (const width: usize = n << 2; j < width; j += 16) {
    v128.store(scratch, start(bias, j));
    sums4(out + j, so, order, entries, b + j, sb, x, sx, tail, bx + j, <i32>((width - j) >> 2));
  }
}

/**
 * out [m, n] = act(one-hot b + bias): `list` of codeRows and the `order` of its rows, b [columns + tail, n], x the tail numbers of the first
 * row, sx bytes apart. out is contiguous.
 */
export function codeMatmul(
  out: usize, list: usize, order: usize, b: usize, sb: usize, bias: usize, act: i32, x: usize, sx: usize, tail: i32, m: i32, columns: i32,
  n: i32,
): void {
  sums(out, n << 2, order, list + ((m + 1) << 2), b, sb, bias, x, sx, tail << 2, b + sb * columns, n);
  if (act) activate(act, out, m * n);
}

@inline function from(fresh: bool, p: usize): v128 {
  return fresh ? splat(0) : v128.load(p);
}

/** Adds the rows of d to the columns that have them, a block of at most 256 rows: `list` and `entries` as codeColumns wrote them. */
function addBlock(out: usize, so: usize, list: usize, entries: usize, d: usize, sd: usize, columns: i32, n: i32, fresh: bool): void {
  const words: usize = (columns + 1) << 2;
  const wide: usize = (n & ~31) << 2;
  const width: usize = n << 2;
  for (let j: usize = 0; j < width; j += j < wide ? 128 : 16) {
    let o = out + j;
    const left = <i32>((width - j) >> 2);
    let p = entries + (load<i32>(list) << 1);
    for (let bound = list + 4; bound < list + words; bound += 4) {
      const end = entries + (load<i32>(bound) << 1);
      if (fresh || p < end) {
        if (j < wide) {
          // #repeat 8 $i
          let c$i = from(fresh, o + 16 * $i);
          // #end
          for (; p < end; p += 2) {
            const q = d + j + sd * <usize>load<u16>(p);
            // #repeat 8 $i
            c$i = f32x4.add(c$i, v128.load(q, 16 * $i));
            // #end
          }
          // #repeat 8 $i
          v128.store(o, c$i, 16 * $i);
          // #end
        } else {
          let c = from(fresh, o);
          for (; p < end; p += 2) c = f32x4.add(c, v128.load(d + j + sd * <usize>load<u16>(p)));
          if (left >= 4) v128.store(o, c);
          else storeLanes(o, c, left);
        }
      }
      o += so;
    }
  }
}

/** out [tail, n] (+)= x^T d for the tail numbers x of `rows` rows. */
function addTail(out: usize, so: usize, d: usize, sd: usize, x: usize, sx: usize, tail: i32, rows: i32, n: i32, fresh: bool): void {
  const width: usize = n << 2;
  for (let t = 0; t < tail; t++) {
    for (let j: usize = 0; j < width; j += 16) {
      let c = from(fresh, out + j);
      let q = d + j;
      let p = x + (t << 2);
      for (let i = rows; i > 0; i--) {
        if (load<f32>(p) != 0) c = f32x4.add(c, f32x4.mul(v128.load_splat<f32>(p), v128.load(q)));
        p += sx;
        q += sd;
      }
      const left = <i32>((width - j) >> 2);
      if (left >= 4) v128.store(out + j, c);
      else storeLanes(out + j, c, left);
    }
    out += so;
  }
}

/**
 * out [columns + tail, n] (+)= one-hot^T d for d [m, n]: `list` of codeColumns, x and sx as above. Every column adds the rows of d that
 * have it, in the order of the rows, in registers. `order`: of the columns, if there is one block and out is not added to; else 0.
 */
export function codeMatmulTN(
  out: usize, so: usize, list: usize, order: usize, d: usize, sd: usize, x: usize, sx: usize, tail: i32, m: i32, columns: i32, n: i32,
  accumulate: i32,
): void {
  const words: usize = (columns + 1) << 2;
  const entries = list + words * ((m + BLOCK - 1) / BLOCK);
  for (let row = 0; row < m; row += BLOCK) {
    const fresh: bool = row == 0 && !accumulate;
    if (order) sums(out, so, order, entries, d, sd, 0, 0, 0, 0, 0, n);
    else addBlock(out, so, list, entries, d, sd, columns, n, fresh);
    addTail(out + so * columns, so, d, sd, x, sx, tail, min(BLOCK, m - row), n, fresh);
    list += words;
    d += sd * BLOCK;
    x += sx * BLOCK;
  }
}
