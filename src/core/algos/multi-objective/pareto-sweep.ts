/**
 * One table of vector values for each of many weightings of several rewards, all learned from the same steps (scalarised
 * multi-objective Q-learning, Van Moffaert et al. 2013, with shared experience). For every weight vector w:
 *   b = argmax_b w . Q_w(s', b),   Q_w(s,a) += alpha [ r + gamma Q_w(s', b) - Q_w(s,a) ],   r, Q in R^K; nothing follows a termination
 * Each episode is played epsilon-greedily by one w, drawn anew. Weighted sums find the corners of the front's hull and nothing in its
 * dents. Needs a discrete observation and one agent. Policies act by the learned w that is nearest to `preference`.
 * Pseudo-code:
 *   Q_w(s,a) = initialValue for every w: multiples of 1 / parts that sum to 1, or only the one given
 *   draw the w of the first episode
 *   repeat until the budget is spent
 *     act epsilon-greedily on w . Q_w(s,a) for the w of this episode, epsilon falling linearly
 *     for every weighting v, not only the one that acted
 *       b = argmax_b v . Q_v(s', b)
 *       Q_v(s,a) += alpha [ r + gamma Q_v(s', b) - Q_v(s,a) ]; after a termination Q_v(s', b) = 0
 *     if the episode ended: draw the w of the next one
 *     from time to time: play greedily for every w and measure the front
 */
import { z } from 'zod';
import { type Front, nearestWeights } from '#contract/files/pareto.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { hashBytes } from '#math/hash.ts';
import type { Point } from '#math/pareto.ts';
import { randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { registerState, savedNumber } from '../../state/checkpoint.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { outcomeOf, stateOf, stepsPerRow } from '../lib/table.ts';
import {
  checkLength,
  checkVector,
  frontFor,
  frontMetrics,
  knownFront,
  lookEvery,
  measureFront,
  onlyAdded,
  onlyField,
  playAll,
  pointBelow,
  preferenceField,
  referenceField,
  trainedWeights,
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
      title: 'weight resolution',
      unit: 'parts',
      description: 'Weights are all multiples of one part that sum to 1: 101 weightings of two rewards at 100 parts, 66 of three at 10.',
      depth: 'teach',
      group: 'preferences',
      log: true,
      slider: [4, 200],
    }),
  only: onlyField,
  preference: preferenceField,
  referencePoint: referenceField,
  alpha: fields.lr(0.5, undefined, {
    title: 'step size (alpha)',
    description: 'Share of the TD error that is added to the value.',
    log: false,
    slider: [0.01, 1],
    group: 'learning',
  }),
  gamma: fields.gamma(0.99, 'MO-Gymnasium', { slider: [0.5, 1], group: 'learning' }),
  initialValue: z.number().min(-1e6).max(1e6).default(0).meta({
    title: 'initial value',
    description: 'Of every objective. Optimistic values make the agent try everything once.',
    group: 'learning',
  }),
  epsilon: fields.epsilonStart(1, undefined, { depth: 'teach' }),
  epsilonFinal: fields.epsilonEnd(0.1),
  explorationFraction: fields.epsilonFraction(0.8, undefined, { min: 0.01, live: false, depth: 'stored' }),
});
type Config = z.infer<typeof config>;

function weightsFor(c: Config, meta: EnvMeta): readonly Point[] {
  return trainedWeights(meta.rewards.length, c.parts, c.only);
}

export const paretoSweep = defineAlgo<Config>({
  spec: {
    id: 'pareto-sweep',
    version: 2,
    changes: [onlyAdded(2)],
    title: 'Pareto sweep',
    summary: 'Learns the best policy for every weighting of several rewards at once: the set of trade-offs.',
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
      { id: 'tdError', title: 'TD error', description: 'Mean absolute TD error of the weighted values, over all tables.' },
      { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
    ],
  },

  fits(meta, c) {
    checkVector(meta, 'Pareto sweep');
    checkLength(c.only, meta, 'only');
    checkLength(c.preference, meta, 'preference');
    checkLength(c.referencePoint, meta, 'referencePoint');
    const numbers = weightsFor(c, meta).length * meta.obsSize * meta.actionCount * meta.rewards.length;
    if (numbers > MOST_NUMBERS)
      throw fail('config-invalid', `Tables of ${numbers.toLocaleString('en')} numbers are too large.`, 'Take fewer parts.', 'algo.parts');
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const env = run.makeEnv(1);
    const { buffers } = env;
    const rng = run.rng.split('exploration');
    const weights = weightsFor(c, meta);
    const tables = createTables(weights, meta.obsSize, meta.actionCount, c.initialValue);
    const action = new Int32Array(1);
    const every = stepsPerRow(run.steps);
    const looking = lookEvery(run.steps);
    let front: Front | undefined;
    const state = registerState({
      counters: { step: 0, who: 0 }, // who: index of the weights of this episode
      json: {
        front: {
          save: () => front as unknown as JsonObject,
          load: (value) => {
            front = value as unknown as Front;
          },
        },
      },
      parts: { env },
      arrays: { vectors: tables.vectors, sums: tables.sums, rng },
    });
    const { counters } = state;
    const epsilon = (): number => linear(c.epsilon, c.epsilonFinal, c.explorationFraction * run.steps, counters.step);
    if (resume === undefined) {
      env.reset();
      counters.who = rng.int(weights.length);
      front = await look(run, weights, tables, null);
    } else state.load(resume);

    while (counters.step < run.steps) {
      let tdError = 0;
      let count = 0;
      const before = counters.step;
      while (count < every && counters.step < run.steps) {
        const s = stateOf(buffers.obs, tables.states);
        action[0] =
          rng.uniform() < epsilon() ? randomAction(rng, tables.actions, buffers.mask) : bestAction(tables, counters.who, s, buffers.mask);
        env.step(action);
        const { terminated, ended, next, nextMask } = outcomeOf(buffers, tables.states);
        tdError += learnAll(tables, s, action[0]!, buffers.reward, next, terminated, c.alpha, c.gamma, nextMask);
        if (ended) counters.who = rng.int(weights.length);
        count++;
        counters.step++;
      }
      const { step } = counters;
      const looked = step >= run.steps || Math.floor(step / looking) > Math.floor(before / looking);
      if (looked) front = await look(run, weights, tables, front?.reference ?? null);
      const shown = front as unknown as JsonObject;
      const snapshot = () => ({
        meta: { states: tables.states, actions: tables.actions, epsilon: epsilon(), front: shown },
        arrays: saveSums(tables),
      });
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...(looked && front !== undefined ? measureFront(front) : {}),
          tdError: tdError / count,
          epsilon: epsilon(),
        },
        snapshot,
        save: () => state.save(),
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
  return sumsPolicy(saved, w, savedNumber(saved, 'states'), savedNumber(saved, 'actions'), savedNumber(saved, 'epsilon'));
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
