/** Selecting rows of flat [rows, width] arrays by index. */

/** Rows of this width or more are copied as a whole, three times as fast as number by number; of shorter ones the call costs more. */
const WIDE = 64;

/** Rows order[from .. from + count - 1] of `source` [*, width] -> out [count, width]. */
export function gatherRows(
  order: Int32Array,
  from: number,
  count: number,
  source: Float32Array | Uint8Array,
  width: number,
  out: Float32Array,
): void {
  if (width === 1) {
    for (let k = 0; k < count; k++) out[k] = source[order[from + k]!]!;
    return;
  }
  for (let k = 0; k < count; k++) {
    const at = order[from + k]! * width;
    if (width >= WIDE) out.set(source.subarray(at, at + width), k * width);
    else for (let j = 0; j < width; j++) out[k * width + j] = source[at + j]!;
  }
}

/** The same for rows that are often consecutive, which are copied at once: asked[from .. from + count - 1] of [*, width] -> the first rows of `to`. */
export function takeRows(
  asked: Int32Array,
  from: number,
  count: number,
  source: Float32Array | Uint8Array,
  width: number,
  to: Float32Array,
): void {
  const first = asked[from]!;
  if (asked[from + count - 1] === first + count - 1) {
    to.set(source.subarray(first * width, (first + count) * width));
    return;
  }
  for (let i = 0; i < count; i++) {
    const at = asked[from + i]! * width;
    for (let j = 0; j < width; j++) to[i * width + j] = source[at + j]!;
  }
}

/** Inverse of takeRows: the first rows of `source` -> rows asked[from .. from + count - 1] of `to` [*, width]. */
export function giveRows(asked: Int32Array, from: number, count: number, source: Float32Array, width: number, to: Float32Array): void {
  const first = asked[from]!;
  if (asked[from + count - 1] === first + count - 1) {
    to.set(source.subarray(0, count * width), first * width);
    return;
  }
  for (let i = 0; i < count; i++) {
    const at = asked[from + i]! * width;
    for (let j = 0; j < width; j++) to[at + j] = source[i * width + j]!;
  }
}
