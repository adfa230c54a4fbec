/** What holds the bodies of classic control: a rail with ticks and stops, a stand behind a hinge with a dial, a line to reach. Metres, y up. */
import { BoxGeometry, CylinderGeometry, Mesh, MeshBasicMaterial, MeshLambertMaterial, type Object3D, TorusGeometry } from 'three';
import type { BodiesLayout, BodyPart } from '#contract/game/frames.ts';
import { niceStep } from '../lib/floor.ts';
import { block, disc } from '../lib/shapes.ts';
import { mix, type Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { solid } from './parts.ts';

/** Details that move with a part. */
export function partDetails(part: BodyPart, layout: BodiesLayout, palette: Palette): Object3D[] {
  if (part.plain === true) return [];
  if (part.name === 'rail') return railDetails(part, palette);
  if (part.name === 'hinge') return stand(part, layout, palette);
  if (part.name === 'line') return lineDetails(part, palette);
  return [];
}

/** Ticks (longer in the middle), end stops and two feet. */
function railDetails(part: BodyPart, palette: Palette): Object3D[] {
  const [length = 1, height = 0.03, depth = 0.08] = part.size;
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

/** A post behind the hinge down to the floor, an axle, and a dial whose marks stand every thirty degrees. */
function stand(part: BodyPart, layout: BodiesLayout, palette: Palette): Object3D[] {
  const r = part.size[0] ?? 0.08;
  const [, minY, minZ, maxX] = layout.bounds;
  const back = minZ * 0.62;
  const post = solid(block(r * 2.2, -minY, r * 1.4, r * 0.3), colour(palette.structure));
  post.position.set(0, minY, back);
  const head = solid(new CylinderGeometry(r * 1.9, r * 1.9, r * 1.6, 28).rotateX(Math.PI / 2), colour(palette.structure));
  head.position.z = back;
  const axle = solid(new CylinderGeometry(r * 0.6, r * 0.6, -back, 16).rotateX(Math.PI / 2), colour(palette.metal));
  axle.position.z = back / 2;
  const reach = layout.parts.some((other) => other.name === 'line') ? 0 : maxX * 0.94;
  const details: Object3D[] = [post, head, axle];
  if (reach === 0) return details;
  const rim = solid(new TorusGeometry(reach, r * 0.16, 8, 96), colour(mix(palette.muted, palette.tile, 0.35)));
  rim.position.z = back;
  rim.castShadow = false;
  details.push(rim);
  for (let i = 0; i < 12; i++) {
    const angle = (i * Math.PI) / 6;
    const main = i === 0;
    const mark = solid(
      new BoxGeometry(r * (main ? 0.5 : 0.25), r * (main ? 2.2 : 1.1), r * 0.3),
      colour(main ? palette.goal : palette.muted),
    );
    mark.castShadow = false;
    mark.position.set(reach * Math.sin(angle), reach * Math.cos(angle), back);
    mark.rotation.z = -angle;
    details.push(mark);
  }
  return details;
}

/** A line to reach: the space above it is tinted. */
function lineDetails(part: BodyPart, palette: Palette): Object3D[] {
  const [width = 1] = part.size;
  const veil = new Mesh(
    new BoxGeometry(width, width * 0.26, 0.01).translate(0, width * 0.13, -0.02),
    new MeshBasicMaterial({ color: colour(palette.goal), transparent: true, opacity: palette.dark ? 0.14 : 0.1, depthWrite: false }),
  );
  const ends = [-1, 1].map((side) => {
    const bead = solid(new CylinderGeometry(width * 0.012, width * 0.012, width * 0.03, 12), colour(palette.goal));
    bead.position.x = side * (width / 2);
    return bead;
  });
  return [veil, ...ends];
}
