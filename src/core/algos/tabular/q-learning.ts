/**
 * Q-learning (Watkins and Dayan 1992): off-policy temporal differences over a table, epsilon-greedy behaviour.
 *   Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ],  no next value after a termination
 * Needs a discrete observation. Step size and exploration may fall linearly over episodes.
 */

import { registerState } from '#core/state/checkpoint.ts';
import { linear } from '#math/schedules.ts';
import { defineAlgo } from '../api/define.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import {
  createTable,
  epsilonGreedy,
  greedyValue,
  saveTable,
  stateOf,
  stepsPerRow,
  type Table,
  tableHash,
  tablePolicy,
  tablePolicyFrom,
} from '../lib/table.ts';
import { type TabularConfig, tabularConfig, tabularMetrics, tabularPresets } from './lib/settings.ts';

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

export const qLearning = defineAlgo<TabularConfig>({
  spec: {
    id: 'q-learning',
    version: 2,
    changes: [
      { version: 2, what: 'The best next action is one that is legal there; before, any counted.', whereMasked: true, rerun: true },
    ],
    title: 'Q-learning',
    summary: 'Learns the value of every action in every state from single steps, towards the best next action.',
    source: { title: 'Q-learning', authors: 'Watkins and Dayan', year: 1992, url: 'https://doi.org/10.1007/BF00992698' },
    config: tabularConfig,
    presets: tabularPresets,
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    trial: { env: 'cliff-walking', steps: 4000 },
    probes: [
      { on: ['cuedTable'], steps: 2000 },
      { on: ['delayed'], steps: 4000 },
    ],
    probeConfig: { alpha: 0.2, gamma: 0.9, epsilon: 0.2 },
    metrics: tabularMetrics,
  },

  async *train(run, resume) {
    const c = run.config;
    const env = run.makeEnv(1);
    const { buffers } = env;
    const rng = run.rng.split('exploration');
    const table = createTable(run.meta, c.initialValue);
    const action = new Int32Array(1);
    const every = stepsPerRow(run.steps);
    const epsilon = (): number => linear(c.epsilon, c.epsilonFinal ?? c.epsilon, c.decayEpisodes, env.episodes.finished);
    const alpha = (): number => linear(c.alpha, c.alphaFinal ?? c.alpha, c.decayEpisodes, env.episodes.finished);
    const state = registerState({ counters: { step: 0 }, parts: { env }, arrays: { q: table.q, rng } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine: { hash: () => tableHash(table) },
      snapshot: () => saveTable(table, epsilon()),
      policy: () => tablePolicy(table, epsilon),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    while (counters.step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
      let tdError = 0;
      let count = 0;
      while (count < every && counters.step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
        const [eps, lr] = [epsilon(), alpha()];
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, eps, rng, buffers.mask);
        env.step(action);
        const terminated = buffers.terminated[0] !== 0;
        const ended = terminated || buffers.truncated[0] !== 0;
        const next = stateOf(ended ? buffers.finalObs : buffers.obs, table.states);
        const nextMask = ended ? buffers.finalMask : buffers.mask;
        tdError += Math.abs(qUpdate(table, s, action[0]!, buffers.reward[0]!, next, terminated, lr, c.gamma, nextMask));
        count++;
        counters.step++;
      }
      const metrics = { ...episodeRow(env), tdError: tdError / count, epsilon: epsilon(), alpha: alpha() };
      yield { step: counters.step, metrics, ...point };
    }
  },

  async policy(_, saved) {
    return tablePolicyFrom(saved);
  },
});
