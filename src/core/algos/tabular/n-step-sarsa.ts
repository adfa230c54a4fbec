/**
 * n-step SARSA (Sutton and Barto 2018, section 7.2): the target holds n real rewards before it stands on a value. n = 1 is SARSA, a large n
 * Monte Carlo control.
 *   Q(s_t,a_t) += alpha [ r_t + gamma r_{t+1} + .. + gamma^{n-1} r_{t+n-1} + gamma^n Q(s_{t+n}, a_{t+n}) - Q(s_t,a_t) ]
 * At the end of an episode the windows that are still open are closed with what there is.
 * Pseudo-code:
 *   a = epsilon-greedy action in the first state s, the window is empty
 *   repeat until the budget is spent
 *     take a, observe r and s';   append (s, a, r) to the window
 *     a' = epsilon-greedy action in s';   if s' is terminal: in the first state of a new episode
 *     while the window holds n steps, or the episode has ended and it holds any
 *       k = its length;   tail = 0 if s' is terminal, else Q(s',a')
 *       G = r_1 + gamma r_2 + .. + gamma^{k-1} r_k + gamma^k tail, r_1 .. r_k its rewards
 *       for its oldest pair: Q(s_1,a_1) += alpha [ G - Q(s_1,a_1) ]
 *       drop the oldest step
 *     if a time limit ended the episode: draw a' anew in the first state of a new episode
 *     s = s', or the first state of the new episode;   a = a'
 */
import * as fields from '../api/fields.ts';
import { epsilonGreedy, stateOf, type Table } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';

/**
 * Moves the oldest of `length` remembered steps, beginning at `from` in rings of that many [n], towards its rewards and `tail`, the value behind
 * them. Answers the TD error.
 */
export function nStepUpdate(
  table: Table,
  ring: { readonly cells: Int32Array; readonly rewards: Float64Array },
  from: number,
  length: number,
  tail: number,
  alpha: number,
  gamma: number,
): number {
  const n = ring.cells.length;
  let g = tail;
  for (let k = length - 1; k >= 0; k--) g = ring.rewards[(from + k) % n]! + gamma * g;
  const cell = ring.cells[from % n]!;
  const delta = g - table.q[cell]!;
  table.q[cell]! += alpha * delta;
  return delta;
}

export const nStepSarsa = tabularMethod<{ n: number }>(
  {
    id: 'n-step-sarsa',
    version: 1,
    title: 'n-step SARSA',
    summary: 'SARSA whose targets hold n rewards before the next value: between one step and the whole episode.',
    source: {
      title: 'Reinforcement Learning: An Introduction',
      authors: 'Sutton and Barto',
      year: 2018,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
    presets: [
      { id: 'cliff-walking', title: 'Cliff walking, four steps', config: { alpha: 0.2, gamma: 1, epsilon: 0.1, maxEpisodes: 500 } },
      {
        id: 'frozen-lake',
        title: 'Slippery frozen lake, 10,000 episodes',
        config: {
          alpha: 0.05,
          gamma: 0.99,
          epsilon: 1,
          decay: { kind: 'linear', epsilonFinal: 0.05, episodes: 5000 },
          maxEpisodes: 10_000,
        },
      },
    ],
    fields: {
      n: fields.integer(4, {
        min: 1,
        max: 1000,
        title: 'rewards per target (n)',
        unit: 'steps',
        description: 'How many real rewards a target holds before it stands on a value.',
        source: 'Sutton and Barto 2018, figure 7.2',
        log: true,
        slider: [1, 64],
        group: 'learning',
      }),
    },
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const ring = { cells: new Int32Array(c.n), rewards: new Float64Array(c.n) };
    const counters = { action: 0, from: 0, length: 0 };
    return {
      state: { counters, arrays: ring },
      start() {
        counters.action = epsilonGreedy(table, stateOf(buffers.obs, table.states), epsilon(), rng, buffers.mask);
      },
      step() {
        const lr = alpha();
        const s = stateOf(buffers.obs, table.states);
        action[0] = counters.action;
        env.step(action);
        const place = (counters.from + counters.length) % c.n;
        ring.cells[place] = s * table.actions + counters.action;
        ring.rewards[place] = buffers.reward[0]!;
        counters.length++;
        const terminated = buffers.terminated[0] !== 0;
        const truncated = buffers.truncated[0] !== 0 && !terminated;
        const here = stateOf(buffers.obs, table.states); // of the next episode, if this one ended
        const next = truncated ? stateOf(buffers.finalObs, table.states) : here;
        const nextAction = epsilonGreedy(table, next, epsilon(), rng, truncated ? buffers.finalMask : buffers.mask);
        let errors = 0;
        let closed = 0;
        while (counters.length === c.n || ((terminated || truncated) && counters.length > 0)) {
          const tail = terminated ? 0 : table.q[next * table.actions + nextAction]!;
          errors += Math.abs(nStepUpdate(table, ring, counters.from, counters.length, tail, lr, c.gamma));
          closed++;
          counters.from = (counters.from + 1) % c.n;
          counters.length--;
        }
        counters.action = truncated ? epsilonGreedy(table, here, epsilon(), rng, buffers.mask) : nextAction;
        return closed === 0 ? 0 : errors / closed;
      },
    };
  },
);
