/** Settings of the quick point maze, and what follows from them: map, spaces, state, frame. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import type { Lattice, PointsLayout } from '#contract/game/frames.ts';
import { maxStepsField } from '#core/envs/api/limits.ts';
import { soloMeta } from '#core/envs/api/meta.ts';
import { defineState } from '#core/envs/api/state.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import {
  GYMNASIUM_MAPS,
  LEAST_SIDE,
  type Maze,
  type MazeRows,
  MOST_SIDE,
  OGBENCH_MAPS,
  OGBENCH_TASKS,
  parseMaze,
} from '../../lib/maze/maps.ts';
import { MAZE_TILES } from '../../lib/maze/tiles.ts';

const SOURCE = 'OGBench pointmaze';

const MAZES = {
  u: GYMNASIUM_MAPS.u,
  open: GYMNASIUM_MAPS.open,
  medium: OGBENCH_MAPS.medium,
  large: OGBENCH_MAPS.large,
  giant: OGBENCH_MAPS.giant,
};
const NAMES = ['u', 'open', 'medium', 'large', 'giant'] as const satisfies readonly (keyof typeof MAZES)[];

export const config = z.strictObject({
  maze: z
    .enum(NAMES)
    .default('u')
    .meta({ title: 'maze', description: 'Which of the published maps.', source: 'Gymnasium-Robotics and OGBench', depth: 'teach' }),
  map: z
    .array(
      z
        .string()
        .regex(/^[#.rgc]+$/)
        .max(MOST_SIDE),
    )
    .min(LEAST_SIDE)
    .max(MOST_SIDE)
    .nullable()
    .default(null)
    .meta({
      title: 'own map',
      description:
        'A maze of your own in place of the published one: rows of # wall, . free, r start, g goal, c start or goal; empty: none.',
      editor: 'grid-map',
      map: { ...MAZE_TILES, begin: { by: 'maze', rows: MAZES } },
    }),
  episodes: z.enum(['drawn', 'tasks', 'navigate', 'stitch']).default('drawn').meta({
    title: 'episodes',
    description:
      'drawn: start and goal anywhere, over at the goal. tasks: one of the five published pairs of start and goal. navigate: a new goal each time one is reached, up to the step limit. stitch: one goal four cells away, up to the step limit. Mazes without published tasks draw them.',
    source: SOURCE,
    depth: 'teach',
  }),
  body: z.enum(['steered', 'pushed']).default('steered').meta({
    title: 'body',
    description: 'steered: actions move the disc (OGBench’s point). pushed: actions push a mass (Gymnasium-Robotics’ point).',
    source: 'OGBench; Gymnasium-Robotics PointMaze-v3',
  }),
  goalRadius: z
    .number()
    .min(0.05)
    .max(1)
    .default(0.25)
    .meta({
      title: 'goal radius',
      unit: 'cells',
      description: 'As near to its goal the disc is there.',
      source: `${SOURCE}: 1 m of 4`,
      live: true,
      slider: [0.05, 1],
    }),
  reward: z
    .enum(['goal', 'time'])
    .default('goal')
    .meta({ title: 'reward', description: 'goal: 1 at the goal, else 0. time: 0 at the goal, else -1.', source: 'OGBench' }),
  expertNoise: z
    .number()
    .min(0)
    .max(3)
    .default(0.5)
    .meta({
      title: 'noise of the expert',
      description: 'Deviation of the noise that the scripted way-point player adds to its actions, which recordings are made with.',
      source: `${SOURCE}: 0.5`,
      slider: [0, 2],
    }),
  maxSteps: maxStepsField(300, 'Gymnasium-Robotics; OGBench: 1000'),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'u', title: 'U', config: {} },
  { id: 'medium', title: 'medium', config: { maze: 'medium', maxSteps: 600 } },
  { id: 'large-tasks', title: 'large, the five tasks', config: { maze: 'large', episodes: 'tasks', maxSteps: 1000 } },
  { id: 'giant-tasks', title: 'giant, the five tasks', config: { maze: 'giant', episodes: 'tasks', maxSteps: 1000 } },
  { id: 'large-navigate', title: 'large, goal after goal', config: { maze: 'large', episodes: 'navigate', maxSteps: 1000 } },
  { id: 'pushed', title: 'U, a mass that is pushed', config: { body: 'pushed', goalRadius: 0.45 } },
];

/** Radius of the disc, cells. */
export const radiusOf = ({ body }: Pick<Config, 'body'>): number => (body === 'steered' ? 0.7 / 4 : 0.1);
/** What a step moves at most in each direction, cells: a full action of the steered, the top speed of the pushed. */
export const REACH = 0.05;
/** Of a pushed mass, cells and seconds: Gymnasium-Robotics' point. */
export const PUSH = { dt: 0.01, force: 100, damping: 1, mass: (1000 * 4 * Math.PI * 0.1 ** 3) / 3, topSpeed: 5 } as const;

export const rowsOf = ({ map, maze }: Pick<Config, 'map' | 'maze'>): MazeRows => map ?? MAZES[maze];

export interface World {
  readonly maze: Maze;
  readonly rows: MazeRows;
  /** Pairs of cells of the published tasks; empty: there are none. */
  readonly tasks: readonly { readonly start: number; readonly goal: number }[];
}

