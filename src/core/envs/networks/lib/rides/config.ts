/** Settings of ride dispatch, and what follows from them: spaces, state, frame. */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { PointsLayout } from '#contract/game/frames.ts';
import { type EntityKind, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { measuredFor } from '../../../api/measured.ts';
import { defineState } from '../../../api/state.ts';
import { weightField } from '../../../api/terms.ts';
import type { EnvMeta } from '../../../api/types.ts';
import { rowsFrom } from '../../../lib/entities.ts';
import { mostRequests } from './day.ts';

const OWN = 'own choice';
/** Drivers offered for a request, or requests offered to a driver. */
export const CHOICES = 5;
/** Requests a person may add in a day. */
export const SPARE = 8;
/** Other requests that are seen, and mates that a driver sees: the nearest. */
const OTHERS = 12;
const MATES = 8;

const whole = (
  standard: number,
  [min, max]: readonly [number, number],
  about: { readonly title: string; readonly description: string; readonly unit?: string; readonly crowd?: true },
) =>
  z
    .int()
    .min(min)
    .max(max)
    .default(standard)
    .meta({ ...about, source: OWN });

export const config = z.strictObject({
  decides: z.enum(['dispatcher', 'drivers']).default('dispatcher').meta({
    title: 'who decides',
    description: 'One dispatcher gives request after request to a driver; or each driver is an agent and asks for a request.',
    source: OWN,
  }),
  sight: z.enum(['near', 'all']).default('near').meta({
    title: 'what drivers see',
    description: 'Where drivers decide: the eight nearest mates, or all drivers and the first twelve who wait, as a dispatcher sees.',
    source: OWN,
  }),
  drivers: whole(25, [2, 60], { title: 'drivers', description: 'Cars in the city.', crowd: true }),
  capacity: whole(2, [1, 3], {
    title: 'requests at once',
    unit: 'requests',
    description: 'So many requests may share a car; 1: each rides alone.',
  }),
  demand: whole(180, [1, 600], {
    title: 'demand',
    unit: 'requests/h',
    description: 'Mean over the day; twice a day it is half as much again.',
  }),
  patience: whole(10, [2, 30], {
    title: 'patience',
    unit: 'min',
    description: 'A request that no driver reaches within this time is gone.',
  }),
  side: whole(14, [6, 24], { title: 'side', unit: 'blocks', description: 'Of the city; a block takes a car a minute.' }),
  minutes: whole(180, [20, 600], { title: 'length of the day', unit: 'min', description: 'Requests come from its beginning to its end.' }),
  dt: whole(2, [1, 5], { title: 'time step', unit: 'min', description: 'Time between rounds of decisions.' }),
  quarters: whole(4, [1, 8], { title: 'quarters', description: 'Where people live; each day draws their places and two of work.' }),
  days: z.enum(['training', 'held-out']).default('training').meta({
    title: 'days',
    description: 'Which of the drawn days are played: no day is among both.',
    source: OWN,
  }),
  count: whole(200, [1, 1_000_000_000], { title: 'number of days', description: 'Days, of which each episode has one.' }),
  waitWeight: weightField(1, {
    title: 'wait',
    description: 'Taken for ten minutes until a pick-up.',
    slider: [0, 2],
    source: OWN,
  }),
  detourWeight: weightField(0.2, {
    title: 'detour',
    description: 'Taken for ten minutes of a ride beyond the direct way.',
    slider: [0, 2],
    source: OWN,
  }),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'training', title: '25 drivers, 200 days', config: {} },
  { id: 'held-out', title: '25 drivers, 50 days never in training', config: { days: 'held-out', count: 50 } },
  {
    id: 'larger',
    title: '40 drivers, a larger city, days never in training',
    config: { drivers: 40, side: 18, demand: 240, quarters: 6, days: 'held-out', count: 50 },
  },
  { id: 'alone', title: 'Each request rides alone', config: { capacity: 1, demand: 100 } },
  { id: 'drivers', title: 'Each of 25 drivers is an agent', config: { decides: 'drivers' } },
];

/** Days of the two kinds have seeds of their own: even and odd ones. */
export const seedOf = ({ days }: Config, index: number): number => 2 * index + (days === 'training' ? 0 : 1);
export const mostOf = (c: Config): number => mostRequests(c) + SPARE;
export const stopsOf = ({ capacity }: Config): number => 2 * capacity;

const NAMES = [
  ['random', 'uniform choices among what is allowed, 200 episodes here'],
  ['nearest', 'policy "nearest": the driver who is there first; 200 episodes here'],
  ['paired', 'policy "paired": the same, if no other request is nearer to that driver; the same episodes'],
  ['least added', 'policy "least-added": the least longer way; the same episodes'],
  ['upper bound', 'the day is known ahead, every seat is a car of its own (bounded by prices of requests); 5 days here'],
] as const;
const MEASURED = {
  training: [70.9, 155.8, 163.9, 140.1, 542.7],
  'held-out': [70.9, 155.4, 163.3, 136.6, 530.7],
  larger: [79.4, 193.5, 200.1, 173.4, 711.8],
  alone: [83.4, 129.6, 131.6, 129.6, 278.2],
  drivers: [94.5, 196.5, 196.5, 192.3, 542.7],
};

export const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'served', title: 'requests served', weights: [] },
  { id: 'wait', title: 'waits', weights: ['waitWeight'] },
  { id: 'detour', title: 'detours', weights: ['detourWeight'] },
];

