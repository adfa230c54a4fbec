/**
 * Push all boxes onto the targets; they cannot be pulled, so a wrong push can be final. Small rooms of 7 x 7 with 2 boxes by default.
 * Obs [rows, columns, 4] of 0 and 1: walls, targets, boxes, player. Actions none, push up, down, left, right (a step where there is no
 * box), move up, down, left, right (never pushes). Reward -0.1 per step, +1 for a box pushed onto a target, -1 for one pushed off,
 * +10 with the last. Ends when all boxes are on targets; truncates at `maxSteps`. Levels: `map`, or made by reverse play, so every
 * one can be solved (grids/lib/sokoban/levels.ts). The expert finds a shortest solution (grids/lib/sokoban/solve.ts).
 * Source: Weber et al. 2017; rewards, actions and limit of `mpSchrader/gym-sokoban` at 8e06e44 `envs/sokoban_env.py`.
 */

import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { fail } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { BOX, BOX_ON_TARGET, FLOOR, isBox, isTarget, type Level, LevelMaker, parseLevel, TARGET, WALL } from './lib/sokoban/levels.ts';
import { moveAt, moveIn, solveLevel } from './lib/sokoban/solve.ts';
import { LEVEL } from './lib/sokoban/tiles.ts';

const SOURCE = 'gym-sokoban';
const PLANES = 4;
const STEP_COST = 0.1;
const ON_TARGET = 1;
const FINISHED = 10;

