/** Hopper and walker: flat upright bodies that run ahead and stay healthy. Their parts, settings and rules. */
import { z } from 'zod';
import { type Body, coordinatesOf, DEGREE, hinge, type Joint, type Part, pill, type Shape, slide, type Triple } from './mjcf.ts';
import {
  CONTROL,
  controlWeight,
  copy,
  copyCut,
  ENDS_UNHEALTHY,
  EXCLUDED,
  FORWARD,
  forwardWeight,
  healthyWeight,
  SURVIVE,
  squares,
} from './rules.ts';
import {
  frameSkipField,
  noiseField,
  observedField,
  physicsFields,
  type Range,
  rangeField,
  stepsField,
  switchField,
  within,
} from './settings.ts';
import type { BodyConfig, Rules } from './task.ts';

const HEIGHT = 1.25; // m, of the torso's middle
const BACK: Triple = [0, -1, 0];
const MOST_SPEED = 10; // observed speeds are cut to this
const root = { armature: 0, damping: 0, stiffness: 0 };

export const torsoJoints: readonly Joint[] = [
  slide('rootx', [1, 0, 0], undefined, { ...root, at: [0, 0, -HEIGHT], say: 'x' }),
  slide('rootz', [0, 0, 1], undefined, { ...root, at: [0, 0, -HEIGHT], ref: HEIGHT, say: 'height' }),
  hinge('rooty', [0, 1, 0], undefined, { ...root, say: 'pitch' }),
];

export const torso = (shape: Partial<Shape>, parts: readonly Part[]): Part => ({
  name: 'torso',
  at: [0, 0, HEIGHT],
  joints: torsoJoints,
  shapes: [pill(0.05, 0.2, shape)],
  parts,
});

export interface Leg {
  /** Behind the names of parts, before those of joints: '' or '_left'. */
  readonly side: string;
  readonly say: string;
  /** Friction of bones and of the foot. */
  readonly grip: readonly [bone: number, foot: number];
  /** Where the foot's joint is behind its frame, its middle and half length, m. */
  readonly foot: readonly [joint: number, middle: number, half: number];
  readonly look?: Shape['look'];
}

/** Thigh, leg and foot; every joint bends backwards. */
export function legOf({ side, say, grip, foot, look }: Leg): Part {
  const [joint, middle, half] = foot;
  const shape = (friction: number) => ({ friction: [friction], ...(look !== undefined && { look }) });
  return {
    name: `thigh${side}`,
    at: [0, 0, -0.2],
    joints: [hinge(`thigh${side}_joint`, BACK, [-150 * DEGREE, 0], { say: `${say}thigh` })],
    shapes: [pill(0.05, 0.225, { at: [0, 0, -0.225], ...shape(grip[0]) })],
    parts: [
      {
        name: `leg${side}`,
        at: [0, 0, -0.7],
        joints: [hinge(`leg${side}_joint`, BACK, [-150 * DEGREE, 0], { at: [0, 0, 0.25], say: `${say}leg` })],
        shapes: [pill(0.04, 0.25, shape(grip[0]))],
        parts: [
          {
            name: `foot${side}`,
            at: [joint, 0, -0.35],
            joints: [hinge(`foot${side}_joint`, BACK, [-45 * DEGREE, 45 * DEGREE], { at: [-joint, 0, 0.1], say: `${say}foot` })],
            shapes: [pill(0.06, half, { at: [-middle, 0, 0.1], quat: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0], ...shape(grip[1]) })],
          },
        ],
      },
    ],
  };
}

/** The settings of both; `angle`: the widest healthy pitch. */
export const uprightFields = (source: string, height: Range, angle: number) => ({
  maxSteps: stepsField(1000, source),
  frameSkip: frameSkipField(4, source),
  resetNoiseScale: noiseField(0.005, source),
  excludeCurrentPositions: observedField(EXCLUDED.title, EXCLUDED.description, source),
  terminateWhenUnhealthy: switchField(true, ENDS_UNHEALTHY.title, ENDS_UNHEALTHY.description, source),
  healthyZRange: rangeField(height[0] ?? null, height[1] ?? null, 'healthy height', 'Of the torso, m.', source),
  healthyAngleRange: rangeField(-angle, angle, 'healthy pitch', 'Of the torso, rad.', source),
  forwardRewardWeight: forwardWeight(1, source),
  healthyReward: healthyWeight(1, source),
  ctrlCostWeight: controlWeight(0.001, source),
  ...physicsFields(9.81, source),
});

const fieldsOnly = z.strictObject(uprightFields('', [0, 0], 0));
export type UprightConfig = z.infer<typeof fieldsOnly> & BodyConfig;

export const UPRIGHT_TERMS = [FORWARD, SURVIVE, CONTROL];

/** `healthy`: a further condition on all positions and speeds. */
export function uprightRules(
  body: Body,
  dt: number,
  c: UprightConfig,
  healthy: (qpos: Float64Array, qvel: Float64Array) => boolean,
): Rules {
  const { positions, speeds } = coordinatesOf(body);
  const n = positions.length;
  const m = body.motors.length;
  const skip = c.excludeCurrentPositions ? 1 : 0;
  return {
    labels: [...positions.slice(skip), ...speeds],
    kept: 0,
    keep() {},
    observe({ floats, q, v }, obs, at) {
      copy(floats, q + skip, n - skip, obs, at);
      copyCut(floats, v, n, MOST_SPEED, obs, at + n - skip);
    },
    judge({ floats, q }, { qpos, qvel }, actions, action, terms, at) {
      const well = within(qpos[1]!, c.healthyZRange) && within(qpos[2]!, c.healthyAngleRange) && healthy(qpos, qvel);
      terms[at] = (c.forwardRewardWeight * (qpos[0]! - floats[q]!)) / dt;
      terms[at + 1] = well ? c.healthyReward : 0;
      terms[at + 2] = -c.ctrlCostWeight * squares(actions, action, m);
      return !well && c.terminateWhenUnhealthy;
    },
    show({ floats, q, v }, out, at) {
      out[at] = floats[q]!;
      out[at + 1] = floats[v]!;
    },
  };
}

export const UPRIGHT_LOOK = { bounds: [-1.1, -0.7, 0, 1.1, 0.7, 1.7], travels: true, numbers: ['distance (m)', 'speed (m/s)'] } as const;
