/**
 * Maximise to explore (MEX: Liu et al. 2023), over tables: one objective chooses the model, by its optimal value and by how
 * well it fits what was seen. There is no bonus and no set of plausible models; for what was seen seldom an optimistic model costs little.
 *   max over models f of V_f(start) + eta sum over seen steps of [ log P_f(s'|s,a) - (r - r_f(s,a))^2 ]
 * For a pair that the plan reaches w times, with n tries, the best reward is mean r + w / (2 eta n), at most `maxReward`, and the best
 * chances are P(s') = eta n(s') / (mu - w gamma V(s')), mu such that they sum to 1; what is left goes to the best state of all. Values and
 * w follow from them, so the three are worked out in turn, `rounds` times. Pairs that were never tried are worth `maxValue`. Two choices of
 * ours: w of a pair is that of its state, so that every action of a reached state is seen in its best light, and a state that the plan does
 * not reach counts as reached once, so that a better plan through it is not overlooked.
 * Pseudo-code:
 *   Q(s,a) = maxValue for all pairs
 *   repeat until the budget is spent
 *     if a plan is due by `replan`, and `warmUp` steps are done
 *       w(s) = 0 for all states
 *       repeat `rounds` times
 *         V(s) = max_a Q(s,a) for all states
 *         for each tried pair: best reward and best chances for V and max(1, w(s)), as above
 *         for each pair that was not tried: it pays maxValue, and the episode ends
 *         value iteration in that world from the present Q, no value above maxValue
 *         w(s) = discounted visits of the greedy policy in it, from the starts that were seen
 *     a = argmax_b Q(s,b);   before the first plan: a random action
 *     take a, observe r and s';   count s', or the end;   update the mean of r for (s,a)
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { z } from 'zod';
import * as fields from '../api/fields.ts';
import { greedyAction, type Table } from '../lib/table.ts';
import { type AssumedModel, assumedModel, bestValue, type LearnedModel, solve } from './lib/learned-model.ts';
import { modelFields, modelMethod } from './lib/model-method.ts';
import { largestReturn, optimismFields, valueBound } from './ucbvi.ts';

const source = 'Liu et al. 2023';
const config = z.strictObject({
  ...modelFields,
  maxValue: optimismFields.maxValue,
  maxReward: fields.real(1, {
    above: 0,
    max: 1e6,
    title: 'largest reward',
    description: 'Largest reward of a step that a model may assume.',
    source: 'own choice',
    log: true,
    slider: [0.1, 100],
    depth: 'stored',
    group: 'exploration',
  }),
  eta: fields.real(1, {
    above: 0,
    max: 1e6,
    title: 'weight of the fit (eta)',
    description: 'How much a model must fit what was seen; small: it may promise more and explores longer.',
    source,
    log: true,
    slider: [0.01, 100],
    group: 'exploration',
  }),
  rounds: fields.integer(3, {
    min: 1,
    max: 100,
    title: 'rounds',
    description: 'How often a plan works out chances, values and visits in turn.',
    source: 'own choice',
    group: 'planning',
  }),
});
type Config = z.infer<typeof config>;

/**
 * Chances P >= 0 that maximise sum_k pull[k] P_k + eta sum_k n[k] log P_k, where one more outcome with pull `best` and no tries may take what is left
 * (the answer's `rest`). P_k = eta n_k / (mu - pull_k), mu by bisection. All n above 0.
 */
export function tiltedChances(
  n: readonly number[],
  pull: readonly number[],
  best: number,
  eta: number,
): { readonly chances: readonly number[]; readonly rest: number } {
  const at = (mu: number): number[] => n.map((count, k) => (eta * count) / (mu - pull[k]!));
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
  const total = eta * sum(n);
  const top = Math.max(...pull);
  if (best > top) {
    const chances = at(best);
    const left = 1 - sum(chances);
    if (left >= 0) return { chances, rest: left };
  }
  // sum(at(mu)) falls in mu: above 1 just over the largest pull, at most 1 at top + eta n
  let [low, high] = [top, top + total];
  for (let k = 0; k < 100 && high - low > 1e-12 * Math.max(1, Math.abs(high)); k++) {
    const middle = (low + high) / 2;
    if (sum(at(middle)) > 1) low = middle;
    else high = middle;
  }
  const chances = at(high);
  const all = sum(chances);
  return { chances: chances.map((chance) => chance / all), rest: 0 };
}

