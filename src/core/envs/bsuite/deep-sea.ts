/**
 * N x N cells, one row down per step; the treasure in the far corner needs N right moves in a row. Tests deep exploration.
 * Obs [N, N]: 1 at the diver, all zeros at the end. In each cell one of the two actions, drawn from `mappingSeed`, means right.
 * A right move costs 0.01 / N; +1 for a right move in the last column. Ends after N steps. Not deterministic: a right move works
 * with 1 - 1/N, and the two end cells of the last row add normal noise to the reward.
 * Source: Osband et al. 2020, bsuite at effafc0 `environments/deep_sea.py`; our mapping differs from the reference's.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { Rng } from '#math/rng.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { BSUITE } from './lib/bsuite.ts';

const MOVE_COST = 0.01;

const config = z.strictObject({
  size: z
    .int()
    .min(2)
    .max(100)
    .default(10)
    .meta({ title: 'size', unit: 'cells', description: 'Rows and columns, and steps per episode.', source: 'bsuite deep_sea' }),
  deterministic: z
    .boolean()
    .default(true)
    .meta({ title: 'deterministic', description: 'Off: right moves fail at times and the end rewards are noisy.' }),
  mappingSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(42)
    .meta({ title: 'mapping seed', description: 'Which action means right in each cell is drawn from this.' }),
  actionMap: z
    .array(z.array(z.int().min(0).max(1)))
    .nullable()
    .default(null)
    .meta({
      title: 'action map',
      description: 'For each row and column the action (0 or 1) that moves right; empty: drawn.',
      editor: 'hidden',
      depth: 'research',
    }),
});
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'row', type: 'u32', shape: [], doc: 'row of the diver, 0 at the top; size when the episode is over' },
  { name: 'column', type: 'u32', shape: [], doc: 'column of the diver' },
]);

function rightActions(c: Config): Uint8Array {
  const n = c.size;
  if (c.actionMap !== null) {
    if (c.actionMap.length !== n || c.actionMap.some((row) => row.length !== n))
      throw badConfig('actionMap', 'The action map has not the size of the sea.', `Give ${n} rows of ${n} actions.`);
    return Uint8Array.from(c.actionMap.flat());
  }
  const rng = Rng.from(c.mappingSeed).split('deep sea');
  return Uint8Array.from({ length: n * n }, () => rng.int(2));
}

interface Plan {
  /** Expected return of the best policy and of uniform play. */
  readonly best: number;
  readonly random: number;
  /** [size, size] 1 where the best policy goes right. */
  readonly right: Uint8Array;
}

/** Backward induction over the rows. */
function planFor(c: Config): Plan {
  const n = c.size;
  const works = c.deterministic ? 1 : 1 - 1 / n;
  const right = new Uint8Array(n * n);
  let best = new Float64Array(n);
  let random = new Float64Array(n);
  for (let row = n - 1; row >= 0; row--) {
    const bestNow = new Float64Array(n);
    const randomNow = new Float64Array(n);
    for (let column = 0; column <= row; column++) {
      const beside = Math.min(n - 1, column + 1);
      const gain = (column === n - 1 ? 1 : 0) - MOVE_COST / n;
      const goes = (later: Float64Array) => gain + works * later[beside]! + (1 - works) * later[column]!;
      const stays = (later: Float64Array) => later[Math.max(0, column - 1)]!;
      right[row * n + column] = goes(best) > stays(best) ? 1 : 0;
      bestNow[column] = Math.max(goes(best), stays(best));
      randomNow[column] = (goes(random) + stays(random)) / 2;
    }
    best = bestNow;
    random = randomNow;
  }
  return { best: best[0]!, random: random[0]!, right };
}

