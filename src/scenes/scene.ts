/**
 * The renderer of the page: one WebGL canvas, the kinds of picture of index.ts, drawn only when something changed. This file (with what it
 * imports) is a chunk of its own, loaded by the stage when it first needs it.
 */

import { BasicShadowMap, PCFShadowMap, Plane, Raycaster, Vector2, Vector3, WebGLRenderer } from 'three';
import { sceneKinds } from './index.ts';
import { listenToPointer } from './lib/camera.ts';
import { createPace } from './lib/pace.ts';
import { Picture } from './lib/picture.ts';
import { readPalette } from './lib/theme.ts';
import type { Grip } from './lib/view.ts';
import type { Scene, SceneOptions } from './types.ts';

const SHADOW_SIZE = 1024;
const MAX_PIXEL_RATIO = 2;
/** Where the processor draws, pictures in motion are coarse with hard shadows; after this time at rest one fine picture follows. */
const REST_MS = 250;
/** If a coarse picture takes longer than this, the fine one is left out. */
const TOO_SLOW_MS = 400;
const LEAN_SHADOW_SIZE = 512;
/** ... and a new size is taken when it has stood for so long. */
const SETTLE_MS = 150;

/** A scene that counts what its last picture cost. */
export interface GlScene extends Scene {
  drawCalls(): number;
  /** Draws at once instead of in the next animation frame. */
  drawNow(): void;
}

