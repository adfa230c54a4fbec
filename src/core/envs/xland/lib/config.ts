/** Settings of XLand-MiniGrid, and what follows from them. */
import { z } from 'zod';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { badConfig } from '../../api/parse.ts';
import { kind, variant } from '../../api/variant.ts';
import { checkRooms, floorCells, GRID_TYPES } from './rooms.ts';
import { BENCHMARK_NAMES, BENCHMARKS, type Difficulty, drawTask, mostRules, mostTiles } from './rulesets.ts';
import { packTask, type Task } from './task.ts';

const MOST_SIDE = 32;
const MOST_RULES = 18;
const MOST_TILES = 40;
const REFERENCE = 'XLand-MiniGrid 0.9.3';
const GENERATOR = `${REFERENCE}, scripts/ruleset_generator.py`;
const number = z.int().min(0).max(255);

const goal = z
  .array(number)
  .length(5)
  .default([1, 3, 3, 0, 0])
  .meta({
    title: 'goal',
    description: 'What ends a trial with a reward.',
    source: `${REFERENCE}, core/goals.py`,
    editor: 'rules',
    depth: 'teach',
  });
const rules = z
  .array(z.array(number).length(7))
  .max(MOST_RULES)
  .default([[2, 4, 1, 3, 3, 0, 0]])
  .meta({
    title: 'rules',
    description: 'How things change; rules act in this order.',
    source: `${REFERENCE}, core/rules.py`,
    editor: 'rules',
    depth: 'teach',
  });
const initTiles = z
  .array(z.array(number).length(2))
  .max(MOST_TILES)
  .default([
    [4, 1],
    [5, 2],
    [12, 5],
  ])
  .meta({
    title: 'things at the start',
    description: 'Each lies on a drawn cell when a trial begins.',
    source: `${REFERENCE}, envs/xland.py`,
    editor: 'rules',
    depth: 'teach',
  });

const ofBenchmark = (title: string, description: string, most: number, whole = true) =>
  (whole ? z.int() : z.number())
    .min(0)
    .max(most)
    .nullable()
    .default(null)
    .meta({ title, description: `${description}; empty: as the benchmark has it.`, source: GENERATOR, depth: 'research' });

export const config = z.strictObject({
  gridType: z.enum(GRID_TYPES).default('R1').meta({
    title: 'rooms',
    description: 'How many rooms the map has; doors between them are closed at first.',
    source: REFERENCE,
    depth: 'teach',
  }),
  height: z
    .int()
    .min(5)
    .max(MOST_SIDE)
    .default(9)
    .meta({ title: 'height', unit: 'cells', description: 'Rows, the outer walls included.', source: REFERENCE }),
  width: z
    .int()
    .min(5)
    .max(MOST_SIDE)
    .default(9)
    .meta({ title: 'width', unit: 'cells', description: 'Columns, the outer walls included.', source: REFERENCE }),
  task: variant(
    'own',
    [
      kind('own', { goal, rules, initTiles }),
      kind('drawn', {
        benchmark: z
          .enum(BENCHMARK_NAMES)
          .default('trivial')
          .meta({
            title: 'benchmark',
            description: 'How hard the drawn tasks are: trees of rules of depth 0, 1, 2 or 3, with rules and things that lead nowhere.',
            source: `${REFERENCE}, scripts/generate_benchmarks.sh`,
            depth: 'teach',
          }),
        ruleset: z.int().min(0).max(0xffff_ffff).nullable().default(null).meta({
          title: 'ruleset',
          empty: 'a new one each episode',
          description: 'The number from which one task is drawn for all episodes; empty: every episode has a task of its own.',
          source: 'own choice',
        }),
        chainDepth: ofBenchmark('depth', 'Levels of the tree of rules that leads to the goal', 3),
        pruneProb: ofBenchmark('pruned', 'Chance that a thing of the tree lies there at the start and needs no rule', 1, false),
        distractorRules: ofBenchmark('misleading rules', 'At most so many rules that lead nowhere', 4),
        distractorObjects: ofBenchmark('other things', 'Things that nothing needs', 10),
      }),
    ],
    {
      title: 'task',
      description: 'own: the goal and the rules that stand here; drawn: by the generator of the reference.',
      source: REFERENCE,
      depth: 'teach',
    },
  ),
  trials: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({
      title: 'trials',
      description:
        'Trials of one task in a row: after each, another map is drawn and the same goal and rules go on. One episode holds all of them.',
      source: `${REFERENCE}; an episode of several trials is our choice`,
      slider: [1, 25],
      depth: 'teach',
    }),
  maxSteps: z.int().min(1).max(1_000_000).nullable().default(null).meta({
    title: 'step limit',
    unit: 'steps',
    description: 'A trial ends after this many steps, and its reward shrinks towards it; empty: 3 x height x width.',
    source: REFERENCE,
  }),
  viewSize: z
    .int()
    .min(3)
    .max(15)
    .refine((n) => n % 2 === 1, 'the view must be an odd number of cells')
    .default(5)
    .meta({ title: 'view', unit: 'cells', description: 'Side of the square the agent sees ahead of it, odd.', source: REFERENCE }),
  seeThroughWalls: z.boolean().default(true).meta({
    title: 'see through walls',
    description: 'Walls and closed doors do not hide what is behind them.',
    source: REFERENCE,
  }),
  tellDirection: z
    .boolean()
    .default(false)
    .meta({
      title: 'tell the direction',
      description: 'The agent is also told which way it looks.',
      source: `${REFERENCE}, wrappers.py`,
      depth: 'research',
    }),
  tellPocket: z.boolean().default(false).meta({
    title: 'tell the pocket',
    description: 'The agent is also told what is in its pocket, which its view does not show.',
    source: 'own choice',
    depth: 'research',
  }),
  tellTask: z
    .boolean()
    .default(false)
    .meta({
      title: 'tell the task',
      description: 'The agent is also told the numbers of the goal and of the rules.',
      source: `${REFERENCE}, wrappers.py`,
      depth: 'research',
    }),
  tellLast: z
    .boolean()
    .default(false)
    .meta({
      title: 'tell the last step',
      description: 'The agent is also told its last action and the reward that followed, as the published agents are.',
      source: `${REFERENCE}, training/train_meta_task.py`,
      depth: 'research',
    }),
});
export type Config = z.infer<typeof config>;

