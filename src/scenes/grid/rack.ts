/** A board that stands upright: pieces fall in from above and can be seen through its holes. One unit = one cell; the lowest row stands on the ground. */
import { Box3, type Color, CylinderGeometry, Group, Mesh, MeshLambertMaterial, Plane, type Ray, Vector3 } from 'three';
import type { GridLayout } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { Pool } from '../lib/pool.ts';
import { block, holeTile, merge } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import { colour, disposeTree, type View } from '../lib/view.ts';

const DEEP = 0.5;

export class RackView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  readonly base = 'board';
  private readonly layout: GridLayout;
  private readonly pieces: Pool;
  private readonly named: readonly Color[];
  private readonly face = new Plane(new Vector3(0, 0, 1), 0);
  private readonly hit = new Vector3();

  constructor(layout: GridLayout, palette: Palette) {
    this.layout = layout;
    const { width: w, height: h } = layout;
    this.framing = {
      bounds: new Box3(new Vector3(-w / 2 - 0.6, -0.3, -1), new Vector3(w / 2 + 0.6, h + 0.5, 1)),
      azimuth: 0.34,
      elevation: 0.24,
    };
    this.named = layout.colours.map((name) => colour(palette.named[name] ?? palette.structure));
    const frame = colour(palette.named.blue ?? palette.accent);
    const plates = new Pool(
      holeTile(1, 0.09, 0.39).rotateX(Math.PI / 2),
      new MeshLambertMaterial(),
      { cast: true, receive: true },
      2 * w * h,
    );
    plates.begin();
    for (let i = 0; i < w * h; i++) {
      const x = (i % w) - (w - 1) / 2;
      const y = h - 0.5 - Math.floor(i / w);
      for (const z of [DEEP / 2 + 0.09, -DEEP / 2]) plates.put(x, y, z, frame);
    }
    plates.end();
    const solid = (width: number, height: number, depth: number, x: number, y: number): Mesh => {
      const mesh = new Mesh(block(width, height, depth, 0.04), new MeshLambertMaterial({ color: frame }));
      mesh.position.set(x, y, 0);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      return mesh;
    };
    this.root.add(plates.root, solid(w + 0.3, 0.16, DEEP + 0.3, 0, -0.14));
    for (const side of [-1, 1])
      this.root.add(solid(0.14, h + 0.1, DEEP + 0.24, side * (w / 2 + 0.07), 0), solid(0.3, 0.2, 2, side * (w / 2 + 0.1), -0.3));
    this.pieces = new Pool(
      merge([new CylinderGeometry(0.43, 0.43, 0.26, 32), new CylinderGeometry(0.3, 0.3, 0.32, 32)]).rotateX(Math.PI / 2),
      new MeshLambertMaterial(),
      { cast: true, receive: true },
      w * h,
    );
    this.root.add(this.pieces.root);
  }

  update(a: Float32Array, b: Float32Array, alpha: number): void {
    const { width: w, height: h, looks } = this.layout;
    this.pieces.begin();
    for (let cell = 0; cell < w * h; cell++) {
      const o = cell * 3;
      const late = looks[b[o]!] ?? 'empty';
      const early = looks[a[o]!] ?? 'empty';
      if (late === 'empty' && (early === 'empty' || alpha >= 0.5)) continue;
      const x = (cell % w) - (w - 1) / 2;
      const y = h - 0.5 - Math.floor(cell / w);
      // It falls as things fall: slowly first.
      const above = early === 'empty' ? (h + 0.6 - y) * (1 - alpha * alpha) : 0;
      const frame = late === 'empty' ? a : b;
      this.pieces.put(x, y + above, 0, this.named[frame[o + 1]!] ?? this.named[0]!);
    }
    this.pieces.end();
  }

  overlay(): void {
    // Nothing is learned per cell of a rack.
  }

  focus(out: Vector3): void {
    out.set(0, this.layout.height / 2, 0);
  }

  pick(ray: Ray): number {
    if (ray.intersectPlane(this.face, this.hit) === null) return -1;
    const x = Math.round(this.hit.x + (this.layout.width - 1) / 2);
    const y = Math.floor(this.layout.height - this.hit.y);
    return x < 0 || y < 0 || x >= this.layout.width || y >= this.layout.height ? -1 : y * this.layout.width + x;
  }

  dispose(): void {
    disposeTree(this.root);
  }
}
