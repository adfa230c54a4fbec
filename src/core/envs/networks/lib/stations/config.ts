/** Settings of the flying base stations, and what follows from them: spaces, state, frame. */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { PointsLayout } from '#contract/game/frames.ts';
import { type EntityKind, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { maxStepsField } from '../../../api/limits.ts';
import { measuredFor } from '../../../api/measured.ts';
import { defineState } from '../../../api/state.ts';
import { weightField } from '../../../api/terms.ts';
import type { EnvMeta } from '../../../api/types.ts';
import { rowsFrom } from '../../../lib/entities.ts';

const OWN = 'own choice';
const AIR = 'Al-Hourani et al. 2014';

const crowd = (standard: number, max: number, title: string, description: string) =>
  z.int().min(1).max(max).default(standard).meta({ title, description, source: OWN, crowd: true });

function quantity(
  standard: number,
  about: {
    readonly title: string;
    readonly unit: string;
    readonly description: string;
    readonly source?: string;
    readonly min: number;
    readonly max: number;
    readonly slider: readonly [number, number];
    readonly live?: boolean;
  },
) {
  const { min, max, slider, source = OWN, ...rest } = about;
  return z
    .number()
    .min(min)
    .max(max)
    .default(standard)
    .meta({ ...rest, source, slider: [...slider], group: 'physics' });
}

export const config = z.strictObject({
  stations: crowd(3, 8, 'stations', 'Flying base stations, each an agent.'),
  users: crowd(12, 60, 'users', 'People on the ground, who walk in groups.'),
  spots: z.int().min(1).max(12).default(4).meta({ title: 'groups', description: 'Groups of users; each walks its own way.', source: OWN }),
  channels: z.int().min(1).max(3).default(1).meta({
    title: 'channels',
    description: 'Equal parts of the band. A station sends on one of them, and may change it in place of moving.',
    source: OWN,
  }),
  surroundings: z.enum(['suburban', 'urban', 'dense-urban', 'high-rise']).default('urban').meta({
    title: 'surroundings',
    description: 'How often buildings stand in the way, and what they cost.',
    source: AIR,
  }),
  energyWeight: weightField(0.5, {
    title: 'energy',
    description: 'Taken per kJ of flight, mean over stations.',
    slider: [0, 10],
    source: OWN,
  }),
  side: quantity(1000, { title: 'side', unit: 'm', description: 'Side of the square.', min: 200, max: 10_000, slider: [400, 3000] }),
  height: quantity(100, { title: 'height', unit: 'm', description: 'Of every station.', min: 10, max: 3000, slider: [30, 500] }),
  speed: quantity(20, { title: 'speed', unit: 'm/s', description: 'Of a station that moves.', min: 0, max: 60, slider: [5, 40] }),
  walk: quantity(1.5, { title: 'walk', unit: 'm/s', description: 'Speed of each group of users.', min: 0, max: 20, slider: [0, 5] }),
  spread: quantity(60, {
    title: 'spread',
    unit: 'm',
    description: 'Standard deviation of users about their group.',
    min: 0,
    max: 1000,
    slider: [10, 200],
  }),
  dt: quantity(2.5, { title: 'time step', unit: 's', description: 'Time that one step covers.', min: 0.1, max: 60, slider: [0.5, 10] }),
  power: quantity(10, { title: 'power', unit: 'dBm', description: 'Sent by each station.', min: -20, max: 46, slider: [0, 30] }),
  frequency: quantity(2, {
    title: 'frequency',
    unit: 'GHz',
    description: 'Of the carrier.',
    min: 0.1,
    max: 100,
    slider: [0.7, 6],
    source: AIR,
  }),
  bandwidth: quantity(10, {
    title: 'bandwidth',
    unit: 'MHz',
    description: 'Of all channels together.',
    min: 0.1,
    max: 400,
    slider: [1, 100],
  }),
  noiseFigure: quantity(9, {
    title: 'noise figure',
    unit: 'dB',
    description: 'Noise that a receiver adds.',
    min: 0,
    max: 30,
    slider: [0, 15],
  }),
  cap: quantity(7.4, {
    title: 'highest rate',
    unit: 'bit/s/Hz',
    description: 'More than 256-QAM carries is not used.',
    min: 1,
    max: 30,
    slider: [2, 12],
    source: '3GPP TS 38.214',
  }),
  maxSteps: maxStepsField(60, OWN),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'three', title: '3 stations, 12 users', config: {} },
  { id: 'five', title: '5 stations, 20 users, 6 groups', config: { stations: 5, users: 20, spots: 6 } },
  { id: 'channels', title: '4 stations, 2 channels', config: { stations: 4, users: 16, channels: 2 } },
  { id: 'high-rise', title: '3 stations between high-rise buildings', config: { surroundings: 'high-rise' } },
];

const NAMES = [
  ['random', 'uniform actions, 400 episodes here'],
  ['k-means', 'policy "k-means": each goes to the middle of the users nearest to it; 400 episodes here'],
  ['densest', 'policy "densest": hovers over the places with most users; 400 episodes here'],
  [
    'upper bound',
    'no station disturbs another, all are at once wherever they are best, each user by up to 18 m nearer; every twelfth step of 24 episodes here',
  ],
] as const;

const MEASURED = {
  three: [101.2, 291.8, 278.8, 416.4],
  five: [117, 248.4, 244.8, 431.4],
  channels: [76, 173, 171.7, 209.4],
  'high-rise': [-3.5, 54.5, 58.9, 184.4],
};

export const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'rate', title: 'rate of the users', weights: [] },
  { id: 'energy', title: 'energy of flight', weights: ['energyWeight'] },
];