function meta(c: Config): EnvMeta {
  const plan = planFor(c);
  const frame: GridLayout = {
    kind: 'grid',
    width: c.size,
    height: c.size,
    agents: 1,
    headings: false,
    looks: ['empty', 'water', 'goal', 'floor'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  return soloMeta({
    id: 'deep-sea',
    agent: 'diver',
    obs: { kind: 'box', shape: [c.size, c.size], low: 0, high: 1 },
    action: { kind: 'discrete', n: 2, labels: ['action 0', 'action 1'] },
    gamma: 0.99,
    maxSteps: 0,
    evalMaxSteps: c.size,
    state,
    frame,
    references: [
      { name: 'random', value: plan.random, source: 'exact, backward induction' },
      { name: 'optimal', value: plan.best, source: 'exact, backward induction' },
    ],
    keys: [
      ['ArrowLeft', '0'],
      ['ArrowRight', '1'],
    ],
    idleAction: null,
    fps: 6,
  });
}

export const deepSea = defineEnv<Config>({
  spec: {
    id: 'deep-sea',
    version: 1,
    title: 'Deep sea',
    summary: 'Dive to a treasure that only a long run of right moves reaches.',
    source: BSUITE,
    config,
    presets: [
      { id: 'n10', title: '10x10', config: {} },
      { id: 'n20', title: '20x20', config: { size: 20 } },
      { id: 'n30', title: '30x30', config: { size: 30 } },
      { id: 'n10-noisy', title: '10x10, noisy', config: { deterministic: false } },
    ],
    meta,
    recommended: { algo: 'ppo', preset: 'counts', steps: 200_000 },
  },
  create(c, batch, options) {
    const n = c.size;
    const right = rightActions(c);
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const cells = n * n;
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      obs.fill(0, row * cells, (row + 1) * cells);
      if (words[s]! < n) obs[row * cells + words[s]! * n + words[s + 1]!] = 1;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        words[row * wordStride] = 0;
        words[row * wordStride + 1] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const depth = words[s]!;
          let column = words[s + 1]!;
          const goesRight = actions[row] === right[depth * n + column];
          let reward = goesRight && column === n - 1 ? 1 : 0;
          if (!c.deterministic && depth === n - 1 && (column === 0 || column === n - 1)) reward += draws.normal(row, 'noise');
          if (goesRight) {
            reward -= MOVE_COST / n;
            if (c.deterministic || draws.uniform(row, 'current') > 1 / n) column = Math.min(n - 1, column + 1);
          } else column = Math.max(0, column - 1);
          words[s] = depth + 1;
          words[s + 1] = column;
          out.reward[row] = reward;
          out.terminated[row] = depth + 1 === n ? 1 : 0;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        checkCell(words[row * wordStride]!, n + 1, 'row');
        checkCell(words[row * wordStride + 1]!, n, 'column');
      },
      frame(row, out) {
        const s = row * wordStride;
        for (let i = 0; i < cells; i++) {
          const reachable = i % n <= Math.floor(i / n);
          out[3 * i] = i === cells - 1 ? 2 : reachable ? 1 : 3;
          out[3 * i + 1] = i === cells - 1 ? 4 : 2;
          out[3 * i + 2] = 0;
        }
        out.fill(0, 3 * cells);
        out[3 * cells] = words[s + 1]!;
        out[3 * cells + 1] = Math.min(n - 1, words[s]!);
        out[3 * cells + 5] = 1;
      },
      cellOf(row) {
        const depth = words[row * wordStride]!;
        return depth < n ? depth * n + words[row * wordStride + 1]! : -1;
      },
      placements(row) {
        const s = row * wordStride;
        const [depth, column] = [words[s]!, words[s + 1]!];
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let i = 0; i < cells; i++) {
          if (i % n > Math.floor(i / n)) continue;
          words[s] = Math.floor(i / n);
          words[s + 1] = i % n;
          out.push({ cell: i, state: rows.save(row) });
        }
        words[s] = depth;
        words[s + 1] = column;
        return out;
      },
    });
  },
  checks: { 'optimal-return': (c) => ({ return: planFor(c).best }) },
  policies: {
    optimal: (c) => {
      const meaning = rightActions(c);
      const { right } = planFor(c);
      const cells = c.size * c.size;
      return {
        act(env, { obs }, out) {
          for (let row = 0; row < env.batch; row++) {
            const cell = obs.subarray(row * cells, (row + 1) * cells).indexOf(1);
            out[row] = cell < 0 ? 0 : right[cell] === 1 ? meaning[cell]! : 1 - meaning[cell]!;
          }
        },
      };
    },
  },
});
