/**
 * Quadrotors of gym-pybullet-drones: Crazyflie 2.x with rotors between the axes (CF2X) or on them (CF2P), and a racer (RACE).
 * SI units, rotor speeds in rpm, body axes x ahead, y left, z up. Rotor i pushes kf rpm^2 along z and turns the body by km rpm^2.
 * Source: `utiasDSL/gym-pybullet-drones` at 90b178a, its airframe files and `envs/BaseAviary.py`.
 */
import { sqrt } from '#math/functions.ts';

export const MODELS = ['CF2X', 'CF2P', 'RACE'] as const;
export type Model = (typeof MODELS)[number];

export interface Airframe {
  readonly model: Model;
  readonly mass: number; // kg
  readonly arm: number; // m
  readonly kf: number; // N/rpm^2
  readonly km: number; // Nm/rpm^2
  readonly thrustToWeight: number;
  readonly inertia: readonly [number, number, number]; // kg m^2
  readonly maxSpeed: number; // km/h, of the velocity action only
  readonly propeller: number; // radius, m
  readonly groundCoefficient: number;
  readonly drag: readonly [xy: number, z: number];
  readonly downwash: readonly [number, number, number];
  readonly height: number; // of the collision cylinder, m
  readonly radius: number;
  readonly rotors: readonly (readonly [x: number, y: number])[]; // m, height 0
  // what follows from these and from gravity
  readonly weight: number; // N
  readonly hoverRpm: number;
  readonly maxRpm: number;
  readonly maxThrust: number; // N
  readonly maxTiltTorque: number; // Nm
  readonly maxYawTorque: number;
  readonly groundClip: number; // lowest height that the ground effect knows, m
}

const AIR = {
  groundCoefficient: 11.36859,
  drag: [9.1785e-7, 10.311e-7],
  downwash: [2267.18, 0.16, -0.11],
  height: 0.025,
  radius: 0.06,
} as const;
const CRAZYFLIE = {
  mass: 0.027,
  arm: 0.0397,
  kf: 3.16e-10,
  km: 7.94e-12,
  thrustToWeight: 2.25,
  maxSpeed: 30,
  propeller: 0.0231348,
  ...AIR,
};
/** Places of the racer's rotors, racer.urdf; `arm` is what its mixer counts with. */
const [RACE_X, RACE_Y] = [0.085, 0.0675];
const FRAMES = {
  CF2X: {
    ...CRAZYFLIE,
    inertia: [1.4e-5, 1.4e-5, 2.17e-5],
    rotors: [
      [0.028, -0.028],
      [-0.028, -0.028],
      [-0.028, 0.028],
      [0.028, 0.028],
    ],
  },
  CF2P: {
    ...CRAZYFLIE,
    inertia: [2.3951e-5, 2.3951e-5, 3.2347e-5],
    rotors: [
      [0.0397, 0],
      [0, 0.0397],
      [-0.0397, 0],
      [0, -0.0397],
    ],
  },
  RACE: {
    mass: 0.83,
    arm: 0.109,
    kf: 8.47e-9,
    km: 2.13e-11,
    thrustToWeight: 4.17,
    maxSpeed: 200,
    propeller: 0.127,
    ...AIR,
    inertia: [3.113e-3, 3.113e-3, 3.113e-3],
    rotors: [
      [RACE_X, RACE_Y],
      [-RACE_X, RACE_Y],
      [-RACE_X, -RACE_Y],
      [RACE_X, -RACE_Y],
    ],
  },
} as const;

/** `gravity` in m/s^2; 9.8 in the reference. */
export function airframe(model: Model, gravity = 9.8): Airframe {
  const frame = FRAMES[model];
  const weight = gravity * frame.mass;
  const maxRpm = sqrt((frame.thrustToWeight * weight) / (4 * frame.kf));
  const top = frame.kf * maxRpm * maxRpm; // N, one rotor
  const maxThrust = 4 * top;
  return {
    model,
    ...frame,
    weight,
    hoverRpm: sqrt(weight / (4 * frame.kf)),
    maxRpm,
    maxThrust,
    maxTiltTorque: model === 'CF2P' ? frame.arm * top : (2 * frame.arm * top) / sqrt(2),
    maxYawTorque: 2 * frame.km * maxRpm * maxRpm,
    groundClip: 0.25 * frame.propeller * sqrt((15 * maxRpm * maxRpm * frame.kf * frame.groundCoefficient) / maxThrust),
  };
}
