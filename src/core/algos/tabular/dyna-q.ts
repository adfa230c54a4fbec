/**
 * Dyna-Q (Sutton 1990; Sutton and Barto 2018, section 8.2): Q-learning that also learns from remembered steps. After every real step it
 * updates on `planningSteps` remembered ones, drawn evenly from all pairs that were tried, so that it needs far fewer real steps.
 *   Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ]   for the real step, then for remembered (s, a, r, s')
 * The model keeps only the last outcome of each pair, which is exact where the world is deterministic.
 * Pseudo-code:
 *   Q(s,a) = initial value for all pairs, the model is empty
 *   repeat until the budget is spent
 *     a = epsilon-greedy action in s by Q
 *     take a, observe r and s'
 *     Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ], no next value after a termination
 *     model(s,a) = (r, s', whether s' is terminal)
 *     repeat `planningSteps` times
 *       draw a pair (u,c) evenly from all that were tried, with (r, u') = model(u,c)
 *       Q(u,c) += alpha [ r + gamma max_b Q(u',b) - Q(u,c) ], no next value after a termination
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import * as fields from '../api/fields.ts';
import { epsilonGreedy, outcomeOf, stateOf } from '../lib/table.ts';
import { WorldMemory } from './lib/memory.ts';
import { tabularMethod } from './lib/td.ts';
import { qUpdate } from './q-learning.ts';

export const planningSteps = (value: number) =>
  fields.integer(value, {
    min: 0,
    max: 1000,
    title: 'planning steps',
    unit: 'per step',
    description: 'Remembered steps that are learned from after every real one; 0 is Q-learning.',
    source: 'Sutton and Barto 2018, figure 8.2',
    slider: [0, 50],
    group: 'planning',
  });

export const dynaQ = tabularMethod<{ planningSteps: number }>(
  {
    id: 'dyna-q',
    version: 1,
    title: 'Dyna-Q',
    summary: 'Q-learning with extra updates from remembered transitions, so that it needs fewer steps.',
    source: {
      title: 'Integrated architectures for learning, planning, and reacting based on approximating dynamic programming',
      authors: 'Sutton',
      year: 1990,
      url: 'https://doi.org/10.1016/B978-1-55860-141-3.50030-4',
    },
    presets: [
      { id: 'cliff-walking', title: 'Cliff walking, 50 planning steps', config: { gamma: 0.95, planningSteps: 50, maxEpisodes: 500 } },
    ],
    fields: { planningSteps: planningSteps(5) },
    trial: { env: 'cliff-walking', steps: 1000 }, // later its values no longer change
  },
  ({ c, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const action = new Int32Array(1);
    const memory = new WorldMemory(table, env.meta.masked);
    return {
      state: memory.layout,
      step() {
        const lr = alpha();
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, epsilon(), rng, buffers.mask);
        env.step(action);
        const a = action[0]!;
        const r = buffers.reward[0]!;
        const { terminated, next, nextMask } = outcomeOf(buffers, table.states);
        const error = qUpdate(table, s, a, r, next, terminated, lr, c.gamma, nextMask);
        memory.learn(s, a, r, next, terminated, nextMask);
        for (let k = 0; k < c.planningSteps; k++) memory.replay(memory.order[rng.int(memory.counters.known)]!, lr, c.gamma);
        return error;
      },
    };
  },
);
