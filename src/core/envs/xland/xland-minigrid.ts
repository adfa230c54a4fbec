/**
 * Rooms in which things change by rules: things that are held, stood beside or put side by side become others, and a goal about them ends a trial
 * (XLand-MiniGrid 0.9.3, commit 0d306d14). The agent is told neither goal nor rules. One task may be played for several trials in a row, each on
 * another map: an episode then holds all of them.
 * Obs: the view ahead [size, size, 2], tile and colour of each cell, row 0 farthest ahead, the agent in the middle of the last row; outside the map 0.
 * Actions forward, turn right, turn left, pick up, put down, toggle a door. An action without effect still counts for rules and goals that ask for it.
 * Reward 1 - 0.9 steps / maxSteps in the step that meets the goal, else 0; steps count within the trial.
 * Ends with the last trial: terminated where its goal is met, truncated at `maxSteps` of it.
 * Source: XLand-MiniGrid 0.9.3 (src/xminigrid: environment.py, core/actions.py, core/rules.py, core/goals.py, core/observation.py,
 * scripts/ruleset_generator.py). Differs: drawn tasks are drawn one by one and not from a stored list, so that two of them may be equal; trials that
 * follow one another belong to one episode; the first view hides nothing as there, `seeThroughWalls` off uses the repository's second one.
 */
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { heldOutPresets } from '#contract/catalog/rule-tasks.ts';
import type { GridLayout, GridLook } from '#contract/game/frames.ts';
import { RULE_LETTERS } from '#contract/game/rule-card.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { numberOf } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows } from '../api/state.ts';
import type { Actions, EnvMeta, StepBuffers } from '../api/types.ts';
import { Field } from './lib/act.ts';
import { type Config, config, nestedTask, type Plan, planOf } from './lib/config.ts';
import { xlandExpert } from './lib/expert.ts';
import { xlandReturns } from './lib/returns.ts';
import { buildRooms, drawnColour, type GridType } from './lib/rooms.ts';
import { drawTask } from './lib/rulesets.ts';
import * as at from './lib/state.ts';
import { type Task, unpackGoal, unpackRule } from './lib/task.ts';
import {
  CLOSED_TILE,
  COLOURS_COUNT,
  colourOf,
  FLOOR,
  LOCKED_TILE,
  OPEN_TILE,
  parseCells,
  TILES,
  thing,
  tileOf,
  tokenRows,
  WALKABLE,
} from './lib/tiles.ts';
import { createViewer } from './lib/view.ts';

const ACTIONS = ['forward', 'turn right', 'turn left', 'pick up', 'put down', 'toggle'];
const KEYS = [['ArrowUp', 'w'], ['ArrowRight', 'd'], ['ArrowLeft', 'a'], ['e'], ['q'], [' ']];

/** By tile. */
const LOOKS: readonly GridLook[] = [
  'unseen',
  'empty',
  'wall',
  'ball',
  'square',
  'pyramid',
  'pad',
  'key',
  'door',
  'door',
  'door',
  'hex',
  'star',
];
const DOOR_STATES: { readonly [tile: number]: number } = { [OPEN_TILE]: 0, [CLOSED_TILE]: 1, [LOCKED_TILE]: 2 };
/** By colour. */
const COLOURS = ['grey', 'red', 'green', 'blue', 'purple', 'yellow', 'grey', 'black', 'orange', 'white', 'brown', 'pink'];

const SOLVED: MetricCard = {
  id: 'solved',
  title: 'trials solved',
  description: 'Share of the trials of an episode whose goal was met.',
};

/** Numbers that are told behind the view. */
const extraOf = (c: Config, plan: Plan): number =>
  (c.tellDirection ? 4 : 0) +
  (c.tellPocket ? TILES + COLOURS_COUNT : 0) +
  (c.tellTask ? 5 + 7 * plan.rules : 0) +
  (c.tellLast ? ACTIONS.length + 1 : 0);

const PRESETS: readonly Preset[] = [
  { id: 'r1-9x9', title: 'One room, one rule', config: {} },
  { id: 'r1-9x9-trivial', title: 'One room, drawn goals, no rules', config: { task: { kind: 'drawn', benchmark: 'trivial' } } },
  {
    id: 'r4-13x13-small',
    title: 'Four rooms, drawn tasks of depth 1',
    config: { gridType: 'R4', height: 13, width: 13, task: { kind: 'drawn', benchmark: 'small' } },
  },
  {
    id: 'r4-13x13-high',
    title: 'Four rooms, drawn tasks of depth 3, five trials',
    config: { gridType: 'R4', height: 13, width: 13, trials: 5, task: { kind: 'drawn', benchmark: 'high' } },
  },
  {
    id: 'r9-25x25',
    title: 'Nine rooms, drawn tasks of depth 2',
    config: { gridType: 'R9', height: 25, width: 25, task: { kind: 'drawn', benchmark: 'medium' } },
  },
  ...heldOutPresets,
];
const PRESET_TEXTS = PRESETS.map((preset) => JSON.stringify(config.parse(preset.config)));

