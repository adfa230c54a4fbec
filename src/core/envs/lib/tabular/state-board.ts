/** Numbered states as cells of a board, row by row, with one mark for the state of now. */
import type { GridLayout } from '#contract/game/frames.ts';

/** As square as it gets; the last row may be short. */
export function stateBoard(states: number, looks: GridLayout['looks'], colours: GridLayout['colours']): GridLayout {
  const width = Math.ceil(Math.sqrt(states));
  return { kind: 'grid', width, height: Math.ceil(states / width), agents: 1, headings: false, looks, colours, view: 0 };
}
