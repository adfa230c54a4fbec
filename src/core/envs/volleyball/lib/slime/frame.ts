/** What SlimeVolley looks like: two slimes, a ball, a net; seen from the side, y up. Lives as named numbers. */
import type { BodiesLayout } from '#contract/game/frames.ts';
import { putPart } from '#core/envs/lib/bodies.ts';
import { BALL, GROUND, HALF, LEFT, NET, PLAYER, RIGHT, WORDS } from './game.ts';

const WALL = 16; // behind it
const DEPTH = 6; // of the ground, for the eye only
/** What the camera frames while the rally keeps to the middle; it widens for what does not. */
const CLOSE = 0.62 * HALF;
const HIGH = 9;

export function slimeLayout(netHeight: number): BodiesLayout {
  return {
    kind: 'bodies',
    parts: [
      { name: 'right', shape: 'sphere', size: [PLAYER], colour: 0, model: 'slime' },
      { name: 'left', shape: 'sphere', size: [PLAYER], colour: 1, model: 'slime' },
      { name: 'ball', shape: 'sphere', size: [BALL], colour: 'accent', model: 'ball', trail: true },
      { name: 'net top', shape: 'sphere', size: [NET], colour: 'structure' },
    ],
    extra: ['lives left', 'lives right'],
    bounds: [-CLOSE, 0, -DEPTH / 2, CLOSE, HIGH, DEPTH / 2],
    contacts: 1,
    fixtures: [
      { kind: 'box', at: [0, WALL / 2, -DEPTH / 2 - 0.2], size: [2 * HALF, WALL, 0.2], colour: 'structure', faint: true },
      { kind: 'box', at: [0, GROUND / 2, 0], size: [2 * HALF, GROUND, DEPTH], colour: 'ground' },
      ...[0, 1].map((side) => ({
        kind: 'box' as const,
        at: [(side === 0 ? HALF : -HALF) / 2, GROUND, 0] as const,
        size: [HALF * 0.985, 0.08, DEPTH * 0.94] as const,
        colour: side,
        faint: true,
      })),
      { kind: 'box', at: [0, (GROUND + netHeight) / 2, 0], size: [2 * NET, netHeight - GROUND, DEPTH / 2], colour: 'structure' },
    ],
  };
}

export function slimeFrame(
  f: Float64Array,
  b: number,
  words: Uint32Array,
  w: number,
  ring: number,
  netHeight: number,
  out: Float32Array,
): void {
  putPart(out, 0, f[b + RIGHT]!, f[b + RIGHT + 1]!, 0);
  putPart(out, 1, f[b + LEFT]!, f[b + LEFT + 1]!, 0);
  putPart(out, 2, f[b]!, f[b + 1]!, 0);
  putPart(out, 3, 0, netHeight, 0);
  out[28] = f[b]!;
  out[29] = f[b + 1]!;
  out[30] = 0;
  out[31] = ring;
  out[32] = words[w + WORDS.livesLeft]!;
  out[33] = words[w + WORDS.livesRight]!;
}
