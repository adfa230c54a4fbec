/**
 * A body as its file describes it (parts, joints, shapes, motors), and the MJCF text that MuJoCo compiles. Lengths in metres, angles in
 * radians, masses follow from the shapes' densities. What a shape or joint leaves out has the value in `usual`, and MuJoCo's own
 * default where that says nothing.
 */
import type { BodyPart } from '#contract/game/frames.ts';

export const DEGREE = Math.PI / 180;

export type Triple = readonly [x: number, y: number, z: number];

/** How a shape touches others. Masks as in MuJoCo: two shapes touch where contype of one and conaffinity of the other share a bit. */
export interface Surface {
  readonly contype?: number;
  readonly conaffinity?: number;
  readonly condim?: number;
  /** Sliding, turning and rolling; the last two may be left out. */
  readonly friction?: readonly number[];
  readonly margin?: number;
  readonly solimp?: readonly number[];
  /** kg/m³, 1000 without it. */
  readonly density?: number;
}

export interface Shape extends Surface {
  readonly type: 'plane' | 'sphere' | 'capsule' | 'cylinder' | 'box';
  readonly name?: string;
  /** Radius, half length along z; planes and boxes half sizes. With `ends` the radius alone. */
  readonly size: readonly number[];
  readonly at?: Triple;
  /** Middles of the two ends, in place of `at` and a turn. */
  readonly ends?: readonly [from: Triple, to: Triple];
  /** Turned from z: an axis and an angle. */
  readonly turned?: readonly [x: number, y: number, z: number, angle: number];
  readonly quat?: readonly number[];
  /** How it is drawn; null: not at all. Without it the colour of the first agent. */
  readonly look?: BodyPart['colour'] | null;
}

export interface JointRule {
  readonly damping?: number;
  readonly armature?: number;
  readonly stiffness?: number;
  readonly margin?: number;
  /** Of its limits. */
  readonly solimplimit?: readonly number[];
}

export interface Joint extends JointRule {
  readonly type: 'slide' | 'hinge' | 'free';
  readonly name: string;
  /** What people call it; its name without this. */
  readonly say?: string;
  readonly axis?: Triple;
  readonly at?: Triple;
  /** Limits in radians or metres; a joint without them moves freely. */
  readonly range?: readonly [low: number, high: number];
  /** What the position reads where the body is drawn. */
  readonly ref?: number;
}

export interface Part {
  readonly name?: string;
  readonly at?: Triple;
  readonly quat?: readonly number[];
  readonly joints?: readonly Joint[];
  readonly shapes?: readonly Shape[];
  /** A named point. */
  readonly site?: { readonly name: string; readonly at: Triple };
  readonly parts?: readonly Part[];
}

export interface Body {
  readonly name: string;
  readonly timestep: number;
  readonly integrator: 'Euler' | 'RK4';
  readonly solver?: 'PGS' | 'Newton';
  readonly iterations?: number;
  readonly gravity?: Triple;
  /** Of the medium: kg/m³ and Pa s. */
  readonly density?: number;
  readonly viscosity?: number;
  /** Scales all masses to this, kg. */
  readonly totalMass?: number;
  readonly usual: { readonly joint: JointRule; readonly shape: Surface };
  readonly ground: readonly Shape[];
  readonly parts: readonly Part[];
  readonly motors: readonly { readonly joint: string; readonly gear: number }[];
  /** Motors take -strength..strength. */
  readonly strength: number;
  /** Sums of joint positions that are measured: named tendons without force. */
  readonly sums?: readonly { readonly name: string; readonly of: readonly (readonly [joint: string, factor: number])[] }[];
}

export const hinge = (name: string, axis: Triple, range?: Joint['range'], more: Partial<Joint> = {}): Joint => ({
  type: 'hinge',
  name,
  axis,
  ...(range && { range }),
  ...more,
});

export const slide = (name: string, axis: Triple, range?: Joint['range'], more: Partial<Joint> = {}): Joint => ({
  type: 'slide',
  name,
  axis,
  ...(range && { range }),
  ...more,
});

/** A rod with round ends between two points. */
export const rod = (from: Triple, to: Triple, radius: number, more: Partial<Shape> = {}): Shape => ({
  type: 'capsule',
  ends: [from, to],
  size: [radius],
  ...more,
});

/** A rod with round ends about its middle, along z unless it is turned. */
export const pill = (radius: number, half: number, more: Partial<Shape> = {}): Shape => ({
  type: 'capsule',
  size: [radius, half],
  ...more,
});

