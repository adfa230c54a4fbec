/** The settings of OGBench's mazes, and what follows from them. */
import { z } from 'zod';
import type { Source } from '#contract/catalog/catalog.ts';
import { maxStepsField } from '../../../api/limits.ts';
import { type Maze, OGBENCH_MAPS, OGBENCH_TASKS, type OgbenchMap, parseMaze, TELEPORTS } from '../../../lib/maze/maps.ts';
import { ogbenchPlaces, xOfCell, yOfCell } from '../../../lib/maze/places.ts';
import type { Body, Shape } from '../mjcf.ts';
import type { Draw } from '../task.ts';
import { about, type Setting } from './define.ts';
import { OGBENCH_MARK, ogbenchFloor, wallHalf, wallShapes } from './model.ts';
import { ogbenchTask } from './rules.ts';

export const OGBENCH: Source = {
  title: 'OGBench: benchmarking offline goal-conditioned RL',
  authors: 'Park et al.',
  year: 2024,
  url: 'https://arxiv.org/abs/2410.20092',
};

const SPREAD = 1; // m, of starts and goals about the middle of their cell
const NAMES = Object.keys(OGBENCH_MAPS) as [OgbenchMap, ...OgbenchMap[]];

export function ogbenchFields(source: string) {
  return z.strictObject({
    map: z
      .enum(NAMES)
      .default('medium')
      .meta({ title: 'maze', description: 'Which maze; teleport has doors that lead elsewhere.', source }),
    task: z.int().min(1).max(5).nullable().default(null).meta({
      title: 'task',
      description: 'Which of the five pairs of start and goal; empty: drawn for each episode, with a single task the first.',
      source,
    }),
    singleTask: z.boolean().default(false).meta({
      title: 'single task',
      description: 'The goal is the middle of its cell, and every step before it costs 1 (the ids with -singletask).',
      source,
      group: 'reward',
    }),
    terminateAtGoal: z.boolean().default(true).meta({
      title: 'ends at the goal',
      description: 'Episodes end when the goal is reached. Without it they go on, and methods may exchange goals in hindsight.',
      source,
      group: 'rules',
    }),
    successTiming: z.enum(['pre', 'post']).nullable().default(null).meta({
      title: 'success is tested',
      description: 'Before the step (pre) or after it (post); empty: after it, with a single task before it.',
      source,
      group: 'rules',
      depth: 'research',
    }),
    noiseToGoal: z.boolean().nullable().default(null).meta({
      title: 'noise of the goal',
      description: 'The goal lies up to 1 m off the middle of its cell along each axis; empty: so, but not with a single task.',
      source,
      group: 'start',
      depth: 'research',
    }),
    maxSteps: maxStepsField(1000, source),
  });
}
export type OgbenchConfig = z.infer<ReturnType<typeof ogbenchFields>>;

const cellOf = ({ columns }: Maze, [row, column]: readonly [number, number]): number => row * columns + column;

/** `near`: distance at which the goal is reached, m; `reset`: how the body stands at a start, before it is set to its place. */
export function ogbenchSetting(
  c: OgbenchConfig,
  near: number,
  bodyOf: (floor: Shape, walls: readonly Shape[]) => Body,
  reset: (qpos: Float64Array, qvel: Float64Array, draw: Draw) => void,
): Setting {
  const maze = parseMaze(OGBENCH_MAPS[c.map]);
  const places = ogbenchPlaces(maze);
  const half = wallHalf('ogbench', places.side);
  const doors =
    c.map === 'teleport'
      ? { in: TELEPORTS.in.map((cell) => cellOf(maze, cell)), out: TELEPORTS.out.map((cell) => cellOf(maze, cell)) }
      : null;
  const pre = (c.successTiming ?? (c.singleTask ? 'pre' : 'post')) === 'pre';
  const noisy = c.noiseToGoal ?? !c.singleTask;
  const task = c.task ?? (c.singleTask ? 1 : null);
  const tasks = OGBENCH_TASKS[c.map];
  return {
    maze,
    places,
    half,
    body: bodyOf(ogbenchFloor(maze), [...wallShapes(maze, places, half), OGBENCH_MARK]),
    task: ogbenchTask({ ...c, pre }, near, places, doors),
    maxSteps: c.maxSteps,
    exchangeable: !c.terminateAtGoal && !pre,
    doors,
    start(qpos, qvel, draw, floats, goal) {
      const { start, goal: end } = tasks[task === null ? draw.index(tasks.length, 'task') : task - 1]!;
      reset(qpos, qvel, draw);
      about(places, cellOf(maze, start), SPREAD, draw, qpos, 0);
      const cell = cellOf(maze, end);
      if (noisy) about(places, cell, SPREAD, draw, floats, goal);
      else {
        floats[goal] = xOfCell(places, cell);
        floats[goal + 1] = yOfCell(places, cell);
      }
    },
  };
}

export const OGBENCH_PRESETS = [
  { id: 'medium', title: 'medium', config: {} },
  { id: 'medium-on', title: 'medium, goes on', config: { terminateAtGoal: false } },
  { id: 'large', title: 'large', config: { map: 'large' } },
  { id: 'giant', title: 'giant', config: { map: 'giant' } },
  { id: 'teleport', title: 'teleport', config: { map: 'teleport' } },
  { id: 'single-task', title: 'medium, single task', config: { singleTask: true } },
];
