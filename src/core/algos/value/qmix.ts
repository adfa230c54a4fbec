/**
 * QMIX (Rashid et al. 2018): the team's value is a function of its agents' values that is monotone in each of them, so that the
 * agents' greedy actions are together the greedy joint action (network: nets/mixing.ts). Its weights come from the
 * environment's global state, or from all observations together where it has none.
 *   Q_tot = elu(q |W1(s)| + b1(s)) |w2(s)| + V(s),   q = (q_1(o_1, a_1), .., q_A(o_A, a_A))
 *   y = sum_i r_i + gamma Qtarget_tot(v, s'),   v_i = qtarget_i(o_i', argmax_b q_i(o_i', b)),   loss: mean of (Q_tot - y)^2 / 2
 * Only `terminated` stops the bootstrap. Config, learner and loop, shared with IQL and VDN: value/lib/q-learning-team.ts.
 * Pseudo-code:
 *   target networks of agents and mixer = networks
 *   repeat until the budget is spent
 *     play rolloutSteps steps of B environments, every agent epsilon-greedily on its own q_i
 *     store episodes with state and sum of the rewards, cut into pieces of at most `recurrent.sequence` steps
 *       if not recurrent: single steps
 *     once learningStarts steps are played and a minibatch is there, gradientSteps times
 *       draw a minibatch of pieces uniformly
 *       if standardiseReward: rewards less their running mean, divided by their running deviation
 *       q_i and qtarget_i along the pieces, from a zero state
 *       Q_tot by the mixer of q_i(o_i, a_i) and s
 *       y by the target mixer of the v_i and s'; if double is off: of max_b qtarget_i(o_i', b)
 *       one step of RAdam or Adam on the loss, for agents' networks and mixer together
 *       every targetEvery updates: target networks += tau (networks - target networks)
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { monotoneMixer } from '../../nets/mixing.ts';
import * as fields from '../api/fields.ts';
import { qLearningTeamFields, qLearningTeamPresets, teamMethod, teamProbeConfig } from './lib/q-learning-team.ts';

const source = 'JaxMARL ql_rnn, MPE';

const config = z.strictObject({ ...qLearningTeamFields, ...fields.mixer(source), body: fields.body() });

export const qmixPresets: readonly Preset[] = qLearningTeamPresets.map((preset) =>
  preset.id === 'epymarl' ? { ...preset, config: { ...preset.config, hyperUnits: 64, mixerScale: Math.SQRT2 } } : preset,
);

export const qmixProbeConfig = { ...teamProbeConfig, mixerUnits: 8, hyperUnits: 8, mixerScale: 1 };

export const qmix = teamMethod(
  {
    id: 'qmix',
    title: 'QMIX',
    summary: 'Mixes the agents’ values into a team value that never falls when an agent’s value rises.',
    source: {
      title: 'QMIX: Monotonic Value Function Factorisation for Deep Multi-Agent Reinforcement Learning',
      authors: 'Rashid et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1803.11485',
    },
    config,
    presets: qmixPresets,
    probes: [
      { on: ['team', 'xorTeam'], steps: 6000, config: { recurrent: { kind: 'off' } } },
      { on: ['roles', 'memoryOne'], steps: 6000 },
      { on: ['twoStep'], steps: 20_000, config: { hidden: [32], epsilonEnd: 1, recurrent: { kind: 'off' } }, atLeast: 8 },
    ],
    probeConfig: qmixProbeConfig,
  },
  monotoneMixer,
);
