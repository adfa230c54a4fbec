/**
 * A ball falls down one row per step; be under it when it arrives. bsuite catch, 10 x 5.
 * Obs [rows, columns]: 1 at the ball and at the paddle. Actions left, stay, right. Reward +1 caught, -1 missed, on the last step.
 * Ends when the ball reaches the paddle's row. Source: Osband et al. 2020, bsuite at effafc0 `environments/catch.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { BSUITE } from './lib/bsuite.ts';

const config = z.strictObject({
  rows: z
    .int()
    .min(2)
    .max(40)
    .default(10)
    .meta({ title: 'rows', unit: 'cells', description: 'Height of the board.', source: 'bsuite catch' }),
  columns: z
    .int()
    .min(1)
    .max(40)
    .default(5)
    .meta({ title: 'columns', unit: 'cells', description: 'Width of the board.', source: 'bsuite catch' }),
});
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'ballX', type: 'u32', shape: [], doc: 'column of the ball' },
  { name: 'ballY', type: 'u32', shape: [], doc: 'row of the ball, 0 at the top' },
  { name: 'paddleX', type: 'u32', shape: [], doc: 'column of the paddle' },
  { name: 'paddleY', type: 'u32', shape: [], doc: 'row of the paddle' },
]);

function meta(c: Config): EnvMeta {
  const frame: GridLayout = {
    kind: 'grid',
    width: c.columns,
    height: c.rows,
    agents: 0,
    headings: false,
    looks: ['empty', 'paddle', 'ball'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  return soloMeta({
    id: 'catch',
    agent: 'paddle',
    obs: { kind: 'box', shape: [c.rows, c.columns], low: 0, high: 1 },
    action: { kind: 'discrete', n: 3, labels: ['left', 'stay', 'right'] },
    gamma: 0.99,
    maxSteps: 0,
    evalMaxSteps: c.rows,
    state,
    frame,
    references: [
      ...(c.rows === 10 && c.columns === 5 ? [{ name: 'random', value: -0.61, source: 'uniform actions, measured' }] : []),
      { name: 'optimal', value: 1, source: 'every ball can be reached when the board is higher than half its width' },
    ],
    keys: [['ArrowLeft', 'a'], [], ['ArrowRight', 'd']],
    idleAction: 1,
    fps: 4,
  });
}

export const catchBall = defineEnv<Config>({
  spec: {
    id: 'catch',
    version: 1,
    title: 'Catch',
    summary: 'Stand under the falling ball.',
    source: BSUITE,
    config,
    presets: [{ id: 'standard', title: '10x5', config: {} }],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const size = c.rows * c.columns;
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      obs.fill(0, row * size, (row + 1) * size);
      obs[row * size + words[s + 1]! * c.columns + words[s]!] = 1;
      obs[row * size + words[s + 3]! * c.columns + words[s + 2]!] = 1;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words[s] = draws.int(row, c.columns, 'ball column');
        words[s + 1] = 0;
        words[s + 2] = Math.floor(c.columns / 2);
        words[s + 3] = c.rows - 1;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const paddle = Math.min(c.columns - 1, Math.max(0, words[s + 2]! + actions[row]! - 1));
          const y = words[s + 1]! + 1;
          words[s + 2] = paddle;
          words[s + 1] = y;
          const over = y === words[s + 3];
          out.reward[row] = over ? (paddle === words[s] ? 1 : -1) : 0;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        checkCell(words[s]!, c.columns, 'ballX');
        checkCell(words[s + 1]!, c.rows, 'ballY');
        checkCell(words[s + 2]!, c.columns, 'paddleX');
        checkCell(words[s + 3]!, c.rows, 'paddleY');
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        const paddle = (words[s + 3]! * c.columns + words[s + 2]!) * 3;
        const ball = (words[s + 1]! * c.columns + words[s]!) * 3;
        out[paddle] = 1;
        out[paddle + 1] = 2;
        out[ball] = 2;
        out[ball + 1] = 4;
      },
    });
  },
  policies: {
    /** Goes where the ball will land, which is straight below it. */
    expert: (c) => ({
      act(env, { obs }, out) {
        const size = c.rows * c.columns;
        for (let row = 0; row < env.batch; row++) {
          let ball = 0;
          let paddle = 0;
          for (let i = 0; i < size; i++) {
            if (obs[row * size + i] !== 1) continue;
            if (i < size - c.columns) ball = i % c.columns;
            else paddle = i % c.columns;
          }
          out[row] = 1 + Math.sign(ball - paddle);
        }
      },
    }),
  },
});