/** Numbers of each row, in the order in which they stand. */
export const OF = { request: 9, offer: 8, driver: 6, waiting: 6, self: 8, choice: 8, mate: 5 } as const;
export const matesOf = ({ drivers, sight }: Config): number => (sight === 'all' ? drivers - 1 : Math.min(MATES, drivers - 1));
/** Rows of others who wait. */
const othersOf = ({ decides, sight }: Config): number => (decides === 'drivers' && sight === 'near' ? 0 : OTHERS);

const OFFERS = OF.request;
const DRIVERS = OFFERS + OF.offer * CHOICES;
const MATES_FROM = OF.self + OF.choice * CHOICES;
const waitingFrom = (c: Config): number => (c.decides === 'drivers' ? MATES_FROM + OF.mate * matesOf(c) : DRIVERS + OF.driver * c.drivers);
export const PLACES = { offers: OFFERS, drivers: DRIVERS, waitingFrom, waiting: othersOf, choices: OF.self, mates: MATES_FROM } as const;

function entities(c: Config): readonly EntityKind[] {
  if (c.decides === 'drivers')
    return [
      { name: 'self', width: OF.self, rows: rowsFrom(0, OF.self, 1) },
      { name: 'request', width: OF.choice, rows: rowsFrom(OF.self, OF.choice, CHOICES), presence: 0, ordered: true },
      { name: 'mate', width: OF.mate, rows: rowsFrom(MATES_FROM, OF.mate, matesOf(c)) },
      { name: 'waiting', width: OF.waiting, rows: rowsFrom(waitingFrom(c), OF.waiting, othersOf(c)), presence: 0 },
    ];
  return [
    { name: 'request', width: OF.request, rows: rowsFrom(0, OF.request, 1) },
    { name: 'offer', width: OF.offer, rows: rowsFrom(OFFERS, OF.offer, CHOICES), presence: 0, ordered: true },
    { name: 'driver', width: OF.driver, rows: rowsFrom(DRIVERS, OF.driver, c.drivers) },
    { name: 'waiting', width: OF.waiting, rows: rowsFrom(waitingFrom(c), OF.waiting, othersOf(c)), presence: 0 },
  ];
}

const each = (count: number, name: string, of: readonly string[]) =>
  Array.from({ length: count }, (_, i) => of.map((what) => `${name} ${i + 1} ${what}`)).flat();

function labels(c: Config): string[] {
  const others = each(othersOf(c), 'waiting', ['is there', 'dx', 'dy', 'to dx', 'to dy', 'waited']);
  const offered = ['is there', 'minutes to pick-up', 'longer way', 'delay of others'];
  if (c.decides === 'drivers')
    return [
      ...['own x', 'own y', 'requests on the way', 'minutes until free', 'free dx', 'free dy', 'time left', 'waiting'],
      ...each(CHOICES, 'request', [...offered, 'waited', 'trip', 'to dx', 'to dy']),
      ...each(matesOf(c), 'mate', ['dx', 'dy', 'minutes until free', 'free dx', 'free dy']),
      ...others,
    ];
  return [
    ...['from x', 'from y', 'to x', 'to y', 'trip', 'waited', 'time left', 'waiting', 'free drivers'],
    ...each(CHOICES, 'offer', [...offered, 'requests on the way', 'dx', 'dy', 'others nearer']),
    ...each(c.drivers, 'driver', ['dx', 'dy', 'minutes until free', 'free dx', 'free dy', 'requests on the way']),
    ...others,
  ];
}

/** Requests that are drawn at once, the first of those that wait. */
export const DRAWN = 30;
/** Where what a person may drag in lies beside the city. */
export const handOf = (c: Config): readonly [number, number] => [-1.2, c.side / 2];
export const goalOf = (c: Config): readonly [number, number] => [Math.round(0.75 * c.side), Math.round(0.75 * c.side)];

