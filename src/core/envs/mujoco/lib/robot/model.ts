/** What a compiled model has, as the environment of a person's robot needs it. */
import type { BodiesLayout, BodyPart } from '#contract/game/frames.ts';
import type { Robot } from '#contract/link/robot.ts';
import { sqrt } from '#math/functions.ts';
import type { MjModel } from '../bindings.ts';
import { type Sim, simOf } from '../engine.ts';
import { MOST, type Readied, readied, refused } from './check.ts';
import { coarser } from './coarser.ts';
import { type ControlRanges, type Motor, motorsOf } from './motors.ts';

/** Kinds of objects, for names (mjtObj). */
const KIND = { body: 1, joint: 3, geom: 5, site: 6, actuator: 19 };
/** mjtJoint */
const [FREE, BALL, SLIDE] = [0, 1, 2];
/** mjtTrn: what drives a joint. */
const JOINT = 0;
/** mjtGeom */
const [PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH] = [0, 1, 2, 3, 4, 5, 6, 7];
const MOST_VERTICES = 1_500_000;
/** Faces of all meshes in the picture. */
const MOST_FACES = 12_000;
/** Groups of geoms that MuJoCo's own viewer shows. */
const SHOWN_GROUPS = 3;

export const AS_COMPILED = { gravity: null, friction: 1, mass: 1, strength: 1, wind: 0 };

/** A number of the positions or speeds, as it is named. */
export interface RobotFacts {
  readonly nq: number;
  readonly nv: number;
  readonly na: number;
  readonly timestep: number;
  readonly mass: number;
  readonly bodies: number;
  readonly positions: readonly string[];
  readonly speeds: readonly string[];
  /** Positions that say where on the ground it stands. */
  readonly places: readonly number[];
  readonly motors: readonly Motor[];
  readonly sites: readonly string[];
  /** The body whose height, tilt and way are looked at: the first that moves. */
  readonly root: number;
  readonly rootName: string;
  /** m, at the start. */
  readonly height: number;
  /** The upward direction at the start, in the axes of that body. */
  readonly up: readonly [number, number, number];
  /** It may leave its place. */
  readonly travels: boolean;
  /** Positions at the start, from the model's first key frame if it has one, standing on the ground. */
  readonly qpos: readonly number[];
  /** What is drawn: MuJoCo's numbers of the geoms, and how they look. */
  readonly geoms: readonly number[];
  readonly parts: readonly BodyPart[];
  readonly floor: boolean;
  readonly bounds: BodiesLayout['bounds'];
}

interface Known extends Readied {
  readonly key: string;
  readonly facts: { [ranges in ControlRanges]?: RobotFacts };
}

const known = new WeakMap<Robot, { floor?: Known; bare?: Known }>();

function knownOf(robot: Robot, floor: boolean): Known {
  const both = known.get(robot) ?? {};
  known.set(robot, both);
  const which = floor ? 'floor' : 'bare';
  const found = both[which] ?? { ...readied(robot, floor), key: JSON.stringify(robot.files), facts: {} };
  both[which] = found;
  return found;
}

/** The compiled model. Needs prepareMujoco. Throws LabError('file-invalid'). */
export function robotSim(robot: Robot, floor: boolean, tuning: Parameters<typeof simOf>[1]): Sim {
  const { mjcf, files, key } = knownOf(robot, floor);
  return simOf(mjcf, tuning, files, key);
}

/** Needs prepareMujoco. Throws LabError('file-invalid') where the model is too large, or there is nothing to learn. */
export function robotFacts(robot: Robot, floor: boolean, ranges: ControlRanges = 'quantity'): RobotFacts {
  const { facts } = knownOf(robot, floor);
  const found = facts[ranges] ?? factsOf(robotSim(robot, floor, AS_COMPILED), ranges);
  facts[ranges] = found;
  return found;
}

function bounded({ model }: Sim): void {
  const { nbody, ngeom, njnt, nv, nu, nsite, nmeshvert, nhistory, opt } = model;
  const { timestep, iterations, ls_iterations } = opt;
  opt.delete();
  const limits: readonly (readonly [what: string, count: number, most: number])[] = [
    ['bodies', nbody, MOST.body],
    ['geoms', ngeom, MOST.geom],
    ['joints', njnt, MOST.joint],
    ['degrees of freedom', nv, MOST.joint],
    ['sites', nsite, MOST.site],
    ['actuators', nu, MOST.actuator],
    ['corners of meshes', nmeshvert, MOST_VERTICES],
    ['iterations of the solver', Math.max(iterations, ls_iterations), 500],
  ];
  for (const [what, count, most] of limits)
    if (count > most)
      throw refused(`The model has ${count.toLocaleString('en')} ${what}.`, `At most ${most.toLocaleString('en')} are possible.`);
  if (nhistory > 0) throw refused('The model has delays.', 'Leave out "delay" and "nsample".');
  if (!(timestep >= 1e-5 && timestep <= 0.1))
    throw refused(`The time step is ${timestep} s.`, 'Give a timestep from 0.00001 to 0.1 in <option>.');
  if (nv === 0) throw refused('No body of the model moves.', 'Give its bodies joints.');
  if (nu === 0)
    throw refused('The model has no actuators, so there is nothing to learn.', 'Add motors in <actuator>: <motor joint="knee"/>.');
}

