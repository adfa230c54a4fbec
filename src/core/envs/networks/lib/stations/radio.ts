/**
 * What users on the ground receive from stations in the air (Al-Hourani, Kandeepan and Lardner 2014). With the elevation angle t in degrees,
 * the line of sight is free with chance p = 1 / (1 + a exp(-b (t - a))), and the loss in dB is that of free space,
 * 20 log10(4 pi f d / c), plus an extra loss with and without line of sight, weighed by p. A user is served by the station it receives
 * best; stations on the same channel disturb each other: SINR = power / (noise + power of the others), and the rate is Shannon's.
 */
import { atan2, exp, log, pow, sqrt } from '#math/functions.ts';

type Surroundings = readonly [a: number, b: number, sight: number, none: number];

/** a, b, extra loss in dB with and without line of sight: the table of the paper. @internal Its tests compare with it. */
export const PLACES = {
  suburban: [4.88, 0.43, 0.1, 21],
  urban: [9.61, 0.16, 1, 20],
  'dense-urban': [12.08, 0.11, 1.6, 23],
  'high-rise': [27.23, 0.08, 2.3, 34],
} as const satisfies { readonly [place: string]: Surroundings };

const LIGHT = 299_792_458; // m/s
/** Thermal noise at 290 K, dBm in each Hz. */
const NOISE = -174;

/** @internal Settings, as its tests give them. */
export interface Radio {
  readonly stations: number;
  readonly users: number;
  readonly surroundings: keyof typeof PLACES;
  readonly side: number;
  readonly height: number;
  readonly frequency: number;
  readonly power: number;
  readonly bandwidth: number;
  readonly noiseFigure: number;
  readonly channels: number;
  readonly cap: number;
}

/** Chance of a free line of sight at an elevation angle in degrees. @internal Its tests hold it against the formula. */
export function sightChance([a, b]: Surroundings, degrees: number): number {
  return 1 / (1 + a * exp(-b * (degrees - a)));
}

/** Mean loss in dB between a station at `height` and a user so far from the point below it; metres, GHz. @internal As above. */
export function pathLoss(place: Surroundings, height: number, frequency: number, ground: number): number {
  const distance = sqrt(ground * ground + height * height);
  const free = (20 / Math.LN10) * log((4 * Math.PI * frequency * 1e9 * distance) / LIGHT);
  const sight = sightChance(place, (180 / Math.PI) * atan2(height, ground));
  return free + sight * place[2] + (1 - sight) * place[3];
}

/** Written by `Air.hear`, per user: rates in bit/s per Hz of the whole band. */
interface Heard {
  readonly rate: Float64Array;
  /** If no other station disturbed. */
  readonly alone: Float64Array;
  readonly server: Int32Array;
}

const milliwatts = (dBm: number): number => pow(10, dBm / 10);

/** Places of the table of received power; between them it is linear, which is less than 0.001 dB off. */
const PARTS = 1024;

/** `hear(stations [S, 2], channels [S], users [U, 2])` for places in metres, read from `s`, `k` and `u` on. Allocates nothing. */
export function createAir(c: Radio) {
  const { stations: S, users: U, channels, cap } = c;
  const place = PLACES[c.surroundings];
  const noise = milliwatts(NOISE + (10 / Math.LN10) * log((c.bandwidth * 1e6) / channels) + c.noiseFigure);
  const power = new Float64Array(S); // that one user receives
  const heard: Heard = { rate: new Float64Array(U), alone: new Float64Array(U), server: new Int32Array(U) };
  const apart = (c.side * Math.SQRT2) / PARTS;
  const table = Float64Array.from({ length: PARTS + 2 }, (_, i) => milliwatts(c.power - pathLoss(place, c.height, c.frequency, i * apart)));
  const received = (ground: number) => {
    const at = Math.min(PARTS, ground / apart);
    const i = Math.floor(at);
    return table[i]! + (at - i) * (table[i + 1]! - table[i]!);
  };
  const efficiency = (ratio: number) => Math.min(cap, log(1 + ratio) / Math.LN2) / channels;
  return {
    heard,
    /** The rate of a user so far from the point below its only station. */
    rateAt: (ground: number): number => efficiency(received(ground) / noise),
    hear(stations: ArrayLike<number>, s: number, channel: ArrayLike<number>, k: number, users: ArrayLike<number>, u: number): void {
      for (let user = 0; user < U; user++) {
        let best = 0;
        for (let i = 0; i < S; i++) {
          const dx = stations[s + 2 * i]! - users[u + 2 * user]!;
          const dy = stations[s + 2 * i + 1]! - users[u + 2 * user + 1]!;
          power[i] = received(sqrt(dx * dx + dy * dy));
          if (power[i]! > power[best]!) best = i;
        }
        let others = 0;
        for (let i = 0; i < S; i++) if (i !== best && channel[k + i] === channel[k + best]) others += power[i]!;
        heard.server[user] = best;
        heard.rate[user] = efficiency(power[best]! / (noise + others));
        heard.alone[user] = efficiency(power[best]! / noise);
      }
    },
  };
}

/**
 * Watts that a small rotary wing takes at a speed in m/s (Zeng, Xu and Zhang 2019, with the numbers of their table): blades, lift, drag.
 * Slow flight takes less than hovering.
 */
export function flightPower(speed: number): number {
  const square = speed * speed;
  const lift = sqrt(1 + (square * square) / (4 * 4.03 ** 4)) - square / (2 * 4.03 ** 2);
  return 79.86 * (1 + (3 * square) / 120 ** 2) + 88.63 * sqrt(lift) + 0.5 * 0.6 * 1.225 * 0.05 * 0.503 * square * speed;
}