export const MOVES = ['hover', 'west', 'east', 'south', 'north'];
/** Numbers of a row: of oneself, a mate, a user. */
export const WIDTH = 4;
/** Offsets are seen in so many heights: within one unit radio is good. */
export const REACH = 2;

const entities = (c: Config): readonly EntityKind[] => [
  { name: 'self', width: WIDTH, rows: rowsFrom(0, WIDTH, 1) },
  { name: 'mate', width: WIDTH, rows: rowsFrom(WIDTH, WIDTH, c.stations - 1) },
  { name: 'user', width: WIDTH, rows: rowsFrom(WIDTH * c.stations, WIDTH, c.users) },
];

function labels(c: Config): string[] {
  const list = (count: number, name: string, of: readonly string[]) =>
    Array.from({ length: count }, (_, i) => of.map((what) => `${name} ${i + 1} ${what}`)).flat();
  return [
    'own x',
    'own y',
    'users served',
    'time left',
    ...list(c.stations - 1, 'mate', ['dx', 'dy', 'same channel', 'users served']),
    ...list(c.users, 'user', ['dx', 'dy', 'rate', 'served by me']),
  ];
}

function layout(c: Config): PointsLayout {
  const half = c.side / 2;
  return {
    kind: 'points',
    count: 2 * c.stations + c.users,
    bounds: [-half, -half, half, half],
    names: [
      ...Array.from({ length: c.stations }, (_, i) => `station ${i + 1}`),
      ...Array.from({ length: c.users }, (_, i) => `user ${i + 1}`),
      ...Array.from({ length: c.stations }, (_, i) => `beam ${i + 1}`),
    ],
    groups: [
      { name: 'station', count: c.stations, shape: 'disc', numbered: true, trail: true, held: true },
      { name: 'user', count: c.users, shape: 'obstacle', held: true },
      { name: 'beam', count: c.stations, shape: 'zone' },
    ],
    lines: c.users,
    extra: ['rate (bit/s/Hz)', 'rate if none disturbed (bit/s/Hz)', 'lowest rate (bit/s/Hz)'],
  };
}

export function meta(c: Config): EnvMeta {
  const obs: ObsSpace = {
    kind: 'box',
    shape: [WIDTH * (c.stations + c.users)],
    low: -1e6,
    high: 1e6,
    labels: labels(c),
    entities: entities(c),
  };
  const moves = c.channels > 1 ? [...MOVES, 'next channel'] : MOVES;
  return {
    id: 'base-stations',
    version: 1,
    agents: [
      {
        count: c.stations,
        names: Array.from({ length: c.stations }, (_, i) => `station ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: moves.length, labels: moves },
      },
    ],
    agentCount: c.stations,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: moves.length,
    rewards: ['reward'],
    terms: TERMS,
    costs: [],
    globalSize: 3 * c.stations + 2 * c.users + 1,
    masked: false,
    score: 'sum',
    gamma: 0.95,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: defineState(1, [
      { name: 'stations', type: 'f64', shape: [c.stations, 2], unit: 'm', doc: 'place of each station' },
      { name: 'spots', type: 'f64', shape: [c.spots, 4], unit: 'm, m/s', doc: 'place and velocity of the middle of each group' },
      { name: 'users', type: 'f64', shape: [c.users, 2], unit: 'm', doc: 'place of each user' },
      {
        name: 'rates',
        type: 'f64',
        shape: [2],
        unit: 'bit/s/Hz',
        doc: 'mean rate summed over the steps done, and the same if none disturbed',
      },
      { name: 'channels', type: 'u32', shape: [c.stations], doc: 'channel of each station, from 0' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: layout(c),
    references: measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
    measures: [
      { id: 'rate', title: 'rate', description: 'Mean rate of the users over the episode.', unit: 'bit/s/Hz' },
      { id: 'undisturbed', title: 'undisturbed', description: 'Share of the rate that would be there if no station disturbed another.' },
    ],
    keys: [['.'], ['ArrowLeft', 'a'], ['ArrowRight', 'd'], ['ArrowDown', 's'], ['ArrowUp', 'w'], ...(c.channels > 1 ? [['e', ' ']] : [])],
    idleAction: 0,
    fps: 4,
  };
}
