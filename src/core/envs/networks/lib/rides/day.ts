/** Drawn days: where drivers begin, and which requests come when, from where, to where. Mornings lead from homes to work, evenings back. */
import { cos, exp, log, sqrt } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';

export interface DayShape {
  readonly drivers: number;
  /** Blocks along each side; crossings are 0 to side. */
  readonly side: number;
  /** Requests an hour, on average over the day. */
  readonly demand: number;
  readonly minutes: number;
  /** Quarters where people live. */
  readonly quarters: number;
}

export interface Day {
  /** [N, 2] crossings at which drivers begin. */
  readonly starts: Int32Array;
  /** Minute at which each request comes, in order. */
  readonly times: Int32Array;
  /** [R, 4] crossings: from x, from y, to x, to y. */
  readonly trips: Int32Array;
}

/** Share of trips that follow no quarter. */
const ANYWHERE = 0.3;
/** Standard deviation about the middle of a quarter, as a share of the side. */
const SPREAD = 0.12;
/** No ride is shorter. */
const LEAST = 3;
/** Places of work, fewer than quarters of homes. */
const WORKS = 2;

/** No day has more requests: six standard deviations above the mean. */
export const mostRequests = ({ demand, minutes }: Pick<DayShape, 'demand' | 'minutes'>): number => {
  const mean = (demand * minutes) / 60;
  return Math.ceil(mean + 6 * sqrt(mean) + 4);
};

/** Requests of a minute: mean 1, twice a day half as many again. */
const rushAt = (share: number): number => 1 - 0.5 * cos(4 * Math.PI * share);

export const blocksBetween = (ax: number, ay: number, bx: number, by: number): number => Math.abs(ax - bx) + Math.abs(ay - by);

/** The same `seed` gives the same day. */
export function drawDay(shape: DayShape, seed: number): Day {
  const { side, minutes } = shape;
  const rng = Rng.from(seed);
  const normal = () => sqrt(-2 * log(1 - rng.uniform())) * cos(2 * Math.PI * rng.uniform());
  const place = () => [rng.uniform() * side, rng.uniform() * side] as const;
  const homes = Array.from({ length: shape.quarters }, place);
  const works = Array.from({ length: WORKS }, place);
  const crossing = (value: number) => Math.min(side, Math.max(0, Math.round(value)));
  const about = (places: readonly (readonly [number, number])[]) => {
    if (rng.uniform() < ANYWHERE) return [rng.int(side + 1), rng.int(side + 1)] as const;
    const [x, y] = places[rng.int(places.length)] ?? [side / 2, side / 2];
    return [crossing(x + SPREAD * side * normal()), crossing(y + SPREAD * side * normal())] as const;
  };
  const starts = Int32Array.from({ length: 2 * shape.drivers }, () => rng.int(side + 1));
  const most = mostRequests(shape);
  const times: number[] = [];
  const trips: number[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const share = minute / minutes;
    // Poisson (Knuth): factors until their product is below
    const least = exp((-shape.demand / 60) * rushAt(share));
    for (let left = rng.uniform(); left > least && times.length < most; left *= rng.uniform()) {
      const out = rng.uniform() > share;
      let from = about(out ? homes : works);
      let to = about(out ? works : homes);
      while (blocksBetween(...from, ...to) < LEAST) {
        from = about(out ? homes : works);
        to = about(out ? works : homes);
      }
      times.push(minute);
      trips.push(...from, ...to);
    }
  }
  return { starts, times: Int32Array.from(times), trips: Int32Array.from(trips) };
}
