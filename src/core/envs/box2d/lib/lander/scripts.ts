/** The reference's heuristic: lean towards the pad as far as place and speed ask for, and brake the fall above a line that rises to the sides. */
import type { ScriptedPolicy } from '../../../api/types.ts';
import type { LanderConfig } from './config.ts';

const clip = (x: number, most: number): number => Math.min(most, Math.max(-most, x));

export function landerExpert({ continuous }: LanderConfig): ScriptedPolicy {
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const at = 8 * row;
        const [x, y, vx, vy, angle, spin] = [obs[at]!, obs[at + 1]!, obs[at + 2]!, obs[at + 3]!, obs[at + 4]!, obs[at + 5]!];
        const down = obs[at + 6]! > 0 || obs[at + 7]! > 0;
        const lean = clip(x * 0.5 + vx, 0.4);
        const turn = down ? 0 : (lean - angle) * 0.5 - spin;
        const lift = down ? -vy * 0.5 : (0.55 * Math.abs(x) - y) * 0.5 - vy * 0.5;
        if (continuous) {
          out[2 * row] = clip(lift * 20 - 1, 1);
          out[2 * row + 1] = clip(-turn * 20, 1);
        } else if (lift > Math.abs(turn) && lift > 0.05) out[row] = 2;
        else if (turn < -0.05) out[row] = 3;
        else out[row] = turn > 0.05 ? 1 : 0;
      }
    },
  };
}
