/**
 * One room that loses heat to the weather, with a heat pump that may also cool: keep it comfortable while people are in, for little
 * money. Obs [room °C, outdoors °C, outdoors in three hours, sine and cosine of the hour, price per kWh, people in, people in an hour from
 * now]. Action: heat from -1 (full cooling) to 1 (full heating); option: five levels. A step of `dt` s: the room follows
 * C dT/dt = (outdoors - T) / R + heat, solved exactly while both stay as they are; option: one Euler step. Reward -(price of the heat +
 * discomfort): price times kWh of heat or cold, and `comfortWeight` per hour and kelvin outside set point +- band at the end of the step
 * while people are in. Never ends; truncates after `days`. Weather: a daily wave about a mean that is drawn, and a disturbance that
 * forgets with a half-life of some hours. Own compact model of one resistance and one capacity; numbers are ours.
 */
import type { FrameLayout } from '#contract/game/frames.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { cos, exp, sin, sqrt } from '#math/functions.ts';
import { numberOf } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { measuredFor } from '../api/measured.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import { createTerms } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { type BuildingConfig, config, presets } from './lib/config.ts';
import { drawRoom, ROOM } from './lib/look.ts';
import { thermostat } from './lib/thermostat.ts';
import { zoneStep } from './lib/zone.ts';

const HOUR = 3600; // s
const DAY = 24;
const WARMEST = 15; // o'clock
const LEVELS = [-1, -0.5, 0, 0.5, 1] as const;

const NAMES = [
  ['random', 'uniform heat, mean of 200 episodes here'],
  [
    'thermostat',
    'policy "thermostat": reaches the band as people come and holds its near edge with just the heat it takes; mean of 200 episodes here',
  ],
] as const;
const MEASURED = { 'one-zone': [-282, -10.8], summer: [-116, -6], 'five-levels': [-281, -12.4], leaky: [-262, -19.8] };

const state = defineState(1, [
  { name: 'temperature', type: 'f64', shape: [], unit: '°C', doc: 'of the room' },
  { name: 'mean', type: 'f64', shape: [], unit: '°C', doc: 'outdoors, of this episode' },
  { name: 'disturbance', type: 'f64', shape: [], unit: 'K', doc: 'what the weather adds now' },
  { name: 'heat', type: 'f64', shape: [], unit: 'W', doc: 'of the last step' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode; it begins at midnight' },
]);
const FLOATS = 4;
/** The disturbance halves in so many hours. */
const HALF_LIFE = 4;

const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'energy', title: 'price of the heat', weights: ['dayPrice', 'nightPrice'] },
  { id: 'comfort', title: 'discomfort', weights: ['comfortWeight'] },
];

const SEES = ['room', 'outdoors', 'outdoors in 3 h', 'sin of the hour', 'cos of the hour', 'price', 'people in', 'people in 1 h'];

function action(c: BuildingConfig): ActionSpace {
  return c.levels
    ? { kind: 'discrete', n: LEVELS.length, labels: ['cool', 'cool a little', 'nothing', 'heat a little', 'heat'] }
    : { kind: 'box', size: 1, low: [-1], high: [1], labels: ['heat'] };
}

function meta(c: BuildingConfig): EnvMeta {
  const maxSteps = Math.ceil((c.days * DAY * HOUR) / c.dt);
  const frame: FrameLayout = { ...ROOM, extra: ['room (°C)', 'outdoors (°C)', 'heat (W)', 'price (per kWh)', 'people in'] };
  return soloMeta({
    id: 'building-energy',
    agent: 'controller',
    obs: { kind: 'box', shape: [SEES.length], low: -1e6, high: 1e6, labels: SEES },
    action: action(c),
    gamma: 0.99,
    maxSteps,
    evalMaxSteps: maxSteps,
    state,
    terms: TERMS,
    frame,
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    keys: c.levels ? [['ArrowDown', 's'], ['Shift+ArrowDown'], [], ['Shift+ArrowUp'], ['ArrowUp', 'w']] : [],
    ...(!c.levels && {
      axes: [
        {
          name: 'cool and heat',
          component: 0,
          less: ['ArrowDown', 's'],
          more: ['ArrowUp', 'w'],
          low: -1,
          high: 1,
          rest: 0,
          stick: 'leftY' as const,
        },
      ],
    }),
    idleAction: c.levels ? 2 : null,
    fps: 12,
  });
}

