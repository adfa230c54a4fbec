/**
 * Policy iteration (Howard 1960): works out what the present policy is worth in every state, then takes the best action by those values,
 * until nothing changes. Each policy is better than the one before, and there are few of them.
 *   evaluate V = V^pi;   improve pi(s) = argmax_a sum_s' P(s'|s,a) [ r + gamma (1 - terminated) V(s') ]
 * Plans, does not act: one policy, evaluated and improved, counts as S x N steps.
 * Pseudo-code:
 *   V(s) = 0 for all states, pi uniformly random
 *   repeat until no state changes its action, or the budget is spent
 *     sweep until no value changes by more than `tolerance`, at most 100,000 times
 *       for each state s, in place
 *         V(s) = sum_a pi(a|s) sum_s' P(s'|s,a) [ r + gamma (1 - terminated) V(s') ]
 *     for each state s
 *       for each action a: Q(s,a) = sum_s' P(s'|s,a) [ r + gamma (1 - terminated) V(s') ]
 *       if pi is the random one, or Q(s,pi(s)) is more than 1e-9 below the best Q(s,a)
 *         pi(s) = argmax_a Q(s,a)
 * Throws LabError('incompatible') where there is no transition table.
 */
import { z } from 'zod';
import { registerState } from '#core/state/checkpoint.ts';
import { actionValue, startValue } from '../../envs/lib/tabular/values.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { modelOf } from '../api/guards.ts';
import { safePoint } from '../api/safe-point.ts';
import { createTable, greedyAction, saveTable, tableHash, tablePolicy, tablePolicyFrom } from '../lib/table.ts';
import { evaluatePolicy, uniformChances } from './lib/evaluation.ts';

const config = z.strictObject({
  gamma: fields.gamma(0.99, 'Gymnasium FrozenLake studies', { live: false, max: 0.9999, slider: [0.5, 0.999] }),
  tolerance: fields.real(1e-10, {
    above: 0,
    max: 1,
    title: 'tolerance',
    description: 'A policy is evaluated until no value changes by more than this in one sweep.',
    log: true,
    slider: [1e-14, 1e-2],
  }),
});
type Config = z.infer<typeof config>;

/** An action must be better by this to be preferred: equal ones would be exchanged for ever. */
const BETTER = 1e-9;

export const policyIteration = defineAlgo<Config>({
  spec: {
    id: 'policy-iteration',
    version: 1,
    title: 'Policy iteration',
    summary: 'Evaluates a policy, improves it by its own values, and again: the optimum after a handful of policies.',
    source: { title: 'Dynamic Programming and Markov Processes', authors: 'Howard', year: 1960 },
    config,
    presets: [],
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    needsModel: true,
    trial: { env: 'frozen-lake', steps: 4000 },
    probes: [],
    metrics: [
      { id: 'changed', title: 'changed states', description: 'States whose action the last improvement changed.' },
      { id: 'startValue', title: 'value of the start', description: 'Discounted return of the policy from the start states.' },
      { id: 'sweeps', title: 'sweeps', description: 'Passes over all states that the last evaluation took.' },
      { id: 'policies', title: 'policies', description: 'Policies evaluated so far, the first one uniformly random.' },
    ],
  },

  async *train(run, resume) {
    const { gamma, tolerance } = run.config;
    const model = modelOf(run, 'Policy iteration');
    const { states, actions } = model;
    const table = createTable(run.meta);
    const values = new Float64Array(states);
    const chances = uniformChances(model);
    const cost = states * actions;
    const state = registerState({ counters: { step: 0, policies: 0, done: 0 }, arrays: { q: table.q, values, chances } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine: { hash: () => tableHash(table) },
      snapshot: () => saveTable(table, 0),
      policy: () => tablePolicy(table, () => 0),
    });
    if (resume !== undefined) state.load(resume);
    while (counters.step < run.steps && counters.done === 0) {
      const sweeps = evaluatePolicy(model, chances, gamma, tolerance, values);
      let changed = 0;
      for (let s = 0; s < states; s++) {
        for (let a = 0; a < actions; a++) table.q[s * actions + a] = actionValue(model, values, gamma, s, a);
        const row = s * actions;
        const best = greedyAction(table, s);
        const now = chances.indexOf(1, row);
        const kept = counters.policies > 0 && table.q[now]! >= table.q[row + best]! - BETTER;
        if (kept) continue;
        changed++;
        chances.fill(0, row, row + actions);
        chances[row + best] = 1;
      }
      counters.policies++;
      counters.step += cost;
      counters.done = changed === 0 ? 1 : 0;
      const { step, policies } = counters;
      yield { step, metrics: { changed, startValue: startValue(model, values), sweeps, policies }, ...point };
    }
  },

  policy: async (_, saved) => tablePolicyFrom(saved),
});
