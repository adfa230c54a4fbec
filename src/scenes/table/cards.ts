/** A playing card: comes from the far edge of the table, turns over in the air. Column: index into faces, -1 nothing there, -2 face down. */
import { ExtrudeGeometry, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, Shape } from 'three';
import { ease } from '../lib/frames.ts';
import { FloorLabel, type Labels } from '../lib/labels.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { stripeTexture } from './texture.ts';
import type { Thing } from './thing.ts';

export const CARD = { width: 1, depth: 1.4, thickness: 0.035 };
const RED_SUITS = /[♥♦]/;

function outline(width: number, depth: number, radius: number): Shape {
  const [x, y] = [width / 2, depth / 2];
  return new Shape()
    .moveTo(-x + radius, -y)
    .lineTo(x - radius, -y)
    .absarc(x - radius, -y + radius, radius, -Math.PI / 2, 0, false)
    .lineTo(x, y - radius)
    .absarc(x - radius, y - radius, radius, 0, Math.PI / 2, false)
    .lineTo(-x + radius, y)
    .absarc(-x + radius, y - radius, radius, Math.PI / 2, Math.PI, false)
    .lineTo(-x, -y + radius)
    .absarc(-x + radius, -y + radius, radius, Math.PI, 1.5 * Math.PI, false);
}

export function makeCard(faces: readonly string[], palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const card = new Group();
  root.add(card);
  const paper: Rgb = [250, 250, 247];
  const body = new Mesh(
    new ExtrudeGeometry(outline(CARD.width, CARD.depth, 0.1), { depth: CARD.thickness, bevelEnabled: false, curveSegments: 5 })
      .rotateX(-Math.PI / 2)
      .translate(0, -CARD.thickness / 2, 0),
    new MeshLambertMaterial({ color: colour(paper) }),
  );
  body.castShadow = true;
  body.receiveShadow = true;
  const back = new Mesh(
    new PlaneGeometry(CARD.width * 0.84, CARD.depth * 0.88).rotateX(Math.PI / 2),
    new MeshBasicMaterial({ map: stripeTexture(mix(palette.accent, [20, 24, 40], 0.25), palette.accent) }),
  );
  back.position.y = -CARD.thickness / 2 - 0.003;
  card.add(body, back);
  // The sign in the middle, and small in two corners.
  const style = (face: string) => ({ ink: (RED_SUITS.test(face) ? [190, 44, 40] : [28, 33, 45]) as Rgb, weight: 650 });
  const signs = faces.map((face) => {
    const group = new Group();
    const big = new FloorLabel(labels, style(face), 0.72).set(face).mesh;
    group.add(big);
    for (const side of [-1, 1]) {
      const small = new FloorLabel(labels, style(face), 0.24).set(face).mesh;
      small.position.set(side * CARD.width * 0.36, 0, side * CARD.depth * 0.39);
      small.rotation.y = side > 0 ? Math.PI : 0;
      group.add(small);
    }
    group.position.y = CARD.thickness / 2 + 0.004;
    group.visible = false;
    card.add(group);
    return group;
  });
  return {
    root,
    update([from = -1], [to = -1], alpha) {
      const s = ease(alpha);
      card.visible = from !== -1 || to !== -1;
      const arriving = from === -1 && to !== -1;
      const leaving = from !== -1 && to === -1;
      const face = to >= 0 ? to : from;
      signs.forEach((sign, i) => {
        sign.visible = i === Math.round(face);
      });
      const turn = (value: number): number => (value === -2 ? Math.PI : 0);
      const startTurn = arriving ? Math.PI : turn(from);
      const endTurn = leaving ? startTurn : turn(to);
      card.rotation.z = startTurn + (endTurn - startTurn) * s;
      const away = arriving ? 1 - s : leaving ? s : 0;
      const lift = startTurn === endTurn ? 0 : Math.sin(Math.PI * s) * 0.62;
      card.position.set(0, CARD.thickness / 2 + 0.004 + lift + away * 0.3, -away * 3);
      card.scale.setScalar(1 - 0.6 * away);
    },
  };
}
