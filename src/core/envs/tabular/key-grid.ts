/**
 * Fetch the key, pass the door, reach the goal: a grid small enough for a table, in which the reward lies behind a detour.
 * Obs: the cell (row * columns + column), plus the number of cells once the key is held, as one-hot. Actions left, down, right, up; with chance
 * `slip` a step goes in one of the four directions, each alike. Walls stop a step, the door does without the key; the key is taken by stepping on it.
 * Reward 1 at the goal, else 0. Ends at the goal; truncates at `maxSteps`. Throws 'config-invalid' for a broken map. A map of one row is a chain.
 * Source: own choice, after the environments Room and LineK of Devidze et al. 2021 and 2024.
 */

import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { defineEnv } from '../api/define.ts';
import { soloMeta } from '../api/meta.ts';
import { badConfig } from '../api/parse.ts';
import type { EnvMeta, TabularModel } from '../api/types.ts';
import { buildModel, createTabular, gridFrame, plannedPolicy, tabularState } from '../lib/tabular/model.ts';
import { neighbour } from '../lib/tabular/neighbour.ts';
import { finiteValues, optimalValuesCheck, startValue, transitionTable, uniformValues } from '../lib/tabular/values.ts';

const ROOMS = ['S..W...', '...W...', '...D..G', '...W...', 'K..W...'];
const LINE = ['K...S.......G'];
const CHAIN = ['S.............G'];

const GROUND: MapFormat = {
  size: [1, 16],
  tiles: [
    { code: '.', title: 'floor', look: 'floor' },
    { code: 'W', title: 'wall', look: 'wall', walk: 'never' },
    { code: 'K', title: 'key', look: 'key', colour: 'yellow', key: true },
    { code: 'D', title: 'door', look: 'door', state: 2, colour: 'yellow', walk: 'unlocked' },
    { code: 'G', title: 'goal', look: 'goal' },
    { code: 'S', title: 'start', look: 'start', once: true },
  ],
  rules: [
    { rule: 'count', of: ['S'], least: 1, says: 'There is no start on this map. Paint one.' },
    { rule: 'count', of: ['G'], least: 1, says: 'There is no goal on this map, so nothing is ever paid.' },
    { rule: 'reach', from: ['S'], to: ['G'], says: 'The goal cannot be reached from the start. Open a way, or lay a key for the door.' },
  ],
};

const config = z.strictObject({
  map: z
    .array(
      z
        .string()
        .regex(/^[.WKDGS]+$/)
        .max(16),
    )
    .min(1)
    .max(16)
    .default(ROOMS)
    .meta({
      title: 'map',
      description: 'Rows of the grid, top to bottom: S start, . floor, W wall, K key, D door, G goal.',
      source: 'own choice',
      editor: 'grid-map',
      map: GROUND,
    }),
  keyAtGoal: z.boolean().default(false).meta({
    title: 'the goal asks for the key',
    description: 'On: the goal pays and ends only with the key; without it, it is floor.',
    source: 'LineK of Devidze et al. 2024',
  }),
  slip: z.number().min(0).max(0.9).default(0.1).meta({
    title: 'slip',
    description: 'Chance that a step goes in a random direction.',
    source: 'Devidze et al. 2021',
  }),
  maxSteps: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .meta({ title: 'step limit', unit: 'steps', description: 'An episode is cut after this many steps.', log: true }),
});
type Config = z.infer<typeof config>;

const MOVES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const; // [row, column] of left, down, right, up

function groundOf(c: Config) {
  const columns = (c.map[0] as string).length;
  if (c.map.some((row) => row.length !== columns)) throw badConfig('map', 'The rows of the map differ in length.', 'Make them equal.');
  const cells = c.map.join('');
  const start = cells.indexOf('S');
  if (start < 0) throw badConfig('map', 'The map has no start.', 'Put one S on it.');
  return { rows: c.map.length, columns, cells, start };
}

function modelOf(c: Config): TabularModel {
  const { rows, columns, cells, start } = groundOf(c);
  const n = cells.length;
  const over = (s: number) => cells[s % n] === 'G' && (!c.keyAtGoal || s >= n);
  const move = (s: number, a: number): number => {
    const to = neighbour(rows, columns, s % n, MOVES[a]!);
    const held = s >= n;
    if (cells[to] === 'W' || (cells[to] === 'D' && !held)) return s;
    return to + (held || cells[to] === 'K' ? n : 0);
  };
  return buildModel(
    2 * n,
    4,
    (s, a) => {
      if (over(s)) return [{ probability: 1, next: s, reward: 0, terminated: true }];
      return MOVES.flatMap((_, b) => {
        const probability = (b === a ? 1 - c.slip : 0) + c.slip / 4;
        const next = move(s, b);
        return probability === 0 ? [] : [{ probability, next, reward: over(next) ? 1 : 0, terminated: over(next) }];
      });
    },
    [start],
  );
}

