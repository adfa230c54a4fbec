/**
 * SARSA (Rummery and Niranjan 1994): on-policy temporal differences over a table. The target has the value of the action that is really
 * taken next, so that it includes the cost of exploration.
 *   Q(s,a) += alpha [ r + gamma Q(s',a') - Q(s,a) ],  a' epsilon-greedy in s' and then executed
 * Pseudo-code:
 *   Q(s,a) = initial value for all pairs
 *   a = epsilon-greedy action in the first state s
 *   repeat until the budget is spent
 *     take a, observe r and s'
 *     a' = epsilon-greedy action in s';   if s' is terminal: in the first state of a new episode
 *     target = r if s' is terminal, else r + gamma Q(s',a')
 *     Q(s,a) += alpha [ target - Q(s,a) ]
 *     if a time limit ended the episode: draw a' anew in the first state of a new episode
 *     s = s', or the first state of the new episode;   a = a'
 */
import { finalMasks } from '../api/changes.ts';
import { epsilonGreedy, stateOf, type Table } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';

/** Q(s,a) += alpha [r + gamma Q(s',a') - Q(s,a)], a' being the action taken next. Returns the TD error. */
export function sarsaUpdate(
  table: Table,
  s: number,
  a: number,
  r: number,
  next: number,
  nextAction: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
): number {
  const at = s * table.actions + a;
  const delta = r + (terminated ? 0 : gamma * table.q[next * table.actions + nextAction]!) - table.q[at]!;
  table.q[at]! += alpha * delta;
  return delta;
}

export const sarsa = tabularMethod(
  {
    id: 'sarsa',
    version: 2,
    changes: [finalMasks(2)],
    title: 'SARSA',
    summary: 'Like Q-learning, but learns the values of the policy that acts, exploration included.',
    source: {
      title: 'On-line Q-learning using connectionist systems',
      authors: 'Rummery and Niranjan',
      year: 1994,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const counters = { action: 0 }; // what is done next
    return {
      state: { counters },
      start() {
        counters.action = epsilonGreedy(table, stateOf(buffers.obs, table.states), epsilon(), rng, buffers.mask);
      },
      step() {
        const lr = alpha();
        const s = stateOf(buffers.obs, table.states);
        const a = counters.action;
        action[0] = a;
        env.step(action);
        const terminated = buffers.terminated[0] !== 0;
        const truncated = buffers.truncated[0] !== 0 && !terminated;
        const here = stateOf(buffers.obs, table.states); // of the next episode, if this one ended
        // A time limit is not part of the task: the value of what would have been done there stands in the target.
        const next = truncated ? stateOf(buffers.finalObs, table.states) : here;
        const nextAction = epsilonGreedy(table, next, epsilon(), rng, truncated ? buffers.finalMask : buffers.mask);
        const error = sarsaUpdate(table, s, a, buffers.reward[0]!, next, nextAction, terminated, lr, c.gamma);
        counters.action = truncated ? epsilonGreedy(table, here, epsilon(), rng, buffers.mask) : nextAction;
        return error;
      },
    };
  },
);
