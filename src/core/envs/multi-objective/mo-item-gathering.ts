/**
 * Several gatherers on one field of coloured items; every colour is an objective of its own. MOMAland item gathering.
 * Obs per agent [rows, columns, 2 + colours] of 0 and 1: itself, the others, items of each colour. Actions stay, up, down, left,
 * right; moves off the field do nothing. Of two who would stand in one cell one, drawn, goes back, until all stand apart; swaps pass.
 * Reward: +1 in the colour of an item stepped on (to all with `sharedReward`), or the weighted sum where `weights` are given.
 * Ends when no item is left; truncates at `maxSteps`. Central state: [rows, columns, agents + colours].
 * Source: Källström and Heintz 2019; `Farama-Foundation/momaland` at 210d050 `envs/item_gathering` (its map as rows of letters here).
 */

import type { GridLayout } from '#contract/game/frames.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { COLOURS, type Config, colourNames, config, type Field, fieldOf, greedy } from './lib/gathering.ts';

const FRAME_COLOUR = [0, 1, 4, 2] as const;
const BORDER = 2; // items are shuffled inside it

const DEFAULTS = JSON.stringify(config.parse({}));
/** Uniform actions, both agents and all colours together: mean of 100,000 episodes. */
const RANDOM = 0.405;
const GREEDY = 7;

const DROW = [0, -1, 1, 0, 0] as const;
const DCOLUMN = [0, 0, 0, -1, 1] as const;

