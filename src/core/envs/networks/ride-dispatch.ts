/**
 * Requests for rides come over a day in a city of crossing streets, and drivers may carry several at once. Either a dispatcher gives request after
 * request, those with a driver near by first, to one of the five drivers who would be there first, or lets it wait; or each driver is an agent and asks for one of five requests,
 * of which the driver who is there first gets it. Obs, as rows: the request (where from, where to, trip, wait, time left), each offer (minutes to the
 * pick-up, longer way, delay of others, load, where, how many others wait nearer to it), each driver (where, when and where it is free), others who wait. Reward 1 for a request that
 * a driver takes, - `waitWeight` for ten minutes until a pick-up and `detourWeight` for ten beyond the direct ride, its own and those it causes for
 * others; so the return is what was served less what all waited and went round. A new request goes where it makes the way the least longer, and
 * no stop changes its order (lib/rides/plan.ts). Days are drawn by number: those of training and those held out have none in common. Ends with the
 * day. A person may drag a request in, and its goal. Source: Zhao and Li 2025 (drivers who share rides, a dispatcher over all); city and days are ours.
 */
import type { Pull } from '#contract/game/frames.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import { createTerms } from '../api/terms.ts';
import type { StepBuffers } from '../api/types.ts';
import {
  CHOICES,
  type Config,
  config,
  DRAWN,
  goalOf,
  handOf,
  matesOf,
  meta,
  mostOf,
  OF,
  PLACES,
  presets,
  SPARE,
  seedOf,
  stopsOf,
  TERMS,
} from './lib/rides/config.ts';
import { blocksBetween, type Day, drawDay } from './lib/rides/day.ts';
import { arrivals, bestInsertion, insert, isDrop, noOffer, type Offer, placeOf, requestOf } from './lib/rides/plan.ts';
import { leastAdded, nearest, paired } from './lib/rides/scripts.ts';

const [WAITS, TAKEN, GONE, LATER] = [0, 1, 2, 3];
/** Days that are kept. */
const KEPT = 256;
/** Minutes are seen in so many. */
const TEN = 10;
/** Colours of the picture: free, on the way to a pick-up, with passengers aboard, what is decided on, what waits. */
const [BLUE, ORANGE, GREEN, PINK, AMBER] = [0, 1, 2, 3, 4];
/** Strength of the line to the next stop, and of the one of who took the last request. */
const [FAINT, STRONG] = [0.3, 0.9];

/** Who may take a request. */
interface Offered extends Offer {
  driver: number;
  request: number;
}
const empty = (): Offered => ({ ...noOffer(), driver: -1, request: -1 });

