/**
 * Value decomposition networks (Sunehag et al. 2018): the team's value is the sum of its agents' values, trained on the sum of
 * their rewards, so that everybody's best action is the best joint one: Q_tot = sum_i q_i. The loop is value/lib/replayed-loop.ts.
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import { sumOfValues } from './lib/mixing.ts';
import { type ReplayedConfig, replayedFields, replayedMetrics, replayedPresets } from './lib/replayed-config.ts';
import { replayedDef } from './lib/replayed-loop.ts';

const title = 'VDN';

export const vdn = defineAlgo<ReplayedConfig>({
  spec: {
    id: 'vdn',
    version: 1,
    title,
    summary: 'A team’s value is the sum of its members’, learned together and acted on alone.',
    source: {
      title: 'Value-Decomposition Networks For Cooperative Multi-Agent Learning',
      authors: 'Sunehag et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1706.05296',
    },
    config: z.strictObject(replayedFields),
    presets: replayedPresets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics: replayedMetrics,
  },
  ...replayedDef<ReplayedConfig>(title, { joint: () => sumOfValues }),
});