function factsOf(sim: Sim, ranges: ControlRanges): RobotFacts {
  bounded(sim);
  const { model, data } = sim;
  const name = (kind: keyof typeof KIND, i: number): string => {
    const given = sim.nameOf(KIND[kind], i).slice(0, 60);
    return given === '' ? `${kind} ${i + 1}` : given.replaceAll('_', ' ');
  };
  const { positions, speeds } = coordinates(model, (i) => name('joint', i));
  const root = Math.trunc(model.jnt_bodyid[0]!);
  const places = placesOf(model, root);
  const qpos = startOf(sim);
  sim.clear();
  data.qpos.set(qpos);
  sim.forward();
  const lowest = lowestOf(model, data.geom_xpos, data.geom_xmat);
  const free = model.jnt_type[0] === FREE;
  const planes = Array.from(model.geom_type).filter((type) => type === PLANE).length;
  if (free && planes > 0 && lowest < 0) {
    qpos[2] = qpos[2]! - lowest; // it stands on the ground, not in it
    data.qpos.set(qpos);
    sim.forward();
  }
  const { xpos, xmat } = data;
  const geoms = shown(model);
  const { opt } = model;
  const { timestep } = opt;
  opt.delete();
  const at = root * 9;
  const facts: RobotFacts = {
    nq: model.nq,
    nv: model.nv,
    na: model.na,
    timestep,
    mass: model.body_mass.reduce((sum, kg) => sum + kg, 0),
    bodies: model.nbody - 1,
    positions,
    speeds,
    places,
    motors: motorsOf(model, ranges, (i) => {
      const nameless = sim.nameOf(KIND.actuator, i) === '' && model.actuator_trntype[i] === JOINT;
      return nameless ? name('joint', Math.trunc(model.actuator_trnid[2 * i]!)) : name('actuator', i);
    }),
    sites: Array.from({ length: model.nsite }, (_, i) => name('site', i)),
    root,
    rootName: name('body', root),
    height: xpos[root * 3 + 2]!,
    up: [xmat[at + 6]!, xmat[at + 7]!, xmat[at + 8]!],
    travels: places.length > 0,
    qpos: Array.from(qpos),
    geoms,
    parts: partsOf(model, geoms, root, (i) => name('body', Math.trunc(model.geom_bodyid[i]!))),
    floor: planes > 0,
    bounds: boundsOf(model, geoms, data.geom_xpos, data.geom_xmat),
  };
  sim.clear();
  return facts;
}

function coordinates(model: MjModel, name: (i: number) => string) {
  const positions: string[] = [];
  const speeds: string[] = [];
  const one = model.njnt === 1 || Array.from(model.jnt_type).filter((type) => type === FREE).length === 1;
  for (let i = 0; i < model.njnt; i++) {
    const type = model.jnt_type[i];
    const said = name(i);
    const of = one ? '' : `${said} `;
    if (type === FREE) {
      positions.push(...['x', 'y', 'height', 'quaternion w', 'quaternion x', 'quaternion y', 'quaternion z'].map((what) => of + what));
      speeds.push(...['velocity', 'angular velocity'].flatMap((what) => ['x', 'y', 'z'].map((axis) => `${of}${what} ${axis}`)));
    } else if (type === BALL) {
      positions.push(...['w', 'x', 'y', 'z'].map((what) => `${said} quaternion ${what}`));
      speeds.push(...['x', 'y', 'z'].map((axis) => `${said} angular velocity ${axis}`));
    } else {
      positions.push(said);
      speeds.push(`${said} velocity`);
    }
  }
  return { positions, speeds };
}

/**
 * Where on the ground it stands: x and y of free joints, and slides along x or y of the first body if it has other joints too (a torso in the
 * plane). A body that only slides is a cart, whose place matters.
 */
function placesOf(model: MjModel, root: number): readonly number[] {
  const joints = Array.from({ length: model.njnt }, (_, i) => i);
  const rooted = joints.filter((i) => model.jnt_bodyid[i] === root);
  return joints.flatMap((i) => {
    const at = Math.trunc(model.jnt_qposadr[i]!);
    if (model.jnt_type[i] === FREE) return [at, at + 1];
    const level = model.jnt_type[i] === SLIDE && Math.abs(model.jnt_axis[i * 3 + 2]!) < 1e-6;
    return level && model.jnt_bodyid[i] === root && rooted.length > 1 ? [at] : [];
  });
}