export const rideDispatch = defineEnv<Config>({
  spec: {
    id: 'ride-dispatch',
    version: 1,
    title: 'Ride dispatch',
    summary: 'Send drivers to people who wait for a ride; the days of the test were never seen in training.',
    source: {
      title: 'Triple-BERT: do we really need MARL for order dispatch on ride-sharing platforms?',
      authors: 'Zhao and Li',
      year: 2025,
      url: 'https://arxiv.org/abs/2510.03257',
    },
    config,
    recommended: {
      algo: 'ppo',
      config: {
        lr: 0.003,
        envs: 32,
        minibatches: 8,
        gamma: 0.99,
        lambda: 0.9,
        entropyCoef: 0.01,
        body: { kind: 'entities', units: 16, heads: 2, blocks: 1 },
      },
      steps: 400_000,
    },
    before: 'nearest',
    presets,
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const { drivers: N, side, capacity, patience } = c;
    const O = m.obsSize;
    const A = m.actionCount;
    const alone = c.decides === 'dispatcher';
    const seen = alone ? 1 : N;
    const most = mostOf(c);
    const own = most - SPARE;
    const S = stopsOf(c);
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const [HAND, GOAL, SUM] = [0, 2, 4];
    const [DAY, MINUTE, ASKED, CAME, SERVED, LOST, LAST, PLACE] = [0, 1, 2, 3, 4, 5, 6, 7];
    const STOPS = PLACE + 2 * N;
    const STATUS = STOPS + S * N;
    const ADDED = STATUS + most;
    const days = new Map<number, Day>();
    /** Requests of each row, a person's behind those of the day. */
    const rides = Array.from({ length: batch }, () => ({ trips: new Int32Array(4 * most), times: new Int32Array(most) }));
    /** [B, agents, choices], the first that is there soonest. */
    const offers = Array.from({ length: batch * seen * CHOICES }, empty);
    const fresh = empty();
    const list = new Int32Array(most);
    const reached = new Float64Array(S);
    /** What a person holds, by row. */
    const pulls = new Map<number, Pull>();

    const dayOf = (row: number): Day => {
      const index = words[row * wordStride + DAY]!;
      const day = days.get(index) ?? drawDay(c, seedOf(c, index));
      if (days.size >= KEPT) days.clear();
      days.set(index, day);
      return day;
    };
    const copyRides = (row: number) => {
      const { trips, times } = rides[row]!;
      const day = dayOf(row);
      trips.fill(0);
      times.fill(0);
      trips.set(day.trips);
      times.set(day.times);
      for (let k = 0; k < SPARE; k++) {
        const at = row * wordStride + ADDED + 5 * k;
        trips.set(words.subarray(at, at + 4), 4 * (own + k));
        times[own + k] = Math.max(0, words[at + 4]! - 1);
      }
    };
    const statusOf = (row: number, request: number) => words[row * wordStride + STATUS + request]!;
    const isWaiting = (row: number, request: number) => statusOf(row, request) === WAITS || statusOf(row, request) === LATER;
    const stopsAt = (row: number, driver: number) => row * wordStride + STOPS + S * driver;
    const stopsNow = (row: number, driver: number) => {
      const at = stopsAt(row, driver);
      let count = 0;
      while (count < S && words[at + count] !== 0) count++;
      return count;
    };
    const loadOf = (row: number, driver: number) => {
      const at = stopsAt(row, driver);
      let load = 0;
      for (let k = 0; k < S; k++) if (isDrop(words[at + k]!)) load++;
      return load;
    };
    /** Who waits now, oldest first, those of a person last, into `list`; gives their number. */
    const waiting = (row: number) => {
      const w = row * wordStride;
      const { times } = rides[row]!;
      const since = words[w + MINUTE]! - patience;
      let first = words[w + CAME]!;
      while (first > 0 && times[first - 1]! >= since) first--;
      let count = 0;
      for (let r = first; r < words[w + CAME]!; r++) if (isWaiting(row, r)) list[count++] = r;
      for (let k = 0; k < SPARE; k++)
        if (words[w + ADDED + 5 * k + 4]! > 0 && isWaiting(row, own + k) && times[own + k]! >= since) list[count++] = own + k;
      return count;
    };

    /** A total order of what tells two drivers apart, so that it does not matter how they are numbered. */
    const compareDrivers = (row: number, a: number, b: number) => {
      const w = row * wordStride + PLACE;
      for (let k = 0; k < 2; k++) if (words[w + 2 * a + k] !== words[w + 2 * b + k]) return words[w + 2 * a + k]! - words[w + 2 * b + k]!;
      for (let k = 0; k < S; k++) {
        const difference = words[stopsAt(row, a) + k]! - words[stopsAt(row, b) + k]!;
        if (difference !== 0) return difference;
      }
      return 0;
    };
    const compare = (row: number, a: Offered, b: Offered) =>
      a.pickUp - b.pickUp ||
      a.added - b.added ||
      a.delay + a.detour - b.delay - b.detour ||
      a.request - b.request ||
      compareDrivers(row, a.driver, b.driver);
    /** Finds how a driver would take a request, into `fresh`. */
    const ask = (row: number, driver: number, request: number) => {
      const w = row * wordStride;
      const count = stopsNow(row, driver);
      if (count + 2 > S || loadOf(row, driver) >= capacity) return false;
      const p = w + PLACE + 2 * driver;
      fresh.driver = driver;
      fresh.request = request;
      return bestInsertion(
        rides[row]!,
        words[p]!,
        words[p + 1]!,
        words,
        stopsAt(row, driver),
        count,
        request,
        words[w + MINUTE]!,
        patience,
        fresh,
      );
    };
    /** Keeps `fresh` if it is among the best of an agent. */
    const keep = (row: number, agent: number) => {
      const from = (row * seen + agent) * CHOICES;
      let at = from + CHOICES - 1;
      const last = offers[at]!;
      if (last.driver >= 0 && compare(row, fresh, last) >= 0) return;
      for (; at > from; at--) {
        const better = offers[at - 1]!;
        if (better.driver >= 0 && compare(row, fresh, better) >= 0) break;
        offers[at] = better;
      }
      offers[at] = last;
      Object.assign(last, fresh);
    };
    const clear = (row: number) => {
      for (let k = row * seen * CHOICES; k < (row + 1) * seen * CHOICES; k++) offers[k]!.driver = -1;
    };
    /** Fills the offers of a row for the request that is decided on, or of every driver; says whether there are any. */
    const refresh = (row: number): boolean => {
      clear(row);
      let some = false;
      if (alone) {
        const asked = words[row * wordStride + ASKED]! - 1;
        for (let i = 0; asked >= 0 && i < N; i++)
          if (ask(row, i, asked)) {
            keep(row, 0);
            some = true;
          }
        return some;
      }
      const count = waiting(row);
      for (let i = 0; i < N; i++)
        for (let k = 0; k < count; k++)
          if (ask(row, i, list[k]!)) {
            keep(row, i);
            some = true;
          }
      return some;
    };

    const give = (row: number, agent: number, offer: Offered, out: StepBuffers) => {
      const w = row * wordStride;
      const at = stopsAt(row, offer.driver);
      insert(words, at, stopsNow(row, offer.driver), offer.request, offer);
      words[w + STATUS + offer.request] = TAKEN;
      words[w + SERVED] = words[w + SERVED]! + 1;
      words[w + LAST] = offer.driver + 1;
      const waits = words[w + MINUTE]! + offer.pickUp - rides[row]!.times[offer.request]! + offer.delay;
      const f = row * floatStride;
      floats[f + SUM] = floats[f + SUM]! + waits;
      const taken = (c.waitWeight * waits) / TEN;
      const round = (c.detourWeight * offer.detour) / TEN;
      const to = row * seen + agent;
      out.reward[to] = out.reward[to]! + 1 - taken - round;
      const t = TERMS.length * row;
      kept[t] = kept[t]! + 1;
      kept[t + 1] = kept[t + 1]! - taken;
      kept[t + 2] = kept[t + 2]! - round;
    };

    const drive = (row: number, driver: number) => {
      const p = row * wordStride + PLACE + 2 * driver;
      const at = stopsAt(row, driver);
      for (let left = c.dt; words[at] !== 0; ) {
        const [x, y] = placeOf(rides[row]!, words[at]!);
        for (const [k, to] of [x, y].entries()) {
          const from = words[p + k]!;
          const by = Math.min(left, Math.abs(to - from));
          words[p + k] = to > from ? from + by : from - by;
          left -= by;
        }
        if (words[p] !== x || words[p + 1] !== y) return;
        words.copyWithin(at, at + 1, at + S);
        words[at + S - 1] = 0;
      }
    };
    const within = (value: number) => Math.min(side, Math.max(0, Math.round(value)));
    const goHome = (row: number) => floats.set(handOf(c), row * floatStride + HAND);
    /** What a person holds is where it is drawn; a request that is let go within the city is there from now on. */
    const byHand = (row: number) => {
      const f = row * floatStride;
      const w = row * wordStride;
      const held = pulls.get(row);
      const part = held === undefined ? -1 : held.part - N;
      if (held !== undefined && part === 0) floats.set([held.to[0], held.to[1]], f + HAND);
      if (held !== undefined && part === 1) floats.set([within(held.to[0]), within(held.to[1])], f + GOAL);
      const [x = 0, y = 0, gx = 0, gy = 0] = floats.subarray(f + HAND, f + HAND + 4);
      if (part === 0 || (x === handOf(c)[0] && y === handOf(c)[1])) return;
      goHome(row);
      const free = Array.from({ length: SPARE }, (_, k) => w + ADDED + 5 * k).findIndex((at) => words[at + 4] === 0);
      const inside = x > -0.5 && y > -0.5 && x < side + 0.5 && y < side + 0.5;
      const trip = [within(x), within(y), within(gx), within(gy)];
      if (!inside || free < 0 || blocksBetween(trip[0]!, trip[1]!, trip[2]!, trip[3]!) === 0) return;
      words.set([...trip, words[w + MINUTE]! + 1], w + ADDED + 5 * free);
      copyRides(row);
    };
    const arrive = (row: number) => {
      const w = row * wordStride;
      const { times } = dayOf(row);
      while (words[w + CAME]! < times.length && times[words[w + CAME]!]! <= words[w + MINUTE]!) words[w + CAME] = words[w + CAME]! + 1;
    };
    /** Drivers go on, who waited too long is gone, others come. Says whether the day is over. */
    const tick = (row: number): boolean => {
      const w = row * wordStride;
      const count = waiting(row);
      for (let i = 0; i < N; i++) drive(row, i);
      const now = words[w + MINUTE]! + c.dt;
      words[w + MINUTE] = now;
      for (let k = 0; k < count; k++) {
        const late = rides[row]!.times[list[k]!]! + patience < now;
        words[w + STATUS + list[k]!] = late ? GONE : WAITS;
        if (late) words[w + LOST] = words[w + LOST]! + 1;
      }
      arrive(row);
      byHand(row);
      return now >= c.minutes;
    };
    const apart = (row: number, driver: number, request: number) => {
      const p = row * wordStride + PLACE + 2 * driver;
      const { trips } = rides[row]!;
      return blocksBetween(words[p]!, words[p + 1]!, trips[4 * request]!, trips[4 * request + 1]!);
    };
    /** Of the requests not decided on in this round the one to which a driver with room is nearest, the older one of two; -1: none. */
    const next = (row: number): number => {
      const count = waiting(row);
      let [found, least] = [-1, Number.POSITIVE_INFINITY];
      for (let i = 0; i < N; i++) {
        if (loadOf(row, i) >= capacity) continue;
        for (let k = 0; k < count; k++) {
          const r = list[k]!;
          const far = apart(row, i, r);
          if (statusOf(row, r) === WAITS && (far < least || (far === least && r < found))) [found, least] = [r, far];
        }
      }
      return found;
    };
    /** Sets the request that is decided on next; none is left when the day is over. */
    const seek = (row: number): void => {
      const w = row * wordStride;
      do {
        for (let r = next(row); r >= 0; r = next(row)) {
          words[w + ASKED] = r + 1;
          if (refresh(row)) return;
          words[w + STATUS + r] = LATER;
        }
        words[w + ASKED] = 0;
      } while (!tick(row));
      clear(row);
    };

    const offerRow = (row: number, offer: Offered, obs: Float32Array, to: number) => {
      obs[to] = 1;
      obs[to + 1] = offer.pickUp / TEN;
      obs[to + 2] = offer.added / TEN;
      obs[to + 3] = (offer.delay + offer.detour) / TEN;
      return rides[row]!.trips.subarray(4 * offer.request, 4 * offer.request + 4);
    };
    /** Where and when a driver is free, seen from a crossing: minutes, dx, dy. */
    const freeRow = (row: number, driver: number, x: number, y: number, obs: Float32Array, to: number) => {
      const p = row * wordStride + PLACE + 2 * driver;
      const at = stopsAt(row, driver);
      const count = stopsNow(row, driver);
      obs[to] = arrivals(rides[row]!, words[p]!, words[p + 1]!, words, at, count, reached) / (2 * TEN);
      const end = count > 0 ? placeOf(rides[row]!, words[at + count - 1]!) : words.subarray(p, p + 2);
      obs[to + 1] = (end[0]! - x) / side;
      obs[to + 2] = (end[1]! - y) / side;
    };
    const timeLeft = (row: number) => 1 - words[row * wordStride + MINUTE]! / c.minutes;
    const maskOf = (row: number, agent: number, mask: Uint8Array | undefined) => {
      if (mask === undefined) return;
      const to = (row * seen + agent) * A;
      mask[to] = 1;
      for (let k = 0; k < CHOICES; k++) mask[to + 1 + k] = offers[(row * seen + agent) * CHOICES + k]!.driver >= 0 ? 1 : 0;
    };

    /** Rows of those in `list` but one, seen from a crossing. */
    const writeWaiting = (row: number, at: number, but: number, x: number, y: number, count: number, obs: Float32Array) => {
      const { trips, times } = rides[row]!;
      let to = at + PLACES.waitingFrom(c);
      for (let k = 0, shown = 0; k < count && shown < PLACES.waiting(c); k++) {
        const r = list[k]!;
        if (r === but) continue;
        obs[to] = 1;
        obs[to + 1] = (trips[4 * r]! - x) / side;
        obs[to + 2] = (trips[4 * r + 1]! - y) / side;
        obs[to + 3] = (trips[4 * r + 2]! - x) / side;
        obs[to + 4] = (trips[4 * r + 3]! - y) / side;
        obs[to + 5] = (words[row * wordStride + MINUTE]! - times[r]!) / patience;
        to += OF.waiting;
        shown++;
      }
    };

    const writeDispatcher = (row: number, { obs, mask }: StepBuffers) => {
      const w = row * wordStride;
      const at = row * O;
      const asked = words[w + ASKED]! - 1;
      obs.fill(0, at, at + O);
      maskOf(row, 0, mask);
      if (asked < 0) return;
      const { trips, times } = rides[row]!;
      const [x = 0, y = 0, tx = 0, ty = 0] = trips.subarray(4 * asked, 4 * asked + 4);
      const now = words[w + MINUTE]!;
      const count = waiting(row);
      let free = 0;
      for (let i = 0; i < N; i++) {
        const to = at + PLACES.drivers + OF.driver * i;
        const load = loadOf(row, i);
        if (load === 0) free++;
        obs[to] = (words[w + PLACE + 2 * i]! - x) / side;
        obs[to + 1] = (words[w + PLACE + 2 * i + 1]! - y) / side;
        freeRow(row, i, x, y, obs, to + 2);
        obs[to + 5] = load / capacity;
      }
      obs[at] = (2 * x) / side - 1;
      obs[at + 1] = (2 * y) / side - 1;
      obs[at + 2] = (2 * tx) / side - 1;
      obs[at + 3] = (2 * ty) / side - 1;
      obs[at + 4] = blocksBetween(x, y, tx, ty) / side;
      obs[at + 5] = (now - times[asked]!) / patience;
      obs[at + 6] = timeLeft(row);
      obs[at + 7] = count / TEN;
      obs[at + 8] = free / N;
      for (let k = 0; k < CHOICES; k++) {
        const offer = offers[row * CHOICES + k]!;
        if (offer.driver < 0) break;
        const to = at + PLACES.offers + OF.offer * k;
        offerRow(row, offer, obs, to);
        obs[to + 4] = loadOf(row, offer.driver) / capacity;
        obs[to + 5] = (words[w + PLACE + 2 * offer.driver]! - x) / side;
        obs[to + 6] = (words[w + PLACE + 2 * offer.driver + 1]! - y) / side;
        let nearer = 0;
        for (let j = 0; j < count; j++) if (apart(row, offer.driver, list[j]!) < apart(row, offer.driver, asked)) nearer++;
        obs[to + 7] = nearer / CHOICES;
      }
      writeWaiting(row, at, asked, x, y, count, obs);
    };
    const mates = Array.from({ length: N }, (_, i) => i);
    const writeDrivers = (row: number, { obs, mask }: StepBuffers) => {
      const w = row * wordStride;
      const { times } = rides[row]!;
      const now = words[w + MINUTE]!;
      const count = waiting(row);
      for (let i = 0; i < N; i++) {
        const at = (row * N + i) * O;
        const [x = 0, y = 0] = words.subarray(w + PLACE + 2 * i, w + PLACE + 2 * i + 2);
        obs.fill(0, at, at + O);
        maskOf(row, i, mask);
        obs[at] = (2 * x) / side - 1;
        obs[at + 1] = (2 * y) / side - 1;
        obs[at + 2] = loadOf(row, i) / capacity;
        freeRow(row, i, x, y, obs, at + 3);
        obs[at + 6] = timeLeft(row);
        obs[at + 7] = count / TEN;
        for (let k = 0; k < CHOICES; k++) {
          const offer = offers[(row * N + i) * CHOICES + k]!;
          if (offer.driver < 0) break;
          const to = at + PLACES.choices + OF.choice * k;
          const [fx = 0, fy = 0, tx = 0, ty = 0] = offerRow(row, offer, obs, to);
          obs[to + 4] = (now - times[offer.request]!) / patience;
          obs[to + 5] = blocksBetween(fx, fy, tx, ty) / side;
          obs[to + 6] = (tx - x) / side;
          obs[to + 7] = (ty - y) / side;
        }
        const far = (j: number) => (j === i ? -1 : blocksBetween(x, y, words[w + PLACE + 2 * j]!, words[w + PLACE + 2 * j + 1]!));
        mates.sort((a, b) => far(a) - far(b) || compareDrivers(row, a, b));
        for (let k = 0; k < matesOf(c); k++) {
          const j = mates[k + 1]!;
          const to = at + PLACES.mates + OF.mate * k;
          obs[to] = (words[w + PLACE + 2 * j]! - x) / side;
          obs[to + 1] = (words[w + PLACE + 2 * j + 1]! - y) / side;
          freeRow(row, j, x, y, obs, to + 2);
        }
        writeWaiting(row, at, -1, x, y, count, obs);
      }
    };
    const write = alone ? writeDispatcher : writeDrivers;
    const bids: Offered[] = [];

    return assemble(m, batch, rows, {
      start(row) {
        const w = row * wordStride;
        words.fill(0, w, w + ADDED + 5 * SPARE);
        words[w + DAY] = draws.int(row, c.count, 'day');
        words.set(dayOf(row).starts, w + PLACE);
        floats[row * floatStride + SUM] = 0;
        goHome(row);
        floats.set(goalOf(c), row * floatStride + GOAL);
        copyRides(row);
        arrive(row);
        if (alone) seek(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const w = row * wordStride;
          kept.fill(0, TERMS.length * row, TERMS.length * (row + 1));
          out.reward.fill(0, row * seen, (row + 1) * seen);
          out.truncated[row] = 0;
          if (alone) {
            const action = actions[row]!;
            const offer = action > 0 ? offers[row * CHOICES + action - 1] : undefined;
            if (offer !== undefined && offer.driver >= 0) give(row, 0, offer, out);
            else words[w + STATUS + words[w + ASKED]! - 1] = LATER;
            byHand(row);
            seek(row);
            out.terminated[row] = words[w + ASKED] === 0 ? 1 : 0;
          } else {
            bids.length = 0;
            for (let i = 0; i < N; i++) {
              const action = actions[row * N + i]!;
              const offer = action > 0 ? offers[(row * N + i) * CHOICES + action - 1] : undefined;
              if (offer !== undefined && offer.driver >= 0) bids.push(offer);
            }
            bids.sort((a, b) => compare(row, a, b));
            for (const offer of bids) if (isWaiting(row, offer.request)) give(row, offer.driver, offer, out);
            out.terminated[row] = tick(row) ? 1 : 0;
            refresh(row);
          }
          write(row, out);
        }
      },
      observe(row, out) {
        out.alive?.fill(1, row * seen, (row + 1) * seen);
        refresh(row);
        write(row, out);
      },
      configure(next) {
        Object.assign(c, next);
      },
      loaded(row) {
        const w = row * wordStride;
        checkCell(words[w + DAY]!, c.count, 'day');
        checkCell(words[w + MINUTE]!, c.minutes + c.dt, 'minute');
        checkCell(words[w + CAME]!, dayOf(row).times.length + 1, 'came');
        checkCell(words[w + ASKED]!, alone ? most + 1 : 1, 'asked');
        checkCell(words[w + LAST]!, N + 1, 'last');
        for (let k = 0; k < 2 * N; k++) checkCell(words[w + PLACE + k]!, side + 1, 'drivers');
        for (let k = 0; k < S * N; k++) checkCell(words[w + STOPS + k]!, 2 * most + 1, 'stops');
        for (let k = 0; k < most; k++) checkCell(words[w + STATUS + k]!, LATER + 1, 'requests');
        for (let k = 0; k < 5 * SPARE; k++) checkCell(words[w + ADDED + k]!, k % 5 < 4 ? side + 1 : c.minutes + c.dt + 1, 'added');
        copyRides(row);
      },
      pull(row, pull) {
        if (pull === null) pulls.delete(row);
        else pulls.set(row, pull);
      },
      measure(row, out, at) {
        const w = row * wordStride;
        const served = words[w + SERVED]!;
        let all = words[w + CAME]!;
        for (let k = 0; k < SPARE; k++) if (words[w + ADDED + 5 * k + 4]! > 0) all++;
        out[at] = all > 0 ? served / all : Number.NaN;
        out[at + 1] = served > 0 ? floats[row * floatStride + SUM]! / served : Number.NaN;
      },
      terms,
      frame(row, out) {
        const w = row * wordStride;
        const f = row * floatStride;
        const { trips } = rides[row]!;
        out.fill(0);
        refresh(row);
        const drawn = new Set<number>();
        const lines = 6 * (N + 2 + DRAWN + CHOICES);
        let line = 0;
        /** Along one street and then along the other, as drivers go. */
        const street = (x: number, y: number, tx: number, ty: number, tint: number, strength: number) => {
          out.set([x, y, tx, y, tint, x === tx ? 0 : strength], lines + 6 * line++);
          out.set([tx, y, tx, ty, tint, y === ty ? 0 : strength], lines + 6 * line++);
        };
        for (let i = 0; i < N; i++) {
          const [x = 0, y = 0] = words.subarray(w + PLACE + 2 * i, w + PLACE + 2 * i + 2);
          const at = stopsAt(row, i);
          const stop = words[at]!;
          for (let k = 0; k < S; k++) if (words[at + k]! > 0 && !isDrop(words[at + k]!)) drawn.add(requestOf(words[at + k]!));
          const tint = stop === 0 ? BLUE : isDrop(stop) ? GREEN : ORANGE;
          const [tx, ty] = stop === 0 ? [x, y] : placeOf(rides[row]!, stop);
          out.set([x, y, 0, 0, 0.38, tint], 6 * i);
          street(x, y, tx, ty, tint, words[w + LAST] === i + 1 ? STRONG : FAINT);
        }
        out.set([floats[f + HAND]!, floats[f + HAND + 1]!, 0, 0, 0.45, PINK], 6 * N);
        out.set([floats[f + GOAL]!, floats[f + GOAL + 1]!, 0, 0, 0.5, PINK], 6 * (N + 1));
        const count = waiting(row);
        const asked = words[w + ASKED]! - 1;
        const taken = [...drawn];
        for (let k = 0; k < Math.min(DRAWN, count + taken.length); k++) {
          const r = k < count ? list[k]! : taken[k - count]!;
          out.set([trips[4 * r]!, trips[4 * r + 1]!, 0, 0, 0.22, k >= count ? ORANGE : r === asked ? PINK : AMBER], 6 * (N + 2 + k));
        }
        if (asked >= 0) {
          const [x = 0, y = 0, tx = 0, ty = 0] = trips.subarray(4 * asked, 4 * asked + 4);
          street(x, y, tx, ty, PINK, FAINT);
          for (let k = 0; k < CHOICES; k++) {
            const { driver } = offers[row * CHOICES + k]!;
            if (driver < 0) continue;
            const [dx = 0, dy = 0] = words.subarray(w + PLACE + 2 * driver, w + PLACE + 2 * driver + 2);
            street(dx, dy, x, y, AMBER, STRONG - 0.15 * k);
            out.set([dx, dy - 0.45, 0, 0, 0.26, AMBER], 6 * (N + 2 + DRAWN + k));
          }
        }
        const [served, all] = [words[w + SERVED]!, words[w + SERVED]! + words[w + LOST]!];
        out.set([all > 0 ? (100 * served) / all : 100, served > 0 ? floats[f + SUM]! / served : 0, count], lines + 12 * (N + CHOICES + 1));
      },
    });
  },
  policies: { paired: () => paired, nearest: () => nearest, 'least-added': () => leastAdded },
});
