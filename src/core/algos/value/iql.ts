/**
 * Independent Q-learning (Tan 1993) with deep, by default recurrent, networks: every agent learns the value of its own actions from
 * its own reward and treats the others as part of the environment. Config, learner and loop, shared with VDN and QMIX:
 * value/lib/q-learning-team.ts.
 */
import { z } from 'zod';
import { finalMasks } from '../api/changes.ts';
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
    version: 2,
    changes: [finalMasks(2)],
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
    trial: {
      env: 'mpe-simple-spread',
      steps: 1024,
      config: { envs: 4, rolloutSteps: 4, batchSize: 32, bufferSize: 500, learningStarts: 100 },
    },
    probes: [
      { on: ['cued'], steps: 3000, config: { recurrent: false } },
      { on: ['masked'], steps: 3000 },
      { on: ['delayed'], steps: 4000 },
      { on: ['memoryOne'], steps: 6000 },
      { on: ['team'], steps: 6000, config: { recurrent: false, sharing: 'independent' } },
    ],
    probeConfig: {
      envs: 4,
      rolloutSteps: 4,
      sequence: 4,
      hidden: [16],
      memoryUnits: 8,
      lr: 1e-2,
      batchSize: 32,
      bufferSize: 500,
      learningStarts: 100,
      targetEvery: 20,
      epsilonFraction: 0.5,
      epsilonEnd: 0.1,
    },
    metrics: qLearningTeamMetrics,
  },
  fits: (meta, c) => checkFits(meta, c, title, false),
  train: (run, resume) => trainTeam(run, resume, null),
  policy: loadTeamPolicy,
  benchmark: ({ config, meta, engine }) => teamBenchmark(engine, meta, config, null),
});
