/**
 * Players that know the way: the way-point expert of OGBench (core/envs/lib/maze/expert.ts), alone and with noise, and one that pushes a
 * mass towards its way-points by a spring and a damper. They see where the body is and where the goal is, and remember nothing: their noise
 * is drawn from the numbers that they see.
 */

import { Rng } from '#math/rng.ts';
import { boxMuller } from '../../../api/draws.ts';
import type { ScriptedPolicy } from '../../../api/types.ts';
import { directionTo, subgoalOf } from '../../../lib/maze/expert.ts';
import { cellAt, type Places, xOfCell, yOfCell } from '../../../lib/maze/places.ts';
import type { Ways } from '../../../lib/maze/ways.ts';

type Move = (x: number, y: number, goalX: number, goalY: number, obs: Float32Array, at: number, out: Float64Array) => void;

/** `desired`: where the observation holds the goal; the place is its first two numbers. `noise`: standard deviation of each number of an action. */
function player(move: Move, desired: number, noise: number): ScriptedPolicy {
  const action = new Float64Array(2);
  const bits = new Float32Array(2);
  const words = new Uint32Array(bits.buffer);
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const at = row * env.meta.obsSize;
        move(obs[at]!, obs[at + 1]!, obs[at + desired]!, obs[at + desired + 1]!, obs, at, action);
        if (noise > 0) {
          bits.set([obs[at]!, obs[at + 1]!]);
          const rng = Rng.from((words[0]! ^ Math.imul(words[1]!, 0x9e37_79b1)) >>> 0);
          for (let i = 0; i < 2; i++) action[i] = action[i]! + noise * boxMuller(rng.uniform(), rng.uniform());
        }
        for (let i = 0; i < 2; i++) out[row * 2 + i] = Math.min(1, Math.max(-1, action[i]!));
      }
    },
  };
}

/** OGBench's: the direction to the next way-point is the action. */
export const walker = (ways: Ways, places: Places, desired: number, noise: number): ScriptedPolicy =>
  player((x, y, goalX, goalY, _obs, _at, out) => directionTo(ways, places, x, y, goalX, goalY, out, 0), desired, noise);

/** Of the spring and the damper, for forces of 100 N on 4.2 kg: 1/m and s/m. */
const SPRING = 2;
const DAMPER = 0.6;

/** Of a mass that forces push; in the goal's own cell to the goal itself. Speeds are the observation's third and fourth number. */
export const pusher = (ways: Ways, places: Places, desired: number, noise: number): ScriptedPolicy =>
  player(
    (x, y, goalX, goalY, obs, at, out) => {
      const next = subgoalOf(ways, places, x, y, goalX, goalY);
      const there = next === cellAt(places, goalX, goalY) && next === cellAt(places, x, y);
      const [toX, toY] = there ? [goalX, goalY] : [xOfCell(places, next), yOfCell(places, next)];
      out[0] = SPRING * (toX - x) - DAMPER * obs[at + 2]!;
      out[1] = SPRING * (toY - y) - DAMPER * obs[at + 3]!;
    },
    desired,
    noise,
  );
