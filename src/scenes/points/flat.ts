/** Points seen from above, metres, y up: wedges, discs with numbers, rings, zones; links, rays and messages. */
import type { PointGroup, PointsLayout } from '#contract/game/frames.ts';
import { circle, css, words } from '../lib/brush.ts';
import type { FlatFrame } from '../lib/define.ts';
import { pointAt, pointColumns, pointGroups } from '../lib/frames.ts';
import { mix, type Palette } from '../lib/theme.ts';
import type { SceneOverlay } from '../types.ts';
import { BUILT, cornerReach, pointRgb, STRIPE, STRIPE_ANGLE, STRIPES, stripeHalf } from './tints.ts';

export function drawPoints(g: CanvasRenderingContext2D, { layout, a, b, alpha, overlay, palette }: FlatFrame<PointsLayout>): void {
  const [minX, minY, maxX, maxY] = layout.bounds;
  const unit = Math.max(maxX - minX, maxY - minY);
  g.fillStyle = css(palette.tile);
  g.fillRect(0, 0, maxX - minX, maxY - minY);
  g.translate(-minX, maxY);
  if (layout.ground === 'streets') drawHouses(g, Math.floor(maxX), Math.floor(maxY), palette);
  drawLinks(g, layout, alpha >= 0.5 ? b : a, unit, palette);
  if (overlay.rays) drawRays(g, layout, a, b, alpha, unit, palette);
  const at = new Float32Array(4);
  for (const { from, group } of pointGroups(layout)) {
    for (let i = 0; i < group.count; i++) {
      const o = (from + i) * 6;
      const r = a[o + 4]!;
      if (r <= 0) continue;
      pointAt(layout, a, b, from + i, alpha, at);
      g.save();
      g.translate(at[0]!, -at[1]!);
      g.rotate(-at[3]!);
      const tint = pointRgb(group.shape, a[o + 5]!, palette);
      g.fillStyle = css(tint, group.shape === 'zone' ? 0.25 : 1);
      g.strokeStyle = css(tint);
      g.lineWidth = r * 0.24;
      drawShape(g, group, r, group.sized === true ? b[o + 2]! : r);
      if (group.striped === true) drawStripes(g, r, css(tint, 0.8));
      if (group.numbered === true) {
        g.rotate(at[3]!);
        g.fillStyle = css(palette.paper);
        const agents = overlay.agents.length >= from + group.count; // fewer are those of someone who is none of these points
        words(g, (agents ? overlay.agents[from + i] : undefined) ?? String((group.numberedFrom ?? from + 1) + i), 0, 0, r);
      }
      g.restore();
    }
  }
  drawMessages(g, layout, a, b, alpha, overlay, unit, palette);
}

/** Stripes across a zone, and its rim. */
function drawStripes(g: CanvasRenderingContext2D, r: number, tint: string): void {
  g.save();
  g.rotate(-STRIPE_ANGLE);
  g.strokeStyle = tint;
  g.lineWidth = STRIPE * r;
  for (const middle of STRIPES) stroke(g, -r * stripeHalf(middle), r * middle, r * stripeHalf(middle), r * middle);
  g.beginPath();
  g.arc(0, 0, r, 0, 2 * Math.PI);
  g.stroke();
  g.restore();
}

/** Blocks between the streets 0, 1, .. of a city. */
function drawHouses(g: CanvasRenderingContext2D, across: number, along: number, palette: Palette): void {
  g.fillStyle = css(mix(palette.tile, palette.muted, 0.14));
  for (let x = 0; x < across; x++) for (let y = 0; y < along; y++) g.fillRect(x + (1 - BUILT) / 2, -y - (1 + BUILT) / 2, BUILT, BUILT);
}

/** `half`: half the width of a box with a size of its own. */
function drawShape(g: CanvasRenderingContext2D, { shape, numbered, size, tag, corners }: PointGroup, r: number, half: number): void {
  if (shape === 'words') words(g, tag ?? '', 0, 0, 2 * r);
  else if (shape === 'landmark' || shape === 'goal') {
    g.beginPath();
    g.arc(0, 0, 0.86 * r, 0, Math.PI * 2);
    g.stroke();
  } else if (shape === 'box') {
    const [length, width] = size ?? [2 * r, 2 * half];
    g.fillRect(-length / 2, -width / 2, length, width);
  } else if (corners !== undefined) {
    const reach = r * cornerReach(corners);
    g.beginPath();
    for (let k = 0; k < corners; k++)
      g.lineTo(reach * Math.cos((2 * Math.PI * k) / corners), reach * Math.sin((2 * Math.PI * k) / corners));
    g.closePath();
    g.fill();
  } else {
    if (shape !== 'wedge' || numbered === true) circle(g, 0, 0, r);
    if (shape !== 'wedge') return;
    g.beginPath();
    g.moveTo(1.4 * r, 0);
    g.lineTo(numbered === true ? 0.5 * r : -0.8 * r, -0.7 * r);
    g.lineTo(numbered === true ? 0.5 * r : -0.8 * r, 0.7 * r);
    g.closePath();
    g.fill();
  }
}

function drawLinks(g: CanvasRenderingContext2D, layout: PointsLayout, frame: Float32Array, unit: number, palette: Palette): void {
  const from = pointColumns(layout).lines;
  for (let i = 0; i < (layout.lines ?? 0); i++) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, tint = 0, strength = 0] = frame.subarray(from + i * 6, from + i * 6 + 6);
    if (strength <= 0) continue;
    g.strokeStyle = css(palette.series[tint % 8]!, 0.2 + 0.7 * strength);
    g.lineWidth = unit * 0.004;
    stroke(g, x1, -y1, x2, -y2);
  }
}

function drawRays(
  g: CanvasRenderingContext2D,
  layout: PointsLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  unit: number,
  palette: Palette,
): void {
  const { rays } = layout;
  if (rays === undefined) return;
  const from = pointColumns(layout).rays;
  const at = new Float32Array(4);
  g.lineWidth = unit * 0.002;
  for (let i = 0; i < rays.agents; i++) {
    pointAt(layout, a, b, i, alpha, at);
    for (let k = 0; k < rays.count; k++) {
      const reach = a[from + i * rays.count + k]!;
      const angle = (rays.from ?? 0) + (rays.turns === true ? at[3]! : 0) + (k / rays.count) * 2 * Math.PI;
      g.strokeStyle = reach < rays.range * 0.999 ? css(palette.hazard, 0.8) : css(palette.muted, 0.25);
      stroke(g, at[0]!, -at[1]!, at[0]! + reach * Math.cos(angle), -at[1]! - reach * Math.sin(angle));
    }
  }
}

function drawMessages(
  g: CanvasRenderingContext2D,
  layout: PointsLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  overlay: SceneOverlay,
  unit: number,
  palette: Palette,
): void {
  if (layout.messages === undefined || !overlay.messages) return;
  const from = pointColumns(layout).messages;
  const at = new Float32Array(4);
  g.fillStyle = css(palette.text);
  for (let i = 0; i < layout.messages.agents; i++) {
    const symbol = a[from + i]!;
    if (symbol < 0) continue;
    pointAt(layout, a, b, i, alpha, at);
    words(g, `“${layout.messages.symbols[symbol] ?? symbol}”`, at[0]!, -at[1]! - a[i * 6 + 4]! - unit * 0.03, unit * 0.05);
  }
}

function stroke(g: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}
