/** The lander's body, legs and moon: numbers of Gymnasium's `box2d/lunar_lander.py`, whose unit of length is 30 to the metre. */
import type { GroundPiece, WorldShape } from '../solver/solver.ts';

export const SCALE = 30;
export const FPS = 50;
export const WIDTH = 600 / SCALE;
export const HEIGHT = 400 / SCALE;
export const PAD = HEIGHT / 4;
/** Pieces of the moon between equally spaced heights. */
export const CHUNKS = 11;
export const LEG_DOWN = 18 / SCALE;
export const LEG_AWAY = 20 / SCALE;
export const LEG: readonly [number, number] = [2 / SCALE, 8 / SCALE];
/** Counterclockwise from the lower right. */
export const HULL = [17, -10, 17, 0, 14, 17, -14, 17, -17, 0, -17, -10].map((x) => x / SCALE);

const LEG_SPEED = 0.3;
const LEG_TORQUE = 40;
export const SIDES = [-1, 1] as const;

export const landerWorld: WorldShape = {
  bodies: [
    { shape: { corners: HULL }, density: 5, friction: 0.1 },
    ...SIDES.map(() => ({ shape: { box: LEG }, density: 1, friction: 0.2 })),
  ],
  hinges: SIDES.map((side, i) => ({
    a: 0,
    b: i + 1,
    at: [0, 0, side * LEG_AWAY, LEG_DOWN] as const,
    limits: side < 0 ? ([0.9 - 0.5, 0.9] as const) : ([-0.9, -0.9 + 0.5] as const),
  })),
  contacts: 24,
  step: 1 / FPS,
  iterations: [180, 60],
};

export const chunkX = (i: number): number => (WIDTH / (CHUNKS - 1)) * i;

/** Heights of the moon [11] from those drawn [12]: the pad in the middle, then each the mean of three, almost. */
export function smoothed(drawn: readonly number[]): number[] {
  const middle = (CHUNKS - 1) / 2;
  const height = drawn.map((h, i) => (Math.abs(i - middle) <= 2 ? PAD : h));
  const at = (i: number): number => height[(i + height.length) % height.length]!;
  return Array.from({ length: CHUNKS }, (_, i) => 0.33 * (at(i - 1) + at(i) + at(i + 1)));
}

/** A floor at the very bottom, and the edges between the heights. */
export function moonOf(heights: ArrayLike<number>): GroundPiece[] {
  const edges = Array.from({ length: CHUNKS - 1 }, (_, i) => ({
    corners: [chunkX(i), heights[i]!, chunkX(i + 1), heights[i + 1]!],
    friction: 0.1,
    body: 0,
  }));
  return [{ corners: [0, 0, WIDTH, 0], friction: 0.2, body: 0 }, ...edges];
}

export const legMotor = (side: number): readonly [speed: number, torque: number] => [LEG_SPEED * side, LEG_TORQUE];