const SWEEPS = 500;

/** Discounted visits of every state [S] by the greedy policy of the table in an assumed world, from the starts that were seen. */
function visitsOf(table: Table, model: LearnedModel, world: AssumedModel, starts: Float64Array, gamma: number): Float64Array {
  const total = starts.reduce((sum, n) => sum + n, 0) || 1;
  let visits = starts.map((n) => n / total);
  let moving = visits;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const after = new Float64Array(table.states);
    let mass = 0;
    for (let s = 0; s < table.states; s++) {
      if (moving[s] === 0) continue;
      const pair = s * table.actions + greedyAction(table, s, model.maskOf(s));
      for (let i = world.offset[pair]!; i < world.offset[pair + 1]!; i++) {
        const share = gamma * moving[s]! * world.chance[i]!;
        after[world.next[i]!]! += share;
        mass += share;
      }
    }
    visits = visits.map((n, s) => n + after[s]!);
    moving = after;
    if (mass < 1e-6) break;
  }
  return visits;
}

/** The world that promises most for its fit, by the values [S] and the visits [S] of the plan so far. */
function promisingWorld(model: LearnedModel, c: Config, most: number, values: Float64Array, visits: Float64Array): AssumedModel {
  const best = Math.max(0, ...values);
  return assumedModel(model, (pair, seen, counts) => {
    const n = model.visits[pair]!;
    if (n === 0) return { reward: most, chances: [], anywhere: 0 };
    const weight = Math.max(1, visits[Math.floor(pair / model.actions)]!);
    const pull = seen.map((s) => (s === model.states ? 0 : weight * c.gamma * values[s]!));
    const { chances, rest } = tiltedChances(counts, pull, weight * c.gamma * best, c.eta);
    const reward = Math.min(c.maxReward, model.mean[pair]! + weight / (2 * c.eta * n));
    return { reward: reward + rest * c.gamma * best, chances, anywhere: 0 };
  });
}

export const mex = modelMethod<Config>(
  {
    id: 'mex',
    version: 2,
    changes: [largestReturn(2)],
    title: 'Maximise to explore (MEX)',
    summary: 'Chooses the model by its optimal value minus its misfit, which explores without a bonus.',
    source: {
      title: 'Maximize to Explore: One Objective Function Fusing Estimation, Planning, and Exploration',
      authors: 'Liu et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2305.18258',
    },
    config,
    presets: [{ id: 'random-mdp', title: 'Random MDP', config: { gamma: 0.9999, maxValue: 20 } }],
    probeConfig: { gamma: 0.9, maxValue: 1 },
  },
  ({ c, run, table, model }) => {
    const most = valueBound(c, run);
    const starts = new Float64Array(table.states);
    const worth = bestValue(table, model);
    const valuesNow = () => Float64Array.from({ length: table.states }, (_, s) => worth(s));
    return {
      most: Math.min(most, c.maxReward),
      state: { arrays: { starts } },
      start: () => void table.q.fill(most),
      plan() {
        let sweeps = 0;
        let visits: Float64Array = new Float64Array(table.states);
        for (let round = 0; round < c.rounds; round++) {
          const world = promisingWorld(model, c, most, valuesNow(), visits);
          sweeps += solve(table, world, { gamma: c.gamma, most, worth });
          visits = visitsOf(table, model, world, starts, c.gamma);
        }
        return sweeps;
      },
      choose(s, time, mask) {
        if (time === 0) starts[s]!++;
        return greedyAction(table, s, mask);
      },
    };
  },
);