function startOf({ model }: Sim): Float64Array {
  const { nq } = model;
  return model.nkey > 0 ? model.key_qpos.slice(0, nq) : model.qpos0.slice();
}

/** Half the extent of geom i along z as it stands. */
function halfHeight(model: MjModel, mats: Float64Array, i: number): number {
  const box = model.geom_aabb;
  let half = 0;
  for (let k = 0; k < 3; k++) half += Math.abs(mats[i * 9 + 6 + k]!) * box[i * 6 + 3 + k]!;
  return half;
}

function lowestOf(model: MjModel, at: Float64Array, mats: Float64Array): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < model.ngeom; i++) {
    if (model.geom_type[i] === PLANE || model.geom_bodyid[i] === 0) continue;
    if (model.geom_contype[i] === 0 && model.geom_conaffinity[i] === 0) continue;
    const box = model.geom_aabb;
    const middle = at[i * 3 + 2]! + [0, 1, 2].reduce((sum, k) => sum + mats[i * 9 + 6 + k]! * box[i * 6 + k]!, 0);
    lowest = Math.min(lowest, middle - halfHeight(model, mats, i));
  }
  return Number.isFinite(lowest) ? lowest : 0;
}

function colourOf(model: MjModel, i: number): readonly [number, number, number, number] {
  const material = model.geom_matid[i]!;
  const [from, at] = material >= 0 ? [model.mat_rgba, material] : [model.geom_rgba, i];
  return [from[at * 4]!, from[at * 4 + 1]!, from[at * 4 + 2]!, from[at * 4 + 3]!];
}

/**
 * Geoms that MuJoCo's viewer shows, but for planes. Where it would show less than half of the bodies that move (of a model under a skin, which is
 * not read), each of the others is shown by what collides of it, or by all that it has; all, where it would show nothing that moves.
 */
function shown(model: MjModel): readonly number[] {
  const all = Array.from({ length: model.ngeom }, (_, i) => i).filter((i) => model.geom_type[i] !== PLANE);
  const usual = all.filter((i) => model.geom_group[i]! < SHOWN_GROUPS && colourOf(model, i)[3] > 0);
  const bodiesOf = (geoms: readonly number[]) => new Set(geoms.map((i) => model.geom_bodyid[i]!).filter((body) => body > 0));
  const [seen, there] = [bodiesOf(usual), bodiesOf(all)];
  if (seen.size === 0) return all;
  if (2 * seen.size >= there.size) return usual;
  const collides = all.filter((i) => model.geom_contype[i] !== 0 || model.geom_conaffinity[i] !== 0);
  const solid = bodiesOf(collides);
  const hidden = [...collides, ...all.filter((i) => !solid.has(model.geom_bodyid[i]!))].filter((i) => !seen.has(model.geom_bodyid[i]!));
  return [...usual, ...hidden].sort((one, other) => one - other);
}

function partsOf(model: MjModel, geoms: readonly number[], root: number, name: (i: number) => string): readonly BodyPart[] {
  const meshes = geoms.filter((i) => model.geom_type[i] === MESH || model.geom_type[i] === HFIELD);
  const most = Math.floor(MOST_FACES / Math.max(1, meshes.length));
  return geoms.map((i): BodyPart => {
    const [r, g, b] = colourOf(model, i);
    const dark = 0.3 * r + 0.6 * g + 0.1 * b < 0.28;
    const still = model.geom_bodyid[i]! < root;
    const look = { name: name(i), colour: still || dark ? 'structure' : 0, plain: true } as const;
    const [x, y, z] = [model.geom_size[i * 3]!, model.geom_size[i * 3 + 1]!, model.geom_size[i * 3 + 2]!];
    switch (model.geom_type[i]) {
      case SPHERE:
        return { ...look, shape: 'sphere', size: [x] };
      case CAPSULE:
        return { ...look, shape: 'capsule', size: [x, 2 * y] };
      case CYLINDER:
        return { ...look, shape: 'cylinder', size: [x, 2 * y] };
      case ELLIPSOID:
        return { ...look, shape: 'ellipsoid', size: [x, y, z] };
      case BOX:
        return { ...look, shape: 'box', size: [2 * x, 2 * y, 2 * z] };
      case MESH: {
        const mesh = Math.trunc(model.geom_dataid[i]!);
        const from = model.mesh_vertadr[mesh]!;
        const first = model.mesh_faceadr[mesh]!;
        const corners = model.mesh_vert.slice(from * 3, (from + model.mesh_vertnum[mesh]!) * 3);
        const faces = model.mesh_face.slice(first * 3, (first + model.mesh_facenum[mesh]!) * 3);
        const size = [3, 4, 5].map((k) => 2 * model.geom_aabb[i * 6 + k]!);
        return { ...look, shape: 'mesh', size, mesh: coarser(corners, faces, most) };
      }
      case HFIELD: {
        const size = [3, 4, 5].map((k) => 2 * model.geom_aabb[i * 6 + k]!);
        const { corners, faces } = ground(model, Math.trunc(model.geom_dataid[i]!));
        return { ...look, shape: 'mesh', size, mesh: coarser(corners, faces, most) };
      }
      default:
        throw refused(
          `"${look.name}" has a geom of a type that is not drawn.`,
          'Use spheres, capsules, cylinders, boxes, ellipsoids, meshes or height fields.',
        );
    }
  });
}

