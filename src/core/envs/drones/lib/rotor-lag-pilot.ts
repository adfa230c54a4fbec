/**
 * A hand-made pilot of the lagging quadrotor: wanted acceleration from place and velocity, wanted tilt from it, torques from tilt error
 * and turning rates, thrusts of the four rotors, rotor speeds. Reads the observation of drone-learning-to-fly.
 */
import { sqrt } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { ARM, GRAVITY, MASS, REACTION, SIGN_X, SIGN_Y, SIGN_YAW, TINY } from './rotor-lag.ts';

// found by random search over 64 starts
const PLACE = 11; // 1/s^2
const SPEED = 5.7; // 1/s
const SIDEWAYS = 10; // m/s^2
const TILT = 460; // 1/s^2
const RATE = 68; // 1/s
const YAW_TILT = 18;
const YAW_RATE = 6.2;
const LEAD = 0.88; // of the last change of a rotor's command, once more: rotors lag

export function laggedPilot(): ScriptedPolicy {
  const top = TINY[0];
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const o = row * env.meta.obsSize;
        const n = (i: number) => obs[o + i]!;
        const ax = Math.min(SIDEWAYS, Math.max(-SIDEWAYS, -PLACE * n(0) - SPEED * n(3)));
        const ay = Math.min(SIDEWAYS, Math.max(-SIDEWAYS, -PLACE * n(1) - SPEED * n(4)));
        const az = Math.min(6, Math.max(-6, -PLACE * n(2) - SPEED * n(5))) + GRAVITY;
        const length = sqrt(ax * ax + ay * ay + az * az);
        const lift = MASS * Math.max(1, ax * n(8) + ay * n(11) + az * n(14));
        // wanted up axis in the body's own axes: its x and y are what is left to tilt
        const bx = (ax * n(6) + ay * n(9) + az * n(12)) / length;
        const by = (ax * n(7) + ay * n(10) + az * n(13)) / length;
        const tx = TINY[1] * (-TILT * by - RATE * n(18));
        const ty = TINY[2] * (TILT * bx - RATE * n(19));
        const tz = TINY[3] * (-YAW_TILT * n(9) - YAW_RATE * n(20));
        for (let i = 0; i < 4; i++) {
          const f = 0.25 * (lift + (SIGN_Y[i]! * tx) / ARM - (SIGN_X[i]! * ty) / ARM + (SIGN_YAW[i]! * tz) / REACTION);
          const u = sqrt(Math.min(1, Math.max(0, f / top)));
          const led = u + LEAD * (u - 0.5 * (n(21 + i) + 1));
          out[4 * row + i] = Math.min(1, Math.max(-1, 2 * led - 1));
        }
      }
    },
  };
}
