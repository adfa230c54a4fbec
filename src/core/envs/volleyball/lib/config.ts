/** Settings that all racket-drone environments share, with the defaults of VolleyBots, and what follows from them. */
import { z } from 'zod';
import { type Vector, windField } from '../../api/vectors.ts';
import { AIRFRAMES, type AirframeName } from './airframes.ts';
import { COMMANDS, type Command } from './quad.ts';

const BOTS = 'VolleyBots';

export interface HallConfig {
  readonly airframe: AirframeName;
  readonly actionType: Command;
  readonly dt: number;
  readonly gravity: number;
  readonly restitution: number;
  readonly wind: Vector;
  readonly drag: number;
  readonly topSpeed: number;
  readonly startNoise: number;
}

export const hallShape = {
  actionType: z.enum(COMMANDS).default('ctbr').meta({
    title: 'commands',
    description: 'Collective thrust and body rates (ctbr), the four rotors (prt), or velocities.',
    source: BOTS,
  }),
  airframe: z
    .enum(AIRFRAMES)
    .default('iris')
    .meta({ title: 'airframe', description: 'Iris, 1.5 kg, or a Crazyflie of 28 g.', source: BOTS }),
  startNoise: z
    .number()
    .min(0)
    .max(0.5)
    .default(0.05)
    .meta({ title: 'start noise', unit: 'm', description: 'Drones start this far around their anchors.' }),
  gravity: z
    .number()
    .min(0.5)
    .max(30)
    .default(9.81)
    .meta({ title: 'gravity', unit: 'm/s²', description: 'Pulls drones and ball.', source: BOTS, group: 'physics' }),
  restitution: z.number().min(0.1).max(1).default(0.8).meta({
    title: 'bounce',
    description: 'Share of the speed of approach that the ball keeps when it meets a racket.',
    source: BOTS,
    live: true,
    group: 'physics',
  }),
  wind: windField(10, 'Acts through the drag.'),
  drag: z.number().min(0).max(2).default(0).meta({
    title: 'drag',
    unit: 'N s/m',
    description: 'Force on a drone per speed through the air; the reference has none.',
    source: BOTS,
    live: true,
    group: 'physics',
  }),
  topSpeed: z.number().min(0.5).max(15).default(5).meta({
    title: 'top speed',
    unit: 'm/s',
    description: 'What 1 means with velocity commands.',
    live: true,
    group: 'physics',
  }),
  dt: z
    .number()
    .min(0.005)
    .max(0.04)
    .default(0.02)
    .meta({ title: 'step', unit: 's', description: 'Control step; physics runs four times as fast.', source: BOTS, group: 'physics' }),
};

export const STANDARD = z.strictObject(hallShape).parse({});

/** Whether everything shared is as in the reference, so that its returns may be compared. */
export function isStandard(c: HallConfig): boolean {
  return (Object.keys(STANDARD) as (keyof HallConfig)[]).every((key) => JSON.stringify(c[key]) === JSON.stringify(STANDARD[key]));
}
