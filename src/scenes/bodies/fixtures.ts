/** What stands still among bodies: courts with a net, gates, ways to follow, boxes, slopes, floors. Built in the scene's axes; metres. */
import {
  BoxGeometry,
  type BufferGeometry,
  CanvasTexture,
  CatmullRomCurve3,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  PlaneGeometry,
  RepeatWrapping,
  Shape,
  SRGBColorSpace,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import type { BodiesLayout, Fixture } from '#contract/game/frames.ts';
import { openFloor } from '../lib/floor.ts';
import { block, square } from '../lib/shapes.ts';
import { mix, type Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { sceneBounds, toScene } from './axes.ts';
import { roleRgb } from './parts.ts';

export function makeFixture(fixture: Fixture, layout: BodiesLayout, palette: Palette): Object3D {
  switch (fixture.kind) {
    case 'court':
      return court(fixture, palette);
    case 'gate':
      return gate(fixture, layout, palette);
    case 'path':
      return path(fixture, layout, palette);
    case 'box': {
      const [x, y, z] = fixture.size;
      const size = layout.up === 'z' ? ([x, z, y] as const) : ([x, y, z] as const);
      const role = roleRgb(fixture.colour ?? 'structure', palette);
      const tint = fixture.faint === true ? mix(palette.plate, role, palette.dark ? 0.34 : 0.2) : role;
      const mesh = solid(new BoxGeometry(...size), colour(tint));
      // Walls stand in the sun's lee.
      if (fixture.faint === true) mesh.material.emissive.copy(colour(tint)).multiplyScalar(palette.dark ? 0.15 : 0.28);
      toScene(layout, ...fixture.at, mesh.position);
      return mesh;
    }
    case 'slope':
      return slope(fixture.points, layout, palette);
    case 'floor':
      return floorPlate(layout, fixture.opaque === true ? 1 : 0.85, palette);
  }
}

function solid(
  geometry: BoxGeometry | ExtrudeGeometry | TorusGeometry | ReturnType<typeof block>,
  tint: ReturnType<typeof colour>,
): Mesh<BufferGeometry, MeshLambertMaterial> {
  const mesh = new Mesh<BufferGeometry, MeshLambertMaterial>(geometry, new MeshLambertMaterial({ color: tint }));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

function floorPlate(layout: BodiesLayout, cover: number, palette: Palette): Group {
  const { min, max } = sceneBounds(layout);
  const floor = layout.up === 'z' ? Math.max(0, min.y) : min.y;
  return openFloor([min.x, min.z, max.x, max.z], floor, (max.y - floor) * 0.75, cover, palette);
}

/** Two halves in their teams' tints (the first team plays on the right), lines, a net between two posts. */
function court({ length, width, net, netDepth }: Extract<Fixture, { kind: 'court' }>, palette: Palette): Group {
  const root = new Group();
  const apron = solid(
    block(length * 1.12, length * 0.012, width + length * 0.12, length * 0.003),
    colour(mix(palette.plate, palette.base, 0.45)),
  );
  apron.position.y = -length * 0.013;
  apron.castShadow = false;
  root.add(apron);
  for (const side of [-1, 1]) {
    const tint = mix(palette.tile, palette.series[side < 0 ? 1 : 0]!, palette.dark ? 0.34 : 0.2);
    const half = new Mesh(square(1), new MeshLambertMaterial({ color: colour(tint) }));
    half.scale.set(length / 2, 1, width);
    half.position.set((side * length) / 4, length * 0.0004, 0);
    half.receiveShadow = true;
    root.add(half);
  }
  const white = new MeshBasicMaterial({ color: colour(palette.dark ? [210, 216, 226] : [255, 255, 255]) });
  const line = Math.max(0.04, length * 0.004);
  const strip = (sx: number, sz: number, x: number, z: number): void => {
    const mesh = new Mesh(square(1), white);
    mesh.scale.set(sx, 1, sz);
    mesh.position.set(x, length * 0.0009, z);
    root.add(mesh);
  };
  strip(length, line, 0, width / 2);
  strip(length, line, 0, -width / 2);
  for (const x of [-length / 2, -length / 6, 0, length / 6, length / 2]) strip(line, width, x, 0);
  const post = Math.max(0.04, length * 0.005);
  for (const side of [-1, 1]) {
    const mesh = solid(block(post, net * 1.02, post, post * 0.2), colour(palette.structure));
    mesh.position.set(0, 0, side * (width / 2 + post));
    root.add(mesh);
  }
  const netting = new Mesh(
    new PlaneGeometry(width, netDepth).rotateY(Math.PI / 2),
    new MeshBasicMaterial({ map: netTexture(width, netDepth, palette), transparent: true, side: DoubleSide, depthWrite: false }),
  );
  netting.position.y = net - netDepth / 2;
  netting.renderOrder = 2;
  const band = solid(new BoxGeometry(post * 0.6, net * 0.03, width), colour([245, 246, 248]));
  band.position.y = net - net * 0.015;
  root.add(netting, band);
  return root;
}

function netTexture(width: number, depth: number, palette: Palette): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 32;
  canvas.height = 32;
  const g = canvas.getContext('2d');
  if (g !== null) {
    const [r, gr, b] = palette.dark ? [220, 226, 236] : [60, 68, 84];
    g.strokeStyle = `rgb(${r} ${gr} ${b} / 0.7)`;
    g.lineWidth = 3;
    g.strokeRect(0, 0, 32, 32);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.anisotropy = 4;
  const rows = Math.max(3, Math.round(depth / Math.max(0.12, width / 40)));
  texture.repeat.set(Math.round((rows * width) / depth), rows);
  return texture;
}

/** A ring on two posts, to be flown through along its yaw. */
function gate({ at, yaw, radius }: Extract<Fixture, { kind: 'gate' }>, layout: BodiesLayout, palette: Palette): Group {
  const root = new Group();
  const ring = solid(new TorusGeometry(radius, radius * 0.07, 10, 48), colour(palette.series[4]!));
  const place = toScene(layout, ...at, new Vector3());
  ring.position.copy(place);
  ring.rotation.y = Math.atan2(Math.cos(yaw), -Math.sin(yaw));
  root.add(ring);
  const floor = sceneBounds(layout).min.y;
  const height = place.y - radius - floor;
  if (height > 0) {
    const post = solid(block(radius * 0.1, height, radius * 0.1, radius * 0.01), colour(palette.structure));
    post.position.set(place.x, floor, place.z);
    root.add(post);
  }
  return root;
}

function path({ points, closed }: Extract<Fixture, { kind: 'path' }>, layout: BodiesLayout, palette: Palette): Mesh {
  const way: Vector3[] = [];
  for (let i = 0; i + 2 < points.length; i += 3) way.push(toScene(layout, points[i]!, points[i + 1]!, points[i + 2]!, new Vector3()));
  const size = sceneBounds(layout).getSize(new Vector3()).length();
  const geometry = new TubeGeometry(
    new CatmullRomCurve3(way, closed === true),
    Math.max(24, way.length * 4),
    size * 0.0022,
    6,
    closed === true,
  );
  return new Mesh(geometry, new MeshLambertMaterial({ color: colour(palette.goal), transparent: true, opacity: 0.7 }));
}

/** A ground whose upper edge is given, solid below, as deep as the bounds. */
export function slope(points: ArrayLike<number>, layout: BodiesLayout, palette: Palette, cover: 'turf' | 'bare' = 'turf'): Group {
  const root = new Group();
  const { min, max } = sceneBounds(layout);
  const depth = max.z - min.z;
  let lowest = Infinity;
  for (let i = 1; i < points.length; i += 2) lowest = Math.min(lowest, points[i]!);
  const bottom = Math.min(min.y - (max.y - min.y) * 0.06, lowest - (max.y - min.y) * 0.1);
  const ground = new Shape();
  const turf = new Shape();
  const thick = (max.y - min.y) * 0.02;
  ground.moveTo(points[0]!, bottom);
  turf.moveTo(points[0]!, points[1]! - thick);
  for (let i = 0; i < points.length; i += 2) ground.lineTo(points[i]!, points[i + 1]!);
  for (let i = 0; i < points.length; i += 2) turf.lineTo(points[i]!, points[i + 1]! - thick);
  for (let i = points.length - 2; i >= 0; i -= 2) turf.lineTo(points[i]!, points[i + 1]! + thick * 0.1);
  ground.lineTo(points[points.length - 2]!, bottom);
  const extrude = (shape: Shape, d: number): ExtrudeGeometry =>
    new ExtrudeGeometry(shape, { depth: d, bevelEnabled: false, curveSegments: 1 }).translate(0, 0, -d / 2);
  const body = solid(extrude(ground, depth), colour(mix(palette.tile, palette.structure, palette.dark ? 0.18 : 0.22)));
  const top = cover === 'turf' ? mix(palette.goal, palette.tile, 0.45) : mix(palette.tile, palette.structure, palette.dark ? 0.42 : 0.5);
  const road = solid(extrude(turf, depth * 1.012), colour(top));
  root.add(body, road);
  return root;
}