export const ball = (radius: number, more: Partial<Shape> = {}): Shape => ({ type: 'sphere', size: [radius], ...more });

const MEMORY = '1M'; // the largest body uses a fortieth of it; MuJoCo's own choice takes 13 MB for each copy

type Value = string | number | readonly number[] | undefined;

function tag(name: string, values: { readonly [key: string]: Value }, inside: readonly string[] = []): string {
  const attributes = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${Array.isArray(value) ? value.join(' ') : String(value)}"`)
    .join('');
  return inside.length === 0 ? `<${name}${attributes}/>` : `<${name}${attributes}>${inside.join('')}</${name}>`;
}

function shapeText({ look: _, ends, turned, at, type, ...rest }: Shape): string {
  return tag('geom', { type, ...rest, pos: at, fromto: ends?.flat(), axisangle: turned });
}

function jointText({ at, range, type, say: _, ...rest }: Joint): string {
  return tag('joint', { type, ...rest, pos: at, range, limited: range === undefined ? 'false' : 'true' });
}

/** A free joint has neither the usual damping nor the usual armature. */
function jointsText(joints: readonly Joint[]): string[] {
  return joints.map((joint) => jointText(joint.type === 'free' ? { damping: 0, armature: 0, stiffness: 0, ...joint } : joint));
}

function partText({ name, at, quat, joints = [], shapes = [], site, parts = [] }: Part): string {
  return tag('body', { name, pos: at, quat }, [
    ...jointsText(joints),
    ...shapes.map(shapeText),
    ...(site === undefined ? [] : [tag('site', { name: site.name, pos: site.at })]),
    ...parts.map(partText),
  ]);
}

export function toMjcf(body: Body): string {
  const { timestep, integrator, solver, iterations, gravity, density, viscosity, usual, strength, sums = [] } = body;
  return tag('mujoco', { model: body.name }, [
    tag('compiler', { angle: 'radian', inertiafromgeom: 'true', settotalmass: body.totalMass }),
    tag('option', { timestep, integrator, solver, iterations, gravity, density, viscosity }),
    tag('size', { memory: MEMORY }),
    tag('default', {}, [
      tag('joint', { ...usual.joint }),
      tag('geom', { ...usual.shape }),
      tag('motor', { ctrllimited: 'true', ctrlrange: [-strength, strength] }),
    ]),
    tag('worldbody', {}, [...body.ground.map(shapeText), ...body.parts.map(partText)]),
    ...(sums.length === 0
      ? []
      : [
          tag(
            'tendon',
            {},
            sums.map(({ name, of }) =>
              tag(
                'fixed',
                { name },
                of.map(([joint, coef]) => tag('joint', { joint, coef })),
              ),
            ),
          ),
        ]),
    tag(
      'actuator',
      {},
      body.motors.map(({ joint, gear }) => tag('motor', { joint, gear })),
    ),
  ]);
}

/** Every part, in the order in which MuJoCo numbers bodies; the world is body 0 and not among them. */
export function partsOf(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => [part, ...partsOf(part.parts ?? [])]);
}

/** MuJoCo's number of the body of this name. */
export function bodyNumber(body: Body, name: string): number {
  return partsOf(body.parts).findIndex((part) => part.name === name) + 1;
}

/** Names of the positions and speeds of every joint, in MuJoCo's order. */
export function coordinatesOf(body: Body): { readonly positions: readonly string[]; readonly speeds: readonly string[] } {
  const joints = jointsOf(body).map(({ type, name, say = name.replaceAll('_', ' ') }) => ({ free: type === 'free', say }));
  return {
    positions: joints.flatMap(({ free, say }) =>
      free ? ['x', 'y', 'height', 'quaternion w', 'quaternion x', 'quaternion y', 'quaternion z'] : [say],
    ),
    speeds: joints.flatMap(({ free, say }) =>
      free
        ? ['velocity x', 'velocity y', 'velocity z', 'angular velocity x', 'angular velocity y', 'angular velocity z']
        : [`${say} velocity`],
    ),
  };
}

/** Every shape in the order in which MuJoCo numbers geoms: by body. */
export function shapesOf(body: Body): readonly Shape[] {
  return [...body.ground, ...partsOf(body.parts).flatMap(({ shapes = [] }) => shapes)];
}

export function jointsOf(body: Body): readonly Joint[] {
  return partsOf(body.parts).flatMap(({ joints = [] }) => joints);
}
