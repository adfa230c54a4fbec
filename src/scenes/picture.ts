/** A picture that something else has drawn, as it is: nothing in it can be marked. */
import type { PictureLayout } from '#contract/game/frames.ts';
import { defineScene } from './lib/define.ts';

export const picture = defineScene<PictureLayout>({
  kind: 'picture',
  async view() {
    const { PictureView } = await import('./picture/view.ts');
    return { create: (layout) => new PictureView(layout) };
  },
  async flat() {
    const { drawPicture } = await import('./picture/flat.ts');
    return { create: () => ({ draw: drawPicture }) };
  },
  extent: ({ width, height }) => [width, height],
  place: (_layout, x, y) => [x, y],
  point: (_layout, x, y) => ({ x, y, cell: -1 }),
  describe: ({ width, height }, _frame, _names, t) =>
    t('A picture of {width} by {height} points, drawn by the environment itself.', { width, height }),
  things: () => ({ count: 0, named: false, name: (thing) => `agent ${thing + 1}`, acts: () => true, ofAgent: (place) => place }),
  spot: () => null,
  layers: () => [],
  glyph: () => [
    { role: 'wall', shape: 'rect', x: 10, y: 14, width: 44, height: 36, rx: 4 },
    { role: 'goal', shape: 'circle', x: 42, y: 25, r: 4 },
    { role: 'line', shape: 'path', d: 'M14 46L28 30L38 40L44 34L50 42' },
  ],
});
