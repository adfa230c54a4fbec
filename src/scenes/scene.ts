/**
 * The renderer of the page: one WebGL canvas, the kinds of picture of index.ts, drawn only when something changed. This file (with what it
 * imports) is a chunk of its own, loaded by the stage when it first needs it.
 */
import { BasicShadowMap, PCFShadowMap, Raycaster, Scene as ThreeScene, Vector2, Vector3, WebGLRenderer } from 'three';
import { type FrameLayout, type FrameSource, frameSize } from '#contract/frames.ts';
import { sceneKinds } from './index.ts';
import { listenToPointer, OrbitCamera } from './lib/camera.ts';
import { EdgeArrows } from './lib/edges.ts';
import { sameLayout } from './lib/frames.ts';
import { Lights } from './lib/lights.ts';
import { createPace } from './lib/pace.ts';
import { Shot } from './lib/shot.ts';
import { readPalette } from './lib/theme.ts';
import { disposeTree, type View } from './lib/view.ts';
import { NO_OVERLAY, type Scene, type SceneOptions, type SceneOverlay } from './types.ts';

/** px: on a page at least so wide buttons stand over the upper edge of the picture, so high; on a narrower one above it. */
const PHONE = 520;
const BUTTONS = 44;
/** Share by which the picture's scale may change before things in it are drawn to the new one. */
const SAME_SCALE = 0.03;
const SHADOW_SIZE = 1024;
const MAX_PIXEL_RATIO = 2;
/** Where the processor draws, pictures in motion are coarse with hard shadows; after this time at rest one fine picture follows. */
const REST_MS = 250;
/** If a coarse picture takes longer than this, the fine one is left out. */
const TOO_SLOW_MS = 400;
const LEAN_SHADOW_SIZE = 512;

/** A scene that counts what its last picture cost. */
export interface GlScene extends Scene {
  drawCalls(): number;
  /** Draws at once instead of in the next animation frame. */
  drawNow(): void;
}

