/**
 * The page's one scene: a canvas made once and moved with the stage, a renderer loaded on demand, kept until the page closes.
 * Without WebGL, or when it fails, a plain 2D drawing takes its place.
 */
import { firstCurve } from '#client/runs/first-curve.ts';
import { late } from '#client/workers/late.ts';
import type { Scene, SceneOptions } from '#scenes/types.ts';
import { leftWebGl } from './show/host.ts';
import { probeWebGl, softWebGl } from './webgl.ts';

export interface HostedScene {
  readonly canvas: HTMLCanvasElement;
  readonly scene: Scene;
  /** Drawn flat because there is no WebGL here. */
  readonly flat: boolean;
}

type Options = Omit<SceneOptions, 'lean' | 'context'>;

/** `canvas` as the page shows it. */
function dressed(canvas: HTMLCanvasElement): HTMLCanvasElement {
  // The wrapper speaks for it: see SceneView.
  canvas.setAttribute('aria-hidden', 'true');
  canvas.style.cssText = 'display:block;inline-size:100%;block-size:100%;object-fit:cover;touch-action:pan-y';
  return canvas;
}

/** `host` must be in the document: colours are read from the page's style. */
export const hostScene = late(async (host: HTMLElement, options: Options): Promise<HostedScene> => {
  const webgl = probeWebGl();
  if (webgl !== 'none') {
    const { createScene } = await import('#scenes/scene.ts');
    if (webgl === 'software') await firstCurve();
    // Where the processor draws, a first context takes as long as some pictures: the one of a wall that was left is as good.
    const soft = leftWebGl() ?? softWebGl();
    const canvas = dressed(soft?.canvas ?? document.createElement('canvas'));
    host.append(canvas);
    try {
      const scene = await createScene(canvas, { ...options, lean: webgl === 'software', context: soft?.context });
      return { canvas, scene, flat: false };
    } catch {
      canvas.remove();
    }
  }
  const { createFlatScene } = await import('#scenes/flat.ts');
  const canvas = dressed(document.createElement('canvas'));
  host.append(canvas);
  return { canvas, scene: await createFlatScene(canvas, { ...options, lean: true }), flat: true };
});
