/**
 * Optimism by a bonus (UCBVI: Azar, Osband and Munos 2017, with Hoeffding's bonus; its forebear is UCRL2, Jaksch et al. 2010): adds a bonus to
 * the value of every action that shrinks with its visits, so that rarely tried actions are explored.
 *   Q(s,a) = min( maxValue, mean r + bonus sqrt(log(S N t / 0.05) / n) maxValue + gamma sum_s' counts(s')/n max_b Q(s',b) )
 * Untried actions are worth `maxValue`. Always the best action by Q; it plans anew at every episode, or as `replan` says: when some pair
 * was tried twice as often, at every step, or once. The paper's bonus has the factor 7, which proves its bound and explores for longer than
 * runs last here. A smaller factor is optimism only while the bonus covers the spread of the returns: below that an unlucky action is given
 * up for good and regret grows in a line. A `maxValue` below the real returns cuts all values alike, and untried actions are not tried.
 * Pseudo-code:
 *   Q(s,a) = maxValue, n(s,a) = 0 for all pairs
 *   repeat until the budget is spent, t = steps so far
 *     if a plan is due by `replan`, and `warmUp` steps are done
 *       b(s,a) = bonus maxValue sqrt( log( S N (t + 1) / 0.05 ) / n(s,a) ) for all tried pairs
 *       sweep until no value changes by more than 1e-6 of the largest, at most 1,000 times
 *         for each tried pair
 *           Q = min( maxValue, mean r + b + gamma sum_s' counts(s')/n max_b Q(s',b) )
 *         for each pair that was not tried: Q = maxValue
 *     a = argmax_b Q(s,b);   before the first plan: a random action
 *     take a, observe r and s'
 *     n(s,a) += 1, mean r of (s,a) moves towards r, counts(s') += 1, or the count of ends
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { z } from 'zod';
import type { VersionChange } from '#contract/run/versions.ts';
import { log } from '#math/functions.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import { type AssumedModel, assumedModel, bestValue, type LearnedModel, solve } from './lib/learned-model.ts';
import { modelFields, modelMethod } from './lib/model-method.ts';

export const optimismFields = {
  bonus: fields.real(0.05, {
    min: 0,
    max: 100,
    title: 'bonus',
    description: 'How many of the widths that Hoeffding allows are added to what an action seems to be worth.',
    source: 'own choice; 7 in Azar et al. 2017',
    log: true,
    slider: [0.001, 10],
    group: 'exploration',
  }),
  maxValue: fields.orNull(
    fields.real(1, {
      above: 0,
      max: 1e9,
      title: 'largest return',
      description:
        'No action is taken to be worth more; untried ones are taken to be worth this. Empty: the largest reward of the transition table, or 1 where there is none, over 1 - gamma.',
      source: 'Azar et al. 2017: the horizon, for rewards up to 1',
      log: true,
      slider: [0.1, 100],
      group: 'exploration',
    }),
    'largest reward / (1 - gamma)',
  ),
};
const config = z.strictObject({ ...modelFields, ...optimismFields });

/** The default of `maxValue` was 1. */
export const largestReturn = (version: number): VersionChange => ({
  version,
  what: 'Unless it is set, the largest return follows from the largest reward and the discount; before, it was 1.',
  before: { maxValue: 1 },
  rerun: false,
});

/** The upper bound of all values: `maxValue`, or by the rewards of the world's transition table (1 without one). Above 0. */
export function valueBound(
  { maxValue, gamma }: { readonly maxValue: number | null; readonly gamma: number },
  { envEntry, envConfig }: Pick<Run<unknown>, 'envEntry' | 'envConfig'>,
): number {
  if (maxValue !== null) return maxValue;
  const table = envEntry.create(envConfig, 1).model?.();
  const largest = table === undefined ? 1 : table.reward.reduce((most, reward) => Math.max(most, reward), 0);
  return (largest > 0 ? largest : 1) / (1 - gamma);
}

/** What an action that was tried n times may be worth beyond its mean at step t: Hoeffding's width at confidence 0.95 over all pairs and steps. */
export function hoeffdingBonus(scale: number, maxValue: number, pairs: number, step: number, n: number): number {
  return scale * maxValue * Math.sqrt(log((pairs * (step + 1)) / 0.05) / n);
}

/** The mean world with a bonus on every reward; untried pairs pay `maxValue` and end. */
export function optimisticWorld(
  model: LearnedModel,
  { bonus, maxValue }: { readonly bonus: number; readonly maxValue: number },
  step: number,
): AssumedModel {
  const pairs = model.states * model.actions;
  return assumedModel(model, (pair, _, counts) => {
    const n = model.visits[pair]!;
    if (n === 0) return { reward: maxValue, chances: [], anywhere: 0 };
    const reward = model.mean[pair]! + hoeffdingBonus(bonus, maxValue, pairs, step, n);
    return { reward, chances: counts.map((count) => count / n), anywhere: 0 };
  });
}

export const ucbvi = modelMethod<z.infer<typeof config>>(
  {
    id: 'ucbvi',
    version: 2,
    changes: [largestReturn(2)],
    title: 'Optimism (UCBVI)',
    summary: 'Adds an optimism bonus to value estimates, so rarely tried actions are explored.',
    source: {
      title: 'Minimax Regret Bounds for Reinforcement Learning',
      authors: 'Azar, Osband and Munos',
      year: 2017,
      url: 'https://arxiv.org/abs/1703.05449',
    },
    config,
    presets: [
      { id: 'random-mdp', title: 'Random MDP', config: { gamma: 0.9999, maxValue: 20, bonus: 0.1 } },
      { id: 'frozen-lake', title: 'Slippery frozen lake', config: { maxValue: 1, bonus: 0.02 } },
    ],
    probeConfig: { gamma: 0.9, maxValue: 1 },
  },
  ({ c, run, table, model }) => {
    const most = valueBound(c, run);
    const worth = bestValue(table, model);
    return {
      most,
      start: () => void table.q.fill(most),
      plan: (step) => solve(table, optimisticWorld(model, { bonus: c.bonus, maxValue: most }, step), { gamma: c.gamma, most, worth }),
    };
  },
);
