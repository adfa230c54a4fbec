/**
 * Fetch a passenger at one of four stops and bring him to another, on 5 x 5 cells with walls. Gymnasium Taxi-v4.
 * Obs: state ((row * 5 + column) * 5 + passenger) * 4 + destination as one-hot of 500; passenger 4 is in the taxi.
 * Reward -1 per step, +20 for the right drop, -10 for an impossible pickup or drop. Ends with the right drop; truncates at
 * `maxSteps`. Rain: a move goes where it is meant to with `rainyProbability`, else to one of its sides, walls permitting.
 * Source: Dietterich 2000; Gymnasium 1.4.0 `toy_text/taxi.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { numberOf } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import type { EnvMeta, TabularModel } from '../api/types.ts';
import { buildModel, createTabular, type Outcome, plannedPolicy, tabularState } from '../lib/tabular/model.ts';
import { finiteValues, optimalValuesCheck, startValue, transitionTable, uniformValues } from '../lib/tabular/values.ts';

const SIDE = 5;
const STATES = 500;
const IN_TAXI = 4;
const STOPS = [
  [0, 0],
  [0, 4],
  [4, 0],
  [4, 3],
] as const; // R, G, Y, B as [row, column]
const STOP_COLOURS = [0, 1, 4, 2] as const;
/** No way between column c and c + 1 of a row: [row, c]. */
const WALLS = [
  [0, 1],
  [1, 1],
  [3, 0],
  [4, 0],
  [3, 2],
  [4, 2],
] as const;
const MOVES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const; // south, north, east, west

const config = z.strictObject({
  rainy: z
    .boolean()
    .default(false)
    .meta({ title: 'rain', description: 'Moves slip to their sides at times.', source: 'Gymnasium Taxi-v4' }),
  rainyProbability: z.number().min(0).max(1).default(0.8).meta({
    title: 'intended move in rain',
    description: 'Probability that a move in rain goes the intended way.',
    source: 'Gymnasium Taxi-v4',
  }),
  actionMask: z.boolean().default(false).meta({ title: 'action mask', description: 'Rule out actions that change nothing or cost 10.' }),
  maxSteps: maxStepsField(200, 'Gymnasium Taxi-v4'),
});
type Config = z.infer<typeof config>;

function encode(row: number, column: number, passenger: number, destination: number): number {
  return ((row * SIDE + column) * 5 + passenger) * 4 + destination;
}

function decode(s: number): readonly [row: number, column: number, passenger: number, destination: number] {
  return [Math.floor(s / 100), Math.floor(s / 20) % 5, Math.floor(s / 4) % 5, s % 4];
}

function walled(row: number, column: number): boolean {
  return WALLS.some(([r, c]) => r === row && c === column);
}

function move(row: number, column: number, action: number): readonly [number, number] {
  const [dr, dc] = MOVES[action] as readonly [number, number];
  if (dc !== 0 && walled(row, dc > 0 ? column : column - 1)) return [row, column];
  return [Math.min(SIDE - 1, Math.max(0, row + dr)), Math.min(SIDE - 1, Math.max(0, column + dc))];
}

function stopAt(row: number, column: number): number {
  return STOPS.findIndex(([r, c]) => r === row && c === column);
}

function outcomes(c: Config, s: number, action: number): readonly Outcome[] {
  const [row, column, passenger, destination] = decode(s);
  if (action < 4) {
    const go = (a: number, probability: number): Outcome => {
      const [r, k] = move(row, column, a);
      return { probability, next: encode(r, k, passenger, destination), reward: -1, terminated: false };
    };
    const intended = go(action, 1);
    // rain cannot push a taxi sideways that the border or a wall keeps in place
    if (!c.rainy || intended.next === s) return [intended];
    const sides = action < 2 ? [3, 2] : [0, 1];
    const slip = (1 - c.rainyProbability) / 2;
    return [go(action, c.rainyProbability), go(sides[0]!, slip), go(sides[1]!, slip)];
  }
  const here = stopAt(row, column);
  const one = (p: number, reward: number, terminated: boolean): readonly Outcome[] => [
    { probability: 1, next: encode(row, column, p, destination), reward, terminated },
  ];
  if (action === 4) return passenger !== IN_TAXI && here === passenger ? one(IN_TAXI, -1, false) : one(passenger, -10, false);
  if (passenger !== IN_TAXI || here < 0) return one(passenger, -10, false);
  return here === destination ? one(here, 20, true) : one(here, -1, false);
}

const starts = Array.from({ length: STATES }, (_, s) => s).filter((s) => {
  const [, , passenger, destination] = decode(s);
  return passenger !== IN_TAXI && passenger !== destination;
});

function modelOf(c: Config): TabularModel {
  return buildModel(STATES, 6, (s, a) => outcomes(c, s, a), starts);
}

function mask(s: number): number[] {
  const [row, column, passenger] = decode(s);
  const here = stopAt(row, column);
  const moves = [0, 1, 2, 3].map((a) => {
    const [r, k] = move(row, column, a);
    return r === row && k === column ? 0 : 1;
  });
  return [...moves, passenger !== IN_TAXI && here === passenger ? 1 : 0, passenger === IN_TAXI && here >= 0 ? 1 : 0];
}

/** Cells between columns stand for the ways between them, so that walls can be drawn. */
const frame: GridLayout = {
  kind: 'grid',
  width: 2 * SIDE - 1,
  height: SIDE,
  agents: 1,
  headings: false,
  looks: ['empty', 'floor', 'wall', 'person', 'goal'],
  colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
  view: 0,
  figures: ['taxi'],
};

