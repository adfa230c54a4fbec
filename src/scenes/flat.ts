/**
 * The same interface on a 2D canvas, for browsers without WebGL: seen from above (grids, points) or from the front (bodies).
 * Simple on purpose; cameras do nothing here but the picture, the overlays and hovering work.
 */
import { type FrameLayout, type FrameSource, frameSize } from '#contract/frames.ts';
import { drawBodies } from './bodies/flat.ts';
import { drawGrid } from './grid/flat.ts';
import { ringRadius } from './lib/frames.ts';
import { readPalette } from './lib/theme.ts';
import { drawNetwork } from './network/flat.ts';
import { drawPoints } from './points/flat.ts';
import { drawTable } from './table/flat.ts';
import { NO_OVERLAY, type Scene, type SceneOptions, type SceneOverlay } from './types.ts';

export function createFlatScene(canvas: HTMLCanvasElement, options: SceneOptions): Scene {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser offers neither WebGL nor a 2D canvas.');
  const g = context;
  let palette = readPalette(canvas);
  let source: FrameSource | null = null;
  let overlay: SceneOverlay = NO_OVERLAY;
  let a = new Float32Array(0);
  let b = new Float32Array(0);
  let shown = { t: 0, alpha: 0 };
  let size = { width: 1, height: 1, ratio: 1 };
  let request = 0;
  let lastAngle = Math.PI / 2;

  function draw(): void {
    request = 0;
    g.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    g.clearRect(0, 0, size.width, size.height);
    if (source === null || !source.read(shown.t, a)) return;
    if (shown.alpha === 0 || shown.t + 1 >= source.length || !source.read(shown.t + 1, b)) b.set(a);
    const { layout } = source;
    const place = placeOf(layout, size.width, size.height);
    g.translate(place.x, place.y);
    g.scale(place.scale, place.scale);
    switch (layout.kind) {
      case 'grid':
        lastAngle = drawGrid(g, layout, a, b, shown.alpha, overlay, palette, lastAngle);
        break;
      case 'points':
        drawPoints(g, layout, a, b, shown.alpha, overlay, palette);
        break;
      case 'bodies':
        drawBodies(g, layout, a, b, shown.alpha, overlay, palette);
        break;
      case 'table':
        drawTable(g, layout, shown.alpha >= 0.5 ? b : a, palette);
        break;
      case 'network':
        drawNetwork(g, layout, shown.alpha >= 0.5 ? b : a, overlay, palette);
        break;
    }
  }

  function invalidate(): void {
    if (request === 0) request = requestAnimationFrame(draw);
  }

  function cellAt(event: PointerEvent): number {
    if (source?.layout.kind !== 'grid') return -1;
    const { layout } = source;
    const place = placeOf(layout, size.width, size.height);
    const x = Math.floor((event.offsetX - place.x) / place.scale);
    const y = Math.floor((event.offsetY - place.y) / place.scale);
    return x < 0 || y < 0 || x >= layout.width || y >= layout.height ? -1 : y * layout.width + x;
  }
  const move = (event: PointerEvent): void => options.onHover?.(cellAt(event));
  const leave = (): void => options.onHover?.(-1);
  const tap = (event: PointerEvent): void => {
    const cell = cellAt(event);
    if (cell >= 0) options.onPick?.(cell);
  };
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('pointerdown', tap);

  return {
    setSource(next) {
      source = next;
      if (next !== null) {
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

/** Where the layout's own units lie on the canvas; what has y up is turned by the drawing code. */
function placeOf(layout: FrameLayout, width: number, height: number): { x: number; y: number; scale: number } {
  const [w, h] = extent(layout);
  const scale = 0.86 * Math.min(width / w, height / h);
  return { x: (width - w * scale) / 2, y: (height - h * scale) / 2, scale };
}

function extent(layout: FrameLayout): readonly [width: number, height: number] {
  switch (layout.kind) {
    case 'grid':
      return [layout.width, layout.height];
    case 'points':
    case 'table':
      return [layout.bounds[2] - layout.bounds[0], layout.bounds[3] - layout.bounds[1]];
    case 'bodies':
      return [
        layout.bounds[3] - layout.bounds[0],
        layout.up === 'z' ? layout.bounds[5] - layout.bounds[2] : layout.bounds[4] - layout.bounds[1],
      ];
    case 'network': {
      const side = 2 * ringRadius(layout.nodes) + 2;
      return [side, side];
    }
  }
}
