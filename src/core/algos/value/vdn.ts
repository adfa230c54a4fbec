/**
 * Value decomposition networks (Sunehag et al. 2018): the team's value is the sum of its agents' values, trained on the sum of their
 * rewards, so that the agents' greedy actions are together the greedy joint action:
 *   Q_tot = sum_i q_i(o_i, a_i)
 * Config, learner and loop, shared with IQL and QMIX: value/lib/q-learning-team.ts.
 */
import { sumOfValues } from '../../nets/mixing.ts';
import { qLearningTeamConfig, qLearningTeamPresets, teamMethod } from './lib/q-learning-team.ts';

export const vdn = teamMethod(
  {
    id: 'vdn',
    title: 'VDN',
    summary: 'A team’s value is the sum of its members’, learned together and acted on alone.',
    source: {
      title: 'Value-Decomposition Networks For Cooperative Multi-Agent Learning',
      authors: 'Sunehag et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1706.05296',
    },
    config: qLearningTeamConfig,
    presets: qLearningTeamPresets,
    probes: [
      { on: ['team'], steps: 4000, config: { recurrent: false } },
      { on: ['xorTeam'], steps: 6000, config: { recurrent: false } },
      { on: ['roles'], steps: 6000 },
    ],
  },
  () => () => sumOfValues,
);
