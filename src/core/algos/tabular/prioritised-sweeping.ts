/**
 * Prioritised sweeping (Moore and Atkeson 1993; Sutton and Barto 2018, section 8.4): Dyna that practises first where it would change most,
 * and from there goes backwards to the pairs that lead to it.
 *   priority(s,a) = | r + gamma max_b Q(s',b) - Q(s,a) |
 *   Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ]   for the pair of the highest priority
 * Then the priorities of all pairs that lead to its state are renewed, up to `planningSteps` times a step and as long as one is above
 * `threshold`. The memory is Dyna's: what came of a pair the last time.
 * Pseudo-code:
 *   Q(s,a) = initial value, priority(s,a) = 0 for all pairs, the model is empty
 *   repeat until the budget is spent
 *     a = epsilon-greedy action in s by Q
 *     take a, observe r and s';   model(s,a) = (r, s', whether s' is terminal)
 *     rate (s,a)
 *     repeat `planningSteps` times, as long as a priority is above 0
 *       (u,c) = the tried pair of the highest priority, with (r, u') = model(u,c)
 *       Q(u,c) += alpha [ r + gamma max_b Q(u',b) - Q(u,c) ], no next value after a termination
 *       rate (u,c)
 *       for each tried pair that led to u without a termination, by the model: rate it
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 *   rate (s,a): with (r, s') = model(s,a), no next value after a termination
 *     priority(s,a) = | r + gamma max_b Q(s',b) - Q(s,a) |;   0 if that is not above `threshold`
 */
import * as fields from '../api/fields.ts';
import { epsilonGreedy, greedyValue, outcomeOf, stateOf, type Table } from '../lib/table.ts';
import { planningSteps } from './dyna-q.ts';
import { WorldMemory } from './lib/memory.ts';
import { tabularMethod } from './lib/td.ts';

/** How much a remembered step would move its value. */
export function priorityOf(table: Table, memory: WorldMemory, pair: number, gamma: number): number {
  const next = memory.next[pair]!;
  const tail = memory.ended[pair] === 1 ? 0 : gamma * greedyValue(table, next, memory.maskOf(next));
  return Math.abs(memory.reward[pair]! + tail - table.q[pair]!);
}

export const prioritisedSweeping = tabularMethod<{ planningSteps: number; threshold: number }>(
  {
    id: 'prioritised-sweeping',
    version: 1,
    title: 'Prioritised sweeping',
    summary: 'Updates from remembered transitions, largest change first, then the states that lead there.',
    source: {
      title: 'Prioritized sweeping: Reinforcement learning with less data and less time',
      authors: 'Moore and Atkeson',
      year: 1993,
      url: 'https://doi.org/10.1007/BF00993104',
    },
    presets: [
      { id: 'cliff-walking', title: 'Cliff walking, 50 planning steps', config: { gamma: 0.95, planningSteps: 50, maxEpisodes: 500 } },
    ],
    fields: {
      planningSteps: planningSteps(5),
      threshold: fields.real(1e-4, {
        min: 0,
        max: 1e3,
        title: 'threshold',
        description: 'A remembered step that would change its value by less is not worth a planning step.',
        source: 'Sutton and Barto 2018, section 8.4',
        log: true,
        slider: [1e-6, 1],
        group: 'planning',
      }),
    },
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const memory = new WorldMemory(table, env.meta.masked);
    const priorities = new Float64Array(table.q.length); // 0: not in the queue
    const rate = (pair: number) => {
      const priority = priorityOf(table, memory, pair, c.gamma);
      priorities[pair] = priority > c.threshold ? priority : 0;
    };
    const first = (): number => {
      let best = -1;
      for (let i = 0; i < memory.counters.known; i++) {
        const pair = memory.order[i]!;
        if (priorities[pair]! > 0 && (best < 0 || priorities[pair]! > priorities[best]!)) best = pair;
      }
      return best;
    };
    const { counters, arrays } = memory.layout;
    return {
      state: { ...(counters && { counters }), arrays: { ...arrays, priorities } },
      step() {
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, epsilon(), rng, buffers.mask);
        env.step(action);
        const a = action[0]!;
        const { terminated, next, nextMask } = outcomeOf(buffers, table.states);
        memory.learn(s, a, buffers.reward[0]!, next, terminated, nextMask);
        const pair = s * table.actions + a;
        const error = priorityOf(table, memory, pair, c.gamma);
        rate(pair);
        for (let k = 0; k < c.planningSteps; k++) {
          const urgent = first();
          if (urgent < 0) break;
          memory.replay(urgent, alpha(), c.gamma);
          rate(urgent);
          const state = Math.floor(urgent / table.actions);
          for (let i = 0; i < memory.counters.known; i++) {
            const before = memory.order[i]!;
            if (memory.next[before] === state && memory.ended[before] === 0) rate(before);
          }
        }
        return error;
      },
    };
  },
);
