/** The page's one wall of small scenes, loaded when the first of them is in sight. Without WebGL they are drawn flat. */
import { late } from '#client/workers/late.ts';
import { sceneKinds } from '#scenes/index.ts';
import type { SceneWall } from '#scenes/types.ts';
import { closeWebGl, openWebGl } from '../scene-host.ts';
import { Projector } from './projector.ts';

export interface Show {
  readonly wall: SceneWall;
  readonly projector: Projector;
}

/** Rejects where a browser can draw neither way. */
export const openShow = late(async (): Promise<Show> => {
  const wall = await openWall();
  return { wall, projector: new Projector((now) => wall.ready(now)) };
});

async function openWall(): Promise<SceneWall> {
  // The kinds of picture come with the renderer, not after it.
  const [{ createWall }] = await Promise.all([import('#scenes/wall.ts'), ...sceneKinds.map(({ view }) => view())]);
  const webgl = openWebGl();
  if (webgl !== null) {
    if (!webgl.software) closeWebGl(webgl);
    try {
      return await createWall(webgl.software ? webgl : null);
    } catch {
      // The context is refused after all (a driver, too many pages): drawn flat.
    }
  }
  const { createFlatScene } = await import('#scenes/flat.ts');
  return {
    scene: (canvas) => createFlatScene(canvas, { reducedMotion: false, lean: true }),
    ready: () => true,
  };
}
