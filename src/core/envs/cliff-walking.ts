/**
 * Walk along a cliff from the left end to the right end. Gymnasium CliffWalking-v1 on 4 rows x 12 columns.
 * Obs: the cell (row * 12 + column) as one-hot. Reward -1 per step, -100 for a step into the cliff, which puts the agent back to
 * the start without ending the episode. Ends at the goal (cell 47); no step limit. Slippery: the wanted direction and both
 * perpendicular ones with 1/3 each.
 * Source: Sutton and Barto 2018, example 6.6; outcomes in the order of Gymnasium 1.4.0 `toy_text/cliffwalking.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/frames.ts';
import { defineEnv } from './define.ts';
import { buildModel, createTabular, gridFrame, plannedPolicy, tabularState } from './tabular/model.ts';
import { optimalValuesCheck, startValue, transitionTable, uniformValues } from './tabular/values.ts';
import type { EnvMeta, TabularModel } from './types.ts';

const ROWS = 4;
const COLUMNS = 12;
const CELLS = ROWS * COLUMNS;
const START = 36;
const GOAL = 47;
const MOVES = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const; // [row, column] of up, right, down, left

const config = z.strictObject({
  slippery: z.boolean().default(false).meta({
    title: 'slippery',
    description: 'On: a step goes where it is meant to with 1/3, to each side with 1/3.',
    source: 'Gymnasium CliffWalking-v1',
  }),
});
type Config = z.infer<typeof config>;

const isCliff = (cell: number) => cell > START && cell < GOAL;

function outcome(s: number, a: number, probability: number) {
  const [dr, dc] = MOVES[a] as readonly [number, number];
  const row = Math.min(ROWS - 1, Math.max(0, Math.floor(s / COLUMNS) + dr));
  const next = row * COLUMNS + Math.min(COLUMNS - 1, Math.max(0, (s % COLUMNS) + dc));
  if (isCliff(next)) return { probability, next: START, reward: -100, terminated: false };
  return { probability, next, reward: -1, terminated: next === GOAL };
}

function modelOf(c: Config): TabularModel {
  return buildModel(
    CELLS,
    4,
    (s, a) => (c.slippery ? [(a + 3) % 4, a, (a + 1) % 4].map((b) => outcome(s, b, 1 / 3)) : [outcome(s, a, 1)]),
    [START],
  );
}

const frame: GridLayout = {
  kind: 'grid',
  width: COLUMNS,
  height: ROWS,
  agents: 1,
  headings: false,
  looks: ['empty', 'floor', 'cliff', 'start', 'goal'],
  colours: ['grey'],
  view: 0,
};
const codes = Float32Array.from(
  Array.from({ length: CELLS }, (_, cell) => [isCliff(cell) ? 2 : cell === START ? 3 : cell === GOAL ? 4 : 1, 0, 0]).flat(),
);

/** Exact value iteration on the slippery table; the golden file has the same number. */
const SLIPPERY_OPTIMUM = -64.70917591;

const EVAL_STEPS = 1000;
/** Uniform play over as many steps as an evaluation has; computed once. */
const random = new Map<boolean, number>();
function randomReturn(c: Config): number {
  const known = random.get(c.slippery);
  if (known !== undefined) return known;
  const model = modelOf(c);
  const value = startValue(model, uniformValues(model, EVAL_STEPS));
  random.set(c.slippery, value);
  return value;
}

function meta(c: Config): EnvMeta {
  const uniform = { name: 'random', value: randomReturn(c), source: `exact, from the transition table, cut at ${EVAL_STEPS} steps` };
  return {
    id: 'cliff-walking',
    version: 1,
    agents: [
      {
        count: 1,
        names: ['walker'],
        obs: { kind: 'discrete', n: CELLS },
        action: { kind: 'discrete', n: 4, labels: ['up', 'right', 'down', 'left'] },
      },
    ],
    agentCount: 1,
    obsSize: CELLS,
    actionSize: 1,
    actionCount: 4,
    rewards: ['reward'],
    costs: [],
    goalSize: 0,
    globalSize: 0,
    masked: false,
    score: 'mean',
    gamma: 1,
    maxSteps: 0,
    evalMaxSteps: EVAL_STEPS,
    state: tabularState,
    frame,
    references: c.slippery
      ? [
          uniform,
          {
            name: 'optimal',
            value: SLIPPERY_OPTIMUM,
            source: 'exact, from the transition table',
          },
        ]
      : [
          uniform,
          { name: 'optimal', value: -13, source: 'exact, from the transition table' },
          { name: 'safe path', value: -17, source: 'Sutton and Barto 2018, figure to example 6.6' },
        ],
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
    presets: [
      { id: 'standard', title: 'CliffWalking-v1', config: {} },
      { id: 'slippery', title: 'slippery', config: { slippery: true } },
    ],
    meta,
  },
  create(c, batch, options) {
    const places = Array.from({ length: CELLS }, (_, i) => i).filter((i) => !isCliff(i) && i !== GOAL);
    return createTabular(
      { meta: meta(c), model: modelOf(c), frame: gridFrame(frame, codes), grid: { cellOf: (s) => s, places: () => places } },
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
    'start-and-goal': () => ({ start: START, goal: GOAL }),
  },
  policies: {
    optimal: (c) => plannedPolicy(modelOf(c), 0, 1),
  },
});
