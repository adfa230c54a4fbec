/** Numbers on points: the marks of agents where the points are agents, their own where one agent acts on all of them. */
// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { PointsLayout } from '#contract/game/frames.ts';
import { sceneOf } from '../index.ts';
import { readPalette } from '../lib/theme.ts';
import { NO_OVERLAY } from '../types.ts';

/** What is written on three numbered points. */
async function written(marks: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  const context = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'measureText') return () => ({ width: 10 });
        if (name === 'getImageData') return () => ({ data: new Uint8ClampedArray(4) });
        return name === 'fillText' ? (text: string) => texts.push(text) : () => undefined;
      },
      set: () => true,
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => context as never);
  const groups = [{ name: 'node', count: 3, shape: 'disc', numbered: true }] as const;
  const layout: PointsLayout = { kind: 'points', count: 3, bounds: [0, 0, 9, 9], names: [], groups };
  const view = (await sceneOf(layout).view()).create(layout, readPalette(document.body));
  texts.length = 0;
  view.overlay({ ...NO_OVERLAY, agents: marks });
  return texts;
}

it('one agent that is none of the points gives them no mark', async () => {
  expect(await written(['A', 'B', 'C'])).toEqual(expect.arrayContaining(['A', 'B', 'C']));
  expect(await written(['R'])).not.toContain('R');
});
