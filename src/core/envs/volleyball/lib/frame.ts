/** How racket-drone environments look: drones with turning rotors, the ball with its trail, the court, rings where the ball was hit; z up. */
import type { BodiesLayout } from '#contract/game/frames.ts';
import { airframeOf } from './airframes.ts';
import { RADIUS } from './ball.ts';
import type { HallConfig } from './config.ts';
import type { BoundGame, Game, Hall } from './game.ts';
import { POS, QUAT, THROTTLE } from './quad.ts';

const PART = 7;
const TOP_RPM = { iris: (838 * 60) / (2 * Math.PI), crazyflie: (2315 * 60) / (2 * Math.PI) };

export function hallLayout(c: HallConfig, game: Game): BodiesLayout {
  const frame = airframeOf(c.airframe, c.gravity);
  return {
    kind: 'bodies',
    up: 'z',
    parts: [
      ...Array.from({ length: game.drones }, (_, k) => ({
        name: game.names[k] ?? `drone ${k + 1}`,
        shape: 'box' as const,
        size: [frame.arm, frame.arm / 2],
        colour: game.colourOf(k),
        model: 'drone' as const,
      })),
      ...(game.ball
        ? [{ name: 'ball', shape: 'sphere' as const, size: [RADIUS], colour: 'accent' as const, model: 'ball' as const, trail: true }]
        : []),
      ...game.parts,
    ],
    extra: game.extra,
    bounds: game.bounds,
    rotors: { count: 4, hover: TOP_RPM[c.airframe] * Math.sqrt((frame.hoverCommand + 1) / 2) },
    contacts: 1,
    fixtures: [{ kind: 'floor' }, ...game.fixtures],
  };
}

export function hallFrame(hall: Hall, game: Game, bound: BoundGame, row: number, rings: Float32Array, out: Float32Array): void {
  const { floats, config } = hall;
  let o = 0;
  for (let k = 0; k < game.drones; k++) {
    const s = hall.at(row, k);
    for (let i = 0; i < 3; i++) out[o + i] = floats[s + POS + i]!;
    for (let i = 0; i < 4; i++) out[o + 3 + i] = floats[s + QUAT + i]!;
    o += PART;
  }
  if (game.ball) {
    const b = hall.ballAt(row);
    for (let i = 0; i < 3; i++) out[o + i] = floats[b + i]!;
    for (let i = 3; i < 6; i++) out[o + i] = 0;
    out[o + 6] = 1;
    o += PART;
  }
  bound.frame?.(row, out, o);
  o += PART * game.parts.length;
  for (let k = 0; k < game.drones; k++) {
    const s = hall.at(row, k) + THROTTLE;
    for (let i = 0; i < 4; i++) out[o++] = TOP_RPM[config.airframe] * floats[s + i]!;
  }
  for (let i = 0; i < 4; i++) out[o++] = rings[4 * row + i]!;
  bound.extra?.(row, out, o);
}
