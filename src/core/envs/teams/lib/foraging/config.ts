/** Settings of foraging, and what follows from them: field, spaces, state, frame. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { type EntityKind, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { measuredFor } from '#core/envs/api/measured.ts';
import { badConfig } from '#core/envs/api/parse.ts';
import { defineState } from '#core/envs/api/state.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { rowsFrom } from '#core/envs/lib/entities.ts';
import { LOAD } from './forage.ts';
import { type Field, seesAll } from './observe.ts';

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const GROUND: MapFormat = {
  size: [3, 19],
  tiles: [
    { code: '.', title: 'free', look: 'empty' },
    { code: 'P', title: 'player', look: 'agent' },
    ...LEVELS.map((level) => ({
      code: String(level),
      title: `food of level ${level}`,
      look: 'food' as const,
      state: level,
      colour: 'red',
      glyph: String(level),
      walk: 'never' as const,
    })),
  ],
  rules: [
    { rule: 'count', of: LEVELS.map(String), least: 1, most: 9, says: 'There must be one to nine foods. Paint some.' },
    { rule: 'reach', from: ['P'], to: LEVELS.map(String), beside: true, every: true, says: 'Some food cannot be reached. Open a way.' },
  ],
};

export const config = z.strictObject({
  players: z
    .int()
    .min(2)
    .max(9)
    .default(2)
    .meta({ title: 'players', description: 'Foragers in the field.', source: 'LBF v3', crowd: true }),
  foods: z
    .int()
    .min(1)
    .max(9)
    .default(1)
    .meta({ title: 'foods', description: 'Foods placed at the start.', source: 'LBF v3', crowd: true }),
  fieldSize: z
    .array(z.int().min(5).max(19))
    .length(2)
    .default([8, 8])
    .meta({ title: 'field', unit: 'cells', description: 'Rows and columns.', source: 'LBF v3' }),
  map: z
    .array(
      z
        .string()
        .regex(/^[.P1-9]+$/)
        .min(3)
        .max(19),
    )
    .min(3)
    .max(19)
    .nullable()
    .default(null)
    .meta({
      title: 'own map',
      description:
        'A field of your own: rows of . free, P where a player starts (row by row; the others anywhere free), 1 to 9 a food of that level. It replaces field and foods; empty: drawn.',
      editor: 'grid-map',
      map: GROUND,
    }),
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

interface Ground extends Field {
  /** Of a map of one's own, as [row, column], row by row. */
  readonly starts: readonly (readonly [row: number, column: number])[];
  /** [row, column, level], row by row; null: drawn. */
  readonly given: readonly (readonly [row: number, column: number, level: number])[] | null;
}

export function fieldOf(c: Config): Ground {
  const [rows = 0, columns = 0] = c.map === null ? c.fieldSize : [c.map.length, c.map[0]?.length];
  if (c.playerLevels !== null && c.playerLevels.length !== c.players)
    throw badConfig('playerLevels', `There are ${c.playerLevels.length} levels for ${c.players} players.`, 'Give one level per player.');
  if (c.map?.some((row) => row.length !== columns)) throw badConfig('map', 'The rows of the map differ in length.', 'Make them equal.');
  const marks = (c.map ?? []).flatMap((row, y) => [...row].map((letter, x) => [y, x, letter] as const));
  const starts = marks.flatMap(([y, x, letter]) => (letter === 'P' ? [[y, x] as const] : []));
  const given = marks.flatMap(([y, x, letter]) => (Number(letter) > 0 ? [[y, x, Number(letter)] as const] : []));
  if (c.map !== null && (given.length === 0 || given.length > 9))
    throw badConfig('map', `There are ${given.length} foods on the map.`, 'Paint 1 to 9, as the digits of their levels.');
  if (c.map !== null && rows * columns < given.length + c.players)
    throw badConfig('map', 'There is no room for all players on the map.', 'Leave a free cell for each.');
  return {
    rows,
    columns,
    sight: c.sight ?? Math.max(rows, columns),
    players: c.players,
    foods: c.map === null ? c.foods : given.length,
    starts,
    given: c.map === null ? null : given,
  };
}

function stateOf(c: Config) {
  return defineState(
    1,
    [
      { name: 'players', type: 'u32', shape: [c.players, 3], doc: 'row, column and level of each player' },
      { name: 'foods', type: 'u32', shape: [fieldOf(c).foods, 3], doc: 'row, column and level of each food, level 0 when it is gone' },
      { name: 'foodTotal', type: 'u32', shape: [], doc: 'levels of all food at the start; 0: of the food there is' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['foodTotal'],
  );
}

/** The vector of observe.ts as rows; a level of 0 says that nothing is seen there. */
const entities = ({ foods, players }: Field): readonly EntityKind[] => [
  { name: 'self', width: 3, rows: rowsFrom(3 * foods, 3, 1) },
  { name: 'food', width: 3, rows: rowsFrom(0, 3, foods), presence: 2 },
  { name: 'mate', width: 3, rows: rowsFrom(3 * (foods + 1), 3, players - 1), presence: 2 },
];

export function meta(c: Config): EnvMeta {
  const f = fieldOf(c);
  const side = 2 * f.sight + 1;
  const top = Math.max(2 * f.sight, f.rows, f.columns, 9 * 3);
  const obs: ObsSpace = c.gridObservation
    ? { kind: 'box', shape: [3, side, side], low: 0, high: top }
    : { kind: 'box', shape: [3 * (f.foods + c.players)], low: -1, high: top, entities: entities(f) };
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
    globalSize: c.players * obsSize(obs),
    masked: false,
    // where a player sees less, coordinates count from a corner that moves with it
    ...(seesAll(f) &&
      !c.gridObservation && {
        cells: { kind: 'places' as const, self: 3 * f.foods, things: Array.from({ length: f.foods }, (_, i) => 3 * i), changes: [LOAD] },
      }),
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
