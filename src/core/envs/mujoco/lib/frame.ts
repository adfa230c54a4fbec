/** How a body is drawn: one part per shape, where MuJoCo's kinematics puts it. Axes as in MuJoCo, z up. */
import type { BodiesLayout, BodyPart } from '#contract/frames.ts';
import { sqrt } from '#math/functions.ts';
import type { MjData } from './bindings.ts';
import { type Body, partsOf, type Shape, shapesOf } from './mjcf.ts';

export interface Look {
  /** What the camera frames while the body stands at its start, metres. */
  readonly bounds: BodiesLayout['bounds'];
  /** It leaves its place: the camera goes with it, over a ground with distance marks. */
  readonly travels?: boolean;
  /** Metres by which all is drawn higher, where the ground of its task is not at 0. */
  readonly lift?: number;
  /** Named numbers under the picture, in the order in which the body's rules write them. */
  readonly numbers?: readonly string[];
}

/** Half length of a shape between two ends. */
function halfOf({ ends, size }: Shape): number {
  if (ends === undefined) return size[1] ?? 0;
  const [from, to] = ends;
  return sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2 + (to[2] - from[2]) ** 2) / 2;
}

function partOf(shape: Shape, name: string): BodyPart {
  const [radius = 0] = shape.size;
  const colour = shape.look ?? 0;
  if (shape.type === 'sphere') return { name, shape: 'sphere', size: [radius], colour };
  return { name, shape: shape.type === 'cylinder' ? 'cylinder' : 'capsule', size: [radius, 2 * halfOf(shape)], colour };
}

/** Shapes that are drawn: planes are the floor, and some have no look. */
const drawn = ({ type, look }: Shape): boolean => type !== 'plane' && look !== null;

/** Name of the part that each shape belongs to, as people say it. */
function namesOf(body: Body): readonly string[] {
  const spoken = (name: string) => name.replaceAll('_', ' ');
  return [
    ...body.ground.map(({ name }) => spoken(name ?? 'ground')),
    ...partsOf(body.parts).flatMap(({ name, shapes = [] }) => shapes.map((shape) => spoken(shape.name ?? name ?? 'part'))),
  ];
}

export function layoutOf(body: Body, look: Look): BodiesLayout {
  const names = namesOf(body);
  return {
    kind: 'bodies',
    up: 'z',
    parts: shapesOf(body).flatMap((shape, i) => (drawn(shape) ? [partOf(shape, names[i] ?? 'part')] : [])),
    fixtures: [{ kind: 'floor' }],
    extra: [...(look.numbers ?? [])],
    ...(look.travels && { follow: 0 }),
    bounds: look.bounds,
  };
}

/** Writes position and quaternion of every drawn shape from the matrices of its geoms. */
export function createFrame(body: Body, lift = 0): (seen: Pick<MjData, 'geom_xpos' | 'geom_xmat'>, out: Float32Array) => void {
  const geoms = shapesOf(body).flatMap((shape, i) => (drawn(shape) ? [i] : []));
  return ({ geom_xpos: at, geom_xmat: turn }, out) => {
    geoms.forEach((geom, part) => {
      for (let i = 0; i < 3; i++) out[part * 7 + i] = at[geom * 3 + i]!;
      out[part * 7 + 2] = at[geom * 3 + 2]! + lift;
      putQuaternion(turn, geom * 9, out, part * 7 + 3);
    });
  };
}

/** x, y, z, w of a rotation matrix (row-major), by the largest of the four (Shepperd 1978). */
function putQuaternion(m: Float64Array, o: number, out: Float32Array, at: number): void {
  const [xx, yy, zz] = [m[o]!, m[o + 4]!, m[o + 8]!];
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz]; // 4x², 4y², 4z², 4w²
  const largest = squares.indexOf(Math.max(...squares));
  const [xy, xz, yz] = [m[o + 3]! + m[o + 1]!, m[o + 2]! + m[o + 6]!, m[o + 5]! + m[o + 7]!];
  const [wx, wy, wz] = [m[o + 7]! - m[o + 5]!, m[o + 2]! - m[o + 6]!, m[o + 3]! - m[o + 1]!];
  const rows = [
    [squares[0]!, xy, xz, wx],
    [xy, squares[1]!, yz, wy],
    [xz, yz, squares[2]!, wz],
    [wx, wy, wz, squares[3]!],
  ];
  const row = rows[largest]!;
  const length = sqrt(row.reduce((sum, x) => sum + x * x, 0));
  for (let i = 0; i < 4; i++) out[at + i] = row[i]! / length;
}
