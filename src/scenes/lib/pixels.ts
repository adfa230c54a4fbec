/** Pixels as WebGL gives them (the lowest row first, colours multiplied by their alpha) as a 2D canvas takes them. */

/** `from` and `to`: RGBA, one byte a channel, rows of `width` pixels; `to` is written whole. */
export function uprightRows(from: Uint8Array, to: Uint8ClampedArray, width: number): void {
  const row = 4 * width;
  const rows = from.length / row;
  for (let y = 0; y < rows; y++) to.set(from.subarray((rows - 1 - y) * row, (rows - y) * row), y * row);
  for (let i = 0; i < to.length; i += 4) {
    const alpha = to[i + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = i; c < i + 3; c++) to[c] = ((to[c] ?? 0) * 255) / alpha;
  }
}
