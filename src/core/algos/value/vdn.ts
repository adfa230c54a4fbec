/**
 * Value decomposition networks (Sunehag et al. 2018): the team's value is the sum of its agents' values, trained on the sum of their
 * rewards, so that the agents' greedy actions are together the greedy joint action:
 *   Q_tot = sum_i q_i(o_i, a_i)
 *   y = sum_i r_i + gamma sum_i qtarget_i(o_i', argmax_b q_i(o_i', b)),   loss: mean of (Q_tot - y)^2 / 2
 * Only `terminated` stops the bootstrap. Config, learner and loop, shared with IQL and QMIX: value/lib/q-learning-team.ts.
 * Pseudo-code:
 *   target network = network
 *   repeat until the budget is spent
 *     play rolloutSteps steps of B environments, every agent epsilon-greedily on its own q_i
 *     store episodes with the sum of the rewards, cut into pieces of at most `recurrent.sequence` steps
 *       if not recurrent: single steps
 *     once learningStarts steps are played and a minibatch is there, gradientSteps times
 *       draw a minibatch of pieces uniformly
 *       if standardiseReward: rewards less their running mean, divided by their running deviation
 *       q_i and qtarget_i along the pieces, from a zero state; Q_tot of the actions taken
 *       y by the sum of the target network's values; if double is off: of max_b qtarget_i(o_i', b)
 *       one step of RAdam or Adam on the loss, through the sum into every q_i
 *       every targetEvery updates: target network += tau (network - target network)
 */
import { sumOfValues } from '../../nets/mixing.ts';
import { qLearningTeamConfig, qLearningTeamPresets, teamMethod } from './lib/q-learning-team.ts';

export const vdn = teamMethod(
  {
    id: 'vdn',
    title: 'VDN',
    summary: 'A team’s value is the sum of its agents’ values: learned together, acted on separately.',
    source: {
      title: 'Value-Decomposition Networks For Cooperative Multi-Agent Learning',
      authors: 'Sunehag et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1706.05296',
    },
    config: qLearningTeamConfig,
    presets: qLearningTeamPresets,
    probes: [
      { on: ['team'], steps: 4000, config: { recurrent: { kind: 'off' } } },
      { on: ['xorTeam'], steps: 6000, config: { recurrent: { kind: 'off' } } },
      { on: ['roles'], steps: 6000 },
    ],
  },
  () => () => sumOfValues,
);
