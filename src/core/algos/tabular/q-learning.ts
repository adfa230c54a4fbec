/**
 * Q-learning (Watkins and Dayan 1992): off-policy temporal differences over a table, epsilon-greedy behaviour.
 *   Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ],  no next value after a termination
 * Needs a discrete observation. Step size and exploration may fall linearly over episodes.
 */
import { linear } from '#math/schedules.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { createTable, epsilonGreedy, saveTable, stateOf, tableHash, tablePolicy, tablePolicyFrom } from '../lib/table.ts';
import { type TabularConfig, tabularConfig, tabularMetrics, tabularPresets, yieldEvery } from '../lib/tabular-config.ts';
import { qUpdate } from './lib/td.ts';

export const qLearning = defineAlgo<TabularConfig>({
  spec: {
    id: 'q-learning',
    version: 1,
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
    let step = 0;
    if (resume === undefined) env.reset();
    else {
      env.load(partOf(resume, 'env'));
      table.q.set(resume.arrays.q as Float64Array);
      restoreRng(rng, resume.arrays.rng);
      step = resume.meta.step as number;
    }
    const epsilon = (): number => linear(c.epsilon, c.epsilonFinal ?? c.epsilon, c.decayEpisodes, env.episodes.finished);
    const alpha = (): number => linear(c.alpha, c.alphaFinal ?? c.alpha, c.decayEpisodes, env.episodes.finished);

    while (step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
      let surprise = 0;
      let count = 0;
      while (count < every && step < run.steps && (c.maxEpisodes === 0 || env.episodes.finished < c.maxEpisodes)) {
        const [eps, lr] = [epsilon(), alpha()];
        const s = stateOf(buffers.obs, table.states);
        action[0] = epsilonGreedy(table, s, eps, rng, buffers.mask);
        env.step(action);
        const terminated = buffers.terminated[0] !== 0;
        const ended = terminated || buffers.truncated[0] !== 0;
        const next = stateOf(ended ? buffers.finalObs : buffers.obs, table.states);
        surprise += Math.abs(qUpdate(table, s, action[0]!, buffers.reward[0]!, next, terminated, lr, c.gamma));
        count++;
        step++;
      }
      yield {
        step,
        metrics: { ...episodeRow(env), tdError: surprise / count, epsilon: epsilon(), alpha: alpha() },
        snapshot: () => saveTable(table, epsilon()),
        save: () => joinSaved({ step }, { env: env.save() }, { q: table.q.slice(), rng: rng.state.slice() }),
        policy: () => tablePolicy(table, epsilon),
        hash: () => tableHash(table),
      };
    }
  },

  async policy(_, saved) {
    return tablePolicyFrom(saved);
  },
});
