/**
 * An arm of seven joints beside a table: push a cylinder to a goal. Gymnasium Pusher-v5.
 * Obs [seven joint angles, seven joint speeds, places of the hand, the cylinder and the goal, m]; action: torques in Nm, -2..2.
 * Reward -(distance weight x distance of cylinder and goal) - control weight x |action|² - near weight x distance of hand and cylinder.
 * Never ends; truncates at `maxSteps`.
 * Source: Gymnasium 1.4.0 `pusher_v5.py`; dimensions of its `pusher_v5.xml`; 5 x 0.01 s, Euler, no gravity.
 */
import { z } from 'zod';
import { sqrt } from '#math/functions.ts';
import { weightField } from '../api/terms.ts';
import { defineBody } from './lib/define.ts';
import {
  type Body,
  ball,
  bodyNumber,
  coordinatesOf,
  hinge,
  type Joint,
  type Part,
  rod,
  type Shape,
  slide,
  type Triple,
} from './lib/mjcf.ts';
import { copy, squares } from './lib/rules.ts';
import { follow, type Gait } from './lib/scripts.ts';
import { frameSkipField, physicsFields, stepsField } from './lib/settings.ts';

const SOURCE = 'Gymnasium Pusher-v5';
const X: Triple = [1, 0, 0];
const Y: Triple = [0, 1, 0];
const Z: Triple = [0, 0, 1];
const MOTORS = 7;
const touching = { contype: 1, conaffinity: 1 };
const free: readonly [number, number] = [-10.3213, 10.3];

/** Parts of an arm, each within the one before it. */
function chain([first, ...rest]: readonly Part[]): Part[] {
  return first === undefined ? [] : [{ ...first, parts: [...(first.parts ?? []), ...chain(rest)] }];
}

const along = (from: number, to: number, radius: number, more: Partial<Shape> = {}): Shape => rod([from, 0, 0], [to, 0, 0], radius, more);
const crosswise = (half: number, radius: number, more: Partial<Shape> = {}): Shape => rod([0, -half, 0], [0, half, 0], radius, more);

/** The object or the goal: it slides over the table, sideways first. */
const sliding = (name: string, say: string): readonly Joint[] => [
  slide(`${name}_slidey`, Y, free, { damping: 0.5, say: `${say} y` }),
  slide(`${name}_slidex`, X, free, { damping: 0.5, say: `${say} x` }),
];

