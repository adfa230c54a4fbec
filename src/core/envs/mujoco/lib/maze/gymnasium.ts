/** The settings of PointMaze and AntMaze, and what follows from them. */
import { z } from 'zod';
import type { Source } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { GYMNASIUM_MAPS, type GymnasiumMap, LEAST_SIDE, MOST_SIDE, parseMaze } from '../../../lib/maze/maps.ts';
import { gymnasiumPlaces } from '../../../lib/maze/places.ts';
import { drawGoal, drawStart } from '../../../lib/maze/task.ts';
import { MAZE_TILES } from '../../../lib/maze/tiles.ts';
import type { Body, Shape } from '../mjcf.ts';
import type { Setting } from './define.ts';
import { wallHalf, wallShapes } from './model.ts';
import { gymnasiumTask, mazeDraws } from './rules.ts';

export const ROBOTICS: Source = {
  title: 'Gymnasium-Robotics: reinforcement learning environments for robotics',
  authors: 'de Lazcano et al.',
  year: 2024,
  url: 'https://github.com/Farama-Foundation/Gymnasium-Robotics',
};

const NAMES = Object.keys(GYMNASIUM_MAPS) as [GymnasiumMap, ...GymnasiumMap[]];

/** `limits`: as published, by the first word of a map's name. */
export function gymnasiumFields(source: string, limits: string) {
  return z.strictObject({
    map: z.enum(NAMES).default('u').meta({
      title: 'maze',
      description: 'Which maze. With -g goals and the start lie in marked cells, with -gr starts too.',
      source,
    }),
    ownMap: z
      .array(
        z
          .string()
          .regex(/^[#.rgc]+$/)
          .min(LEAST_SIDE)
          .max(MOST_SIDE),
      )
      .min(LEAST_SIDE)
      .max(MOST_SIDE)
      .nullable()
      .default(null)
      .meta({
        title: 'own maze',
        description: 'A maze of your own: rows of # wall, . free, r start, g goal, c start or goal; empty: the maze above.',
        editor: 'grid-map',
        map: MAZE_TILES,
      }),
    reward: z.enum(['sparse', 'dense']).default('sparse').meta({
      title: 'reward',
      description: 'Sparse: 1 for every step within 0.45 m of the goal; dense: exp(-distance).',
      source,
      group: 'reward',
      depth: 'teach',
    }),
    continuing: z.boolean().default(true).meta({
      title: 'goes on at the goal',
      description: 'Episodes go on when the goal is reached; else they end there.',
      source,
      group: 'rules',
    }),
    resetTarget: z.boolean().default(false).meta({
      title: 'new goal when reached',
      description:
        'A reached goal is drawn anew, where episodes go on and there is more than one cell for it; else it stays and pays every step.',
      source,
      group: 'rules',
    }),
    maxSteps: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .default(null)
      .meta({
        title: 'step limit',
        unit: 'steps',
        description: `An episode is cut (truncated) after this many steps; empty: ${limits}.`,
        source,
        log: true,
        slider: [50, 2000],
      }),
  });
}
export type GymnasiumConfig = z.infer<ReturnType<typeof gymnasiumFields>>;

/** `limits`: step limits of the u, open, medium and large maps; own maps have the first. */
export function gymnasiumSetting(
  c: GymnasiumConfig,
  side: number,
  limits: { readonly [size in 'u' | 'open' | 'medium' | 'large']: number },
  bodyOf: (walls: readonly Shape[]) => Body,
): Setting {
  const maze = parseMaze(c.ownMap ?? GYMNASIUM_MAPS[c.map], c.ownMap === null ? 'map' : 'ownMap');
  const places = gymnasiumPlaces(maze, side);
  const half = wallHalf('gymnasium', side);
  const standard = c.ownMap === null ? limits[c.map.split('-')[0] as keyof typeof limits] : limits.u;
  return {
    maze,
    places,
    half,
    body: bodyOf(wallShapes(maze, places, half)),
    task: gymnasiumTask(c, maze, places),
    maxSteps: c.maxSteps ?? standard,
    exchangeable: c.continuing,
    doors: null,
    start(qpos, _qvel, draw, floats, goal) {
      const draws = mazeDraws(draw);
      drawGoal(maze, places, draws, -1, floats, goal);
      drawStart(maze, places, draws, -1, floats, goal, qpos, 0);
    },
  };
}

/** Golden cases give the rows of an own map in `map`. */
export function gymnasiumGolden({ map, ...rest }: JsonObject): JsonObject {
  if (map === undefined) return rest;
  return Array.isArray(map) ? { ...rest, ownMap: map } : { ...rest, map };
}

/** Whether only the map and the limit that goes with it may differ from what is published. */
export const isPublished = (c: GymnasiumConfig): boolean =>
  c.ownMap === null && c.reward === 'sparse' && c.continuing && !c.resetTarget && c.maxSteps === null;

export const GYMNASIUM_PRESETS = [
  { id: 'u', title: 'u', config: {} },
  { id: 'u-dense', title: 'u, dense', config: { reward: 'dense' } },
  { id: 'open', title: 'open', config: { map: 'open' } },
  { id: 'medium', title: 'medium', config: { map: 'medium' } },
  { id: 'large', title: 'large', config: { map: 'large' } },
  { id: 'large-gr', title: 'large, eight cells', config: { map: 'large-gr' } },
];
