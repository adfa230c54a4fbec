import { expect, test } from 'vitest';
import type { GridLayout } from '#contract/game/frames.ts';
import { boardCells } from './heat.ts';

const layout = { kind: 'grid', width: 6, height: 5, agents: 1, headings: true, looks: [], colours: [], view: 1 } as GridLayout;
const frame = new Float32Array(6 * 5 * 3 + 6);
const stand = (x: number, y: number, dir: number): void => frame.set([x, y, dir], 6 * 5 * 3);
const at = (x: number, y: number): number => y * 6 + x;

test('the view ahead of an agent lies turned on the board', () => {
  stand(2, 2, 0); // looks right: far column is two to the right; its left is up
  // column by column from its left, far to near
  expect(Array.from(boardCells(layout, [3, 3], frame, 0)!)).toEqual([
    at(4, 1), at(3, 1), at(2, 1),
    at(4, 2), at(3, 2), at(2, 2),
    at(4, 3), at(3, 3), at(2, 3),
  ]); // biome-ignore format: a view
  stand(2, 2, 3); // looks up: its left is left
  expect(boardCells(layout, [3, 3], frame, 0)![0]).toBe(at(1, 0));
  stand(0, 2, 3);
  expect(boardCells(layout, [3, 3], frame, 0)![0]).toBe(-1); // beyond the edge
});

test('a view of the whole board is the board; others have no place on it', () => {
  expect(boardCells({ ...layout, view: 0 }, [6, 5], frame, 0)![7]).toBe(7);
  expect(boardCells({ ...layout, view: 0 }, [4, 4], frame, 0)).toBeNull();
});
