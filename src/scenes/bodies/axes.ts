/**
 * Where columns of a bodies frame begin, and its axes turned into the scene's: y up, x right, z towards the viewer. Robotics axes
 * (x ahead, y left, z up) become (x, z, -y); a quaternion's vector part turns the same way.
 */
import { Box3, Vector3 } from 'three';
import { type BodiesLayout, droneCount } from '#contract/game/frames.ts';

export interface BodyColumns {
  readonly rotors: number;
  readonly arrows: number;
  readonly contacts: number;
  readonly contactForces: number;
  readonly profile: number;
  readonly extra: number;
}

export function bodyColumns(layout: BodiesLayout): BodyColumns {
  const rotors = layout.parts.length * 7;
  const arrows = rotors + (layout.rotors === undefined ? 0 : layout.rotors.count * droneCount(layout));
  const contacts = arrows + (layout.arrows ?? 0) * 6;
  const contactForces = contacts + (layout.contacts ?? 0) * 4;
  const profile = contactForces + (layout.contactForces ?? 0) * 6;
  return { rotors, arrows, contacts, contactForces, profile, extra: profile + (layout.profile?.points ?? 0) * 2 };
}

/** A place of the layout in the scene's axes. */
export function toScene(layout: BodiesLayout, x: number, y: number, z: number, out: Vector3): Vector3 {
  return layout.up === 'z' ? out.set(x, z, -y) : out.set(x, y, z);
}

export function sceneBounds(layout: BodiesLayout): Box3 {
  const [minX, minY, minZ, maxX, maxY, maxZ] = layout.bounds;
  return new Box3().setFromPoints([toScene(layout, minX, minY, minZ, new Vector3()), toScene(layout, maxX, maxY, maxZ, new Vector3())]);
}
