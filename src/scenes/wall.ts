/**
 * Many small live scenes with one renderer: each picture is drawn at the lower left corner of a hidden WebGL canvas and copied to its own 2D canvas
 * in the same task. A browser allows some sixteen WebGL contexts in all; a wall takes one.
 */
import { BasicShadowMap, PCFShadowMap, WebGLRenderer } from 'three';
import { sceneKinds } from './index.ts';
import { createPace } from './lib/pace.ts';
import { Picture } from './lib/picture.ts';
import { uprightRows } from './lib/pixels.ts';
import { readPalette } from './lib/theme.ts';
import type { SceneWall, SmallScene } from './types.ts';

const SHADOW_SIZE = 512;
const LEAN_SHADOW_SIZE = 256;
const MAX_PIXEL_RATIO = 2;
/** CSS pixels: see PictureOptions.full. */
const FULL_WIDTH = 560;
/** ms between two pictures where the processor draws. */
const LEAN_PERIOD = 10;
/** Seconds by which a camera moves in one picture at most. */
const LONGEST_STEP = 0.1;

/**
 * `software`: a canvas with its context, where the processor draws in it: coarse pictures, hard shadows, half of a core at most. There another
 * context would take as long as the first picture. Throws when WebGL cannot be had.
 */
export async function createWall(
  software: { readonly canvas: HTMLCanvasElement; readonly context: WebGL2RenderingContext } | null,
): Promise<SceneWall> {
  const lean = software !== null;
  const views = new Map(await Promise.all(sceneKinds.map(async ({ kind, view }) => [kind, await view()] as const)));
  const sheet = software?.canvas ?? document.createElement('canvas');
  const renderer = new WebGLRenderer({
    canvas: sheet,
    antialias: !lean,
    alpha: true,
    ...(software !== null && { context: software.context }),
  });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = lean ? BasicShadowMap : PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.localClippingEnabled = true;
  renderer.setClearColor(0, 0);
  renderer.setPixelRatio(1);
  renderer.setScissorTest(true);
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const pace = lean ? createPace(gl, LEAN_PERIOD) : null;
  let away = false;
  sheet.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    away = true;
  });
  sheet.addEventListener('webglcontextrestored', () => {
    pace?.reset();
    away = false;
  });

  function draw(picture: Picture, target: CanvasRenderingContext2D, shadows: boolean): void {
    const { width, height } = target.canvas;
    if (width > sheet.width || height > sheet.height) renderer.setSize(Math.max(width, sheet.width), Math.max(height, sheet.height), false);
    renderer.setViewport(0, 0, width, height);
    renderer.setScissor(0, 0, width, height);
    renderer.shadowMap.needsUpdate = shadows;
    renderer.render(picture.scene, picture.orbit.camera);
    if (lean) copyPixels(gl, target);
    else {
      target.clearRect(0, 0, width, height);
      target.drawImage(sheet, 0, sheet.height - height, width, height, 0, 0, width, height);
    }
    pace?.drawn(performance.now());
  }

  return {
    ready: (now) => !away && (pace === null || pace.ready(now)),
    async scene(canvas): Promise<SmallScene> {
      const target = canvas.getContext('2d', { willReadFrequently: lean });
      if (target === null) throw new Error('This browser offers no 2D canvas.');
      const picture = new Picture({
        viewOf: (layout, palette) => views.get(layout.kind)?.create(layout, palette) ?? null,
        palette: readPalette(canvas),
        shadowSize: lean ? LEAN_SHADOW_SIZE : SHADOW_SIZE,
        reducedMotion: false,
        full: FULL_WIDTH,
        prepare: ({ scene, orbit }) => void renderer.compile(scene, orbit.camera),
      });
      let before = 0;
      let drawn = 0;
      return {
        setSource: (source) => void picture.setSource(source),
        show(t, alpha, seconds) {
          if (!picture.show(t, alpha)) return false;
          const now = performance.now();
          picture.advance(Math.min(LONGEST_STEP, seconds ?? (now - before) / 1000));
          before = now;
          // The processor takes as long for the shadows as for all the rest: they follow in every second picture.
          draw(picture, target, !lean || drawn % 2 === 0);
          drawn++;
          return true;
        },
        resize(width, height, pixelRatio) {
          const ratio = Math.min(lean ? 1 : MAX_PIXEL_RATIO, pixelRatio);
          canvas.width = Math.max(1, Math.round(width * ratio));
          canvas.height = Math.max(1, Math.round(height * ratio));
          picture.resize(width, height);
        },
        refreshTheme: () => void picture.refreshTheme(readPalette(canvas)),
        dispose: () => picture.dispose(),
      };
    },
  };
}

/**
 * The lower left corner of what `gl` drew last, as large as the target's canvas. Where the processor plays the graphics card this is ten times
 * cheaper than drawing one canvas into the other (11 ms of processor time instead of 110 for 720 x 720).
 */
function copyPixels(gl: WebGL2RenderingContext, target: CanvasRenderingContext2D): void {
  const { width, height } = target.canvas;
  const image = target.createImageData(width, height);
  const read = new Uint8Array(image.data.length);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, read);
  uprightRows(read, image.data, width);
  target.putImageData(image, 0, 0);
}
