/** The state of drone environments: fields, and the drones as golden files name them. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { defineState } from '../../api/state.ts';
import type { StateField, StateSpec } from '../../api/types.ts';
import { actionNumbers, usesPid } from '../../lib/drones/actions.ts';
import { angles, BODY, POS, QUAT, RATES, rotation, SPIN, setAttitude, VEL } from '../../lib/drones/body.ts';
import type { FlightConfig } from '../../lib/drones/config.ts';
import { PID_MEMORY } from '../../lib/drones/dsl-pid.ts';
import type { Task } from '../../lib/drones/task.ts';

/** `memory` actions are part of the state. */
export function flightState(c: FlightConfig, task: Task, memory: number): StateSpec {
  const own: StateField[] = [
    {
      name: 'drones',
      type: 'f64',
      shape: [c.drones, BODY],
      doc: 'per drone position 3 (m), quaternion x y z w, velocity 3 (m/s), body rates 3, world rates 3 (rad/s), rpm 4',
    },
  ];
  if (usesPid(c.actionType))
    own.push({
      name: 'pid',
      type: 'f64',
      shape: [c.drones, PID_MEMORY],
      doc: 'controller of each drone: integrals of position (m s) and attitude error, last roll, pitch, yaw (rad)',
    });
  if (memory > 0)
    own.push({ name: 'past', type: 'f64', shape: [c.drones, memory, actionNumbers(c.actionType)], doc: 'last actions, oldest first' });
  return defineState(
    1,
    [...own, ...task.fields, { name: 'steps', type: 'u32', shape: [], doc: 'control steps done in this episode' }],
    ['pid', 'past', ...(task.optional ?? [])],
  );
}

const vector = (value: Json | undefined, n: number): readonly number[] =>
  Array.isArray(value) ? (value as readonly number[]) : new Array<number>(n).fill(0);

/** Golden drones { pos, rpy, vel, bodyRates } to the floats of a body; what is missing is 0. */
export function bodyOf(drone: JsonObject): readonly number[] {
  const s = new Float64Array(BODY);
  const [roll = 0, pitch = 0, yaw = 0] = vector(drone.rpy, 3);
  s.set(vector(drone.pos, 3), POS);
  setAttitude(roll, pitch, yaw, s, QUAT);
  s.set(vector(drone.vel, 3), VEL);
  s.set(vector(drone.bodyRates, 3), RATES);
  const R = new Float64Array(9);
  rotation(s, QUAT, R);
  for (let i = 0; i < 3; i++) s[SPIN + i] = R[3 * i]! * s[RATES]! + R[3 * i + 1]! * s[RATES + 1]! + R[3 * i + 2]! * s[RATES + 2]!;
  return Array.from(s);
}

/** The floats of a body as golden files name them. */
export function goldenDrone(values: readonly number[]): JsonObject {
  const rpy = new Float64Array(3);
  angles(values, QUAT, rpy, 0);
  const part = (from: number, n: number) => values.slice(from, from + n);
  return {
    pos: part(POS, 3),
    quat: part(QUAT, 4),
    rpy: Array.from(rpy),
    vel: part(VEL, 3),
    bodyRates: part(RATES, 3),
    angVelWorld: part(SPIN, 3),
    z: values[POS + 2]!,
    vz: values[VEL + 2]!,
  };
}
