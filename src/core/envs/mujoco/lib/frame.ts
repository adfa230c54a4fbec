/** How a body is drawn: one part per shape, where MuJoCo's kinematics puts it. Axes as in MuJoCo, z up. */
import type { BodiesLayout, BodyPart } from '#contract/game/frames.ts';
import { sqrt } from '#math/functions.ts';
import type { Look as Seen } from './engine.ts';
import { type Body, partsOf, type Shape, shapesOf } from './mjcf.ts';

export interface Look {
  /** What the camera frames while the body stands at its start, metres. */
  readonly bounds: BodiesLayout['bounds'];
  /** It leaves its place: the camera goes with it, over a ground with distance marks. */
  readonly travels?: boolean;
  /** Metres by which all is drawn higher, where the ground of its task is not at 0. */
  readonly lift?: number;
  /** Where the camera stands at first (BodiesLayout). */
  readonly seenFrom?: number;
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
  const look = { name, colour, plain: true }; // a rail or a pole here is no more than its shape
  if (shape.type === 'sphere') return { ...look, shape: 'sphere', size: [radius] };
  return { ...look, shape: shape.type === 'cylinder' ? 'cylinder' : 'capsule', size: [radius, 2 * halfOf(shape)] };
}

/** Shapes that are drawn: planes are the floor, and some have no look. */
const drawn = ({ type, look }: Shape): boolean => type !== 'plane' && look !== null;

/** Contacts that are drawn at a time: a humanoid that lies has about a dozen. */
export const MOST_CONTACTS = 16;
/** As a part of the picture's height: the length of a force as large as the body's weight, and the longest. */
const WEIGHT_LENGTH = 0.4;
const LONGEST = 1;
const GRAVITY = 9.81;

/** Whether any two shapes may touch (masks as in MuJoCo, 1 where nothing is said). */
function canTouch(body: Body): boolean {
  const masks = shapesOf(body).map((shape) => ({ type: 1, with: 1, ...namedMasks(body.usual.shape), ...namedMasks(shape) }));
  return masks.some((a, i) => masks.some((b, j) => i !== j && (a.type & b.with) !== 0));
}

const namedMasks = ({ contype, conaffinity }: Pick<Shape, 'contype' | 'conaffinity'>) => ({
  ...(contype !== undefined && { type: contype }),
  ...(conaffinity !== undefined && { with: conaffinity }),
});

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
    fixtures: [{ kind: 'floor', ...(body.ground.length > 0 && { opaque: true as const }) }],
    ...(canTouch(body) && { contactForces: MOST_CONTACTS }),
    extra: [...(look.numbers ?? [])],
    pulls: true,
    ...(look.travels && { follow: 0 }),
    ...(look.seenFrom !== undefined && { seenFrom: look.seenFrom }),
    bounds: look.bounds,
  };
}

/** MuJoCo's numbers of the shapes that are drawn. */
export const drawnGeoms = (body: Body): readonly number[] => shapesOf(body).flatMap((shape, i) => (drawn(shape) ? [i] : []));

/** Writes position and quaternion of every drawn shape from the matrices of its geoms, then the forces of contacts. */
export function createFrame(body: Body, { bounds, lift = 0 }: Look): (seen: Seen, out: Float32Array) => void {
  return frameWriter(drawnGeoms(body), canTouch(body) ? MOST_CONTACTS : 0, bounds[5] - bounds[2], lift);
}

/** `geoms`: MuJoCo's numbers of those drawn; `most`: contacts drawn; `height`: of the picture, m; `marks`: parts behind them that stand still. */
export function frameWriter(
  geoms: readonly number[],
  most: number,
  height: number,
  lift = 0,
  marks: readonly (readonly number[])[] = [],
): (seen: Seen, out: Float32Array) => void {
  return ({ geom_xpos: at, geom_xmat: turn, contacts, mass }, out) => {
    geoms.forEach((geom, part) => {
      for (let i = 0; i < 3; i++) out[part * 7 + i] = at[geom * 3 + i]!;
      out[part * 7 + 2] = at[geom * 3 + 2]! + lift;
      putQuaternion(turn, geom * 9, out, part * 7 + 3);
    });
    marks.forEach((mark, i) => {
      out.set([...mark.slice(0, 3), 0, 0, 0, 1], (geoms.length + i) * 7);
    });
    const from = (geoms.length + marks.length) * 7;
    out.fill(0, from, from + most * 6);
    contacts.slice(0, most).forEach((contact, i) => {
      const [x, y, z] = contact.force;
      const newtons = sqrt(x * x + y * y + z * z);
      const length = Math.min(LONGEST, (WEIGHT_LENGTH * newtons) / (mass * GRAVITY)) * height;
      const scale = newtons > 0 ? length / newtons : 0;
      out.set([contact.at[0], contact.at[1], contact.at[2] + lift, x * scale, y * scale, z * scale], from + i * 6);
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
