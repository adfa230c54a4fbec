/** The valley of both mountain cars: height 0.45 sin(3 x) + 0.55 (drawn only), its start, its frame. */
import type { FrameLayout } from '#contract/frames.ts';
import { atan2, cos, sin } from '../math/functions.ts';
import { putPart } from './bodies.ts';
import { defineState } from './state.ts';

export const MIN_POSITION = -1.2;
export const MAX_POSITION = 0.6;
export const MAX_SPEED = 0.07;
export const START_LOW = -0.6;
export const START_HIGH = -0.4;

export const hillState = defineState(1, [
  { name: 'position', type: 'f64', shape: [], doc: 'place along the track, -1.2 to 0.6' },
  { name: 'velocity', type: 'f64', shape: [], unit: 'per step', doc: 'speed along the track, at most 0.07' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const height = (x: number) => 0.45 * sin(3 * x) + 0.55;
const slopeAngle = (x: number) => atan2(1.35 * cos(3 * x), 1);

const SEGMENTS = 24;
const WIDTH = (MAX_POSITION - MIN_POSITION) / SEGMENTS;

export function hillFrame(): FrameLayout {
  return {
    kind: 'bodies',
    parts: [
      { name: 'car', shape: 'box', size: [0.14, 0.06, 0.08], colour: 0 },
      { name: 'flag', shape: 'box', size: [0.02, 0.25, 0.02], colour: 'goal' },
      ...Array.from({ length: SEGMENTS }, (_, i) => ({
        name: `ground ${i + 1}`,
        shape: 'box' as const,
        size: [WIDTH * 1.75, 0.02, 0.2],
        colour: 'ground' as const,
      })),
    ],
    extra: [],
    bounds: [MIN_POSITION, 0, -0.3, MAX_POSITION, 1.3, 0.3],
  };
}

export function drawHill(out: Float32Array, position: number, goal: number): void {
  const angle = slopeAngle(position);
  putPart(out, 0, position - 0.04 * sin(angle), height(position) + 0.04 * cos(angle), angle);
  putPart(out, 1, goal, height(goal) + 0.125, 0);
  for (let i = 0; i < SEGMENTS; i++) {
    const x = MIN_POSITION + (i + 0.5) * WIDTH;
    putPart(out, 2 + i, x, height(x) - 0.01, slopeAngle(x));
  }
}
