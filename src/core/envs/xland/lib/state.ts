/**
 * State of one row of XLand-MiniGrid. As JSON it is the text form of golden files: layout (without the agent), agentPos [row, column], agentDir, pocket
 * [tile, colour], stepCount; then the task of the episode, the trial, and what the agent is told of its last step.
 */
import { fail, toFailure } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { defineState, viewOf } from '../../api/state.ts';
import type { StateSpec } from '../../api/types.ts';
import { packTask, type Task, unpackGoal, unpackRule } from './task.ts';
import { colourOf, parseCells, thing, tileOf, tokenRows } from './tiles.ts';

/** Offsets behind the cells. */
export const ROW = 0;
export const COLUMN = 1;
export const DIR = 2;
export const POCKET = 3;
export const STEPS = 4;
/** Trials that are over. */
export const TRIAL = 5;
/** Trials of this episode whose goal was met. */
export const SOLVED = 6;
/** 1 + the last action, 0 before the first. */
export const LAST_ACTION = 7;
/** Steps that its trial had taken where the last step met the goal, else 0: the reward follows from it. */
export const LAST_MET = 8;
export const GOAL_AT = 9;
export const RULE_COUNT = 10;
export const TILE_COUNT = 11;
/** Rules, then things of the start. */
export const LISTS = 12;

const KEYS = [
  'version',
  'layout',
  'agentPos',
  'agentDir',
  'pocket',
  'stepCount',
  'goal',
  'rules',
  'initTiles',
  'trial',
  'solved',
  'last',
  'rng',
];

/** Room for so many rules and things; `task`: of a state that names none (null: every state must). */
export function xlandState(height: number, width: number, rules: number, tiles: number, task: Task | null): StateSpec {
  const cells = height * width;
  const scalar = (name: string, doc: string) => ({ name, type: 'u32', shape: [], doc }) as const;
  const spec = defineState(1, [
    { name: 'cells', type: 'u32', shape: [height, width], doc: 'what stands in each cell, see xland/lib/tiles.ts' },
    scalar('agentRow', 'row of the agent, downwards'),
    scalar('agentColumn', 'column of the agent'),
    scalar('agentDir', '0 up, 1 right, 2 down, 3 left'),
    scalar('pocket', 'thing in the pocket, 0 none'),
    scalar('stepCount', 'steps done in this trial'),
    scalar('trial', 'trials of this episode that are over'),
    scalar('solved', 'trials of this episode whose goal was met'),
    scalar('lastAction', 'the last action + 1, 0 before the first'),
    scalar('lastMet', 'steps of the trial that the last step ended by its goal, else 0'),
    scalar('goal', 'goal, see xland/lib/task.ts'),
    scalar('ruleCount', 'rules of this task'),
    scalar('tileCount', 'things that lie there at the start'),
    { name: 'rules', type: 'u32', shape: [rules], doc: 'rules, see xland/lib/task.ts' },
    { name: 'tiles', type: 'u32', shape: [tiles], doc: 'things of the start, see xland/lib/tiles.ts' },
  ]);
  const pairOf = (word: number): readonly number[] => [tileOf(word), colourOf(word)];
  return {
    ...spec,
    toJSON(state) {
      viewOf(spec, state);
      const words = new Uint32Array(state.slice(8).buffer);
      const at = (i: number): number => words[cells + i]!;
      const list = (from: number, count: number): readonly number[] => Array.from(words.subarray(cells + from, cells + from + count));
      return {
        version: spec.version,
        layout: [...tokenRows(words.subarray(0, cells), width)],
        agentPos: [at(ROW), at(COLUMN)],
        agentDir: at(DIR),
        pocket: [...pairOf(at(POCKET))],
        stepCount: at(STEPS),
        goal: [...unpackGoal(at(GOAL_AT))],
        rules: list(LISTS, at(RULE_COUNT)).map((rule): Json => [...unpackRule(rule)]),
        initTiles: list(LISTS + rules, at(TILE_COUNT)).map((tile): Json => [...pairOf(tile)]),
        trial: at(TRIAL),
        solved: at(SOLVED),
        last: [at(LAST_ACTION), at(LAST_MET)],
        rng: Array.from(words.subarray(cells + LISTS + rules + tiles, cells + LISTS + rules + tiles + 4)),
      };
    },
    fromJSON(json) {
      const source = isObject(json) ? json : {};
      for (const key of Object.keys(source)) if (!KEYS.includes(key)) throw bad(key, 'is not known here', `Fields: ${KEYS.join(', ')}.`);
      if (source.version !== undefined && source.version !== spec.version)
        throw bad('version', 'is not ours', `Version ${spec.version} is needed.`);
      if (!Array.isArray(source.layout) || source.layout.some((row) => typeof row !== 'string'))
        throw bad('layout', 'is not a list of rows', 'Give rows of two-letter tokens.');
      const map = parseCells(source.layout as readonly string[], 'layout');
      if (map.width !== width || map.height !== height)
        throw bad('layout', `is ${map.height} x ${map.width}`, `This config is ${height} x ${width}.`);
      const given = taskOf(source, task, height, width);
      if (given.rules.length > rules) throw bad('rules', `has ${given.rules.length} rules`, `This config has room for ${rules}.`);
      if (given.tiles.length > tiles) throw bad('initTiles', `has ${given.tiles.length} things`, `This config has room for ${tiles}.`);
      const [row = 0, column = 0] = numbers(source.agentPos, 'agentPos', [height - 1, width - 1]);
      const [tile = 0, colour = 0] = numbers(source.pocket ?? [0, 0], 'pocket', [12, 11]);
      const [lastAction = 0, lastMet = 0] = numbers(source.last ?? [0, 0], 'last', [6, 0xffff_ffff]);
      const state = new Uint8Array(spec.bytes);
      const all = new Uint32Array(state.buffer);
      all[0] = spec.version;
      const out = all.subarray(2);
      out.set(map.words);
      out.set(
        [
          row,
          column,
          whole(source.agentDir, 'agentDir', 3),
          thing(tile, colour),
          whole(source.stepCount ?? 0, 'stepCount', 0xffff_ffff),
          whole(source.trial ?? 0, 'trial', 0xffff_ffff),
          whole(source.solved ?? 0, 'solved', 0xffff_ffff),
          lastAction,
          lastMet,
          given.goal,
          given.rules.length,
          given.tiles.length,
        ],
        cells,
      );
      out.set(given.rules, cells + LISTS);
      out.set(given.tiles, cells + LISTS + rules);
      out.set(numbers(source.rng ?? [0, 0, 0, 0], 'rng', new Array<number>(4).fill(0xffff_ffff)), cells + LISTS + rules + tiles);
      return state;
    },
  };
}

