/** The push or torque of the action under way: an arrow behind a body, or one bent round a joint. In the scene's axes, for layouts with y up. */
import { type BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial, TorusGeometry, Vector3 } from 'three';
import type { BodiesLayout, BodyPart, Drive } from '#contract/game/frames.ts';
import { merge } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';

const ARC = 4.1; // rad
const LEAST = 0.02;

/** Strength -1..1 of an action. */
export function driveStrength(drive: Drive, action: number | undefined): number {
  if (action === undefined) return 0;
  const share = drive.values === undefined ? action / (drive.full ?? 1) : (drive.values[action] ?? 0);
  return Math.min(1, Math.max(-1, share));
}

/** An arrow of length 1 that ends at the origin, pointing to +x. */
function straight(): BufferGeometry {
  return merge([
    new CylinderGeometry(0.05, 0.05, 0.72, 12).rotateZ(-Math.PI / 2).translate(-0.64, 0, 0),
    new ConeGeometry(0.14, 0.3, 16).rotateZ(-Math.PI / 2).translate(-0.15, 0, 0),
  ]);
}

/** An arrow bent counter-clockwise round the origin, radius 1. */
function bent(): BufferGeometry {
  const head = new ConeGeometry(0.2, 0.46, 16).translate(1, 0.1, 0).rotateZ(ARC);
  return merge([new TorusGeometry(1, 0.075, 8, 40, ARC), head]).rotateZ(-ARC / 2 + Math.PI / 2);
}

export class BodyDrive {
  readonly root = new Group();
  private readonly drive: Drive;
  private readonly part: BodyPart;
  private readonly arrow: Mesh;
  private readonly size: number;
  private readonly offset = new Vector3();
  private strength = 0;

  constructor(drive: Drive, layout: BodiesLayout, palette: Palette) {
    this.drive = drive;
    this.part = layout.parts[drive.part]!;
    this.size = 0.12 * (layout.bounds[3] - layout.bounds[0]);
    const tint = colour(palette.named.yellow ?? palette.accent);
    this.arrow = new Mesh(
      drive.kind === 'push' ? straight() : bent(),
      new MeshLambertMaterial({ color: tint, emissive: tint, emissiveIntensity: 0.25 }),
    );
    this.arrow.castShadow = true;
    this.root.add(this.arrow);
  }

  act(action: number | undefined): void {
    this.strength = driveStrength(this.drive, action);
  }

  /** `body` is where the part is drawn now. */
  update(body: Group): void {
    const { arrow, strength, part, drive } = this;
    this.root.visible = Math.abs(strength) > LEAST;
    if (!this.root.visible) return;
    const sign = Math.sign(strength);
    if (drive.kind === 'push') {
      this.root.quaternion.copy(body.quaternion);
      this.offset.set((-sign * (part.size[0] ?? 0)) / 2, 0, 0).applyQuaternion(body.quaternion);
      arrow.scale.set(sign * this.size * Math.abs(strength), this.size * 0.8, this.size * 0.8);
    } else {
      const half = (part.size[1] ?? 0) / 2;
      this.offset.set(0, drive.end === 'low' ? -half : half, (part.size[0] ?? 0) * 2.4).applyQuaternion(body.quaternion);
      const radius = this.size * (0.45 + 0.35 * Math.abs(strength));
      arrow.scale.set(sign * radius, radius, radius);
    }
    this.root.position.copy(body.position).add(this.offset);
  }
}
