/**
 * Five actions, only the first counts: it chooses after how many steps the reward comes (1, 3, 10, 30 or 100). All give 1, one of
 * them 1.1. Tests how far a learner looks ahead. bsuite discounting_chain. Obs [choice, or -1 before it; t / steps].
 * Ends after `steps` steps. Source: Osband et al. 2020, bsuite at effafc0 `environments/discounting_chain.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { BSUITE } from './lib/bsuite.ts';

const DELAYS = [1, 3, 10, 30, 100] as const;
const REWARD = 1;
const BONUS = 0.1;
const COLUMNS = 21;
/** Index into the frame's colours. */
const GREY = 5;

const config = z.strictObject({
  mappingSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .meta({ title: 'mapping seed', description: 'This number modulo 5 is the action that gives 1.1.', source: 'bsuite discounting_chain' }),
  bonusAction: z
    .int()
    .min(0)
    .max(4)
    .nullable()
    .default(null)
    .meta({ title: 'best action', description: 'The action that gives 1.1; empty: from the mapping seed.' }),
  steps: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .meta({ title: 'length', unit: 'steps', description: 'Steps of an episode; a reward that would come later never comes.' }),
});
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'choice', type: 'u32', shape: [], doc: 'first action + 1, 0 before it' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

const bonusOf = (c: Config) => c.bonusAction ?? c.mappingSeed % 5;

function returnOf(c: Config, action: number): number {
  if (DELAYS[action]! > c.steps) return 0;
  return action === bonusOf(c) ? REWARD + BONUS : REWARD;
}

function meta(c: Config): EnvMeta {
  const frame: GridLayout = {
    kind: 'grid',
    width: COLUMNS,
    height: DELAYS.length,
    agents: 1,
    headings: false,
    looks: ['empty', 'floor', 'start', 'goal'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  const returns = DELAYS.map((_, action) => returnOf(c, action));
  return soloMeta({
    id: 'discounting-chain',
    agent: 'walker',
    obs: { kind: 'box', shape: [2], low: -1, high: 4, labels: ['choice', 'time'] },
    action: { kind: 'discrete', n: 5, labels: DELAYS.map((delay) => `reward at ${delay}`) },
    gamma: 0.99,
    maxSteps: 0,
    evalMaxSteps: c.steps,
    state,
    frame,
    references: [
      { name: 'random', value: returns.reduce((a, b) => a + b, 0) / 5, source: 'exact' },
      { name: 'optimal', value: Math.max(...returns), source: 'exact' },
    ],
    keys: [['1'], ['2'], ['3'], ['4'], ['5']],
    idleAction: null,
    fps: 10,
  });
}

export const discountingChain = defineEnv<Config>({
  spec: {
    id: 'discounting-chain',
    version: 1,
    title: 'Discounting chain',
    summary: 'Five rewards at five delays, one slightly better.',
    source: BSUITE,
    config,
    presets: [
      { id: 'standard', title: 'best at step 1', config: {} },
      { id: 'late', title: 'best at step 100', config: { mappingSeed: 4 } },
    ],
    meta,
  },
  create(c, batch) {
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const observe = (row: number, { obs }: StepBuffers) => {
      obs[row * 2] = words[row * wordStride]! - 1;
      obs[row * 2 + 1] = words[row * wordStride + 1]! / c.steps;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        words[row * wordStride] = 0;
        words[row * wordStride + 1] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          if (words[s] === 0) words[s] = actions[row]! + 1;
          const t = words[s + 1]! + 1;
          words[s + 1] = t;
          const choice = words[s]! - 1;
          out.reward[row] = t === DELAYS[choice] ? returnOf(c, choice) : 0;
          out.terminated[row] = t >= c.steps ? 1 : 0;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      loaded: (row) => checkCell(words[row * wordStride]!, 6, 'choice'),
      frame(row, out) {
        const s = row * wordStride;
        const column = (t: number) => Math.min(COLUMNS - 1, Math.ceil(((COLUMNS - 1) * t) / c.steps));
        out.fill(0);
        DELAYS.forEach((delay, lane) => {
          for (let x = 0; x < COLUMNS; x++) out.set([x === 0 ? 2 : 1, GREY], 3 * (lane * COLUMNS + x));
          if (delay > c.steps) return;
          const at = 3 * (lane * COLUMNS + column(delay));
          out[at] = 3;
          out[at + 1] = lane === bonusOf(c) ? 4 : 1;
        });
        const at = 3 * COLUMNS * DELAYS.length;
        out[at] = column(words[s + 1]!);
        out[at + 1] = words[s] === 0 ? 2 : words[s]! - 1;
        out[at + 5] = 1;
      },
    });
  },
  policies: {
    /** The first action decides: the one that pays most within the episode. */
    optimal: (c) => {
      const returns = DELAYS.map((_, action) => returnOf(c, action));
      const best = returns.indexOf(Math.max(...returns));
      return { act: (env, _buffers, out) => void out.fill(best, 0, env.batch) };
    },
  },
});
