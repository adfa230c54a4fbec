/** Single bodies: plain shapes, and the details that make carts, poles, links, cars, slimes and balls readable. Metres, y up. */
import {
  BoxGeometry,
  BufferGeometry,
  CanvasTexture,
  CapsuleGeometry,
  type Color,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  SphereGeometry,
  SRGBColorSpace,
  TorusGeometry,
} from 'three';
import type { BodyPart } from '#contract/game/frames.ts';
import { block } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';

export function roleRgb(role: BodyPart['colour'], palette: Palette): Rgb {
  switch (role) {
    case 'structure':
      return palette.structure;
    case 'accent':
      return palette.series[1]!;
    case 'ground':
      return palette.tile;
    case 'goal':
      return palette.goal;
    case 'hazard':
      return palette.hazard;
    default:
      return palette.series[role % 8]!;
  }
}

export function roleColour(role: BodyPart['colour'], palette: Palette): Color {
  return colour(roleRgb(role, palette));
}

export function solid(geometry: BufferGeometry, tint: Color): Mesh<BufferGeometry, MeshLambertMaterial> {
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: tint }));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** The part's own shape. With z up, round things lie along z and are turned into it; boxes carry their sizes as given. */
function shapeOf(part: BodyPart, zUp: boolean): BufferGeometry {
  const [a = 1, b = 1, c = 1] = part.size;
  switch (part.shape) {
    case 'box':
      return new BoxGeometry(a, b, c);
    case 'sphere':
      return new SphereGeometry(a, 24, 16);
    case 'ellipsoid':
      return new SphereGeometry(1, 24, 16).scale(a, b, c);
    case 'mesh':
      return meshOf(part);
    case 'cylinder':
      return zUp ? new CylinderGeometry(a, a, b, 24).rotateX(Math.PI / 2) : new CylinderGeometry(a, a, b, 24);
    case 'capsule':
      return zUp ? new CapsuleGeometry(a, b, 6, 16).rotateX(Math.PI / 2) : new CapsuleGeometry(a, b, 6, 16);
  }
}

/** Flat faces, each with corners of its own, so that edges stay sharp. */
function meshOf({ mesh, size }: BodyPart): BufferGeometry {
  const [a = 1, b = 1, c = 1] = size;
  if (mesh === undefined) return new BoxGeometry(a, b, c);
  const indexed = new BufferGeometry();
  indexed.setAttribute('position', new Float32BufferAttribute(mesh.corners.slice(), 3));
  indexed.setIndex(mesh.faces.slice());
  const geometry = indexed.toNonIndexed();
  indexed.dispose();
  geometry.computeVertexNormals();
  return geometry;
}

/** A wheel or an eye that moves with its body. */
export interface Moving {
  readonly object: Object3D;
  readonly kind: 'wheel' | 'eye';
  readonly radius: number;
}

export interface BuiltPart {
  readonly root: Group;
  readonly moving: readonly Moving[];
}

export function buildPart(part: BodyPart, zUp: boolean, palette: Palette): BuiltPart {
  const root = new Group();
  const inner = new Group();
  // What is designed with y up stands up in axes with z up too.
  if (zUp && part.model !== undefined) inner.rotation.x = Math.PI / 2;
  root.add(inner);
  const moving: Moving[] = [];
  if (part.model === 'ball') inner.add(ballMesh(part.size[0] ?? 0.1, palette));
  else if (part.model === 'target') inner.add(...targetMeshes(part.size[0] ?? 0.1, palette));
  else if (part.model === 'slime') inner.add(slime(part, palette, moving));
  else inner.add(plain(part, zUp, palette, moving));
  return { root, moving };
}

