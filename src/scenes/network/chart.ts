/** A small upright board with lines over the last steps: what a number of the frame has been. Width and height in scene units. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial } from 'three';
import { FloorLabel, type Labels } from '../lib/labels.ts';
import { block } from '../lib/shapes.ts';
import { mix, type Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';

export class Chart {
  readonly root = new Group();
  private readonly lines: readonly Mesh<BufferGeometry, MeshBasicMaterial>[];
  private readonly steps: number;
  private readonly width: number;
  private readonly height: number;
  private shown = -1;

  constructor(names: readonly string[], steps: number, width: number, height: number, palette: Palette, labels: Labels) {
    this.steps = steps;
    this.width = width;
    this.height = height;
    const board = new Mesh(
      block(width, height, 0.12, 0.04),
      new MeshLambertMaterial({ color: colour(mix(palette.tile, palette.base, 0.5)) }),
    );
    board.castShadow = true;
    this.root.add(board);
    this.lines = names.map((name, i) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(steps * 18), 3).setUsage(DynamicDrawUsage));
      const rgb = palette.series[(i + 1) % 8]!;
      const line = new Mesh(geometry, new MeshBasicMaterial({ color: colour(rgb), side: DoubleSide }));
      line.frustumCulled = false;
      const label = new FloorLabel(labels, { ink: rgb, weight: 600 }, height * 0.13, true).set(name);
      label.mesh.position.set(-width / 2 + label.mesh.scale.x / 2 + height * 0.05, height * (0.9 - 0.14 * i), 0.075);
      this.root.add(line, label.mesh);
      return line;
    });
  }

  /** Values up to step `t`; the range is 0..1 unless a value lies outside it. */
  set(t: number, value: (t: number, which: number) => number): void {
    if (t === this.shown) return;
    this.shown = t;
    const first = Math.max(0, t - this.steps + 1);
    const rows = Array.from({ length: t - first + 1 }, (_, k) => this.lines.map((_line, i) => value(first + k, i)));
    const finite = rows.flat().filter(Number.isFinite);
    const low = Math.min(0, ...finite);
    const high = Math.max(1, ...finite);
    this.lines.forEach((line, i) => {
      const position = line.geometry.getAttribute('position');
      const half = this.height * 0.008;
      let n = 0;
      let last: readonly [number, number] | null = null;
      rows.forEach((row, k) => {
        if (!Number.isFinite(row[i]!)) return;
        const x = ((k + (this.steps - rows.length)) / (this.steps - 1) - 0.5) * this.width * 0.94;
        const y = this.height * (0.06 + (0.88 * (row[i]! - low)) / (high - low));
        if (last !== null) n = quad(position, n, last, [x, y], half);
        last = [x, y];
      });
      line.geometry.setDrawRange(0, n);
      position.needsUpdate = true;
    });
  }
}

/** Two triangles along a stretch of a line, `half` to both sides; returns the next vertex. */
function quad(
  position: BufferGeometry['attributes'][string],
  at: number,
  a: readonly [number, number],
  b: readonly [number, number],
  half: number,
): number {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const [nx, ny] = [(-(b[1] - a[1]) / length) * half, ((b[0] - a[0]) / length) * half];
  const corners = [
    [a[0] + nx, a[1] + ny],
    [a[0] - nx, a[1] - ny],
    [b[0] + nx, b[1] + ny],
    [b[0] - nx, b[1] - ny],
  ] as const;
  for (const k of [0, 1, 2, 2, 1, 3]) position?.setXYZ(at++, corners[k]![0], corners[k]![1], 0.08);
  return at;
}
