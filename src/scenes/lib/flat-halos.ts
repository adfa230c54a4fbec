/** What an explanation says, in the flat picture: rings by shape and width, words below them, arcs. y grows downwards. */

import type { SceneOverlay } from '../types.ts';
import { css, words } from './brush.ts';
import type { Spot } from './define.ts';
import { alongArc, arcBetween, haloRadius, type Place, RING_WIDTHS, ringOf, ringPieces } from './halo-shape.ts';
import type { Palette } from './theme.ts';

const SEGMENTS = 20;

/** Where a thing is; null: it is not shown. */
type SpotOf = (thing: number) => Spot | null;

/** `reach`: how far the strongest ring lies outside its thing; `height` of the words. */
export function drawHalos(
  g: CanvasRenderingContext2D,
  { marks, ties }: SceneOverlay,
  spot: SpotOf,
  sizes: { readonly reach: number; readonly height: number },
  palette: Palette,
): void {
  for (const { from, to, weight } of ties) {
    const [a, b] = [spot(from), spot(to)];
    if (a === null || b === null) continue;
    // seen from above: what would rise lies in the plane
    const arc = arcBetween([a.x, 0, a.y], a.radius, [b.x, 0, b.y], b.radius, 0);
    if (arc !== null) drawArc(g, arc, css(palette.series[from % 8]!), sizes.height * (0.06 + 0.2 * weight));
  }
  for (const { thing, strength, words: text } of marks) {
    const at = spot(thing);
    if (at === null) continue;
    const { x, y, radius } = at;
    const { kind, level } = ringOf(strength);
    const outer = haloRadius(radius, strength, sizes.reach);
    const line = outer * RING_WIDTHS[level]!;
    g.lineWidth = line;
    g.strokeStyle = css({ closed: palette.adds, broken: palette.takes, dotted: palette.muted }[kind]);
    for (const [from, to] of ringPieces(kind)) {
      g.beginPath();
      g.arc(x, y, outer - line / 2, from, to);
      g.stroke();
    }
    g.fillStyle = css(palette.text);
    if (text !== '') words(g, text, x, y + outer + 0.6 * sizes.height, sizes.height);
  }
}

function drawArc(g: CanvasRenderingContext2D, arc: readonly [Place, Place, Place], ink: string, wide: number): void {
  g.strokeStyle = ink;
  g.fillStyle = ink;
  g.lineWidth = wide;
  const [x0, , y0] = alongArc(arc, 0.85);
  const [x1, , y1] = arc[2];
  g.beginPath();
  for (let k = 0; k <= SEGMENTS; k++) {
    const [x, , y] = alongArc(arc, (0.86 * k) / SEGMENTS);
    g.lineTo(x, y);
  }
  g.stroke();
  const [dx, dy] = [(x1 - x0) * 0.4, (y1 - y0) * 0.4];
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x0 - dy, y0 + dx);
  g.lineTo(x0 + dy, y0 - dx);
  g.fill();
}
