/** What the drills of VolleyBots share: the court of 18 x 9 m, settings, the numbers of drone and ball, scripted hits. */
import type { Fixture } from '#contract/game/frames.ts';
import { maxStepsField } from '../../api/limits.ts';
import type { Recommended, ScriptedPolicy } from '../../api/types.ts';
import { airframeOf } from './airframes.ts';
import { BY_BODY, BY_RACKET, RADIUS } from './ball.ts';
import { command } from './command.ts';
import { type HallConfig, hallShape, isStandard } from './config.ts';
import { type Hall, OWN, writeBetween, writeOwn, writeVector } from './game.ts';
import { aimHit, type Plan, planHit } from './hit.ts';
import { type Wish, wish } from './pilot.ts';
import { hover } from './rally.ts';

export const LENGTH = 18; // m
export const WIDTH = 9;
export const NET = 2.43;
export const DRILL_COURT: Fixture = { kind: 'court', length: LENGTH, width: WIDTH, net: NET, netDepth: 1 };
export const FAULT = 10; // cost

/** First offer of drills that reward alone has not taught to anything here: what their script would do is cloned, wherever the learner's play leads. */
export const ASKED: Recommended = { algo: 'dagger', config: { hidden: [128, 128], bufferSize: 100_000 }, steps: 100_000 };

export interface DrillConfig extends HallConfig {
  readonly maxSteps: number;
}

/** Fields of a drill's schema; horizon in steps of 0.02 s. */
export function drillShape(horizon: number) {
  return {
    ...hallShape,
    maxSteps: maxStepsField(horizon, 'VolleyBots'),
  };
}

export function isStandardDrill(c: DrillConfig, horizon: number): boolean {
  return c.maxSteps === horizon && isStandard(c);
}

/** Ball outside the lines. */
export function out(s: Float64Array, b: number): boolean {
  return Math.abs(s[b]!) > LENGTH / 2 || Math.abs(s[b + 1]!) > WIDTH / 2;
}

/** Ball in the net. */
export function inNet(s: Float64Array, b: number): boolean {
  return Math.abs(s[b]!) < 3 * RADIUS && Math.abs(s[b + 1]!) < WIDTH / 2 && s[b + 2]! < NET;
}

/** What the touch of a drone counts as: 1 right, -1 a fault, 0 none. `last`: step of its last right hit (0 none), `gap`: steps that must lie between. */
export function countTouch(touch: number, now: number, last: number, gap: number): -1 | 0 | 1 {
  if (touch === BY_BODY) return -1;
  if (touch !== BY_RACKET) return 0;
  return last > 0 && now - last <= gap ? -1 : 1;
}

/** Own state, place off the anchor, drone minus ball, ball velocity: the 32 numbers of a drill. `anchor`: three numbers. */
export function writeDrill(
  hall: Hall,
  row: number,
  k: number,
  anchor: ArrayLike<number>,
  at: number,
  out32: Float32Array,
  o: number,
): void {
  const { floats } = hall;
  const s = hall.at(row, k);
  const b = hall.ballAt(row);
  writeOwn(hall, row, k, 1, out32, o);
  for (let i = 0; i < 3; i++) out32[o + OWN + i] = floats[s + i]! - anchor[at + i]!;
  writeBetween(floats, s, b, 1, out32, o + OWN + 3);
  writeVector(floats[b + 3]!, floats[b + 4]!, floats[b + 5]!, 1, out32, o + OWN + 6);
}

/** Where a scripted player of a drill sends the ball. */
export interface Shot {
  readonly height: number; // m, of the ball when it is hit
  readonly x: number;
  readonly y: number;
  readonly apex: number; // m above the hit
  readonly drop: number; // m: how much lower the place is
}

/**
 * A scripted player: `shotOf` says for drone k of a row where to send the ball, or null to wait at its place `home` (three numbers per drone).
 */
export function drillPolicy(
  c: HallConfig,
  drones: number,
  home: ArrayLike<number>,
  shotOf: (obs: Float32Array, o: number, k: number) => Shot | null,
): ScriptedPolicy {
  const frame = airframeOf(c.airframe, c.gravity);
  const to: Wish = wish();
  const plan: Plan = { time: 0, x: 0, y: 0, z: 0 };
  const ball = new Float64Array(6);
  return {
    act(env, { obs }, actions) {
      const { obsSize: O, actionSize: D } = env.meta;
      for (let slot = 0; slot < env.batch * drones; slot++) {
        const k = slot % drones;
        const o = slot * O;
        const shot = shotOf(obs, o, k);
        if (shot === null) hover(to, home[3 * k]!, home[3 * k + 1]!, home[3 * k + 2]!);
        else {
          for (let i = 0; i < 3; i++) {
            ball[i] = obs[o + i]! - obs[o + OWN + 3 + i]!;
            ball[3 + i] = obs[o + OWN + 6 + i]!;
          }
          planHit(ball, 0, shot.height, c.gravity, plan);
          aimHit(to, ball, 0, plan, shot.x, shot.y, shot.apex, c.gravity, c.restitution, shot.drop);
        }
        command(c, frame, obs, o, to, actions, slot * D);
      }
    },
  };
}
