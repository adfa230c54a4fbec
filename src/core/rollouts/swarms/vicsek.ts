/**
 * Vicsek's model without learners (envs/swarms/vicsek-swarm.ts, envs/swarms/lib/vicsek.ts), a thread a member. State: place x, y (m, from 0),
 * unit vector x, y of the angle. The new angle is that of the neighbours' mean vector plus noise: here the mean vector is turned by the
 * noise, which is the same and needs no arctangent. Noise draws are the environment's, word for word.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import { vicsekSwarm as entry, type VicsekConfig } from '#core/envs/swarms/vicsek-swarm.ts';
import { cos, sin } from '#math/functions.ts';
import type { Kit } from '../../engine/kit.ts';
import { uniformOf } from '../row.ts';
import { cellsFor, folded, neighbours, WIDE } from './cells.ts';
import { checkSwarm, type Swarm } from './swarm.ts';

/** `members`: how many there are, instead of what the config says. Throws LabError('config-invalid'). */
export function vicsek(config: JsonObject, members?: number): Swarm {
  const c = entry.parse(config) as VicsekConfig;
  const N = members ?? c.particles;
  const box = checkSwarm(entry.id, c, N, c.speed);
  const sizes = cellsFor(N, box, c.radius);
  const reach = c.radius * c.radius;

  function move<F, W, B>(k: Kit<F, W, B>, slot: W): void {
    const own = k.times(slot, WIDE);
    const sums = [k.floatVariable(0), k.floatVariable(0)] as const;
    neighbours(k, slot, box, sizes, (at, dx, dy) => {
      k.when(k.atMost(k.add(k.mul(dx, dx), k.mul(dy, dy)), reach), () =>
        sums.forEach((sum, d) => {
          sum.set(k.add(sum.get(), k.float('near', k.plus(at, 2 + d))));
        }),
      );
    });
    const [x, y] = [sums[0].get(), sums[1].get()];
    const size = k.sqrt(k.add(k.mul(x, x), k.mul(y, y)));
    const some = k.below(0, size);
    // No direction at all is the angle 0, as the arctangent has it.
    const cosine = k.pick(some, k.div(x, size), 1);
    const sine = k.pick(some, k.div(y, size), 0);
    const member = k.word('order', slot);
    const low = k.plus(k.word('feed', 2), member);
    const high = k.plus(k.word('feed', 3), k.choose(k.less(low, member), 1, 0));
    const uniform = uniformOf(k, k.random(k.word('feed', 0), k.word('feed', 1), low, high));
    const noise = k.mul(c.eta, k.sub(uniform, 0.5));
    const [turnX, turnY] = [k.cos(noise), k.sin(noise)];
    const now = [k.sub(k.mul(cosine, turnX), k.mul(sine, turnY)), k.add(k.mul(sine, turnX), k.mul(cosine, turnY))] as const;
    const to = k.times(member, WIDE);
    now.forEach((heading, d) => {
      const place = k.add(k.float('near', k.plus(own, d)), k.mul(c.speed, heading));
      k.setFloat('state', k.plus(to, d), folded(k, place, box));
      k.setFloat('state', k.plus(to, 2 + d), heading);
    });
  }

  return {
    sizes,
    box,
    low: 0,
    start(rng) {
      const state = new Float32Array(N * WIDE);
      for (let i = 0; i < N; i++) {
        const angle = Math.PI * (2 * rng.uniform() - 1);
        state.set([box * rng.uniform(), box * rng.uniform(), cos(angle), sin(angle)], i * WIDE);
      }
      return state;
    },
    move,
  };
}
