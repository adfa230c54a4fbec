/** The walker's hull and legs: numbers of Gymnasium's `box2d/bipedal_walker.py`, whose unit of length is 30 to the metre. */
import type { WorldShape } from '../solver/solver.ts';

export const SCALE = 30;
export const FPS = 50;
export const WIDTH = 600 / SCALE;
export const HEIGHT = 400 / SCALE;
/** Length of a piece of ground, m; pieces; where the rough ground begins; where the way ends. */
export const STEP = 14 / SCALE;
export const PIECES = 200;
export const START_PAD = 20;
export const GRASS = 10;
export const BASE = HEIGHT / 4;

export const LEG_DOWN = -8 / SCALE;
export const LEG_WIDTH = 8 / SCALE;
export const LEG_HEIGHT = 34 / SCALE;
/** Counterclockwise from the lower right. */
export const HULL = [34, -8, 34, 1, 6, 9, -30, 9, -30, -8].map((x) => x / SCALE);

export const RAYS = 10;
const RANGE = 160 / SCALE;
/** From the hull's origin, m. `at`: the angle's sine and cosine are the caller's. */
export const rayEnd = (x: number, y: number, sine: number, cosine: number): readonly [number, number] => [
  x + sine * RANGE,
  y - cosine * RANGE,
];

export const SIDES = [-1, 1] as const;
const upper = { shape: { box: [LEG_WIDTH / 2, LEG_HEIGHT / 2] as const }, density: 1, friction: 0.2 };
const lower = { shape: { box: [(0.8 * LEG_WIDTH) / 2, LEG_HEIGHT / 2] as const }, density: 1, friction: 0.2 };

export const walkerWorld: WorldShape = {
  bodies: [{ shape: { corners: HULL }, density: 5, friction: 0.1 }, ...SIDES.flatMap(() => [upper, lower])],
  hinges: SIDES.flatMap((_, leg) => [
    { a: 0, b: 1 + 2 * leg, at: [0, LEG_DOWN, 0, LEG_HEIGHT / 2] as const, limits: [-0.8, 1.1] as const },
    { a: 1 + 2 * leg, b: 2 + 2 * leg, at: [0, -LEG_HEIGHT / 2, 0, LEG_HEIGHT / 2] as const, limits: [-1.6, -0.1] as const },
  ]),
  contacts: 48,
  step: 1 / FPS,
  iterations: [180, 60],
};

export const START_X = (STEP * START_PAD) / 2;
export const START_Y = BASE + 2 * LEG_HEIGHT;
