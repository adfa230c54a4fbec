/** The valley of both mountain cars: height 0.45 sin(3 x) + 0.55 (drawn only), its start, its frame. */
import type { Drive, FrameLayout } from '#contract/game/frames.ts';
import { atan2, cos, sin } from '#math/functions.ts';
import { defineState } from '../../api/state.ts';
import { putPart } from '../../lib/bodies.ts';

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

const POINTS = 64;

/** `drive`: what the motor of the car does. */
export function hillFrame(drive: Pick<Drive, 'values' | 'full'>): FrameLayout {
  const points = Array.from({ length: POINTS + 1 }, (_, i) => {
    const x = MIN_POSITION + ((MAX_POSITION - MIN_POSITION) * i) / POINTS;
    return [x, height(x)];
  });
  return {
    kind: 'bodies',
    parts: [
      { name: 'car', shape: 'box', size: [0.15, 0.08, 0.1], colour: 0 },
      { name: 'flag', shape: 'box', size: [0.015, 0.25, 0.015], colour: 'structure' },
    ],
    extra: [],
    drive: { part: 0, kind: 'push', ...drive },
    bounds: [MIN_POSITION, 0, -0.22, MAX_POSITION, 1.3, 0.22],
    fixtures: [{ kind: 'slope', points: points.flat() }],
  };
}

export function drawHill(out: Float32Array, position: number, goal: number): void {
  const angle = slopeAngle(position);
  putPart(out, 0, position - 0.04 * sin(angle), height(position) + 0.04 * cos(angle), angle);
  putPart(out, 1, goal, height(goal) + 0.125, 0);
}
