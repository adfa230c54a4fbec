/** `correlatedNoise`: the noise with which a deterministic policy explores goes on from step to step (Ornstein-Uhlenbeck; Lillicrap et al. 2016). */
import type { z } from 'zod';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const source = 'Stable-Baselines3 OrnsteinUhlenbeckActionNoise';
const theta = fields.real(0.15, {
  min: 0,
  max: 10,
  title: 'return to 0',
  description: 'Theta: how fast the noise returns to 0. The larger, the less it has to do with that of the step before.',
  source: 'Lillicrap et al. 2016',
  live: true,
  slider: [0, 1],
  group: 'exploration',
});
const dt = fields.real(0.01, {
  above: 0,
  max: 1,
  title: 'time of a step',
  description:
    'Time between two steps of the noise: 0.01 in Stable-Baselines3, 1 in the paper. The shorter, the slower and the smaller it changes.',
  source,
  live: true,
  log: true,
  slider: [0.01, 1],
  group: 'exploration',
});
const field = variant('not used', [kind('not used', {}), kind('Ornstein-Uhlenbeck', { theta, dt })], {
  title: 'correlated noise',
  description:
    'Exploration noise that goes on from step to step within an episode, as needed where single pushes average out. “Exploration noise” multiplies it.',
  source,
  depth: 'teach',
  group: 'exploration',
});
type CorrelatedNoise = z.infer<typeof field>;

export const correlatedNoise = defineExtension<CorrelatedNoise>({
  id: 'correlatedNoise',
  field: ({ networks }) => (networks === 'deterministic' ? field : null),
  load: async () => {
    const { ornsteinUhlenbeck } = await import('./ornstein-uhlenbeck.ts');
    return (setting) => ({
      attach: ({ env: { buffers, batch }, meta }) => ({ places: () => ornsteinUhlenbeck(setting, buffers, batch, meta) }),
    });
  },
});
