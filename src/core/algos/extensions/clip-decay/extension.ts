/** `clipDecay`: the clip range of PPO falls in a straight line as the budget is spent, as the tuned settings of RL Zoo have it (`lin_0.2`). */
import type { z } from 'zod';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension, type UpdateNumbers } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const source = 'RL Zoo ppo.yml: lin_0.2 for CartPole, lin_0.1 for Atari';
const end = fields.real(0, {
  min: 0,
  max: 1,
  title: 'clip range at the end',
  description: 'Reached with the last step of the budget.',
  source,
  live: true,
  slider: [0, 0.2],
  group: 'loss',
});
const field = variant('not used', [kind('not used', {}), kind('linear', { end })], {
  title: 'decay of the clip range',
  description: 'The clip range falls in a straight line as training goes on, from what is set to what is reached at the end.',
  source,
  group: 'loss',
});
type ClipDecay = z.infer<typeof field>;

/** `done` and `all`: steps before this update and of the budget, as for an annealed learning rate. */
export function decayClip(numbers: Pick<UpdateNumbers, 'clip'>, setting: ClipDecay, done: number, all: number): void {
  if (setting.kind === 'linear') numbers.clip += (setting.end - numbers.clip) * Math.min(1, done / all);
}

export const clipDecay = defineExtension<ClipDecay>({
  id: 'clipDecay',
  field: ({ loop }) => (loop === 'rollout' ? field : null),
  presets: [
    {
      id: 'cartpole-zoo',
      title: 'RL Zoo settings for CartPole, the clip range falls as well (100,000 steps)',
      config: {
        envs: 8,
        rolloutSteps: 32,
        minibatches: 1,
        epochs: 20,
        lr: 1e-3,
        gamma: 0.98,
        lambda: 0.8,
        clipValue: false,
        entropyCoef: 0,
        clipDecay: { kind: 'linear' },
      },
    },
  ],
  load: async () => (setting) => ({
    attach: () => ({ places: () => ({ schedule: (numbers, done, all) => decayClip(numbers, setting, done, all) }) }),
  }),
});
