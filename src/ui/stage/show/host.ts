/** The page's one wall of small scenes, loaded when the first of them is in sight. Without WebGL they are drawn flat. */
import { late } from '#client/workers/late.ts';
import { sceneKinds } from '#scenes/index.ts';
import type { Context, SceneWall } from '#scenes/types.ts';
import { probeWebGl, softWebGl } from '../webgl.ts';
import { Projector } from './projector.ts';

export interface Show {
  readonly wall: SceneWall;
  readonly projector: Projector;
}

let opened: SceneWall | null = null;

/** The context of the wall, if the processor draws there and its last scene is gone. */
export const leftWebGl = (): Context | null => opened?.release() ?? null;

/** Rejects where a browser can draw neither way. */
export const openShow = late(async (): Promise<Show> => {
  const wall = await openWall();
  opened = wall;
  return { wall, projector: new Projector((now) => wall.ready(now)) };
});

async function openWall(): Promise<SceneWall> {
  // The kinds of picture come with the renderer, not after it.
  const [{ createWall }] = await Promise.all([import('#scenes/wall.ts'), ...sceneKinds.map(({ view }) => view())]);
  if (probeWebGl() !== 'none') {
    try {
      return await createWall(softWebGl);
    } catch {
      // The context is refused after all (a driver, too many pages): drawn flat.
    }
  }
  const { createFlatScene } = await import('#scenes/flat.ts');
  return {
    scene: (canvas) => createFlatScene(canvas, { reducedMotion: false, lean: true }),
    ready: () => true,
    release: () => null,
  };
}
