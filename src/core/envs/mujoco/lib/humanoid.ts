/** The body of both humanoids: the one stands, the other lies on its back. What they observe, and their costs. */
import { weightField } from '../../api/terms.ts';
import { type Body, ball, coordinatesOf, DEGREE, hinge, type Joint, type Part, partsOf, rod, type Shape, type Triple } from './mjcf.ts';
import { copy, EXCLUDED, forceLabels, squares } from './rules.ts';
import { clipped, frameSkipField, noiseField, observedField, physicsFields, type Range, rangeField, stepsField } from './settings.ts';
import type { Rules, Seen } from './task.ts';

const X: Triple = [1, 0, 0];
const Y: Triple = [0, 1, 0];
const Z: Triple = [0, 0, 1];
const LEANT = [1, 0, -0.002, 0]; // waist and pelvis, a little back

const joint = (name: string, axis: Triple, from: number, to: number, more: Partial<Joint>): Joint =>
  hinge(name, axis, [from * DEGREE, to * DEGREE], more);

/** A rod across the body, `half` to each side. */
const across = (x: number, z: number, half: number, radius: number, name: string): Shape =>
  rod([x, -half, z], [x, half, z], radius, { name });

/** Where parts stand in each posture: along z while it stands, along x while it lies. */
function leg(side: 'right' | 'left', lying: boolean): Part {
  const s = side === 'right' ? -1 : 1;
  const down = (length: number, y = 0): Triple => (lying ? [length, y, 0] : [0, y, -length]);
  const look: Partial<Shape> = side === 'left' ? { look: 'accent' } : {};
  const inwards: Triple = side === 'right' ? X : [-1, 0, 0];
  const outwards: Triple = side === 'right' ? Z : [0, 0, -1];
  return {
    name: `${side}_thigh`,
    at: [0, s * 0.1, lying ? 0 : -0.04],
    joints: [
      joint(`${side}_hip_x`, inwards, -25, 5, { armature: 0.01, damping: 5, stiffness: 10 }),
      joint(`${side}_hip_z`, outwards, -60, 35, { armature: 0.01, damping: 5, stiffness: 10 }),
      joint(`${side}_hip_y`, Y, side === 'left' && lying ? -120 : -110, 20, {
        armature: side === 'right' ? 0.008 : 0.01,
        damping: 5,
        stiffness: 20,
      }),
    ],
    shapes: [rod([0, 0, 0], down(0.34, -s * 0.01), 0.06, look)],
    parts: [
      {
        name: `${side}_shin`,
        at: down(0.403, -s * 0.01),
        joints: [
          joint(`${side}_knee`, [0, -1, 0], -160, -2, { at: [0, 0, 0.02], armature: 0.006, ...(side === 'left' && { stiffness: 1 }) }),
        ],
        shapes: [rod([0, 0, 0], down(0.3), 0.049, look)],
        parts: [{ name: `${side}_foot`, at: lying ? [0.35, 0, -0.1] : [0, 0, -0.45], shapes: [ball(0.075, { at: [0, 0, 0.1], ...look })] }],
      },
    ],
  };
}

function arm(side: 'right' | 'left'): Part {
  const s = side === 'right' ? -1 : 1;
  const look: Partial<Shape> = side === 'left' ? { look: 'accent' } : {};
  const [from, to] = side === 'right' ? [-85, 60] : [-60, 85];
  return {
    name: `${side}_upper_arm`,
    at: [0, s * 0.17, 0.06],
    joints: [
      joint(`${side}_shoulder1`, [2, -s, 1], from, to, { armature: 0.0068, stiffness: 1 }),
      joint(`${side}_shoulder2`, [0, s, 1], from, to, { armature: 0.0051, stiffness: 1 }),
    ],
    shapes: [rod([0, 0, 0], [0.16, s * 0.16, -0.16], 0.04, look)],
    parts: [
      {
        name: `${side}_lower_arm`,
        at: [0.18, s * 0.18, -0.18],
        joints: [joint(`${side}_elbow`, [0, -1, -s], -90, 50, { armature: 0.0028, stiffness: 0 })],
        shapes: [
          rod([0.01, -s * 0.01, 0.01], [0.17, -s * 0.17, 0.17], 0.031, look),
          ball(0.04, { name: `${side}_hand`, at: [0.18, -s * 0.18, 0.18], ...look }),
        ],
      },
    ],
  };
}

