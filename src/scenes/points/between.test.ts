/** Links between others: they are no subjects, make no crowd, stay as large as they are, and can be taken hold of with a finger. */
// @vitest-environment happy-dom
import { Raycaster, Vector3 } from 'three';
import { expect, it, vi } from 'vitest';
import { frameSize, type PointsLayout } from '#contract/game/frames.ts';
import { sceneOf } from '../index.ts';
import { readPalette } from '../lib/theme.ts';
import type { Subject, View } from '../lib/view.ts';

const LINKS = 40;
const PIXEL = 0.04; // metres
const small = 0.1;

async function viewOf(between: boolean): Promise<View> {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => null);
  const flag = between ? ({ between: true } as const) : {};
  const layout: PointsLayout = {
    kind: 'points',
    count: 1 + LINKS,
    bounds: [0, 0, 10, 10],
    names: [],
    groups: [
      { name: 'node', count: 1, shape: 'disc', held: true },
      { name: 'link', count: LINKS, shape: 'ball', held: true, ...flag },
    ],
  };
  const frame = new Float32Array(frameSize(layout));
  frame.set([9, 9, 0, 0, small, 0]);
  for (let l = 0; l < LINKS; l++) frame.set([1 + (l % 8), 1 + Math.floor(l / 8), 0, 0, small, 7], 6 * (1 + l));
  const view = (await sceneOf(layout).view()).create(layout, readPalette(document.body));
  view.scale?.(PIXEL);
  view.update(frame, frame, 0, 0, true);
  return view;
}

const subjectsOf = (view: View): Pick<Subject, 'kind' | 'radius'>[] => {
  const found: Pick<Subject, 'kind' | 'radius'>[] = [];
  view.subjects?.(({ kind, radius }) => found.push({ kind, radius }));
  return found;
};

/** What is held where a ray from straight above meets the floor. */
const heldAt = (view: View, x: number, y: number): number | undefined =>
  view.grip?.(new Raycaster(new Vector3(x, 5, -y), new Vector3(0, -1, 0)), new Vector3())?.part;

it('only the node is to be found, enlarged as if it were alone', async () => {
  const [node, ...others] = subjectsOf(await viewOf(true));
  expect(others).toEqual([]);
  expect(node?.kind).toBe('agent');
  expect(2 * (node?.radius ?? 0)).toBeGreaterThanOrEqual(24 * PIXEL);
});

it('without the mark they are a crowd, drawn as large as they are', async () => {
  const found = subjectsOf(await viewOf(false));
  expect(found.length).toBe(1 + LINKS);
  expect(found[0]?.radius).toBeCloseTo(small, 6);
});

it('a link is taken within twelve pixels of its middle, the nearest of them, and nothing farther away', async () => {
  const view = await viewOf(true);
  expect(heldAt(view, 1 + 11 * PIXEL, 1)).toBe(1);
  expect(heldAt(view, 2 - 11 * PIXEL, 1)).toBe(2);
  expect(heldAt(view, 1.5, 1.5)).toBeUndefined();
  expect(heldAt(view, 9, 9)).toBe(0);
});
