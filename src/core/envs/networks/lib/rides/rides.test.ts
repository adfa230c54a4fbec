/** Cases worked out by hand, other ways to the same numbers, and what keeps test days apart from those of training. */
import { describe, expect, it } from 'vitest';
import { present } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { mostReturn } from '../../../../testing/rides-bound.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { ScriptedPolicy } from '../../../api/types.ts';
import { rideDispatch } from '../../ride-dispatch.ts';
import { CHOICES, config, OF, PLACES, SPARE, seedOf } from './config.ts';
import { blocksBetween, drawDay, mostRequests } from './day.ts';
import { bestInsertion, insert, isDrop, noOffer, pickUpOf, requestOf } from './plan.ts';

const numbers = (json: Json | undefined): number[] => (Array.isArray(json) ? json.flat(2).map(Number) : [Number(json)]);

describe('days', () => {
  it('requests come in order, within the city, three blocks at least, as many as the demand says', () => {
    const c = config.parse({ demand: 60 });
    let all = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { times, trips, starts } = drawDay(c, seed);
      all += times.length;
      expect(Array.from(times)).toEqual(Array.from(times).sort((a, b) => a - b));
      expect(times.length).toBeLessThanOrEqual(mostRequests(c));
      expect(starts.length).toBe(2 * c.drivers);
      for (const at of [...trips, ...starts]) expect(at >= 0 && at <= c.side && Number.isInteger(at)).toBe(true);
      for (let r = 0; r < times.length; r++) {
        const [x = 0, y = 0, tx = 0, ty = 0] = trips.subarray(4 * r, 4 * r + 4);
        expect(blocksBetween(x, y, tx, ty)).toBeGreaterThanOrEqual(3);
      }
    }
    // 180 a day; the mean of 40 Poisson numbers has a deviation of 2.1
    expect(Math.abs(all / 40 - 180)).toBeLessThan(8);
  });

  it('no day is among those of training and those held out', () => {
    const told = (given: object) => {
      const c = config.parse(given);
      return Array.from({ length: 50 }, (_, i) => drawDay(c, seedOf(c, i)).trips.join());
    };
    const seen = new Set(told({}));
    expect(seen.size).toBe(50);
    expect(told({ days: 'held-out' }).filter((day) => seen.has(day))).toEqual([]);
  });
});

/** All ways to put two more stops into a list, those there keeping their order. */
function orders(stops: readonly number[], pickUp: number, drop: number): number[][] {
  const out: number[][] = [];
  for (let i = 0; i <= stops.length; i++) {
    const one = stops.toSpliced(i, 0, pickUp);
    for (let j = i + 1; j <= one.length; j++) out.push(one.toSpliced(j, 0, drop));
  }
  return out;
}

describe('one more request in the stops of a driver', () => {
  it('is put where all orders tried one after the other put it, with the same minutes', () => {
    const rng = Rng.from(4);
    let taken = 0;
    for (let round = 0; round < 400; round++) {
      const trips = Array.from({ length: 16 }, () => rng.int(9));
      const times = [0, 1, 2, 3].map(() => rng.int(6));
      const [x, y, now, patience] = [rng.int(9), rng.int(9), 6, 6 + rng.int(12)];
      // up to two others, one of them perhaps aboard
      const stops = [[], [1, 2], [2], [1, 3, 2, 4], [2, 3, 4], [1, 2, 3, 4]][rng.int(6)] ?? [];
      const rides = { trips, times };
      const placeOf = (stop: number) => trips.slice(4 * requestOf(stop) + (isDrop(stop) ? 2 : 0)).slice(0, 2);
      const reached = (list: readonly number[]) => {
        let [minutes, px, py] = [now, x, y];
        return new Map(
          list.map((stop) => {
            const [nx = 0, ny = 0] = placeOf(stop);
            minutes += Math.abs(nx - px) + Math.abs(ny - py);
            [px, py] = [nx, ny];
            return [stop, minutes] as const;
          }),
        );
      };
      const at = (map: ReadonlyMap<number, number>, stop: number) => present(map.get(stop), 'a stop');
      const last = (map: ReadonlyMap<number, number>) => [...map.values()].at(-1) ?? now;
      const before = reached(stops);
      const late = (list: readonly number[]) =>
        list.some((stop) => !isDrop(stop) && at(reached(list), stop) > times[requestOf(stop)]! + patience);
      const fit = orders(stops, 7, 8).filter((list) => !late(list));
      const offer = noOffer();
      // a list whose stops are late already is no case of the world
      if (late(stops)) continue;
      const found = bestInsertion(rides, x, y, stops, 0, stops.length, 3, now, patience, offer);
      expect(found).toBe(fit.length > 0);
      if (!found) continue;
      taken++;
      const best = fit.toSorted((a, b) => last(reached(a)) - last(reached(b)) || at(reached(a), 7) - at(reached(b), 7))[0]!;
      const list = Int32Array.from([...stops, 0, 0]);
      insert(list, 0, stops.length, 3, offer);
      const after = reached([...list]);
      expect(last(after)).toBe(last(reached(best)));
      expect(at(after, 7)).toBe(at(reached(best), 7));
      expect(offer.added).toBe(last(after) - last(before));
      expect(offer.pickUp).toBe(at(after, 7) - now);
      const sum = (drops: boolean) =>
        stops.filter((stop) => isDrop(stop) === drops).reduce((all, stop) => all + at(after, stop) - at(before, stop), 0);
      expect(offer.delay).toBe(sum(false));
      const direct = blocksBetween(trips[12]!, trips[13]!, trips[14]!, trips[15]!);
      expect(offer.detour).toBe(sum(true) - sum(false) + at(after, 8) - at(after, 7) - direct);
    }
    expect(taken).toBeGreaterThan(100);
  });
});