function plain(part: BodyPart, zUp: boolean, palette: Palette, moving: Moving[]): Group {
  const group = new Group();
  const tint = roleColour(part.colour, palette);
  const [a = 1, b = 1, c = 1] = part.size;
  if (part.plain === true) {
    const mesh = solid(shapeOf(part, zUp), tint);
    // Both legs of a flat body lie in one place while it stands: the accent is seen, not a flicker of both.
    if (part.colour === 'accent') Object.assign(mesh.material, { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
    group.add(mesh);
    return group;
  }
  if (part.name === 'cart') {
    cart(group, a, b, c, tint, palette, moving);
    return group;
  }
  if (part.name === 'car') {
    car(group, a, b, c, tint, palette, moving);
    return group;
  }
  group.add(solid(shapeOf(part, zUp), tint));
  const metal = colour(palette.metal);
  if (part.name === 'pole') {
    group.add(joint(a * 1.7, a * 4.2, -b / 2, metal), knob(a * 1.35, b / 2, tint));
  } else if (/link$|^rod$/.test(part.name)) {
    // Links hang from their upper end, a rod stands on its lower one.
    const end = part.name === 'rod' ? -1 : 1;
    group.add(joint(a * 1.55, a * 2.9, (end * b) / 2, metal), knob(a * 1.5, (-end * b) / 2, tint));
  } else if (part.name === 'flag') {
    const cloth = solid(new BoxGeometry(b * 0.5, b * 0.3, a * 0.4), colour(palette.goal));
    cloth.position.set(b * 0.25, b * 0.34, 0);
    group.add(cloth);
  }
  return group;
}

function joint(radius: number, width: number, y: number, tint: Color): Mesh {
  const mesh = solid(new CylinderGeometry(radius, radius, width, 20).rotateX(Math.PI / 2), tint);
  mesh.position.y = y;
  return mesh;
}

function knob(radius: number, y: number, tint: Color): Mesh {
  const mesh = solid(new SphereGeometry(radius, 16, 12), tint);
  mesh.position.y = y;
  return mesh;
}

/** A wheel with spokes, so that rolling is visible; its axle along z. */
function wheel(radius: number, width: number, palette: Palette): Group {
  const group = new Group();
  const tyre = solid(new CylinderGeometry(radius, radius, width, 18).rotateX(Math.PI / 2), colour(mix(palette.pit, palette.metal, 0.15)));
  const metal = colour(palette.metal);
  group.add(
    tyre,
    solid(new BoxGeometry(radius * 1.3, radius * 0.3, width * 1.12), metal),
    solid(new BoxGeometry(radius * 0.3, radius * 1.3, width * 1.12), metal),
  );
  return group;
}

function cart(group: Group, w: number, h: number, d: number, tint: Color, palette: Palette, moving: Moving[]): void {
  group.add(solid(block(w, h, d, 0.03).translate(0, -h / 2, 0), tint));
  const plate = solid(block(w * 0.44, 0.025, d * 0.9, 0.01), colour(mix(palette.metal, palette.structure, 0.4)));
  plate.position.y = h / 2;
  group.add(plate);
  const radius = h * 0.248;
  for (const sx of [-1, 1]) {
    for (const sz of [-1, 1]) {
      const one = wheel(radius, 0.05, palette);
      one.position.set(sx * w * 0.31, -h / 2 + 0.012, sz * (d / 2 + 0.012));
      group.add(one);
      moving.push({ object: one, kind: 'wheel', radius });
    }
  }
}

/** A small car: body, cabin with windows, wheels; its wheels stand on the lower side of the box. */
function car(group: Group, w: number, h: number, d: number, tint: Color, palette: Palette, moving: Moving[]): void {
  const radius = h * 0.42;
  group.add(solid(block(w, h * 0.62, d, h * 0.16).translate(0, -h * 0.22, 0), tint));
  const cabin = solid(block(w * 0.52, h * 0.5, d * 0.86, h * 0.18).translate(-w * 0.06, h * 0.38, 0), tint);
  const glass = solid(block(w * 0.46, h * 0.3, d * 0.88, h * 0.05).translate(-w * 0.06, h * 0.42, 0), colour([30, 36, 50]));
  const lamp = solid(new BoxGeometry(h * 0.08, h * 0.16, d * 0.7), colour([255, 236, 170]));
  lamp.position.set(w / 2, h * 0.12, 0);
  group.add(cabin, glass, lamp);
  for (const sx of [-1, 1]) {
    for (const sz of [-1, 1]) {
      const one = wheel(radius, d * 0.2, palette);
      one.position.set(sx * w * 0.3, -h * 0.24, sz * d * 0.46);
      group.add(one);
      moving.push({ object: one, kind: 'wheel', radius });
    }
  }
}

/** Half a sphere that looks where the ball is. */
function slime(part: BodyPart, palette: Palette, moving: Moving[]): Group {
  const r = part.size[0] ?? 1;
  const group = new Group();
  const rgb = roleRgb(part.colour, palette);
  group.add(solid(new SphereGeometry(r, 32, 16, 0, Math.PI * 2, 0, Math.PI / 2), colour(rgb)));
  const foot = solid(new CylinderGeometry(r * 1.02, r * 1.06, r * 0.08, 32), colour(mix(rgb, [0, 0, 0], 0.3)));
  foot.position.y = r * 0.04;
  group.add(foot);
  for (const side of [-1, 1]) {
    const eye = new Group();
    const white = solid(new SphereGeometry(r * 0.2, 16, 12), colour([255, 255, 255]));
    const pupil = solid(new SphereGeometry(r * 0.1, 12, 10), colour([24, 28, 38]));
    pupil.position.x = r * 0.13;
    eye.add(white, pupil);
    eye.position.set(0, r * 0.62, side * r * 0.34 + r * 0.3);
    group.add(eye);
    moving.push({ object: eye, kind: 'eye', radius: r });
  }
  return group;
}

/** A ball with panels, so that it can be seen to turn. */
function ballMesh(radius: number, palette: Palette): Mesh {
  const canvas = document.createElement('canvas');
  canvas.width = 128;
  canvas.height = 64;
  const g = canvas.getContext('2d');
  if (g !== null) {
    g.fillStyle = '#f7f6f0';
    g.fillRect(0, 0, 128, 64);
    const [r, gr, b] = palette.named.yellow ?? [230, 180, 34];
    g.fillStyle = `rgb(${r} ${gr} ${b})`;
    for (let i = 0; i < 3; i++) g.fillRect(i * 43, 0, 21, 64);
    g.strokeStyle = '#3c5c9e';
    g.lineWidth = 3;
    for (const y of [21, 43]) {
      g.beginPath();
      g.moveTo(0, y);
      g.lineTo(128, y);
      g.stroke();
    }
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const mesh = new Mesh(new SphereGeometry(radius, 28, 18), new MeshLambertMaterial({ map }));
  mesh.castShadow = true;
  return mesh;
}

/** A place to reach: a small glowing core in a veil with a ring. */
function targetMeshes(radius: number, palette: Palette): Mesh[] {
  const tint = colour(palette.goal);
  const core = new Mesh(
    new SphereGeometry(radius * 0.35, 16, 12),
    new MeshLambertMaterial({ color: tint, emissive: tint, emissiveIntensity: 0.5 }),
  );
  const veil = new Mesh(
    new SphereGeometry(radius, 24, 16),
    new MeshBasicMaterial({ color: tint, transparent: true, opacity: 0.18, depthWrite: false }),
  );
  const ring = new Mesh(
    new TorusGeometry(radius * 1.12, radius * 0.06, 8, 40).rotateX(Math.PI / 2),
    new MeshLambertMaterial({ color: tint }),
  );
  return [core, veil, ring];
}