/** The task that a state names, or the config's. */
function taskOf(source: JsonObject, task: Task | null, height: number, width: number): Task {
  if (source.goal === undefined && source.rules === undefined && source.initTiles === undefined) {
    if (task === null) throw bad('goal', 'is missing', 'Tasks are drawn here: a state names its goal, rules and initTiles.');
    return task;
  }
  const goal = numbers(source.goal ?? [0, 0, 0, 0, 0], 'goal', new Array<number>(5).fill(255));
  const lists = (key: string, length: number): readonly (readonly number[])[] => {
    const value = source[key] ?? [];
    if (!Array.isArray(value)) throw bad(key, 'is not a list', `Give a list of lists of ${length} numbers.`);
    return (value as readonly Json[]).map((entry) => numbers(entry, key, new Array<number>(length).fill(255)));
  };
  try {
    return packTask({ goal, rules: lists('rules', 7), initTiles: lists('initTiles', 2) }, height, width);
  } catch (error) {
    const { message, fix, field } = toFailure(error);
    throw fail('state-invalid', message, fix, field);
  }
}

function bad(field: string, what: string, fix: string): Error {
  return fail('state-invalid', `State field "${field}" ${what}.`, fix, field);
}

function whole(value: Json | undefined, field: string, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw bad(field, `cannot be ${JSON.stringify(value ?? null)}`, `Give an integer from 0 to ${most}.`);
  return value;
}

function numbers(value: Json | undefined, field: string, most: readonly number[]): readonly number[] {
  if (!Array.isArray(value) || value.length !== most.length)
    throw bad(field, `has not ${most.length} numbers`, `Give ${most.length} integers.`);
  return (value as readonly Json[]).map((n, i) => whole(n, field, most[i]!));
}