const hourOf = (seconds: number): number => (seconds / HOUR) % DAY;
/** People are in from 8 to 18 o'clock. */
const peopleIn = (hour: number): number => (hour >= 8 && hour < 18 ? 1 : 0);
const priceAt = (c: BuildingConfig, hour: number) => (hour >= 7 && hour < 21 ? c.dayPrice : c.nightPrice);

export const buildingEnergy = defineEnv<BuildingConfig>({
  spec: {
    id: 'building-energy',
    version: 1,
    title: 'Building energy',
    summary: 'Heat and cool a room so that people feel well in it, and pay little.',
    source: {
      title: 'Go beyond black-box policies: rethinking the design of learning agent for interpretable and verifiable HVAC control',
      authors: 'An, Ding and Du',
      year: 2024,
    },
    config,
    presets,
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const rows = allocateRows(state, batch);
    const { floats, words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const m = meta(c);
    const { maxSteps } = m;
    const keep = exp((-Math.LN2 * c.dt) / (HALF_LIFE * HOUR)); // of the disturbance in a step
    const fresh = sqrt(1 - keep * keep);
    const outdoors = (row: number, seconds: number, share = 1): number => {
      const f = row * FLOATS;
      const wave = c.swing * cos((2 * Math.PI * (seconds / HOUR - WARMEST)) / DAY);
      return floats[f + 1]! + wave + share * floats[f + 2]!;
    };
    const secondsOf = (row: number) => words[row * wordStride]! * c.dt;

    const observe = (row: number, { obs }: StepBuffers) => {
      const now = secondsOf(row);
      const hour = hourOf(now);
      const o = row * SEES.length;
      obs[o] = floats[row * FLOATS]!;
      obs[o + 1] = outdoors(row, now);
      obs[o + 2] = outdoors(row, now + 3 * HOUR, exp((-Math.LN2 * 3) / HALF_LIFE)); // what can be expected
      obs[o + 3] = sin((2 * Math.PI * hour) / DAY);
      obs[o + 4] = cos((2 * Math.PI * hour) / DAY);
      obs[o + 5] = priceAt(c, hour);
      obs[o + 6] = peopleIn(hour);
      obs[o + 7] = peopleIn((hour + 1) % DAY);
    };
    return assemble(m, batch, rows, {
      start(row) {
        const f = row * FLOATS;
        words[row * wordStride] = 0;
        floats[f + 1] = c.meanOutdoors + 8 * draws.uniform(row, 'mean') - 4;
        floats[f + 2] = c.weather * draws.normal(row, 'weather');
        floats[f + 3] = 0;
        floats[f] = c.setPoint + 4 * draws.uniform(row, 'room') - 2;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const f = row * FLOATS;
          const now = secondsOf(row);
          const given = actions[row]!;
          const share = c.levels ? LEVELS[given]! : Math.min(1, Math.max(-1, given));
          const heat = share * c.maxHeat;
          const next = zoneStep(c, floats[f]!, outdoors(row, now), heat, c.solver);
          const paid = (priceAt(c, hourOf(now)) * Math.abs(heat) * c.dt) / (1000 * HOUR);
          const off = Math.max(0, Math.abs(next - c.setPoint) - c.band);
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          const felt = peopleIn(hourOf(steps * c.dt)) * c.comfortWeight * off * (c.dt / HOUR);
          floats[f] = next;
          floats[f + 2] = keep * floats[f + 2]! + fresh * c.weather * draws.normal(row, 'weather');
          floats[f + 3] = heat;
          out.reward[row] = -(paid + felt);
          kept[row * 2] = -paid;
          kept[row * 2 + 1] = -felt;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      terms,
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        const now = secondsOf(row);
        const hour = hourOf(now);
        const [room = 0, , , heat = 0] = floats.subarray(row * FLOATS, (row + 1) * FLOATS);
        const shown = {
          room,
          outdoors: outdoors(row, now),
          heat: heat / c.maxHeat,
          hour,
          low: c.setPoint - c.band,
          high: c.setPoint + c.band,
        };
        const at = drawRoom(shown, peopleIn(hour) === 1, out);
        out.set([room, shown.outdoors, heat, priceAt(c, hour), peopleIn(hour)], at);
      },
    });
  },
  checks: {
    'zone-step': (c, inputs: JsonObject) => {
      const [outdoor, heat, temperature] = [numberOf(inputs, 'outdoor'), numberOf(inputs, 'heat'), numberOf(inputs, 'temperature')];
      return { euler: zoneStep(c, temperature, outdoor, heat, 'euler'), exact: zoneStep(c, temperature, outdoor, heat, 'exact') };
    },
  },
  policies: { thermostat: (c) => thermostat(c) },
});
