/**
 * What a driver is to do: stops in order. A stop is a number: 0 none, 2 r + 1 takes request r in, 2 r + 2 lets it out. A block takes a minute,
 * along one street and then along the other.
 */
import { blocksBetween } from './day.ts';

export const pickUpOf = (request: number): number => 2 * request + 1;
export const dropOf = (request: number): number => 2 * request + 2;
export const requestOf = (stop: number): number => (stop - 1) >> 1;
export const isDrop = (stop: number): boolean => stop > 0 && stop % 2 === 0;

/** Where and when each request of a day is. */
export interface Rides {
  /** [R, 4] crossings: from x, from y, to x, to y. */
  readonly trips: ArrayLike<number>;
  /** [R] minutes at which each comes. */
  readonly times: ArrayLike<number>;
}

/** How a driver would take one more request; minutes. */
export interface Offer {
  /** From now until it is taken in. */
  pickUp: number;
  /** Longer way of the driver. */
  added: number;
  /** Later pick-ups of those who wait for this driver already. */
  delay: number;
  /** Longer rides: of those aboard or waited for, and its own beyond the direct way. */
  detour: number;
  /** It is taken in before the driver's stop `first`, let out before stop `second`, counted without it. */
  first: number;
  second: number;
}

export const noOffer = (): Offer => ({ pickUp: Number.POSITIVE_INFINITY, added: 0, delay: 0, detour: 0, first: 0, second: 0 });

const xOf = (rides: Rides, stop: number): number => rides.trips[4 * requestOf(stop) + (isDrop(stop) ? 2 : 0)]!;
const yOf = (rides: Rides, stop: number): number => rides.trips[4 * requestOf(stop) + (isDrop(stop) ? 3 : 1)]!;

/** The crossing of a stop. */
export const placeOf = (rides: Rides, stop: number): readonly [x: number, y: number] => [xOf(rides, stop), yOf(rides, stop)];

/** Minutes until each of `count` stops is reached from x, y, into `out`; gives the last. */
export function arrivals(
  rides: Rides,
  x: number,
  y: number,
  stops: ArrayLike<number>,
  at: number,
  count: number,
  out: Float64Array,
): number {
  let minutes = 0;
  for (let k = 0; k < count; k++) {
    const stop = stops[at + k]!;
    const nx = xOf(rides, stop);
    const ny = yOf(rides, stop);
    minutes += blocksBetween(x, y, nx, ny);
    out[k] = minutes;
    x = nx;
    y = ny;
  }
  return minutes;
}

const LONGEST = 8;
const before = new Float64Array(LONGEST);
const after = new Float64Array(LONGEST);
const tried = new Int32Array(LONGEST);

/**
 * The place in a driver's stops for one more request that makes its way the least longer, of equal ones the earliest pick-up; no stop
 * changes its order. `now` and `patience` in minutes: no request is taken in more than `patience` after it came. Writes `out` and says whether there is one.
 */
export function bestInsertion(
  rides: Rides,
  x: number,
  y: number,
  stops: ArrayLike<number>,
  at: number,
  count: number,
  request: number,
  now: number,
  patience: number,
  out: Offer,
): boolean {
  out.pickUp = Number.POSITIVE_INFINITY;
  if (count + 2 > LONGEST) return false;
  const t = 4 * request;
  const direct = blocksBetween(rides.trips[t]!, rides.trips[t + 1]!, rides.trips[t + 2]!, rides.trips[t + 3]!);
  const latest = rides.times[request]! + patience - now;
  if (blocksBetween(x, y, rides.trips[t]!, rides.trips[t + 1]!) > latest) return false;
  const whole = arrivals(rides, x, y, stops, at, count, before);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= count; i++)
    for (let j = i; j <= count; j++) {
      let to = 0;
      for (let k = 0; k <= count; k++) {
        if (k === i) tried[to++] = pickUpOf(request);
        if (k === j) tried[to++] = dropOf(request);
        if (k < count) tried[to++] = stops[at + k]!;
      }
      const added = arrivals(rides, x, y, tried, 0, count + 2, after) - whole;
      const pickUp = after[i]!;
      if (pickUp > latest || added > least || (added === least && pickUp >= out.pickUp)) continue;
      let [delay, detour] = [0, after[j + 1]! - pickUp - direct];
      let inTime = true;
      for (let k = 0; k < count; k++) {
        const stop = stops[at + k]!;
        const late = after[k + (k >= i ? 1 : 0) + (k >= j ? 1 : 0)]! - before[k]!;
        if (isDrop(stop)) detour += late;
        else {
          delay += late;
          detour -= late; // a ride begins later, too
          inTime &&= before[k]! + late + now <= rides.times[requestOf(stop)]! + patience;
        }
      }
      if (!inTime) continue;
      least = added;
      out.pickUp = pickUp;
      out.added = added;
      out.delay = delay;
      out.detour = detour;
      out.first = i;
      out.second = j;
    }
  return least < Number.POSITIVE_INFINITY;
}

/** Puts a request into a driver's stops where an offer says. Gives their new number. */
export function insert(stops: Int32Array | Uint32Array, at: number, count: number, request: number, { first, second }: Offer): number {
  for (let k = count - 1; k >= first; k--) stops[at + k + (k >= second ? 2 : 1)] = stops[at + k]!;
  stops[at + first] = pickUpOf(request);
  stops[at + second + 1] = dropOf(request);
  return count + 2;
}
