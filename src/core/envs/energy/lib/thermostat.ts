/**
 * A controller that knows the room. While people are in it gives just the heat, or cold, that has the room at the near edge of the comfort
 * band at the end of the step. Before they come it begins with full strength as late as the present weather allows, so that the band is
 * reached when the door opens; else nothing. It does not store heat while that is cheap.
 */
import { atan2 } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { heatFor, type Zone, zoneStep } from './zone.ts';

interface Controlled extends Zone {
  readonly maxHeat: number;
  readonly setPoint: number;
  readonly band: number;
  readonly solver: 'exact' | 'euler';
  readonly levels: boolean;
}

const HOUR = 3600; // s
const ENTER = 8; // o'clock

export function thermostat(c: Controlled): ScriptedPolicy {
  const low = c.setPoint - c.band;
  const high = c.setPoint + c.band;
  /** Steps with full strength until the room is in the band; `most` if it takes as long. */
  const stepsTo = (room: number, outdoors: number, most: number): number => {
    let t = room;
    for (let steps = 0; steps < most; steps++) {
      if (t >= low && t <= high) return steps;
      t = zoneStep(c, t, outdoors, t < low ? c.maxHeat : -c.maxHeat, c.solver);
    }
    return most;
  };
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const o = row * env.meta.obsSize;
        const room = obs[o]!;
        const outdoors = obs[o + 1]!;
        const idle = zoneStep(c, room, outdoors, 0, c.solver);
        const wanted = Math.min(high, Math.max(low, idle));
        const hour = ((12 / Math.PI) * atan2(obs[o + 3]!, obs[o + 4]!) + 24) % 24;
        const left = Math.round((((ENTER - hour + 24) % 24) * HOUR) / c.dt); // steps until people come
        const acts = obs[o + 6] === 1 || left <= 1 || stepsTo(room, outdoors, left + 1) >= left;
        const needed = acts && wanted !== idle ? heatFor(c, room, outdoors, wanted, c.solver) / c.maxHeat : 0;
        const share = Math.min(1, Math.max(-1, needed));
        out[row] = c.levels ? 2 + Math.round(2 * share) : share;
      }
    },
  };
}
