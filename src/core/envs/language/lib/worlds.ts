/** What a task or game on tokens is about, as a picture beside its tokens: a grid with its goal, a board of noughts and crosses. */
import type { GridLayout } from '#contract/game/frames.ts';
import type { Field } from './tasks.ts';

const LOOKS = ['empty', 'wall', 'goal', 'start', 'cross', 'nought'] as const;
type Look = (typeof LOOKS)[number];
const codeOf = (look: Look): number => LOOKS.indexOf(look);

const gridOf = (width: number, height: number, agents: number, stage: 'world' | 'board'): GridLayout => ({
  kind: 'grid',
  width,
  height,
  agents,
  headings: false,
  looks: LOOKS,
  colours: ['grey', 'green', 'red', 'blue'],
  view: 0,
  stage,
});

export const fieldLayout = (width: number, height: number): GridLayout => gridOf(width, height, 1, 'world');
export const boardLayout = (): GridLayout => gridOf(3, 3, 0, 'board');

const COLOURS: Readonly<Record<Look, number>> = { empty: 0, wall: 0, goal: 1, start: 0, cross: 2, nought: 3 };

function putCell(out: Float32Array, cell: number, look: Look): void {
  out[3 * cell] = codeOf(look);
  out[3 * cell + 1] = COLOURS[look];
  out[3 * cell + 2] = 0;
}

/** Walls, start and goal, and the walker at `at`. */
export function drawWalk({ width, height, walls, start, goal }: Field, at: readonly [number, number], out: Float32Array): void {
  for (let cell = 0; cell < width * height; cell++) putCell(out, cell, walls[cell] === true ? 'wall' : 'empty');
  putCell(out, start[1] * width + start[0], 'start');
  putCell(out, goal[1] * width + goal[0], 'goal');
  out.set([at[0], at[1], 0, 0, 0, 1], 3 * width * height);
}

/** Nine cells of 'x', 'o' or nothing. */
export function drawMarks(board: readonly string[], out: Float32Array): void {
  board.forEach((mark, cell) => {
    putCell(out, cell, mark === 'x' ? 'cross' : mark === 'o' ? 'nought' : 'empty');
  });
}