/** Points of the drawn ground along each side: where a field has more, heights between are left out. */
const DRAWN_SIDE = 100;

/** Height field `field` as triangles whose upper side is seen, in the frame of its geom: rows along y, columns along x, heights from 0 to its third size. */
function ground(model: MjModel, field: number): { readonly corners: readonly number[]; readonly faces: readonly number[] } {
  const [rows, columns] = [model.hfield_nrow[field]!, model.hfield_ncol[field]!];
  const [x, y, z] = [model.hfield_size[field * 4]!, model.hfield_size[field * 4 + 1]!, model.hfield_size[field * 4 + 2]!];
  const from = model.hfield_adr[field]!;
  const picked = (count: number): readonly number[] => {
    const kept = Math.min(count, DRAWN_SIDE);
    return Array.from({ length: kept }, (_, i) => (kept < 2 ? 0 : Math.round((i * (count - 1)) / (kept - 1))));
  };
  const [up, across] = [picked(rows), picked(columns)];
  const along = (i: number, count: number, half: number): number => (count < 2 ? 0 : ((2 * i) / (count - 1) - 1) * half);
  const corners = up.flatMap((row) =>
    across.flatMap((column) => [along(column, columns, x), along(row, rows, y), model.hfield_data[from + row * columns + column]! * z]),
  );
  const faces = up.slice(1).flatMap((_, row) =>
    across.slice(1).flatMap((__, column) => {
      const at = row * across.length + column;
      const above = at + across.length;
      return [at, at + 1, above + 1, at, above + 1, above];
    }),
  );
  return { corners, faces };
}

/**
 * What the camera frames: the bodies as they stand at the start, with room about them. Scenery that is fixed to the world belongs to it as far
 * as it is near: a mark or a wall ten lengths away would make the robot a dot.
 */
function boundsOf(model: MjModel, geoms: readonly number[], at: Float64Array, mats: Float64Array): BodiesLayout['bounds'] {
  const box = model.geom_aabb;
  const spanOf = (i: number): Span => {
    const low: number[] = [];
    const high: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
      let middle = at[i * 3 + axis]!;
      let half = 0;
      for (let k = 0; k < 3; k++) {
        middle += mats[i * 9 + axis * 3 + k]! * box[i * 6 + k]!;
        half += Math.abs(mats[i * 9 + axis * 3 + k]!) * box[i * 6 + 3 + k]!;
      }
      low.push(middle - half);
      high.push(middle + half);
    }
    return { low, high };
  };
  const fixed = (i: number): boolean => model.geom_bodyid[i] === 0;
  const own = geoms.filter((i) => !fixed(i)).map(spanOf);
  const scenery = geoms.filter(fixed).map(spanOf);
  const robot = own.length === 0 ? scenery.reduce(joined) : own.reduce(joined);
  const reach = diagonal(robot);
  const near = scenery.filter(({ low, high }) =>
    [0, 1, 2].every((k) => high[k]! >= robot.low[k]! - reach && low[k]! <= robot.high[k]! + reach),
  );
  // a floor of boxes goes on and on: what is near is shown as far as that reaches
  const { low, high } = near
    .map((span) => ({
      low: span.low.map((x, k) => Math.max(x, robot.low[k]! - reach)),
      high: span.high.map((x, k) => Math.min(x, robot.high[k]! + reach)),
    }))
    .reduce(joined, robot);
  const room = 0.15 * diagonal({ low, high });
  const round = (x: number): number => Math.round(x * 1000) / 1000;
  return [
    round(low[0]! - room),
    round(low[1]! - room),
    round(Math.min(0, low[2]!)),
    round(high[0]! + room),
    round(high[1]! + room),
    round(high[2]! + room),
  ];
}

/** A box along the axes, m. */
interface Span {
  readonly low: readonly number[];
  readonly high: readonly number[];
}
const joined = (a: Span, b: Span): Span => ({
  low: a.low.map((x, k) => Math.min(x, b.low[k]!)),
  high: a.high.map((x, k) => Math.max(x, b.high[k]!)),
});
const diagonal = ({ low, high }: Span): number => sqrt(low.reduce((sum, x, k) => sum + (high[k]! - x) ** 2, 0));
