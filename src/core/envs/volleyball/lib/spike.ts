/**
 * A scripted pair that sets and spikes: the setter plays the ball high over a place near the net; the hitter waits behind it, and just
 * before the ball is down to hitting height leans over so far that the bounce sends the ball down and fast over the net. A racket that
 * leans by more than 42 degrees turns a falling ball downwards: with restitution 0.8 the bounce adds 1.8 cos^2 of its speed upwards.
 */
import { cos, sin, sqrt } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { airframeOf } from './airframes.ts';
import { command } from './command.ts';
import type { HallConfig } from './config.ts';
import { OWN } from './game.ts';
import { aimHit, type Plan, planHit } from './hit.ts';
import { type Wish, wish } from './pilot.ts';
import { hover } from './rally.ts';

/** Found by random search over episodes, rate commands. */
const SPIKE = {
  set: { height: 3.0341, x: 2.6166, y: 1.1862, apex: 1.5582, drop: -1.486 }, // m: ball when it is set, where to, apex above, how much lower
  height: 3.6276, // m, of the ball when it is spiked
  lean: 1.1468, // rad
  turn: 0.5325, // s before the hit the hitter begins to lean
  back: 0.643, // m behind the falling ball it waits
  below: -0.1487, // m below it
  aim: 0.3099, // rad: how far beside the target it leans, since the set ball still drifts
};

/** `home`: three numbers per drone. The target's place relative to the hitter stands in its observation at OWN + 12. */
export function spikePair(c: HallConfig, home: ArrayLike<number>, target: readonly [number, number], s = SPIKE): ScriptedPolicy {
  const frame = airframeOf(c.airframe, c.gravity);
  const to: Wish = wish();
  const plan: Plan = { time: 0, x: 0, y: 0, z: 0 };
  const ball = new Float64Array(6);
  return {
    act(env, { obs }, actions) {
      const { obsSize: O, actionSize: D } = env.meta;
      for (let slot = 0; slot < 2 * env.batch; slot++) {
        const k = slot % 2;
        const o = slot * O;
        for (let i = 0; i < 3; i++) {
          ball[i] = obs[o + i]! - obs[o + OWN + 3 + i]!;
          ball[3 + i] = obs[o + OWN + 6 + i]!;
        }
        const turn = obs[o + OWN + 15 + k] === 1;
        if (k === 0 && turn) {
          planHit(ball, 0, s.set.height, c.gravity, plan);
          aimHit(to, ball, 0, plan, s.set.x, s.set.y, s.set.apex, c.gravity, c.restitution, s.set.drop);
        } else if (k === 1 && turn) {
          planHit(ball, 0, s.height, c.gravity, plan);
          const dx = target[0] - plan.x;
          const dy = target[1] - plan.y;
          const far = sqrt(dx * dx + dy * dy);
          hover(to, plan.x - (s.back * dx) / far, plan.y - (s.back * dy) / far, plan.z - s.below);
          if (plan.time < s.turn) {
            to.nx = (sin(s.lean) * (dx * cos(s.aim) - dy * sin(s.aim))) / far;
            to.ny = (sin(s.lean) * (dx * sin(s.aim) + dy * cos(s.aim))) / far;
            to.nz = cos(s.lean);
          }
        } else hover(to, home[3 * k]!, home[3 * k + 1]!, home[3 * k + 2]!);
        command(c, frame, obs, o, to, actions, slot * D);
      }
    },
  };
}
