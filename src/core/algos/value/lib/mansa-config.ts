/** Settings of MANSA: those of its two learners (value/lib/replayed-config.ts, value/lib/mixer-config.ts) and those of the switch. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { mixerFields, mixerPresets } from './mixer-config.ts';
import { replayedFields, replayedMetrics, replayedPresets } from './replayed-config.ts';

const own = 'own choice';

export const mansaConfig = z.strictObject({
  switching: z.enum(['learned', 'never', 'always']).default('learned').meta({
    title: 'switching',
    description: 'Learned, or one of its two extremes: independent learners alone, or the central learner alone.',
    source: 'Mguni et al. 2023',
    depth: 'teach',
    group: 'switch',
  }),
  switchCost: z
    .number()
    .min(0)
    .max(1000)
    .default(0.01)
    .meta({
      title: 'cost of a call',
      unit: 'return',
      description: 'What a step in which the central learner acts costs, in units of the return.',
      source: 'Mguni et al. 2023: chosen by task',
      live: true,
      depth: 'teach',
      slider: [0, 1],
      group: 'switch',
    }),
  callBudget: z.number().gt(0).max(1).nullable().default(null).meta({
    title: 'call budget',
    description: 'Share of an episode’s longest length in which the central learner may be called at most; empty: no limit.',
    source: 'Mguni et al. 2023 (MANSA-B)',
    depth: 'teach',
    group: 'switch',
  }),
  switchLr: z
    .number()
    .gt(0)
    .max(1)
    .default(1e-3)
    .meta({
      title: 'learning rate of the switch',
      description: 'Step size of its Adam.',
      source: own,
      live: true,
      log: true,
      slider: [1e-5, 1e-2],
      group: 'switch',
    }),
  switchEpsilonEnd: z.number().min(0).max(1).default(0.05).meta({
    title: 'exploration of the switch at the end',
    description: 'Share of its choices that are a toss of a coin after the decay; at first all are.',
    source: own,
    live: true,
    group: 'switch',
  }),
  switchEpsilonFraction: z.number().gt(0).max(1).default(0.5).meta({
    title: 'exploration decay of the switch',
    description: 'Share of the budget over which its exploration falls in a straight line.',
    source: own,
    live: true,
    group: 'switch',
  }),
  switchHidden: z
    .array(z.int().min(1).max(2048))
    .min(1)
    .max(6)
    .default([64, 64])
    .meta({ title: 'hidden layers of the switch', description: 'Units of each layer.', source: own, group: 'switch' }),
  switchMemory: z
    .int()
    .min(100)
    .max(1_000_000)
    .default(20_000)
    .meta({
      title: 'replay memory of the switch',
      unit: 'steps',
      description: 'The newest that are kept. What a call is worth changes as both learners learn: old steps tell of older learners.',
      source: own,
      log: true,
      slider: [1000, 100_000],
      group: 'switch',
    }),
  switchBatch: z
    .int()
    .min(1)
    .max(4096)
    .default(128)
    .meta({ title: 'batch of the switch', unit: 'steps', description: 'Steps per update.', source: own, log: true, group: 'switch' }),
  switchNStep: z.int().min(1).max(64).default(1).meta({
    title: 'rewards seen ahead by the switch',
    unit: 'steps',
    description: 'Rewards summed before its own estimate takes over (n-step returns).',
    source: own,
    depth: 'research',
    group: 'switch',
  }),
  ...replayedFields,
  ...mixerFields,
});
export type MansaConfig = z.infer<typeof mansaConfig>;

export const mansaPresets: readonly Preset[] = [
  { id: 'never', title: 'never central: IQL', config: { switching: 'never' } },
  { id: 'always', title: 'always central: QMIX', config: { switching: 'always' } },
  ...replayedPresets.map((preset) =>
    preset.id === 'epymarl' ? { ...preset, config: { ...preset.config, ...mixerPresets.epymarl } } : preset,
  ),
];

export const mansaMetrics: readonly MetricCard[] = [
  ...replayedMetrics,
  { id: 'centralShare', title: 'central calls', description: 'Share of steps since the last row in which the central learner acted.' },
  { id: 'callCost', title: 'cost of calls', description: 'Paid per episode for calls, mean of the last 100 training episodes.' },
  { id: 'netReturn', title: 'return less calls', description: 'Return minus what its calls cost, mean of the last 100 training episodes.' },
  { id: 'switchValue', title: 'value by the switch', description: 'Mean return less cost that the switch expects of the choices it made.' },
  { id: 'switchGain', title: 'gain of a call', description: 'Mean of what the switch expects a call to add now, its cost taken off.' },
  { id: 'switchLoss', title: 'loss of the switch', description: 'Mean squared error of its predictions.' },
  { id: 'centralLoss', title: 'loss of the central learner', description: 'Half the squared error of its value predictions.' },
  { id: 'switchEpsilon', title: 'exploration of the switch', description: 'Share of its choices that are a toss of a coin now.' },
];
