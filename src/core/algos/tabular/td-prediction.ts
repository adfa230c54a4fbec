/**
 * TD(0) prediction (Sutton 1988): learns what the states are worth to an agent that acts at random, from single steps. Nothing is improved:
 * this is the half of learning that all control methods stand on, by itself.
 *   V(s) += alpha [ r + gamma V(s') - V(s) ],   no next value after a termination
 * Where the environment gives its transition table the error of the values is reported against the exact ones.
 * Pseudo-code:
 *   V(s) = initial value for all states
 *   repeat until the budget is spent
 *     a = an action drawn evenly from the legal ones
 *     take a, observe r and s'
 *     target = r if s' is terminal, else r + gamma V(s')
 *     V(s) += alpha [ target - V(s) ]
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { hashBytes } from '#math/hash.ts';
import { randomAction } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { outcomeOf, stateOf, stepsPerRow } from '../lib/table.ts';
import { evaluatePolicy, uniformChances } from './lib/evaluation.ts';

const source = 'Sutton and Barto 2018, example 6.2';
const config = z.strictObject({
  alpha: fields.lr(0.1, source, {
    title: 'step size (alpha)',
    description: 'Share of the TD error that is added to the value.',
    log: false,
    slider: [0.01, 1],
  }),
  gamma: fields.gamma(0.99, 'own choice', { live: false, slider: [0.5, 1] }),
  initialValue: fields.real(0, {
    min: -1e6,
    max: 1e6,
    title: 'initial value',
    description: 'Initial value estimate of every state.',
  }),
});
type Config = z.infer<typeof config>;

/** V(s) += alpha [r + gamma V(s') - V(s)]; answers the TD error. */
export function tdUpdate(
  values: Float64Array,
  s: number,
  r: number,
  next: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
): number {
  const delta = r + (terminated ? 0 : gamma * values[next]!) - values[s]!;
  values[s]! += alpha * delta;
  return delta;
}

/** Acts at random, and reports its value estimate of a state. */
function predictor(values: Float64Array, actions: number): Policy {
  const none = new Float32Array(0);
  return {
    initial: () => none,
    act({ obs, rows, rng, mask }) {
      const chosen = new Int32Array(rows);
      const value = new Float32Array(rows);
      for (let row = 0; row < rows; row++) {
        chosen[row] = randomAction(rng, actions, mask, row * actions);
        value[row] = values[stateOf(obs, values.length, row)]!;
      }
      return { actions: chosen, hidden: none, value };
    },
    dispose() {},
  };
}

export const tdPrediction = defineAlgo<Config>({
  spec: {
    id: 'td-prediction',
    version: 1,
    title: 'TD(0) prediction',
    summary: 'Learns the value of each state under random play; the policy does not change.',
    source: {
      title: 'Learning to predict by the methods of temporal differences',
      authors: 'Sutton',
      year: 1988,
      url: 'https://doi.org/10.1007/BF00115009',
    },
    config,
    presets: [{ id: 'slow', title: 'Small steps for exact values', config: { alpha: 0.01 } }],
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    mixed: true, // the policy that is judged, not a learned one
    trial: { env: 'frozen-lake', steps: 4000 },
    probes: [],
    metrics: [
      ...episodeMetrics,
      { id: 'tdError', title: 'TD error', description: 'Mean absolute TD error since the last row.' },
      {
        id: 'valueError',
        title: 'error of the values',
        description: 'Root mean square difference from the exact values, over all states that do not end.',
      },
    ],
  },

  async *train(run, resume) {
    const c = run.config;
    const env = run.makeEnv(1);
    const { buffers } = env;
    const rng = run.rng.split('exploration');
    const { obsSize: states, actionCount: actions } = run.meta;
    const values = new Float64Array(states).fill(c.initialValue);
    const model = run.meta.masked ? undefined : env.env.model?.();
    const exact = new Float64Array(model?.states ?? 0);
    if (model !== undefined) evaluatePolicy(model, uniformChances(model), c.gamma, 1e-10, exact);
    const goesOn = (s: number): boolean => {
      // A state in which every action ends at once is an end itself.
      if (model === undefined) return true;
      return model.terminated.subarray(model.offset[s * actions]!, model.offset[(s + 1) * actions]!).includes(0);
    };
    const judged = Array.from({ length: exact.length }, (_, s) => s).filter(goesOn);
    const state = registerState({ counters: { step: 0 }, parts: { env }, arrays: { values, rng } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine: { hash: () => hashBytes(values) },
      snapshot: (): Saved => ({ meta: { actions }, arrays: { values: values.slice() } }),
      policy: () => predictor(values, actions),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);
    const action = new Int32Array(1);
    const every = stepsPerRow(run.steps);
    while (counters.step < run.steps) {
      let [errors, count] = [0, 0];
      for (; count < every && counters.step < run.steps; count++, counters.step++) {
        const s = stateOf(buffers.obs, states);
        action[0] = randomAction(rng, actions, buffers.mask);
        env.step(action);
        const { terminated, next } = outcomeOf(buffers, states);
        errors += Math.abs(tdUpdate(values, s, buffers.reward[0]!, next, terminated, c.alpha, c.gamma));
      }
      const squares = judged.reduce((sum, s) => sum + (values[s]! - exact[s]!) ** 2, 0);
      const valueError = judged.length === 0 ? Number.NaN : Math.sqrt(squares / judged.length);
      yield { step: counters.step, metrics: { ...episodeRow(env), tdError: errors / count, valueError }, ...point };
    }
  },

  async policy(_, saved) {
    const { values } = saved.arrays;
    if (!(values instanceof Float64Array)) throw fail('file-invalid', 'This policy holds no values of states.', 'Save it again.');
    return predictor(values.slice(), savedNumber(saved, 'actions'));
  },
});
