/** Networks seen from above. */
import type { NetworkLayout } from '#contract/game/frames.ts';
import { circle, css, words } from '../lib/brush.ts';
import type { FlatFrame } from '../lib/define.ts';
import { linkAt, nodePlace, ringRadius } from '../lib/frames.ts';
import type { Rgb } from '../lib/theme.ts';

export function drawNetwork(g: CanvasRenderingContext2D, { layout, a, b, alpha, palette }: FlatFrame<NetworkLayout>): void {
  const frame = alpha >= 0.5 ? b : a;
  const r = ringRadius(layout.nodes);
  const named = (name: string | undefined): Rgb => palette.named[name ?? ''] ?? palette.structure;
  g.translate(r + 1, r + 1);
  const few = layout.nodes <= 24;
  g.lineWidth = few ? 0.08 : 0.03;
  for (let i = 0; i < layout.links; i++) {
    const link = linkAt(layout, frame, i);
    if (link === null) continue;
    g.strokeStyle = css(named(layout.linkKinds[link.kind]?.colour), few ? 0.8 : 0.3);
    g.beginPath();
    g.moveTo(...nodePlace(layout.nodes, link.from, r));
    g.lineTo(...nodePlace(layout.nodes, link.to, r));
    g.stroke();
  }
  for (let i = 0; i < layout.nodes; i++) {
    const [x, y] = nodePlace(layout.nodes, i, r + (few ? 0 : 0.7 * frame[2 * i + 1]!));
    g.fillStyle = css(named(layout.states[frame[2 * i]!]?.colour));
    circle(g, x, y, few ? 0.3 : 0.1);
  }
  g.fillStyle = css(palette.text);
  const at = layout.nodes * 2 + layout.links * 3;
  layout.extra.forEach((name, i) => {
    words(g, `${name} ${Number(frame[at + i]!.toFixed(2))}`, 0, (i - (layout.extra.length - 1) / 2) * r * 0.2, r * 0.12);
  });
}
