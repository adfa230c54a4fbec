/**
 * A walker on an open grid whose cells are worth less the more it has visited: to see ground, to collect items of which the next of a kind counts
 * less, or to measure a field that neighbours tell of (lib/cover/worth.ts). What an episode is judged by is the worth F of all cells visited, as a
 * share of what all cells together are worth: the measure `covered`, whatever is paid.
 * `pays` says what learners are paid for a step onto cell s after the set S: `gain` F(S + s) - F(S), so that the return is what is covered; `alone` F(s),
 * as if every step were the first one, which is what a reward of states can say.
 * Obs [3 n + 1]: cell as one-hot, visited cells (1), worth of each cell alone by the largest, share of the steps left. Actions left, down, right, up, stay;
 * the border stops a step. Starts on a cell drawn evenly, which counts as visited. Never terminates; truncates at `maxSteps`.
 * Source: own world, after the tasks of Prajapat et al. 2024.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { kind, variant } from '../api/variant.ts';
import { remembered } from '../lib/remembered.ts';
import { greedy, moved } from './lib/cover/greedy.ts';
import { worthOf } from './lib/cover/worth.ts';

const source = 'own choice';
const radius = z.int().min(0).max(4).default(1).meta({ title: 'view', unit: 'cells', description: 'How far it sees.', source });
const kinds = z.int().min(1).max(6).default(3).meta({ title: 'kinds of items', description: 'Items lie on half of the cells.', source });
const config = z.strictObject({
  task: variant('cover', [kind('cover', { radius }), kind('items', { kinds }), kind('sense', {})], {
    title: 'task',
    description: 'cover: see ground around the way; items: collect of several kinds, each next one counts less; sense: measure a field.',
    source: 'Prajapat et al. 2024',
  }),
  pays: z.enum(['gain', 'alone']).default('gain').meta({
    title: 'what is paid',
    description: 'gain: what a cell adds to all visited before; alone: what it would be worth as the only one.',
    source: 'Prajapat et al. 2024: marginal gains, and additive rewards',
  }),
  size: z.int().min(3).max(12).default(6).meta({ title: 'side', unit: 'cells', description: 'Of the square grid.', source }),
  mapSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .meta({ title: 'map seed', description: 'What the cells are worth is drawn from this.' }),
  maxSteps: maxStepsField(16, source),
});
type Config = z.infer<typeof config>;

const worthFor = remembered(worthOf);
const groundOf = ({ task, size, mapSeed }: Config) =>
  worthFor({
    task: task.kind,
    size,
    radius: task.kind === 'cover' ? task.radius : 0,
    kinds: task.kind === 'items' ? task.kinds : 0,
    mapSeed,
  });

const COVERED: MetricCard = {
  id: 'covered',
  title: 'covered',
  description: 'Worth of all cells visited in an episode, as a share of what all cells of the grid are worth together.',
};

const stateOf = ({ size }: Config) =>
  defineState(1, [
    { name: 'visited', type: 'u32', shape: [size, size], doc: '1: visited in this episode' },
    { name: 'cell', type: 'u32', shape: [], doc: 'where it stands: row * side + column' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);

const LOOKS = ['unseen', 'floor', 'food'] as const;
const [UNSEEN, FLOOR, ITEM] = [0, 1, 2] as const;
const COLOURS = ['grey', 'red', 'green', 'blue', 'purple', 'yellow', 'orange'];

function meta(c: Config): EnvMeta {
  const { size } = c;
  const layout: GridLayout = {
    kind: 'grid',
    width: size,
    height: size,
    agents: 1,
    headings: false,
    looks: LOOKS,
    colours: COLOURS,
    view: 0,
    layers: ['heat'],
  };
  return {
    ...soloMeta({
      id: 'coverage',
      agent: 'walker',
      obs: { kind: 'box', shape: [3 * size * size + 1], low: 0, high: 1 },
      action: { kind: 'discrete', n: 5, labels: ['left', 'down', 'right', 'up', 'stay'] },
      gamma: 1,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state: stateOf(c),
      frame: layout,
      references: [],
      keys: [['ArrowLeft', 'a'], ['ArrowDown', 's'], ['ArrowRight', 'd'], ['ArrowUp', 'w'], ['Space']],
      idleAction: null,
      fps: 4,
    }),
    measures: [COVERED],
  };
}

export const coverage = defineEnv<Config>({
  spec: {
    id: 'coverage',
    version: 1,
    title: 'Coverage',
    summary:
      'See as much ground, collect as many kinds or measure as much as a short walk allows: what was visited counts less the next time.',
    source: {
      title: 'Submodular Reinforcement Learning',
      authors: 'Prajapat et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2307.13372',
    },
    config,
    presets: [
      { id: 'cover', title: 'see ground', config: {} },
      { id: 'items', title: 'items of three kinds', config: { task: { kind: 'items', kinds: 3 } } },
      { id: 'sense', title: 'measure a field', config: { task: { kind: 'sense' } } },
      { id: 'alone', title: 'see ground, paid as if every step were the first', config: { pays: 'alone' } },
    ],
    meta,
    recommended: { algo: 'ppo', steps: 200_000 },
  },
  create(c, batch, options) {
    const { size, maxSteps } = c;
    const n = size * size;
    const width = 3 * n + 1;
    const [CELL, STEPS] = [n, n + 1];
    const { all, alone, ground, of, seen } = groundOf(c);
    const largest = alone.reduce((a, b) => Math.max(a, b));
    const shares = alone.map((worth) => worth / largest);
    const rows = allocateRows(stateOf(c), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    /** [batch] F of what is visited; follows from the state. */
    const worth = new Float64Array(batch);
    const observe = (row: number, { obs }: StepBuffers): void => {
      const [s, at] = [row * wordStride, row * width];
      obs.fill(0, at, at + n);
      obs[at + words[s + CELL]!] = 1;
      for (let cell = 0; cell < n; cell++) obs[at + n + cell] = words[s + cell]!;
      obs.set(shares, at + 2 * n);
      obs[at + 3 * n] = 1 - words[s + STEPS]! / maxSteps;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words.fill(0, s, s + STEPS + 1);
        const cell = draws.int(row, n, 'start');
        words[s + CELL] = cell;
        words[s + cell] = 1;
        worth[row] = alone[cell]!;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const cell = moved(size, words[s + CELL]!, actions[row]!);
          words[s + CELL] = cell;
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          let gain = 0;
          if (words[s + cell] === 0) {
            words[s + cell] = 1;
            const more = of(words, s);
            gain = more - worth[row]!;
            worth[row] = more;
          }
          out.reward[row] = (c.pays === 'gain' ? gain : alone[cell]!) / all;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        checkCell(words[s + CELL]!, n, 'cell');
        for (let cell = 0; cell < n; cell++) if (words[s + cell]! > 1) words[s + cell] = 1;
        words[s + words[s + CELL]!] = 1;
        worth[row] = of(words, s);
      },
      measure(row, out, at) {
        out[at] = worth[row]! / all;
      },
      frame(row, out) {
        const s = row * wordStride;
        const heat = 3 * n + 6;
        for (let cell = 0; cell < n; cell++) {
          const item = c.task.kind === 'items' && words[s + cell] === 0 ? ground[cell]! : 0;
          out[3 * cell] = item > 0 ? ITEM : seen(words, s, cell) ? FLOOR : UNSEEN;
          out[3 * cell + 1] = item;
          out[3 * cell + 2] = 0;
          // what a visit would still add
          let left = 0;
          if (c.task.kind !== 'items' && words[s + cell] === 0) {
            words[s + cell] = 1;
            left = (of(words, s) - worth[row]!) / largest;
            words[s + cell] = 0;
          }
          out[heat + cell] = Math.min(1, Math.max(0, left));
        }
        const at = 3 * n;
        out.fill(0, at, heat);
        out[at] = words[s + CELL]! % size;
        out[at + 1] = Math.floor(words[s + CELL]! / size);
        out[at + 5] = 1;
      },
      cellOf: (row) => words[row * wordStride + CELL]!,
      placements(row) {
        const s = row * wordStride;
        const kept = words.slice(s, s + CELL + 1);
        const out = Array.from({ length: n }, (_, cell) => {
          words[s + CELL] = cell;
          words[s + cell] = 1;
          const state = rows.save(row);
          words.set(kept, s);
          return { cell, state };
        });
        return out;
      },
    });
  },
  policies: {
    greedy: (c) => greedy(c.size, groundOf(c), c.maxSteps),
  },
});
