/**
 * The quadrotors of VolleyBots: Iris (the one it plays with) and a Crazyflie. SI units; rotor i stands at arm (cos, sin) of its angle, its
 * thrust is throttle^2 of the full one, and it turns the body by -direction times its moment.
 * Source: `thu-uav/VolleyBots` at 680493a `robots/assets/usd/*.yaml`, `actuators/rotor_group.py`.
 */
import { cos, sin } from '#math/functions.ts';

export const AIRFRAMES = ['iris', 'crazyflie'] as const;
export type AirframeName = (typeof AIRFRAMES)[number];

export interface Airframe {
  readonly mass: number; // kg
  readonly inertia: readonly [number, number, number]; // kg m^2
  readonly fullThrust: number; // N, one rotor
  readonly fullMoment: number; // Nm, one rotor
  readonly directions: readonly [number, number, number, number];
  readonly x: readonly number[]; // m, of the four rotors
  readonly y: readonly number[];
  readonly arm: number; // m, for the eye
  readonly hoverCommand: number; // of all rotors, -1..1
}

const DATA = {
  iris: {
    mass: 1.52,
    inertia: [0.0347563, 0.0458929, 0.0977],
    arms: [0.255539, 0.238537, 0.255539, 0.238537],
    angles: [-0.533708, 2.565218, 0.533708, -2.565218],
    force: 8.54858e-6,
    moment: 1.36777288e-7,
    top: 838,
    directions: [1, 1, -1, -1],
  },
  crazyflie: {
    mass: 0.028,
    inertia: [1.4e-5, 1.4e-5, 2.17e-5],
    arms: [0.043, 0.043, 0.043, 0.043],
    angles: [Math.PI / 4, (3 * Math.PI) / 4, (5 * Math.PI) / 4, (7 * Math.PI) / 4],
    force: 2.88e-8,
    moment: 7.24e-10,
    top: 2315,
    directions: [-1, 1, -1, 1],
  },
} as const;

/** `mass` in kg replaces the airframe's own where it is not null. */
export function airframeOf(name: AirframeName, gravity: number, mass: number | null = null): Airframe {
  const d = DATA[name];
  const fullThrust = d.top * d.top * d.force;
  const weight = (mass ?? d.mass) * gravity;
  return {
    mass: mass ?? d.mass,
    inertia: d.inertia,
    fullThrust,
    fullMoment: d.top * d.top * d.moment,
    directions: d.directions,
    x: d.angles.map((a, i) => d.arms[i]! * cos(a)),
    y: d.angles.map((a, i) => d.arms[i]! * sin(a)),
    arm: d.arms[0],
    hoverCommand: weight / (2 * fullThrust) - 1,
  };
}

const RESPONSE = 0.43; // share of the way a throttle goes in a control step

/** One control step of a rotor: the new throttle for a command in -1..1. */
export function nextThrottle(throttle: number, command: number): number {
  const wanted = Math.sqrt(Math.min(1, Math.max(0, (command + 1) / 2)));
  return throttle + RESPONSE * (wanted - throttle);
}
