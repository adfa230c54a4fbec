/**
 * Watkins's Q(lambda) (Watkins 1989): Q-learning with eligibility traces. They are cut as soon as the agent explores, because what follows
 * an action that is not the best one says nothing about the best way on.
 *   delta = r + gamma max_b Q(s',b) - Q(s,a),   Q += alpha delta e for all pairs; e becomes 0 unless the next action is a greedy one
 * Pseudo-code:
 *   e = 0 for all pairs, a = epsilon-greedy action in the first state s
 *   repeat until the budget is spent
 *     take a, observe r and s'
 *     a' = epsilon-greedy action in s';   if the episode has ended: in the first state of a new one
 *     greedy = the episode goes on and Q(s',a') = max_b Q(s',b)
 *     delta = r - Q(s,a) if s' is terminal, else r + gamma max_b Q(s',b) - Q(s,a)
 *     e(s,a) = 1;   if traces accumulate: e(s,a) += 1
 *     for all pairs: Q += alpha delta e
 *     for all pairs: e *= gamma lambda if greedy, else e = 0
 *     s = s', or the first state of the new episode;   a = a'
 */
import { epsilonGreedy, greedyValue, outcomeOf, stateOf } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';
import { type TraceConfig, traceFields, traceUpdate } from './lib/traces.ts';

export const qLambda = tabularMethod<TraceConfig>(
  {
    id: 'q-lambda',
    version: 1,
    title: 'Q(lambda)',
    summary: 'Q-learning with eligibility traces that end at the last exploring action.',
    source: {
      title: 'Learning from Delayed Rewards',
      authors: 'Watkins',
      year: 1989,
      url: 'http://www.cs.rhul.ac.uk/~chrisw/new_thesis.pdf',
    },
    presets: [
      { id: 'cliff-walking', title: 'Cliff walking', config: { alpha: 0.2, gamma: 1, epsilon: 0.1, maxEpisodes: 500 } },
      {
        id: 'frozen-lake',
        title: 'Slippery frozen lake, 10,000 episodes',
        config: {
          alpha: 0.05,
          gamma: 0.99,
          lambda: 0.8,
          epsilon: 1,
          decay: { kind: 'linear', epsilonFinal: 0.05, episodes: 5000 },
          maxEpisodes: 10_000,
        },
      },
    ],
    fields: traceFields,
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const traces = new Float64Array(table.q.length);
    const counters = { action: 0 }; // what is done next
    return {
      state: { counters, arrays: { traces } },
      start() {
        counters.action = epsilonGreedy(table, stateOf(buffers.obs, table.states), epsilon(), rng, buffers.mask);
      },
      step() {
        const s = stateOf(buffers.obs, table.states);
        const cell = s * table.actions + counters.action;
        action[0] = counters.action;
        env.step(action);
        const { terminated, ended, next, nextMask } = outcomeOf(buffers, table.states);
        const here = stateOf(buffers.obs, table.states); // of the next episode, if this one ended
        const best = greedyValue(table, next, nextMask);
        const nextAction = epsilonGreedy(table, here, epsilon(), rng, buffers.mask);
        const delta = buffers.reward[0]! + (terminated ? 0 : c.gamma * best) - table.q[cell]!;
        const greedy = !ended && table.q[here * table.actions + nextAction] === best;
        traceUpdate(table, traces, cell, delta, { alpha: alpha(), decay: c.gamma * c.lambda, kind: c.traces, forget: !greedy });
        counters.action = nextAction;
        return delta;
      },
    };
  },
);
