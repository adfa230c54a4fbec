/**
 * Fitted Q from random play (SQIRL: Laidlaw et al. 2024): what random play earns after every action is a first guess of its worth, and a
 * few backups of that guess are often enough. It never explores on purpose.
 *   Q1(s,a) = mean discounted return of random play after (s,a);   Qk+1(s,a) = mean r + gamma mean max_b Qk(s',b),   `backups` of them
 * After every `episodes` episodes it fits anew, and in the next ones follows the best action by Q for one step more before it plays at
 * random, so that a step later in the episode is learned in turn; behind the last step it begins at the first again, with all that it has
 * seen. Over a table the regressions are means. The paper fits one function for each step of the episode; one table serves all of them
 * here, because the state says all. What was never tried counts 0.
 * Pseudo-code:
 *   frontier = 0
 *   repeat until the budget is spent
 *     for `episodes` episodes
 *       the first `frontier` steps: a = argmax_b Q(s,b);   then random actions to the end
 *       for every step: count s', or the end, and update the mean of r for (s,a)
 *       for every random step: G = discounted return of the random steps from it on
 *         add G to the sum of (s,a);   after `longest` random steps: a return ends there
 *     Q(s,a) = sum / number of the returns of (s,a), of all rounds;   0 where there are none
 *     repeat `backups` times, for all tried pairs at once from the Q before
 *       Q(s,a) = mean r + gamma sum_s' counts(s')/n max_b Q(s',b)
 *     frontier += 1;   if no episode of the round was longer than that: frontier = 0
 */
import { z } from 'zod';
import { randomAction } from '#math/sampling.ts';
import * as fields from '../api/fields.ts';
import { greedyAction, greedyValue, type Table } from '../lib/table.ts';
import type { LearnedModel } from './lib/learned-model.ts';
import { modelFields, modelMethod } from './lib/model-method.ts';

const source = 'Laidlaw et al. 2024';
const config = z.strictObject({
  gamma: modelFields.gamma,
  backups: fields.integer(5, {
    min: 0,
    max: 1000,
    title: 'backups',
    description: 'Steps of fitted Q iteration on the values of random play: how far the best actions look ahead of it.',
    source,
    slider: [0, 20],
    group: 'planning',
  }),
  episodes: fields.integer(50, {
    min: 1,
    max: 1e6,
    title: 'episodes of a round',
    unit: 'episodes',
    description: 'Random ones between two fits.',
    source,
    log: true,
    slider: [5, 500],
    group: 'exploration',
  }),
  longest: fields.integer(10_000, {
    min: 10,
    max: 100_000,
    title: 'longest random play',
    unit: 'steps',
    description: 'After so many random steps of an episode it counts what it has, as if a time limit had come.',
    source: 'own choice',
    log: true,
    depth: 'stored',
    group: 'learning',
  }),
});

/** Adds the discounted returns of a stretch of random play to sums and counts of its pairs: every visit counts. */
export function addReturns(
  { pairs, rewards, length }: { readonly pairs: Int32Array; readonly rewards: Float64Array; readonly length: number },
  gamma: number,
  sums: Float64Array,
  counts: Float64Array,
): void {
  let later = 0;
  for (let t = length - 1; t >= 0; t--) {
    later = rewards[t]! + gamma * later;
    sums[pairs[t]!]! += later;
    counts[pairs[t]!]!++;
  }
}

/** One fitted backup over all tried pairs, from the values that the table holds: Q(s,a) = mean r + gamma mean max_b Q(s',b). */
export function fittedBackup(table: Table, model: LearnedModel, gamma: number): void {
  const { states, actions, q } = table;
  const value = Float64Array.from({ length: states }, (_, s) => greedyValue(table, s, model.maskOf(s)));
  for (let pair = 0; pair < states * actions; pair++) {
    const n = model.visits[pair]!;
    if (n === 0) continue;
    let sum = 0;
    for (let s = 0; s < states; s++) sum += model.successors[pair * (states + 1) + s]! * value[s]!;
    q[pair] = model.mean[pair]! + (gamma * sum) / n;
  }
}

export const sqirl = modelMethod<z.infer<typeof config>>(
  {
    id: 'sqirl',
    version: 1,
    title: 'Fitted Q from random play (SQIRL)',
    summary: 'Plays at random, estimates the value of every action under random play, and improves it by a few backups.',
    source: {
      title: 'The Effective Horizon Explains Deep RL Performance in Stochastic Environments',
      authors: 'Laidlaw, Zhu, Russell and Dragan',
      year: 2024,
      url: 'https://arxiv.org/abs/2312.08369',
    },
    config,
    presets: [{ id: 'far', title: 'Looks twenty steps ahead', config: { backups: 20 } }],
    trial: { env: 'random-mdp', steps: 1000, config: { episodes: 10 } },
    probeConfig: { gamma: 0.9, episodes: 20 },
  },
  ({ c, table, model, rng }) => {
    const pairs = new Int32Array(c.longest);
    const rewards = new Float64Array(c.longest);
    const sums = new Float64Array(table.q.length);
    const counts = new Float64Array(table.q.length);
    /** `frontier`: steps of the best action before random ones; `reach`: most steps of an episode of this round. */
    const counters = { frontier: 0, roundEpisodes: 0, stretch: 0, played: 0, reach: 0 };
    const count = (): void => {
      addReturns({ pairs, rewards, length: counters.stretch }, c.gamma, sums, counts);
      counters.stretch = 0;
    };
    return {
      state: { counters, arrays: { stretchPairs: pairs, stretchRewards: rewards, returnSums: sums, returnCounts: counts } },
      due: (time) => time === 0 && counters.roundEpisodes >= c.episodes,
      plan() {
        for (let pair = 0; pair < sums.length; pair++) table.q[pair] = counts[pair] === 0 ? 0 : sums[pair]! / counts[pair]!;
        for (let k = 0; k < c.backups; k++) fittedBackup(table, model, c.gamma);
        counters.frontier = counters.frontier + 1 < counters.reach ? counters.frontier + 1 : 0;
        counters.roundEpisodes = 0;
        counters.reach = 0;
        return c.backups;
      },
      choose: (s, time, mask) => (time < counters.frontier ? greedyAction(table, s, mask) : randomAction(rng, table.actions, mask)),
      learned(pair, reward, { ended }) {
        if (counters.played++ >= counters.frontier) {
          pairs[counters.stretch] = pair;
          rewards[counters.stretch++] = reward;
        }
        if (ended || counters.stretch === c.longest) count();
        if (!ended) return;
        counters.reach = Math.max(counters.reach, counters.played);
        counters.roundEpisodes++;
        counters.played = 0;
      },
    };
  },
);
