/**
 * QMIX (Rashid et al. 2018): the team's value is a monotone function of its agents' values, whose weights depend on the state:
 *   Q_tot = elu(q |W1(s)| + b1(s)) |w2(s)| + V(s)
 * The state is the environment's global one, or all observations together where it has none. The loop is value/lib/replayed-loop.ts.
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import { mixerFields, mixerPresets, monotoneMixing } from './lib/mixer-config.ts';
import { replayedFields, replayedMetrics, replayedPresets } from './lib/replayed-config.ts';
import { replayedDef } from './lib/replayed-loop.ts';

const title = 'QMIX';
const config = z.strictObject({ ...replayedFields, ...mixerFields });
type QmixConfig = z.infer<typeof config>;

export const qmix = defineAlgo<QmixConfig>({
  spec: {
    id: 'qmix',
    version: 1,
    title,
    summary: 'A team’s value is mixed from its members’ by a network that never punishes a better member.',
    source: {
      title: 'QMIX: Monotonic Value Function Factorisation for Deep Multi-Agent Reinforcement Learning',
      authors: 'Rashid et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1803.11485',
    },
    config,
    presets: replayedPresets.map((preset) =>
      preset.id === 'epymarl' ? { ...preset, config: { ...preset.config, ...mixerPresets.epymarl } } : preset,
    ),
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics: replayedMetrics,
  },
  ...replayedDef<QmixConfig>(title, monotoneMixing),
});
