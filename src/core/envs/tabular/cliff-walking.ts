/**
 * Walk along a cliff from the left end to the right end. Gymnasium CliffWalking-v1 on 4 rows x 12 columns, or on a map of one's own.
 * Obs: the cell (row * columns + column) as one-hot. Reward -1 per step, -100 for a step into the cliff, which puts the agent back to
 * the start without ending the episode. Ends at the goal (cell 47); no step limit. Slippery: the wanted direction and both
 * perpendicular ones with 1/3 each. Throws 'config-invalid' for a broken map.
 * Source: Sutton and Barto 2018, example 6.6; outcomes in the order of Gymnasium 1.4.0 `toy_text/cliffwalking.py`.
 */

import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { defineEnv } from '../api/define.ts';
import { badConfig } from '../api/parse.ts';
import type { EnvMeta, TabularModel } from '../api/types.ts';
import { remembered } from '../lib/remembered.ts';
import { buildModel, createTabular, gridFrame, plannedPolicy, tabularState } from '../lib/tabular/model.ts';
import { neighbour } from '../lib/tabular/neighbour.ts';
import { finiteValues, optimalValuesCheck, startValue, transitionTable, uniformValues } from '../lib/tabular/values.ts';

const MAP = ['............', '............', '............', 'SCCCCCCCCCCG'];
const MOVES = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const; // [row, column] of up, right, down, left

const COAST: MapFormat = {
  size: [1, 32],
  tiles: [
    { code: '.', title: 'ground', look: 'floor' },
    { code: 'C', title: 'cliff', look: 'cliff', walk: 'fatal' },
    { code: 'G', title: 'goal', look: 'goal' },
    { code: 'S', title: 'start', look: 'start', once: true },
  ],
  rules: [
    { rule: 'count', of: ['S'], least: 1, says: 'There is no start on this map. Paint one.' },
    { rule: 'count', of: ['G'], least: 1, says: 'There is no goal on this map, so no episode ever ends.' },
    { rule: 'reach', from: ['S'], to: ['G'], says: 'The goal cannot be reached from the start. Open a way beside the cliff.' },
  ],
};

const config = z.strictObject({
  slippery: z.boolean().default(false).meta({
    title: 'slippery',
    description: 'On: a step goes where it is meant to with 1/3, to each side with 1/3.',
    source: 'Gymnasium CliffWalking-v1',
  }),
  map: z
    .array(
      z
        .string()
        .regex(/^[.CGS]+$/)
        .max(32),
    )
    .min(1)
    .max(32)
    .default(MAP)
    .meta({
      title: 'map',
      description: 'Rows of the coast, top to bottom: S start, . ground, C cliff, G goal.',
      source: 'Gymnasium CliffWalking-v1',
      editor: 'grid-map',
      map: COAST,
    }),
});
type Config = z.infer<typeof config>;

function coastOf(c: Config) {
  const columns = (c.map[0] as string).length;
  if (c.map.some((row) => row.length !== columns)) throw badConfig('map', 'The rows of the map differ in length.', 'Make them equal.');
  const cells = c.map.join('');
  const start = cells.indexOf('S');
  if (start < 0) throw badConfig('map', 'The map has no start.', 'Put one S on it.');
  return { rows: c.map.length, columns, cells, start };
}

function modelOf(c: Config): TabularModel {
  const { rows, columns, cells, start } = coastOf(c);
  const outcome = (s: number, a: number, probability: number) => {
    const next = neighbour(rows, columns, s, MOVES[a]!);
    if (cells[next] === 'C') return { probability, next: start, reward: -100, terminated: false };
    return { probability, next, reward: -1, terminated: cells[next] === 'G' };
  };
  return buildModel(
    cells.length,
    4,
    (s, a) => (c.slippery ? [(a + 3) % 4, a, (a + 1) % 4].map((b) => outcome(s, b, 1 / 3)) : [outcome(s, a, 1)]),
    [start],
  );
}

