/**
 * Double Q-learning (van Hasselt 2010): two tables, of which a coin picks the one to change; that one says which next action is best, the
 * other what it is worth. The maximum of noisy values is then no longer too high. It acts by the mean of both.
 *   Q1(s,a) += alpha [ r + gamma Q2(s', argmax_b Q1(s',b)) - Q1(s,a) ],   or the same with 1 and 2 exchanged
 * Pseudo-code:
 *   Q1(s,a) = Q2(s,a) = Q(s,a) = initial value for all pairs
 *   repeat until the budget is spent
 *     a = epsilon-greedy action in s by Q
 *     take a, observe r and s'
 *     toss a fair coin: X = Q1 and Y = Q2, or X = Q2 and Y = Q1
 *     b = argmax X(s',b) over the legal actions b
 *     target = r if s' is terminal, else r + gamma Y(s',b)
 *     X(s,a) += alpha [ target - X(s,a) ]
 *     Q(s,a) = [ Q1(s,a) + Q2(s,a) ] / 2
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { epsilonGreedy, greedyAction, outcomeOf, stateOf, type Table } from '../lib/table.ts';
import { tabularMethod, tabularPresets } from './lib/td.ts';

/** Changes `own`, which chooses; `other` values. `nextMask` [N]: the actions allowed in s'. Answers the TD error. */
export function doubleQUpdate(
  own: Table,
  other: Table,
  s: number,
  a: number,
  r: number,
  next: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
  nextMask?: Uint8Array,
): number {
  const at = s * own.actions + a;
  const tail = terminated ? 0 : gamma * other.q[next * own.actions + greedyAction(own, next, nextMask)]!;
  const delta = r + tail - own.q[at]!;
  own.q[at]! += alpha * delta;
  return delta;
}

export const doubleQLearning = tabularMethod(
  {
    id: 'double-q-learning',
    version: 1,
    title: 'Double Q-learning',
    summary: 'Q-learning with two tables: one chooses the best next action, the other values it, which avoids overestimation.',
    source: { title: 'Double Q-learning', authors: 'van Hasselt', year: 2010, url: 'https://proceedings.neurips.cc/paper/2010' },
    presets: [
      // each table learns from half of the steps: with epsilon 0.1 it stays on the safe path for some 50,000 episodes
      { id: 'cliff-walking', title: 'Cliff walking, half of the moves at random', config: { alpha: 0.5, gamma: 1, epsilon: 0.5 } },
      ...tabularPresets.filter(({ id }) => id !== 'cliff-walking'),
    ],
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const [first, second] = [
      { ...table, q: table.q.slice() },
      { ...table, q: table.q.slice() },
    ];
    return {
      state: { arrays: { first: first.q, second: second.q } },
      step() {
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, epsilon(), rng, buffers.mask);
        const a = action[0]!;
        env.step(action);
        const { terminated, next, nextMask } = outcomeOf(buffers, table.states);
        const [own, other] = rng.uniform() < 0.5 ? [first, second] : [second, first];
        const error = doubleQUpdate(own, other, s, a, buffers.reward[0]!, next, terminated, alpha(), c.gamma, nextMask);
        const at = s * table.actions + a;
        table.q[at] = (first.q[at]! + second.q[at]!) / 2;
        return error;
      },
    };
  },
);
