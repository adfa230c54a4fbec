/**
 * Independent Q-learning (Tan 1993) with deep, by default recurrent, networks: every agent learns the value of its own actions from
 * its own reward and takes the others as part of the world. The loop is value/lib/replayed-loop.ts.
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import { type ReplayedConfig, replayedFields, replayedMetrics, replayedPresets } from './lib/replayed-config.ts';
import { replayedDef } from './lib/replayed-loop.ts';

const title = 'IQL';

export const iql = defineAlgo<ReplayedConfig>({
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
    config: z.strictObject(replayedFields),
    presets: replayedPresets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics: replayedMetrics,
  },
  ...replayedDef<ReplayedConfig>(title, { joint: null }),
});
