/**
 * A submarine looks for treasure: deeper ones are worth more and take longer. MO-Gymnasium deep-sea-treasure, 11 x 11 cells.
 * Obs: the cell (row * 11 + column) as one-hot (the reference gives row and column). Actions up, down, left, right; moves into rock
 * or out of the sea do nothing. Reward: the vector (treasure found, -1 per step), or its weighted sum where `weights` are given.
 * Ends on a treasure; truncates at `maxSteps`. The best trade-offs are known: ten points, a convex or a concave front.
 * Source: Vamplew et al. 2011; `Farama-Foundation/MO-Gymnasium` at 2fd5f69 `envs/deep_sea_treasure`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { hypervolume } from '#math/pareto.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { CELLS, FRONTS, isRock, NEXT, paretoFront, randomReturn, SIDE, START, TREASURE_ROWS, treasureAt, WATER, wayTo } from './lib/sea.ts';
import { weightsField } from './lib/weights.ts';

const REWARDS = ['treasure', 'time'] as const;

const config = z.strictObject({
  front: z.enum(['convex', 'concave']).default('convex').meta({
    title: 'front',
    description: 'Values of the treasures: on a convex front weighted sums find every trade-off, on a concave one only its ends.',
    source: 'MO-Gymnasium',
  }),
  weights: weightsField(REWARDS, 2),
  maxSteps: maxStepsField(100, 'MO-Gymnasium deep-sea-treasure-v0'),
});
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'row', type: 'u32', shape: [], doc: 'row of the submarine, 0 at the surface' },
  { name: 'column', type: 'u32', shape: [], doc: 'column of the submarine' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);
const ROW = 0;
const COLUMN = 1;
const STEPS = 2;

const frame: GridLayout = {
  kind: 'grid',
  width: SIDE,
  height: SIDE,
  agents: 1,
  headings: false,
  looks: ['empty', 'water', 'wall', 'treasure'],
  colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
  view: 0,
  figures: ['submarine'],
};

function weightsOf(c: Config): readonly [number, number] {
  if (c.weights !== null && c.weights.length !== 2)
    throw badConfig('weights', `There are ${c.weights.length} weights for two rewards.`, 'Give the weight of treasure, then of time.');
  return c.weights === null ? [1, 1] : [c.weights[0]!, c.weights[1]!];
}

/** The column of the treasure whose weighted sum is largest. */
function bestColumn(c: Config): number {
  const [wt, ws] = weightsOf(c);
  const worth = FRONTS[c.front].map((value, column) => wt * value - ws * (TREASURE_ROWS[column]! + column));
  return worth.indexOf(Math.max(...worth));
}

function meta(c: Config): EnvMeta {
  const [wt, ws] = weightsOf(c);
  const sum = (point: readonly number[]) => wt * point[0]! + ws * point[1]!;
  const points = paretoFront(c.front, c.maxSteps);
  const best =
    points.length === 0 ? [] : [{ name: 'best weighted sum', value: Math.max(...points.map(sum)), source: 'exact, over the front' }];
  const solo = soloMeta({
    id: 'deep-sea-treasure',
    agent: 'submarine',
    obs: { kind: 'discrete', n: CELLS },
    action: { kind: 'discrete', n: 4, labels: ['up', 'down', 'left', 'right'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    frame,
    references: [{ name: 'random', value: sum(randomReturn(c.front, c.maxSteps)), source: 'exact, treasure plus time, weighted' }, ...best],
    keys: [
      ['ArrowUp', 'w'],
      ['ArrowDown', 's'],
      ['ArrowLeft', 'a'],
      ['ArrowRight', 'd'],
    ],
    idleAction: null,
    fps: 6,
  });
  return { ...solo, rewards: c.weights === null ? REWARDS : ['reward'] };
}

/** Walks to the treasure of a column the shortest way. */
function diver(column: number): ScriptedPolicy {
  const way = wayTo(TREASURE_ROWS[column]! * SIDE + column);
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) out[row] = way[obs.subarray(row * CELLS, (row + 1) * CELLS).indexOf(1)]!;
    },
  };
}