function layoutOf(c: Config): GridLayout {
  const { rows, columns } = coastOf(c);
  return {
    kind: 'grid',
    width: columns,
    height: rows,
    agents: 1,
    headings: false,
    looks: ['empty', 'floor', 'cliff', 'start', 'goal'],
    colours: ['grey'],
    view: 0,
  };
}

const isUsual = (c: Config) => c.map.join() === MAP.join();

/** Exact value iteration on the slippery table of the usual map; the golden file has the same number. */
const SLIPPERY_OPTIMUM = -64.70917591;

const EVAL_STEPS = 1000;
/** Values over as many steps as an evaluation has. */
const valuesOf = remembered((c: Config): { readonly random: number; readonly best: number } => {
  const model = modelOf(c);
  const random = startValue(model, uniformValues(model, EVAL_STEPS));
  const usual = c.slippery ? SLIPPERY_OPTIMUM : -13;
  const best = isUsual(c) ? usual : startValue(model, finiteValues(model, EVAL_STEPS, 1));
  return { random, best };
});

function referencesOf(c: Config): EnvMeta['references'] {
  const { random, best } = valuesOf(c);
  const cut = `exact, from the transition table, cut at ${EVAL_STEPS} steps`;
  return [
    { name: 'random', value: random, source: cut },
    { name: 'optimal', value: best, source: isUsual(c) ? 'exact, from the transition table' : cut },
    ...(isUsual(c) && !c.slippery ? [{ name: 'safe path', value: -17, source: 'Sutton and Barto 2018, figure to example 6.6' }] : []),
  ];
}

function meta(c: Config): EnvMeta {
  const { cells } = coastOf(c);
  return {
    id: 'cliff-walking',
    version: 1,
    agents: [
      {
        count: 1,
        names: ['walker'],
        obs: { kind: 'discrete', n: cells.length },
        action: { kind: 'discrete', n: 4, labels: ['up', 'right', 'down', 'left'] },
      },
    ],
    agentCount: 1,
    obsSize: cells.length,
    actionSize: 1,
    actionCount: 4,
    rewards: ['reward'],
    costs: [],
    globalSize: 0,
    masked: false,
    score: 'mean',
    gamma: 1,
    maxSteps: 0,
    evalMaxSteps: EVAL_STEPS,
    state: tabularState,
    frame: layoutOf(c),
    references: referencesOf(c),
    keys: [
      ['ArrowUp', 'w'],
      ['ArrowRight', 'd'],
      ['ArrowDown', 's'],
      ['ArrowLeft', 'a'],
    ],
    idleAction: null,
    fps: 6,
  };
}

export const cliffWalking = defineEnv<Config>({
  spec: {
    id: 'cliff-walking',
    version: 1,
    title: 'Cliff walking',
    summary: 'Find the way along a cliff: the shortest path is the risky one.',
    source: {
      title: 'Reinforcement Learning: An Introduction, example 6.6',
      authors: 'Sutton and Barto',
      year: 2018,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
    config,
    checkNew: checkMaps,
    presets: [
      { id: 'standard', title: 'CliffWalking-v1', config: {} },
      { id: 'slippery', title: 'slippery', config: { slippery: true } },
    ],
    meta,
  },
  create(c, batch, options) {
    const { cells } = coastOf(c);
    const codes = Float32Array.from([...cells].flatMap((letter) => ['.CSG'.indexOf(letter) + 1, 0, 0]));
    const places = [...cells].flatMap((letter, cell) => (letter === 'C' || letter === 'G' ? [] : [cell]));
    return createTabular(
      { meta: meta(c), model: modelOf(c), frame: gridFrame(layoutOf(c), codes), grid: { cellOf: (s) => s, places: () => places } },
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
    'start-and-goal': (c) => {
      const { start, cells } = coastOf(c);
      return { start, goal: cells.indexOf('G') };
    },
  },
  policies: {
    // on a map without a way to the goal only a plan for so many steps ends
    optimal: (c) => plannedPolicy(modelOf(c), isUsual(c) ? 0 : EVAL_STEPS, 1),
  },
});
