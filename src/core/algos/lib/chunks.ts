/** Any number of rows goes through programs of three sizes, compiled when first needed; rows that nobody reads are left out. */

/** Rows of the program that takes the next of `left` rows. */
export function partOf(left: number): number {
  return left > 56 ? 64 : left > 1 ? 8 : 1;
}

/** Writes the numbers of the rows that are read to `asked` [rows]; how many. At least one, so that an answer has all its parts. */
export function readRows(rows: number, unread: Uint8Array | undefined, asked: Int32Array): number {
  let count = 0;
  for (let row = 0; row < rows; row++) if (unread === undefined || unread[row] === 0) asked[count++] = row;
  if (count === 0 && rows > 0) asked[count++] = 0;
  return count;
}

/** Rows asked[from .. from + count - 1] of [*, width] to the first rows of `to`. */
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

/** The other way round: the first rows of `source` to rows asked[from .. from + count - 1] of [*, width]. */
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
