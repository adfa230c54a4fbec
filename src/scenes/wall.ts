/**
 * Many small live scenes with one renderer: each picture is drawn at the lower left corner of a hidden WebGL canvas and copied to its own 2D canvas
 * in the same task. A browser allows some sixteen WebGL contexts in all; a wall takes one.
 */
import { BasicShadowMap, PCFShadowMap, WebGLRenderer } from 'three';
import { sceneKinds } from './index.ts';
import { createPace, type Pace } from './lib/pace.ts';
import { Picture } from './lib/picture.ts';
import { uprightRows } from './lib/pixels.ts';
import { readPalette } from './lib/theme.ts';
import type { Context, SceneWall, SmallScene } from './types.ts';

const SHADOW_SIZE = 512;
const LEAN_SHADOW_SIZE = 256;
const MAX_PIXEL_RATIO = 2;
/** CSS pixels: see PictureOptions.full. */
const FULL_WIDTH = 560;
/** ms between two pictures where the processor draws. */
const LEAN_PERIOD = 10;
/** Pictures that the first scene draws without shadows where the processor draws. */
const BARE_PICTURES = 30;
/** Seconds by which a camera moves in one picture at most. */
const LONGEST_STEP = 0.1;

/** A hidden canvas in which pictures are drawn, as large as the largest of them. */
interface Sheet extends Context {
  readonly renderer: WebGLRenderer;
  /** null: a graphics card draws. */
  readonly pace: Pace | null;
  /** The context went away. */
  readonly away: boolean;
  close(): void;
}

function openSheet(software: Context | null): Sheet {
  const canvas = software?.canvas ?? document.createElement('canvas');
  const renderer = new WebGLRenderer({
    canvas,
    antialias: software === null,
    alpha: true,
    ...(software !== null && { context: software.context }),
  });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = software === null ? PCFShadowMap : BasicShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.localClippingEnabled = true;
  renderer.setClearColor(0, 0);
  renderer.setPixelRatio(1);
  renderer.setScissorTest(true);
  const context = renderer.getContext() as WebGL2RenderingContext;
  const pace = software === null ? null : createPace(context, LEAN_PERIOD);
  const sheet = {
    canvas,
    context,
    renderer,
    pace,
    away: false,
    close() {
      canvas.removeEventListener('webglcontextlost', lost);
      canvas.removeEventListener('webglcontextrestored', restored);
      renderer.resetState();
      renderer.dispose();
    },
  };
  const lost = (event: Event): void => {
    event.preventDefault();
    sheet.away = true;
  };
  const restored = (): void => {
    pace?.reset();
    sheet.away = false;
  };
  canvas.addEventListener('webglcontextlost', lost);
  canvas.addEventListener('webglcontextrestored', restored);
  return sheet;
}

/**
 * `software` answers a canvas with its context where the processor draws: coarse pictures, hard shadows, half of a core at most. There another
 * context would take as long as the first picture. Throws when WebGL cannot be had.
 */
export async function createWall(software: () => Context | null): Promise<SceneWall> {
  const views = new Map(await Promise.all(sceneKinds.map(async ({ kind, view }) => [kind, await view()] as const)));
  let sheet: Sheet | null = openSheet(software());
  const lean = sheet.pace !== null;
  let scenes = 0;
  /** No scene was made so far. */
  let fresh = true;

  function draw({ canvas, context, renderer, pace }: Sheet, picture: Picture, target: CanvasRenderingContext2D, shadows: boolean): void {
    const { width, height } = target.canvas;
    if (width > canvas.width || height > canvas.height)
      renderer.setSize(Math.max(width, canvas.width), Math.max(height, canvas.height), false);
    renderer.setViewport(0, 0, width, height);
    renderer.setScissor(0, 0, width, height);
    renderer.shadowMap.needsUpdate = shadows;
    renderer.render(picture.scene, picture.orbit.camera);
    if (lean) copyPixels(context, target);
    else {
      target.clearRect(0, 0, width, height);
      target.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height);
    }
    pace?.drawn(performance.now());
  }

  return {
    ready: (now) => sheet === null || (!sheet.away && sheet.pace?.ready(now) !== false),
    release() {
      if (!lean || sheet === null || sheet.away || scenes > 0) return null;
      const { canvas, context } = sheet;
      sheet.close();
      sheet = null;
      return { canvas, context };
    },
    async scene(canvas): Promise<SmallScene> {
      const target = canvas.getContext('2d', { willReadFrequently: lean });
      if (target === null) throw new Error('This browser offers no 2D canvas.');
      // The sheet stays as long as there are scenes.
      sheet ??= openSheet(software());
      const own = sheet;
      scenes++;
      const picture = new Picture({
        viewOf: (layout, palette) => views.get(layout.kind)?.create(layout, palette) ?? null,
        palette: readPalette(canvas),
        shadowSize: lean ? LEAN_SHADOW_SIZE : SHADOW_SIZE,
        reducedMotion: false,
        full: FULL_WIDTH,
        // What is not seen, as most name tags, may never be.
        prepare: ({ scene, orbit }) =>
          scene.traverseVisible((thing) => {
            if ('material' in thing) own.renderer.compile(thing, orbit.camera, scene);
          }),
      });
      // Programs for shadows, and the pass that draws them, take a third of the time until something moves. The first scene gets them later.
      const bare = lean && fresh;
      fresh = false;
      picture.castShadows(!bare);
      let before = 0;
      let drawn = 0;
      return {
        setSource: (source) => void picture.setSource(source),
        show(t, alpha, seconds) {
          if (!picture.show(t, alpha)) return false;
          const now = performance.now();
          picture.advance(Math.min(LONGEST_STEP, seconds ?? (now - before) / 1000));
          before = now;
          if (bare && drawn === BARE_PICTURES) picture.castShadows(true);
          // The processor takes as long for the shadows as for all the rest: they follow in every second picture.
          draw(own, picture, target, !lean || drawn % 2 === 0);
          drawn++;
          return true;
        },
        resize(width, height, pixelRatio) {
          const ratio = Math.min(lean ? 1 : MAX_PIXEL_RATIO, pixelRatio);
          const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
          // A canvas that is given a size is empty until it is drawn again, also where it is the size that it had.
          if (canvas.width !== across) canvas.width = across;
          if (canvas.height !== down) canvas.height = down;
          picture.resize(width, height);
        },
        refreshTheme: () => void picture.refreshTheme(readPalette(canvas)),
        dispose() {
          scenes--;
          picture.dispose();
        },
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
