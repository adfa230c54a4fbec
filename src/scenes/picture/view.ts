/** A picture upright before the viewer, two units high. */
import { Box3, DataTexture, Group, Mesh, MeshBasicMaterial, PlaneGeometry, type Ray, SRGBColorSpace, Vector3 } from 'three';
import type { PictureLayout } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { disposeTree, type View } from '../lib/view.ts';
import { writePoints } from './points.ts';

const HEIGHT = 2;

export class PictureView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  private readonly layout: PictureLayout;
  private readonly points: Uint8Array<ArrayBuffer>;
  private readonly texture: DataTexture;

  constructor(layout: PictureLayout) {
    const { width, height } = layout;
    this.layout = layout;
    this.points = new Uint8Array(4 * width * height);
    this.texture = new DataTexture(this.points, width, height);
    this.texture.colorSpace = SRGBColorSpace;
    const wide = (HEIGHT * width) / height;
    const plane = new Mesh(new PlaneGeometry(wide, HEIGHT), new MeshBasicMaterial({ map: this.texture, toneMapped: false }));
    plane.position.y = HEIGHT / 2;
    this.root.add(plane);
    this.framing = {
      bounds: new Box3(new Vector3(-wide / 2, 0, -0.01), new Vector3(wide / 2, HEIGHT, 0.01)),
      azimuth: 0,
      elevation: 0,
    };
  }

  update(a: Float32Array, b: Float32Array, alpha: number): void {
    writePoints(alpha >= 0.5 ? b : a, this.layout.width, this.layout.height, this.points, true);
    this.texture.needsUpdate = true;
  }

  overlay(): void {}

  focus(out: Vector3): void {
    out.set(0, HEIGHT / 2, 0);
  }

  pick(_ray: Ray): number {
    return -1;
  }

  dispose(): void {
    disposeTree(this.root);
  }
}
