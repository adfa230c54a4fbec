/**
 * The page's one scene: a canvas made once and moved with the stage, a renderer loaded on demand, kept until the page closes.
 * Without WebGL, or when it fails, a plain 2D drawing takes its place.
 */
import { late } from '#client/workers/late.ts';
import type { Scene, SceneOptions } from '#scenes/types.ts';
import { setProcessorDraws } from '#stores/update-clock.ts';

export interface HostedScene {
  readonly canvas: HTMLCanvasElement;
  readonly scene: Scene;
  /** Drawn flat because there is no WebGL here. */
  readonly flat: boolean;
}

type Options = Omit<SceneOptions, 'lean'>;

function makeCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  // The wrapper speaks for it: see SceneView.
  canvas.setAttribute('aria-hidden', 'true');
  canvas.style.cssText = 'display:block;inline-size:100%;block-size:100%;touch-action:pan-y';
  return canvas;
}

/** Names by which drivers admit that the processor does the drawing. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** A canvas of its own with a WebGL context without antialiasing. */
interface WebGl {
  readonly canvas: HTMLCanvasElement;
  readonly context: WebGL2RenderingContext;
  /** The processor does the drawing. */
  readonly software: boolean;
}

/** Who draws here, once a context was had. */
let drawer: 'software' | 'hardware' | null = null;

/** null: WebGL is not to be had. The first context of a page takes long where the processor draws. */
export function openWebGl(): WebGl | null {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', { antialias: false });
  if (context === null) return null;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = String(context.getParameter(info === null ? context.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  const software = SOFTWARE.test(name);
  drawer = software ? 'software' : 'hardware';
  return { canvas, context, software };
}

export const closeWebGl = ({ context }: WebGl): void => context.getExtension('WEBGL_lose_context')?.loseContext();

export function probeWebGl(): 'none' | 'software' | 'hardware' {
  if (drawer !== null) return drawer;
  // Asked on a canvas of its own, so that a refused context does not spoil the real one; released at once.
  const opened = openWebGl();
  if (opened !== null) closeWebGl(opened);
  return drawer ?? 'none';
}

/** `host` must be in the document: colours are read from the page's style. */
export const hostScene = late(async (host: HTMLElement, options: Options): Promise<HostedScene> => {
  const webgl = probeWebGl();
  setProcessorDraws(webgl !== 'hardware');
  if (webgl !== 'none') {
    const { createScene } = await import('#scenes/scene.ts');
    const canvas = makeCanvas();
    host.append(canvas);
    try {
      return { canvas, scene: await createScene(canvas, { ...options, lean: webgl === 'software' }), flat: false };
    } catch {
      canvas.remove();
    }
  }
  const { createFlatScene } = await import('#scenes/flat.ts');
  const canvas = makeCanvas();
  host.append(canvas);
  return { canvas, scene: await createFlatScene(canvas, { ...options, lean: true }), flat: true };
});
