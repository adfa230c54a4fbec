/** A long wall is in the picture; it does not push the picture out by its length on all sides. */
// @vitest-environment happy-dom
import { Vector3 } from 'three';
import { expect, it, vi } from 'vitest';
import { frameSize, type PointsLayout } from '#contract/game/frames.ts';
import { sceneOf } from '../index.ts';
import { Shot } from '../lib/shot.ts';
import { readPalette } from '../lib/theme.ts';

it('frames a plane whose edge is a box as long as itself', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => null);
  const layout: PointsLayout = {
    kind: 'points',
    count: 1,
    bounds: [-8, -1, 8, 10],
    names: [],
    groups: [{ name: 'box', count: 1, shape: 'box', sized: true }],
  };
  const frame = new Float32Array(frameSize(layout));
  frame.set([0, 9.5, 0.4, 0, 8, 3]); // x, y, half of its depth, heading, half of its length, colour
  const view = (await sceneOf(layout).view()).create(layout, readPalette(document.body));
  view.update(frame, frame, 0, 0, true);
  const shot = new Shot(view.framing.bounds);
  shot.take(view, true);
  expect(shot.box.getSize(new Vector3()).length()).toBeLessThan(1.1 * view.framing.bounds.getSize(new Vector3()).length());
});
