/**
 * Several arms that pay a noisy reward, and nothing else to know: the testbed of Sutton and Barto. How good each arm is was drawn once, from
 * `mappingSeed`; with a drift it changes with every pull, and then who goes on exploring wins.
 * Obs: one state (one-hot of length 1). Actions: the arms. Reward: the arm's mean now, plus noise with deviation `noise`.
 * Ends after `pulls` pulls; a new episode has the first means again. The cost `regret` is what the best arm's mean is above that of the arm.
 * Source: Sutton and Barto 2018, section 2.3, and exercise 2.5 for the drift.
 */
import { z } from 'zod';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StateSpec, StepBuffers } from '../api/types.ts';
import { leverTable } from '../lib/levers.ts';

const source = 'Sutton and Barto 2018, section 2.3';
const config = z.strictObject({
  arms: z.int().min(2).max(100).default(10).meta({ title: 'arms', description: 'Number of arms.', source }),
  mappingSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .meta({ title: 'mapping seed', description: 'The means of the arms are drawn from this, normal with mean 0 and deviation 1.' }),
  noise: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ title: 'noise', description: 'Deviation of the reward around the mean of the arm.', source, slider: [0, 3] }),
  drift: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .meta({
      title: 'drift',
      description: 'Deviation of the random step that the mean of every arm takes with each pull; 0: they stay.',
      source: 'Sutton and Barto 2018, exercise 2.5',
      slider: [0, 0.1],
    }),
  pulls: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .meta({ title: 'pulls', unit: 'steps', description: 'Pulls of an episode.', source, log: true }),
});
type Config = z.infer<typeof config>;

/** Means of the arms when an episode begins; with a drift all begin alike, as in the exercise. */
function means(c: Config): readonly number[] {
  const rng = Rng.from(c.mappingSeed).split('noisy-bandit');
  return Array.from({ length: c.arms }, () => (c.drift > 0 ? 0 : normal(rng)));
}

const stateOf = (c: Config): StateSpec =>
  defineState(1, [
    { name: 'means', type: 'f64', shape: [c.arms], doc: 'mean reward of each arm now' },
    { name: 'paid', type: 'f64', shape: [], doc: 'what the last pull paid' },
    { name: 'pulled', type: 'u32', shape: [], doc: 'the last arm + 1, 0 before the first pull' },
    { name: 'steps', type: 'u32', shape: [], doc: 'pulls done in this episode' },
  ]);

function meta(c: Config): EnvMeta {
  const values = means(c);
  const best = Math.max(...values) * c.pulls;
  const mean = (values.reduce((a, b) => a + b, 0) / values.length) * c.pulls;
  return {
    ...soloMeta({
      id: 'noisy-bandit',
      agent: 'player',
      obs: { kind: 'discrete', n: 1 },
      action: { kind: 'discrete', n: c.arms, labels: values.map((_, i) => `arm ${i + 1}`) },
      gamma: 1,
      maxSteps: 0,
      evalMaxSteps: c.pulls,
      state: stateOf(c),
      frame: leverTable(
        values,
        c.drift > 0 ? 'all arms begin alike and drift' : 'bars: what an arm pays on average, unknown to the player',
      ),
      references: [
        { name: 'random', value: mean, source: 'exact' },
        // With a drift the best arm is another one every time, and what it would have paid is not known beforehand.
        ...(c.drift > 0 ? [] : [{ name: 'optimal', value: best, source: 'exact' }]),
      ],
      keys: values.map((_, i) => (i < 9 ? [String(i + 1)] : [])),
      idleAction: null,
      fps: 8,
    }),
    costs: ['regret'],
  };
}

/** Pulls the arm that is best now: it knows the means. */
const knowing: ScriptedPolicy = {
  act(env, _buffers, out) {
    for (let row = 0; row < env.batch; row++) {
      const { means: now } = env.meta.state.toJSON(env.save(row));
      const values = Array.isArray(now) ? now.map(Number) : [];
      out[row] = values.indexOf(Math.max(...values));
    }
  },
};

export const noisyBandit = defineEnv<Config>({
  spec: {
    id: 'noisy-bandit',
    version: 1,
    title: 'Noisy bandit',
    summary: 'Find the best of ten arms whose rewards are noisy: the more you try, the less you earn meanwhile.',
    source: {
      title: 'Reinforcement Learning: An Introduction',
      authors: 'Sutton and Barto',
      year: 2018,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
    config,
    presets: [
      { id: 'ten-arms', title: 'ten arms', config: {} },
      { id: 'drifting', title: 'arms that drift', config: { drift: 0.01 } },
      { id: 'two-arms', title: 'two arms, much noise', config: { arms: 2, noise: 3, mappingSeed: 3 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const spec = stateOf(c);
    const rows = allocateRows(spec, batch);
    const { words, floats, wordStride, floatStride } = rows;
    const [first, paid] = [rows.offset('means'), rows.offset('paid')];
    const [pulled, steps] = [rows.offset('pulled'), rows.offset('steps')];
    const draws = new Draws(rows.rng, options?.draws);
    const begin = means(c);
    return assemble(meta(c), batch, rows, {
      start(row) {
        floats.set(begin, row * floatStride + first);
        floats[row * floatStride + paid] = 0;
        words[row * wordStride + pulled] = 0;
        words[row * wordStride + steps] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const f = row * floatStride;
          const w = row * wordStride;
          const arm = actions[row]!;
          let best = floats[f + first]!;
          for (let a = 1; a < c.arms; a++) best = Math.max(best, floats[f + first + a]!);
          const mean = floats[f + first + arm]!;
          const reward = c.noise > 0 ? mean + c.noise * draws.normal(row, 'reward') : mean;
          if (out.cost !== undefined) out.cost[row] = best - mean;
          if (c.drift > 0) for (let a = 0; a < c.arms; a++) floats[f + first + a]! += c.drift * draws.normal(row, 'drift');
          floats[f + paid] = reward;
          words[w + pulled] = arm + 1;
          const done = words[w + steps]! + 1;
          words[w + steps] = done;
          out.reward[row] = reward;
          out.terminated[row] = done >= c.pulls ? 1 : 0;
          out.truncated[row] = 0;
          out.obs[row] = 1;
        }
      },
      observe(row: number, { obs }: StepBuffers) {
        obs[row] = 1;
      },
      frame(row, out) {
        out.fill(0);
        const arm = words[row * wordStride + pulled]! - 1;
        if (arm < 0) return;
        out[2 * arm] = 1;
        out[2 * arm + 1] = floats[row * floatStride + paid]!;
      },
    });
  },
  policies: { optimal: () => knowing },
});