const body: Body = {
  name: 'pusher',
  timestep: 0.01,
  integrator: 'Euler',
  iterations: 20,
  gravity: [0, 0, 0],
  usual: {
    joint: { armature: 0.04, damping: 1 },
    shape: { contype: 0, conaffinity: 0, condim: 1, density: 300, friction: [0.8, 0.1, 0.1], margin: 0.002 },
  },
  ground: [{ type: 'plane', name: 'table', at: [0, 0.5, -0.325], size: [1, 1, 0.1], ...touching }],
  parts: [
    ...chain([
      {
        name: 'r_shoulder_pan_link',
        at: [0, -0.6, 0],
        joints: [hinge('r_shoulder_pan_joint', Z, [-2.2854, 1.714602], { say: 'shoulder pan' })],
        shapes: [
          ball(0.05, { name: 'right_eye', at: [-0.06, 0.05, 0.2], look: 'structure' }),
          ball(0.05, { name: 'left_eye', at: [0.06, 0.05, 0.2], look: 'structure' }),
          ball(0.03, { name: 'right_pupil', at: [-0.06, 0.09, 0.2], look: 'accent' }),
          ball(0.03, { name: 'left_pupil', at: [0.06, 0.09, 0.2], look: 'accent' }),
          rod([0, 0, -0.4], [0, 0, 0.2], 0.1, { name: 'stand', look: 'structure' }),
        ],
      },
      {
        name: 'r_shoulder_lift_link',
        at: [0.1, 0, 0],
        joints: [hinge('r_shoulder_lift_joint', Y, [-0.5236, 1.3963], { say: 'shoulder lift' })],
        shapes: [crosswise(0.1, 0.1, { name: 'shoulder' })],
      },
      {
        name: 'r_upper_arm_roll_link',
        at: [0, 0, 0],
        joints: [hinge('r_upper_arm_roll_joint', X, [-1.5, 1.7], { damping: 0.1, say: 'upper arm roll' })],
        shapes: [along(-0.1, 0.1, 0.02)],
      },
      { name: 'r_upper_arm_link', at: [0, 0, 0], shapes: [along(0, 0.4, 0.06, { name: 'upper_arm' })] },
      {
        name: 'r_elbow_flex_link',
        at: [0.4, 0, 0],
        joints: [hinge('r_elbow_flex_joint', Y, [-2.3213, 0], { damping: 0.1, say: 'elbow' })],
        shapes: [crosswise(0.02, 0.06, { name: 'elbow' })],
      },
      {
        name: 'r_forearm_roll_link',
        at: [0, 0, 0],
        joints: [hinge('r_forearm_roll_joint', X, [-1.5, 1.5], { damping: 0.1, say: 'forearm roll' })],
        shapes: [along(-0.1, 0.1, 0.02)],
      },
      { name: 'r_forearm_link', at: [0, 0, 0], shapes: [along(0, 0.291, 0.05, { name: 'forearm' })] },
      {
        name: 'r_wrist_flex_link',
        at: [0.321, 0, 0],
        joints: [hinge('r_wrist_flex_joint', Y, [-1.094, 0], { damping: 0.1, say: 'wrist' })],
        shapes: [crosswise(0.02, 0.01)],
      },
      {
        name: 'r_wrist_roll_link',
        at: [0, 0, 0],
        joints: [hinge('r_wrist_roll_joint', X, [-1.5, 1.5], { damping: 0.1, say: 'wrist roll' })],
        shapes: [
          crosswise(0.1, 0.02, { ...touching, name: 'palm' }),
          rod([0, -0.1, 0], [0.1, -0.1, 0], 0.02, { ...touching, name: 'right_finger' }),
          rod([0, 0.1, 0], [0.1, 0.1, 0], 0.02, { ...touching, name: 'left_finger' }),
        ],
      },
      {
        name: 'tips_arm',
        at: [0, 0, 0],
        shapes: [ball(0.01, { name: 'right_tip', at: [0.1, -0.1, 0] }), ball(0.01, { name: 'left_tip', at: [0.1, 0.1, 0] })],
      },
    ]),
    {
      name: 'object',
      at: [0.45, -0.05, -0.275],
      joints: sliding('obj', 'object'),
      shapes: [{ type: 'cylinder', size: [0.05, 0.05, 0.05], density: 0.01, contype: 1, conaffinity: 0, look: 'accent' }],
    },
    {
      name: 'goal',
      at: [0.45, -0.05, -0.323],
      joints: sliding('goal', 'goal'),
      shapes: [{ type: 'cylinder', size: [0.08, 0.001, 0.1], density: 0.00001, look: 'goal' }],
    },
  ],
  motors: [
    'r_shoulder_pan_joint',
    'r_shoulder_lift_joint',
    'r_upper_arm_roll_joint',
    'r_elbow_flex_joint',
    'r_forearm_roll_joint',
    'r_wrist_flex_joint',
    'r_wrist_roll_joint',
  ].map((joint) => ({ joint, gear: 1 })),
  strength: 2,
};
const { positions, speeds } = coordinatesOf(body);
const HAND = 3 * bodyNumber(body, 'tips_arm');
const OBJECT = 3 * bodyNumber(body, 'object');
const GOAL = 3 * bodyNumber(body, 'goal');
const LEAST = 0.17; // m between object and goal at the start

/** The arm is drawn back with the hand over the table, so that cylinder and goal are seen. */
const WAITS: Gait = {
  frequency: 0,
  stiffness: 8,
  damping: 1.5,
  joints: [0.75, -0.3, 0, -1.9, 0, -0.5, 0].map((mean) => [mean, 0, 0] as const),
};

