/**
 * Value decomposition networks (Sunehag et al. 2018): the team's value is the sum of its agents' values, trained on the sum of their
 * rewards, so that the agents' greedy actions are together the greedy joint action:
 *   Q_tot = sum_i q_i(o_i, a_i)
 * Config, learner and loop, shared with IQL and QMIX: value/lib/q-learning-team.ts.
 */
import { z } from 'zod';
import { sum } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';
import { finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import {
  checkFits,
  loadTeamPolicy,
  type MakeMixer,
  type QLearningTeamConfig,
  qLearningTeamFields,
  qLearningTeamMetrics,
  qLearningTeamPresets,
  teamBenchmark,
  trainTeam,
} from './lib/q-learning-team.ts';

const title = 'VDN';
/** Q_tot: agents' values q [R, A] -> [R]. */
export const sumOfValues = (q: Tensor): Tensor => sum(q, -1);
const sumMixer: MakeMixer = () => sumOfValues;

export const vdn = defineAlgo<QLearningTeamConfig>({
  spec: {
    id: 'vdn',
    version: 2,
    changes: [finalMasks(2)],
    title,
    summary: 'A team’s value is the sum of its members’, learned together and acted on alone.',
    source: {
      title: 'Value-Decomposition Networks For Cooperative Multi-Agent Learning',
      authors: 'Sunehag et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1706.05296',
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
      { on: ['team'], steps: 4000, config: { recurrent: false } },
      { on: ['xorTeam'], steps: 6000, config: { recurrent: false } },
      { on: ['roles'], steps: 6000 },
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
  fits: (meta, c) => checkFits(meta, c, title, true),
  train: (run, resume) => trainTeam(run, resume, sumMixer),
  policy: loadTeamPolicy,
  benchmark: ({ config, meta, engine }) => teamBenchmark(engine, meta, config, sumMixer),
});
