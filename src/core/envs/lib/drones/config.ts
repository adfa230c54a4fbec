/** Settings that every drone environment shares, with the defaults of gym-pybullet-drones, and what follows from them. */
import { z } from 'zod';
import type { JsonObject } from '#contract/kit/json.ts';
import { cos, sin } from '#math/functions.ts';
import { badConfig } from '../../api/parse.ts';
import { isWindy, type Vector, windField } from '../../api/vectors.ts';
import { airframe, MODELS } from './airframe.ts';
import type { Craft } from './body.ts';

const GYM = 'gym-pybullet-drones';
export const ACTION_TYPES = ['motor-rpm', 'thrust', 'rpm', 'one-d-rpm', 'pid', 'pid-offset', 'vel', 'one-d-pid'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];
/** Action types that the DSL controller carries out. */
const PID_TYPES: ReadonlySet<ActionType> = new Set(['pid', 'pid-offset', 'vel', 'one-d-pid']);

export interface FlightConfig {
  readonly model: (typeof MODELS)[number];
  readonly drones: number;
  readonly physics: 'dyn' | 'dyn-gnd' | 'dyn-drag' | 'dyn-dw' | 'dyn-all';
  readonly contact: boolean;
  readonly wind: Vector;
  readonly payload: number;
  readonly gravity: number;
  readonly physicsHz: number;
  readonly controlHz: number;
  readonly actionType: ActionType;
  readonly start: 'diagonal' | 'stack' | 'ring';
  readonly spacing: number | null;
}

/** Fields of a schema: `actions[0]` is the default. */
export function flightShape<const T extends readonly [ActionType, ...ActionType[]]>(o: {
  readonly drones: readonly [min: number, max: number, standard: number];
  readonly actions: T;
  readonly controlHz: number;
}) {
  return {
    model: z.enum(MODELS).default('CF2X').meta({
      title: 'airframe',
      description: 'Crazyflie with rotors between the axes (CF2X) or on them (CF2P), or a racer.',
      source: GYM,
    }),
    drones: z
      .int()
      .min(o.drones[0])
      .max(o.drones[1])
      .default(o.drones[2])
      .meta({ title: 'drones', description: 'How many fly.', source: GYM }),
    actionType: z
      .enum(o.actions)
      .default(o.actions[0] as never)
      .meta({
        title: 'commands',
        description: 'What an action means: motor speeds, or targets that the DSL controller flies to.',
        source: GYM,
      }),
    physics: z.enum(['dyn', 'dyn-gnd', 'dyn-drag', 'dyn-dw', 'dyn-all']).default('dyn').meta({
      title: 'air',
      description: 'Added to the rigid body: ground effect (gnd), rotor drag (drag), downwash of other drones (dw), or all three.',
      source: GYM,
      live: true,
      group: 'physics',
    }),
    contact: z.boolean().default(false).meta({
      title: 'contact',
      description: 'Floor and other drones are solid; off, as in the explicit dynamics of the reference, all pass through.',
      live: true,
      group: 'physics',
    }),
    wind: windField(20, 'Felt through the rotor drag, which a wind switches on.'),
    payload: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .meta({
        title: 'payload',
        unit: 'kg',
        description: 'Carried at the centre; controllers and actions do not know of it. A Crazyflie weighs 0.027 kg.',
        live: true,
        group: 'physics',
        slider: [0, 0.02] as const,
      }),
    gravity: z.number().min(0.1).max(30).default(9.8).meta({
      title: 'gravity',
      unit: 'm/s²',
      description: 'Controllers and hover speeds are set for it.',
      source: GYM,
      group: 'physics',
    }),
    physicsHz: z
      .int()
      .min(30)
      .max(4800)
      .default(240)
      .meta({ title: 'physics rate', unit: 'Hz', description: 'Integration steps a second.', source: GYM }),
    controlHz: z.int().min(1).max(4800).default(o.controlHz).meta({
      title: 'control rate',
      unit: 'Hz',
      description: 'Actions a second; divides the physics rate.',
      source: GYM,
    }),
    start: z.enum(['diagonal', 'stack', 'ring']).default('diagonal').meta({
      title: 'start',
      description: 'In a row across the floor as in the reference, one above the other, or on a ring.',
      source: GYM,
    }),
    spacing: z.number().min(0.05).max(5).nullable().default(null).meta({
      title: 'start spacing',
      unit: 'm',
      description: 'Between neighbours; empty: four arm lengths, or 0.5 m in a stack.',
      depth: 'research',
    }),
  };
}

/** How long an episode is. */
export function episodeField(standard: number, source?: string) {
  return z
    .number()
    .min(0.1)
    .max(600)
    .default(standard)
    .meta({
      title: 'episode',
      unit: 's',
      description: 'Cut (truncated) after this time.',
      ...(source !== undefined && { source }),
      log: true,
    });
}

/** Throws LabError('config-invalid') for what the schema cannot say. */
export function craftOf(c: FlightConfig): Craft {
  if (c.physicsHz % c.controlHz !== 0)
    throw badConfig('controlHz', `${c.controlHz} Hz does not divide the physics rate ${c.physicsHz} Hz.`, `Try ${divisors(c.physicsHz)}.`);
  if (c.model === 'RACE' && PID_TYPES.has(c.actionType))
    throw badConfig('actionType', 'The DSL controller flies CF2X and CF2P only.', 'Choose motor speeds, or another airframe.');
  const frame = airframe(c.model, c.gravity);
  const all = c.physics === 'dyn-all';
  return {
    frame,
    mass: frame.mass + c.payload,
    weight: frame.weight + c.gravity * c.payload,
    air: {
      ground: all || c.physics === 'dyn-gnd',
      drag: all || isWindy(c.wind) || c.physics === 'dyn-drag',
      downwash: all || c.physics === 'dyn-dw',
      wind: [c.wind.x, c.wind.y, c.wind.z],
    },
    dt: 1 / c.physicsHz,
  };
}

function divisors(hz: number): string {
  return [240, 120, 80, 60, 48, 40, 30, 24, 20, 10].filter((rate) => hz % rate === 0).join(', ') || String(hz);
}

/** Start of drone k: x, y, z in m. */
export function startOf(c: FlightConfig, k: number, out: Float64Array): void {
  const frame = airframe(c.model, c.gravity);
  const floor = frame.height / 2 + 0.1;
  if (c.start === 'stack') {
    out[0] = 0;
    out[1] = 0;
    out[2] = floor + k * (c.spacing ?? 0.5);
    return;
  }
  const gap = c.spacing ?? 4 * frame.arm;
  if (c.start === 'ring') {
    const radius = Math.max(gap, (gap * c.drones) / (2 * Math.PI));
    out[0] = radius * ringCos(k, c.drones);
    out[1] = radius * ringSin(k, c.drones);
  } else {
    out[0] = gap * k;
    out[1] = gap * k;
  }
  out[2] = floor;
}

export const ringCos = (k: number, n: number): number => cos((2 * Math.PI * k) / n);
export const ringSin = (k: number, n: number): number => sin((2 * Math.PI * k) / n);

/** Golden configs say `dt` (for information) and `controlTimestep` (s) where we say rates. */
export function fromGoldenConfig(config: JsonObject): JsonObject {
  const { dt: _, controlTimestep, ...rest } = config;
  return typeof controlTimestep === 'number' ? { ...rest, controlHz: Math.round(1 / controlTimestep) } : rest;
}