/** What a config comes to. */
export interface Plan {
  /** Of every episode, or how each is drawn. */
  readonly task: Task | null;
  readonly difficulty: Difficulty;
  /** Room for rules and for things of the start. */
  readonly rules: number;
  readonly tiles: number;
  readonly maxSteps: number;
}

/** Throws LabError('config-invalid') naming the field. */
export function planOf(c: Config): Plan {
  checkRooms(c.gridType, c.height, c.width);
  const maxSteps = c.maxSteps ?? 3 * c.height * c.width;
  const free = floorCells(c.gridType, c.height, c.width);
  const full = (field: string, things: number, fix: string): void => {
    if (things + 1 > free) throw badConfig(field, `${things} things and the agent do not fit on ${free} free cells.`, fix);
  };
  const { task } = c;
  if (task.kind === 'own') {
    const own = packTask(task, c.height, c.width);
    full('task.initTiles', own.tiles.length, 'Take things out, or make the map larger.');
    return { task: own, difficulty: BENCHMARKS.trivial, rules: own.rules.length, tiles: own.tiles.length, maxSteps };
  }
  const usual = BENCHMARKS[task.benchmark];
  const difficulty: Difficulty = {
    depth: task.chainDepth ?? usual.depth,
    prune: task.pruneProb ?? usual.prune,
    rules: task.distractorRules ?? usual.rules,
    objects: task.distractorObjects ?? usual.objects,
  };
  full('task.benchmark', mostTiles(difficulty), 'Choose an easier benchmark, or make the map larger.');
  return {
    task: task.ruleset === null ? null : numbered(difficulty, task.ruleset),
    difficulty,
    rules: mostRules(difficulty),
    tiles: mostTiles(difficulty),
    maxSteps,
  };
}

/** The task of a ruleset's number. */
function numbered(difficulty: Difficulty, ruleset: number): Task {
  const rng = Rng.from(ruleset);
  return drawTask(
    difficulty,
    (n) => rng.int(n),
    () => rng.uniform(),
  );
}

const FLAT_OWN = ['goal', 'rules', 'initTiles'];
const FLAT_DRAWN = ['benchmark', 'chainDepth', 'pruneProb', 'distractorRules', 'distractorObjects'];

/** The reference's flat settings, which golden files have, as settings of the task. */
export function nestedTask(flat: JsonObject): JsonObject {
  const { goal: _, rules: __, initTiles: ___, ...rest } = flat;
  const drawn = FLAT_DRAWN.filter((key) => key in flat);
  if (drawn.length > 0) {
    const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !FLAT_DRAWN.includes(key)));
    return { ...others, task: { kind: 'drawn', ...Object.fromEntries(drawn.map((key) => [key, flat[key]!])) } };
  }
  if (!FLAT_OWN.some((key) => key in flat)) return rest;
  return { ...rest, task: { kind: 'own', goal: flat.goal ?? [0, 0, 0, 0, 0], rules: flat.rules ?? [], initTiles: flat.initTiles ?? [] } };
}
