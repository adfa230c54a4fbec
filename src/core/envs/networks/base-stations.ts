/**
 * Flying base stations serve users who walk in groups; a station disturbs all users that another one serves. Obs per station, as rows: itself
 * (place / half side, share of the users it serves, time left), each mate (offset / 2 heights, 1 on the same channel, share it serves),
 * each user (offset / 2 heights, rate / highest rate, 1 if served by itself). Actions hover, west, east, south, north; with several channels also
 * next channel, in place of a move. A step of `dt` s: stations move, groups walk and turn round at the edge, users drift about the middle of
 * their group. Reward of a station: the rates of those it serves / all users, in bit/s per Hz of the band, -
 * `energyWeight` * kJ of its flight / stations; a team earns the mean rate less the mean cost. Truncates at
 * `maxSteps`, never terminates. A person may put stations and users elsewhere. Central state: places, channels, time left. Radio and
 * power: networks/lib/stations/radio.ts. Source: Al-Hourani, Kandeepan and Lardner 2014; Zeng, Xu and Zhang 2019; the task is ours.
 */
import type { Pull } from '#contract/game/frames.ts';
import { cos, sin, sqrt } from '#math/functions.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import { createTerms } from '../api/terms.ts';
import type { StepBuffers } from '../api/types.ts';
import { type Config, config, MOVES, meta, presets, REACH, TERMS, WIDTH } from './lib/stations/config.ts';
import { createAir, flightPower } from './lib/stations/radio.ts';
import { densest, kMeans } from './lib/stations/scripts.ts';

const DX = [0, -1, 1, 0, 0] as const;
const DY = [0, 0, 0, -1, 1] as const;
/** Share of its offset from the middle of its group that a user keeps in a second. */
const KEEPS = 0.97;
/** Groups begin this far from the edge, as a share of the side. */
const INSIDE = 0.1;

