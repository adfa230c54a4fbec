/**
 * Independent Q-learning (Tan 1993) with deep, by default recurrent, networks: every agent learns the value of its own actions from
 * its own reward and treats the others as part of the environment. Config, learner and loop, shared with VDN and QMIX:
 * value/lib/q-learning-team.ts.
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import {
  checkFits,
  loadTeamPolicy,
  type QLearningTeamConfig,
  qLearningTeamFields,
  qLearningTeamMetrics,
  qLearningTeamPresets,
  teamBenchmark,
  trainTeam,
} from './lib/q-learning-team.ts';

const title = 'IQL';

export const iql = defineAlgo<QLearningTeamConfig>({
  spec: {
    id: 'iql',
    version: 1,
    title,
    summary: 'Every agent of a team learns action values by itself, the others being part of its world.',
    source: {
      title: 'Multi-Agent Reinforcement Learning: Independent vs. Cooperative Agents',
      authors: 'Tan',
      year: 1993,
      url: 'https://doi.org/10.1016/B978-1-55860-307-3.50049-6',
    },
    config: z.strictObject(qLearningTeamFields),
    presets: qLearningTeamPresets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics: qLearningTeamMetrics,
  },
  fits: (meta, c) => checkFits(meta, c, title, false),
  train: (run, resume) => trainTeam(run, resume, null),
  policy: loadTeamPolicy,
  benchmark: ({ config, meta, engine }) => teamBenchmark(engine, meta, config, null),
});
