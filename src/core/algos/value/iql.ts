/**
 * Independent Q-learning (Tan 1993) with deep, by default recurrent, networks: every agent learns the value of its own actions from
 * its own reward and treats the others as part of the environment.
 *   y_i = r_i + gamma qtarget_i(o_i', argmax_b q_i(o_i', b)),   loss: mean of (q_i(o_i, a_i) - y_i)^2 / 2
 * Rows of agents that have died are learned from like others. Only `terminated` stops the bootstrap. Config, learner and loop, shared with VDN and QMIX: value/lib/q-learning-team.ts.
 * Pseudo-code:
 *   target network = network
 *   repeat until the budget is spent
 *     play rolloutSteps steps of B environments, every agent epsilon-greedily on its own q_i
 *     store episodes, cut into pieces of at most `recurrent.sequence` steps; if not recurrent: single steps
 *     once learningStarts steps are played and a minibatch is there, gradientSteps times
 *       draw a minibatch of pieces uniformly
 *       if standardiseReward: rewards less their running mean, divided by their running deviation
 *       q_i and qtarget_i along the pieces, from a zero state
 *       y_i for every agent from its own reward; if double is off: with max_b qtarget_i(o_i', b)
 *       one step of RAdam or Adam on the loss
 *       every targetEvery updates: target network += tau (network - target network)
 */
import { qLearningTeamConfig, qLearningTeamPresets, teamMethod } from './lib/q-learning-team.ts';

export const iql = teamMethod(
  {
    id: 'iql',
    title: 'IQL',
    summary: 'Every agent of a team learns action values by itself, and treats the others as part of the environment.',
    source: {
      title: 'Multi-Agent Reinforcement Learning: Independent vs. Cooperative Agents',
      authors: 'Tan',
      year: 1993,
      url: 'https://doi.org/10.1016/B978-1-55860-307-3.50049-6',
    },
    config: qLearningTeamConfig,
    presets: qLearningTeamPresets,
    probes: [
      { on: ['cued'], steps: 3000, config: { recurrent: { kind: 'off' } } },
      { on: ['masked'], steps: 3000 },
      { on: ['delayed'], steps: 4000 },
      { on: ['memoryOne'], steps: 6000 },
      { on: ['team'], steps: 6000, config: { recurrent: { kind: 'off' }, sharing: 'independent' } },
    ],
  },
  () => null,
);
