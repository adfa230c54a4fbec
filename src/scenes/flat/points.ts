/** Points seen from above, metres, y up. */
import type { PointsLayout } from '#contract/frames.ts';
import { pointAt } from '../frames.ts';
import type { Palette } from '../theme.ts';
import { css } from './brush.ts';

export function drawPoints(
  g: CanvasRenderingContext2D,
  layout: PointsLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  palette: Palette,
): void {
  const [minX, , , maxY] = layout.bounds;
  const at = new Float32Array(4);
  for (let i = 0; i < layout.count; i++) {
    pointAt(layout, a, b, i, alpha, at);
    const r = a[i * 6 + 4]!;
    g.save();
    g.translate(at[0]! - minX, maxY - at[1]!);
    g.rotate(-at[3]!);
    g.fillStyle = css(palette.series[a[i * 6 + 5]! % 8]!);
    g.beginPath();
    g.moveTo(1.2 * r, 0);
    g.lineTo(-0.8 * r, -0.7 * r);
    g.lineTo(-0.8 * r, 0.7 * r);
    g.closePath();
    g.fill();
    g.restore();
  }
}