/** Lines, two along streets each: every driver to its next stop, the offers for the request that is decided on, its trip. */
export const linesOf = (c: Config): number => 2 * (c.drivers + CHOICES + 1);

const OFFER_NAMES = Array.from({ length: CHOICES }, (_, k) => `offer ${k + 1}`);

function layout(c: Config): PointsLayout {
  return {
    kind: 'points',
    count: c.drivers + 2 + DRAWN + CHOICES,
    bounds: [-1.8, -0.8, c.side + 0.8, c.side + 0.8],
    names: [
      ...Array.from({ length: c.drivers }, (_, i) => `driver ${i + 1}`),
      'your request',
      'its goal',
      ...Array.from({ length: DRAWN }, (_, i) => `request ${i + 1}`),
      ...OFFER_NAMES,
    ],
    groups: [
      { name: 'driver', count: c.drivers, shape: 'disc', numbered: true },
      { name: 'your request', count: 1, shape: 'ball', held: true },
      { name: 'its goal', count: 1, shape: 'goal', held: true },
      { name: 'request', count: DRAWN, shape: 'obstacle' },
      ...OFFER_NAMES.map((name) => ({ name, count: 1, shape: 'words' as const, tag: name })),
    ],
    lines: linesOf(c),
    ground: 'streets',
    extra: ['served (%)', 'mean wait (min)', 'waiting'],
  };
}

export function meta(c: Config): EnvMeta {
  const alone = c.decides === 'dispatcher';
  const own = labels(c);
  const obs: ObsSpace = { kind: 'box', shape: [own.length], low: -1e6, high: 1e6, labels: own, entities: entities(c) };
  const choices = OFFER_NAMES.map((name, k) => (alone ? name : `request ${k + 1}`));
  const actions = [alone ? 'wait' : 'go on', ...choices];
  return {
    id: 'ride-dispatch',
    version: 1,
    agents: [
      {
        count: alone ? 1 : c.drivers,
        names: alone ? ['dispatcher'] : Array.from({ length: c.drivers }, (_, i) => `driver ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: actions.length, labels: actions },
      },
    ],
    agentCount: alone ? 1 : c.drivers,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: actions.length,
    rewards: ['reward'],
    terms: TERMS,
    costs: [],
    globalSize: 0,
    masked: true,
    score: 'sum',
    gamma: 0.95,
    maxSteps: 0,
    evalMaxSteps: 20_000,
    state: defineState(1, [
      { name: 'hand', type: 'f64', shape: [2, 2], doc: 'where the request that a person may drag in, and its goal, are drawn' },
      { name: 'waits', type: 'f64', shape: [], unit: 'min', doc: 'minutes until pick-up of all that were given to a driver' },
      { name: 'day', type: 'u32', shape: [], doc: 'number of the day' },
      { name: 'minute', type: 'u32', shape: [], unit: 'min', doc: 'since the day began' },
      { name: 'asked', type: 'u32', shape: [], doc: 'request that is decided on, one more; 0: none' },
      { name: 'came', type: 'u32', shape: [], doc: 'requests that have come, without those of a person' },
      { name: 'served', type: 'u32', shape: [], doc: 'requests that were given to a driver' },
      { name: 'lost', type: 'u32', shape: [], doc: 'requests that waited in vain' },
      { name: 'last', type: 'u32', shape: [], doc: 'driver who took the last request, one more; 0: none' },
      { name: 'drivers', type: 'u32', shape: [c.drivers, 2], unit: 'blocks', doc: 'crossing of each driver' },
      {
        name: 'stops',
        type: 'u32',
        shape: [c.drivers, stopsOf(c)],
        doc: 'stops of each driver: 2 r + 1 takes request r in, 2 r + 2 lets it out',
      },
      {
        name: 'requests',
        type: 'u32',
        shape: [mostOf(c)],
        doc: 'of each request: 0 waits or has not come, 1 has a driver, 2 is gone, 3 waits until the next round',
      },
      { name: 'added', type: 'u32', shape: [SPARE, 5], doc: 'requests of a person: from, to, minute one more; 0: none' },
    ]),
    frame: layout(c),
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    measures: [
      { id: 'served', title: 'served', description: 'Share of the requests that a driver took.' },
      { id: 'pick-up', title: 'pick-up', description: 'Mean wait from the request until the driver is there.', unit: 'min' },
    ],
    keys: [['.', ' '], ...choices.map((_, k) => [String(k + 1)])],
    idleAction: null,
    fps: 4,
  };
}
