/** A picture on a 2D canvas, point by point: the canvas is turned and scaled by the caller, so pixels cannot be put directly. */
import type { PictureLayout } from '#contract/game/frames.ts';
import { css } from '../lib/brush.ts';
import type { FlatFrame } from '../lib/define.ts';

/** Runs of one colour in a row are one rectangle; a little wider than they are, or gaps would show between them. */
const OVERLAP = 0.04;

export function drawPicture(g: CanvasRenderingContext2D, { layout: { width, height }, a, b, alpha }: FlatFrame<PictureLayout>): void {
  const frame = alpha >= 0.5 ? b : a;
  for (let y = 0; y < height; y++) {
    for (let x = 0, from = 0; x < width; x++) {
      const packed = frame[y * width + x]!;
      if (x + 1 < width && frame[y * width + x + 1] === packed) continue;
      g.fillStyle = css([(packed >> 16) & 255, (packed >> 8) & 255, packed & 255]);
      g.fillRect(from, y, x + 1 - from + OVERLAP, 1 + OVERLAP);
      from = x + 1;
    }
  }
}
