/** The lander's picture: hull, legs, flames while engines burn, two flags beside the pad, and the moon of the episode. x from the pad's middle. */
import type { BodyPart, Fixture, FrameLayout } from '#contract/game/frames.ts';
import { cos, hypot, sin } from '#math/functions.ts';
import { putPart } from '../../../lib/bodies.ts';
import { solidOf } from '../solid.ts';
import { poseOf } from '../solver/solver.ts';
import { CHUNKS, chunkX, HEIGHT, HULL, LEG, PAD, SCALE, WIDTH } from './world.ts';

const DEPTH = 0.8;
const FLAG = [25 / SCALE, 10 / SCALE] as const;
const POLE = 50 / SCALE;
/** Length and thickness of the flames, and where they begin in the hull. */
const MAIN = { length: 0.9, radius: 0.16, x: 0, y: -10 / SCALE };
const WINDOW = { width: 13 / SCALE, height: 8 / SCALE, y: 8 / SCALE };
const SIDE = { length: 0.5, radius: 0.09, x: 17 / SCALE, y: 12 / SCALE };

const flame = (name: string, { length, radius }: typeof MAIN): BodyPart => ({
  name,
  shape: 'capsule',
  size: [radius, length - 2 * radius],
  colour: 'hazard',
  plain: true,
});

const PARTS: readonly BodyPart[] = [
  // the size is that with its legs: rings and names are drawn round all of it
  { name: 'lander', ...solidOf(HULL, DEPTH), size: [1.5, 1.2, DEPTH], colour: 0, plain: true },
  ...['right leg', 'left leg'].map(
    (name): BodyPart => ({ name, shape: 'box', size: [2 * LEG[0], 2 * LEG[1], DEPTH * 0.7], colour: 'structure', plain: true }),
  ),
  flame('main flame', MAIN),
  flame('left flame', SIDE),
  flame('right flame', SIDE),
  { name: 'window', shape: 'box', size: [WINDOW.width, WINDOW.height, DEPTH + 0.03], colour: 'structure', plain: true },
];

function flag(x: number): Fixture[] {
  return [
    { kind: 'box', at: [x, PAD + POLE / 2, 0], size: [0.06, POLE, 0.06], colour: 'structure' },
    { kind: 'box', at: [x + FLAG[0] / 2, PAD + POLE - FLAG[1] / 2, 0], size: [FLAG[0], FLAG[1], 0.05], colour: 'goal' },
  ];
}

const MIDDLE = WIDTH / 2;

export const landerFrame: FrameLayout = {
  kind: 'bodies',
  parts: PARTS,
  fixtures: [...flag(chunkX(4) - MIDDLE), ...flag(chunkX(6) - MIDDLE)],
  profile: { points: CHUNKS, bare: true },
  extra: ['height (m)', 'speed (m/s)'],
  bounds: [-8.2, 1.2, -1.2, 8.2, HEIGHT + 0.3, 1.2],
};

export interface LanderPicture {
  readonly words: Uint32Array;
  readonly at: number;
  readonly heights: ArrayLike<number>;
  /** Power of the main engine, 0 to 1, and of the side engines, below 0 the one that turns to the left. */
  readonly engines: readonly [main: number, side: number];
  readonly velocity: readonly [x: number, y: number];
}

export function drawLander(out: Float32Array, { words, at, heights, engines, velocity }: LanderPicture): void {
  const hull = poseOf(words, at, 0);
  for (let i = 0; i < 3; i++) {
    const [x, y, angle] = poseOf(words, at, i);
    putPart(out, i, x - MIDDLE, y, angle);
  }
  const [main, side] = engines;
  putFlame(out, 3, hull, MAIN, 0, -1, main > 0);
  putFlame(out, 4, hull, { ...SIDE, x: -SIDE.x }, -1, 0, side > 0);
  putFlame(out, 5, hull, SIDE, 1, 0, side < 0);
  putPart(out, 6, hull[0] - MIDDLE - sin(hull[2]) * WINDOW.y, hull[1] + cos(hull[2]) * WINDOW.y, hull[2]);
  const from = PARTS.length * 7;
  for (let i = 0; i < CHUNKS; i++) {
    out[from + 2 * i] = chunkX(i) - MIDDLE;
    out[from + 2 * i + 1] = heights[i]!;
  }
  out[from + 2 * CHUNKS] = hull[1] - PAD;
  out[from + 2 * CHUNKS + 1] = hypot(velocity[0], velocity[1]);
}

/** A capsule lies along its own y; it leaves the hull along (dx, dy). */
function putFlame(
  out: Float32Array,
  part: number,
  [x, y, angle]: readonly [number, number, number],
  { length, x: fx, y: fy }: typeof MAIN,
  dx: number,
  dy: number,
  burns: boolean,
): void {
  if (!burns) {
    out.fill(0, part * 7, part * 7 + 7);
    return;
  }
  const lx = fx + (dx * length) / 2;
  const ly = fy + (dy * length) / 2;
  const s = sin(angle);
  const c = cos(angle);
  putPart(out, part, x - MIDDLE + c * lx - s * ly, y + s * lx + c * ly, dx === 0 ? angle : angle + Math.PI / 2);
}
