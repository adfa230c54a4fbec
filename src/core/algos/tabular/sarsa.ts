/**
 * SARSA (Rummery and Niranjan 1994): on-policy temporal differences over a table. The target has the value of the
 * action that is really taken next, so that it includes the cost of exploration.
 *   Q(s,a) += alpha [ r + gamma Q(s',a') - Q(s,a) ],  a' epsilon-greedy in s' and then executed
 */

import { registerState } from '#core/state/checkpoint.ts';
import { linear } from '#math/schedules.ts';
import { finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import {
  createTable,
  epsilonGreedy,
  saveTable,
  stateOf,
  stepsPerRow,
  type Table,
  tableHash,
  tablePolicy,
  tablePolicyFrom,
} from '../lib/table.ts';
import { type TabularConfig, tabularConfig, tabularMetrics, tabularPresets } from './lib/settings.ts';

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

export const sarsa = defineAlgo<TabularConfig>({
  spec: {
    id: 'sarsa',
    version: 2,
    changes: [finalMasks(2)],
    title: 'SARSA',
    summary: 'Like Q-learning, but learns the value of how it really behaves, exploration included.',
    source: {
      title: 'On-line Q-learning using connectionist systems',
      authors: 'Rummery and Niranjan',
      year: 1994,
      url: 'http://incompleteideas.net/book/the-book-2nd.html',
    },
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
    const state = registerState({ counters: { step: 0, action: 0 }, parts: { env }, arrays: { q: table.q, rng } });
    const { counters } = state; // action: what is done next
    const point = safePoint({
      state,
      engine: { hash: () => tableHash(table) },
      snapshot: () => saveTable(table, epsilon()),
      policy: () => tablePolicy(table, epsilon),
    });
    if (resume === undefined) {
      env.reset();
      counters.action = epsilonGreedy(table, stateOf(buffers.obs, table.states), epsilon(), rng, buffers.mask);
    } else state.load(resume);

    while (counters.step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
      let tdError = 0;
      let count = 0;
      while (count < every && counters.step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
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
        tdError += Math.abs(sarsaUpdate(table, s, a, buffers.reward[0]!, next, nextAction, terminated, lr, c.gamma));
        counters.action = truncated ? epsilonGreedy(table, here, epsilon(), rng, buffers.mask) : nextAction;
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
