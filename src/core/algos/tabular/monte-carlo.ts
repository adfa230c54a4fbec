/**
 * On-policy Monte Carlo control, first visit (Sutton and Barto 2018, section 5.4): waits for the end of an episode and moves the value of
 * every action towards the return that really followed its first use. No value is built on another value.
 *   Q(s,a) += [ G - Q(s,a) ] / n(s,a), or with a constant step size,   G = r + gamma r' + gamma^2 r'' + ..
 * An episode longer than `longest` steps, or one that a time limit cut, is learned from with the value of its last state behind it.
 * Pseudo-code:
 *   Q(s,a) = initial value, n(s,a) = 0 for all pairs
 *   repeat until the budget is spent
 *     act epsilon-greedily by Q for T steps, until the episode ends or T = `longest`
 *     G = 0 if the last state s_T is terminal, else max_b Q(s_T,b)
 *     for t = T - 1 down to 0
 *       G = r_t + gamma G
 *       if (s_t,a_t) does not occur before t
 *         n(s_t,a_t) += 1
 *         step = 1 / n(s_t,a_t);   if not averaging: step = alpha
 *         Q(s_t,a_t) += step [ G - Q(s_t,a_t) ]
 */
import type { z } from 'zod';
import { kind, variant } from '../../envs/api/variant.ts';
import * as fields from '../api/fields.ts';
import { epsilonGreedy, greedyValue, outcomeOf, stateOf, type Table } from '../lib/table.ts';
import { tabularMethod } from './lib/td.ts';

/**
 * Learns from an episode of `length` steps; `tail` is what follows its last step. `counts` [S, N] are raised for first visits; `alpha` null
 * averages all returns of an action. Answers the mean absolute error of the values that were moved.
 */
export function monteCarloUpdate(
  table: Table,
  counts: Float64Array,
  episode: { readonly cells: Int32Array; readonly rewards: Float64Array; readonly length: number },
  tail: number,
  gamma: number,
  alpha: number | null,
): number {
  const { cells, rewards, length } = episode;
  const first = new Map<number, number>();
  for (let t = length - 1; t >= 0; t--) first.set(cells[t]!, t);
  let [g, errors] = [tail, 0];
  for (let t = length - 1; t >= 0; t--) {
    g = rewards[t]! + gamma * g;
    const cell = cells[t]!;
    if (first.get(cell) !== t) continue;
    counts[cell]!++;
    const error = g - table.q[cell]!;
    table.q[cell]! += (alpha ?? 1 / counts[cell]!) * error;
    errors += Math.abs(error);
  }
  return first.size === 0 ? 0 : errors / first.size;
}

const average = variant(
  'on',
  [
    kind('on', {}),
    kind('off', {
      alpha: fields.lr(0.5, 'Sutton and Barto 2018, example 6.6', {
        title: 'step size (alpha)',
        description: 'Share of the error of a return that is added to the value.',
        log: false,
        slider: [0.01, 1],
        group: 'learning',
      }),
    }),
  ],
  {
    title: 'average all returns',
    description: 'Every return counts alike; off: later ones count more, by the step size.',
    source: 'Sutton and Barto 2018, section 5.4',
    group: 'learning',
  },
);

export const monteCarlo = tabularMethod<{ average: z.output<typeof average>; longest: number }>(
  {
    id: 'monte-carlo',
    version: 1,
    title: 'Monte Carlo control',
    summary: 'Plays whole episodes and averages the returns that followed each action.',
    source: {
      title: 'Reinforcement Learning: An Introduction',
      authors: 'Sutton and Barto',
      year: 2018,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
    presets: [
      {
        id: 'frozen-lake',
        title: 'Slippery frozen lake, 40,000 episodes',
        config: {
          gamma: 0.99,
          epsilon: 1,
          decay: { kind: 'linear', epsilonFinal: 0.05, episodes: 20_000 },
          maxEpisodes: 40_000,
          average: { kind: 'off', alpha: 0.01 },
        },
      },
    ],
    fields: {
      average,
      longest: fields.integer(10_000, {
        min: 10,
        max: 100_000,
        title: 'longest episode',
        unit: 'steps',
        description: 'After so many steps it learns from what it has, as if a time limit had come.',
        source: 'own choice',
        log: true,
        depth: 'stored',
        group: 'learning',
      }),
    },
    stepSize: ({ average }) => (average.kind === 'off' ? average.alpha : Number.NaN),
    trial: { env: 'frozen-lake', steps: 4000, config: { longest: 200, epsilon: 1 } },
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const counts = new Float64Array(table.q.length);
    const cells = new Int32Array(c.longest);
    const rewards = new Float64Array(c.longest);
    const counters = { length: 0 };
    return {
      state: { counters, arrays: { counts, cells, rewards } },
      step() {
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, epsilon(), rng, buffers.mask);
        env.step(action);
        const at = counters.length++;
        cells[at] = s * table.actions + action[0]!;
        rewards[at] = buffers.reward[0]!;
        const { terminated, ended, next, nextMask } = outcomeOf(buffers, table.states);
        if (!ended && counters.length < c.longest) return 0;
        const tail = terminated ? 0 : greedyValue(table, next, nextMask);
        const error = monteCarloUpdate(
          table,
          counts,
          { cells, rewards, length: counters.length },
          tail,
          c.gamma,
          c.average.kind === 'on' ? null : alpha(),
        );
        counters.length = 0;
        return error;
      },
    };
  },
);
