/** Settings of SAC for discrete actions. Defaults are CleanRL's sac_atari.py where small tasks can use them. */
import { z } from 'zod';
import type { Preset } from '#contract/catalog.ts';
import { gammaField, hiddenField, lrField, replayFields, tauField } from '../../lib/off-policy-fields.ts';

const source = 'CleanRL sac_atari.py';

export const sacDiscreteConfig = z.strictObject({
  lr: lrField(3e-4, 'learning rate', 'Step size of Adam for the policy.', source),
  criticLr: lrField(3e-4, 'critic learning rate', 'Step size of Adam for the critics and the temperature.', source),
  gamma: gammaField(0.99, source),
  tau: tauField(0.005, 'Christodoulou 2019'),
  autoTemperature: z.boolean().default(true).meta({
    title: 'automatic temperature',
    description: 'The weight of the entropy is learned, so that the policy stays about as random as the target says.',
    source,
    depth: 'teach',
    group: 'entropy',
  }),
  temperature: z
    .number()
    .gt(0)
    .max(100)
    .default(1)
    .meta({
      title: 'temperature',
      description: 'Weight of the entropy: at the start, or always if it is not automatic.',
      source,
      depth: 'teach',
      log: true,
      slider: [0.01, 1],
      group: 'entropy',
    }),
  targetEntropyScale: z
    .number()
    .min(0)
    .max(1)
    .default(0.89)
    .meta({
      title: 'target entropy',
      description: 'As a share of that of pure chance, ln(actions).',
      source,
      live: true,
      slider: [0, 1],
      group: 'entropy',
    }),
  ...replayFields(source, { batch: 64, start: 1000 }),
  hidden: hiddenField([64, 64], 'own choice'),
});
export type SacDiscreteConfig = z.infer<typeof sacDiscreteConfig>;

export const sacDiscretePresets: readonly Preset[] = [
  {
    id: 'cartpole',
    title: 'CartPole (50,000 steps)',
    config: { lr: 1e-3, criticLr: 1e-3, tau: 0.01, targetEntropyScale: 0.5 },
  },
];