/** Loads the drawings of every kind. Throws when WebGL cannot be had. */
export async function createScene(canvas: HTMLCanvasElement, options: SceneOptions): Promise<GlScene> {
  const views = new Map(await Promise.all(sceneKinds.map(async ({ kind, view }) => [kind, await view()] as const)));
  const renderer = new WebGLRenderer({ canvas, antialias: !options.lean, alpha: true, powerPreference: 'high-performance' });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.localClippingEnabled = true;
  renderer.setClearColor(0, 0);
  const pace = options.lean ? createPace(renderer.getContext() as WebGL2RenderingContext) : null;

  const scene = new ThreeScene();
  const lights = new Lights(options.lean ? LEAN_SHADOW_SIZE : SHADOW_SIZE);
  scene.add(...lights.objects);

  const orbit = new OrbitCamera();
  orbit.reducedMotion = options.reducedMotion;
  const raycaster = new Raycaster();
  const pointer = new Vector2();
  const focus = new Vector3();

  let palette = readPalette(canvas);
  const edges = new EdgeArrows(palette);
  orbit.camera.add(edges.root);
  scene.add(orbit.camera);
  const size = { width: 1, height: 1 };
  let shot: Shot | null = null;
  /** The moment of the last frame that was framed, and the scale the view was told last. */
  let framedAt = Number.POSITIVE_INFINITY;
  let scaled = Number.NaN;
  let source: FrameSource | null = null;
  let view: View | null = null;
  let layout: FrameLayout | null = null;
  let overlay: SceneOverlay = NO_OVERLAY;
  let frameA = new Float32Array(0);
  let frameB = new Float32Array(0);
  let past = new Float32Array(0);
  let shown: { t: number; alpha: number } | null = null;
  /** The moment whose frames were read last, and whether both were there. */
  let held = { t: -1, both: false };
  let lastTime = 0;
  let request = 0;
  let shadowsDirty = true;
  let hovered = -1;
  let rest: ReturnType<typeof setTimeout> | undefined;
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
    if (view !== null && orbit.preset === 'follow') {
      view.focus(focus);
      orbit.follow(focus);
    }
    if (orbit.preset === 'side' && view?.broadcast?.(focus) === true) orbit.pan(focus);
    const moving = orbit.update(seconds);
    if (shot !== null) edges.show(shot.lost, orbit.camera, size.width, size.height, orbit.lookedAt, view?.unit);
    renderer.shadowMap.needsUpdate = shadowsDirty;
    shadowsDirty = false;
    renderer.render(scene, orbit.camera);
    pace?.drawn(now);
    if (moving) invalidate(false);
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

  /** Frames what strays, and tells the view how large it is then; true where it must draw itself anew for that. */
  function reframe(from: number): boolean {
    if (view === null || shot === null) return false;
    if (shot.take(view, from < framedAt)) orbit.reframe(shot.box);
    framedAt = from;
    const unitsPerPixel = orbit.unitsPerPixel(size.height);
    if (Math.abs(unitsPerPixel / scaled - 1) < SAME_SCALE) return false;
    scaled = unitsPerPixel;
    view.scale?.(scaled);
    return view.scale !== undefined;
  }

  function rebuild(): void {
    if (view !== null) {
      scene.remove(view.root);
      view.dispose();
      view = null;
    }
    if (layout === null) return;
    view = views.get(layout.kind)?.create(layout, palette) ?? null;
    if (view === null) return;
    view.overlay(overlay);
    scaled = Number.NaN;
    scene.add(view.root);
    lights.follow(view.framing.bounds, palette, view.onBase === true);
    renderer.compile(scene, orbit.camera);
  }

  function readPast(t: number): Float32Array | null {
    return source?.read(t, past) === true ? past : null;
  }

  function apply(again = true): boolean {
    if (view === null || source === null || shown === null) return false;
    const { t, alpha } = shown;
    const fresh = again || t !== held.t || (alpha > 0 && !held.both);
    if (fresh) {
      if (!source.read(t, frameA)) return false;
      const both = alpha > 0 && t + 1 < source.length && source.read(t + 1, frameB);
      if (!both) frameB.set(frameA);
      held = { t, both };
      view.history?.(readPast, t);
      view.act?.(t + 1 < source.length ? source.action?.(t) : undefined);
    }
    view.update(frameA, frameB, alpha, t + alpha, fresh);
    if (reframe(t + alpha)) view.update(frameA, frameB, alpha, t + alpha, false);
    invalidate(true);
    return true;
  }

  function setHovered(cell: number): void {
    if (cell === hovered) return;
    hovered = cell;
    options.onHover?.(cell);
  }

  function cellAt(x: number, y: number): number {
    if (view === null) return -1;
    raycaster.setFromCamera(pointer.set(x, y), orbit.camera);
    return view.pick(raycaster.ray);
  }

  const api: GlScene = {
    drawCalls: () => renderer.info.render.calls,
    drawNow() {
      cancelAnimationFrame(request);
      draw(performance.now());
    },
    setSource(next) {
      source = next;
      held = { t: -1, both: false };
      framedAt = Number.POSITIVE_INFINITY;
      if (next === null) {
        layout = null;
        shot = null;
        rebuild();
        invalidate(true);
        return;
      }
      if (!sameLayout(layout, next.layout)) {
        layout = next.layout;
        const size = frameSize(layout);
        frameA = new Float32Array(size);
        frameB = new Float32Array(size);
        past = new Float32Array(size);
        rebuild();
        shot = view === null ? null : new Shot(view.framing.bounds);
        if (view !== null) orbit.frame(view.framing);
      }
      apply();
    },
    show(t, alpha) {
      shown = { t, alpha };
      return apply(false);
    },
    setOverlay(next) {
      overlay = next;
      view?.overlay(next);
      apply();
      invalidate(false);
    },
    setCamera(preset) {
      orbit.setPreset(preset);
      apply(false);
      invalidate(false);
    },
    orbit(turn, tilt, zoom) {
      orbit.orbit(turn, tilt, zoom);
      if (zoom !== 1) apply(false);
      invalidate(false);
    },
    resize(width, height, pixelRatio) {
      renderer.setPixelRatio(Math.min(options.lean ? 1 : MAX_PIXEL_RATIO, pixelRatio));
      renderer.setSize(width, height, false);
      Object.assign(size, { width, height });
      orbit.setAspect(width / Math.max(1, height), width < PHONE ? 0 : Math.min(0.2, BUTTONS / Math.max(1, height)));
      apply(false);
      // At once, not in the next frame: a resized canvas is empty until it is drawn.
      if (request !== 0) cancelAnimationFrame(request);
      shadowsDirty = true;
      draw(performance.now());
    },
    refreshTheme() {
      palette = readPalette(canvas);
      edges.refresh(palette);
      rebuild();
      apply();
    },
    setReducedMotion(on) {
      orbit.reducedMotion = on;
    },
    dispose() {
      disposed = true;
      cancelAnimationFrame(request);
      clearTimeout(rest);
      stopListening();
      canvas.removeEventListener('webglcontextlost', lost);
      canvas.removeEventListener('webglcontextrestored', restored);
      view?.dispose();
      edges.dispose();
      disposeTree(scene);
      renderer.dispose();
    },
  };

  const stopListening = listenToPointer(canvas, {
    orbit: api.orbit,
    hover: (x, y) => setHovered(cellAt(x, y)),
    leave: () => setHovered(-1),
    tap: (x, y) => {
      const cell = cellAt(x, y);
      if (cell >= 0) options.onPick?.(cell);
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
