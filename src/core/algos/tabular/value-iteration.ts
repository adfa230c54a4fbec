/**
 * Value iteration (Bellman 1957): sweeps over all states with the known transition table, until nothing changes any more.
 *   Q(s,a) <- sum_s' P(s'|s,a) [ r + gamma (1 - terminated) max_b Q(s',b) ]
 * Plans, does not act: one sweep counts as S x N steps.
 * Pseudo-code:
 *   Q(s,a) = 0 for all pairs
 *   repeat until the largest change of a sweep is at most `tolerance`, or the budget is spent
 *     V(s) = max_b Q(s,b) for all states, before the sweep
 *     for each state s, for each action a
 *       Q(s,a) = sum_s' P(s'|s,a) [ r + gamma (1 - terminated) V(s') ]
 * Throws LabError('incompatible') where there is no transition table.
 */
import { z } from 'zod';
import { registerState } from '#core/state/checkpoint.ts';
import type { TabularModel } from '../../envs/api/types.ts';
import { actionValue } from '../../envs/lib/tabular/values.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { modelOf } from '../api/guards.ts';
import { safePoint } from '../api/safe-point.ts';
import { createTable, greedyValue, saveTable, type Table, tableHash, tablePolicy, tablePolicyFrom } from '../lib/table.ts';

const config = z.strictObject({
  gamma: fields.gamma(0.99, 'Gymnasium FrozenLake studies', { live: false, slider: [0.5, 1] }),
  tolerance: fields.real(1e-10, {
    above: 0,
    max: 1,
    title: 'tolerance',
    description: 'Stops when no value changes by more than this in one sweep.',
    log: true,
    slider: [1e-14, 1e-2],
  }),
});
type Config = z.infer<typeof config>;

/** One sweep, in place of all values at once (from a copy). Answers the largest change. */
export function sweep(model: TabularModel, table: Table, gamma: number): number {
  const value = Float64Array.from({ length: model.states }, (_, s) => greedyValue(table, s));
  let largest = 0;
  for (let s = 0; s < model.states; s++) {
    for (let a = 0; a < model.actions; a++) {
      const q = actionValue(model, value, gamma, s, a);
      const cell = s * model.actions + a;
      largest = Math.max(largest, Math.abs(q - table.q[cell]!));
      table.q[cell] = q;
    }
  }
  return largest;
}

export const valueIteration = defineAlgo<Config>({
  spec: {
    id: 'value-iteration',
    version: 1,
    title: 'Value iteration',
    summary: 'Computes the optimal policy from the transition table: the reference for every learner on the same task.',
    source: { title: 'Dynamic Programming', authors: 'Bellman', year: 1957 },
    config,
    presets: [],
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    needsModel: true,
    trial: { env: 'frozen-lake', steps: 4000 },
    probes: [],
    metrics: [
      { id: 'change', title: 'largest change', description: 'Largest change of a value in the last sweep.' },
      { id: 'startValue', title: 'value of the start', description: 'Discounted return expected from the start states.' },
      { id: 'sweeps', title: 'sweeps', description: 'Passes over all states so far.' },
    ],
  },

  async *train(run, resume) {
    const { gamma, tolerance } = run.config;
    const model = modelOf(run, 'Value iteration');
    const table = createTable(run.meta);
    const cost = model.states * model.actions;
    const state = registerState({ counters: { step: 0 }, arrays: { q: table.q } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine: { hash: () => tableHash(table) },
      snapshot: () => saveTable(table, 0),
      policy: () => tablePolicy(table, () => 0),
    });
    if (resume !== undefined) state.load(resume);
    let change = Number.POSITIVE_INFINITY;
    while (counters.step < run.steps && change > tolerance) {
      change = sweep(model, table, gamma);
      counters.step += cost;
      let startValue = 0;
      for (let s = 0; s < model.states; s++) startValue += model.start[s]! * greedyValue(table, s);
      const { step } = counters;
      yield { step, metrics: { change, startValue, sweeps: step / cost }, ...point };
    }
  },

  async policy(_, saved) {
    return tablePolicyFrom(saved);
  },
});
