/**
 * QMIX (Rashid et al. 2018): the team's value is a monotone function of its agents' values, whose weights depend on the state:
 *   Q_tot = elu(q |W1(s)| + b1(s)) |w2(s)| + V(s)
 * The state is the environment's global one, or all observations together where it has none. The loop is value/replayed-loop.ts.
 */
import { z } from 'zod';
import { defineAlgo } from './define.ts';
import { monotoneMixer } from './value/mixing.ts';
import { replayedFields, replayedMetrics, replayedPresets } from './value/replayed-config.ts';
import { replayedDef } from './value/replayed-loop.ts';

const title = 'QMIX';
const source = 'JaxMARL ql_rnn, MPE';

const config = z.strictObject({
  ...replayedFields,
  mixerUnits: z
    .int()
    .min(1)
    .max(512)
    .default(32)
    .meta({ title: 'mixer units', description: 'Width of the mixing network.', source, slider: [8, 128], log: true, group: 'mixer' }),
  hyperUnits: z
    .int()
    .min(1)
    .max(512)
    .default(128)
    .meta({
      title: 'hypernetwork units',
      description: 'Width of the networks that turn the state into the mixer’s weights.',
      source: `${source}; 64 in EPyMARL`,
      slider: [8, 256],
      log: true,
      group: 'mixer',
    }),
  mixerScale: z.number().gt(0).max(10).default(0.001).meta({
    title: 'mixer at the start',
    description: 'Scale of the first weights: small, and the joint value at first hardly depends on the agents.',
    source,
    log: true,
    depth: 'research',
    group: 'mixer',
  }),
});
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
      preset.id === 'epymarl' ? { ...preset, config: { ...preset.config, hyperUnits: 64, mixerScale: Math.SQRT2 } } : preset,
    ),
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics: replayedMetrics,
  },
  ...replayedDef<QmixConfig>(title, {
    joint: (group, rng, sizes, c) =>
      monotoneMixer(group, rng, { ...sizes, units: c.mixerUnits, hyperUnits: c.hyperUnits, scale: c.mixerScale }),
  }),
});