/** One row on a small day. */
function start(seed: number, given: object) {
  const env = rideDispatch.create(given, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(seed), buffers);
  const actions = createActions(env.meta, 1);
  const json = () => env.meta.state.toJSON(env.save(0));
  return {
    env,
    buffers,
    step(by: number | readonly number[] | ScriptedPolicy | undefined) {
      if (typeof by === 'number') actions.fill(by);
      else if (by !== undefined && 'act' in by) by.act(env, buffers, actions);
      else actions.set(by ?? []);
      env.step(actions, buffers);
      return { reward: Array.from(buffers.reward), over: buffers.terminated[0] === 1 };
    },
    json,
    load: (change: JsonObject) => env.load(0, env.meta.state.fromJSON({ ...json(), ...change }), buffers),
    offer: (k: number) => Array.from(buffers.obs.subarray(PLACES.offers + OF.offer * k, PLACES.offers + OF.offer * (k + 1))),
  };
}
const SMALL = { drivers: 2, side: 10, minutes: 60, demand: 12, count: 3, capacity: 1 };
/** A request of a person, from, to and when. */
const asked = (...trips: readonly (readonly number[])[]) =>
  Array.from({ length: SPARE }, (_, k) => (trips[k] === undefined ? [0, 0, 0, 0, 0] : [...trips[k].slice(0, 4), trips[k][4]! + 1]));

