/**
 * A snake eats food and grows; it must not run into the wall or into itself. As Jumanji's Snake, 12 x 12 by default.
 * Obs [rows, columns, 5]: body, head, tail, food (0 and 1), and the order of the body (0 none, up to 1 at the head).
 * Actions up, right, down, left. The tail moves away before the head arrives, so following it closely is allowed; it stays in the step
 * in which the snake grows. Reward +1 per food. Ends in a crash or when the board is full; truncates at `maxSteps`.
 * Starts with one cell and food in drawn places. `wrap`: the board has no walls, what leaves comes in on the other side.
 * Source: `instadeepai/jumanji` at 590005b `environments/routing/snake`; `wrap`, `growth` and the setting of the mask are ours.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { DCOLUMN, DROW, snakeExpert } from './lib/snake/expert.ts';

const SOURCE = 'Jumanji Snake';
const PLANES = 5;

const config = z.strictObject({
  rows: z.int().min(3).max(40).default(12).meta({ title: 'rows', unit: 'cells', description: 'Height of the board.', source: SOURCE }),
  columns: z.int().min(3).max(40).default(12).meta({ title: 'columns', unit: 'cells', description: 'Width of the board.', source: SOURCE }),
  growth: z
    .int()
    .min(1)
    .max(10)
    .default(1)
    .meta({ title: 'growth', unit: 'cells', description: 'How much a food makes it longer, one cell a step.', source: SOURCE }),
  wrap: z.boolean().default(false).meta({ title: 'no walls', description: 'What leaves the board comes in on the other side.' }),
  actionMask: z
    .boolean()
    .default(false)
    .meta({ title: 'action mask', description: 'Rule out moves that crash, as long as there is another.' }),
  maxSteps: maxStepsField(4000, SOURCE),
});
export type SnakeConfig = z.infer<typeof config>;
type Config = SnakeConfig;

const DEFAULTS = JSON.stringify(config.parse({}));
/** Mean food of uniform moves, 20,000 games. */
const RANDOM = 0.107;

