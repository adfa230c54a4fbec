/** Grids seen from above: one unit = one cell, y down. */
import { type GridLayout, type GridLook, OFF_BOARD } from '#contract/game/frames.ts';
import { circle, css, words } from '../lib/brush.ts';
import { scaleColour } from '../lib/colours.ts';
import type { FlatDrawing, FlatFrame } from '../lib/define.ts';
import { agentExtra, gridAgent, layerAt } from '../lib/frames.ts';
import type { Palette, Rgb } from '../lib/theme.ts';
import type { CellSign } from '../types.ts';
import { agentRgb, flagShift, LETTERED } from './tints.ts';

const ROUND: ReadonlySet<GridLook> = new Set([
  'ball',
  'food',
  'trail',
  'coin',
  'onion',
  'tomato',
  'dish',
  'soup',
  'disc',
  'snake',
  'fish',
  'diver',
  'person',
  'chicken',
  'alien',
  'agent',
]);
const SQUARE: ReadonlySet<GridLook> = new Set(['box', 'brick', 'treasure', 'submarine', 'ship', 'car', 'bullet', 'gauge', 'square']);
/** Outlines of things, from the middle of their cell. */
const OUTLINES: { readonly [look in GridLook]?: readonly (readonly [x: number, y: number])[] } = {
  pyramid: [
    [0, -0.36],
    [0.38, 0.32],
    [-0.38, 0.32],
  ],
  hex: Array.from({ length: 6 }, (_, i) => [0.36 * Math.cos((i * Math.PI) / 3), 0.36 * Math.sin((i * Math.PI) / 3)] as const),
  star: Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 === 0 ? 0.42 : 0.18;
    return [r * Math.sin((i * Math.PI) / 5), -r * Math.cos((i * Math.PI) / 5)] as const;
  }),
};

/** Agents without headings are drawn as they last moved: remembered from one drawing to the next. */
export class GridDrawing implements FlatDrawing<GridLayout> {
  private lastAngle = Math.PI / 2;

  draw(g: CanvasRenderingContext2D, frame: FlatFrame<GridLayout>): void {
    this.lastAngle = drawGrid(g, frame, this.lastAngle);
  }
}

