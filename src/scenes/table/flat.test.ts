/** Levers without three dimensions: the one that is pulled is seen, and what it paid. */
// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { TableLayout } from '#contract/game/frames.ts';
import { readPalette } from '../lib/theme.ts';
import { NO_OVERLAY } from '../types.ts';
import { drawTable } from './flat.ts';

const layout: TableLayout = {
  kind: 'table',
  items: [
    { kind: 'lever', x: 0, y: 0, name: '1', worth: 0.2, mean: '0.2' },
    { kind: 'lever', x: 2, y: 0, name: '2', worth: 1, mean: '1' },
    { kind: 'sign', x: 1, y: -1, text: 'bars' },
  ],
  bounds: [-1, -2, 3, 2],
};

/** Widths of the rectangles and the words that were drawn. */
function drawn(frame: readonly number[], action: number | undefined, payouts: boolean): { plates: number; said: string[] } {
  const said: string[] = [];
  let plates = 0;
  const g = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'fillText') return (text: string) => said.push(text);
        if (name === 'fillRect')
          return (_x: number, _y: number, width: number) => {
            if (width > 1 && width < 1.2) plates++;
          };
        return () => undefined;
      },
      set: () => true,
    },
  );
  const numbers = Float32Array.from(frame);
  const palette = readPalette(document.body);
  const overlay = { ...NO_OVERLAY, payouts };
  drawTable(g as never, { layout, a: numbers, b: numbers, alpha: 0, overlay, palette, action });
  return { plates, said: said.filter((text) => text !== '') };
}

test('nothing is pulled: no plate; what levers pay is hidden with its sign', () => {
  expect(drawn([0, Number.NaN, 0, Number.NaN], undefined, false)).toEqual({ plates: 0, said: ['1', '2'] });
  expect(drawn([0, Number.NaN, 0, Number.NaN], undefined, true).said).toEqual(['1', '0.2', '2', '1', 'bars']);
});

test('what is pulled stands on a plate and says what it paid, by the frame or by the action', () => {
  expect(drawn([0, Number.NaN, 1, 0.9], undefined, false)).toEqual({ plates: 1, said: ['1', '0.9', '2'] });
  expect(drawn([0, Number.NaN, 0, Number.NaN], 1, false)).toEqual({ plates: 1, said: ['1', '1', '2'] });
});
