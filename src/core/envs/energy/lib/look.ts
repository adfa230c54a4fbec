/**
 * What the building looks like: a room cut open, in it a thermometer whose sphere climbs with the temperature past the comfort band, a
 * second one outdoors, a person while people are in, a stove that grows out of the floor as it heats (orange) or cools (blue), and the
 * sun on its way. y up, metres; a degree is 0.05 m.
 */
import type { BodiesLayout, BodyPart } from '#contract/game/frames.ts';
import { cos, sin } from '#math/functions.ts';
import { putPart } from '../../lib/bodies.ts';

const COLDEST = -10; // °C at the foot of a thermometer
const DEGREE = 0.05; // m
const FOOT = 0.15;
const INSIDE = -0.75; // x of the thermometers
const OUTSIDE = 2.1;

const part = (
  name: string,
  shape: BodyPart['shape'],
  size: readonly number[],
  colour: BodyPart['colour'],
  tag?: BodyPart['tag'],
): BodyPart => ({ name, shape, size, colour, ...(tag && { tag }) });

export const ROOM: BodiesLayout = {
  kind: 'bodies',
  parts: [
    part('room', 'sphere', [0.13], 1, { text: 'room', number: 'room (°C)' }),
    part('outdoors', 'sphere', [0.13], 0, { text: 'outdoors', number: 'outdoors (°C)' }),
    part('lower edge', 'box', [0.5, 0.03, 0.3], 'goal'),
    part('upper edge', 'box', [0.5, 0.03, 0.3], 'goal', { text: 'comfort band' }),
    part('person', 'capsule', [0.16, 0.5], 5, { text: 'people in' }),
    part('heater', 'box', [0.7, 1, 0.25], 'hazard', { text: 'heating', number: 'heat (W)' }),
    part('cooler', 'box', [0.7, 1, 0.25], 0, { text: 'cooling', number: 'heat (W)' }),
    part('sun', 'sphere', [0.25], 'accent', { text: 'sun' }),
  ],
  extra: [],
  bounds: [-2, 0, -1.2, 3, 3.4, 1.2],
  fixtures: [
    { kind: 'box', at: [0.5, -0.05, 0], size: [5.2, 0.1, 2.4], colour: 'ground' },
    { kind: 'box', at: [-0.2, 0.03, 0], size: [3.2, 0.06, 2], colour: 1, faint: true },
    { kind: 'box', at: [-0.2, 1.3, -1], size: [3.2, 2.6, 0.08], colour: 'structure', faint: true },
    { kind: 'box', at: [-1.8, 1.3, -0.1], size: [0.08, 2.6, 1.8], colour: 'structure', faint: true },
    { kind: 'box', at: [1.4, 0.5, -0.1], size: [0.08, 1, 1.8], colour: 'structure', faint: true },
    { kind: 'box', at: [-0.2, 2.64, -0.4], size: [3.4, 0.1, 1.4], colour: 'structure' },
    { kind: 'box', at: [INSIDE, 1.2, -0.3], size: [0.05, 2.2, 0.05], colour: 'structure' },
    { kind: 'box', at: [OUTSIDE, 1.2, -0.3], size: [0.05, 2.2, 0.05], colour: 'structure' },
  ],
};

interface Shown {
  readonly room: number; // °C
  readonly outdoors: number;
  readonly heat: number; // -1..1
  readonly hour: number;
  readonly low: number; // °C, edges of the band
  readonly high: number;
}

const heightOf = (celsius: number) => Math.min(2.3, Math.max(0.1, FOOT + DEGREE * (celsius - COLDEST)));

function put(out: Float32Array, index: number, x: number, y: number, z: number, there = true): void {
  putPart(out, index, x, y, 0);
  out[7 * index + 2] = z;
  if (!there) out.fill(0, 7 * index + 3, 7 * index + 7);
}

/** Writes the parts; returns where the extra numbers begin. */
export function drawRoom(s: Shown, occupied: boolean, out: Float32Array): number {
  put(out, 0, INSIDE, heightOf(s.room), -0.3);
  put(out, 1, OUTSIDE, heightOf(s.outdoors), -0.3);
  put(out, 2, INSIDE, heightOf(s.low), -0.3);
  put(out, 3, INSIDE, heightOf(s.high), -0.3);
  put(out, 4, -0.05, 0.48, 0.3, occupied);
  put(out, 5, 0.95, s.heat - 0.45, -0.7, s.heat > 0);
  put(out, 6, 0.95, -s.heat - 0.45, -0.7, s.heat < 0);
  const angle = (Math.PI * (s.hour - 6)) / 12; // up at six, down at eighteen
  const up = s.hour > 6 && s.hour < 18;
  put(out, 7, 0.5 - 2.2 * cos(angle), 1.2 + 2 * sin(angle), -1.1, up);
  return 7 * ROOM.parts.length;
}
