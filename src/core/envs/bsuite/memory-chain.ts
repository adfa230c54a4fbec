/**
 * Some bits are shown at the start; after a walk of L steps one of them is asked for. Tests memory. bsuite memory_len, memory_size.
 * Obs [1 - t / L, query (shown at t = L - 1), context bits as -1 or 1 (shown at t = 0)]; the first observation comes twice, at the
 * start and after the first action. Only the last action counts: +1 if it is the bit asked for, else -1. Ends after L + 1 steps.
 * Source: Osband et al. 2020, bsuite at effafc0 `environments/memory_chain.py`.
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
  memoryLength: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .meta({ title: 'length', unit: 'steps', description: 'Steps between the bits and the question.', source: 'bsuite memory_len' }),
  bits: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({ title: 'bits', description: 'How many bits are shown; one of them is asked for.', source: 'bsuite memory_size' }),
});
type Config = z.infer<typeof config>;

function stateOf(c: Config) {
  return defineState(1, [
    { name: 'context', type: 'u32', shape: [c.bits], doc: 'the bits' },
    { name: 'query', type: 'u32', shape: [], doc: 'which bit is asked for' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

/** Index into the frame's colours. */
const GREY = 5;

function meta(c: Config): EnvMeta {
  const frame: GridLayout = {
    kind: 'grid',
    width: c.memoryLength + 2,
    height: 1,
    agents: 1,
    headings: false,
    looks: ['empty', 'floor', 'key', 'goal'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  return soloMeta({
    id: 'memory-chain',
    agent: 'walker',
    obs: { kind: 'box', shape: [c.bits + 2], low: -1, high: Math.max(1, c.bits - 1) },
    action: { kind: 'discrete', n: 2, labels: ['say 0', 'say 1'] },
    gamma: 0.99,
    maxSteps: 0,
    evalMaxSteps: c.memoryLength + 1,
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

export const memoryChain = defineEnv<Config>({
  spec: {
    id: 'memory-chain',
    version: 1,
    title: 'Memory chain',
    summary: 'Remember a bit over many steps and repeat it.',
    source: BSUITE,
    config,
    recommended: { algo: 'recurrent-ppo', config: { envs: 16, rolloutSteps: 32, lr: 1e-3, annealLr: false }, steps: 200_000 },
    presets: [
      { id: 'len-10', title: 'length 10', config: {} },
      { id: 'len-30', title: 'length 30', config: { memoryLength: 30 } },
      { id: 'bits-5', title: '5 bits', config: { memoryLength: 2, bits: 5 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(stateOf(c), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const length = c.memoryLength;
    const width = c.bits + 2;
    const QUERY = c.bits;
    const STEPS = c.bits + 1;
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      const o = row * width;
      const t = Math.max(0, words[s + STEPS]! - 1); // the observation is made before the clock moves on
      obs.fill(0, o, o + width);
      obs[o] = 1 - t / length;
      if (t === length - 1) obs[o + 1] = words[s + QUERY]!;
      if (t === 0) for (let i = 0; i < c.bits; i++) obs[o + 2 + i] = 2 * words[s + i]! - 1;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        for (let i = 0; i < c.bits; i++) words[s + i] = draws.int(row, 2, 'bit');
        words[s + QUERY] = draws.int(row, c.bits, 'query');
        words[s + STEPS] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const t = words[s + STEPS]! + 1;
          words[s + STEPS] = t;
          const over = t > length;
          const right = actions[row] === words[s + words[s + QUERY]!];
          out.reward[row] = over ? (right ? 1 : -1) : 0;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        checkCell(words[row * wordStride + QUERY]!, c.bits, 'query');
        for (let i = 0; i < c.bits; i++) checkCell(words[row * wordStride + i]!, 2, 'context');
      },
      frame(row, out) {
        const s = row * wordStride;
        const cells = length + 2;
        out.fill(0);
        for (let i = 0; i < cells; i++) out.set([1, GREY], 3 * i);
        out[0] = 2; // the bit that will be asked for: green 1, red 0
        out[1] = words[s + words[s + QUERY]!]!;
        out[3 * (cells - 1)] = 3;
        out[3 * cells] = words[s + STEPS]!;
        out[3 * cells + 5] = 1;
      },
    });
  },
  policies: {
    /** Notes the bits when they are shown and says the one that is asked for. */
    optimal: (c) => {
      const width = c.bits + 2;
      let noted = new Float32Array(0); // [B, bits]
      return {
        act(env, { obs }, out) {
          if (noted.length < env.batch * c.bits) noted = new Float32Array(env.batch * c.bits);
          for (let row = 0; row < env.batch; row++) {
            const o = row * width;
            const bits = obs.subarray(o + 2, o + width);
            if (bits[0] !== 0) noted.set(bits, row * c.bits);
            out[row] = noted[row * c.bits + obs[o + 1]!]! > 0 ? 1 : 0;
          }
        },
      };
    },
  },
});
