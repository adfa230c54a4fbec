/** What scenes cost: draw calls as the renderer counts them. Opens the scenes alone, with the page's own code. */
import { expect, test } from '@playwright/test';
import { openPictures } from '../tools/pictures/open.mjs';

interface Pictures {
  cost(layout: object, frames: readonly (readonly number[])[]): Promise<{ calls: number; script: number[] }>;
  swarmCost(count: number): Promise<{ calls: number; script: number[] }>;
}

test('a swarm of ten thousand is drawn in at most three calls, as is one of ten', { tag: '@night' }, async () => {
  test.setTimeout(180_000);
  const { page, close } = await openPictures();
  try {
    const calls = await page.evaluate(async () => {
      const { pictures } = globalThis as unknown as { pictures: Pictures };
      const empty = { kind: 'points', count: 1, bounds: [0, 0, 9, 9], names: [], groups: [{ name: 'none', count: 1, shape: 'ball' }] };
      return {
        ground: (await pictures.cost(empty, [[0, 0, 0, 0, 0, 0]])).calls,
        many: (await pictures.swarmCost(10_000)).calls,
        most: (await pictures.swarmCost(2500)).calls,
      };
    });
    expect(calls.ground).toBeGreaterThan(0);
    expect(calls.many).toBeGreaterThan(calls.ground);
    expect(calls.many - calls.ground).toBeLessThanOrEqual(3);
    expect(calls.most).toBe(calls.many);
  } finally {
    await close();
  }
});

test('two hundred and fifty-six agents and twelve drones need no more calls than a few', { tag: '@night' }, async () => {
  test.setTimeout(180_000);
  const { page, close } = await openPictures();
  try {
    const calls = await page.evaluate(async () => {
      const { pictures } = globalThis as unknown as { pictures: Pictures };
      const grid = async (agents: number): Promise<number> => {
        const layout = { kind: 'grid', width: 64, height: 64, agents, headings: true, looks: ['empty', 'wall'], colours: ['red'], view: 0 };
        const cells = new Array<number>(64 * 64 * 3).fill(0);
        const figures = Array.from({ length: agents }, (_, i) => [i % 64, Math.floor(i / 64), 0, 0, 0, 1]).flat();
        return (await pictures.cost(layout, [[...cells, ...figures]])).calls;
      };
      const air = async (drones: number): Promise<number> => {
        const parts = Array.from({ length: drones }, (_, i) => ({
          name: `drone ${i}`,
          shape: 'box',
          size: [0.2, 0.1],
          colour: i,
          model: 'drone',
        }));
        const layout = { kind: 'bodies', up: 'z', parts, extra: [], rotors: { count: 4, hover: 1 }, bounds: [-3, -3, 0, 3, 3, 3] };
        const poses = parts.flatMap((_, i) => [i / 4 - 1.5, 0, 1, 0, 0, 0, 1]);
        return (await pictures.cost(layout, [[...poses, ...new Array<number>(4 * drones).fill(1)]])).calls;
      };
      return { pair: await grid(65), crowd: await grid(256), one: await air(1), dozen: await air(12) };
    });
    expect(calls.crowd).toBe(calls.pair);
    expect(calls.dozen).toBe(calls.one);
    expect(calls.crowd).toBeLessThan(40);
  } finally {
    await close();
  }
});
