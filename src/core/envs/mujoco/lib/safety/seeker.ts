/** A script that goes straight to its goal by the lidar, through whatever lies between. */
import type { ScriptedPolicy } from '../../../api/types.ts';
import { BINS, observationOf, type SafetyWorld } from '../../../lib/safety/world.ts';

/** Middle of the strongest bin, moved towards the stronger of its neighbours, rad in -pi..pi. */
function bearing(obs: Float32Array, at: number): number {
  let best = 0;
  for (let k = 1; k < BINS; k++) if (obs[at + k]! > obs[at + best]!) best = k;
  const left = obs[at + ((best + 1) % BINS)]!;
  const right = obs[at + ((best + BINS - 1) % BINS)]!;
  const share = left + right > 0 ? left / (left + right) : 0.5;
  const angle = ((best + share) * 2 * Math.PI) / BINS;
  return angle > Math.PI ? angle - 2 * Math.PI : angle;
}

export function seeker(world: SafetyWorld): ScriptedPolicy {
  const parts = observationOf(world);
  const wanted = world.task === 'push' ? 'push_box_lidar' : 'goal_lidar';
  const aim = parts
    .slice(
      0,
      parts.findIndex(([name]) => name === wanted),
    )
    .reduce((sum, [, length]) => sum + length, 0);
  const car = world.agent === 'car';
  return {
    act({ batch, meta }, { obs }, out) {
      for (let row = 0; row < batch; row++) {
        // the front of the car is -y
        let angle = bearing(obs, row * meta.obsSize + aim) + (car ? Math.PI / 2 : 0);
        if (angle > Math.PI) angle -= 2 * Math.PI;
        const turn = Math.min(1, Math.max(-1, 2 * angle));
        const ahead = Math.abs(angle) < 0.6 ? 1 : 0;
        out[2 * row] = car ? ahead - turn : ahead;
        out[2 * row + 1] = car ? ahead + turn : turn;
      }
    },
  };
}
