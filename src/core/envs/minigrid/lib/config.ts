/** Settings that every MiniGrid environment has, and what follows from them. */
import { z } from 'zod';
import type { JsonObject } from '#contract/kit/json.ts';
import { badConfig } from '../../api/parse.ts';
import { canOverlap, parseLayout, TOKEN_HELP } from './cells.ts';
import { tokenMap } from './tiles.ts';

export interface GridConfig {
  readonly width: number;
  readonly height: number;
  readonly maxSteps: number | null;
  readonly viewSize: number;
  readonly seeThroughWalls: boolean;
  readonly pickupActsAsToggle: boolean | null;
  readonly mission: string | null;
  readonly endRule: JsonObject | null;
  readonly layout: readonly string[] | null;
  readonly start: readonly number[] | null;
}

export interface GridDefaults {
  readonly width: number;
  readonly height: number;
  /** 7 without it. */
  readonly viewSize?: number;
  readonly seeThroughWalls?: boolean;
  readonly pickupActsAsToggle?: boolean;
  /** In words: "4 x width x width". */
  readonly maxStepsText: string;
}

const MAX_SIZE = 64;

export function gridShape(d: GridDefaults) {
  return {
    width: z
      .int()
      .min(3)
      .max(MAX_SIZE)
      .default(d.width)
      .meta({ title: 'width', unit: 'cells', description: 'Columns, the outer walls included.' }),
    height: z
      .int()
      .min(3)
      .max(MAX_SIZE)
      .default(d.height)
      .meta({ title: 'height', unit: 'cells', description: 'Rows, the outer walls included.' }),
    maxSteps: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .default(null)
      .meta({
        title: 'step limit',
        unit: 'steps',
        description: `An episode is cut after this many steps, and the reward for success shrinks towards it; empty: ${d.maxStepsText}.`,
      }),
    viewSize: z
      .int()
      .min(3)
      .max(15)
      .refine((n) => n % 2 === 1, 'the view must be an odd number of cells')
      .default(d.viewSize ?? 7)
      .meta({ title: 'view', unit: 'cells', description: 'Side of the square the agent sees ahead of it, odd.', source: 'Minigrid 3.1.0' }),
    seeThroughWalls: z
      .boolean()
      .default(d.seeThroughWalls ?? false)
      .meta({ title: 'see through walls', description: 'Walls and closed doors do not hide what is behind them.' }),
    pickupActsAsToggle: z
      .boolean()
      .nullable()
      .default(d.pickupActsAsToggle ?? null)
      .meta({
        title: 'pickup toggles',
        description: 'The action pickup does what toggle does; empty: only where the task is to reach a place.',
        depth: 'research',
      }),
    mission: z
      .string()
      .max(200)
      .nullable()
      .default(null)
      .meta({ title: 'mission', description: 'The task in words, for people; empty: as the environment says.', depth: 'research' }),
    endRule: z.record(z.string(), z.json()).nullable().default(null).meta({
      title: 'end rule',
      description:
        'How an episode ends, e.g. {"type": "goal"} or {"type": "pickup", "object": {"pos": [x, y]}}; empty: as the environment says.',
      editor: 'hidden',
      depth: 'research',
    }),
    layout: z
      .array(z.string().max(4 * MAX_SIZE))
      .min(3)
      .max(MAX_SIZE)
      .nullable()
      .default(null)
      .meta({
        title: 'map',
        description: `A map of your own instead of a generated one: rows top to bottom of ${TOKEN_HELP}. Its size replaces width and height.`,
        editor: 'grid-map',
        map: tokenMap(MAX_SIZE),
      }),
    start: z.array(z.int().min(0).max(MAX_SIZE)).length(3).nullable().default(null).meta({
      title: 'start',
      description:
        'Where the agent starts on a map of your own: [x, y, direction], direction 0 right, 1 down, 2 left, 3 up; empty: anywhere free.',
      editor: 'hidden',
    }),
  };
}

/** The map of the config, checked; null: the environment generates one. Throws LabError('config-invalid'). */
export function ownMap(c: GridConfig): { readonly words: Uint32Array; readonly width: number; readonly height: number } | null {
  if (c.layout === null) {
    if (c.start !== null) throw badConfig('start', 'A start belongs to a map of your own.', 'Give layout too, or leave start empty.');
    return null;
  }
  const map = parseLayout(c.layout, 'config-invalid', 'env.layout');
  if (map.width < 3 || map.width > MAX_SIZE) throw badConfig('layout', `The map is ${map.width} cells wide.`, `Allowed: 3 to ${MAX_SIZE}.`);
  if (c.start !== null) {
    const [x, y, dir] = c.start as readonly [number, number, number];
    if (x >= map.width || y >= map.height || dir > 3)
      throw badConfig('start', 'The start is not on the map.', 'Give [x, y, direction 0 to 3].');
    if (!canOverlap(map.words[y * map.width + x]!)) throw badConfig('start', 'The start cell cannot be entered.', 'Put it on a free cell.');
  }
  return map;
}
