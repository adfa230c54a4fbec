/**
 * One table of vector values for each of many weightings of several rewards, all learned from the same steps (scalarised
 * multi-objective Q-learning, Van Moffaert et al. 2013, with shared experience). For every weight vector w:
 *   b = argmax_b w . Q_w(s', b),   Q_w(s,a) += alpha [ r + gamma Q_w(s', b) - Q_w(s,a) ],   r, Q in R^K; nothing follows a termination
 * Each episode is played epsilon-greedily by one w, drawn anew. Weighted sums find the corners of the front's hull and nothing in its
 * dents. Needs a discrete observation and one agent. Policies act by the learned w that is nearest to `preference`.
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import type { JsonObject } from '#contract/json.ts';
import { type Front, nearestWeights } from '#contract/pareto.ts';
import { hashBytes } from '#math/hash.ts';
import { type Point, simplex } from '#math/pareto.ts';
import { randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { stateOf, stepsPerRow } from '../lib/table.ts';
import {
  checkLength,
  checkVector,
  frontFor,
  frontMetrics,
  knownFront,
  lookEvery,
  measureFront,
  playAll,
  pointBelow,
  preferenceField,
  referenceField,
} from './lib/pareto-front.ts';
import { bestAction, createTables, learnAll, saveSums, sumsPolicy } from './lib/pareto-tables.ts';

const MOST_NUMBERS = 2e7; // in all tables

const config = z.strictObject({
  parts: z
    .int()
    .min(1)
    .max(400)
    .default(100)
    .meta({
      title: 'weights from 0 to 1',
      unit: 'parts',
      description: 'Weights are all multiples of one part that sum to 1: 101 weightings of two rewards at 100 parts, 66 of three at 10.',
      depth: 'lab',
      group: 'preferences',
      log: true,
      slider: [4, 200],
    }),
  preference: preferenceField,
  referencePoint: referenceField,
  alpha: z
    .number()
    .gt(0)
    .max(1)
    .default(0.5)
    .meta({
      title: 'step size',
      description: 'How far one surprise moves a value.',
      live: true,
      depth: 'teach',
      group: 'learning',
      slider: [0.01, 1],
    }),
  gamma: z
    .number()
    .min(0)
    .max(1)
    .default(0.99)
    .meta({
      title: 'discount',
      description: 'What a reward one step later is worth.',
      source: 'MO-Gymnasium',
      live: true,
      depth: 'teach',
      group: 'learning',
      slider: [0.5, 1],
    }),
  initialValue: z.number().min(-1e6).max(1e6).default(0).meta({
    title: 'initial value',
    description: 'Of every objective. Optimistic values make the agent try everything once.',
    group: 'learning',
  }),
  epsilon: z.number().min(0).max(1).default(1).meta({
    title: 'exploration',
    description: 'Share of actions taken at random, at the start.',
    live: true,
    depth: 'teach',
    group: 'exploration',
  }),
  epsilonFinal: z.number().min(0).max(1).default(0.1).meta({
    title: 'final exploration',
    description: 'Share of random actions at the end.',
    live: true,
    group: 'exploration',
  }),
  explorationFraction: z.number().min(0.01).max(1).default(0.8).meta({
    title: 'exploration falls over',
    description: 'Share of the run until exploration reaches its final value.',
    group: 'exploration',
  }),
});
type Config = z.infer<typeof config>;

function weightsFor(c: Config, meta: EnvMeta): readonly Point[] {
  return simplex(meta.rewards.length, c.parts);
}

export const paretoSweep = defineAlgo<Config>({
  spec: {
    id: 'pareto-sweep',
    version: 1,
    title: 'Pareto sweep',
    summary: 'Learns the best play for every weighting of several rewards at once, and so the trade-offs there are.',
    source: {
      title: 'Scalarized multi-objective reinforcement learning: novel design techniques',
      authors: 'Van Moffaert, Drugan and Nowé',
      year: 2013,
      url: 'https://doi.org/10.1109/ADPRL.2013.6615007',
    },
    config,
    presets: [
      {
        id: 'deep-sea-treasure',
        title: 'Deep sea treasure, hypervolume against (0, -50)',
        config: { referencePoint: [0, -50], epsilonFinal: 0.2 },
      },
    ],
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    trial: { env: 'deep-sea-treasure', steps: 20_000 },
    probes: [],
    metrics: [
      ...episodeMetrics,
      ...frontMetrics,
      { id: 'tdError', title: 'surprise', description: 'Mean size of the temporal-difference error, weighted, over all tables.' },
      { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
    ],
  },

  fits(meta, c) {
    checkVector(meta, 'Pareto sweep');
    checkLength(c.preference, meta, 'preference');
    checkLength(c.referencePoint, meta, 'referencePoint');
    const numbers = weightsFor(c, meta).length * meta.obsSize * meta.actionCount * meta.rewards.length;
    if (numbers > MOST_NUMBERS)
      throw fail('config-invalid', `Tables of ${numbers.toLocaleString('en')} numbers are too large.`, 'Take fewer parts.', 'algo.parts');
  },

  async *train(run, resume) {
    const c = liveConfig(run);
    const { meta } = run;
    const env = run.makeEnv(1);
    const { buffers } = env;
    const rng = run.rng.split('exploration');
    const weights = weightsFor(c, meta);
    const tables = createTables(weights, meta.obsSize, meta.actionCount, c.initialValue);
    const action = new Int32Array(1);
    const every = stepsPerRow(run.steps);
    const looking = lookEvery(run.steps);
    let step = 0;
    let who = 0; // the weighting that plays this episode
    let front: Front;
    if (resume === undefined) {
      env.reset();
      who = rng.int(weights.length);
      front = await look(run, weights, tables, null);
    } else {
      env.load(partOf(resume, 'env'));
      tables.vectors.set(resume.arrays.vectors as Float64Array);
      tables.sums.set(resume.arrays.sums as Float64Array);
      restoreRng(rng, resume.arrays.rng);
      step = resume.meta.step as number;
      who = resume.meta.who as number;
      front = resume.meta.front as unknown as Front;
    }
    const epsilon = (): number => linear(c.epsilon, c.epsilonFinal, c.explorationFraction * run.steps, step);

    while (step < run.steps) {
      let surprise = 0;
      let count = 0;
      const before = step;
      while (count < every && step < run.steps) {
        const s = stateOf(buffers.obs, tables.states);
        action[0] = rng.uniform() < epsilon() ? randomAction(rng, tables.actions, buffers.mask) : bestAction(tables, who, s, buffers.mask);
        env.step(action);
        const terminated = buffers.terminated[0] !== 0;
        const ended = terminated || buffers.truncated[0] !== 0;
        const next = stateOf(ended ? buffers.finalObs : buffers.obs, tables.states);
        surprise += learnAll(tables, s, action[0]!, buffers.reward, next, terminated, c.alpha, c.gamma);
        if (ended) who = rng.int(weights.length);
        count++;
        step++;
      }
      const looked = step >= run.steps || Math.floor(step / looking) > Math.floor(before / looking);
      if (looked) front = await look(run, weights, tables, front.reference);
      const shown = front;
      const snapshot = () => ({
        meta: { states: tables.states, actions: tables.actions, epsilon: epsilon(), front: shown as unknown as JsonObject },
        arrays: saveSums(tables),
      });
      yield {
        step,
        metrics: { ...episodeRow(env), ...(looked ? measureFront(front) : {}), tdError: surprise / count, epsilon: epsilon() },
        snapshot,
        save: () =>
          joinSaved(
            { step, who, front: shown as unknown as JsonObject },
            { env: env.save() },
            { vectors: tables.vectors.slice(), sums: tables.sums.slice(), rng: rng.state.slice() },
          ),
        policy: () => policyOf(c, meta, snapshot()),
        hash: () => hashBytes(tables.vectors),
      };
    }
  },

  async policy({ config: c, meta }, saved) {
    return policyOf(c, meta, saved);
  },
});

function policyOf(c: Config, meta: EnvMeta, saved: Parameters<typeof sumsPolicy>[0]) {
  const weights = weightsFor(c, meta);
  const w = nearestWeights(weights, c.preference ?? meta.rewards.map(() => 1));
  const { states, actions, epsilon } = saved.meta as { readonly states: number; readonly actions: number; readonly epsilon: number };
  return sumsPolicy(saved, w, states, actions, epsilon);
}

/** What every weighting's greedy policy gets now. */
async function look(
  run: Run<Config>,
  weights: readonly Point[],
  tables: ReturnType<typeof createTables>,
  reference: Point | null,
): Promise<Front> {
  const n = tables.actions;
  const values = await playAll(run.envEntry, run.envConfig, weights.length, 1, ({ obs, mask }, actions) => {
    for (let w = 0; w < weights.length; w++)
      actions[w] = bestAction(tables, w, stateOf(obs, tables.states, w), mask?.subarray(w * n, (w + 1) * n));
  });
  const known = knownFront(run.envEntry, run.envConfig);
  return frontFor(run.meta, weights, values, known, reference ?? run.config.referencePoint ?? pointBelow(values));
}
