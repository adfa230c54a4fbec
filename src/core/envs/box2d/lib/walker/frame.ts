/** The walker's picture: it stays in the middle while the way passes below; the rays of its lidar end at the ground; flags at the start and the end. x from the start. */
import type { BodyPart, FrameLayout } from '#contract/game/frames.ts';
import { putPart } from '../../../lib/bodies.ts';
import { solidOf } from '../solid.ts';
import { poseOf } from '../solver/solver.ts';
import { GRASS, HULL, LEG_HEIGHT, LEG_WIDTH, PIECES, RAYS, START_PAD, START_X, STEP } from './world.ts';

const DEPTH = 0.9;
/** The two legs go side by side. */
const ASIDE = 0.26;

const leg = (name: string, width: number, colour: BodyPart['colour']): BodyPart => ({
  name,
  shape: 'box',
  size: [width, LEG_HEIGHT, 0.24],
  colour,
  plain: true,
});
const LEGS = ['far', 'near'].flatMap((side) => [
  leg(`${side} thigh`, LEG_WIDTH, 'structure'),
  leg(`${side} shin`, 0.8 * LEG_WIDTH, 'structure'),
]);
const POLE = 1.6;
const FLAGS = [(START_PAD / 2) * STEP - 2.4, (PIECES - GRASS) * STEP];

const PARTS: readonly BodyPart[] = [
  { name: 'walker', ...solidOf(HULL, DEPTH), colour: 0, plain: true },
  ...LEGS,
  ...FLAGS.flatMap((): BodyPart[] => [
    { name: 'pole', shape: 'box', size: [0.05, POLE, 0.05], colour: 'structure', plain: true },
    { name: 'flag', shape: 'box', size: [0.8, 0.4, 0.04], colour: 'goal', plain: true },
  ]),
  ...Array.from({ length: RAYS }, (): BodyPart => ({ name: 'ray', shape: 'sphere', size: [0.08], colour: 'structure', plain: true })),
];

export const walkerFrame: FrameLayout = {
  kind: 'bodies',
  parts: PARTS,
  profile: { points: 2 * (PIECES - 1) },
  follow: 0,
  extra: ['distance (m)', 'speed (m/s)'],
  bounds: [-5.5, 1.4, -1.4, 7, 7.6, 1.4],
};

export interface WalkerPicture {
  readonly words: Uint32Array;
  readonly at: number;
  readonly outline: Float32Array;
  readonly heights: ArrayLike<number>;
  /** Where the rays end, x and y each; NaN: nowhere. */
  readonly rays: Float64Array;
  readonly distance: number;
  readonly speed: number;
}

export function drawWalker(out: Float32Array, { words, at, outline, heights, rays, distance, speed }: WalkerPicture): void {
  for (let i = 0; i < 5; i++) {
    const [x, y, angle] = poseOf(words, at, i);
    putPart(out, i, x - START_X, y, angle);
    if (i > 0) out[7 * i + 2] = i < 3 ? -ASIDE : ASIDE;
  }
  FLAGS.forEach((x, i) => {
    const ground = heights[Math.round(x / STEP)]!;
    putPart(out, 5 + 2 * i, x - START_X, ground + POLE / 2, 0);
    putPart(out, 6 + 2 * i, x - START_X + 0.4, ground + POLE - 0.2, 0);
    out[7 * (5 + 2 * i) + 2] = -0.9;
    out[7 * (6 + 2 * i) + 2] = -0.9;
  });
  for (let k = 0; k < RAYS; k++) {
    const part = 9 + k;
    if (Number.isNaN(rays[2 * k]!)) out.fill(0, part * 7, part * 7 + 7);
    else putPart(out, part, rays[2 * k]! - START_X, rays[2 * k + 1]!, 0);
  }
  const from = PARTS.length * 7;
  for (let i = 0; i < outline.length; i++) out[from + i] = outline[i]! - (i % 2 === 0 ? START_X : 0);
  out[from + outline.length] = distance;
  out[from + outline.length + 1] = speed;
}
