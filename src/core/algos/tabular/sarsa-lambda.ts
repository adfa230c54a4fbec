/**
 * SARSA(lambda) (Rummery and Niranjan 1994; Sutton and Barto 2018, section 12.7): SARSA with eligibility traces, so that a reward teaches
 * all steps that led to it at once, the late ones most.
 *   delta = r + gamma Q(s',a') - Q(s,a),   Q += alpha delta e for all pairs; the traces e are in lib/traces.ts
 * Pseudo-code:
 *   e = 0 for all pairs, a = epsilon-greedy action in the first state s
 *   repeat until the budget is spent
 *     take a, observe r and s'
 *     a' = epsilon-greedy action in s';   if s' is terminal: in the first state of a new episode
 *     delta = r - Q(s,a) if s' is terminal, else r + gamma Q(s',a') - Q(s,a)
 *     e(s,a) = 1;   if traces accumulate: e(s,a) += 1
 *     for all pairs: Q += alpha delta e
 *     for all pairs: e *= gamma lambda;   if the episode has ended: e = 0
 *     if a time limit ended the episode: draw a' anew in the first state of a new episode
 *     s = s', or the first state of the new episode;   a = a'
 */
import { epsilonGreedy, stateOf } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';
import { type TraceConfig, traceFields, traceUpdate } from './lib/traces.ts';

export const sarsaLambda = tabularMethod<TraceConfig>(
  {
    id: 'sarsa-lambda',
    version: 1,
    title: 'SARSA(lambda)',
    summary: 'SARSA with eligibility traces: each error also corrects the steps before it, less the further back they lie.',
    source: {
      title: 'On-line Q-learning using connectionist systems',
      authors: 'Rummery and Niranjan',
      year: 1994,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
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
        const terminated = buffers.terminated[0] !== 0;
        const truncated = buffers.truncated[0] !== 0 && !terminated;
        const here = stateOf(buffers.obs, table.states); // of the next episode, if this one ended
        const next = truncated ? stateOf(buffers.finalObs, table.states) : here;
        const nextAction = epsilonGreedy(table, next, epsilon(), rng, truncated ? buffers.finalMask : buffers.mask);
        const tail = terminated ? 0 : c.gamma * table.q[next * table.actions + nextAction]!;
        const delta = buffers.reward[0]! + tail - table.q[cell]!;
        const forget = terminated || truncated;
        traceUpdate(table, traces, cell, delta, { alpha: alpha(), decay: c.gamma * c.lambda, kind: c.traces, forget });
        counters.action = truncated ? epsilonGreedy(table, here, epsilon(), rng, buffers.mask) : nextAction;
        return delta;
      },
    };
  },
);
