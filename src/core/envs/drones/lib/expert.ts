/** Flies drones through the DSL controller to places that are read from their observations. */
import { sqrt } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import type { FlightConfig } from '../../lib/drones/config.ts';
import { ownNumbers } from './flight.ts';

/**
 * `goal` writes the wanted place relative to the drone (m), from the task's numbers at `o`. Needs an action type that takes places or
 * velocities; with motor speeds it keeps hover speed. `memory`: past actions in the observation.
 */
export function expertTo(c: FlightConfig, memory: number, goal: (obs: Float32Array, o: number, out: Float64Array) => void): ScriptedPolicy {
  const to = new Float64Array(3);
  const own = ownNumbers(c, memory);
  return {
    act(env, { obs }, out) {
      const { obsSize: O, actionSize: D } = env.meta;
      for (let slot = 0; slot < env.batch * c.drones; slot++) {
        const a = slot * D;
        const o = slot * O;
        goal(obs, o + own, to);
        const [x, y, z] = [to[0]!, to[1]!, to[2]!];
        if (c.actionType === 'pid' || c.actionType === 'pid-offset') {
          const here = c.actionType === 'pid' ? 1 : 0;
          out[a] = x + here * obs[o]!;
          out[a + 1] = y + here * obs[o + 1]!;
          out[a + 2] = z + here * obs[o + 2]!;
        } else if (c.actionType === 'vel') {
          out[a] = x;
          out[a + 1] = y;
          out[a + 2] = z;
          out[a + 3] = Math.min(1, 8 * sqrt(x * x + y * y + z * z));
        } else for (let d = 0; d < D; d++) out[a + d] = c.actionType === 'motor-rpm' ? 0 : Math.min(1, Math.max(-1, 2 * z));
      }
    },
  };
}
