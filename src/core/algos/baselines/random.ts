/**
 * Random policy: every legal action with equal probability, box actions uniform between their bounds. Learns nothing; the floor that
 * everything else is compared with.
 *   pi(a|s) = 1 / (number of legal actions in s);   box actions: a_d ~ U(low_d, high_d) in every dimension d
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for each environment, for each agent in it
 *       discrete actions: draw a evenly from the legal ones
 *       box actions: draw every dimension of a evenly between its bounds
 *     step all environments
 */

import { z } from 'zod';
import type { Saved } from '#contract/run/events.ts';
import { registerState } from '../../state/checkpoint.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { randomPolicy } from '../lib/random-policy.ts';

const STEPS_PER_ITERATION = 500;

const config = z.strictObject({
  copies: fields.integer(8, {
    min: 1,
    max: 1024,
    title: 'parallel environments (num_envs)',
    description: 'Environments stepped together.',
    slider: [1, 64],
    source: 'own choice',
  }),
});
type Config = z.infer<typeof config>;

export const random = defineAlgo<Config>({
  spec: {
    id: 'random',
    version: 1,
    title: 'Random policy',
    summary: 'Acts at random and learns nothing: the baseline of every comparison.',
    source: { title: 'Reinforcement Learning: An Introduction, 2nd ed.', authors: 'Sutton and Barto', year: 2018 },
    config,
    presets: [],
    action: 'any',
    learner: 'none',
    agents: 'many',
    mixed: true,
    trial: { env: 'cartpole', steps: 4000 },
    probes: [],
    metrics: episodeMetrics,
  },

  async *train(run, resume) {
    const env = run.makeEnv(run.config.copies);
    const policy = randomPolicy(run.meta);
    const rng = run.rng.split('actions');
    const rows = env.batch * run.meta.agentCount;
    const agent = Int32Array.from({ length: rows }, (_, i) => i % run.meta.agentCount);
    const state = registerState({ counters: { step: 0 }, parts: { env }, arrays: { rng } });
    const { counters } = state;
    const snapshot = (): Saved => ({ meta: {}, arrays: {} });
    const point = safePoint({ state, engine: { hash: () => '0'.repeat(16) }, snapshot, policy: () => randomPolicy(run.meta) });
    if (resume === undefined) env.reset();
    else state.load(resume);
    while (counters.step < run.steps) {
      for (let i = 0; i < STEPS_PER_ITERATION && counters.step < run.steps; i += env.batch, counters.step += env.batch) {
        const query = { obs: env.buffers.obs, agent, hidden: policy.initial(rows), rng, rows, greedy: false };
        const act = await policy.act(env.buffers.mask === undefined ? query : { ...query, mask: env.buffers.mask });
        env.step(act.actions);
      }
      yield { step: counters.step, metrics: episodeRow(env), ...point };
    }
  },

  async policy({ meta }) {
    return randomPolicy(meta);
  },
});
