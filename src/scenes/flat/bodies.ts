/** Bodies seen from the front, metres, y up. */
import type { BodiesLayout } from '#contract/frames.ts';
import { bodyAt } from '../frames.ts';
import type { Palette } from '../theme.ts';
import { circle, css } from './brush.ts';

export function drawBodies(
  g: CanvasRenderingContext2D,
  layout: BodiesLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  palette: Palette,
): void {
  const [minX, , , , maxY] = layout.bounds;
  const pose = new Float32Array(7);
  layout.parts.forEach((part, i) => {
    bodyAt(layout, a, b, i, alpha, pose);
    const [w = 1, h = 1] = part.shape === 'box' ? part.size : [2 * (part.size[0] ?? 1), part.size[1] ?? 2 * (part.size[0] ?? 1)];
    g.save();
    g.translate(pose[0]! - minX, maxY - pose[1]!);
    g.rotate(-2 * Math.atan2(pose[5]!, pose[6]!));
    const named = {
      structure: palette.structure,
      accent: palette.series[1]!,
      ground: palette.tile,
      goal: palette.goal,
      hazard: palette.hazard,
    };
    g.fillStyle = css(typeof part.colour === 'number' ? palette.series[part.colour % 8]! : named[part.colour]);
    if (part.shape === 'sphere') circle(g, 0, 0, part.size[0] ?? 1);
    else g.fillRect(-w / 2, -h / 2, w, h);
    g.restore();
  });
}
