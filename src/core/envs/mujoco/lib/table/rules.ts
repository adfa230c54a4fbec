/** What is observed and paid on the table, as in Gymnasium-Robotics' Fetch tasks, with the wanted place behind the observation. */
import { atan2, sqrt } from '#math/functions.ts';
import type { GoalPlaces } from '../../../api/types.ts';
import type { Row, Rules } from '../task.ts';
import { OBJECT, OBJECT_SPEED } from './model.ts';

export interface TableTask {
  readonly reward: 'sparse' | 'dense';
  readonly threshold: number;
}

/** From qpos: what the goal is about. */
const achievedAt = (withCube: boolean): number => (withCube ? OBJECT : 0);

const AXES = ['x', 'y', 'z'];
const three = (what: string): readonly string[] => AXES.map((axis) => `${what} ${axis}`);

export const labelsOf = (withCube: boolean): readonly string[] => [
  ...three('hand'),
  ...(withCube ? [...three('cube'), ...three('cube from the hand')] : []),
  ...['left finger', 'right finger'],
  ...(withCube ? [...three('cube turned about'), ...three('cube velocity against the hand'), ...three('cube angular velocity')] : []),
  ...three('hand velocity'),
  ...['left finger velocity', 'right finger velocity'],
  ...three('goal'),
];

/** m, between the places at a[i ..] and b[j ..]. */
function distance(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (a[i + k]! - b[j + k]!) ** 2;
  return sqrt(square);
}

/** m, of what is to be moved from where it is wanted. */
const miss = ({ floats, q, fixed }: Row, achieved: number): number => distance(floats, q + achieved, floats, fixed);

/** Where an observation holds what is to be moved, and where it is wanted. */
export const goalsOf = (withCube: boolean): GoalPlaces => ({ size: 3, achieved: withCube ? 3 : 0, desired: withCube ? 25 : 10 });

/** -1 where it is farther than the threshold, else 0; dense: minus the distance. */
function rewardAt({ reward, threshold }: TableTask, distance: number): number {
  return reward === 'dense' ? -distance : distance > threshold ? -1 : 0;
}

/** `dt`: seconds of a step; velocities are observed per step, as there. `parts`: drawn before the goal. */
export function tableRules(c: TableTask, withCube: boolean, dt: number, parts: number): Rules {
  const achieved = achievedAt(withCube);
  return {
    labels: labelsOf(withCube),
    kept: 0,
    keep() {},
    observe({ floats, q, v, fixed }, obs, at) {
      let next = at;
      const put = (from: number, count: number, factor = 1): void => {
        for (let i = 0; i < count; i++) obs[next++] = floats[from + i]! * factor;
      };
      put(q, 3);
      if (withCube) {
        put(q + OBJECT, 3);
        for (let i = 0; i < 3; i++) obs[next++] = floats[q + OBJECT + i]! - floats[q + i]!;
      }
      put(q + 3, 2);
      if (withCube) {
        turns(floats, q + OBJECT + 3, obs, next);
        next += 3;
        for (let i = 0; i < 3; i++) obs[next++] = (floats[v + OBJECT_SPEED + i]! - floats[v + i]!) * dt;
        inWorld(floats, q + OBJECT + 3, v + OBJECT_SPEED + 3, dt, obs, next);
        next += 3;
      }
      put(v, 5, dt);
      put(fixed, 3);
    },
    judge({ floats, fixed }, { qpos }, _actions, _action, terms, at) {
      terms[at] = rewardAt(c, distance(qpos, achieved, floats, fixed));
      return false;
    },
    goalReward: (reached, a, wanted, d) => rewardAt(c, distance(reached, a, wanted, d)),
    measure(row, out, at) {
      out[at] = miss(row, achieved) > c.threshold ? 0 : 1;
    },
    show(row, out, at) {
      for (let i = 0; i < 3; i++) out[parts * 7 + i] = row.floats[row.fixed + i]!;
      out[at] = miss(row, achieved);
    },
  };
}

/** Angles about x, y and z, applied in this order, of the quaternion at floats[q], rad. Fetch's are of turns about z, y, x in this order. */
function turns(floats: Float64Array, q: number, out: Float32Array, at: number): void {
  const [w, x, y, z] = [floats[q]!, floats[q + 1]!, floats[q + 2]!, floats[q + 3]!];
  const up = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  out[at] = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  out[at + 1] = atan2(up, sqrt(1 - up * up));
  out[at + 2] = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** The angular velocity at floats[v], which MuJoCo gives in the cube's own axes, in those of the world, times `dt`. */
function inWorld(floats: Float64Array, q: number, v: number, dt: number, out: Float32Array, at: number): void {
  const [w, x, y, z] = [floats[q]!, floats[q + 1]!, floats[q + 2]!, floats[q + 3]!];
  const [a, b, c] = [floats[v]!, floats[v + 1]!, floats[v + 2]!];
  out[at] = dt * ((1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c);
  out[at + 1] = dt * (2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c);
  out[at + 2] = dt * (2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c);
}
