/**
 * Rigid bodies: boxes, spheres, cylinders, capsules at positions and quaternions, metres, y up. Known part names get the details
 * that make them readable: a `rail` its ticks and end stops, a `cart` wheels that turn, a `pole` a joint and a knob.
 */
import {
  Box3,
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  type Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  type Ray,
  SphereGeometry,
  Vector3,
} from 'three';
import type { BodiesLayout, BodyPart } from '#contract/frames.ts';
import type { Framing } from './camera.ts';
import { floorGrid, niceStep } from './floor.ts';
import { bodyAt } from './frames.ts';
import { block, disc } from './shapes.ts';
import { mix, type Palette } from './theme.ts';
import { colour, disposeTree, type View } from './view.ts';

const WHEEL = 0.062; // m

export class BodiesView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  private readonly layout: BodiesLayout;
  private readonly parts: readonly Object3D[];
  private readonly wheels: { readonly mesh: Object3D; readonly part: number }[] = [];
  private readonly pose = new Float32Array(7);
  private readonly followed: number;

  constructor(layout: BodiesLayout, palette: Palette) {
    this.layout = layout;
    const [minX, minY, minZ, maxX, maxY, maxZ] = layout.bounds;
    const flatScene = maxZ - minZ < 0.5 * (maxX - minX);
    this.framing = {
      bounds: new Box3(new Vector3(minX - 0.03 * (maxX - minX), minY, minZ), new Vector3(maxX + 0.03 * (maxX - minX), maxY, maxZ)),
      azimuth: flatScene ? 0.14 : 0.5,
      elevation: flatScene ? 0.26 : 0.5,
    };
    this.parts = layout.parts.map((part, i) => this.build(part, i, palette));
    this.root.add(...this.parts, ...this.ground(palette));
    const moving = layout.parts.findIndex((part) => typeof part.colour === 'number');
    this.followed = moving < 0 ? 0 : moving;
  }

  update(a: Float32Array, b: Float32Array, alpha: number): void {
    this.parts.forEach((part, i) => {
      bodyAt(this.layout, a, b, i, alpha, this.pose);
      const [x, y, z, qx, qy, qz, qw] = this.pose;
      part.position.set(x!, y!, z!);
      part.quaternion.set(qx!, qy!, qz!, qw!);
    });
    for (const { mesh, part } of this.wheels) mesh.rotation.z = -this.parts[part]!.position.x / WHEEL;
  }

  overlay(): void {
    // Rigid bodies have no cells to colour.
  }

  focus(out: Vector3): void {
    const part = this.parts[this.followed];
    if (part !== undefined) out.copy(part.position);
    const [, minY, , , maxY] = this.layout.bounds;
    out.y = Math.max(out.y, (minY + maxY) / 2);
  }

  pick(_ray: Ray): number {
    return -1;
  }

  dispose(): void {
    disposeTree(this.root);
  }

  private build(part: BodyPart, index: number, palette: Palette): Object3D {
    const group = new Group();
    const body = solid(shapeOf(part), tintOf(part, palette));
    group.add(body);
    if (part.name === 'rail') group.add(...railDetails(part, palette));
    if (part.name === 'cart') {
      const [w, h, d] = part.size as [number, number, number];
      body.geometry.dispose();
      body.geometry = block(w, h, d, 0.03).translate(0, -h / 2, 0);
      const plate = solid(block(w * 0.44, 0.025, d * 0.9, 0.01), colour(mix(palette.metal, palette.structure, 0.4)));
      plate.position.y = h / 2;
      group.add(plate);
      for (const sx of [-1, 1]) {
        for (const sz of [-1, 1]) {
          const wheel = new Group();
          const tyre = solid(
            new CylinderGeometry(WHEEL, WHEEL, 0.05, 18).rotateX(Math.PI / 2),
            colour(mix(palette.pit, palette.metal, 0.15)),
          );
          // Spokes, so that rolling is visible.
          const hub = solid(new BoxGeometry(WHEEL * 1.3, WHEEL * 0.3, 0.056), colour(palette.metal));
          const cross = solid(new BoxGeometry(WHEEL * 0.3, WHEEL * 1.3, 0.056), colour(palette.metal));
          wheel.add(tyre, hub, cross);
          wheel.position.set(sx * w * 0.31, -h / 2 + 0.012, sz * (d / 2 + 0.012));
          group.add(wheel);
          this.wheels.push({ mesh: wheel, part: index });
        }
      }
    }
    if (part.name === 'pole') {
      const [r, length] = part.size as [number, number];
      const joint = solid(new CylinderGeometry(r * 1.7, r * 1.7, r * 4.2, 20).rotateX(Math.PI / 2), colour(palette.metal));
      joint.position.y = -length / 2;
      const knob = solid(new SphereGeometry(r * 1.35, 16, 12), tintOf(part, palette));
      knob.position.y = length / 2;
      group.add(joint, knob);
    }
    return group;
  }

  /** A round table under the action with a metre grid, unless a part is the ground itself. */
  private ground(palette: Palette): Object3D[] {
    if (this.layout.parts.some((part) => part.colour === 'ground')) return [];
    const [minX, minY, minZ, maxX, , maxZ] = this.layout.bounds;
    const padX = (maxX - minX) * 0.05;
    const depth = Math.max(maxZ - minZ, (maxX - minX) * 0.22);
    const z = (minZ + maxZ) / 2;
    const unit = (maxX - minX) * 0.012;
    const plate = new Mesh(block(maxX - minX + 2 * padX, unit * 3, depth, unit), new MeshLambertMaterial({ color: colour(palette.tile) }));
    plate.position.set((minX + maxX) / 2, minY - unit * 3, z);
    plate.receiveShadow = true;
    return [plate, floorGrid(minX, z - depth * 0.42, maxX, z + depth * 0.42, minY + 0.002, palette)];
  }
}

