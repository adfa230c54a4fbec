/** Settings of foraging, and what follows from them: field, spaces, state, frame. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { Preset } from '#contract/catalog.ts';
import type { GridLayout } from '#contract/frames.ts';
import { type ObsSpace, obsSize } from '#contract/spaces.ts';
import { measuredFor } from '../measured.ts';
import { badConfig } from '../parse.ts';
import { defineState } from '../state.ts';
import type { EnvMeta } from '../types.ts';
import type { Field } from './observe.ts';

export const config = z.strictObject({
  players: z.int().min(2).max(9).default(2).meta({ title: 'players', description: 'Foragers in the field.', source: 'LBF v3' }),
  foods: z.int().min(1).max(9).default(1).meta({ title: 'foods', description: 'Foods placed at the start.', source: 'LBF v3' }),
  fieldSize: z
    .array(z.int().min(5).max(19))
    .length(2)
    .default([8, 8])
    .meta({ title: 'field', unit: 'cells', description: 'Rows and columns.', source: 'LBF v3' }),
  sight: z
    .int()
    .min(1)
    .max(19)
    .nullable()
    .default(null)
    .meta({ title: 'sight', unit: 'cells', description: 'How far a player sees; empty: the whole field.' }),
  penalty: z.number().min(0).max(10).default(0).meta({ title: 'penalty', description: 'Cost of a load that fails.', source: 'LBF v3' }),
  playerLevels: z
    .array(z.int().min(1).max(9))
    .min(2)
    .max(9)
    .nullable()
    .default(null)
    .meta({ title: 'player levels', description: 'Level of each player; empty: 1 or 2, drawn.' }),
  coop: z
    .boolean()
    .default(false)
    .meta({ title: 'cooperation forced', description: 'Every food has the highest level that is possible.', source: 'LBF v3, -coop' }),
  normalizeReward: z
    .boolean()
    .default(true)
    .meta({ title: 'normalised reward', description: 'All food together is worth 1.', source: 'LBF v3' }),
  gridObservation: z
    .boolean()
    .default(false)
    .meta({ title: 'grid observation', description: 'Layers around the player instead of a list.', depth: 'research' }),
  maxSteps: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50)
    .meta({ title: 'step limit', unit: 'steps', description: 'The episode ends after this many steps.', source: 'LBF v3', log: true }),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: '8x8-2p-1f', title: '8x8, 2 players, 1 food', config: {} },
  { id: '8x8-2p-2f-coop', title: '8x8, 2 players, 2 foods, together', config: { foods: 2, coop: true } },
  { id: '8x8-2p-3f', title: '8x8, 2 players, 3 foods', config: { foods: 3 } },
  { id: '10x10-3p-3f', title: '10x10, 3 players, 3 foods', config: { fieldSize: [10, 10], players: 3, foods: 3 } },
  { id: '2s-8x8-2p-2f-coop', title: '8x8, sight 2, together', config: { foods: 2, coop: true, sight: 2 } },
  { id: '15x15-4p-5f', title: '15x15, 4 players, 5 foods', config: { fieldSize: [15, 15], players: 4, foods: 5 } },
];

const NAMES = [
  ['random', 'uniform actions, 200 episodes here'],
  ['expert', 'policy "expert": the smallest team that is there soonest; 400 episodes here, all food in each'],
] as const;

/** Returns summed over players. */
const MEASURED = {
  '8x8-2p-1f': [0.22, 1],
  '8x8-2p-2f-coop': [0, 1],
  '8x8-2p-3f': [0.171, 1],
  '10x10-3p-3f': [0.105, 1],
  '2s-8x8-2p-2f-coop': [0, 1],
  '15x15-4p-5f': [0.08, 1],
};

export function fieldOf(c: Config): Field {
  const [rows = 0, columns = 0] = c.fieldSize;
  if (c.playerLevels !== null && c.playerLevels.length !== c.players)
    throw badConfig('playerLevels', `There are ${c.playerLevels.length} levels for ${c.players} players.`, 'Give one level per player.');
  return { rows, columns, sight: c.sight ?? Math.max(rows, columns), players: c.players, foods: c.foods };
}

function stateOf(c: Config) {
  return defineState(
    1,
    [
      { name: 'players', type: 'u32', shape: [c.players, 3], doc: 'row, column and level of each player' },
      { name: 'foods', type: 'u32', shape: [c.foods, 3], doc: 'row, column and level of each food, level 0 when it is gone' },
      { name: 'foodTotal', type: 'u32', shape: [], doc: 'levels of all food at the start; 0: of the food there is' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['foodTotal'],
  );
}

export function meta(c: Config): EnvMeta {
  const f = fieldOf(c);
  const side = 2 * f.sight + 1;
  const top = Math.max(2 * f.sight, f.rows, f.columns, 9 * 3);
  const obs: ObsSpace = c.gridObservation
    ? { kind: 'box', shape: [3, side, side], low: 0, high: top }
    : { kind: 'box', shape: [3 * (c.foods + c.players)], low: -1, high: top };
  const frame: GridLayout = {
    kind: 'grid',
    width: f.columns,
    height: f.rows,
    agents: c.players,
    headings: false,
    looks: ['empty', 'food'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
    agentExtras: ['level'],
  };
  return {
    id: 'level-based-foraging',
    version: 1,
    agents: [
      {
        count: c.players,
        names: Array.from({ length: c.players }, (_, i) => `player ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: 6, labels: ['none', 'north', 'south', 'west', 'east', 'load'] },
      },
    ],
    agentCount: c.players,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: 6,
    rewards: ['reward'],
    costs: [],
    goalSize: 0,
    globalSize: c.players * obsSize(obs),
    masked: false,
    score: 'sum',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: [
      ...measuredFor(c, (raw) => config.parse(raw), presets, NAMES, MEASURED),
      ...(c.normalizeReward ? [{ name: 'upper bound', value: 1, source: 'all food loaded, summed over players' }] : []),
    ],
    keys: [['.'], ['ArrowUp', 'w'], ['ArrowDown', 's'], ['ArrowLeft', 'a'], ['ArrowRight', 'd'], ['e', ' ']],
    idleAction: null,
    noopAction: 0,
    fps: 6,
  };
}