describe('ride-dispatch', () => {
  const first = mostRequests(config.parse(SMALL));
  /** Two drivers at the corners, one request of a person, and none of the day. */
  const alone = (given: object = {}, ...trips: readonly (readonly number[])[]) => {
    const world = start(1, { ...SMALL, demand: 1, ...given });
    const own = mostRequests(config.parse({ ...SMALL, demand: 1 }));
    const requests = Array.from({ length: own + SPARE }, (_, r) => (r < own ? 2 : 0));
    const blank = { drivers: [[0, 0], [10, 10]], stops: numbers(world.json().stops).map(() => 0), requests, minute: 0, came: 0, last: 0, lost: 0 }; // biome-ignore format: pairs
    world.load({ ...blank, asked: 'decides' in given ? 0 : own + 1, added: asked(...trips) });
    return { ...world, own };
  };

  it('offers first who is there first; pays one less the wait and the way round', () => {
    const { step, offer, json } = alone({}, [3, 0, 3, 4, 0]);
    expect(offer(0).slice(0, 4)).toEqual([1, 3 / 10, 7 / 10, 0].map(Math.fround));
    expect(offer(1)).toEqual(Array.from({ length: OF.offer }, () => 0)); // 17 minutes away: patience is 10
    expect(step(1).reward[0]).toBeCloseTo(1 - 0.3, 6);
    expect(json()).toMatchObject({ served: 1, waits: 3, last: 1 });
  });

  it('a driver goes a block a minute, along one street and then the other, and lets out where the ride ends', () => {
    const { step, json, own } = alone({ decides: 'drivers', patience: 30 }, [3, 1, 3, 4, 0]);
    step([1, 0]);
    expect(json()).toMatchObject({ drivers: [[2, 0], [10, 10]], stops: [[pickUpOf(own), pickUpOf(own) + 1], [0, 0]] }); // biome-ignore format: pairs
    step(0);
    expect(json()).toMatchObject({ drivers: [[3, 1], [10, 10]], stops: [[pickUpOf(own) + 1, 0], [0, 0]] }); // biome-ignore format: pairs
    step(0);
    step(0);
    expect(json()).toMatchObject({ drivers: [[3, 4], [10, 10]], stops: [[0, 0], [0, 0]] }); // biome-ignore format: pairs
  });

  it('of drivers who ask for the same request the one who is there first gets it', () => {
    const { step } = alone({ decides: 'drivers', patience: 30 }, [3, 1, 3, 4, 0]);
    const { reward } = step([1, 1]);
    expect(reward[0]).toBeCloseTo(1 - 0.4, 6);
    expect(reward[1]).toBe(0);
  });

  it('a second request rides along where there is room, and whom it delays is paid for', () => {
    // aboard to 6 0 on the way; the second goes from 3 1 to 6 1
    const { step, own, load, offer, json } = alone({ capacity: 2 }, [0, 0, 6, 0, 0], [3, 1, 6, 1, 0]);
    load({ asked: own + 2, stops: [[pickUpOf(own) + 1, 0, 0, 0], [0, 0, 0, 0]], requests: Array.from({ length: own + SPARE }, (_, r) => (r === own ? 1 : r < own ? 2 : 0)) }); // biome-ignore format: one line
    // 0 0 - 3 1 - 6 1 - 6 0: eight blocks in place of six
    expect(offer(0).slice(0, 5)).toEqual([1, 4 / 10, 2 / 10, 2 / 10, 1 / 2].map(Math.fround));
    expect(step(1).reward[0]).toBeCloseTo(1 - 0.4 - 0.2 * 0.2, 6);
    expect(json()).toMatchObject({ drivers: [[6, 0], [10, 10]], served: 1 }); // biome-ignore format: pairs
  });

  it('who waits longer than patience is gone', () => {
    const { step, json, own } = alone({ patience: 5, capacity: 1 }, [3, 0, 3, 4, 0]);
    let steps = 0;
    for (let over = false; !over; steps++) over = step(0).over;
    expect(steps).toBe(2); // asked at 0 and at 2; at 4 blank could be there in time
    expect(numbers(json().requests)[own]).toBe(2);
    expect(json()).toMatchObject({ lost: 1, served: 0 });
  });

  it('a person drags a request in, and its goal; beside the city it is none', () => {
    const world = start(3, { ...SMALL, decides: 'drivers' });
    const N = SMALL.drivers;
    const drag = (part: number, x: number, y: number) => {
      world.env.pull?.(0, { part: N + part, at: [0, 0, 0], to: [x, y, 0] });
      world.step(0);
      world.env.pull?.(0, null);
      world.step(0);
    };
    drag(0, -1, 3);
    expect(numbers(world.json().added)).toEqual(numbers(asked()));
    drag(1, 8.2, 40);
    drag(0, 2.4, 3.3);
    expect(numbers(world.json().added).slice(0, 5)).toEqual([2, 3, 8, 10, Number(world.json().minute) + 1]);
    expect(world.json().hand).toEqual([[-1.2, 5], [8, 10]]); // biome-ignore format: pairs
    for (let k = 0; k < 12; k++) drag(0, 5, k % 9);
    expect(numbers(world.json().added).filter((_, i) => i % 5 === 4 && numbers(world.json().added)[i]! > 0).length).toBe(SPARE);
  });

  it('goes on from a state with the same bits, what a person added too', () => {
    for (const decides of ['dispatcher', 'drivers']) {
      const given = { ...SMALL, drivers: 5, demand: 60, capacity: 2, decides };
      const world = start(5, given);
      world.env.pull?.(0, { part: 5, at: [0, 0, 0], to: [4, 4, 0] });
      world.step(1);
      world.env.pull?.(0, null);
      for (let i = 0; i < 6; i++) world.step(1);
      expect(numbers(world.json().added)[4]).toBeGreaterThan(0);
      const other = start(99, given);
      other.load(world.json());
      expect(other.buffers.obs).toEqual(world.buffers.obs);
      for (let i = 0; i < 12; i++) {
        expect(other.step(1 + (i % 2))).toEqual(world.step(1 + (i % 2)));
        expect(other.buffers.obs).toEqual(world.buffers.obs);
      }
    }
  });

  it('the return is what was served less what all waited and went round, followed minute by minute', () => {
    const given = { drivers: 6, side: 10, demand: 60, minutes: 120, capacity: 2, count: 5, dt: 1, decides: 'drivers' };
    const world = start(2, given);
    const c = config.parse(given);
    const { trips, times } = drawDay(c, seedOf(c, Number(world.json().day)));
    const at = (r: number, k: number) => trips[4 * r + k]!;
    const direct = (r: number) => blocksBetween(at(r, 0), at(r, 1), at(r, 2), at(r, 3));
    const [picked, dropped] = [new Map<number, number>(), new Map<number, number>()];
    const stopsNow = () => numbers(world.json().stops);
    const statusNow = () => numbers(world.json().requests);
    let sum = 0;
    for (let over = false; !over; ) {
      const [stops, status, places] = [stopsNow(), statusNow(), numbers(world.json().drivers)];
      const step = world.step(rideDispatch.policies(given).nearest);
      sum += step.reward.reduce((all, each) => all + each, 0);
      over = step.over;
      const now = Number(world.json().minute);
      const after = stopsNow();
      for (const stop of stops) if (stop > 0 && !after.includes(stop)) (isDrop(stop) ? dropped : picked).set(requestOf(stop), now);
      statusNow().forEach((each, r) => {
        if (each !== 1 || status[r] === 1 || after.includes(pickUpOf(r))) return;
        // given and taken in within this minute: at once, or a block away
        const driver = Math.floor(after.indexOf(pickUpOf(r) + 1) / 4);
        const there = places[2 * driver] === at(r, 0) && places[2 * driver + 1] === at(r, 1);
        picked.set(r, there ? now - 1 : now);
      });
    }
    // requests on the way when the day ends are followed along the stops
    const [places, left] = [numbers(world.json().drivers), stopsNow()];
    for (let i = 0; i < c.drivers; i++) {
      let [x, y, minute] = [places[2 * i]!, places[2 * i + 1]!, Number(world.json().minute)];
      for (const stop of left.slice(4 * i, 4 * i + 4).filter((each) => each > 0)) {
        const [r, k] = [requestOf(stop), isDrop(stop) ? 2 : 0];
        minute += blocksBetween(x, y, at(r, k), at(r, k + 1));
        [x, y] = [at(r, k), at(r, k + 1)];
        (k > 0 ? dropped : picked).set(r, minute);
      }
    }
    const { served, waits } = world.json();
    expect(dropped.size).toBe(Number(served));
    let [wait, round] = [0, 0];
    for (const [r, minute] of dropped) {
      const from = present(picked.get(r), 'a pick-up');
      expect(from - times[r]!).toBeLessThanOrEqual(c.patience);
      wait += from - times[r]!;
      round += minute - from - direct(r);
    }
    expect(Number(waits)).toBe(wait);
    expect(sum).toBeCloseTo(Number(served) - 0.1 * wait - 0.02 * round, 3);
    expect(round).toBeGreaterThan(0);
  });

  it('how drivers are numbered changes nothing', () => {
    const given = { drivers: 7, side: 8, demand: 100, minutes: 60, capacity: 2, count: 4 };
    for (const decides of ['dispatcher', 'drivers'])
      for (const name of ['nearest', 'least-added']) {
        const [one, other] = [start(6, { ...given, decides }), start(6, { ...given, decides })];
        const order = [3, 0, 6, 1, 5, 2, 4];
        const mixed = (json: Json | undefined) => (Array.isArray(json) ? order.map((i) => json[i]!) : []);
        other.load({ drivers: mixed(one.json().drivers), stops: mixed(one.json().stops) });
        const script = rideDispatch.policies({ ...given, decides })[name];
        let over = false;
        while (!over) {
          const [a, b] = [one.step(script), other.step(script)];
          const sum = (of: readonly number[]) => of.reduce((all, each) => all + each, 0);
          expect(sum(b.reward)).toBeCloseTo(sum(a.reward), 6);
          expect(mixed(one.json().drivers)).toEqual(other.json().drivers);
          expect(mixed(one.json().stops)).toEqual(other.json().stops);
          if (decides === 'dispatcher') for (let k = 0; k < CHOICES; k++) expect(other.offer(k)).toEqual(one.offer(k));
          over = a.over;
        }
        expect(one.json().served).toBe(other.json().served);
        expect(Number(one.json().served)).toBeGreaterThan(20);
      }
  });

  it('rows that are not there are zero, and the mask forbids them; to wait is always allowed', () => {
    const { buffers, offer, step } = alone({ patience: 20 }, [3, 0, 3, 4, 0]);
    expect([0, 1, 2, 3, 4].map((k) => offer(k)[0])).toEqual([1, 1, 0, 0, 0]);
    expect(Array.from(buffers.mask ?? [])).toEqual([1, 1, 1, 0, 0, 0]);
    while (!step(0).over);
    expect(Array.from(buffers.mask ?? [])).toEqual([1, 0, 0, 0, 0, 0]);
    expect(first).toBeGreaterThan(0);
  });

  it('refuses a state of another city', () => {
    const world = start(1, SMALL);
    expect(() => world.load({ drivers: [[0, 11], [0, 0]] })).toThrow(); // biome-ignore format: pairs
    expect(() => world.load({ day: 3 })).toThrow();
    expect(() => world.load({ stops: [[9999, 0], [0, 0]] })).toThrow(); // biome-ignore format: pairs
  });
});

