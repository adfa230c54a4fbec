/** Golden checks of gym-pybullet-drones: constants, forces, the controller, the meaning of actions, rewards and ends. N, Nm, rpm, m. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { numberOf } from '../../api/checks.ts';
import { rpmOf } from '../../lib/drones/actions.ts';
import { airframe } from '../../lib/drones/airframe.ts';
import { downwashForce, groundLift, QUAT, rotation, rotorSum, setAttitude, VEL } from '../../lib/drones/body.ts';
import type { FlightConfig } from '../../lib/drones/config.ts';
import { DslPid, PID_MEMORY, target } from '../../lib/drones/dsl-pid.ts';

const list = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? (value as readonly number[]) : []);
const triple = (value: Json | undefined): readonly [number, number, number] => {
  const [x = 0, y = 0, z = 0] = list(value);
  return [x, y, z];
};

function attitude(rpy: Json | undefined): Float64Array {
  const [roll, pitch, yaw] = triple(rpy);
  const q = new Float64Array(4);
  setAttitude(roll, pitch, yaw, q, 0);
  const R = new Float64Array(9);
  rotation(q, 0, R);
  return R;
}

type Check = (c: FlightConfig, inputs: JsonObject, memory: { [key: string]: Json }) => Json;

const constants: Check = (c) => {
  const f = airframe(c.model, c.gravity);
  return {
    M: f.mass,
    L: f.arm,
    KF: f.kf,
    KM: f.km,
    THRUST2WEIGHT_RATIO: f.thrustToWeight,
    GRAVITY: f.weight,
    HOVER_RPM: f.hoverRpm,
    MAX_RPM: f.maxRpm,
    MAX_THRUST: f.maxThrust,
    MAX_XY_TORQUE: f.maxTiltTorque,
    MAX_Z_TORQUE: f.maxYawTorque,
    GND_EFF_H_CLIP: f.groundClip,
    GND_EFF_COEFF: f.groundCoefficient,
    PROP_RADIUS: f.propeller,
    MAX_SPEED_KMH: f.maxSpeed,
    COLLISION_H: f.height,
    COLLISION_R: f.radius,
    COLLISION_Z_OFFSET: 0,
    DW_COEFF_1: f.downwash[0],
    DW_COEFF_2: f.downwash[1],
    DW_COEFF_3: f.downwash[2],
    J: f.inertia,
    DRAG_COEFF: [f.drag[0], f.drag[0], f.drag[1]],
    default_init_z: f.height / 2 + 0.1,
  };
};

const thrust: Check = (c, inputs) => {
  const f = airframe(c.model, c.gravity);
  const squares = list(inputs.rpm).map((w) => w * w);
  const [a = 0, b = 0, d = 0, e = 0] = squares;
  return { propForceZ: squares.map((w) => f.kf * w), yawTorqueZ: (c.model === 'RACE' ? -f.km : f.km) * (b - a + e - d) };
};

const ground: Check = (c, inputs) => {
  const f = airframe(c.model, c.gravity);
  const R = attitude(inputs.rpy);
  if (!(R[8]! > 0)) return { extraPropForceZ: [] };
  const lifts = list(inputs.rpm).map((w, i) => {
    const [x, y] = f.rotors[i] ?? [0, 0];
    return groundLift(f, w * w, numberOf(inputs, 'height') + R[6]! * x + R[7]! * y);
  });
  return { extraPropForceZ: lifts };
};

const drag: Check = (c, inputs) => {
  const f = airframe(c.model, c.gravity);
  const R = attitude(inputs.rpy);
  const sum = rotorSum(list(inputs.lastRpm), 0);
  const [vx, vy, vz] = triple(inputs.velWorld);
  const world = [-f.drag[0] * sum * vx, -f.drag[0] * sum * vy, -f.drag[1] * sum * vz] as const;
  return { forceBody: [0, 1, 2].map((k) => world[0] * R[k]! + world[1] * R[3 + k]! + world[2] * R[6 + k]!) };
};

function wash(c: FlightConfig, dz: number, dx: number, dy: number): number | null {
  const side = Math.sqrt(dx * dx + dy * dy);
  return dz > 0 && side < 10 ? downwashForce(airframe(c.model, c.gravity), dz, side) : null;
}

const pid: Check = (c, inputs, memory) => {
  void inputs.curAngVel; // an argument of the reference that it does not use either: it takes rates from differences of angles
  const controller = new DslPid(airframe(c.model, c.gravity), 1 / c.controlHz);
  const m = Float64Array.from(list(memory.pid).length === PID_MEMORY ? list(memory.pid) : new Array<number>(PID_MEMORY).fill(0));
  const s = new Float64Array(20);
  s.set(list(inputs.curPos), 0);
  s.set(list(inputs.curQuat), QUAT);
  s.set(list(inputs.curVel), VEL);
  const to = target();
  [to.x, to.y, to.z] = triple(inputs.targetPos);
  to.yaw = triple(inputs.targetRpy)[2];
  [to.vx, to.vy, to.vz] = triple(inputs.targetVel);
  [to.rollRate, to.pitchRate, to.yawRate] = triple(inputs.targetRpyRates);
  const rpm = new Float64Array(4);
  controller.control(s, 0, m, 0, to, rpm, 0);
  memory.pid = Array.from(m);
  return {
    rpm: Array.from(rpm),
    posError: [to.x - s[0]!, to.y - s[1]!, to.z - s[2]!],
    yawError: controller.yawError,
  };
};

export const flightChecks: { readonly [check: string]: Check } = {
  'airframe-constants': constants,
  'thrust-and-yaw-torque': thrust,
  'ground-effect': ground,
  drag,
  downwash: (c, inputs) => ({ forceBodyZ: wash(c, numberOf(inputs, 'dz'), numberOf(inputs, 'dx'), numberOf(inputs, 'dy')) }),
  'dsl-pid': pid,
  'normalized-action-to-rpm': (c, inputs) => ({ rpm: rpmOf('thrust', numberOf(inputs, 'action'), airframe(c.model, c.gravity)) }),
  'rl-action-to-rpm': (c, inputs) => ({ rpm: rpmOf('rpm', numberOf(inputs, 'action'), airframe(c.model, c.gravity)) }),
};
