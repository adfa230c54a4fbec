/**
 * Useful jobs of a cook and the way to them: fill a pot, fetch a dish, take the soup, serve; where walls part the cooks, what one cannot use itself
 * it lays on a counter that both can reach, and the other takes it from there.
 */
import { amount, COOK_TIME, DISH, DX, DY, FULL, INTERACT, isSoup, type Kitchen, NOTHING, ONION, PLAYER_WORDS, STAY } from './kitchen.ts';

export type Wanted = (tile: number) => boolean;
export interface Job {
  readonly wanted: Wanted;
  /** Stand before it, but do nothing yet. */
  readonly wait?: boolean;
}

/** Jobs in a kitchen whose words are read from `look(s)` on. `coming(p, kind)`: how many things of a kind cook p is about to fetch, beside those in its hand. */
export function kitchenJobs(k: Kitchen, coming: (p: number, kind: number) => number = () => 0) {
  const { words, oldDynamics } = k;
  let s = 0;
  const thing = (tile: number) => words[s + k.things + tile]!;
  const tick = (tile: number) => words[s + k.ticks + tile]!;
  const held = (p: number) => words[s + PLAYER_WORDS * p + 3]!;
  const placeOf = (p: number) => words[s + PLAYER_WORDS * p + 1]! * k.width + words[s + PLAYER_WORDS * p]!;
  const pot = (test: (tile: number) => boolean): Wanted | null => {
    const found = k.pots.filter(test);
    return found.length > 0 ? (tile) => found.includes(tile) : null;
  };
  const beside = (tile: number, d: number): number => {
    const x = (tile % k.width) + DX[d]!;
    const y = Math.floor(tile / k.width) + DY[d]!;
    return x < 0 || y < 0 || x >= k.width || y >= k.height ? -1 : y * k.width + x;
  };
  /** Floor that hangs together has one number. */
  const part = new Int32Array(k.tiles.length).fill(-1);
  for (const start of k.floor) {
    if (part[start] !== -1) continue;
    const queue = [start];
    part[start] = start;
    for (const at of queue)
      for (let d = 0; d < 4; d++) {
        const next = beside(at, d);
        if (next < 0 || k.tiles[next] !== ' ' || part[next] !== -1) continue;
        part[next] = start;
        queue.push(next);
      }
  }
  /** Whether cook p can come to stand before a tile, the other one aside. */
  const reaches = (p: number, tile: number) => [0, 1, 2, 3].some((d) => beside(tile, d) >= 0 && part[beside(tile, d)] === part[placeOf(p)]);
  const counters = [...k.tiles].flatMap((tile, i) => (tile === 'X' ? [i] : []));
  /** Things of a kind that lie about or that the other cook has in hand. */
  const underway = (p: number, kind: number) =>
    counters.filter((tile) => thing(tile) === kind).length + (held(1 - p) === kind ? 1 : 0) + coming(1 - p, kind);
  /** Where cook p gets a thing from: a crate with this letter, or a counter it lies on; null: nowhere. */
  const source = (p: number, letter: string, kind: number): Job | null => {
    const wanted = (tile: number) => k.tiles[tile] === letter || (k.tiles[tile] === 'X' && thing(tile) === kind);
    return Array.from(part.keys()).some((tile) => wanted(tile) && reaches(p, tile)) ? { wanted } : null;
  };
  /** Lay down what only the other cook can use. */
  const handOver = (p: number): Job | null => {
    const free = counters.filter((tile) => thing(tile) === NOTHING && reaches(p, tile) && reaches(1 - p, tile));
    return free.length > 0 && part[placeOf(p)] !== part[placeOf(1 - p)] ? { wanted: (tile) => free.includes(tile) } : null;
  };
  const hasRoom = (tile: number) => tick(tile) === 0 && amount(thing(tile)) < FULL;

  const jobOf = (p: number): Job | null => {
    const mine = held(p);
    const cooks = k.pots.some((tile) => reaches(p, tile));
    if (isSoup(mine)) {
      const serves = Array.from(part.keys()).some((tile) => k.tiles[tile] === 'S' && reaches(p, tile));
      return serves ? { wanted: (tile) => k.tiles[tile] === 'S' } : handOver(p);
    }
    if (mine !== NOTHING && !cooks) return handOver(p);
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
    const full = oldDynamics || !cooks ? null : pot((tile) => tick(tile) === 0 && amount(thing(tile)) === FULL);
    if (full) return { wanted: full };
    // the cook for two takes what the other has laid there; the one that fetches does not take it back
    const fed = part[placeOf(p)] !== part[placeOf(1 - p)] && !k.pots.some((tile) => reaches(1 - p, tile));
    const want = (kind: number) => (fed ? 0 : underway(p, kind));
    const waiting = counters.find((tile) => isSoup(thing(tile)) && reaches(p, tile));
    if (waiting !== undefined && !cooks) return { wanted: (tile) => tile === waiting };
    const busy = k.pots.filter((tile) => tick(tile) > 0).length;
    if (busy > want(DISH)) {
      const dish = source(p, 'D', DISH);
      if (dish) return dish;
    }
    const room = k.pots.reduce((n, tile) => n + (hasRoom(tile) ? FULL - amount(thing(tile)) : 0), 0);
    return room > want(ONION) ? source(p, 'O', ONION) : null;
  };

  /** First action of the shortest way to stand before a wanted tile and face it; -1: no way. */
  const goTo = (p: number, job: Job): number => {
    const start = placeOf(p);
    const blocked = placeOf(1 - p);
    const first = new Map<number, number>([[start, -1]]);
    const firstTo = (place: number): number => first.get(place) ?? -1;
    const queue = [start];
    for (const at of queue) {
      for (let d = 0; d < 4; d++) {
        const next = beside(at, d);
        if (next < 0) continue;
        if (job.wanted(next)) {
          if (at !== start) return firstTo(at);
          if (words[s + PLAYER_WORDS * p + 2] !== d) return d;
          return job.wait === true ? STAY : INTERACT;
        }
        if (k.tiles[next] !== ' ' || next === blocked || first.has(next)) continue;
        first.set(next, at === start ? d : firstTo(at));
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
    /** Reads the kitchen whose words begin at `from`. */
    look(from: number): void {
      s = from;
    },
    thing,
    tick,
    held,
    placeOf,
    counters,
    hasRoom,
    reaches,
    jobOf,
    goTo,
    target,
  };
}
