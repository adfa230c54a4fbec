/**
 * The same interface on a 2D canvas, for browsers without WebGL: seen from above (grids, points) or from the front (bodies).
 * Simple on purpose; cameras do nothing here but the picture, the overlays and hovering work.
 */
import { type BodiesLayout, type FrameLayout, type FrameSource, frameSize, type GridLayout, type PointsLayout } from '#contract/frames.ts';
import { scaleColour } from './colours.ts';
import { bodyAt, gridAgent, pointAt } from './frames.ts';
import { type Palette, type Rgb, readPalette } from './theme.ts';
import { type CellSign, NO_OVERLAY, type Scene, type SceneOptions, type SceneOverlay } from './types.ts';

function css(rgb: Rgb | readonly number[], alpha = 1): string {
  return `rgb(${rgb.map(Math.round).join(' ')} / ${alpha})`;
}

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
    if (layout.kind === 'grid') lastAngle = drawGrid(g, layout, a, b, shown.alpha, overlay, palette, lastAngle);
    else if (layout.kind === 'points') drawPoints(g, layout, a, b, shown.alpha, palette);
    else drawBodies(g, layout, a, b, shown.alpha, palette);
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

/** Where the layout's own units lie on the canvas; bodies and points are turned to "y up" by the drawing code. */
function placeOf(layout: FrameLayout, width: number, height: number): { x: number; y: number; scale: number } {
  const [w, h] =
    layout.kind === 'grid'
      ? [layout.width, layout.height]
      : layout.kind === 'points'
        ? [layout.bounds[2] - layout.bounds[0], layout.bounds[3] - layout.bounds[1]]
        : [layout.bounds[3] - layout.bounds[0], layout.bounds[4] - layout.bounds[1]];
  const scale = 0.86 * Math.min(width / w, height / h);
  return { x: (width - w * scale) / 2, y: (height - h * scale) / 2, scale };
}

function drawGrid(
  g: CanvasRenderingContext2D,
  layout: GridLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  overlay: SceneOverlay,
  palette: Palette,
  lastAngle: number,
): number {
  const fills: { readonly [look: string]: Rgb } = {
    wall: palette.wall,
    lava: palette.hazard,
    cliff: palette.hazard,
    water: palette.water,
    hole: palette.pit,
    ice: palette.ice,
    counter: palette.structure,
    goal: palette.goal,
    paddle: palette.accent,
  };
  const cells = alpha >= 0.5 ? b : a;
  for (let cell = 0; cell < layout.width * layout.height; cell++) {
    const x = cell % layout.width;
    const y = Math.floor(cell / layout.width);
    const look = layout.looks[cells[cell * 3]!] ?? 'empty';
    const own = palette.named[layout.colours[cells[cell * 3 + 1]!] ?? 'grey'] ?? palette.muted;
    g.fillStyle = css(fills[look] ?? ((x + y) % 2 === 0 ? palette.tile : palette.tileAlternate));
    g.fillRect(x + 0.02, y + 0.02, 0.96, 0.96);
    const value = overlay.values?.[cell];
    if (value !== undefined && Number.isFinite(value)) {
      g.fillStyle = css(scaleColour('viridis', (value - overlay.range[0]) / (overlay.range[1] - overlay.range[0])), 0.86);
      g.fillRect(x + 0.03, y + 0.03, 0.94, 0.94);
    }
    g.fillStyle = css(own);
    if (look === 'ball' || look === 'food' || look === 'trail') circle(g, x + 0.5, y + 0.5, look === 'trail' ? 0.16 : 0.3);
    else if (look === 'box' || look === 'brick') g.fillRect(x + 0.12, y + 0.12, 0.76, 0.76);
    else if (look === 'key') {
      circle(g, x + 0.5, y + 0.32, 0.16);
      g.fillRect(x + 0.45, y + 0.4, 0.1, 0.44);
    } else if (look === 'door') {
      const open = cells[cell * 3 + 2] === 0;
      g.fillRect(x + 0.04, y + 0.04, open ? 0.14 : 0.92, 0.92);
      if (cells[cell * 3 + 2] === 2) {
        g.fillStyle = css(palette.ink);
        circle(g, x + 0.5, y + 0.5, 0.1);
      }
    }
  }
  for (const sign of overlay.signs) drawSign(g, layout, sign, palette);
  let angle = lastAngle;
  for (let i = 0; i < layout.agents; i++) {
    const agent = gridAgent(layout, a, b, i, alpha, lastAngle);
    if (i === 0) angle = agent.angle;
    g.save();
    g.translate(agent.x + 0.5, agent.y + 0.5);
    g.rotate(agent.angle);
    g.globalAlpha = 0.3 + 0.7 * agent.alive;
    g.fillStyle = css(layout.agents > 1 ? palette.series[i % 8]! : palette.accent);
    g.beginPath();
    g.moveTo(0.4, 0);
    g.lineTo(-0.3, -0.3);
    g.lineTo(-0.18, 0);
    g.lineTo(-0.3, 0.3);
    g.closePath();
    g.fill();
    g.restore();
  }
  return angle;
}

