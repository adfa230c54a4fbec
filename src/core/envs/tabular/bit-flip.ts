/**
 * A row of n bits; every step turns one of them over. Obs [n bits, n wanted bits], 0 or 1; action: the bit to turn, or n to leave all as they are.
 * Reward -1 until all bits are as wanted, then 0. Start and goal: every bit drawn evenly, at least one of them different. Never ends; truncates
 * after n steps. With many bits chance never reaches the goal, and no reward differs before.
 * Source: Andrychowicz et al. 2017, section 3.1; differs: start and goal are never equal, and the row can be left as it is, so that an episode
 * can stay at its goal.
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

const config = z.strictObject({
  bits: z
    .int()
    .min(2)
    .max(64)
    .default(15)
    .meta({
      title: 'bits',
      description: 'Bits in the row, and steps of an episode. Plain DQN learns up to about 13.',
      source: 'Andrychowicz et al. 2017, up to 50',
      depth: 'teach',
      slider: [2, 40],
    }),
});
type Config = z.infer<typeof config>;

const stateOf = (n: number) =>
  defineState(1, [
    { name: 'bits', type: 'u32', shape: [n], doc: 'the row' },
    { name: 'wanted', type: 'u32', shape: [n], doc: 'the goal' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);

const LOOKS: GridLayout['looks'] = ['empty', 'floor', 'goal'];
const GREY = 2;

function meta({ bits: n }: Config): EnvMeta {
  return {
    ...soloMeta({
      id: 'bit-flip',
      agent: 'flipper',
      obs: {
        kind: 'box',
        shape: [2 * n],
        low: 0,
        high: 1,
        labels: ['bit', 'wanted'].flatMap((what) => Array.from({ length: n }, (_, i) => `${what} ${i + 1}`)),
      },
      action: { kind: 'discrete', n: n + 1, labels: [...Array.from({ length: n }, (_, i) => `turn ${i + 1}`), 'leave all'] },
      gamma: 0.98,
      maxSteps: n,
      evalMaxSteps: n,
      state: stateOf(n),
      frame: {
        kind: 'grid',
        width: n,
        height: 2,
        agents: 0,
        headings: false,
        looks: LOOKS,
        colours: ['red', 'green', 'grey'],
        view: 0,
      },
      references: [{ name: 'optimal', value: optimal(n), source: 'exact' }],
      keys: [],
      idleAction: n,
      fps: 6,
    }),
    goals: { size: n, achieved: 0, desired: n },
    measures: [{ id: 'success', title: 'success', description: 'Share of the last 100 episodes that end at the goal.' }],
  };
}

/** Of d bits that differ, d - 1 steps are paid -1: the mean of d, drawn from n even bits but for none, less 1. */
const optimal = (n: number): number => 1 - n / 2 / (1 - 2 ** -n);

export const bitFlip = defineEnv<Config>({
  spec: {
    id: 'bit-flip',
    version: 1,
    title: 'Bit flip',
    summary: 'Turn bits over, one a step, until the row is as wanted.',
    source: {
      title: 'Hindsight Experience Replay',
      authors: 'Andrychowicz et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1707.01495',
    },
    config,
    presets: [
      { id: 'bits-15', title: '15 bits', config: {} },
      { id: 'bits-8', title: '8 bits', config: { bits: 8 } },
      { id: 'bits-30', title: '30 bits', config: { bits: 30 } },
    ],
    recommended: { algo: 'dqn', preset: 'hindsight', steps: 60_000 },
    meta,
  },
  create(c, batch, options) {
    const n = c.bits;
    const own = meta(c);
    const rows = allocateRows(own.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const STEPS = 2 * n;
    const observe = (row: number, { obs }: StepBuffers): void => {
      for (let i = 0; i < 2 * n; i++) obs[row * 2 * n + i] = words[row * wordStride + i]!;
    };
    const there = (row: number): boolean => {
      const s = row * wordStride;
      for (let i = 0; i < n; i++) if (words[s + i] !== words[s + n + i]) return false;
      return true;
    };
    return assemble(own, batch, rows, {
      start(row) {
        const s = row * wordStride;
        do {
          for (let i = 0; i < 2 * n; i++) words[s + i] = draws.int(row, 2, 'bit');
        } while (there(row));
        words[s + STEPS] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const bit = actions[row]!;
          if (bit < n) words[s + bit] = 1 - words[s + bit]!;
          words[s + STEPS]!++;
          out.reward[row] = there(row) ? 0 : -1;
          out.terminated[row] = 0;
          out.truncated[row] = words[s + STEPS]! >= n ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      goalReward(achieved, a, desired, d) {
        for (let i = 0; i < n; i++) if (achieved[a + i] !== desired[d + i]) return -1;
        return 0;
      },
      measure(row, out, at) {
        out[at] = there(row) ? 1 : 0;
      },
      loaded(row) {
        for (let i = 0; i < 2 * n; i++) checkCell(words[row * wordStride + i]!, 2, i < n ? 'bits' : 'wanted');
      },
      frame(row, out) {
        const s = row * wordStride;
        for (let i = 0; i < 2 * n; i++) {
          const on = words[s + i] === 1;
          const wrong = i < n && words[s + i] !== words[s + n + i];
          out.set([on ? 2 : 1, i >= n ? GREY : wrong ? 0 : 1, 0], 3 * i);
        }
      },
    });
  },
  policies: {
    /** Turns the first bit that is not as wanted. */
    optimal: ({ bits: n }) => ({
      act(env, { obs }, out) {
        for (let row = 0; row < env.batch; row++) {
          const o = row * 2 * n;
          let bit = 0;
          while (bit < n && obs[o + bit] === obs[o + n + bit]) bit++;
          out[row] = bit;
        }
      },
    }),
  },
});
