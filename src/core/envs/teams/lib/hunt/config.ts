/** Settings of the hunt, and what follows from them: spaces, state, frame. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { maxStepsField } from '#core/envs/api/limits.ts';
import { measuredFor } from '#core/envs/api/measured.ts';
import { badConfig } from '#core/envs/api/parse.ts';
import { defineState } from '#core/envs/api/state.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';

const SOURCE = 'Boehmer et al. 2020';
export const LAYERS = 3;
export const STAY = 4;
export const CATCH = 5;

const FORMAT: MapFormat = {
  size: [3, 32],
  tiles: [
    { code: '.', title: 'free', look: 'empty' },
    { code: '#', title: 'wall', look: 'wall', walk: 'never' },
    { code: 'P', title: 'start of predators', look: 'start', glyph: 'P' },
    { code: 'Q', title: 'start of prey', look: 'grass', glyph: 'Q' },
  ],
  rules: [{ rule: 'whole', says: 'Some free cells are cut off: prey there can never be caught from here.' }],
};

const some = (standard: number, title: string, description: string) =>
  z.int().min(1).max(32).default(standard).meta({ title, description, source: SOURCE });

export const config = z.strictObject({
  size: z
    .array(z.int().min(3).max(32))
    .length(2)
    .default([10, 10])
    .meta({ title: 'size', unit: 'cells', description: 'Rows and columns.', source: SOURCE }),
  map: z
    .array(z.string().regex(/^[.#PQ]+$/))
    .min(3)
    .max(32)
    .nullable()
    .default(null)
    .meta({
      title: 'own map',
      description: 'A map of your own: rows of . free, # wall, P and Q starts of predators and prey; empty: an open field of that size.',
      editor: 'grid-map',
      map: FORMAT,
    }),
  torus: z
    .boolean()
    .default(false)
    .meta({ title: 'torus', description: 'An agent that leaves on one side comes in on the other.', source: SOURCE }),
  predators: some(8, 'predators', 'Those who learn.'),
  prey: some(8, 'prey', 'They walk at random.'),
  capture: z.enum(['catch', 'surround']).default('catch').meta({
    title: 'captured when',
    description: 'catch: enough neighbours choose to catch at once; surround: it cannot move any more.',
    source: SOURCE,
  }),
  hunters: z
    .int()
    .min(1)
    .max(4)
    .default(2)
    .meta({ title: 'hunters needed', description: 'Neighbouring predators that must catch at the same time.', source: SOURCE }),
  catchReward: z.number().min(0).max(100).default(10).meta({ title: 'reward', description: 'For all, per captured prey.', source: SOURCE }),
  missPenalty: z
    .number()
    .min(0)
    .max(100)
    .default(0)
    .meta({ title: 'penalty', description: 'Taken from all, per prey that too few try to catch. The paper has 0 to 2.', source: SOURCE }),
  captorsLeave: z
    .boolean()
    .default(true)
    .meta({ title: 'captors leave', description: 'A predator that has captured prey is out for the rest of the episode.', source: SOURCE }),
  preyRests: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({ title: 'prey rests', description: 'Chance per step that a prey stays where it is.', source: SOURCE }),
  viewRadius: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .meta({ title: 'view radius', unit: 'cells', description: 'How far a predator sees to each side.', source: SOURCE }),
  maxSteps: maxStepsField(200, SOURCE),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'standard', title: '8 predators, 8 prey, no penalty', config: {} },
  { id: 'penalty', title: '8 predators, 8 prey, penalty 1.5', config: { missPenalty: 1.5 } },
  { id: 'torus', title: 'without borders, penalty 1', config: { torus: true, missPenalty: 1 } },
  {
    id: 'surround',
    title: '4 predators surround 1 prey',
    config: { size: [7, 7], predators: 4, prey: 1, capture: 'surround', viewRadius: 3 },
  },
  { id: 'small', title: '2 predators, 1 prey, 5x5', config: { size: [5, 5], predators: 2, prey: 1, missPenalty: 1, maxSteps: 100 } },
];

export interface Field {
  readonly width: number;
  readonly height: number;
  readonly letters: string;
}

export function fieldOf(c: Config): Field {
  const [rows = 0, columns = 0] = c.size;
  const width = c.map === null ? columns : (c.map[0]?.length ?? 0);
  if (c.map?.some((r) => r.length !== width)) throw badConfig('map', 'The rows of the map differ in length.', 'Give rows of one length.');
  const letters = c.map === null ? '.'.repeat(rows * columns) : c.map.join('');
  const free = letters.replaceAll('#', '').length;
  if (free < c.predators + c.prey)
    throw badConfig('predators', `There are ${free} free cells for ${c.predators + c.prey} animals.`, 'Take fewer, or a larger field.');
  return { width, height: letters.length / width, letters };
}

function stateOf(c: Config) {
  return defineState(
    1,
    [
      { name: 'predators', type: 'u32', shape: [c.predators, 2], doc: 'row and column of each predator' },
      { name: 'prey', type: 'u32', shape: [c.prey, 2], doc: 'row and column of each prey' },
      { name: 'left', type: 'u32', shape: [c.predators], doc: '1 if a predator has captured and left' },
      { name: 'caught', type: 'u32', shape: [c.prey], doc: '1 if a prey is captured' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['left', 'caught'],
  );
}

const NAMES = [
  ['random', 'uniform legal actions, mean of 200 episodes here'],
  ['pack', 'policy "pack": predators close in on one prey each pair and catch only together, mean of 200 episodes here'],
  ['loners', 'policy "loners": each catches whatever is beside it at once, mean of 200 episodes here'],
] as const;

/** Returns of the team. */
const MEASURED = {
  standard: [5, 39.75, 33.05],
  penalty: [-69.5, 39.2, -66.7],
  torus: [-45.3, 37.8, -29],
  surround: [0.5, 9.45, 0.7],
  small: [-2.97, 6.25, -6.46],
};

