/**
 * Boids without learners (envs/swarms/boids.ts, envs/swarms/lib/flock.ts): the same forces, a thread a member. State: place x, y (m, from
 * -box/2), velocity x, y (m per unit of time). Neighbours are added up in another order than on the host.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import { type BoidsConfig, boids as entry } from '#core/envs/swarms/boids.ts';
import type { Kit } from '../../engine/kit.ts';
import { cellsFor, folded, neighbours, WIDE } from './cells.ts';
import { checkSwarm, type Swarm } from './swarm.ts';

/** A vector cut to a length. */
function cut<F, W, B>(k: Kit<F, W, B>, x: F, y: F, most: number): readonly [F, F] {
  const size = k.sqrt(k.add(k.mul(x, x), k.mul(y, y)));
  const over = k.below(most, size);
  const short = (v: F): F => k.pick(over, k.mul(k.div(v, size), most), v);
  return [short(x), short(y)];
}

/** A sum that grows. */
function total<F, W, B>(k: Kit<F, W, B>) {
  const variable = k.floatVariable(0);
  return { get: () => variable.get(), add: (by: F | number) => variable.set(k.add(variable.get(), by)) };
}

/** `members`: how many there are, instead of what the config says. Throws LabError('config-invalid'). */
export function boids(config: JsonObject, members?: number): Swarm {
  const c = entry.parse(config) as BoidsConfig;
  const N = members ?? c.boids;
  const box = checkSwarm(entry.id, c, N, c.maxSpeed * c.dt);
  const sizes = cellsFor(N, box, Math.max(c.viewRadius, c.separationRadius));
  const near = c.viewRadius * c.viewRadius;
  const close = c.separationRadius * c.separationRadius;

  function move<F, W, B>(k: Kit<F, W, B>, slot: W): void {
    const own = k.times(slot, WIDE);
    const v = [k.float('near', k.plus(own, 2)), k.float('near', k.plus(own, 3))] as const;
    const sum = () => total(k);
    const [seen, crowd] = [sum(), sum()];
    const [speeds, offsets, away] = [[sum(), sum()] as const, [sum(), sum()] as const, [sum(), sum()] as const];
    neighbours(k, slot, box, sizes, (at, dx, dy) => {
      const other = k.not(k.same(at, own));
      const square = k.add(k.mul(dx, dx), k.mul(dy, dy));
      k.when(k.both(other, k.atMost(square, near)), () => {
        seen.add(1);
        [dx, dy].forEach((d, axis) => {
          speeds[axis]?.add(k.float('near', k.plus(at, 2 + axis)));
          offsets[axis]?.add(d);
        });
      });
      k.when(k.both(k.both(other, k.atMost(square, close)), k.below(0, square)), () => {
        crowd.add(1);
        away[0].add(k.div(k.sub(0, dx), square));
        away[1].add(k.div(k.sub(0, dy), square));
      });
    });
    const force = [sum(), sum()] as const;
    const steer = (weight: number, some: F, dx: F, dy: F): void => {
      const far = k.sqrt(k.add(k.mul(dx, dx), k.mul(dy, dy)));
      k.when(k.both(k.below(0, some), k.below(0, far)), () => {
        const wanted = (d: F, now: F): F => k.sub(k.mul(k.div(d, far), c.maxSpeed), now);
        const [fx, fy] = cut(k, wanted(dx, v[0]), wanted(dy, v[1]), c.maxForce);
        force[0].add(k.mul(weight, fx));
        force[1].add(k.mul(weight, fy));
      });
    };
    steer(c.separationWeight, crowd.get(), away[0].get(), away[1].get());
    steer(c.alignmentWeight, seen.get(), speeds[0].get(), speeds[1].get());
    steer(c.cohesionWeight, seen.get(), offsets[0].get(), offsets[1].get());
    const now = cut(k, k.add(v[0], k.mul(force[0].get(), c.dt)), k.add(v[1], k.mul(force[1].get(), c.dt)), c.maxSpeed);
    const to = k.times(k.word('order', slot), WIDE);
    now.forEach((speed, d) => {
      const place = k.add(k.float('near', k.plus(own, d)), k.mul(speed, c.dt));
      k.setFloat('state', k.plus(to, d), k.sub(folded(k, k.add(place, box / 2), box), box / 2));
      k.setFloat('state', k.plus(to, 2 + d), speed);
    });
  }

  return {
    sizes,
    box,
    low: -box / 2,
    start(rng) {
      const state = new Float32Array(N * WIDE);
      for (let i = 0; i < N; i++)
        for (let d = 0; d < WIDE; d++) state[i * WIDE + d] = d < 2 ? box * (rng.uniform() - 0.5) : c.maxSpeed * (1.4 * rng.uniform() - 0.7);
      return state;
    },
    move,
  };
}