function stateOf(f: Field) {
  return defineState(1, [
    { name: 'agents', type: 'u32', shape: [f.agents.length], doc: 'cell of each agent: row * columns + column' },
    { name: 'items', type: 'u32', shape: [f.rows, f.columns], doc: 'item of each cell: 0 none, else 1 + index of its colour' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

function meta(c: Config): EnvMeta {
  const f = fieldOf(c);
  const A = f.agents.length;
  const frame: GridLayout = {
    kind: 'grid',
    width: f.columns,
    height: f.rows,
    agents: A,
    headings: false,
    looks: ['empty', 'food'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  const standard = JSON.stringify(c) === DEFAULTS;
  return {
    id: 'mo-item-gathering',
    version: 1,
    agents: [
      {
        count: A,
        names: Array.from({ length: A }, (_, i) => `agent ${i + 1}`),
        obs: { kind: 'box', shape: [f.rows, f.columns, 2 + f.colours], low: 0, high: 1 },
        action: { kind: 'discrete', n: 5, labels: ['stay', 'up', 'down', 'left', 'right'] },
      },
    ],
    agentCount: A,
    obsSize: f.cells * (2 + f.colours),
    actionSize: 1,
    actionCount: 5,
    rewards: c.weights === null ? colourNames(c) : ['reward'],
    costs: [],
    globalSize: f.cells * (A + f.colours),
    masked: false,
    score: c.sharedReward ? 'shared' : 'sum',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(f),
    frame,
    references: [
      ...(standard
        ? [
            { name: 'random', value: RANDOM, source: 'uniform actions, measured, all colours and agents together' },
            { name: 'nearest item', value: GREEDY, source: 'scripted policy "greedy", the same way' },
          ]
        : []),
      ...(c.weights === null ? [{ name: 'all items', value: f.total, source: 'exact, all colours and agents together' }] : []),
    ],
    keys: [['.'], ['ArrowUp', 'w'], ['ArrowDown', 's'], ['ArrowLeft', 'a'], ['ArrowRight', 'd']],
    idleAction: 0,
    fps: 4,
  };
}

export const moItemGathering = defineEnv<Config>({
  spec: {
    id: 'mo-item-gathering',
    version: 1,
    title: 'Item gathering',
    summary: 'Gatherers share a field of coloured items, and every colour counts apart.',
    source: {
      title: 'MOMAland: a set of benchmarks for multi-objective multi-agent reinforcement learning',
      authors: 'Felten et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.16312',
    },
    config,
    checkNew: checkMaps,
    presets: [
      { id: 'standard', title: '8x8, 10 steps', config: {} },
      { id: 'shuffled', title: 'shuffled, 30 steps', config: { shuffle: true, maxSteps: 30 } },
      { id: 'weighted', title: 'weighted sum, shared', config: { weights: [1, 1, 1], sharedReward: true, maxSteps: 30 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const f = fieldOf(c);
    const A = f.agents.length;
    const m = meta(c);
    const K = m.rewards.length;
    const planes = 2 + f.colours;
    const size = f.cells * planes;
    const globalPlanes = A + f.colours;
    const rows = allocateRows(stateOf(f), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const ITEMS = A;
    const STEPS = A + f.cells;
    const target = new Int32Array(A);
    const order = new Int32Array(Math.max(f.rows, f.columns));
    const inside = new Uint32Array(f.cells);
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      for (let agent = 0; agent < A; agent++) {
        const at = (row * A + agent) * size;
        out.obs.fill(0, at, at + size);
        for (let other = 0; other < A; other++) out.obs[at + words[s + other]! * planes + (other === agent ? 0 : 1)] = 1;
        for (let cell = 0; cell < f.cells; cell++) {
          const item = words[s + ITEMS + cell]!;
          if (item > 0) out.obs[at + cell * planes + 1 + item] = 1;
        }
        if (out.alive) out.alive[row * A + agent] = 1;
      }
      if (!out.state) return;
      const at = row * f.cells * globalPlanes;
      out.state.fill(0, at, at + f.cells * globalPlanes);
      for (let agent = 0; agent < A; agent++) out.state[at + words[s + agent]! * globalPlanes + agent] = 1;
      for (let cell = 0; cell < f.cells; cell++) {
        const item = words[s + ITEMS + cell]!;
        if (item > 0) out.state[at + cell * globalPlanes + A + item - 1] = 1;
      }
    };
    /** A drawn order of 0..n-1 into `order`. */
    const permute = (row: number, n: number, name: string) => {
      for (let i = 0; i < n; i++) order[i] = i;
      for (let i = n - 1; i > 0; i--) {
        const k = draws.int(row, i + 1, name);
        const kept = order[i]!;
        order[i] = order[k]!;
        order[k] = kept;
      }
    };
    const shuffle = (row: number, s: number) => {
      const h = f.rows - 2 * BORDER;
      const w = f.columns - 2 * BORDER;
      const cell = (y: number, x: number) => s + ITEMS + (y + BORDER) * f.columns + x + BORDER;
      permute(row, Math.max(0, h), 'row order');
      for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) inside[y * w + x] = words[cell(order[y]!, x)]!;
      permute(row, Math.max(0, w), 'column order');
      for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) words[cell(y, x)] = inside[y * w + order[x]!]!;
    };
    /** Sends one of each two in a cell back, until all stand apart. */
    const settle = (row: number, s: number) => {
      let apart = false;
      while (!apart) {
        apart = true;
        for (let i = 0; i < A; i++)
          for (let j = i + 1; j < A; j++) {
            if (target[i] !== target[j]) continue;
            apart = false;
            // who already stands where it was cannot go back any further
            const back = target[i] === words[s + i] ? j : target[j] === words[s + j] ? i : draws.int(row, 2, 'who goes back') === 0 ? i : j;
            target[back] = words[s + back]!;
          }
      }
    };
    return assemble(m, batch, rows, {
      start(row) {
        const s = row * wordStride;
        for (let agent = 0; agent < A; agent++) words[s + agent] = f.agents[agent]!;
        words.set(f.items, s + ITEMS);
        words[s + STEPS] = 0;
        if (c.shuffle) shuffle(row, s);
      },
      step(actions, out) {
        out.reward.fill(0);
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          for (let agent = 0; agent < A; agent++) {
            const cell = words[s + agent]!;
            const action = actions[row * A + agent]!;
            const y = Math.floor(cell / f.columns) + DROW[action]!;
            const x = (cell % f.columns) + DCOLUMN[action]!;
            target[agent] = y < 0 || y >= f.rows || x < 0 || x >= f.columns ? cell : y * f.columns + x;
          }
          settle(row, s);
          for (let agent = 0; agent < A; agent++) {
            const cell = target[agent]!;
            words[s + agent] = cell;
            const item = words[s + ITEMS + cell]!;
            if (item === 0) continue;
            words[s + ITEMS + cell] = 0;
            const worth = c.weights === null ? 1 : c.weights[item - 1]!;
            const k = c.weights === null ? item - 1 : 0;
            for (let who = 0; who < A; who++) {
              if (who !== agent && !c.sharedReward) continue;
              const at = (row * A + who) * K + k;
              out.reward[at] = out.reward[at]! + worth;
            }
          }
          let left = 0;
          for (let cell = 0; cell < f.cells; cell++) if (words[s + ITEMS + cell]! > 0) left++;
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          out.terminated[row] = left === 0 ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        for (let agent = 0; agent < A; agent++) {
          checkCell(words[s + agent]!, f.cells, 'agents');
          for (let other = 0; other < agent; other++)
            if (words[s + other] === words[s + agent])
              throw fail('state-invalid', 'State field "agents" has two in one cell.', 'Give each its own cell.', 'agents');
        }
        for (let cell = 0; cell < f.cells; cell++) checkCell(words[s + ITEMS + cell]!, f.colours + 1, 'items');
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        const shown = colourNames(c).map((name) => FRAME_COLOUR[COLOURS.indexOf(name as 'red')] as number);
        for (let cell = 0; cell < f.cells; cell++) {
          const item = words[s + ITEMS + cell]!;
          if (item === 0) continue;
          out[3 * cell] = 1;
          out[3 * cell + 1] = shown[item - 1]!;
        }
        for (let agent = 0; agent < A; agent++) {
          const at = 3 * f.cells + 6 * agent;
          out[at] = words[s + agent]! % f.columns;
          out[at + 1] = Math.floor(words[s + agent]! / f.columns);
          out[at + 5] = 1;
        }
      },
      cellOf: (row) => words[row * wordStride]!,
      placements(row) {
        const s = row * wordStride;
        const kept = words[s]!;
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let cell = 0; cell < f.cells; cell++) {
          if (words[s + ITEMS + cell]! > 0 || words.subarray(s + 1, s + A).includes(cell)) continue;
          words[s] = cell;
          out.push({ cell, state: rows.save(row) });
        }
        words[s] = kept;
        return out;
      },
    });
  },
  policies: { greedy },
});