export function worldOf(c: Config): World {
  const rows = rowsOf(c);
  const maze = parseMaze(rows);
  const name = c.map === null ? c.maze : null;
  const pairs = name === 'medium' || name === 'large' || name === 'giant' ? OGBENCH_TASKS[name] : [];
  const cell = ([i, j]: readonly [number, number]): number => i * maze.columns + j;
  return { maze, rows, tasks: c.episodes === 'tasks' ? pairs.map(({ start, goal }) => ({ start: cell(start), goal: cell(goal) })) : [] };
}

export const endsAtGoal = ({ episodes }: Pick<Config, 'episodes'>): boolean => episodes === 'drawn' || episodes === 'tasks';

/** What a step pays. */
export const paid = (reward: Config['reward'], there: boolean): number => (reward === 'goal' ? (there ? 1 : 0) : there ? 0 : -1);

/** Six points of the lattice for maps along a cell, three at least in large own mazes (MOST_SIDE 40). */
export const latticeOf = (rows: MazeRows): Lattice => {
  const [columns, lines] = [rows[0]!.length, rows.length];
  const along = Math.min(6, Math.floor(120 / Math.max(columns, lines)));
  return { columns: along * columns, lines: along * lines };
};

/** Runs of walls along the rows: left end, length (cells), row from the bottom. */
export function wallRuns(rows: MazeRows): readonly (readonly [left: number, length: number, row: number])[] {
  return rows.flatMap((row, i) => [...row.matchAll(/#+/g)].map(({ index, 0: run }) => [index, run.length, rows.length - 1 - i] as const));
}

export const mazeState = defineState(1, [
  { name: 'place', type: 'f64', shape: [2], unit: 'cells', doc: 'middle of the disc, from the lower left corner of the map' },
  { name: 'velocity', type: 'f64', shape: [2], unit: 'cells/s', doc: 'of a pushed mass; 0 of a steered one' },
  { name: 'goal', type: 'f64', shape: [2], unit: 'cells', doc: 'goal of the present step' },
  { name: 'way', type: 'f64', shape: [], unit: 'cells', doc: 'walked since the last goal was set' },
  { name: 'straight', type: 'f64', shape: [], unit: 'cells', doc: 'the way along the middles of the cells when the goal was set' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  { name: 'reached', type: 'u32', shape: [], doc: 'goals reached in this episode' },
  { name: 'there', type: 'u32', shape: [], doc: '1: the disc was at its goal when this step ended' },
]);
/** Where they stand in a row of the state. */
export const AT = { place: 0, velocity: 2, goal: 4, way: 6, straight: 7, steps: 0, reached: 1, there: 2 } as const;

function frame(rows: MazeRows): PointsLayout {
  const walls = wallRuns(rows).length;
  return {
    kind: 'points',
    count: walls + 2,
    bounds: [0, 0, rows[0]!.length, rows.length],
    names: [],
    groups: [
      { name: 'walls', count: walls, shape: 'box', sized: true, between: true },
      { name: 'goal', count: 1, shape: 'goal', held: true, called: true },
      { name: 'robot', count: 1, shape: 'disc', trail: true },
    ],
    extra: ['goals reached', 'steps of the shortest way'],
  };
}

/** Of 1,000 episodes of random play that end at the goal, the share that gets there; in the tasks of the large and giant maze none did. */
const RANDOM = { u: 0.03, medium: 0.024 } as const;

function referencesOf({ maze, map, episodes, body, reward, goalRadius, maxSteps }: Config): EnvMeta['references'] {
  const known = map === null && episodes === 'drawn' && body === 'steered' && reward === 'goal' && goalRadius === 0.25;
  if (!known || (maze !== 'u' && maze !== 'medium') || maxSteps !== (maze === 'u' ? 300 : 600)) return [];
  return [
    { name: 'random', value: RANDOM[maze], source: 'uniform actions, measured' },
    { name: 'optimal', value: 1, source: 'exact' },
  ];
}

export function meta(c: Config): EnvMeta {
  const rows = rowsOf(c);
  parseMaze(rows);
  const pushed = c.body === 'pushed';
  const labels = ['x', 'y', ...(pushed ? ['velocity x', 'velocity y'] : []), 'goal x', 'goal y'];
  const side = Math.max(rows.length, rows[0]!.length);
  return {
    ...soloMeta({
      id: 'quick-point-maze',
      agent: 'robot',
      obs: { kind: 'box', shape: [labels.length], low: pushed ? -6 : 0, high: Math.max(6, side), labels },
      action: { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['right', 'up'] },
      gamma: 0.99,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state: mazeState,
      frame: frame(rows),
      references: referencesOf(c),
      keys: [],
      axes: [
        { name: 'right', component: 0, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: -1, high: 1, rest: 0, stick: 'leftX' },
        { name: 'up', component: 1, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
      ],
      idleAction: null,
      fps: 20,
    }),
    lattice: latticeOf(rows),
    goals: { size: 2, achieved: 0, desired: labels.length - 2, ...(endsAtGoal(c) && { ends: paid(c.reward, true) }) },
    measures: [
      { id: 'success', title: 'success', description: 'Share of the last 100 episodes in which a goal was reached.' },
      {
        id: 'detour',
        title: 'detour',
        description: 'Way walked to the goal over the way along the middles of the cells; below 1 it cuts corners.',
      },
    ],
  };
}