function solid(geometry: BufferGeometry, tint: Color): Mesh<BufferGeometry, MeshLambertMaterial> {
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: tint }));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

function shapeOf(part: BodyPart): BufferGeometry {
  const [a = 1, b = 1, c = 1] = part.size;
  switch (part.shape) {
    case 'box':
      return new BoxGeometry(a, b, c);
    case 'sphere':
      return new SphereGeometry(a, 24, 16);
    case 'cylinder':
      return new CylinderGeometry(a, a, b, 24);
    case 'capsule':
      return new CapsuleGeometry(a, b, 6, 16);
  }
}

function tintOf(part: BodyPart, palette: Palette): Color {
  switch (part.colour) {
    case 'structure':
      return colour(palette.structure);
    case 'accent':
      return colour(palette.series[1]!);
    case 'ground':
      return colour(palette.tile);
    case 'goal':
      return colour(palette.goal);
    case 'hazard':
      return colour(palette.hazard);
    default:
      return colour(palette.series[part.colour % 8]!);
  }
}

/** Ticks every tenth of the rail's length (longer in the middle), end stops and two feet. */
function railDetails(part: BodyPart, palette: Palette): Object3D[] {
  const [length, height, depth] = part.size as [number, number, number];
  const details: Object3D[] = [];
  const step = niceStep(length, 10);
  const tick = colour(palette.muted);
  for (let x = 0; x <= length / 2 + 1e-9; x += step) {
    for (const side of x === 0 ? [1] : [-1, 1]) {
      const tall = x === 0 ? 0.16 : 0.1;
      const mark = solid(new BoxGeometry(0.014, tall, 0.012), tick);
      mark.castShadow = false;
      mark.position.set(side * x, -tall / 2 - height / 2, depth / 2);
      details.push(mark);
    }
  }
  const stopTint = colour(palette.hazard);
  for (const side of [-1, 1]) {
    const stop = solid(block(0.07, 0.2, depth * 2.2, 0.015), stopTint);
    stop.position.set(side * (length / 2), -height / 2, 0);
    const foot = solid(new CylinderGeometry(0.035, 0.035, 0.3, 12).translate(0, -0.15, 0), colour(palette.structure));
    foot.position.x = side * length * 0.36;
    const sole = new Mesh(disc(0.12), new MeshLambertMaterial({ color: colour(palette.structure) }));
    sole.position.set(side * length * 0.36, -0.294, 0);
    details.push(stop, foot, sole);
  }
  return details;
}
