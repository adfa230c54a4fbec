/** What a picture settles for all that stands in it: passes of transparent things, shadows. */
// @vitest-environment happy-dom
import { DirectionalLight, DoubleSide, type Material, Mesh, type Scene } from 'three';
import { beforeAll, expect, it, vi } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { envs } from '#core/testing/ready.ts';
import { sceneOf } from '../index.ts';
import { Picture } from './picture.ts';
import { readPalette } from './theme.ts';

beforeAll(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => null);
});

async function pictureOf(id: string): Promise<Picture> {
  const { frame: layout } = envs.find((entry) => entry.id === id)!.meta({});
  const view = await sceneOf(layout).view();
  const picture = new Picture({
    viewOf: view.create,
    palette: readPalette(document.body),
    shadowSize: 256,
    reducedMotion: false,
    full: 0,
    prepare: () => {},
  });
  picture.setSource({
    layout,
    length: 1,
    dt: 0.1,
    read(_, out) {
      out.set(new Float32Array(frameSize(layout)));
      return true;
    },
  });
  return picture;
}

/** Materials that would be drawn in two passes, and those that are seen from both sides and drawn in one. */
function passes(scene: Scene): { two: number; one: number } {
  const found = { two: 0, one: 0 };
  scene.traverse((thing) => {
    if (!(thing instanceof Mesh)) return;
    for (const { transparent, side, forceSinglePass } of [thing.material].flat() as Material[])
      if (transparent && side === DoubleSide) found[forceSinglePass ? 'one' : 'two']++;
  });
  return found;
}

it.each(['drone-volleyball', 'mpe-simple-spread', 'minigrid-empty'])('%s: both sides of what is transparent in one pass', async (id) => {
  const { two, one } = passes((await pictureOf(id)).scene);
  expect(two).toBe(0);
  expect(one).toBeGreaterThan(0);
});

it('shadows and the ground that catches them are switched together', async () => {
  const picture = await pictureOf('drone-volleyball');
  const sun = picture.scene.children.find((thing) => thing instanceof DirectionalLight)!;
  const ground = picture.scene.children.find((thing) => thing instanceof Mesh && thing.receiveShadow)!;
  expect([sun.castShadow, ground.visible]).toEqual([true, true]);
  picture.castShadows(false);
  expect([sun.castShadow, ground.visible]).toEqual([false, false]);
  picture.castShadows(true);
  expect([sun.castShadow, ground.visible]).toEqual([true, true]);
});
