/**
 * Many points in the plane: instanced wedges that look where they go, with fading trails. Layout x, y are the floor (y away
 * from the viewer), z is height; metres. Three draw calls however many there are: floor, wedges, trails.
 */
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  type Ray,
  Vector3,
} from 'three';
import type { PointsLayout } from '#contract/frames.ts';
import type { Framing } from './camera.ts';
import { floorGrid } from './floor.ts';
import { pointAt } from './frames.ts';
import { Pool } from './pool.ts';
import { block, wedge } from './shapes.ts';
import type { Palette } from './theme.ts';
import { colour, disposeTree, type View } from './view.ts';

const TRAIL = 14; // frames
const MOST_TRAILS = 400; // beyond this many points the trails would cover the floor

export class PointsView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  private readonly layout: PointsLayout;
  private readonly wedges: Pool;
  private readonly colours: ReturnType<typeof colour>[];
  private readonly at = new Float32Array(4);
  private readonly first = new Vector3();
  private readonly trails: LineSegments | null;

  constructor(layout: PointsLayout, palette: Palette) {
    this.layout = layout;
    const [minX, minY, maxX, maxY] = layout.bounds;
    const w = maxX - minX;
    const h = maxY - minY;
    const unit = Math.max(w, h);
    this.framing = {
      bounds: new Box3(new Vector3(minX, 0, -maxY), new Vector3(maxX, unit * 0.06, -minY)),
      azimuth: 0,
      elevation: 1.05,
    };
    this.colours = palette.series.map(colour);
    this.wedges = new Pool(
      wedge(),
      new MeshLambertMaterial({ flatShading: true }),
      { cast: layout.count <= 2000 },
      Math.max(1, layout.count),
    );
    const plate = new Mesh(block(w * 1.02, unit * 0.02, h * 1.02, unit * 0.006), new MeshLambertMaterial({ color: colour(palette.tile) }));
    plate.position.set((minX + maxX) / 2, -unit * 0.02, -(minY + maxY) / 2);
    plate.receiveShadow = true;
    this.root.add(plate, floorGrid(minX, -maxY, maxX, -minY, unit * 0.0006, palette), this.wedges.root);

    const shown = layout.count <= MOST_TRAILS ? layout.count : 0;
    if (shown === 0) {
      this.trails = null;
      return;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(shown * TRAIL * 6), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(shown * TRAIL * 8), 4).setUsage(DynamicDrawUsage));
    this.trails = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    this.trails.frustumCulled = false;
    this.root.add(this.trails);
  }

  history(read: (t: number) => Float32Array | null, t: number): void {
    if (this.trails === null) return;
    const { geometry } = this.trails;
    const position = geometry.getAttribute('position');
    const tint = geometry.getAttribute('color');
    const [minX, minY, maxX, maxY] = this.layout.bounds;
    const limit = 0.25 * Math.max(maxX - minX, maxY - minY);
    const lift = 0.004 * (maxX - minX);
    let vertex = 0;
    let newer = read(t);
    for (let k = 1; k <= TRAIL && newer !== null && t - k >= 0; k++) {
      const older = read(t - k);
      if (older === null) break;
      for (let i = 0; i < this.layout.count; i++) {
        const o = i * 6;
        if (Math.abs(newer[o]! - older[o]!) > limit || Math.abs(newer[o + 1]! - older[o + 1]!) > limit) continue;
        const c = this.colours[newer[o + 5]! % 8]!;
        for (const [frame, age] of [
          [newer, k - 1],
          [older, k],
        ] as const) {
          position.setXYZ(vertex, frame[o]!, frame[o + 2]! + lift, -frame[o + 1]!);
          tint.setXYZW(vertex, c.r, c.g, c.b, 0.55 * (1 - age / TRAIL));
          vertex++;
        }
      }
      newer = older.slice();
    }
    geometry.setDrawRange(0, vertex);
    position.needsUpdate = true;
    tint.needsUpdate = true;
  }

  update(a: Float32Array, b: Float32Array, alpha: number): void {
    this.wedges.begin();
    for (let i = 0; i < this.layout.count; i++) {
      pointAt(this.layout, a, b, i, alpha, this.at);
      const x = this.at[0]!;
      const y = this.at[1]!;
      const z = this.at[2]!;
      const heading = this.at[3]!;
      const c = this.colours[a[i * 6 + 5]! % 8]!;
      this.wedges.put(x, z, -y, c, -heading, a[i * 6 + 4]!);
      if (i === 0) this.first.set(x, z, -y);
    }
    this.wedges.end();
  }

  overlay(): void {
    // Points have no cells to colour.
  }

  focus(out: Vector3): void {
    out.copy(this.first);
  }

  pick(_ray: Ray): number {
    return -1;
  }

  dispose(): void {
    disposeTree(this.root);
  }
}