/** Loads the drawings of every kind. Throws when WebGL cannot be had. */
export async function createScene(canvas: HTMLCanvasElement, options: SceneOptions): Promise<GlScene> {
  const views = new Map(await Promise.all(sceneKinds.map(async ({ kind, view }) => [kind, await view()] as const)));
  const renderer = new WebGLRenderer({
    canvas,
    ...(options.context !== undefined && { context: options.context }),
    antialias: !options.lean,
    alpha: true,
    powerPreference: 'high-performance',
  });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.localClippingEnabled = true;
  renderer.setClearColor(0, 0);
  const pace = options.lean ? createPace(renderer.getContext() as WebGL2RenderingContext) : null;

  const raycaster = new Raycaster();
  const pointer = new Vector2();
  const picture = new Picture({
    viewOf: (layout, palette) => views.get(layout.kind)?.create(layout, palette) ?? null,
    palette: readPalette(canvas),
    shadowSize: options.lean ? LEAN_SHADOW_SIZE : SHADOW_SIZE,
    reducedMotion: options.reducedMotion,
    full: 0,
    prepare: ({ scene, orbit }) => void renderer.compile(scene, orbit.camera),
  });
  const { scene, orbit } = picture;

  let lastTime = 0;
  let request = 0;
  let shadowsDirty = true;
  let shownNew = false;
  let hovered = -1;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let sizing: ReturnType<typeof setTimeout> | undefined;
  let sized = false;
  let disposed = false;

  function invalidate(shadows: boolean): void {
    shadowsDirty ||= shadows;
    if (request === 0 && !disposed) request = requestAnimationFrame(render);
  }

  function render(now: number): void {
    if (pace !== null && !pace.ready(now)) {
      request = requestAnimationFrame(render);
      return;
    }
    draw(now);
  }

  function draw(now: number): void {
    request = 0;
    clearTimeout(rest);
    if (pace !== null) {
      renderer.setPixelRatio(1);
      shadowsDirty ||= renderer.shadowMap.type !== BasicShadowMap;
      renderer.shadowMap.type = BasicShadowMap;
      rest = setTimeout(refine, REST_MS);
    }
    const seconds = Math.min(0.1, Math.max(0.001, (now - lastTime) / 1000));
    lastTime = now;
    const moving = picture.advance(seconds);
    renderer.shadowMap.needsUpdate = shadowsDirty;
    shadowsDirty = false;
    renderer.render(scene, orbit.camera);
    shownNew = false;
    pace?.drawn(now);
    if (moving) invalidate(false);
  }

  function toSize(width: number, height: number, pixelRatio: number): void {
    sized = true;
    renderer.setPixelRatio(Math.min(options.lean ? 1 : MAX_PIXEL_RATIO, pixelRatio));
    renderer.setSize(width, height, false);
    picture.resize(width, height);
    // At once, not in the next frame: a resized canvas is empty until it is drawn.
    if (request !== 0) cancelAnimationFrame(request);
    shadowsDirty = true;
    draw(performance.now());
  }

  /** The fine picture of something at rest. */
  function refine(): void {
    const now = performance.now();
    if (pace === null || request !== 0 || disposed) return;
    if (!pace.ready(now)) {
      rest = setTimeout(refine, REST_MS);
      return;
    }
    if (pace.cost() > TOO_SLOW_MS) return;
    renderer.setPixelRatio(MAX_PIXEL_RATIO);
    renderer.shadowMap.type = PCFShadowMap;
    renderer.shadowMap.needsUpdate = true;
    renderer.render(scene, orbit.camera);
    pace.drawn(now);
  }

  function setHovered(cell: number): void {
    if (cell === hovered) return;
    hovered = cell;
    options.onHover?.(cell);
  }

  function cellAt(x: number, y: number): number {
    const view = picture.drawing;
    if (view === null) return -1;
    raycaster.setFromCamera(pointer.set(x, y), orbit.camera);
    return view.pick(raycaster.ray);
  }

  /** What the mouse holds, and the plane through that point, across the line of sight or level, in which it is drawn. */
  let held: Grip | null = null;
  const across = new Plane();
  const at = new Vector3();

  function gripAt(x: number, y: number): Grip | null {
    if (options.onPull === undefined) return null;
    raycaster.setFromCamera(pointer.set(x, y), orbit.camera);
    return picture.drawing?.grip?.(raycaster, at) ?? null;
  }

  function drawTo(x: number, y: number): void {
    const view = picture.drawing;
    if (held === null || view?.draw === undefined) return;
    raycaster.setFromCamera(pointer.set(x, y), orbit.camera);
    if (raycaster.ray.intersectPlane(across, at) === null) return;
    options.onPull?.({ ...held, to: view.draw(held, at) });
    invalidate(false);
  }

  /** A press on the floor calls a thing to it, where the picture has such a thing: a pull that is let go at once. */
  function callTo(x: number, y: number): void {
    raycaster.setFromCamera(pointer.set(x, y), orbit.camera);
    const called = options.onPull === undefined ? null : picture.drawing?.call?.(raycaster, at);
    if (!called) return;
    options.onPull?.(called);
    options.onPull?.(null);
  }

  const api: GlScene = {
    drawCalls: () => renderer.info.render.calls,
    drawNow() {
      cancelAnimationFrame(request);
      draw(performance.now());
    },
    setSource(next) {
      if (picture.setSource(next)) invalidate(true);
    },
    show(t, alpha) {
      const there = picture.show(t, alpha);
      if (there) {
        shownNew = true;
        invalidate(true);
      }
      return there;
    },
    waits: () => shownNew,
    setOverlay(next) {
      invalidate(picture.setOverlay(next));
    },
    setCamera(preset) {
      orbit.setPreset(preset);
      invalidate(picture.apply(false));
    },
    orbit(turn, tilt, zoom) {
      orbit.orbit(turn, tilt, zoom);
      invalidate(zoom !== 1 && picture.apply(false));
    },
    resize(width, height, pixelRatio) {
      clearTimeout(sizing);
      // A canvas that is resized is drawn anew, and the page waits for it: where the processor draws, only after the last of several sizes.
      if (options.lean && sized) sizing = setTimeout(() => toSize(width, height, pixelRatio), SETTLE_MS);
      else toSize(width, height, pixelRatio);
    },
    refreshTheme() {
      if (picture.refreshTheme(readPalette(canvas))) invalidate(true);
    },
    setReducedMotion(on) {
      orbit.reducedMotion = on;
    },
    dispose() {
      disposed = true;
      cancelAnimationFrame(request);
      clearTimeout(rest);
      clearTimeout(sizing);
      stopListening();
      canvas.removeEventListener('webglcontextlost', lost);
      canvas.removeEventListener('webglcontextrestored', restored);
      picture.dispose();
      renderer.dispose();
    },
  };

  const stopListening = listenToPointer(canvas, {
    orbit: api.orbit,
    hover: (x, y) => {
      setHovered(cellAt(x, y));
      canvas.style.cursor = gripAt(x, y) === null ? '' : 'grab';
    },
    leave: () => setHovered(-1),
    tap: (x, y) => {
      const cell = cellAt(x, y);
      if (cell >= 0) options.onPick?.(cell);
      callTo(x, y);
    },
    grab(x, y) {
      held = gripAt(x, y);
      if (held === null) return false;
      const facing = picture.drawing?.level === true ? new Vector3(0, 1, 0) : orbit.camera.getWorldDirection(new Vector3());
      across.setFromNormalAndCoplanarPoint(facing, at);
      canvas.style.cursor = 'grabbing';
      return true;
    },
    drag: drawTo,
    drop() {
      held = null;
      picture.drawing?.draw?.(null, at);
      canvas.style.cursor = '';
      options.onPull?.(null);
      invalidate(false);
    },
  });
  const lost = (event: Event): void => {
    event.preventDefault();
    options.onContext?.('lost');
  };
  const restored = (): void => {
    // three uploads everything again by itself; only the picture is missing.
    pace?.reset();
    invalidate(true);
    options.onContext?.('restored');
  };
  canvas.addEventListener('webglcontextlost', lost);
  canvas.addEventListener('webglcontextrestored', restored);
  return api;
}