const LOOKS = ['empty', 'floor', 'wall', 'key', 'door', 'goal', 'start'] as const;
const [FLOOR, WALL, KEY, DOOR, GOAL, START] = [1, 2, 3, 4, 5, 6] as const;
const PLAIN: { readonly [letter: string]: number } = { W: WALL, G: GOAL, S: START };

function layoutOf(c: Config): GridLayout {
  return {
    kind: 'grid',
    width: (c.map[0] as string).length,
    height: c.map.length,
    agents: 1,
    headings: false,
    looks: LOOKS,
    colours: ['grey', 'yellow'],
    view: 0,
  };
}

/** Codes of the cells as they look without the key, or with it: then it lies nowhere and the door is open. */
function codesOf({ map }: Config, held: boolean): Float32Array {
  const codes = [...map.join('')].flatMap((letter) => {
    if (letter === 'K') return held ? [FLOOR, 0, 0] : [KEY, 1, 0];
    if (letter === 'D') return [DOOR, 1, held ? 0 : 2];
    return [PLAIN[letter] ?? FLOOR, 0, 0];
  });
  return Float32Array.from(codes);
}

function meta(c: Config): EnvMeta {
  const model = modelOf(c);
  const horizon = Math.min(c.maxSteps, 1000);
  return soloMeta({
    id: 'key-grid',
    agent: 'walker',
    obs: { kind: 'discrete', n: model.states },
    action: { kind: 'discrete', n: 4, labels: ['left', 'down', 'right', 'up'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: tabularState,
    frame: layoutOf(c),
    references: [
      { name: 'random', value: startValue(model, uniformValues(model, horizon)), source: 'exact, from the transition table' },
      { name: 'optimal', value: startValue(model, finiteValues(model, horizon, 1)), source: 'exact, plan that knows the steps left' },
    ],
    keys: [
      ['ArrowLeft', 'a'],
      ['ArrowDown', 's'],
      ['ArrowRight', 'd'],
      ['ArrowUp', 'w'],
    ],
    idleAction: null,
    fps: 4,
  });
}

export const keyGrid = defineEnv<Config>({
  spec: {
    id: 'key-grid',
    version: 1,
    title: 'Key grid',
    summary: 'Fetch a key, pass a door, reach the goal: small enough to know the optimum exactly.',
    source: {
      title: 'Explicable Reward Design for Reinforcement Learning Agents',
      authors: 'Devidze et al.',
      year: 2021,
    },
    config,
    checkNew: checkMaps,
    presets: [
      { id: 'rooms', title: 'Two rooms, a key and a door', config: {} },
      { id: 'line', title: 'A line with a key at the other end', config: { map: LINE, keyAtGoal: true } },
      { id: 'chain', title: 'A chain of 15', config: { map: CHAIN } },
    ],
    meta,
    recommended: { algo: 'designed-rewards', steps: 20_000 },
  },
  create(c, batch, options) {
    const { cells } = groundOf(c);
    const n = cells.length;
    const frames = [false, true].map((held) => gridFrame(layoutOf(c), codesOf(c, held)));
    const free = [...cells].flatMap((letter, cell) => (letter === 'W' ? [] : [cell]));
    // Where the agent may be put while its hands stay as they are.
    const places = (s: number) => {
      const held = s >= n;
      return free.filter((cell) => (held ? cells[cell] !== 'G' : !'GKD'.includes(cells[cell]!))).map((cell) => cell + (held ? n : 0));
    };
    return createTabular(
      {
        meta: meta(c),
        model: modelOf(c),
        frame: (s, out) => frames[s >= n ? 1 : 0]!(s % n, out),
        grid: { cellOf: (s) => s % n, places },
      },
      batch,
      options?.draws,
    );
  },
  checks: {
    transitions: (c) => transitionTable(modelOf(c)),
    'optimal-values': (c) => optimalValuesCheck(modelOf(c), 0.99, 0),
  },
  policies: {
    optimal: (c) => plannedPolicy(modelOf(c), c.maxSteps, 1),
  },
});