function draw(s: number, out: Float32Array): void {
  const [row, column, passenger, destination] = decode(s);
  const put = (r: number, x: number, look: number, colour: number) => {
    const at = 3 * (r * frame.width + x);
    out[at] = look;
    out[at + 1] = colour;
    out[at + 2] = 0;
  };
  for (let r = 0; r < SIDE; r++) for (let x = 0; x < frame.width; x++) put(r, x, x % 2 === 1 && walled(r, (x - 1) / 2) ? 2 : 0, 5);
  STOPS.forEach(([r, k], i) => {
    put(r, 2 * k, i === passenger ? 3 : i === destination ? 4 : 1, STOP_COLOURS[i]!);
  });
  const at = 3 * frame.width * frame.height;
  out[at] = 2 * column;
  out[at + 1] = row;
  out[at + 2] = 0;
  out[at + 3] = passenger === IN_TAXI ? 3 : 0;
  out[at + 4] = STOP_COLOURS[destination]!;
  out[at + 5] = 1;
}

const LONGEST = 1000; // a plan over more steps changes nothing that shows
const known = new Map<string, EnvMeta['references']>();

/** Exact values of uniform and of best play; computed once per setting. */
function references(c: Config): EnvMeta['references'] {
  const key = JSON.stringify([c.rainy, c.rainyProbability, c.maxSteps]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const model = modelOf(c);
  const horizon = Math.min(c.maxSteps, LONGEST);
  const source = 'exact, mean over the 300 starts';
  const list = [
    { name: 'random', value: startValue(model, uniformValues(model, horizon)), source },
    { name: 'optimal', value: startValue(model, finiteValues(model, horizon, 1)), source },
    ...(c.rainy ? [] : [{ name: 'solved', value: 8, source: 'Gymnasium threshold' }]),
  ];
  known.set(key, list);
  return list;
}

function meta(c: Config): EnvMeta {
  return soloMeta({
    id: 'taxi',
    version: 2,
    agent: 'taxi',
    obs: { kind: 'discrete', n: STATES },
    action: { kind: 'discrete', n: 6, labels: ['south', 'north', 'east', 'west', 'pick up', 'drop'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: tabularState,
    frame,
    references: references(c),
    keys: [['ArrowDown', 's'], ['ArrowUp', 'w'], ['ArrowRight', 'd'], ['ArrowLeft', 'a'], ['e'], ['q']],
    idleAction: null,
    fps: 6,
    masked: c.actionMask,
  });
}

export const taxi = defineEnv<Config>({
  spec: {
    id: 'taxi',
    version: 2,
    changes: [
      {
        version: 2,
        what: 'In rain a move that a wall or the border blocks stays in place, as in Gymnasium; it could slip sideways.',
        where: { rainy: [true] },
        rerun: true,
      },
    ],
    title: 'Taxi',
    summary: 'Pick up a passenger and drop him at his destination.',
    source: {
      title: 'Hierarchical reinforcement learning with the MAXQ value function decomposition',
      authors: 'Dietterich',
      year: 2000,
      url: 'https://arxiv.org/abs/cs/9905014',
    },
    config,
    presets: [
      { id: 'standard', title: 'Taxi-v4', config: {} },
      { id: 'rainy', title: 'rain', config: { rainy: true } },
      { id: 'masked', title: 'only sensible actions', config: { actionMask: true } },
    ],
    meta,
  },
  create(c, batch, options) {
    const cellOf = (s: number) => {
      const [row, column] = decode(s);
      return row * frame.width + 2 * column;
    };
    const places = (s: number) => {
      const [, , passenger, destination] = decode(s);
      return Array.from({ length: SIDE * SIDE }, (_, i) => encode(Math.floor(i / SIDE), i % SIDE, passenger, destination));
    };
    return createTabular(
      { meta: meta(c), model: modelOf(c), frame: draw, grid: { cellOf, places }, ...(c.actionMask && { mask }) },
      batch,
      options?.draws,
    );
  },
  checks: {
    transitions: (c) => transitionTable(modelOf(c)),
    'optimal-values': (c, inputs) =>
      optimalValuesCheck(
        modelOf(c),
        typeof inputs.gamma === 'number' ? inputs.gamma : 1,
        typeof inputs.firstState === 'number' ? inputs.firstState : 0,
      ),
    'optimal-start-returns': (c, inputs) => {
      const limit = typeof inputs.limit === 'number' ? inputs.limit : c.maxSteps;
      const gamma = typeof inputs.gamma === 'number' ? inputs.gamma : 1;
      const values = finiteValues(modelOf(c), limit, gamma);
      const list = starts.map((s) => values[s]!);
      return {
        startStates: starts.length,
        mean: list.reduce((a, b) => a + b, 0) / list.length,
        min: Math.min(...list),
        max: Math.max(...list),
      };
    },
    'encode-state': (_c, inputs) => ({
      state: encode(numberOf(inputs, 'row'), numberOf(inputs, 'column'), numberOf(inputs, 'passenger'), numberOf(inputs, 'destination')),
    }),
    'action-mask': (_c, inputs) => ({ actionMask: mask(numberOf(inputs, 'state')) }),
  },
  policies: {
    optimal: (c) => plannedPolicy(modelOf(c), c.maxSteps, 1),
  },
});
