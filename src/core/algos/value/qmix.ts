/**
 * QMIX (Rashid et al. 2018): the team's value is a function of its agents' values that is monotone in each of them, so that the
 * agents' greedy actions are together the greedy joint action (equation and network: nets/mixing.ts). Its weights come from the
 * environment's global state, or from all observations together where it has none. Config, learner and loop, shared with IQL and VDN:
 * value/lib/q-learning-team.ts.
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog.ts';
import { monotoneMixer } from '../../nets/mixing.ts';
import * as fields from '../api/fields.ts';
import { qLearningTeamFields, qLearningTeamPresets, teamMethod, teamProbeConfig } from './lib/q-learning-team.ts';

const source = 'JaxMARL ql_rnn, MPE';

const config = z.strictObject({ ...qLearningTeamFields, ...fields.mixer(source) });

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
      { on: ['team', 'xorTeam'], steps: 6000, config: { recurrent: false } },
      { on: ['roles', 'memoryOne'], steps: 6000 },
      { on: ['twoStep'], steps: 20_000, config: { hidden: [32], epsilonEnd: 1, recurrent: false }, atLeast: 8 },
    ],
    probeConfig: qmixProbeConfig,
  },
  monotoneMixer,
);
