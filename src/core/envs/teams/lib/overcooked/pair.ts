/**
 * A scripted pair of cooks: each takes the nearest useful job (jobs.ts) on the shortest way around the other, waits where both want one tile, and
 * steps aside at random where it has none or no way.
 */

import type { ScriptedPolicy } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { kitchenJobs } from './jobs.ts';
import { kitchenOf, PLAYER_WORDS, STAY } from './kitchen.ts';

export function scriptedPair(layout: readonly string[], oldDynamics: boolean): ScriptedPolicy {
  const size = layout.join('').length;
  const words = new Uint32Array(2 * PLAYER_WORDS + 2 * size);
  const { jobOf, goTo, target } = kitchenJobs(kitchenOf(layout, oldDynamics, words));
  const rng = Rng.from(0).split('pair');

  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const json = env.meta.state.toJSON(env.save(row));
        const flat = [json.players, json.objects, json.ticks] as unknown as readonly (readonly (readonly number[])[])[];
        words.set(flat.flat(2));
        for (let p = 0; p < 2; p++) {
          const job = jobOf(p);
          const way = job === null ? -1 : goTo(p, job);
          out[2 * row + p] = way >= 0 ? way : rng.int(5);
        }
        // two who want one tile would stand still for ever
        if (target(0, out[2 * row]!) === target(1, out[2 * row + 1]!)) out[2 * row + rng.int(2)] = STAY;
      }
    },
  };
}
