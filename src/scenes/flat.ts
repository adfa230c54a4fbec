/**
 * The same interface on a 2D canvas, for browsers without WebGL: seen from above (grids, points) or from the front (bodies).
 * Simple on purpose; cameras do nothing here but the picture, the overlays and hovering work.
 */

import { calledPoint, type FrameLayout, type FrameSource, frameSize } from '#contract/game/frames.ts';
import { sceneKinds, sceneOf } from './index.ts';
import type { FlatDrawing } from './lib/define.ts';
import { drawHalos } from './lib/flat-halos.ts';
import { sameLayout } from './lib/frames.ts';
import { readPalette } from './lib/theme.ts';
import { NO_OVERLAY, type Scene, type SceneOptions, type SceneOverlay } from './types.ts';

/** Share of the canvas that a picture fills. */
const FILL = 0.86;

/** Loads the drawings of every kind. Throws where there is no 2D canvas. */
export async function createFlatScene(canvas: HTMLCanvasElement, options: SceneOptions): Promise<Scene> {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser offers neither WebGL nor a 2D canvas.');
  const drawings = new Map(await Promise.all(sceneKinds.map(async ({ kind, flat }) => [kind, await flat()] as const)));
  const g = context;
  let palette = readPalette(canvas);
  let source: FrameSource | null = null;
  let overlay: SceneOverlay = NO_OVERLAY;
  let a = new Float32Array(0);
  let b = new Float32Array(0);
  let shown = { t: 0, alpha: 0 };
  let size = { width: 1, height: 1, ratio: 1 };
  let request = 0;
  let drawing: FlatDrawing | null = null;

  function draw(): void {
    request = 0;
    g.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    g.clearRect(0, 0, size.width, size.height);
    if (source === null || !source.read(shown.t, a)) return;
    if (shown.alpha === 0 || shown.t + 1 >= source.length || !source.read(shown.t + 1, b)) b.set(a);
    if (drawing === null) return;
    const { layout } = source;
    const kind = sceneOf(layout);
    const corner = placement(layout);
    g.translate(corner.x, corner.y);
    g.scale(corner.scale, corner.scale);
    g.save();
    drawing.draw(g, { layout, a, b, alpha: shown.alpha, overlay, palette, action: source.action?.(shown.t) });
    g.restore();
    const halo = kind.halo?.(layout);
    if (halo !== undefined) drawHalos(g, overlay, (thing) => kind.spot(layout, a, b, shown.alpha, thing), halo, palette);
  }

  /** Where the picture's corner lies on the canvas, and pixels per picture unit. */
  function placement(layout: FrameLayout): { x: number; y: number; scale: number } {
    const [w, h] = sceneOf(layout).extent(layout);
    const scale = FILL * Math.min(size.width / w, size.height / h);
    return { x: (size.width - w * scale) / 2, y: (size.height - h * scale) / 2, scale };
  }

  function invalidate(): void {
    if (request === 0) request = requestAnimationFrame(draw);
  }

  function pointAt({ offsetX, offsetY }: PointerEvent, layout: FrameLayout) {
    const corner = placement(layout);
    return sceneOf(layout).point(layout, (offsetX - corner.x) / corner.scale, (offsetY - corner.y) / corner.scale);
  }
  const cellAt = (event: PointerEvent): number => (source === null ? -1 : pointAt(event, source.layout).cell);
  const move = (event: PointerEvent): void => options.onHover?.(cellAt(event));
  const leave = (): void => options.onHover?.(-1);
  const tap = (event: PointerEvent): void => {
    if (source === null) return;
    const { layout } = source;
    const { x, y, cell } = pointAt(event, layout);
    if (cell >= 0) options.onPick?.(cell);
    const part = layout.kind === 'points' && layout.upright !== true ? calledPoint(layout) : -1;
    if (part < 0) return;
    // a press is a pull that is let go at once
    options.onPull?.({ part, at: [0, 0, 0], to: [x, y, 0] });
    options.onPull?.(null);
  };
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('pointerdown', tap);

  return {
    setSource(next) {
      const same = next !== null && sameLayout(source?.layout ?? null, next.layout);
      source = next;
      if (next !== null) {
        if (!same) drawing = drawings.get(next.layout.kind)?.create() ?? null;
        a = new Float32Array(frameSize(next.layout));
        b = new Float32Array(frameSize(next.layout));
      }
      invalidate();
    },
    show(t, alpha) {
      shown = { t, alpha };
      invalidate();
      return source?.read(t, a) ?? false;
    },
    waits: () => request !== 0,
    setOverlay(next) {
      overlay = next;
      invalidate();
    },
    setCamera() {},
    orbit() {},
    resize(width, height, ratio) {
      size = { width, height, ratio: Math.min(2, ratio) };
      canvas.width = Math.round(width * size.ratio);
      canvas.height = Math.round(height * size.ratio);
      draw();
    },
    refreshTheme() {
      palette = readPalette(canvas);
      invalidate();
    },
    setReducedMotion() {},
    dispose() {
      cancelAnimationFrame(request);
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerleave', leave);
      canvas.removeEventListener('pointerdown', tap);
    },
  };
}
