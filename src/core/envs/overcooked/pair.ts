/**
 * A scripted pair of cooks: each takes the nearest useful job (fill a pot, fetch a dish, take the soup, serve) on the shortest way
 * around the other, waits where both want one tile, and steps aside at random where it has none or no way. Both must reach what they need by themselves, so it
 * serves nothing where goods must be handed over a counter.
 */
import { Rng } from '../../math/rng.ts';
import type { ScriptedPolicy } from '../types.ts';
import { amount, COOK_TIME, DISH, DX, DY, FULL, INTERACT, isSoup, kitchenOf, NOTHING, ONION, PLAYER_WORDS, STAY } from './kitchen.ts';

type Wanted = (tile: number) => boolean;
interface Job {
  readonly wanted: Wanted;
  /** Stand before it, but do nothing yet. */
  readonly wait?: boolean;
}

export function scriptedPair(layout: readonly string[], oldDynamics: boolean): ScriptedPolicy {
  const size = layout.join('').length;
  const words = new Uint32Array(2 * PLAYER_WORDS + 2 * size);
  const k = kitchenOf(layout, oldDynamics, words);
  const rng = Rng.from(0).split('pair');
  const thing = (tile: number) => words[k.things + tile] as number;
  const tick = (tile: number) => words[k.ticks + tile] as number;
  const held = (p: number) => words[PLAYER_WORDS * p + 3] as number;
  const placeOf = (p: number) => (words[PLAYER_WORDS * p + 1] as number) * k.width + (words[PLAYER_WORDS * p] as number);
  const pot = (test: (tile: number) => boolean): Wanted | null => {
    const found = k.pots.filter(test);
    return found.length > 0 ? (tile) => found.includes(tile) : null;
  };
  const hasRoom = (tile: number) => tick(tile) === 0 && amount(thing(tile)) < FULL;

  const jobOf = (p: number): Job | null => {
    const mine = held(p);
    const other = held(1 - p);
    if (isSoup(mine)) return { wanted: (tile) => k.tiles[tile] === 'S' };
    if (mine === DISH) {
      const ready = pot((tile) => tick(tile) > COOK_TIME);
      if (ready) return { wanted: ready };
      const cooking = pot((tile) => tick(tile) > 0);
      return cooking && { wanted: cooking, wait: true };
    }
    if (mine !== NOTHING) {
      const open = pot(hasRoom);
      return open && { wanted: open };
    }
    const full = oldDynamics ? null : pot((tile) => tick(tile) === 0 && amount(thing(tile)) === FULL);
    if (full) return { wanted: full };
    const busy = k.pots.filter((tile) => tick(tile) > 0).length;
    if (busy > (other === DISH ? 1 : 0)) return { wanted: (tile) => k.tiles[tile] === 'D' };
    const room = k.pots.reduce((n, tile) => n + (hasRoom(tile) ? FULL - amount(thing(tile)) : 0), 0);
    return room > (other === ONION ? 1 : 0) ? { wanted: (tile) => k.tiles[tile] === 'O' } : null;
  };

  const beside = (tile: number, d: number): number => {
    const x = (tile % k.width) + (DX[d] as number);
    const y = Math.floor(tile / k.width) + (DY[d] as number);
    return x < 0 || y < 0 || x >= k.width || y >= k.height ? -1 : y * k.width + x;
  };

  /** First action of the shortest way to stand before a wanted tile and face it; -1: no way. */
  const goTo = (p: number, job: Job): number => {
    const start = placeOf(p);
    const blocked = placeOf(1 - p);
    const first = new Map<number, number>([[start, -1]]);
    const queue = [start];
    for (const at of queue) {
      for (let d = 0; d < 4; d++) {
        const next = beside(at, d);
        if (next < 0) continue;
        if (job.wanted(next)) {
          if (at !== start) return first.get(at) as number;
          if (words[PLAYER_WORDS * p + 2] !== d) return d;
          return job.wait === true ? STAY : INTERACT;
        }
        if (k.tiles[next] !== ' ' || next === blocked || first.has(next)) continue;
        first.set(next, at === start ? d : (first.get(at) as number));
        queue.push(next);
      }
    }
    return -1;
  };

  const target = (p: number, action: number) => {
    const next = action < STAY ? beside(placeOf(p), action) : -1;
    return next >= 0 && k.tiles[next] === ' ' ? next : placeOf(p);
  };

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
        if (target(0, out[2 * row] as number) === target(1, out[2 * row + 1] as number)) out[2 * row + rng.int(2)] = STAY;
      }
    },
  };
}
