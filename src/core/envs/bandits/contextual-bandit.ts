/**
 * A bandit that shows something before each pull: which arm is best depends on it. Every arm pays in proportion to how well the shown vector fits
 * a hidden one of its own, so that what one pull teaches holds for all others.
 * Obs: the context, `features` numbers from -1 to 1, of length 1 together. Actions: the arms. Reward: context times the arm's hidden vector
 * (also of length 1), plus noise with deviation `noise`. Ends with every pull. The cost `regret` is the best arm's mean less that of the arm.
 * Source: Li et al. 2010, section 3, the disjoint linear model; sizes and noise are own choices.
 */
import { z } from 'zod';
import { sqrt } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StateSpec, StepBuffers } from '../api/types.ts';
import { leverTable } from '../lib/levers.ts';

const source = 'own choice';
const config = z.strictObject({
  arms: z.int().min(2).max(50).default(5).meta({ title: 'arms', description: 'Number of arms.', source }),
  features: z.int().min(1).max(32).default(5).meta({ title: 'features', description: 'Numbers that are shown before each pull.', source }),
  mappingSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .meta({ title: 'mapping seed', description: 'The hidden vectors of the arms are drawn from this.' }),
  noise: z
    .number()
    .min(0)
    .max(100)
    .default(0.1)
    .meta({ title: 'noise', description: 'Deviation of the reward around its mean.', source, slider: [0, 1] }),
});
type Config = z.infer<typeof config>;

/** A direction drawn evenly, from normal numbers. */
function unit(draw: () => number, out: Float64Array, at: number, n: number): void {
  let squares = 0;
  for (let i = at; i < at + n; i++) {
    const x = draw();
    out[i] = x;
    squares += x * x;
  }
  const scale = squares > 0 ? 1 / sqrt(squares) : 0;
  for (let i = at; i < at + n; i++) out[i]! *= scale;
}

/** [arms, features] */
function hidden(c: Config): Float64Array {
  const rng = Rng.from(c.mappingSeed).split('contextual-bandit');
  const out = new Float64Array(c.arms * c.features);
  for (let arm = 0; arm < c.arms; arm++) unit(() => normal(rng), out, arm * c.features, c.features);
  return out;
}

const SAMPLES = 2000;

/** Mean of the best arm over contexts drawn from a generator of its own. */
function bestMean(c: Config, vectors: Float64Array): number {
  const rng = Rng.from(1).split('contextual-bandit', c.features);
  const x = new Float64Array(c.features);
  let sum = 0;
  for (let k = 0; k < SAMPLES; k++) {
    unit(() => normal(rng), x, 0, c.features);
    let best = Number.NEGATIVE_INFINITY;
    for (let arm = 0; arm < c.arms; arm++) best = Math.max(best, meanOf(vectors, arm, x, 0, c.features));
    sum += best;
  }
  return sum / SAMPLES;
}

function meanOf(vectors: Float64Array, arm: number, x: Float64Array, at: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += vectors[arm * n + i]! * x[at + i]!;
  return sum;
}

const stateOf = (c: Config): StateSpec =>
  defineState(1, [
    { name: 'context', type: 'f64', shape: [c.features], doc: 'what is shown before the pull' },
    { name: 'steps', type: 'u32', shape: [], doc: 'pulls done in this episode' },
  ]);

function meta(c: Config): EnvMeta {
  const vectors = hidden(c);
  const names = Array.from({ length: c.arms }, (_, i) => `arm ${i + 1}`);
  return {
    ...soloMeta({
      id: 'contextual-bandit',
      agent: 'player',
      obs: { kind: 'box', shape: [c.features], low: -1, high: 1, labels: Array.from({ length: c.features }, (_, i) => `feature ${i + 1}`) },
      action: { kind: 'discrete', n: c.arms, labels: names },
      gamma: 1,
      maxSteps: 0,
      evalMaxSteps: 1,
      state: stateOf(c),
      frame: leverTable(
        { levers: c.arms },
        'what an arm pays depends on these numbers',
        Array.from({ length: c.features }, (_, i) => `x${i + 1}`),
      ),
      references: [
        { name: 'random', value: 0, source: 'exact: contexts point anywhere' },
        { name: 'optimal', value: bestMean(c, vectors), source: `mean over ${SAMPLES} contexts` },
      ],
      keys: names.map((_, i) => (i < 9 ? [String(i + 1)] : [])),
      idleAction: null,
      fps: 2,
    }),
    costs: ['regret'],
  };
}

export const contextualBandit = defineEnv<Config>({
  spec: {
    id: 'contextual-bandit',
    version: 1,
    title: 'Contextual bandit',
    summary: 'Numbers are shown, then one of five arms is to be pulled: which is best depends on the numbers.',
    source: {
      title: 'A Contextual-Bandit Approach to Personalized News Article Recommendation',
      authors: 'Li et al.',
      year: 2010,
      url: 'https://arxiv.org/abs/1003.0146',
    },
    config,
    presets: [
      { id: 'five-arms', title: 'five arms, five features', config: {} },
      { id: 'many', title: 'twenty arms, ten features', config: { arms: 20, features: 10 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(stateOf(c), batch);
    const { words, floats, wordStride, floatStride } = rows;
    const [context, steps] = [rows.offset('context'), rows.offset('steps')];
    const draws = new Draws(rows.rng, options?.draws);
    const vectors = hidden(c);
    const observe = (row: number, { obs }: StepBuffers) => {
      for (let i = 0; i < c.features; i++) obs[row * c.features + i] = floats[row * floatStride + context + i]!;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        unit(() => draws.normal(row, 'context'), floats, row * floatStride + context, c.features);
        words[row * wordStride + steps] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const at = row * floatStride + context;
          let best = Number.NEGATIVE_INFINITY;
          for (let arm = 0; arm < c.arms; arm++) best = Math.max(best, meanOf(vectors, arm, floats, at, c.features));
          const mean = meanOf(vectors, actions[row]!, floats, at, c.features);
          if (out.cost !== undefined) out.cost[row] = best - mean;
          out.reward[row] = c.noise > 0 ? mean + c.noise * draws.normal(row, 'reward') : mean;
          words[row * wordStride + steps] = 1;
          out.terminated[row] = 1;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      // The episode is over with its pull: what is shown is the moment before it.
      frame(row, out) {
        out.fill(0);
        for (let i = 0; i < c.features; i++) out[2 * c.arms + i] = floats[row * floatStride + context + i]!;
      },
    });
  },
  policies: {
    optimal(c): ScriptedPolicy {
      const vectors = hidden(c);
      return {
        act(env, { obs }, out) {
          const x = new Float64Array(c.features);
          for (let row = 0; row < env.batch; row++) {
            x.set(obs.subarray(row * c.features, (row + 1) * c.features));
            const values = Array.from({ length: c.arms }, (_, arm) => meanOf(vectors, arm, x, 0, c.features));
            out[row] = values.indexOf(Math.max(...values));
          }
        },
      };
    },
  },
});