function metaOf(c: Config, plan: Plan): EnvMeta {
  const frame: GridLayout = {
    kind: 'grid',
    width: c.width,
    height: c.height,
    agents: 1,
    headings: true,
    looks: LOOKS,
    colours: COLOURS,
    view: (c.viewSize - 1) / 2,
    letters: RULE_LETTERS,
    ruleCard: plan.rules,
  };
  const maxSteps = plan.maxSteps * c.trials;
  return {
    ...soloMeta({
      id: 'xland-minigrid',
      agent: 'agent',
      obs: { kind: 'grid', shape: [c.viewSize, c.viewSize, 2], codes: [TILES, COLOURS_COUNT], extra: extraOf(c, plan) },
      action: { kind: 'discrete', n: ACTIONS.length, labels: ACTIONS },
      gamma: 0.99,
      maxSteps,
      evalMaxSteps: maxSteps,
      state: at.xlandState(c.height, c.width, plan.rules, plan.tiles, plan.task),
      frame,
      references: xlandReturns(PRESETS[PRESET_TEXTS.indexOf(JSON.stringify(c))]?.id),
      keys: KEYS,
      idleAction: null,
      fps: 8,
    }),
    measures: [SOLVED],
  };
}

export const xlandMinigrid = defineEnv<Config>({
  spec: {
    id: 'xland-minigrid',
    version: 1,
    title: 'XLand-MiniGrid',
    summary: 'Find out by which rules things change, and make what the goal asks for.',
    source: {
      title: 'XLand-MiniGrid: Scalable Meta-Reinforcement Learning Environments in JAX',
      authors: 'Nikulin et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2312.12044',
    },
    config,
    recommended: { algo: 'ppo', preset: 'minigrid', config: {}, steps: 400_000 },
    presets: PRESETS,
    meta: (c) => metaOf(c, planOf(c)),
  },
  create(c, batch, options) {
    const { height, width, viewSize, trials } = c;
    const plan = planOf(c);
    const meta = metaOf(c, plan);
    const { maxSteps } = plan;
    const cells = height * width;
    const rows = allocateRows(meta.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const viewer = createViewer(height, width, viewSize, c.seeThroughWalls);
    const image = viewSize * viewSize * 2;
    const { obsSize } = meta;
    const field = new Field(words, height, width);
    const free = new Int32Array(cells);
    const tilesAt = at.LISTS + plan.rules;

    let drawing = 0; // the row that draws
    const offset = (n: number): number => 1 + draws.int(drawing, n, 'door place');
    const colour = (): number => drawnColour((n) => draws.int(drawing, n, 'door colour'));
    const taskInt = (n: number): number => draws.int(drawing, n, 'ruleset');
    const taskUniform = (): number => draws.uniform(drawing, 'pruned');

    /** Writes the task of an episode. */
    const assign = (row: number, task: Task): void => {
      const s = row * wordStride + cells;
      words[s + at.GOAL_AT] = task.goal;
      words[s + at.RULE_COUNT] = task.rules.length;
      words[s + at.TILE_COUNT] = task.tiles.length;
      words.fill(0, s + at.LISTS, s + tilesAt + plan.tiles);
      words.set(task.rules, s + at.LISTS);
      words.set(task.tiles, s + tilesAt);
    };

    /** A new map, things and the agent on different floor cells. */
    const begin = (row: number): void => {
      drawing = row;
      const base = row * wordStride;
      const s = base + cells;
      buildRooms(c.gridType, height, width, words, base, offset, colour);
      let count = 0;
      for (let i = 0; i < cells; i++) if (words[base + i] === FLOOR) free[count++] = i;
      const take = (): number => {
        const k = draws.int(row, count, 'place');
        const cell = free[k]!;
        free[k] = free[--count]!;
        return cell;
      };
      for (let i = 0; i < words[s + at.TILE_COUNT]!; i++) words[base + take()] = words[s + tilesAt + i]!;
      const cell = take();
      words[s + at.ROW] = Math.floor(cell / width);
      words[s + at.COLUMN] = cell % width;
      words[s + at.DIR] = draws.int(row, 4, 'direction');
      words[s + at.POCKET] = 0;
      words[s + at.STEPS] = 0;
    };

    /** `whole`: the task too, which stays the same all episode long. */
    const tell = (row: number, obs: Float32Array, whole: boolean): void => {
      const s = row * wordStride + cells;
      let o = row * obsSize + image;
      if (c.tellDirection) {
        for (let d = 0; d < 4; d++) obs[o + d] = d === words[s + at.DIR] ? 1 : 0;
        o += 4;
      }
      if (c.tellPocket) {
        const held = words[s + at.POCKET]!;
        for (let k = 0; k < TILES; k++) obs[o + k] = k === tileOf(held) ? 1 : 0;
        for (let k = 0; k < COLOURS_COUNT; k++) obs[o + TILES + k] = k === colourOf(held) ? 1 : 0;
        o += TILES + COLOURS_COUNT;
      }
      if (c.tellTask) {
        if (whole) {
          obs.set(unpackGoal(words[s + at.GOAL_AT]!), o);
          for (let k = 0; k < plan.rules; k++) obs.set(unpackRule(words[s + at.LISTS + k]!), o + 5 + 7 * k);
        }
        o += 5 + 7 * plan.rules;
      }
      if (c.tellLast) {
        const last = words[s + at.LAST_ACTION]!;
        for (let k = 0; k < ACTIONS.length; k++) obs[o + k] = k + 1 === last ? 1 : 0;
        const met = words[s + at.LAST_MET]!;
        obs[o + ACTIONS.length] = met > 0 ? 1 - 0.9 * (met / maxSteps) : 0;
      }
    };
    const told = obsSize > image;

    // Many actions change nothing that is seen; the view of such a row is left as it is in the buffer of the step before.
    let lastObs: Float32Array | null = null;
    const observe = (row: number, obs: Float32Array, whole: boolean): void => {
      const base = row * wordStride;
      const s = base + cells;
      viewer.look(words, base, words[s + at.ROW]!, words[s + at.COLUMN]!, words[s + at.DIR]!, obs, row * obsSize);
      if (told) tell(row, obs, whole);
    };

    return assemble(meta, batch, rows, {
      start(row) {
        drawing = row;
        assign(row, plan.task ?? drawTask(plan.difficulty, taskInt, taskUniform));
        const s = row * wordStride + cells;
        words[s + at.TRIAL] = 0;
        words[s + at.SOLVED] = 0;
        words[s + at.LAST_ACTION] = 0;
        words[s + at.LAST_MET] = 0;
        begin(row);
      },
      step(actions: Actions, out: StepBuffers) {
        const { obs } = out;
        const fresh = obs !== lastObs;
        lastObs = obs;
        for (let row = 0; row < batch; row++) {
          const base = row * wordStride;
          const s = base + cells;
          const action = actions[row]!;
          field.base = base;
          field.row = words[s + at.ROW]!;
          field.column = words[s + at.COLUMN]!;
          field.dir = words[s + at.DIR]!;
          field.pocket = words[s + at.POCKET]!;
          field.changed = fresh;
          field.act(action);
          field.applyRules(s + at.LISTS, words[s + at.RULE_COUNT]!, action);
          words[s + at.ROW] = field.row;
          words[s + at.COLUMN] = field.column;
          words[s + at.DIR] = field.dir;
          words[s + at.POCKET] = field.pocket;
          const steps = words[s + at.STEPS]! + 1;
          words[s + at.STEPS] = steps;
          const met = field.meets(words[s + at.GOAL_AT]!, action);
          words[s + at.LAST_ACTION] = action + 1;
          words[s + at.LAST_MET] = met ? steps : 0;
          out.reward[row] = met ? 1 - 0.9 * (steps / maxSteps) : 0;
          out.terminated[row] = 0;
          out.truncated[row] = 0;
          if (met || steps >= maxSteps) {
            const trial = words[s + at.TRIAL]! + 1;
            words[s + at.TRIAL] = trial;
            if (met) words[s + at.SOLVED] = words[s + at.SOLVED]! + 1;
            if (trial < trials) {
              begin(row);
              field.changed = true;
            } else if (met) out.terminated[row] = 1;
            else out.truncated[row] = 1;
          }
          if (field.changed) observe(row, obs, fresh);
          else if (told) tell(row, obs, false);
        }
      },
      observe(row, out) {
        if (out.obs !== lastObs) lastObs = null; // another buffer: the next step writes all of it
        observe(row, out.obs, true);
      },
      loaded(row) {
        checkRow(words, row * wordStride, height, width, plan);
      },
      frame(row, out) {
        const base = row * wordStride;
        const s = base + cells;
        for (let i = 0; i < cells; i++) {
          const word = words[base + i]!;
          out[3 * i] = tileOf(word);
          out[3 * i + 1] = colourOf(word);
          out[3 * i + 2] = DOOR_STATES[tileOf(word)] ?? 0;
        }
        const o = 3 * cells;
        const held = words[s + at.POCKET]!;
        out[o] = words[s + at.COLUMN]!;
        out[o + 1] = words[s + at.ROW]!;
        out[o + 2] = (words[s + at.DIR]! + 3) & 3;
        out[o + 3] = tileOf(held);
        out[o + 4] = colourOf(held);
        out[o + 5] = 1;
        out.set(unpackGoal(words[s + at.GOAL_AT]!), o + 6);
        for (let i = 0; i < plan.rules; i++) out.set(unpackRule(words[s + at.LISTS + i]!), o + 11 + 7 * i);
      },
      measure(row, out, from) {
        out[from] = words[row * wordStride + cells + at.SOLVED]! / trials;
      },
      extras(row): JsonObject {
        const base = row * wordStride;
        const s = base + cells;
        return { view: seen(words, base, c, words[s + at.ROW]!, words[s + at.COLUMN]!, words[s + at.DIR]!, height, width) };
      },
      cellOf(row) {
        const s = row * wordStride + cells;
        return words[s + at.ROW]! * width + words[s + at.COLUMN]!;
      },
      placements(row) {
        const base = row * wordStride;
        const s = base + cells;
        const [r, k] = [words[s + at.ROW]!, words[s + at.COLUMN]!];
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let i = 0; i < cells; i++) {
          if (((WALKABLE >> tileOf(words[base + i]!)) & 1) === 0) continue;
          words[s + at.ROW] = Math.floor(i / width);
          words[s + at.COLUMN] = i % width;
          out.push({ cell: i, state: rows.save(row) });
        }
        words[s + at.ROW] = r;
        words[s + at.COLUMN] = k;
        return out;
      },
    });
  },
  checks: {
    layout: (_c, inputs) => {
      const { gridType, height, width } = inputs as { readonly gridType: GridType; readonly height: number; readonly width: number };
      const offsets = [...(inputs.doorOffsets as readonly number[])];
      const colours = [...(inputs.doorColors as readonly number[])];
      const words = new Uint32Array(height * width);
      const next = (list: number[], what: string) => (): number => {
        const value = list.shift();
        if (value === undefined) throw fail('file-invalid', `There are too few ${what}.`, 'Compare with the rooms of this type.');
        return value;
      };
      buildRooms(gridType, height, width, words, 0, next(offsets, 'door offsets'), next(colours, 'door colours'));
      return { layout: [...tokenRows(words, width)] };
    },
    view: (c, inputs) => {
      const map = parseCells(inputs.layout as readonly string[], 'layout');
      const [row = 0, column = 0] = inputs.agentPos as readonly number[];
      const looking = { ...c, viewSize: numberOf(inputs, 'viewSize') };
      return { view: seen(map.words, 0, looking, row, column, numberOf(inputs, 'agentDir'), map.height, map.width) };
    },
  },
  policies: { expert: (c) => xlandExpert(c.height, c.width) },
  golden: { config: (flat) => nestedTask(flat) },
});