function drawSign(g: CanvasRenderingContext2D, layout: GridLayout, sign: CellSign, palette: Palette): void {
  if (sign.kind !== 'move') return;
  const reach = 0.12 + 0.3 * sign.weight;
  const turn = (sign.dir * Math.PI) / 2;
  const x = (sign.cell % layout.width) + 0.5;
  const y = Math.floor(sign.cell / layout.width) + 0.5;
  g.strokeStyle = css(palette.ink, sign.main ? 0.95 : 0.5);
  g.lineWidth = sign.main ? 0.06 : 0.03;
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x + reach * Math.cos(turn), y + reach * Math.sin(turn));
  g.stroke();
}

function drawPoints(
  g: CanvasRenderingContext2D,
  layout: PointsLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  palette: Palette,
): void {
  const [minX, , , maxY] = layout.bounds;
  const at = new Float32Array(4);
  for (let i = 0; i < layout.count; i++) {
    pointAt(layout, a, b, i, alpha, at);
    const r = a[i * 6 + 4]!;
    g.save();
    g.translate(at[0]! - minX, maxY - at[1]!);
    g.rotate(-at[3]!);
    g.fillStyle = css(palette.series[a[i * 6 + 5]! % 8]!);
    g.beginPath();
    g.moveTo(1.2 * r, 0);
    g.lineTo(-0.8 * r, -0.7 * r);
    g.lineTo(-0.8 * r, 0.7 * r);
    g.closePath();
    g.fill();
    g.restore();
  }
}

function drawBodies(
  g: CanvasRenderingContext2D,
  layout: BodiesLayout,
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  palette: Palette,
): void {
  const [minX, , , , maxY] = layout.bounds;
  const pose = new Float32Array(7);
  layout.parts.forEach((part, i) => {
    bodyAt(layout, a, b, i, alpha, pose);
    const [w = 1, h = 1] = part.shape === 'box' ? part.size : [2 * (part.size[0] ?? 1), part.size[1] ?? 2 * (part.size[0] ?? 1)];
    g.save();
    g.translate(pose[0]! - minX, maxY - pose[1]!);
    g.rotate(-2 * Math.atan2(pose[5]!, pose[6]!));
    const named = {
      structure: palette.structure,
      accent: palette.series[1]!,
      ground: palette.tile,
      goal: palette.goal,
      hazard: palette.hazard,
    };
    g.fillStyle = css(typeof part.colour === 'number' ? palette.series[part.colour % 8]! : named[part.colour]);
    if (part.shape === 'sphere') circle(g, 0, 0, part.size[0] ?? 1);
    else g.fillRect(-w / 2, -h / 2, w, h);
    g.restore();
  });
}

function circle(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.beginPath();
  g.arc(x, y, r, 0, Math.PI * 2);
  g.fill();
}
