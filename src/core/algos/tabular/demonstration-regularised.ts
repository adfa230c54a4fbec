/**
 * Demonstration-regularised reinforcement learning (Tiapkin et al. 2024): an expert shows some episodes, they are cloned, and then it
 * learns from its own steps while it pays for leaving the clone. The more was shown, the more the clone is trusted, and the fewer steps of
 * its own are needed.
 *   clone(a|s) = (shown(s,a) + 1) / (shown(s) + N)
 *   V(s) = lambda log sum_a clone(a|s) exp(Q(s,a) / lambda),   Q as in UCBVI with this V,   lambda = trust x demonstrations
 *   policy(a|s) = clone(a|s) exp(Q(s,a) / lambda) / Z(s)
 * Its table holds Q + lambda log clone: the greedy action is the policy's likeliest one; while learning actions are drawn from the policy.
 * The expert is the optimum of the transition table. Without demonstrations it is UCBVI; with a large trust it is the clone.
 * Pseudo-code:
 *   the expert takes the best action by the optimal values of the transition table
 *   shown(s,a) = how often it took a in s, in `demonstrations` episodes drawn from that table
 *   clone(a|s) = (shown(s,a) + 1) / (shown(s) + N);   Q(s,a) = maxValue for all pairs
 *   repeat until the budget is spent
 *     if a plan is due by `replan`, and `warmUp` steps are done
 *       sweep until no value changes by more than 1e-6 of the largest, at most 1,000 times
 *         for each tried pair, with the bonus of UCBVI
 *           Q(s,a) = min( maxValue, mean r + bonus + gamma sum_s' counts(s')/n V(s') )
 *         for each pair that was not tried: Q(s,a) = maxValue
 *         V(s) = lambda log sum_a clone(a|s) exp(Q(s,a) / lambda);   if lambda = 0: max_a Q(s,a)
 *     draw a from the policy;   if lambda = 0: argmax_b Q(s,b);   before the first plan: at random
 *     take a, observe r and s';   count s', or the end;   update the mean of r for (s,a)
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 * Throws LabError('incompatible') where there is no transition table to make an expert of.
 */
import { z } from 'zod';
import { exp, log } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import type { TabularModel } from '../../envs/api/types.ts';
import { optimalValues } from '../../envs/lib/tabular/values.ts';
import * as fields from '../api/fields.ts';
import { modelOf } from '../api/guards.ts';
import { greedyAction, greedyValue, type Table } from '../lib/table.ts';
import { bestValue, solve } from './lib/learned-model.ts';
import { modelFields, modelMethod } from './lib/model-method.ts';
import { largestReturn, optimismFields, optimisticWorld, valueBound } from './ucbvi.ts';

const source = 'Tiapkin et al. 2024';
const config = z.strictObject({
  ...modelFields,
  ...optimismFields,
  demonstrations: fields.integer(10, {
    min: 0,
    max: 100_000,
    title: 'demonstrations',
    unit: 'episodes',
    description: 'Episodes of the best policy that are shown before the first step; they cost no steps.',
    source,
    log: true,
    slider: [1, 1000],
    group: 'demonstrations',
  }),
  trust: fields.real(0.001, {
    min: 0,
    max: 1e6,
    title: 'trust',
    unit: 'return per demonstration',
    description: 'What leaving the clone costs per nat, for each demonstration; large: it stays the clone.',
    source: 'own choice',
    log: true,
    slider: [1e-5, 1],
    group: 'demonstrations',
  }),
});

/** Longer demonstrations are cut. */
const LONGEST = 10_000;

/** How often the best policy did what, over so many episodes of the model: [S, N]. `best` [S]: its actions. */
export function demonstrate(model: TabularModel, best: Int32Array, episodes: number, rng: Rng): Float64Array {
  const shown = new Float64Array(model.states * model.actions);
  const drawn = (chances: Float64Array, from: number, to: number): number => {
    let left = rng.uniform();
    let at = from;
    while (at < to - 1 && left >= chances[at]!) left -= chances[at++]!;
    return at;
  };
  for (let episode = 0; episode < episodes; episode++) {
    let s = drawn(model.start, 0, model.states);
    for (let t = 0; t < LONGEST; t++) {
      const pair = s * model.actions + best[s]!;
      shown[pair]!++;
      const way = drawn(model.probability, model.offset[pair]!, model.offset[pair + 1]!);
      if (model.terminated[way] === 1) break;
      s = model.next[way]!;
    }
  }
  return shown;
}

