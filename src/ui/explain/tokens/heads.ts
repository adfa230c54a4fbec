/** The attention of one head as numbers and as a picture. */
import type { AttentionMap } from '#contract/run/tokens.ts';

/** [n, n] of one head. */
export function weightsOf({ row, heads, weights }: AttentionMap, layer: number, head: number): Float32Array {
  const size = row.length * row.length;
  const at = (layer * heads + head) * size;
  return weights.subarray(at, at + size);
}

/** The cell under a point of the picture, from 0 to 1 across and down; null outside, and above the diagonal, where a token cannot look. */
export function cellAt(x: number, y: number, n: number): readonly [from: number, to: number] | null {
  const [from, to] = [Math.floor(y * n), Math.floor(x * n)];
  return from < 0 || from >= n || to < 0 || to > from ? null : [from, to];
}

/** One pixel a cell, in the colour of the canvas's text: transparent for nothing, opaque for all of the attention. */
export function drawHead(canvas: HTMLCanvasElement, weights: ArrayLike<number>, n: number): void {
  canvas.width = n;
  canvas.height = n;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.clearRect(0, 0, n, n);
  pen.fillStyle = getComputedStyle(canvas).color;
  for (let cell = 0; cell < n * n; cell++) {
    pen.globalAlpha = Math.min(1, Math.sqrt(weights[cell]!)); // its root, or all that is not near 1 would be blank
    pen.fillRect(cell % n, Math.floor(cell / n), 1, 1);
  }
}