describe('upper bound', () => {
  const about = { waitWeight: 0.5, patience: 8, capacity: 1 };

  /** The best of all days known ahead, by trying: each car takes any of what is left next, or stops. */
  function tried({ starts, times, trips }: ReturnType<typeof drawDay>): number {
    const R = times.length;
    const best = (driver: number, x: number, y: number, minute: number, left: number): number => {
      if (2 * driver >= starts.length) return 0;
      let most = best(driver + 1, starts[2 * driver + 2] ?? 0, starts[2 * driver + 3] ?? 0, 0, left);
      for (let r = 0; r < R; r++) {
        if ((left & (1 << r)) === 0) continue;
        const [fx = 0, fy = 0, tx = 0, ty = 0] = trips.subarray(4 * r, 4 * r + 4);
        const wait = Math.max(0, minute + blocksBetween(x, y, fx, fy) - times[r]!);
        if (wait > about.patience) continue;
        const end = times[r]! + wait + blocksBetween(fx, fy, tx, ty);
        most = Math.max(most, 1 - 0.05 * wait + best(driver, tx, ty, end, left & ~(1 << r)));
      }
      return most;
    };
    return best(0, starts[0]!, starts[1]!, 0, (1 << R) - 1);
  }

  it('is not below what trying all finds, and close to it', () => {
    let far = 0;
    let lost = 0;
    for (let seed = 0; seed < 12; seed++) {
      const day = drawDay(config.parse({ ...SMALL, minutes: 30, demand: 16, side: 8 }), 50 + seed);
      if (day.times.length > 10) continue;
      const [exact, bound] = [tried(day), mostReturn(day, about)];
      expect(bound).toBeGreaterThanOrEqual(exact - 1e-9);
      far += bound - exact;
      lost += day.times.length - exact;
    }
    expect(lost).toBeGreaterThan(8); // what cars cannot do
    expect(far).toBeLessThan(0.25 * lost);
  });

  it('no script passes it, alone or with rides shared', () => {
    for (const capacity of [1, 2])
      for (const name of ['nearest', 'least-added']) {
        const given = { drivers: 3, demand: 40, minutes: 60, side: 8, capacity, count: 6 };
        const world = start(8, given);
        const c = config.parse(given);
        const day = drawDay(c, seedOf(c, Number(world.json().day)));
        let sum = 0;
        for (let over = false; !over; ) {
          const step = world.step(rideDispatch.policies(given)[name]);
          sum += step.reward[0]!;
          over = step.over;
        }
        expect(sum).toBeGreaterThan(0);
        expect(mostReturn(day, c)).toBeGreaterThanOrEqual(sum);
      }
  });

  it('rules beat chance, waiting for the nearest pays, and all stay clear of the bound', () => {
    for (const { id, config: of } of rideDispatch.presets) {
      const [random = 0, near = 0, pairs = 0, , bound = 0] = rideDispatch.meta(of).references.map(({ value }) => value);
      expect(near).toBeGreaterThan(1.2 * random);
      expect(pairs).toBeGreaterThanOrEqual(near);
      expect(pairs, id).toBeLessThan(0.75 * bound);
    }
  });
});
