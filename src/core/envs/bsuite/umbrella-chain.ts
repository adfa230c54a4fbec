/**
 * The first action decides whether to take an umbrella; only at the end of the chain it turns out whether that was right. Tests
 * credit assignment. bsuite umbrella_length, umbrella_distract. Obs [need, have, 1 - t / L, distractor bits].
 * Last step +1 if the umbrella matches the need, else -1; in between -1 or +1 at random. Ends after L steps.
 * Source: Osband et al. 2020, bsuite at effafc0 `environments/umbrella_chain.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { BSUITE } from './lib/bsuite.ts';

const config = z.strictObject({
  chainLength: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .meta({ title: 'length', unit: 'steps', description: 'Steps until it rains or not.', source: 'bsuite umbrella_length' }),
  distractors: z
    .int()
    .min(0)
    .max(200)
    .default(20)
    .meta({ title: 'distractors', description: 'Random bits in the observation that mean nothing.', source: 'bsuite umbrella_distract' }),
});
type Config = z.infer<typeof config>;

/** Index into the frame's colours. */
const GREY = 5;
const NEED = 0;
const HAVE = 1;
const STEPS = 2;
const BITS = 3;

function stateOf(c: Config) {
  return defineState(
    1,
    [
      { name: 'need', type: 'u32', shape: [], doc: '1 if it will rain' },
      { name: 'have', type: 'u32', shape: [], doc: '1 with an umbrella' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
      { name: 'distractors', type: 'u32', shape: [c.distractors], doc: 'bits without meaning' },
    ],
    ['distractors'],
  );
}

function meta(c: Config): EnvMeta {
  const frame: GridLayout = {
    kind: 'grid',
    width: c.chainLength + 1,
    height: 1,
    agents: 1,
    headings: false,
    looks: ['empty', 'floor', 'water', 'goal', 'box'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  return soloMeta({
    id: 'umbrella-chain',
    agent: 'walker',
    obs: { kind: 'box', shape: [3 + c.distractors], low: 0, high: 1 },
    action: { kind: 'discrete', n: 2, labels: ['leave it', 'take it'] },
    gamma: 0.99,
    maxSteps: 0,
    evalMaxSteps: c.chainLength,
    state: stateOf(c),
    frame,
    references: [
      { name: 'random', value: 0, source: 'exact' },
      { name: 'optimal', value: 1, source: 'exact' },
    ],
    keys: [
      ['0', 'ArrowLeft'],
      ['1', 'ArrowRight'],
    ],
    idleAction: null,
    fps: 6,
  });
}

export const umbrellaChain = defineEnv<Config>({
  spec: {
    id: 'umbrella-chain',
    version: 1,
    title: 'Umbrella chain',
    summary: 'One early choice decides a late reward, with noise in between.',
    source: BSUITE,
    config,
    presets: [
      { id: 'len-10', title: 'length 10', config: {} },
      { id: 'len-30', title: 'length 30', config: { chainLength: 30 } },
      { id: 'distract-100', title: '100 distractors', config: { chainLength: 20, distractors: 100 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(stateOf(c), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const width = 3 + c.distractors;
    const drawBits = (row: number) => {
      for (let i = 0; i < c.distractors; i++) words[row * wordStride + BITS + i] = draws.int(row, 2, 'distractor');
    };
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      const o = row * width;
      obs[o] = words[s + NEED]!;
      obs[o + 1] = words[s + HAVE]!;
      obs[o + 2] = 1 - words[s + STEPS]! / c.chainLength;
      for (let i = 0; i < c.distractors; i++) obs[o + 3 + i] = words[s + BITS + i]!;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words[s + NEED] = draws.int(row, 2, 'need');
        words[s + HAVE] = draws.int(row, 2, 'have');
        words[s + STEPS] = 0;
        drawBits(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const t = words[s + STEPS]! + 1;
          words[s + STEPS] = t;
          if (t === 1) words[s + HAVE] = actions[row]!;
          const over = t === c.chainLength;
          out.reward[row] = over ? (words[s + NEED] === words[s + HAVE] ? 1 : -1) : 2 * draws.int(row, 2, 'middle reward') - 1;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = 0;
          drawBits(row);
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        for (const [field, at] of [
          ['need', NEED],
          ['have', HAVE],
        ] as const)
          checkCell(words[row * wordStride + at]!, 2, field);
      },
      frame(row, out) {
        const s = row * wordStride;
        const cells = c.chainLength + 1;
        out.fill(0);
        for (let i = 0; i < cells; i++) out.set([1, GREY], 3 * i);
        out[3 * (cells - 1)] = words[s + NEED] === 1 ? 2 : 3;
        out[3 * (cells - 1) + 1] = words[s + NEED] === 1 ? 2 : 4;
        out[3 * cells] = words[s + STEPS]!;
        out[3 * cells + 3] = words[s + HAVE] === 1 ? 4 : 0;
        out[3 * cells + 4] = 4;
        out[3 * cells + 5] = 1;
      },
    });
  },
  golden: {
    /** { middleRewards: [-1 or 1, ...] }, one per step before the last; everything else is drawn. */
    draws(draws) {
      const listed = Array.isArray(draws.middleRewards) ? (draws.middleRewards as readonly number[]) : [];
      for (const key of Object.keys(draws))
        if (key !== 'middleRewards') throw fail('file-invalid', `Draws "${key}" are not known here.`, 'Use middleRewards.');
      let next = 0;
      return {
        uniform: () => undefined,
        int(_row, _n, name) {
          if (name !== 'middle reward') return undefined;
          const reward = listed[next++];
          if (reward !== 1 && reward !== -1)
            throw fail('file-invalid', `Middle reward ${next} is ${reward}.`, 'List -1 or 1 for every step before the last.');
          return (reward + 1) / 2;
        },
      };
    },
  },
  policies: {
    /** Takes the umbrella when it is needed. */
    optimal: (c) => ({
      act(env, { obs }, out) {
        for (let row = 0; row < env.batch; row++) out[row] = obs[row * (3 + c.distractors)]!;
      },
    }),
  },
});
