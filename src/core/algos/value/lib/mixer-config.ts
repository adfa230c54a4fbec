/** The mixing network of QMIX: its settings, and how it makes the joint value. */
import { z } from 'zod';
import { monotoneMixer } from './mixing.ts';
import type { ReplayedConfig } from './replayed-config.ts';
import type { Mixing } from './replayed-nets.ts';

const source = 'JaxMARL ql_rnn, MPE';

export const mixerFields = {
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
} as const;
const fields = z.strictObject(mixerFields);
type MixerConfig = z.infer<typeof fields>;

/** Whole published settings of the mixer, by the name of the preset they belong to. */
export const mixerPresets = { epymarl: { hyperUnits: 64, mixerScale: Math.SQRT2 } } as const;

export const monotoneMixing: Mixing<ReplayedConfig & MixerConfig> = {
  joint: (group, rng, sizes, c) =>
    monotoneMixer(group, rng, { ...sizes, units: c.mixerUnits, hyperUnits: c.hyperUnits, scale: c.mixerScale }),
};