/** The clone's log chances, [S, N]: every action is imagined once in every state. */
export function cloneOf(shown: Float64Array, actions: number): Float64Array {
  return shown.map((count, pair) => {
    const row = pair - (pair % actions);
    let total = actions;
    for (let a = 0; a < actions; a++) total += shown[row + a]!;
    return log((count + 1) / total);
  });
}

/** lambda log sum_a clone(a|s) exp(Q(s,a) / lambda) over the legal actions, without overflow; lambda above 0. */
export function regularisedValue(table: Table, clone: Float64Array, lambda: number, state: number, mask?: Uint8Array): number {
  const row = state * table.actions;
  const best = greedyValue(table, state, mask);
  let sum = 0;
  for (let a = 0; a < table.actions; a++) if (mask?.[a] !== 0) sum += exp(clone[row + a]! + (table.q[row + a]! - best) / lambda);
  return best + lambda * log(sum);
}

/** exp((q - best) / lambda) of the legal actions over their sum, to out[at ..]: the policy whose table holds Q + lambda log clone. Lambda above 0. */
export function softChances(
  table: Table,
  lambda: number,
  state: number,
  mask: Uint8Array | undefined,
  out: Float64Array,
  at: number,
): void {
  const row = state * table.actions;
  const best = greedyValue(table, state, mask);
  let sum = 0;
  for (let a = 0; a < table.actions; a++) {
    out[at + a] = mask?.[a] === 0 ? 0 : exp((table.q[row + a]! - best) / lambda);
    sum += out[at + a]!;
  }
  for (let a = 0; a < table.actions; a++) out[at + a]! /= sum;
}

export const demonstrationRegularised = modelMethod<z.infer<typeof config>>(
  {
    id: 'demonstration-regularised',
    version: 2,
    changes: [largestReturn(2)],
    title: 'Demonstration-regularised RL',
    summary: 'Clones the episodes of an expert, then learns by reinforcement with a penalty for leaving the clone.',
    source: {
      title: 'Demonstration-Regularized RL',
      authors: 'Tiapkin et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2310.17303',
    },
    config,
    presets: [
      { id: 'clone', title: 'The clone alone', config: { trust: 1e6 } },
      { id: 'random-mdp', title: 'Random MDP', config: { gamma: 0.9999, maxValue: 20, bonus: 0.1 } },
    ],
    needsModel: true,
    probes: [],
  },
  ({ c, run, table, model, rng }) => {
    const known = modelOf(run, 'Demonstration-regularised RL');
    const most = valueBound(c, run);
    const inner: Table = { ...table, q: new Float64Array(table.q.length).fill(most) };
    const clone = new Float64Array(table.q.length);
    const chances = new Float64Array(table.actions);
    const lambda = c.trust * c.demonstrations;
    const worth = lambda === 0 ? bestValue(inner, model) : (s: number) => regularisedValue(inner, clone, lambda, s, model.maskOf(s));
    const publish = (): void => {
      for (let pair = 0; pair < clone.length; pair++) table.q[pair] = inner.q[pair]! + lambda * clone[pair]!;
    };
    return {
      state: { arrays: { inner: inner.q, clone } },
      start() {
        const best = Int32Array.from(optimalValues(known, c.gamma).best, (equal) => equal[0]!);
        clone.set(cloneOf(demonstrate(known, best, c.demonstrations, run.rng.split('demonstrations')), known.actions));
        publish();
      },
      plan(step) {
        const sweeps = solve(inner, optimisticWorld(model, { bonus: c.bonus, maxValue: most }, step), { gamma: c.gamma, most, worth });
        publish();
        return sweeps;
      },
      choose(s, _, mask) {
        if (lambda === 0) return greedyAction(table, s, mask);
        softChances(table, lambda, s, mask, chances, 0);
        let left = rng.uniform();
        let chosen = 0;
        while (chosen < chances.length - 1 && left >= chances[chosen]!) left -= chances[chosen++]!;
        return chosen;
      },
      ...(lambda > 0 && {
        chances: (s: number, out: Float64Array, at: number) => softChances(table, lambda, s, model.maskOf(s), out, at),
      }),
    };
  },
);