/** The view as tokens, row by row. */
function seen(
  words: Uint32Array,
  base: number,
  c: Pick<Config, 'viewSize' | 'seeThroughWalls'>,
  row: number,
  column: number,
  dir: number,
  height: number,
  width: number,
): Json {
  const flat = new Float32Array(2 * c.viewSize ** 2);
  createViewer(height, width, c.viewSize, c.seeThroughWalls).look(words, base, row, column, dir, flat, 0);
  const things = Uint32Array.from({ length: c.viewSize ** 2 }, (_, i) => thing(flat[2 * i]!, flat[2 * i + 1]!));
  return [...tokenRows(things, c.viewSize)];
}

/** Throws LabError('state-invalid') for a state that this config cannot have. */
function checkRow(words: Uint32Array, base: number, height: number, width: number, plan: Plan): void {
  const cells = height * width;
  const s = base + cells;
  const refuse = (what: string, field: string): never => {
    throw fail('state-invalid', `${what} of this state is not possible here.`, 'Load a state that was saved with this config.', field);
  };
  const isThing = (word: number): boolean => tileOf(word) < TILES && colourOf(word) < COLOURS_COUNT;
  for (let i = 0; i < cells; i++) if (!isThing(words[base + i]!)) refuse('A cell', 'layout');
  if (words[s + at.ROW]! >= height || words[s + at.COLUMN]! >= width) refuse('The place of the agent', 'agentPos');
  if (words[s + at.DIR]! > 3) refuse('The direction', 'agentDir');
  if (!isThing(words[s + at.POCKET]!)) refuse('The pocket', 'pocket');
  if (words[s + at.RULE_COUNT]! > plan.rules) refuse('The number of rules', 'rules');
  if (words[s + at.TILE_COUNT]! > plan.tiles) refuse('The number of things', 'initTiles');
}