export function humanoidBody(lying: boolean): Body {
  const waist = { armature: 0.02, damping: 5 };
  return {
    name: lying ? 'humanoid standup' : 'humanoid',
    timestep: 0.003,
    integrator: 'RK4',
    solver: 'PGS',
    iterations: 50,
    usual: { joint: { armature: 1, damping: 1 }, shape: { contype: 1, conaffinity: 1, condim: 1, margin: 0.001 } },
    ground: [{ type: 'plane', name: 'floor', size: [20, 20, 0.125], condim: 3, friction: [1, 0.1, 0.1] }],
    parts: [
      {
        name: 'torso',
        at: [0, 0, lying ? 0.105 : 1.4],
        joints: [{ type: 'free', name: 'root' }],
        shapes: [
          across(0, 0, 0.07, 0.07, 'chest'),
          ball(0.09, { name: 'head', at: lying ? [-0.15, 0, 0] : [0, 0, 0.19] }),
          lying ? across(0.11, 0, 0.06, 0.06, 'waist') : across(-0.01, -0.12, 0.06, 0.06, 'waist'),
        ],
        parts: [
          {
            name: 'lwaist',
            at: lying ? [0.21, 0, 0] : [-0.01, 0, -0.26],
            quat: LEANT,
            joints: [
              joint('abdomen_z', Z, -45, 45, { ...waist, at: [0, 0, 0.065], stiffness: 20 }),
              joint('abdomen_y', Y, -75, 30, { ...waist, at: [0, 0, 0.065], stiffness: 10 }),
            ],
            shapes: [across(0, 0, 0.06, 0.06, 'lower_waist')],
            parts: [
              {
                name: 'pelvis',
                at: lying ? [0.165, 0, 0] : [0, 0, -0.165],
                quat: LEANT,
                joints: [joint('abdomen_x', X, -35, 35, { ...waist, at: [0, 0, 0.1], stiffness: 10 })],
                shapes: [across(-0.02, 0, 0.07, 0.09, 'hips')],
                parts: [leg('right', lying), leg('left', lying)],
              },
            ],
          },
          arm('right'),
          arm('left'),
        ],
      },
    ],
    motors: [
      ...['abdomen_y', 'abdomen_z', 'abdomen_x'].map((name) => ({ joint: name, gear: 100 })),
      ...['right', 'left'].flatMap((side) => [
        { joint: `${side}_hip_x`, gear: 100 },
        { joint: `${side}_hip_z`, gear: 100 },
        { joint: `${side}_hip_y`, gear: 300 },
        { joint: `${side}_knee`, gear: 200 },
      ]),
      ...['right', 'left'].flatMap((side) => ['shoulder1', 'shoulder2', 'elbow'].map((name) => ({ joint: `${side}_${name}`, gear: 25 }))),
    ],
    strength: 0.4,
    sums: ['left', 'right'].map((side) => ({
      name: `${side}_hipknee`,
      of: [
        [`${side}_hip_y`, -1],
        [`${side}_knee`, 1],
      ],
    })),
  };
}

export const HUMANOID_ACTIONS = humanoidBody(false).motors.map(({ joint: name }) => name.replaceAll('_', ' '));

/** Settings of both; `cost`: what the costs of contacts are called. */
export const humanoidFields = (source: string) => ({
  maxSteps: stepsField(1000, source),
  frameSkip: frameSkipField(5, source),
  resetNoiseScale: noiseField(0.01, source),
  excludeCurrentPositions: observedField(EXCLUDED.title, EXCLUDED.description, source),
  includeCinert: observedField('inertias', 'Mass and inertia of every part about the centre of mass are observed.', source),
  includeCvel: observedField(
    'velocities of parts',
    'Angular and linear velocity of every part about the centre of mass are observed.',
    source,
  ),
  includeQfrcActuator: observedField('motor forces', 'The torque that motors give to each joint is observed.', source),
  includeCfrcExt: observedField('contact forces', 'The forces of contacts on every part are observed.', source),
  ...physicsFields(9.81, source),
});

