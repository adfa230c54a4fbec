/** Settings of the memory grids, and what a task of them has to provide. */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import type { Draws } from '#core/envs/api/draws.ts';
import type { Core } from '#core/envs/api/environment.ts';
import type { StateRows } from '#core/envs/api/state.ts';
import type { EnvMeta, ScriptedPolicy, StateSpec } from '#core/envs/api/types.ts';

export const TASKS = ['t-maze', 'endless-t-maze', 'hidden-object', 'ballet'] as const;

export const memoryConfig = z.strictObject({
  task: z.enum(TASKS).default('t-maze').meta({
    title: 'task',
    description: 'A T-maze, a chain of T-mazes, a room with objects that are shown and then hidden, or dances to be recognised afterwards.',
  }),
  length: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .meta({
      group: 'T-mazes',
      title: 'corridor',
      unit: 'cells',
      description: 'Steps from the start of a corridor to its junction (T-mazes): how long the cue must be kept.',
      source: 'Bakker 2002',
      log: true,
      slider: [1, 100],
    }),
  rewriteRate: z.number().min(0).max(1).default(0).meta({
    title: 'rewrite rate',
    description:
      'Chance that what was remembered is replaced: t-maze, per step in the corridor, a new cue; endless, per corridor, a new cue; hidden object, per step, an object moves. The new is shown at that moment.',
    source: 'Shchendrigin et al. 2026',
  }),
  noise: z.boolean().default(false).meta({
    group: 'T-mazes',
    title: 'noise',
    description: 'T-maze: two of the three numbers seen in the corridor are random.',
    source: 'Bakker 2002',
  }),
  corridors: z.int().min(1).max(100).default(5).meta({
    group: 'T-mazes',
    title: 'corridors',
    description: 'Endless T-maze: junctions until the episode is won.',
    source: 'Shchendrigin et al. 2026',
  }),
  randomLength: z.boolean().default(false).meta({
    group: 'T-mazes',
    title: 'random corridors',
    description: 'Endless T-maze: each corridor is 1 to its full length long, any alike.',
    source: 'Shchendrigin et al. 2026, regime Uniform',
  }),
  size: z.int().min(3).max(11).default(5).meta({
    group: 'hidden object',
    title: 'room',
    unit: 'cells',
    description: 'Side of the room with hidden objects.',
    source: 'Shchendrigin et al. 2026, Color-Cubes',
  }),
  objects: z.int().min(1).max(6).default(3).meta({
    group: 'hidden object',
    title: 'objects',
    description: 'Objects in the room, each of its own colour.',
    source: 'Shchendrigin et al. 2026, Color-Cubes',
  }),
  phases: z.int().min(1).max(50).default(3).meta({
    group: 'hidden object',
    title: 'finds',
    description: 'Hidden object: how many objects have to be found, one after another.',
    source: 'Shchendrigin et al. 2026, Color-Cubes',
  }),
  fullUpdates: z.boolean().default(true).meta({
    group: 'hidden object',
    title: 'full updates',
    description: 'Hidden object: when an object moved, all are shown with colours; off: only where objects are, as in the level Extreme.',
    source: 'Shchendrigin et al. 2026, Color-Cubes',
  }),
  dancers: z.int().min(2).max(8).default(2).meta({
    group: 'ballet',
    title: 'dancers',
    description: 'Ballet: dancers around the agent, each dances once.',
    source: 'Lampinen et al. 2021: 2, 4 or 8',
  }),
  delay: z.int().min(0).max(200).default(16).meta({
    group: 'ballet',
    title: 'pause',
    unit: 'steps',
    description: 'Ballet: steps between two dances.',
    source: 'Lampinen et al. 2021: 16 or 48',
  }),
  maxSteps: z.int().min(1).max(1_000_000).nullable().default(null).meta({
    title: 'step limit',
    unit: 'steps',
    description: 'An episode is cut after this many steps; empty: several times what the task needs.',
  }),
});
export type MemoryConfig = z.infer<typeof memoryConfig>;

export const COLOURS = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'] as const;

/** One of the tasks: what it looks like and how it goes on. */
export interface MemoryTask {
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly gamma: number;
  readonly maxSteps: number;
  readonly state: StateSpec;
  readonly frame: GridLayout;
  readonly references: EnvMeta['references'];
  readonly keys: EnvMeta['keys'];
  readonly idleAction: number | null;
  core(rows: StateRows, draws: Draws, batch: number): Core;
  /** Sees what a learner sees, and remembers it. */
  expert(): ScriptedPolicy;
}
