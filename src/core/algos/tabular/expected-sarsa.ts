/**
 * Expected SARSA (van Seijen et al. 2009): on-policy temporal differences whose target is the mean over the next action instead of one
 * draw, so that the noise of exploring is gone from it.
 *   Q(s,a) += alpha [ r + gamma sum_b pi(b|s') Q(s',b) - Q(s,a) ],   pi epsilon-greedy: 1 - epsilon on the best, epsilon spread evenly
 * Pseudo-code:
 *   Q(s,a) = initial value for all pairs
 *   repeat until the budget is spent
 *     a = epsilon-greedy action in s by Q
 *     take a, observe r and s'
 *     V(s') = (1 - epsilon) max_b Q(s',b) + epsilon mean_b Q(s',b), over the legal actions b
 *     target = r if s' is terminal, else r + gamma V(s')
 *     Q(s,a) += alpha [ target - Q(s,a) ]
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { epsilonGreedy, greedyAction, outcomeOf, stateOf, type Table } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';

/** Mean value of an epsilon-greedy action in a state, among those that `mask` [N] allows; all if it is missing. */
export function expectedValue(table: Table, state: number, epsilon: number, mask?: Uint8Array): number {
  let [sum, legal] = [0, 0];
  for (let a = 0; a < table.actions; a++) {
    if (mask !== undefined && mask[a] === 0) continue;
    sum += table.q[state * table.actions + a]!;
    legal++;
  }
  const best = table.q[state * table.actions + greedyAction(table, state, mask)]!;
  return (1 - epsilon) * best + (legal === 0 ? 0 : (epsilon * sum) / legal);
}

/** The update above; answers the TD error. `nextMask` as in expectedValue. */
export function expectedSarsaUpdate(
  table: Table,
  s: number,
  a: number,
  r: number,
  next: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
  epsilon: number,
  nextMask?: Uint8Array,
): number {
  const at = s * table.actions + a;
  const delta = r + (terminated ? 0 : gamma * expectedValue(table, next, epsilon, nextMask)) - table.q[at]!;
  table.q[at]! += alpha * delta;
  return delta;
}

export const expectedSarsa = tabularMethod(
  {
    id: 'expected-sarsa',
    version: 1,
    title: 'Expected SARSA',
    summary: 'Like SARSA, but its target is the mean over the next actions, which makes learning steadier.',
    source: {
      title: 'A Theoretical and Empirical Analysis of Expected Sarsa',
      authors: 'van Seijen et al.',
      year: 2009,
      url: 'https://doi.org/10.1109/ADPRL.2009.4927542',
    },
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
        return expectedSarsaUpdate(table, s, action[0]!, buffers.reward[0]!, next, terminated, lr, c.gamma, eps, nextMask);
      },
    };
  },
);