export const contactWeight = (source: string) =>
  weightField(5e-7, { title: 'contact', description: 'Taken off per sum of squared contact forces.', slider: [0, 1e-5], source });

export const contactRange = (source: string) =>
  rangeField(null, 10, 'range of the contact cost', 'The cost of contacts is cut to it.', source);

export interface HumanoidConfig {
  readonly excludeCurrentPositions: boolean;
  readonly includeCinert: boolean;
  readonly includeCvel: boolean;
  readonly includeQfrcActuator: boolean;
  readonly includeCfrcExt: boolean;
}

const MOTORS = HUMANOID_ACTIONS.length;
/** Speeds of the free joint, which no motor moves. */
const FREE = 6;
/** What is read of MuJoCo's data: the first number observed, how many, and how many each part has. */
const BLOCKS = [
  { of: 'cinert', first: 10, width: 10, on: 'includeCinert' },
  { of: 'cvel', first: 6, width: 6, on: 'includeCvel' },
  { of: 'qfrc_actuator', first: FREE, width: 1, on: 'includeQfrcActuator' },
  { of: 'cfrc_ext', first: 6, width: 6, on: 'includeCfrcExt' },
] as const;

/** Mass centre of the whole body along x, m. */
function centre({ body_mass: mass, xipos }: Seen): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < mass.length; i++) {
    sum += mass[i]! * xipos[3 * i]!;
    total += mass[i]!;
  }
  return sum / total;
}

/** Observation and what is kept for it: the mass centre first, then the blocks that are observed. */
export function humanoidSenses(
  body: Body,
  c: HumanoidConfig,
): Pick<Rules, 'labels' | 'kept' | 'keep' | 'observe' | 'show'> & { readonly centre: typeof centre } {
  const { positions, speeds } = coordinatesOf(body);
  const parts = partsOf(body.parts).map(({ name = 'part' }) => name.replaceAll('_', ' '));
  const skip = c.excludeCurrentPositions ? 2 : 0;
  const nq = positions.length;
  const nv = speeds.length;
  const counts = { cinert: 10 * parts.length, cvel: 6 * parts.length, qfrc_actuator: MOTORS, cfrc_ext: 6 * parts.length };
  const names = {
    cinert: parts.flatMap((part) => Array.from({ length: 10 }, (_, i) => `${part}: inertia ${i + 1}`)),
    cvel: parts.flatMap((part) =>
      ['angular velocity x', 'angular velocity y', 'angular velocity z', 'velocity x', 'velocity y', 'velocity z'].map(
        (what) => `${part}: ${what}`,
      ),
    ),
    qfrc_actuator: positions.slice(7).map((name) => `motor force of ${name}`),
    cfrc_ext: forceLabels(parts),
  };
  const blocks = BLOCKS.filter(({ on }) => c[on]);
  const observed = blocks.reduce((sum, { of }) => sum + counts[of], 0);
  return {
    centre,
    labels: [...positions.slice(skip), ...speeds, ...blocks.flatMap(({ of }) => names[of])],
    kept: 1 + observed,
    keep(seen, floats, at) {
      floats[at] = centre(seen);
      let next = at + 1;
      for (const { of, first } of blocks) {
        copy(seen[of], first, counts[of], floats, next);
        next += counts[of];
      }
    },
    observe({ floats, q, v, kept }, obs, at) {
      copy(floats, q + skip, nq - skip, obs, at);
      copy(floats, v, nv, obs, at + nq - skip);
      copy(floats, kept + 1, observed, obs, at + nq - skip + nv);
    },
    show({ floats, q }, out, at) {
      out[at] = floats[q]!;
      out[at + 1] = floats[q + 2]!;
    },
  };
}

export const HUMANOID_READS = ['body_mass', 'xipos', 'cinert', 'cvel', 'qfrc_actuator', 'cfrc_ext', 'ctrl'] as const;

/** Of the control that the motors have after the step, as in Gymnasium: the action, or 0 where the physics broke down and began anew. */
export const controlCost = ({ ctrl }: Seen, weight: number): number => weight * squares(ctrl, 0, ctrl.length);

/** Cost of contacts: weight times the squares of all forces, cut to a range. */
export const contactCost = (forces: Float64Array, weight: number, range: Range): number =>
  clipped(weight * squares(forces, 0, forces.length), range);
