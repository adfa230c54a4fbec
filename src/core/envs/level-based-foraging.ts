/**
 * Foragers of different levels must load food together: a food goes when the levels of those who load next to it reach its own.
 * Level-Based Foraging v3. Obs per player: foraging/observe.ts. Actions none, north, south, west, east, load; impossible ones
 * become none. Moves: a cell that more than one claims (standing still claims too) stays unentered; swaps pass; a player may end
 * on one who wanted to leave and could not, as in the reference. Reward of a loader: level * food / (levels of the loaders * all
 * food at the start), without normalisation level * food; a failed load costs `penalty`. Ends when no food is left or at `maxSteps`
 * (terminated, as in the reference). Central state: all observations.
 * Source: Christianos et al. 2020; `uoe-agents/lb-foraging` at 1252b55 `lbforaging/foraging/environment.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/frames.ts';
import { type ObsSpace, obsSize } from '#contract/spaces.ts';
import { checkCell } from './checks.ts';
import { defineEnv } from './define.ts';
import { Draws } from './draws.ts';
import { assemble } from './environment.ts';
import { BORDER, type Forage, foodBeside, forageAll, movesOf } from './foraging/forage.ts';
import { type Field, writeLayers, writeVector } from './foraging/observe.ts';
import { badConfig } from './parse.ts';
import { allocateRows, defineState } from './state.ts';
import type { EnvMeta, StepBuffers } from './types.ts';

const TRIES = 1000;
const MAX_PLAYER_LEVEL = 2;

const config = z.strictObject({
  players: z.int().min(2).max(9).default(2).meta({ title: 'players', description: 'Foragers in the field.', source: 'LBF v3' }),
  foods: z.int().min(1).max(9).default(1).meta({ title: 'foods', description: 'Foods placed at the start.', source: 'LBF v3' }),
  fieldSize: z
    .array(z.int().min(5).max(19))
    .length(2)
    .default([8, 8])
    .meta({ title: 'field', unit: 'cells', description: 'Rows and columns.', source: 'LBF v3' }),
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
type Config = z.infer<typeof config>;

const DEFAULTS = JSON.stringify(config.parse({}));

function fieldOf(c: Config): Field {
  const [rows = 0, columns = 0] = c.fieldSize;
  if (c.playerLevels !== null && c.playerLevels.length !== c.players)
    throw badConfig('playerLevels', `There are ${c.playerLevels.length} levels for ${c.players} players.`, 'Give one level per player.');
  return { rows, columns, sight: c.sight ?? Math.max(rows, columns), players: c.players, foods: c.foods };
}

function stateOf(c: Config) {
  return defineState(
    1,
    [
      { name: 'players', type: 'u32', shape: [c.players, 3], doc: 'row, column and level of each player' },
      { name: 'foods', type: 'u32', shape: [c.foods, 3], doc: 'row, column and level of each food, level 0 when it is gone' },
      { name: 'foodTotal', type: 'u32', shape: [], doc: 'levels of all food at the start; 0: of the food there is' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['foodTotal'],
  );
}

function meta(c: Config): EnvMeta {
  const f = fieldOf(c);
  const side = 2 * f.sight + 1;
  const top = Math.max(2 * f.sight, f.rows, f.columns, 9 * 3);
  const obs: ObsSpace = c.gridObservation
    ? { kind: 'box', shape: [3, side, side], low: 0, high: top }
    : { kind: 'box', shape: [3 * (c.foods + c.players)], low: -1, high: top };
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
    goalSize: 0,
    globalSize: c.players * obsSize(obs),
    masked: false,
    score: 'sum',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: c.normalizeReward
      ? [
          ...(JSON.stringify(c) === DEFAULTS ? [{ name: 'random', value: 0.244, source: 'uniform actions, measured' }] : []),
          { name: 'upper bound', value: 1, source: 'all food loaded, summed over players' },
        ]
      : [],
    keys: [['.'], ['ArrowUp', 'w'], ['ArrowDown', 's'], ['ArrowLeft', 'a'], ['ArrowRight', 'd'], ['e', ' ']],
    idleAction: null,
    noopAction: 0,
    fps: 6,
  };
}

export const levelBasedForaging = defineEnv<Config>({
  spec: {
    id: 'level-based-foraging',
    version: 1,
    title: 'Level-based foraging',
    summary: 'Foragers must come together to load food that is too heavy for one.',
    source: {
      title: 'Benchmarking multi-agent deep reinforcement learning algorithms in cooperative tasks',
      authors: 'Papoudakis et al.',
      year: 2021,
      url: 'https://arxiv.org/abs/2006.07869',
    },
    config,
    presets: [
      { id: '8x8-2p-1f', title: '8x8, 2 players, 1 food', config: {} },
      { id: '8x8-2p-2f-coop', title: '8x8, 2 players, 2 foods, together', config: { foods: 2, coop: true } },
      { id: '8x8-2p-3f', title: '8x8, 2 players, 3 foods', config: { foods: 3 } },
      { id: '10x10-3p-3f', title: '10x10, 3 players, 3 foods', config: { fieldSize: [10, 10], players: 3, foods: 3 } },
      { id: '2s-8x8-2p-2f-coop', title: '8x8, sight 2, together', config: { foods: 2, coop: true, sight: 2 } },
      { id: '15x15-4p-5f', title: '15x15, 4 players, 5 foods', config: { fieldSize: [15, 15], players: 4, foods: 5 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    const f = fieldOf(c);
    const { rows: height, columns: width } = f;
    const stride = width + 2;
    const cells = (height + 2) * stride; // with the border
    const A = c.players;
    const F = c.foods;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const food = new Uint8Array(batch * cells).fill(BORDER);
    const order = new Uint8Array(batch * F); // foods row by row, derived
    const FOODS = 3 * A;
    const TOTAL = FOODS + 3 * F;
    const STEPS = TOTAL + 1;
    const moves = movesOf(stride);
    const forage: Forage = {
      words,
      wordStride,
      food,
      cells,
      width: stride,
      moves,
      players: A,
      foods: F,
      penalty: c.penalty,
      normalise: c.normalizeReward,
      maxSteps: c.maxSteps,
      from: new Int32Array(A),
      to: new Int32Array(A),
      loading: new Uint8Array(A),
      helping: new Uint8Array(A),
    };
    const place = (row: number, y: number, x: number) => row * cells + (y + 1) * stride + x + 1;
    const empty = (row: number) => {
      for (let y = 0; y < height; y++) food.fill(0, place(row, y, 0), place(row, y, width));
    };
    const levelAt = (row: number, y: number, x: number): number => {
      if (y < 0 || x < 0 || y >= height || x >= width) return 0;
      return food[place(row, y, x)] as number;
    };

    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      for (let i = 0; i < A; i++) {
        if (c.gridObservation) writeLayers(f, words, s, food, row * cells, i, out.obs, (row * A + i) * O);
        else writeVector(f, words, s, order, row * F, i, out.obs, (row * A + i) * O);
      }
      if (out.alive) out.alive.fill(1, row * A, (row + 1) * A);
      if (out.state) {
        const from = row * A * O;
        for (let i = from; i < from + A * O; i++) out.state[i] = out.obs[i] as number;
      }
    };
    const valid = (row: number, y: number, x: number, action: number): boolean => {
      if (action === 0) return true;
      const at = place(row, y, x);
      return action === 5 ? foodBeside(food, at, stride) >= 0 : food[at + (moves[action] as number)] === 0;
    };
    const sortFoods = (row: number) => {
      const rank = (i: number) => {
        const at = row * wordStride + FOODS + 3 * i;
        return (words[at] as number) * width + (words[at + 1] as number);
      };
      for (let i = 0; i < F; i++) {
        let k = row * F + i;
        for (; k > row * F && rank(order[k - 1] as number) > rank(i); k--) order[k] = order[k - 1] as number;
        order[k] = i;
      }
    };

    /** A food may not touch another one nor stand two cells straight from one, nor at the border. */
    const clear = (row: number, y: number, x: number): boolean => {
      for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) if (levelAt(row, y + dy, x + dx) > 0) return false;
      return levelAt(row, y - 2, x) + levelAt(row, y + 2, x) + levelAt(row, y, x - 2) + levelAt(row, y, x + 2) === 0;
    };
    const taken = (s: number, y: number, x: number, players: number): boolean => {
      for (let i = 0; i < players; i++) if (words[s + 3 * i] === y && words[s + 3 * i + 1] === x) return true;
      return false;
    };

    /** Sum of the three lowest player levels: the heaviest food that can come. */
    const lowestThree = (s: number): number => {
      let sum = 0;
      for (let i = 0; i < A; i++) {
        const level = words[s + 3 * i + 2] as number;
        let before = 0; // players that count before this one
        for (let k = 0; k < A; k++) {
          const other = words[s + 3 * k + 2] as number;
          if (other < level || (other === level && k < i)) before++;
        }
        if (before < 3) sum += level;
      }
      return sum;
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * wordStride;
        empty(row);
        words.fill(0, s, s + STEPS + 1);
        for (let i = 0; i < A; i++) {
          words[s + 3 * i + 2] = c.playerLevels?.[i] ?? 1 + draws.int(row, MAX_PLAYER_LEVEL, 'player level');
          let y = 0;
          let x = 0;
          do {
            y = draws.int(row, height, 'player row');
            x = draws.int(row, width, 'player column');
          } while (taken(s, y, x, i));
          words[s + 3 * i] = y;
          words[s + 3 * i + 1] = x;
        }
        const most = lowestThree(s);
        let count = 0;
        let total = 0;
        for (let attempt = 0; attempt < TRIES && count < F; attempt++) {
          const y = 1 + draws.int(row, height - 2, 'food row');
          const x = 1 + draws.int(row, width - 2, 'food column');
          if (!clear(row, y, x) || taken(s, y, x, A)) continue;
          const level = c.coop ? most : 1 + draws.int(row, most, 'food level');
          food[place(row, y, x)] = level;
          words[s + FOODS + 3 * count] = y;
          words[s + FOODS + 3 * count + 1] = x;
          words[s + FOODS + 3 * count + 2] = level;
          total += level;
          count++;
        }
        words[s + TOTAL] = total;
        sortFoods(row);
      },
      step(actions, out) {
        forageAll(forage, batch, actions, out);
        for (let row = 0; row < batch; row++) observe(row, out);
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        empty(row);
        for (let i = 0; i < A; i++) {
          checkCell(words[s + 3 * i] as number, height, 'players');
          checkCell(words[s + 3 * i + 1] as number, width, 'players');
        }
        let sum = 0;
        for (let i = 0; i < F; i++) {
          const at = s + FOODS + 3 * i;
          checkCell(words[at] as number, height, 'foods');
          checkCell(words[at + 1] as number, width, 'foods');
          checkCell(words[at + 2] as number, BORDER, 'foods');
          if (words[at + 2] === 0) continue;
          food[place(row, words[at] as number, words[at + 1] as number)] = words[at + 2] as number;
          sum += words[at + 2] as number;
        }
        if (words[s + TOTAL] === 0) words[s + TOTAL] = sum;
        sortFoods(row);
      },
      frame(row, out) {
        const s = row * wordStride;
        const tiles = height * width;
        for (let i = 0; i < tiles; i++) {
          const level = levelAt(row, Math.floor(i / width), i % width);
          out[3 * i] = level > 0 ? 1 : 0;
          out[3 * i + 1] = 0;
          out[3 * i + 2] = level;
        }
        for (let i = 0; i < A; i++) {
          const at = 3 * tiles + 6 * i;
          out[at] = words[s + 3 * i + 1] as number;
          out[at + 1] = words[s + 3 * i] as number;
          out[at + 2] = 0;
          out[at + 3] = 0;
          out[at + 4] = 0;
          out[at + 5] = 1;
          out[3 * tiles + 6 * A + i] = words[s + 3 * i + 2] as number;
        }
      },
      extras(row) {
        const s = row * wordStride;
        const players = Array.from({ length: A }, (_, i) => [words[s + 3 * i] as number, words[s + 3 * i + 1] as number] as const);
        let left = 0;
        for (let i = 0; i < F; i++) left += words[s + FOODS + 3 * i + 2] as number;
        return {
          state: { playerPos: players, foodLeft: left },
          validActions: players.map(([y, x]) => [0, 1, 2, 3, 4, 5].filter((a) => valid(row, y, x, a))),
        };
      },
      cellOf: (row) => (words[row * wordStride] as number) * width + (words[row * wordStride + 1] as number),
      placements(row) {
        const s = row * wordStride;
        const [y, x] = [words[s] as number, words[s + 1] as number];
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let cell = 0; cell < height * width; cell++) {
          words[s] = Math.floor(cell / width);
          words[s + 1] = cell % width;
          let free = levelAt(row, Math.floor(cell / width), cell % width) === 0;
          for (let i = 1; i < A; i++) if (words[s + 3 * i] === words[s] && words[s + 3 * i + 1] === words[s + 1]) free = false;
          if (free) out.push({ cell, state: rows.save(row) });
        }
        words[s] = y;
        words[s + 1] = x;
        return out;
      },
    });
  },
});