function drawGrid(
  g: CanvasRenderingContext2D,
  { layout, a, b, alpha, overlay, palette }: FlatFrame<GridLayout>,
  lastAngle: number,
): number {
  const fills: { readonly [look: string]: Rgb } = {
    wall: palette.wall,
    lava: palette.hazard,
    cliff: palette.hazard,
    water: palette.water,
    hole: palette.pit,
    ice: palette.ice,
    counter: palette.structure,
    pot: palette.pit,
    dispenser: palette.structure,
    serving: palette.goal,
    goal: palette.goal,
    paddle: palette.accent,
    soil: palette.named.brown ?? palette.muted,
    grass: palette.named.green ?? palette.goal,
    waste: palette.named.brown ?? palette.muted,
  };
  const beams = layerAt(layout, 'beam');
  const heat = layerAt(layout, 'heat');
  const cells = alpha >= 0.5 ? b : a;
  for (let cell = 0; cell < layout.width * layout.height; cell++) {
    const x = cell % layout.width;
    const y = Math.floor(cell / layout.width);
    const look = layout.looks[cells[cell * 3]!] ?? 'empty';
    const own = palette.named[layout.colours[cells[cell * 3 + 1]!] ?? 'grey'] ?? palette.muted;
    g.fillStyle = css(fills[look] ?? ((x + y) % 2 === 0 ? palette.tile : palette.tileAlternate));
    g.fillRect(x + 0.02, y + 0.02, 0.96, 0.96);
    const warmth = heat === undefined ? 0 : cells[heat + cell]!;
    if (warmth > 0) {
      g.fillStyle = css(scaleColour('viridis', warmth), 0.86);
      g.fillRect(x + 0.03, y + 0.03, 0.94, 0.94);
    }
    const value = overlay.values?.[cell];
    if (value !== undefined && Number.isFinite(value)) {
      g.fillStyle = css(scaleColour('viridis', (value - overlay.range[0]) / (overlay.range[1] - overlay.range[0])), 0.86);
      g.fillRect(x + 0.03, y + 0.03, 0.94, 0.94);
    }
    g.fillStyle = css(own);
    if (look === 'floor' && own !== palette.named.grey) {
      g.fillStyle = css(own, 0.45);
      g.fillRect(x + 0.02, y + 0.02, 0.96, 0.96);
    } else if (ROUND.has(look)) circle(g, x + 0.5, y + 0.5, look === 'trail' ? 0.16 : 0.3);
    else if (SQUARE.has(look)) g.fillRect(x + 0.12, y + 0.12, 0.76, 0.76);
    else if (OUTLINES[look] !== undefined) {
      g.beginPath();
      for (const [dx, dy] of OUTLINES[look]) g.lineTo(x + 0.5 + dx, y + 0.5 + dy);
      g.closePath();
      g.fill();
    } else if (look === 'pad') {
      g.fillRect(x + 0.24, y + 0.24, 0.52, 0.52);
      g.strokeStyle = css(own);
      g.lineWidth = 0.07;
      g.strokeRect(x + 0.1, y + 0.1, 0.8, 0.8);
    } else if (look === 'cross') words(g, '✕', x + 0.5, y + 0.5, 0.8);
    else if (look === 'nought' || look === 'target') {
      g.strokeStyle = css(look === 'target' ? palette.goal : own);
      g.lineWidth = look === 'nought' ? 0.14 : 0.06;
      g.beginPath();
      g.arc(x + 0.5, y + 0.5, 0.28, 0, Math.PI * 2);
      g.stroke();
    } else if (look === 'key') {
      circle(g, x + 0.5, y + 0.32, 0.16);
      g.fillRect(x + 0.45, y + 0.4, 0.1, 0.44);
    } else if (look === 'door') {
      const open = cells[cell * 3 + 2] === 0;
      g.fillRect(x + 0.04, y + 0.04, open ? 0.14 : 0.92, 0.92);
      if (cells[cell * 3 + 2] === 2) {
        g.fillStyle = css(palette.ink);
        circle(g, x + 0.5, y + 0.5, 0.1);
      }
    }
    const letter = LETTERED.has(look) ? layout.letters?.[cells[cell * 3 + 1]!] : undefined;
    if (letter !== undefined) {
      g.fillStyle = css(palette.paper);
      circle(g, x + 0.5, y + 0.54, 0.17);
      g.fillStyle = css(palette.ink);
      words(g, letter, x + 0.5, y + 0.54, 0.28);
    }
    const beam = beams === undefined ? 0 : cells[beams + cell]!;
    if (beam > 0) {
      g.fillStyle = css(palette.named[layout.colours[beam - 1] ?? 'grey'] ?? palette.muted, 0.6);
      g.fillRect(x, y + 0.3, 1, 0.4);
    }
  }
  for (const sign of overlay.signs) drawSign(g, layout, sign, palette);
  for (const { cell, agent } of overlay.flags)
    drawFlag(
      g,
      (cell % layout.width) + flagShift(agent, layout.agents),
      Math.floor(cell / layout.width),
      css(agentRgb(layout, agent, palette)),
      css(palette.ink),
    );
  let angle = lastAngle;
  for (let i = 0; i < layout.agents; i++) {
    const agent = gridAgent(layout, a, b, i, alpha, lastAngle);
    if (agent.x <= OFF_BOARD) continue;
    if (i === 0) angle = agent.angle;
    if ((layout.figures?.[i] ?? layout.figures?.at(-1)) === 'none') continue;
    g.save();
    g.translate(agent.x + 0.5, agent.y + 0.5);
    g.rotate(agent.angle);
    g.globalAlpha = 0.3 + 0.7 * agent.alive;
    g.fillStyle = css(agentRgb(layout, i, palette));
    g.beginPath();
    g.moveTo(0.4, 0);
    g.lineTo(-0.3, -0.3);
    g.lineTo(-0.18, 0);
    g.lineTo(-0.3, 0.3);
    g.closePath();
    g.fill();
    g.restore();
    const crossed = agentExtra(layout, cells, i, 'crossed') ?? -1;
    g.fillStyle = css(agentRgb(layout, i, palette));
    if (crossed >= 0) words(g, '✕', (crossed % layout.width) + 0.5, Math.floor(crossed / layout.width) + 0.5, 1);
    const symbol = agentExtra(layout, cells, i, 'message');
    g.fillStyle = css(palette.ink);
    if (symbol !== undefined && symbol >= 0 && overlay.messages)
      words(g, layout.symbols?.[symbol] ?? String.fromCharCode(65 + symbol), agent.x + 0.5, agent.y - 0.05, 0.4);
  }
  return angle;
}

/** A pole with a pennant, standing in the cell whose corner is given. */
function drawFlag(g: CanvasRenderingContext2D, x: number, y: number, ink: string, edge: string): void {
  g.lineWidth = 0.05;
  g.strokeStyle = edge;
  g.fillStyle = ink;
  g.beginPath();
  g.moveTo(x + 0.62, y + 0.92);
  g.lineTo(x + 0.62, y + 0.1);
  g.stroke();
  g.beginPath();
  g.moveTo(x + 0.64, y + 0.1);
  g.lineTo(x + 1.02, y + 0.25);
  g.lineTo(x + 0.64, y + 0.42);
  g.closePath();
  g.fill();
  g.stroke();
}

function drawSign(g: CanvasRenderingContext2D, layout: GridLayout, sign: CellSign, palette: Palette): void {
  if (sign.kind !== 'move') return;
  const reach = 0.12 + 0.3 * sign.weight;
  const turn = (sign.dir * Math.PI) / 2;
  const x = (sign.cell % layout.width) + 0.5;
  const y = Math.floor(sign.cell / layout.width) + 0.5;
  g.strokeStyle = css(palette.ink, sign.main ? 0.95 : 0.5);
  g.lineWidth = sign.main ? 0.06 : 0.03;
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x + reach * Math.cos(turn), y + reach * Math.sin(turn));
  g.stroke();
}
