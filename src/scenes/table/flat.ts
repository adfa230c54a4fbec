/** Tables seen from above: one unit = a card's width, y up. */
import { itemColumns, type TableItem, type TableLayout } from '#contract/game/frames.ts';
import { circle, css, words } from '../lib/brush.ts';
import type { FlatFrame } from '../lib/define.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';

const CELL = 1.5;

export function drawTable(g: CanvasRenderingContext2D, { layout, a, b, alpha, overlay, palette, action }: FlatFrame<TableLayout>): void {
  const frame = alpha >= 0.5 ? b : a;
  const [minX, minY, maxX, maxY] = layout.bounds;
  g.fillStyle = css(mix(palette.tile, palette.accent, 0.1));
  g.fillRect(0, 0, maxX - minX, maxY - minY);
  const levers = layout.items.some(({ kind }) => kind === 'lever');
  let at = 0;
  let lever = 0;
  for (const item of layout.items) {
    const columns = frame.subarray(at, at + itemColumns(item));
    at += itemColumns(item);
    g.save();
    g.translate(item.x - minX, maxY - item.y);
    if (item.kind === 'lever') drawLever(g, item, columns, lever++ === action, overlay.payouts, palette);
    else if (item.kind === 'text') drawText(g, item, columns, palette);
    // A sign beside levers says what their bars are.
    else if (item.kind !== 'sign' || !levers || overlay.payouts) drawItem(g, item, columns, palette);
    g.restore();
  }
}

/** What is pulled stands on a lit plate, with what it paid; the bar above is what it pays on average, where that may be seen. */
function drawLever(
  g: CanvasRenderingContext2D,
  { name, worth, mean }: Extract<TableItem, { kind: 'lever' }>,
  [pulled = 0, paid = Number.NaN]: Float32Array,
  chosen: boolean,
  payouts: boolean,
  palette: Palette,
): void {
  if (pulled > 0 || chosen) {
    g.fillStyle = css(palette.accent);
    g.fillRect(-0.54, -0.54, 1.08, 1.08);
  }
  g.fillStyle = css(palette.structure);
  g.fillRect(-0.4, -0.4, 0.8, 0.8);
  const said = pulled > 0 && Number.isFinite(paid) ? String(Number(paid.toFixed(2))) : chosen ? (mean ?? '') : '';
  g.fillStyle = css([255, 255, 255]);
  words(g, said.replace('-', '−'), 0, 0, 0.34);
  g.fillStyle = css(palette.text);
  words(g, name, 0, 0.78, 0.3);
  if (!payouts || worth === undefined) return;
  const height = Math.max(0.03, 0.6 * worth);
  words(g, (mean ?? '').replace('-', '−'), 0, -0.78 - height, 0.28);
  g.fillStyle = css(palette.goal);
  g.fillRect(-0.25, -0.58 - height, 0.5, height);
}

function drawText(
  g: CanvasRenderingContext2D,
  { words: known, line, gap }: Extract<TableItem, { kind: 'text' }>,
  columns: Float32Array,
  palette: Palette,
): void {
  g.fillStyle = css(palette.text);
  columns.forEach((word, i) => {
    if (word >= 0) words(g, known[word] ?? '', gap * ((i % line) - (line - 1) / 2), Math.floor(i / line), 0.7);
  });
}

function drawItem(
  g: CanvasRenderingContext2D,
  item: Exclude<TableItem, { kind: 'lever' | 'text' }>,
  [first = 0, second = 0]: Float32Array,
  palette: Palette,
): void {
  const team = (index: number): Rgb => palette.series[index % 8]!;
  switch (item.kind) {
    case 'card':
      if (first === -1) return;
      g.fillStyle = first === -2 ? css(palette.accent) : '#fafaf7';
      g.fillRect(-0.5, -0.7, 1, 1.4);
      g.fillStyle = '#1c212d';
      if (first >= 0) words(g, item.faces[first] ?? '', 0, 0, 0.7);
      return;
    case 'chips':
      for (let i = 0; i < first; i++) {
        g.fillStyle = css(i % 2 === 0 ? team(item.team) : mix(team(item.team), [255, 255, 255], 0.4));
        circle(g, Math.floor(i / 8) * 0.56, -(i % 8) * 0.07, 0.24);
      }
      return;
    case 'number':
      g.fillStyle = css(palette.text);
      words(g, Number.isFinite(first) ? `${item.label} ${Number(first.toFixed(item.digits ?? 2))}` : item.label, 0, 0, 0.32);
      return;
    case 'sign':
      g.fillStyle = css(palette.muted);
      words(g, item.text, 0, 0, 0.3);
      return;
    case 'seat':
      g.fillStyle = css(team(item.team), second < 0 ? 0.4 : 1);
      circle(g, 0, 0, 0.3);
      g.strokeStyle = css(palette.accent);
      g.lineWidth = 0.07;
      if (first > 0) {
        g.beginPath();
        g.arc(0, 0, 0.46, 0, Math.PI * 2);
        g.stroke();
      }
      g.fillStyle = css(palette.text);
      words(g, second > 0 ? `${item.name} won` : item.name, 0, 0.68, 0.3);
      return;
    case 'payoff':
      item.rows.forEach((name, r) => {
        item.columns.forEach((_, c) => {
          const x = (c - (item.columns.length - 1) / 2) * CELL;
          const y = (r - (item.rows.length - 1) / 2) * CELL;
          const chosen = first === r && second === c;
          g.fillStyle = css(chosen ? mix(palette.tile, palette.goal, 0.6) : palette.tile);
          g.fillRect(x - 0.71, y - 0.71, 1.42, 1.42);
          const [mine, theirs] = item.payoffs[r]![c]!;
          g.fillStyle = css(mix(team(0), palette.ink, 0.2));
          words(g, String(mine), x - 0.34, y + 0.32, 0.4);
          g.fillStyle = css(mix(team(1), palette.ink, 0.2));
          words(g, String(theirs), x + 0.34, y - 0.32, 0.4);
        });
        g.fillStyle = css(palette.text);
        words(g, name, -(item.columns.length / 2) * CELL - 0.5, (r - (item.rows.length - 1) / 2) * CELL, 0.24);
      });
      item.columns.forEach((name, c) => {
        words(g, name, (c - (item.columns.length - 1) / 2) * CELL, -(item.rows.length / 2) * CELL - 0.25, 0.24);
      });
      return;
  }
}