export const deepSeaTreasure = defineEnv<Config>({
  spec: {
    id: 'deep-sea-treasure',
    version: 1,
    title: 'Deep sea treasure',
    summary: 'Deeper treasures are worth more and take longer: two rewards, no single best way.',
    source: {
      title: 'Empirical evaluation methods for multiobjective reinforcement learning algorithms',
      authors: 'Vamplew et al.',
      year: 2011,
      url: 'https://doi.org/10.1007/s10994-010-5232-5',
    },
    config,
    presets: [
      { id: 'convex', title: 'convex front', config: {} },
      { id: 'concave', title: 'concave front', config: { front: 'concave' } },
      { id: 'weighted', title: 'weighted sum', config: { weights: [1, 1] } },
    ],
    meta,
  },
  create(c, batch) {
    const m = meta(c);
    const [wt, ws] = weightsOf(c);
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const values = Float64Array.from({ length: CELLS }, (_, cell) => treasureAt(c.front, cell));
    const cellOf = (row: number) => words[row * wordStride + ROW]! * SIDE + words[row * wordStride + COLUMN]!;
    const put = (row: number, cell: number) => {
      words[row * wordStride + ROW] = Math.floor(cell / SIDE);
      words[row * wordStride + COLUMN] = cell % SIDE;
    };
    const observe = (row: number, { obs }: StepBuffers) => {
      obs.fill(0, row * CELLS, (row + 1) * CELLS);
      obs[row * CELLS + cellOf(row)] = 1;
    };
    return assemble(m, batch, rows, {
      start(row) {
        put(row, START);
        words[row * wordStride + STEPS] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const cell = NEXT[4 * cellOf(row) + actions[row]!]!;
          put(row, cell);
          const steps = words[row * wordStride + STEPS]! + 1;
          words[row * wordStride + STEPS] = steps;
          const found = values[cell]!;
          if (c.weights === null) {
            out.reward[2 * row] = found;
            out.reward[2 * row + 1] = -1;
          } else out.reward[row] = wt * found - ws;
          out.terminated[row] = found > 0 ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        checkCell(words[row * wordStride + ROW]!, SIDE, 'row');
        checkCell(words[row * wordStride + COLUMN]!, SIDE, 'column');
        if (isRock(cellOf(row))) throw fail('state-invalid', 'The submarine is inside rock.', 'Put it into water.', 'row');
      },
      frame(row, out) {
        out.fill(0);
        for (let cell = 0; cell < CELLS; cell++) {
          out[3 * cell] = isRock(cell) ? 2 : values[cell]! > 0 ? 3 : 1;
          out[3 * cell + 1] = values[cell]! > 0 ? 4 : 2;
          out[3 * cell + 2] = Math.round(values[cell]!);
        }
        const cell = cellOf(row);
        out[3 * CELLS] = cell % SIDE;
        out[3 * CELLS + 1] = Math.floor(cell / SIDE);
        out[3 * CELLS + 5] = 1;
      },
      cellOf,
      placements(row) {
        const kept = cellOf(row);
        const out = WATER.map((cell) => {
          put(row, cell);
          return { cell, state: rows.save(row) };
        });
        put(row, kept);
        return out;
      },
    });
  },
  checks: {
    'pareto-front': (c) => ({ front: paretoFront(c.front, c.maxSteps) }),
    hypervolume: (c, inputs) => ({ hypervolume: hypervolume(paretoFront(c.front, c.maxSteps), inputs.reference as readonly number[]) }),
  },
  policies: {
    optimal: (c) => diver(bestColumn(c)),
    ...Object.fromEntries(TREASURE_ROWS.map((_, column) => [`treasure-${column + 1}`, (_c: Config) => diver(column)])),
  },
});
