/**
 * Independent Q-learning with tables (Tan 1993): every agent keeps a table of its own, learns from its own reward only and takes the others
 * for a part of its world.
 *   Q_i(s_i,a_i) += alpha [ r_i + gamma max_b Q_i(s_i',b) - Q_i(s_i,a_i) ],  no next value after a termination
 * Needs discrete observations. An agent that is out neither acts nor learns. With `lifetime: 'episode'` all tables are emptied at the start
 * of every episode, so that each episode is a population that learns from nothing.
 * Pseudo-code:
 *   Q_i(s,a) = 0 for all pairs of every agent i
 *   repeat until the budget is spent
 *     if lifetime is "episode" and a new episode begins: Q_i = 0 for every agent i
 *     for each agent i: a_i = epsilon-greedy action in s_i by Q_i;   epsilon falls over episodes
 *     take all actions, observe r_i and s_i' of every agent
 *     for each agent i that was not out before this step
 *       target = r_i after a termination or where i is out now, else r_i + gamma max_b Q_i(s_i',b)
 *       Q_i(s_i,a_i) += alpha [ target - Q_i(s_i,a_i) ]
 *     s_i = s_i';   after a termination or a time limit: s_i = first state of a new episode
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { hashBytes } from '#math/hash.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { perAgent } from '../../envs/api/meta.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkOneReward } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { epsilonGreedy, greedyAction, greedyValue, stateOf, stepsPerRow, type Table } from '../lib/table.ts';
import { decayed, epsilonDecay } from './lib/decay.ts';
import { qUpdate } from './q-learning.ts';

const SUTTON = 'Sutton and Barto 2018, example 6.6';

const config = z.strictObject({
  alpha: fields.lr(0.1, 'own choice', {
    title: 'step size (alpha)',
    description: 'Share of the TD error that is added to the value.',
    log: false,
    slider: [0.01, 1],
    group: 'learning',
  }),
  gamma: fields.gamma(0.9, 'own choice', { slider: [0, 1], group: 'learning' }),
  epsilon: fields.epsilonStart(0.1, SUTTON, { depth: 'teach' }),
  decay: epsilonDecay,
  lifetime: z.enum(['run', 'episode']).default('run').meta({
    title: 'lifetime of the tables',
    description: 'Run: agents keep what they learned. Episode: every episode is a new population whose tables are empty.',
    source: 'own choice',
    group: 'learning',
  }),
});
type Config = z.infer<typeof config>;

/** One table for each agent over one array [A, S, N]; agents of fewer states or actions leave the rest of theirs unused. */
function createTables(meta: EnvMeta, q = new Float64Array(meta.agentCount * meta.obsSize * meta.actionCount)) {
  const size = meta.obsSize * meta.actionCount;
  const tables = Array.from(
    { length: meta.agentCount },
    (_, agent): Table => ({ states: meta.obsSize, actions: meta.actionCount, q: q.subarray(agent * size, (agent + 1) * size) }),
  );
  return { q, tables };
}

/** Legal actions of each agent [A, N] where agents differ in how many they have; null where all have the same. */
function actionLimits(meta: EnvMeta): Uint8Array | null {
  const sizes = perAgent(meta, ({ action }) => (action.kind === 'discrete' ? action.n : 0));
  if (sizes.every((n) => n === meta.actionCount)) return null;
  return Uint8Array.from({ length: meta.agentCount * meta.actionCount }, (_, i) =>
    Number(i % meta.actionCount < sizes[Math.floor(i / meta.actionCount)]!),
  );
}

function policyOf(meta: EnvMeta, tables: readonly Table[], epsilon: () => number): Policy {
  const none = new Float32Array(0);
  const limits = actionLimits(meta);
  const N = meta.actionCount;
  return {
    initial: () => none,
    act({ obs, rows, rng, greedy, mask, agent }) {
      const actions = new Int32Array(rows);
      const q = new Float32Array(rows * N);
      const value = new Float32Array(rows);
      for (let row = 0; row < rows; row++) {
        const who = agent[row]!;
        const table = tables[who]!;
        const state = stateOf(obs, table.states, row);
        const legal = mask?.subarray(row * N, (row + 1) * N) ?? limits?.subarray(who * N, (who + 1) * N);
        actions[row] = greedy ? greedyAction(table, state, legal) : epsilonGreedy(table, state, epsilon(), rng, legal);
        for (let a = 0; a < N; a++) q[row * N + a] = table.q[state * N + a]!;
        value[row] = greedyValue(table, state, legal);
      }
      return { actions, hidden: none, q, value };
    },
    dispose() {},
  };
}

