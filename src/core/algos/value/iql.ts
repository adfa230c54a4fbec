/**
 * Independent Q-learning (Tan 1993) with deep, by default recurrent, networks: every agent learns the value of its own actions from
 * its own reward and treats the others as part of the environment. Config, learner and loop, shared with VDN and QMIX:
 * value/lib/q-learning-team.ts.
 */
import { qLearningTeamConfig, qLearningTeamPresets, teamMethod } from './lib/q-learning-team.ts';

export const iql = teamMethod(
  {
    id: 'iql',
    title: 'IQL',
    summary: 'Every agent of a team learns action values by itself, the others being part of its world.',
    source: {
      title: 'Multi-Agent Reinforcement Learning: Independent vs. Cooperative Agents',
      authors: 'Tan',
      year: 1993,
      url: 'https://doi.org/10.1016/B978-1-55860-307-3.50049-6',
    },
    config: qLearningTeamConfig,
    presets: qLearningTeamPresets,
    probes: [
      { on: ['cued'], steps: 3000, config: { recurrent: false } },
      { on: ['masked'], steps: 3000 },
      { on: ['delayed'], steps: 4000 },
      { on: ['memoryOne'], steps: 6000 },
      { on: ['team'], steps: 6000, config: { recurrent: false, sharing: 'independent' } },
    ],
  },
  () => null,
);