const config = z.strictObject({
  maxSteps: stepsField(100, SOURCE),
  frameSkip: frameSkipField(5, SOURCE),
  rewardNearWeight: weightField(0.5, {
    title: 'near',
    description: 'Taken off per metre between hand and cylinder.',
    slider: [0, 5],
    source: SOURCE,
  }),
  rewardDistWeight: weightField(1, {
    title: 'distance',
    description: 'Taken off per metre between cylinder and goal.',
    slider: [0, 5],
    source: SOURCE,
  }),
  rewardControlWeight: weightField(0.1, {
    title: 'control',
    description: 'Taken off per sum of squared actions.',
    slider: [0, 1],
    source: SOURCE,
  }),
  ...physicsFields(0, SOURCE),
});

const distance = (xpos: Float64Array, a: number, b: number): number => {
  let square = 0;
  for (let i = 0; i < 3; i++) square += (xpos[a + i]! - xpos[b + i]!) ** 2;
  return sqrt(square);
};

export const mujocoPusher = defineBody<z.infer<typeof config>>({
  id: 'mujoco-pusher',
  title: 'Pusher (MuJoCo)',
  summary: 'Push a cylinder to a goal with an arm of seven joints.',
  config,
  body,
  actions: positions.slice(0, MOTORS),
  terms: [
    { id: 'dist', title: 'distance', weights: ['rewardDistWeight'] },
    { id: 'ctrl', title: 'control', weights: ['rewardControlWeight'] },
    { id: 'near', title: 'near', weights: ['rewardNearWeight'] },
  ],
  look: { bounds: [-0.35, -0.75, 0, 0.95, 0.4, 0.65], lift: 0.325, seenFrom: 1.9 },
  reads: ['xpos'],
  start(_c, qpos, qvel, draw) {
    do {
      qpos[7] = -0.15 + 0.15 * draw.spread();
      qpos[8] = 0.2 * draw.spread();
    } while (sqrt(qpos[7]! * qpos[7]! + qpos[8]! * qpos[8]!) <= LEAST);
    for (let i = 0; i < MOTORS; i++) qvel[i] = 0.005 * draw.spread();
    qvel.fill(0, MOTORS);
  },
  rules: (c) => ({
    labels: [
      ...positions.slice(0, MOTORS),
      ...speeds.slice(0, MOTORS),
      ...['hand', 'object', 'goal'].flatMap((what) => ['x', 'y', 'z'].map((axis) => `${what} ${axis}`)),
    ],
    kept: 9, // places of hand, object and goal
    keep({ xpos }, floats, at) {
      copy(xpos, HAND, 3, floats, at);
      copy(xpos, OBJECT, 3, floats, at + 3);
      copy(xpos, GOAL, 3, floats, at + 6);
    },
    observe({ floats, q, v, kept }, obs, at) {
      copy(floats, q, MOTORS, obs, at);
      copy(floats, v, MOTORS, obs, at + MOTORS);
      copy(floats, kept, 9, obs, at + 2 * MOTORS);
    },
    judge(_row, { xpos }, actions, action, terms, at) {
      terms[at] = -c.rewardDistWeight * distance(xpos, OBJECT, GOAL);
      terms[at + 1] = -c.rewardControlWeight * squares(actions, action, MOTORS);
      terms[at + 2] = -c.rewardNearWeight * distance(xpos, OBJECT, HAND);
      return false;
    },
  }),
  policies: { stance: () => follow(body, WAITS, 0) },
  references: [
    { name: 'random', value: -150, source: 'uniform actions, 200 episodes' },
    { name: 'published PPO', value: -40.4, source: 'CleanRL benchmark, 1M steps' },
    { name: 'published SAC', value: -22.5, source: 'CleanRL benchmark, 1M steps' },
    { name: 'solved', value: 0, source: 'Gymnasium, reward threshold of Pusher-v5' },
  ],
});
