/**
 * Q-learning (Watkins and Dayan 1992): off-policy temporal differences over a table, epsilon-greedy behaviour.
 *   Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ],  no next value after a termination
 * Needs a discrete observation. Step size and exploration may fall linearly over episodes.
 * Pseudo-code:
 *   Q(s,a) = initial value for all pairs
 *   repeat until the budget is spent
 *     epsilon and alpha by their schedules over finished episodes
 *     a = epsilon-greedy action in s by Q
 *     take a, observe r and s'
 *     target = r if s' is terminal, else r + gamma max_b Q(s',b) over the legal actions b
 *     Q(s,a) += alpha [ target - Q(s,a) ]
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { epsilonGreedy, greedyValue, outcomeOf, stateOf, type Table } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';

/**
 * Watkins 1989: Q(s,a) += alpha [r + gamma max_b Q(s',b) - Q(s,a)]; b among the actions that `nextMask` [N] allows in s', all if it is
 * missing. Returns the TD error.
 */
export function qUpdate(
  table: Table,
  s: number,
  a: number,
  r: number,
  next: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
  nextMask?: Uint8Array,
): number {
  const at = s * table.actions + a;
  const delta = r + (terminated ? 0 : gamma * greedyValue(table, next, nextMask)) - table.q[at]!;
  table.q[at]! += alpha * delta;
  return delta;
}

export const qLearning = tabularMethod(
  {
    id: 'q-learning',
    version: 2,
    changes: [
      { version: 2, what: 'The best next action is one that is legal there; before, any counted.', whereMasked: true, rerun: true },
    ],
    title: 'Q-learning',
    summary: 'Learns the value of every action in every state from single steps, towards the best next action.',
    source: { title: 'Q-learning', authors: 'Watkins and Dayan', year: 1992, url: 'https://doi.org/10.1007/BF00992698' },
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    return {
      step() {
        const [eps, lr] = [epsilon(), alpha()];
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, eps, rng, buffers.mask);
        env.step(action);
        const { terminated, next, nextMask } = outcomeOf(buffers, table.states);
        return qUpdate(table, s, action[0]!, buffers.reward[0]!, next, terminated, lr, c.gamma, nextMask);
      },
    };
  },
);