export const baseStations = defineEnv<Config>({
  spec: {
    id: 'base-stations',
    version: 1,
    title: 'Flying base stations',
    summary: 'Stations in the air serve people who walk below, and disturb each other where they come close.',
    source: {
      title: 'Optimal LAP altitude for maximum coverage',
      authors: 'Al-Hourani, Kandeepan and Lardner',
      year: 2014,
      url: 'https://doi.org/10.1109/LWC.2014.2342736',
    },
    config,
    recommended: {
      algo: 'ippo',
      config: { lr: 0.001, valueNorm: true, body: { kind: 'entities', units: 16, heads: 2, blocks: 1 } },
      steps: 300_000,
    },
    before: 'k-means',
    presets,
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const { stations: S, users: U, spots: P } = c;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const air = createAir(c);
    const { heard } = air;
    const SPOTS = 2 * S;
    const USERS = SPOTS + 4 * P;
    const RATES = USERS + 2 * U;
    const half = c.side / 2;
    const reach = REACH * c.height;
    const keep = KEEPS ** c.dt;
    const stir = c.spread * sqrt(12 * (1 - keep * keep)); // of a uniform draw, so that the deviation stays

    const hovering = (flightPower(0) * c.dt) / 1000; // kJ
    const moving = (flightPower(c.speed) * c.dt) / 1000;
    const within = (x: number) => Math.min(half, Math.max(-half, x));
    const served = new Float64Array(S);
    /** What a person holds, by row. */
    const pulls = new Map<number, Pull>();

    /** Fills `heard` and `served` for a row. */
    const listen = (row: number) => {
      const s = row * floatStride;
      air.hear(floats, s, words, row * wordStride, floats, s + USERS);
      served.fill(0);
      for (let u = 0; u < U; u++) served[heard.server[u]!] = served[heard.server[u]!]! + 1 / U;
    };
    const mean = (of: Float64Array) => {
      let sum = 0;
      for (let u = 0; u < U; u++) sum += of[u]!;
      return sum / U;
    };
    /** After `listen`. */
    const write = (row: number, { obs, state }: StepBuffers) => {
      const s = row * floatStride;
      const w = row * wordStride;
      const left = 1 - words[w + S]! / c.maxSteps;
      for (let i = 0; i < S; i++) {
        const x = floats[s + 2 * i]!;
        const y = floats[s + 2 * i + 1]!;
        let at = (row * S + i) * O;
        obs[at] = x / half;
        obs[at + 1] = y / half;
        obs[at + 2] = served[i]!;
        obs[at + 3] = left;
        for (let j = 0; j < S; j++) {
          if (j === i) continue;
          at += WIDTH;
          obs[at] = (floats[s + 2 * j]! - x) / reach;
          obs[at + 1] = (floats[s + 2 * j + 1]! - y) / reach;
          obs[at + 2] = words[w + j] === words[w + i] ? 1 : 0;
          obs[at + 3] = served[j]!;
        }
        for (let u = 0; u < U; u++) {
          at += WIDTH;
          obs[at] = (floats[s + USERS + 2 * u]! - x) / reach;
          obs[at + 1] = (floats[s + USERS + 2 * u + 1]! - y) / reach;
          obs[at + 2] = heard.rate[u]! / c.cap;
          obs[at + 3] = heard.server[u] === i ? 1 : 0;
        }
      }
      if (state === undefined) return;
      let to = row * m.globalSize;
      for (let k = 0; k < 2 * S; k++) state[to++] = floats[s + k]! / half;
      for (let k = 0; k < 2 * U; k++) state[to++] = floats[s + USERS + k]! / half;
      for (let i = 0; i < S; i++) state[to++] = words[w + i]!;
      state[to] = left;
    };

    /** A group walks on, and turns round at the edge. */
    const walk = (at: number) => {
      for (let k = 0; k < 2; k++) {
        const next = floats[at + k]! + floats[at + 2 + k]! * c.dt;
        if (Math.abs(next) > half) floats[at + 2 + k] = -floats[at + 2 + k]!;
        floats[at + k] = within(next);
      }
    };
    const wander = (row: number) => {
      const s = row * floatStride;
      for (let u = 0; u < U; u++) {
        const spot = s + SPOTS + 4 * (u % P);
        for (let k = 0; k < 2; k++) {
          const at = s + USERS + 2 * u + k;
          const offset = floats[at]! - floats[spot + k]!;
          const drift = stir * (draws.uniform(row, 'drift') - 0.5);
          floats[at] = within(floats[spot + k]! + floats[spot + 2 + k]! * c.dt + keep * offset + drift);
        }
      }
      for (let p = 0; p < P; p++) walk(s + SPOTS + 4 * p);
    };
    /** Puts what a person holds to where it is drawn. */
    const place = (row: number) => {
      const pull = pulls.get(row);
      if (pull === undefined || pull.part < 0 || pull.part >= S + U) return;
      const at = row * floatStride + (pull.part < S ? 2 * pull.part : USERS + 2 * (pull.part - S));
      floats[at] = within(pull.to[0]);
      floats[at + 1] = within(pull.to[1]);
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        const w = row * wordStride;
        for (let k = 0; k < 2 * S; k++) floats[s + k] = c.side * (draws.uniform(row, 'station') - 0.5);
        for (let p = 0; p < P; p++) {
          const at = s + SPOTS + 4 * p;
          for (let k = 0; k < 2; k++) floats[at + k] = c.side * (1 - 2 * INSIDE) * (draws.uniform(row, 'group') - 0.5);
          const way = 2 * Math.PI * draws.uniform(row, 'way');
          floats[at + 2] = c.walk * cos(way);
          floats[at + 3] = c.walk * sin(way);
        }
        for (let u = 0; u < U; u++)
          for (let k = 0; k < 2; k++)
            floats[s + USERS + 2 * u + k] = within(floats[s + SPOTS + 4 * (u % P) + k]! + c.spread * draws.normal(row, 'user'));
        floats.fill(0, s + RATES, s + RATES + 2);
        for (let i = 0; i < S; i++) words[w + i] = i % c.channels;
        words[w + S] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * floatStride;
          const w = row * wordStride;
          let cost = 0;
          for (let i = 0; i < S; i++) {
            const action = actions[row * S + i]!;
            const flight = (c.energyWeight * (action > 0 && action < MOVES.length ? moving : hovering)) / S;
            out.reward[row * S + i] = -flight;
            cost += flight;
            if (action === MOVES.length) words[w + i] = (words[w + i]! + 1) % c.channels;
            floats[s + 2 * i] = within(floats[s + 2 * i]! + (DX[action] ?? 0) * c.speed * c.dt);
            floats[s + 2 * i + 1] = within(floats[s + 2 * i + 1]! + (DY[action] ?? 0) * c.speed * c.dt);
          }
          wander(row);
          place(row);
          listen(row);
          const rate = mean(heard.rate);
          for (let u = 0; u < U; u++) {
            const at = row * S + heard.server[u]!;
            out.reward[at] = out.reward[at]! + heard.rate[u]! / U;
          }
          kept[2 * row] = rate;
          kept[2 * row + 1] = -cost;
          floats[s + RATES] = floats[s + RATES]! + rate;
          floats[s + RATES + 1] = floats[s + RATES + 1]! + mean(heard.alone);
          const steps = words[w + S]! + 1;
          words[w + S] = steps;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          write(row, out);
        }
      },
      observe(row, out) {
        out.alive?.fill(1, row * S, (row + 1) * S);
        listen(row);
        write(row, out);
      },
      configure(next) {
        Object.assign(c, next);
      },
      loaded(row) {
        for (let i = 0; i < S; i++) checkCell(words[row * wordStride + i]!, c.channels, 'channels');
      },
      pull(row, pull) {
        if (pull === null) pulls.delete(row);
        else pulls.set(row, pull);
      },
      measure(row, out, at) {
        const s = row * floatStride + RATES;
        out[at] = floats[s]! / Math.max(1, words[row * wordStride + S]!);
        out[at + 1] = floats[s + 1]! > 0 ? floats[s]! / floats[s + 1]! : Number.NaN;
      },
      terms,
      frame(row, out) {
        const s = row * floatStride;
        listen(row);
        const unit = c.side / 100;
        let worst = Number.POSITIVE_INFINITY;
        const reach = new Float64Array(S);
        const lines = 6 * (2 * S + U);
        for (let u = 0; u < U; u++) {
          const [x = 0, y = 0] = floats.subarray(s + USERS + 2 * u, s + USERS + 2 * u + 2);
          const i = heard.server[u]!;
          const [sx = 0, sy = 0] = floats.subarray(s + 2 * i, s + 2 * i + 2);
          out.set([x, y, 0, 0, 1.1 * unit, i], 6 * (S + u));
          out.set([sx, sy, x, y, i, Math.max(0.02, (heard.rate[u]! * c.channels) / c.cap)], lines + 6 * u);
          reach[i] = Math.max(reach[i]!, sqrt((x - sx) ** 2 + (y - sy) ** 2));
          worst = Math.min(worst, heard.rate[u]!);
        }
        for (let i = 0; i < S; i++) {
          const [x = 0, y = 0] = floats.subarray(s + 2 * i, s + 2 * i + 2);
          out.set([x, y, 0, 0, 2.4 * unit, i], 6 * i);
          out.set([x, y, 0, 0, reach[i]! > 0 ? reach[i]! + 2 * unit : 0, i], 6 * (S + U + i));
        }
        out.set([mean(heard.rate), mean(heard.alone), worst], lines + 6 * U);
      },
    });
  },
  policies: { 'k-means': kMeans, densest },
});