export function meta(c: Config): EnvMeta {
  const { width, height } = fieldOf(c);
  const side = 2 * c.viewRadius + 1;
  const obs: ObsSpace = { kind: 'box', shape: [side, side, LAYERS], low: 0, high: 1 };
  const labels = ['right', 'down', 'left', 'up', 'stay', ...(c.capture === 'catch' ? ['catch'] : [])];
  const frame: GridLayout = {
    kind: 'grid',
    width,
    height,
    agents: c.predators + c.prey,
    headings: false,
    looks: ['empty', 'wall'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: c.viewRadius,
    centred: true,
    figures: [...Array.from({ length: c.predators }, () => 'agent' as const), 'prey'],
    teams: [...Array.from({ length: c.predators }, () => 0), ...Array.from({ length: c.prey }, () => 1)],
  };
  return {
    id: 'predator-prey',
    version: 1,
    agents: [
      {
        count: c.predators,
        names: Array.from({ length: c.predators }, (_, i) => `predator ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: labels.length, labels },
      },
    ],
    agentCount: c.predators,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: labels.length,
    rewards: ['reward'],
    costs: [],
    globalSize: LAYERS * width * height,
    masked: true,
    score: 'shared',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: [
      ...measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
      {
        name: 'upper bound',
        value: c.catchReward * (c.captorsLeave && c.capture === 'catch' ? Math.min(c.prey, Math.floor(c.predators / c.hunters)) : c.prey),
        source: 'every prey captured, or as many as there are predators for',
      },
    ],
    keys: [
      ['ArrowRight', 'd'],
      ['ArrowDown', 's'],
      ['ArrowLeft', 'a'],
      ['ArrowUp', 'w'],
      ['.'],
      ...(c.capture === 'catch' ? [['e', ' ']] : []),
    ],
    idleAction: STAY,
    fps: 5,
  };
}