const config = z.strictObject({
  map: z
    .array(
      z
        .string()
        .regex(/^[#\-.$*@+]+$/)
        .min(3)
        .max(16),
    )
    .min(3)
    .max(16)
    .nullable()
    .default(null)
    .meta({
      title: 'own level',
      description:
        'A level of your own: rows of # wall, - floor, . target, $ box, * box on target, @ player, + player on target; empty: made by the generator.',
      editor: 'grid-map',
      map: LEVEL,
    }),
  size: z.int().min(5).max(12).default(7).meta({ title: 'size', unit: 'cells', description: 'Side of made levels, walls included.' }),
  boxes: z.int().min(1).max(5).default(2).meta({ title: 'boxes', description: 'Boxes in made levels.', source: SOURCE }),
  leastPushes: z.int().min(1).max(8).default(3).meta({
    title: 'pushes per box',
    description: 'A made level needs at least so many per box, as long as its size has such levels; every box must be pushed.',
  }),
  levels: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .meta({ title: 'levels', description: 'How many different levels there are; 0: a new one each episode.', log: true }),
  levelSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .meta({ title: 'level seed', description: 'The levels are drawn from this, where their number is given.' }),
  maxSteps: maxStepsField(120, SOURCE),
});
type Config = z.infer<typeof config>;

const DEFAULTS = JSON.stringify(config.parse({}));
/** Means of 4,000 random and of 1,500 expert episodes. */
const RANDOM = -11.64;
const EXPERT = 10.42;

function levelOf(c: Config): Level | null {
  if (c.map === null) {
    if ((c.size - 2) ** 2 < 3 * c.boxes + 4)
      throw badConfig('boxes', `${c.boxes} boxes do not fit into a room of ${c.size} x ${c.size}.`, 'Make the room larger.');
    return null;
  }
  const columns = (c.map[0] as string).length;
  if (c.map.some((row) => row.length !== columns)) throw badConfig('map', 'The rows of the level differ in length.', 'Make them equal.');
  const { level, players, boxes } = parseLevel(c.map);
  if (players !== 1) throw badConfig('map', `The level has ${players} players.`, 'Put exactly one @ or + on it.');
  const targets = level.cells.filter(isTarget).length;
  if (boxes === 0 || boxes > 8) throw badConfig('map', `The level has ${boxes} boxes.`, 'Put 1 to 8 of $ or * on it.');
  if (targets < boxes) throw badConfig('map', `There are ${boxes} boxes for ${targets} targets.`, 'Put a target for every box.');
  if (level.cells.every((code) => code !== BOX)) throw badConfig('map', 'Every box is on a target already.', 'Put a $ beside one.');
  const open = level.cells.findIndex(
    (code, cell) =>
      code !== WALL && (cell < columns || cell >= level.cells.length - columns || cell % columns === 0 || cell % columns === columns - 1),
  );
  if (open >= 0) throw badConfig('map', 'The level is open at its border.', 'Put # all round it.');
  return level;
}

function sidesOf(c: Config): readonly [rows: number, columns: number] {
  const level = levelOf(c);
  return level === null ? [c.size, c.size] : [level.rows, level.columns];
}

function stateOf(rows: number, columns: number) {
  return defineState(1, [
    { name: 'cells', type: 'u32', shape: [rows, columns], doc: '0 floor, 1 wall, 2 target, 3 box, 4 box on a target' },
    { name: 'player', type: 'u32', shape: [], doc: 'cell of the player: row * columns + column' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

function meta(c: Config): EnvMeta {
  const [rows, columns] = sidesOf(c);
  const frame: GridLayout = {
    kind: 'grid',
    width: columns,
    height: rows,
    agents: 1,
    headings: false,
    looks: ['empty', 'wall', 'target', 'box', 'box'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
    figures: ['pusher'],
  };
  const boxes = c.map === null ? c.boxes : parseLevel(c.map).boxes;
  return soloMeta({
    id: 'sokoban',
    agent: 'player',
    obs: { kind: 'box', shape: [rows, columns, PLANES], low: 0, high: 1 },
    action: {
      kind: 'discrete',
      n: 9,
      labels: ['none', 'push up', 'push down', 'push left', 'push right', 'move up', 'move down', 'move left', 'move right'],
    },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(rows, columns),
    frame,
    references: [
      ...(JSON.stringify(c) === DEFAULTS
        ? [
            { name: 'random', value: RANDOM, source: 'uniform actions, measured' },
            {
              name: 'expert',
              value: EXPERT,
              source: 'policy "expert": shortest solutions by search; 12 for two boxes less 0.1 for each of some 16 moves, measured',
            },
          ]
        : []),
      { name: 'upper bound', value: FINISHED + boxes * (ON_TARGET - STEP_COST), source: 'all boxes pushed home in one step each' },
    ],
    keys: [['.'], ['ArrowUp', 'w'], ['ArrowDown', 's'], ['ArrowLeft', 'a'], ['ArrowRight', 'd'], [], [], [], []],
    idleAction: null,
    fps: 6,
  });
}

/** Does the next move of a shortest solution; nothing where there is none. What a solution passes is remembered. */
function solver(c: Config): ScriptedPolicy {
  const [rows, columns] = sidesOf(c);
  const size = rows * columns;
  const known = new Map<string, number>();
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const level: Level = { rows, columns, cells: new Uint32Array(size), player: 0 };
        for (let cell = 0; cell < size; cell++) {
          const at = (row * size + cell) * PLANES;
          const target = obs[at + 1] === 1;
          const box = obs[at + 2] === 1;
          level.cells[cell] = obs[at] === 1 ? WALL : box ? (target ? BOX_ON_TARGET : BOX) : target ? TARGET : FLOOR;
          if (obs[at + 3] === 1) level.player = cell;
        }
        const keyOf = () => `${level.player}:${level.cells.join('')}`;
        const here = keyOf();
        if (!known.has(here)) {
          if (known.size > 100_000) known.clear();
          known.set(here, 0);
          for (const direction of solveLevel(level) ?? []) {
            known.set(keyOf(), 1 + direction);
            moveIn(level, direction, true);
          }
        }
        out[row] = known.get(here) ?? 0;
      }
    },
  };
}

export const sokoban = defineEnv<Config>({
  spec: {
    id: 'sokoban',
    version: 1,
    title: 'Sokoban',
    summary: 'Push the boxes onto the targets, and think before you push.',
    learnNote:
      'Not learned by anything here yet: boxes are pushed by plan. PPO stays at random play in 200,000 steps; the source trains for 1e9. The preset with one box comes first.',
    source: {
      title: 'Imagination-augmented agents for deep reinforcement learning',
      authors: 'Weber et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1707.06203',
    },
    config,
    checkNew: checkMaps,
    presets: [
      { id: '7x7', title: '7x7, 2 boxes', config: {} },
      { id: '6x6', title: '6x6, 1 box', config: { size: 6, boxes: 1 } },
      { id: '10x10', title: '10x10, 4 boxes', config: { size: 10, boxes: 4 } },
      { id: '100-levels', title: '7x7, 100 levels', config: { levels: 100 } },
      { id: 'own', title: 'own level', config: { map: ['#######', '#-----#', '#-$-$-#', '#--@--#', '#-.-.-#', '#-----#', '#######'] } },
    ],
    meta,
  },
  create(c, batch, options) {
    const own = levelOf(c);
    const [height, width] = sidesOf(c);
    const size = height * width;
    const rows = allocateRows(stateOf(height, width), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const maker = new LevelMaker(height, width, c.boxes, c.leastPushes);
    const PLAYER = size;
    const STEPS = size + 1;
    const count = own === null ? c.levels : 1;
    // Made when first drawn: ten thousand large ones take minutes.
    const made: (Level | undefined)[] = own === null ? [] : [own];
    const makeLevel = (i: number): Level => {
      const cells = new Uint32Array(size);
      const player = maker.make(new Draws([Rng.from(c.levelSeed).split('sokoban', i)], undefined), 0, cells, 0);
      return { rows: height, columns: width, cells, player };
    };
    const placed = (s: number) => {
      let n = 0;
      for (let i = s; i < s + size; i++) if (words[i] === BOX_ON_TARGET) n++;
      return n;
    };
    const boxesIn = (s: number) => {
      let n = 0;
      for (let i = s; i < s + size; i++) if (isBox(words[i]!)) n++;
      return n;
    };
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      for (let cell = 0; cell < size; cell++) {
        const code = words[s + cell]!;
        const at = (row * size + cell) * PLANES;
        obs[at] = code === WALL ? 1 : 0;
        obs[at + 1] = isTarget(code) ? 1 : 0;
        obs[at + 2] = isBox(code) ? 1 : 0;
        obs[at + 3] = words[s + PLAYER] === cell ? 1 : 0;
      }
    };
    let at = 0;
    const place = (cell: number) => {
      words[at + PLAYER] = cell;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words[s + STEPS] = 0;
        if (count === 0) {
          words[s + PLAYER] = maker.make(draws, row, words, s);
          return;
        }
        const i = count === 1 ? 0 : draws.int(row, count, 'level');
        made[i] ??= makeLevel(i);
        const level = made[i];
        words.set(level.cells, s);
        words[s + PLAYER] = level.player;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const action = actions[row]!;
          const before = placed(s);
          at = s;
          if (action > 0) moveAt(words, s, width, words[s + PLAYER]!, (action - 1) % 4, action <= 4, place);
          const after = placed(s);
          const all = after === boxesIn(s);
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          out.reward[row] = (after - before) * ON_TARGET - STEP_COST + (all ? FINISHED : 0);
          out.terminated[row] = all ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        for (let cell = 0; cell < size; cell++) {
          checkCell(words[s + cell]!, 5, 'cells');
          const border = cell < width || cell >= size - width || cell % width === 0 || cell % width === width - 1;
          if (border && words[s + cell] !== WALL)
            throw fail('state-invalid', 'State field "cells" is open at the border.', 'Put walls (1) all round.', 'cells');
        }
        checkCell(words[s + PLAYER]!, size, 'player');
        const under = words[s + words[s + PLAYER]!]!;
        if (under === WALL || isBox(under)) throw fail('state-invalid', 'The player is inside something.', 'Put it on floor.', 'player');
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        for (let cell = 0; cell < size; cell++) {
          const code = words[s + cell]!;
          out[3 * cell] = code;
          out[3 * cell + 1] = isBox(code) ? 4 : 0;
          out[3 * cell + 2] = code === BOX_ON_TARGET ? 1 : 0;
        }
        const player = words[s + PLAYER]!;
        out[3 * size] = player % width;
        out[3 * size + 1] = Math.floor(player / width);
        out[3 * size + 5] = 1;
      },
      cellOf: (row) => words[row * wordStride + PLAYER]!,
      placements(row) {
        const s = row * wordStride;
        const kept = words[s + PLAYER]!;
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let cell = 0; cell < size; cell++) {
          const code = words[s + cell]!;
          if (code === WALL || isBox(code)) continue;
          words[s + PLAYER] = cell;
          out.push({ cell, state: rows.save(row) });
        }
        words[s + PLAYER] = kept;
        return out;
      },
    });
  },
  policies: { expert: solver },
});
