/** What stands for an agent of a grid, and in which colour. */
import type { GridFigure, GridLayout, GridLook } from '#contract/game/frames.ts';
import type { Palette, Rgb } from '../lib/theme.ts';

/** What bears the letter of its colour, where a layout has letters. */
export const LETTERED: ReadonlySet<GridLook> = new Set(['ball', 'square', 'pyramid', 'key', 'hex', 'star', 'pad']);

/** The figure of agent `index`: the last entry serves the rest. */
export function figureOf(layout: GridLayout, index: number): GridFigure {
  const { figures } = layout;
  return figures === undefined ? 'agent' : (figures[Math.min(index, figures.length - 1)] ?? 'agent');
}

export function agentRgb(layout: GridLayout, index: number, palette: Palette): Rgb {
  if (figureOf(layout, index) === 'snake') return palette.named.green ?? palette.accent;
  if (layout.agents === 1 && layout.teams === undefined) return palette.accent;
  return palette.named[layout.tints?.[index] ?? ''] ?? palette.series[(layout.teams?.[index] ?? index) % 8]!;
}

/** Cells to the side at which the flag of an agent stands, so that two in one cell are seen. */
export const flagShift = (agent: number, agents: number): number => (agents < 2 ? 0 : 0.3 * ((agent % 3) - 1));
