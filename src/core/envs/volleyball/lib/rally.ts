/**
 * A scripted player for drone volleyball. The drone of a side that can reach the falling ball best (and may hit it) goes under the place
 * where it will come down to hitting height, tilts its racket so that the bounce sends the ball to a place on the other side, and meets it with the speed
 * that the bounce lacks; all others go to their anchors. Plays whole rallies with ctbr and prt commands; with velocity commands it cannot
 * tilt at will and only meets the ball.
 */
import { sqrt } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { airframeOf } from './airframes.ts';
import { command } from './command.ts';
import { aimHit, type Plan, planHit } from './hit.ts';
import { anchorsOf, type MatchConfig } from './match.ts';
import { type Wish, wish } from './pilot.ts';
import { mayHit, readBall } from './view.ts';

/** Where balls are sent to, in distances of the front row from the net, and over which apex, m above the hit. */
interface Arc {
  readonly far: number;
  readonly apex: number;
}
interface Tactics {
  readonly height: number; // m, of the ball when it is hit
  readonly serve: Arc;
  readonly play: Arc;
}

/** Found by random search over rallies; rotor commands turn the drone differently and want arcs of their own. */
const TACTICS: { readonly [teamSize: number]: { readonly rates: Tactics; readonly rotors: Tactics } } = {
  1: {
    rates: { height: 2.15, serve: { far: 1, apex: 1.2 }, play: { far: 1, apex: 1.2 } },
    rotors: { height: 2.15, serve: { far: 1, apex: 1.5 }, play: { far: 1, apex: 1.5 } },
  },
  3: {
    rates: { height: 2.15, serve: { far: 1, apex: 2.3 }, play: { far: 1, apex: 2.3 } },
    rotors: { height: 2.55, serve: { far: 0.73, apex: 2.25 }, play: { far: 1.03, apex: 3 } },
  },
  6: {
    rates: { height: 2.5, serve: { far: 1.8, apex: 4.5 }, play: { far: 1.67, apex: 3 } },
    rotors: { height: 2.47, serve: { far: 2.13, apex: 3.9 }, play: { far: 1.5, apex: 2.55 } },
  },
};

export function tacticsOf(c: MatchConfig): Tactics {
  const { rates, rotors } = TACTICS[c.teamSize] as { readonly rates: Tactics; readonly rotors: Tactics };
  return c.actionType === 'prt' ? rotors : rates;
}
export const FALLING = 0.2; // m/s: a ball that moves sideways less has not been hit yet

/** Lets a wish stand still over a place. */
export function hover(to: Wish, x: number, y: number, z: number): void {
  to.x = x;
  to.y = y;
  to.z = z;
  to.vx = 0;
  to.vy = 0;
  to.vz = 0;
  to.ax = 0;
  to.ay = 0;
  to.az = 0;
  to.nx = 0;
  to.ny = 0;
  to.nz = 0;
}

export function rallyPolicy(c: MatchConfig): ScriptedPolicy {
  const n = c.teamSize;
  const frame = airframeOf(c.airframe, c.gravity);
  const anchors = anchorsOf(c);
  const { height, serve, play } = tacticsOf(c);
  const to = wish();
  const plan: Plan = { time: 0, x: 0, y: 0, z: 0 };
  const places = new Float64Array(6 * n); // of the ball, mirrored, per drone: position, velocity
  return {
    act(env, { obs }, out) {
      const { obsSize: O, actionSize: D } = env.meta;
      for (let row = 0; row < env.batch; row++)
        for (let side = 0; side < 2; side++) {
          const first = (row * 2 * n + side * n) * O;
          let striker = -1;
          let nearest = Infinity;
          for (let k = 0; k < n; k++) {
            const o = first + k * O;
            readBall(n === 1, obs, o, places, 6 * k);
            planHit(places, 6 * k, height, c.gravity, plan);
            if (!mayHit(n, obs, o) || plan.x < 0.1) continue;
            const d = sqrt((plan.x - obs[o]!) ** 2 + (plan.y - obs[o + 1]!) ** 2);
            if (d < nearest) {
              nearest = d;
              striker = k;
            }
          }
          for (let k = 0; k < n; k++) {
            const o = first + k * O;
            const a = (row * 2 * n + side * n + k) * D;
            if (k === striker) strike(places, 6 * k);
            else hover(to, anchors[3 * k]!, anchors[3 * k + 1]!, anchors[3 * k + 2]!);
            command(c, frame, obs, o, to, out, a);
          }
        }
    },
  };

  /** Sends the ball at `b` of `places` over the net, a serve straight on, else towards the nearest opponent of the front row. */
  function strike(places: Float64Array, b: number): void {
    const vx = places[b + 3]!;
    const vy = places[b + 4]!;
    const arc = vx * vx + vy * vy < FALLING * FALLING ? serve : play;
    planHit(places, b, height, c.gravity, plan);
    let y = Infinity;
    for (let k = 0; k < n; k++) {
      if (anchors[3 * k] !== anchors[0]) continue;
      const there = -anchors[3 * k + 1]!; // opponents stand turned by half a turn
      if (Math.abs(there - plan.y) < Math.abs(y - plan.y)) y = there;
    }
    aimHit(to, places, b, plan, -arc.far * anchors[0]!, y, arc.apex, c.gravity, c.restitution);
  }
}
