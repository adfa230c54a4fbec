/**
 * SARSA (Rummery and Niranjan 1994): on-policy temporal differences over a table. The value of the action that is really taken
 * next stands in the target, so exploration's own accidents are paid for.
 *   Q(s,a) += alpha [ r + gamma Q(s',a') - Q(s,a) ],  a' epsilon-greedy in s' and then executed
 */
import { linear } from '#math/schedules.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { createTable, epsilonGreedy, saveTable, stateOf, tableHash, tablePolicy, tablePolicyFrom } from '../lib/table.ts';
import { type TabularConfig, tabularConfig, tabularMetrics, tabularPresets, yieldEvery } from '../lib/tabular-config.ts';
import { sarsaUpdate } from './lib/td.ts';

export const sarsa = defineAlgo<TabularConfig>({
  spec: {
    id: 'sarsa',
    version: 1,
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
    metrics: [...episodeMetrics, ...tabularMetrics],
  },

  async *train(run, resume) {
    const c = liveConfig(run);
    const env = run.makeEnv(1);
    const { buffers } = env;
    const rng = run.rng.split('exploration');
    const table = createTable(run.meta, c.initialValue);
    const action = new Int32Array(1);
    const every = yieldEvery(run.steps);
    const epsilon = (): number => linear(c.epsilon, c.epsilonFinal ?? c.epsilon, c.decayEpisodes, env.episodes.finished);
    const alpha = (): number => linear(c.alpha, c.alphaFinal ?? c.alpha, c.decayEpisodes, env.episodes.finished);
    let step = 0;
    if (resume === undefined) {
      env.reset();
      action[0] = epsilonGreedy(table, stateOf(buffers.obs, table.states), epsilon(), rng, buffers.mask);
    } else {
      env.load(partOf(resume, 'env'));
      table.q.set(resume.arrays.q as Float64Array);
      restoreRng(rng, resume.arrays.rng);
      action[0] = resume.meta.action as number;
      step = resume.meta.step as number;
    }

    while (step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
      let surprise = 0;
      let count = 0;
      while (count < every && step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
        const lr = alpha();
        const s = stateOf(buffers.obs, table.states);
        const a = action[0]!;
        env.step(action);
        const terminated = buffers.terminated[0] !== 0;
        const truncated = buffers.truncated[0] !== 0 && !terminated;
        const here = stateOf(buffers.obs, table.states); // of the next episode, if this one ended
        // A time limit is not part of the task: the value of what would have been done there stands in the target.
        const next = truncated ? stateOf(buffers.finalObs, table.states) : here;
        const nextAction = epsilonGreedy(table, next, epsilon(), rng, buffers.mask);
        surprise += Math.abs(sarsaUpdate(table, s, a, buffers.reward[0]!, next, nextAction, terminated, lr, c.gamma));
        action[0] = truncated ? epsilonGreedy(table, here, epsilon(), rng, buffers.mask) : nextAction;
        count++;
        step++;
      }
      yield {
        step,
        metrics: { ...episodeRow(env), tdError: surprise / count, epsilon: epsilon(), alpha: alpha() },
        snapshot: () => saveTable(table, epsilon()),
        save: () => joinSaved({ step, action: action[0]! }, { env: env.save() }, { q: table.q.slice(), rng: rng.state.slice() }),
        policy: () => tablePolicy(table, epsilon),
        hash: () => tableHash(table),
      };
    }
  },

  async policy(_, saved) {
    return tablePolicyFrom(saved);
  },
});