function stateOf(c: Config) {
  return defineState(
    1,
    [
      { name: 'body', type: 'u32', shape: [c.rows, c.columns], doc: 'order of the body: 0 none, 1 tail, .., length head' },
      { name: 'food', type: 'u32', shape: [], doc: 'cell of the food: row * columns + column' },
      { name: 'growing', type: 'u32', shape: [], doc: 'cells still to grow' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['growing'],
  );
}

function meta(c: Config): EnvMeta {
  const frame: GridLayout = {
    kind: 'grid',
    width: c.columns,
    height: c.rows,
    agents: 1,
    headings: true,
    looks: ['empty', 'snake', 'food'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
    figures: ['snake'],
  };
  const full = c.rows * c.columns - 1;
  return soloMeta({
    id: 'snake',
    agent: 'snake',
    obs: { kind: 'box', shape: [c.rows, c.columns, PLANES], low: 0, high: 1 },
    action: { kind: 'discrete', n: 4, labels: ['up', 'right', 'down', 'left'] },
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: [
      ...(JSON.stringify(c) === DEFAULTS ? [{ name: 'random', value: RANDOM, source: 'uniform actions, measured' }] : []),
      ...(c.growth === 1
        ? [{ name: 'full board', value: full, source: 'exact; the scripted expert reaches it when the steps suffice' }]
        : []),
    ],
    keys: [
      ['ArrowUp', 'w'],
      ['ArrowRight', 'd'],
      ['ArrowDown', 's'],
      ['ArrowLeft', 'a'],
    ],
    idleAction: null,
    fps: 8,
    masked: c.actionMask,
  });
}

// The loops of every step stand outside the closures: V8 makes better code where arrays come in as arguments.

/** Writes all planes of a board but the food. */
function show(words: Uint32Array, from: number, cells: number, length: number, obs: Float32Array, at: number): void {
  obs.fill(0, at, at + cells * PLANES);
  for (let cell = 0; cell < cells; cell++) {
    const order = words[from + cell]!;
    if (order === 0) continue;
    const o = at + cell * PLANES;
    obs[o] = 1;
    if (order === length) obs[o + 1] = 1;
    if (order === 1) obs[o + 2] = 1;
    obs[o + 4] = order / length;
  }
}

/** The tail leaves its cell, and every other piece is one nearer to it. */
function follow(words: Uint32Array, from: number, cells: number): void {
  for (let i = from; i < from + cells; i++) {
    const order = words[i]!;
    if (order > 0) words[i] = order - 1;
  }
}

export const snake = defineEnv<Config>({
  spec: {
    id: 'snake',
    version: 1,
    title: 'Snake',
    summary: 'Eat, grow, and do not bite yourself.',
    source: {
      title: 'Jumanji: a diverse suite of scalable reinforcement learning environments in JAX',
      authors: 'Bonnet et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2306.09884',
    },
    config,
    learnNote:
      'Not learned by anything here yet: fruits are rare for a snake that moves at random, and a wall or its own body ends the episode. PPO hardly finds more of them, in this budget and in one eight times as large.',
    presets: [
      { id: '12x12', title: '12x12', config: {} },
      { id: '6x6', title: '6x6', config: { rows: 6, columns: 6, maxSteps: 1000 } },
      { id: '8x8-wrap', title: '8x8, no walls', config: { rows: 8, columns: 8, wrap: true, maxSteps: 2000 } },
      { id: '6x6-masked', title: '6x6, crashes masked', config: { rows: 6, columns: 6, actionMask: true, maxSteps: 1000 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const { rows: height, columns: width } = c;
    const cells = height * width;
    const size = cells * PLANES;
    const rows = allocateRows(stateOf(c), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const FOOD = cells;
    const GROWING = cells + 1;
    const STEPS = cells + 2;
    // derived from the body, so that no step has to look for them
    const lengths = new Uint32Array(batch);
    const heads = new Uint32Array(batch);
    const find = (row: number) => {
      const s = row * wordStride;
      lengths[row] = 0;
      heads[row] = 0;
      for (let cell = 0; cell < cells; cell++) {
        if (words[s + cell]! <= lengths[row]!) continue;
        lengths[row] = words[s + cell]!;
        heads[row] = cell;
      }
    };
    /** Where a move leads, -1: into the wall. */
    const ahead = (cell: number, action: number) => {
      let y = Math.floor(cell / width) + DROW[action]!;
      let x = (cell % width) + DCOLUMN[action]!;
      if (c.wrap) {
        y = (y + height) % height;
        x = (x + width) % width;
      }
      return y < 0 || y >= height || x < 0 || x >= width ? -1 : y * width + x;
    };
    /** Whether the head may enter a cell: free, or the tail while the snake does not grow. */
    const enters = (s: number, cell: number) => {
      if (cell < 0) return false;
      const order = words[s + cell]!;
      return order === 0 || (order === 1 && words[s + GROWING] === 0);
    };
    /** Food in a drawn free cell; the board must have one. */
    const feed = (row: number, s: number, free: number) => {
      let pick = draws.int(row, free, 'food');
      let cell = 0;
      for (; ; cell++) if (words[s + cell] === 0 && pick-- === 0) break;
      words[s + FOOD] = cell;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      const length = lengths[row]!;
      const head = heads[row]!;
      show(words, s, cells, length, out.obs, row * size);
      const food = words[s + FOOD]!;
      if (words[s + food] === 0) out.obs[row * size + food * PLANES + 3] = 1;
      if (!out.mask) return;
      let legal = 0;
      for (let a = 0; a < 4; a++) {
        const ok = enters(s, ahead(head, a)) ? 1 : 0;
        out.mask[row * 4 + a] = ok;
        legal += ok;
      }
      if (legal === 0) out.mask.fill(1, row * 4, row * 4 + 4);
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words.fill(0, s, s + STEPS + 1);
        const cell = draws.int(row, cells, 'start');
        words[s + cell] = 1;
        lengths[row] = 1;
        heads[row] = cell;
        feed(row, s, cells - 1);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          let length = lengths[row]!;
          const next = ahead(heads[row]!, actions[row]!);
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          const eats = next >= 0 && next === words[s + FOOD];
          if (eats) words[s + GROWING] = words[s + GROWING]! + c.growth;
          const moves = enters(s, next);
          let full = false;
          if (moves) {
            if (words[s + GROWING]! > 0) {
              words[s + GROWING] = words[s + GROWING]! - 1;
              length++;
            } else follow(words, s, cells);
            words[s + next] = length;
            lengths[row] = length;
            heads[row] = next;
            full = length === cells;
            if (eats && !full) feed(row, s, cells - length);
          }
          out.reward[row] = moves && eats ? 1 : 0;
          out.terminated[row] = moves && !full ? 0 : 1;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        checkCell(words[s + FOOD]!, cells, 'food');
        find(row);
        const length = lengths[row]!;
        let sum = 0;
        for (let i = s; i < s + cells; i++) sum += words[i]!;
        if (length === 0 || sum !== (length * (length + 1)) / 2)
          throw fail(
            'state-invalid',
            'State field "body" is not one snake.',
            'Number its cells 1 (tail) to length (head), each once.',
            'body',
          );
      },
      frame(row, out) {
        const s = row * wordStride;
        const length = lengths[row]!;
        const head = heads[row]!;
        out.fill(0);
        for (let cell = 0; cell < cells; cell++) {
          const order = words[s + cell]!;
          const food = order === 0 && words[s + FOOD] === cell;
          out[3 * cell] = food ? 2 : order > 0 && cell !== head ? 1 : 0;
          out[3 * cell + 1] = food ? 0 : 1;
          // frames count directions from the right, one bit each for the pieces before and behind
          for (let a = 0; a < 4 && order > 0; a++) {
            const next = ahead(cell, a);
            const other = next < 0 ? 0 : words[s + next]!;
            if (other > 0 && Math.abs(other - order) === 1) out[3 * cell + 2] = out[3 * cell + 2]! | (1 << ((a + 3) % 4));
          }
        }
        // it looks away from its neck
        let neck = -1;
        for (let cell = 0; cell < cells && length > 1; cell++) if (words[s + cell] === length - 1) neck = cell;
        let heading = 0;
        for (let a = 0; a < 4; a++) if (neck >= 0 && ahead(neck, a) === head) heading = (a + 3) % 4; // frames count from the right
        out[3 * cells] = head % width;
        out[3 * cells + 1] = Math.floor(head / width);
        out[3 * cells + 2] = heading;
        out[3 * cells + 5] = 1;
      },
      cellOf: (row) => heads[row]!,
      placements(row) {
        const s = row * wordStride;
        // a longer snake cannot be put elsewhere without bending it: only the single cell is moved
        const kept = words.slice(s, s + cells);
        const out: { cell: number; state: Uint8Array }[] = [];
        const head = heads[row]!;
        for (let cell = 0; cell < cells; cell++) {
          if (cell === words[s + FOOD] && kept[cell] === 0) continue;
          if (cell === head) words.set(kept, s);
          else {
            words.fill(0, s, s + cells);
            words[s + cell] = 1;
          }
          out.push({ cell, state: rows.save(row) });
        }
        words.set(kept, s);
        return out;
      },
    });
  },
  policies: { expert: (c) => snakeExpert(c.rows, c.columns) },
});