export const independentQ = defineAlgo<Config>({
  spec: {
    id: 'independent-q',
    version: 1,
    title: 'Independent Q-learning (tables)',
    summary: 'Every agent learns its own table from its own reward, and treats the others as part of the environment.',
    source: {
      title: 'Multi-Agent Reinforcement Learning: Independent vs. Cooperative Agents',
      authors: 'Tan',
      year: 1993,
      url: 'https://doi.org/10.1016/B978-1-55860-307-3.50049-6',
    },
    config,
    presets: [{ id: 'one-episode', title: 'Learned anew in every episode', config: { lifetime: 'episode' } }],
    action: 'discrete',
    learner: 'table',
    agents: 'many',
    trial: { env: 'matrix-games', steps: 4000 },
    probes: [
      { on: ['cuedTable'], steps: 4000 },
      { on: ['delayed'], steps: 4000 },
    ],
    probeConfig: { alpha: 0.2, epsilon: 0.2 },
    metrics: [
      ...episodeMetrics,
      { id: 'tdError', title: 'TD error', description: 'Mean absolute TD error of all agents since the last row.' },
      { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
    ],
  },

  fits(meta) {
    checkOneReward(meta, 'Independent Q-learning');
    if (meta.turns === true) {
      throw fail('incompatible', 'Its agents act at the same time; here they move in turn.', 'Choose self-play or PSRO.', 'env.id');
    }
    if (meta.agents.every(({ obs }) => obs.kind === 'discrete')) return;
    throw fail(
      'incompatible',
      'A table needs numbered states; these observations are numbers.',
      'Choose an environment or an option with discrete observations (the alarm: observation in bins), or IQL, which has networks.',
      'env.id',
    );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const [A, N] = [meta.agentCount, meta.actionCount];
    const env = run.makeEnv(1);
    const { buffers, episodes } = env;
    const rng = run.rng.split('exploration');
    const { q, tables } = createTables(meta);
    const limits = actionLimits(meta);
    const action = createActions(meta, 1);
    const state = new Int32Array(A);
    const epsilon = (): number => decayed(c.epsilon, c.decay, 'epsilonFinal', episodes.finished);
    const loop = registerState({ counters: { step: 0 }, parts: { env }, arrays: { q, rng } });
    const { counters } = loop;
    const point = safePoint({
      state: loop,
      engine: { hash: () => hashBytes(q) },
      snapshot: () => ({ meta: { epsilon: epsilon() }, arrays: { q: q.slice() } }),
      policy: () => policyOf(meta, tables, epsilon),
    });
    if (resume === undefined) env.reset();
    else loop.load(resume);
    const allowed = (mask: Uint8Array | undefined, agent: number): Uint8Array | undefined =>
      (mask ?? limits)?.subarray(agent * N, (agent + 1) * N);

    const every = stepsPerRow(run.steps);
    const out = new Uint8Array(A); // agents that had left before the step
    const over = (): boolean => buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0; // the last step ended an episode
    while (counters.step < run.steps) {
      let [error, count] = [0, 0];
      for (let i = 0; i < every && counters.step < run.steps; i++, counters.step++) {
        if (over() && c.lifetime === 'episode') q.fill(0);
        const eps = epsilon();
        for (let agent = 0; agent < A; agent++) {
          out[agent] = Number(buffers.alive?.[agent] === 0);
          state[agent] = stateOf(buffers.obs, meta.obsSize, agent);
          action[agent] = epsilonGreedy(tables[agent]!, state[agent]!, eps, rng, allowed(buffers.mask, agent));
        }
        env.step(action);
        const terminated = buffers.terminated[0] !== 0;
        const ended = over();
        const [nextObs, nextMask] = ended ? [buffers.finalObs, buffers.finalMask] : [buffers.obs, buffers.mask];
        for (let agent = 0; agent < A; agent++) {
          if (out[agent] === 1) continue;
          const next = stateOf(nextObs, meta.obsSize, agent);
          const table = tables[agent]!;
          const gone = terminated || (!ended && buffers.alive?.[agent] === 0); // nothing follows for an agent that has left
          const reward = buffers.reward[agent]!;
          error += Math.abs(qUpdate(table, state[agent]!, action[agent]!, reward, next, gone, c.alpha, c.gamma, allowed(nextMask, agent)));
          count++;
        }
      }
      yield { step: counters.step, metrics: { ...episodeRow(env), tdError: error / Math.max(1, count), epsilon: epsilon() }, ...point };
    }
  },

  async policy({ meta }, saved: Saved) {
    const { q } = saved.arrays;
    const epsilon = savedNumber(saved, 'epsilon');
    if (!(q instanceof Float64Array) || q.length !== meta.agentCount * meta.obsSize * meta.actionCount)
      throw fail('file-invalid', 'This policy holds no table of every agent.', 'Save it again.');
    return policyOf(meta, createTables(meta, q.slice()).tables, () => epsilon);
  },
});
