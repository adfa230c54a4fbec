/**
 * `initialDeviation`: the standard deviation with which a Gaussian policy begins, by its logarithm, as `log_std_init` of Stable-Baselines3. It is
 * learned from there on.
 */
import type { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const source = 'Stable-Baselines3 log_std_init; -2 in RL Zoo’s MuJoCo settings';
const logStd = fields.real(-2, {
  min: -10,
  max: 2,
  title: 'log deviation',
  description: 'Natural logarithm of the standard deviation of all actions at the start; 0 without this setting.',
  source,
  slider: [-4, 1],
  group: 'exploration',
});
const field = variant('not used', [kind('not used', {}), kind('set', { logStd })], {
  title: 'initial deviation',
  description: 'How widely a policy over continuous actions scatters its first actions. Small where large actions end episodes at once.',
  source,
  group: 'exploration',
});
type InitialDeviation = z.infer<typeof field>;

export const initialDeviation = defineExtension<InitialDeviation>({
  id: 'initialDeviation',
  field: ({ loop }) => (loop === 'rollout' ? field : null),
  presets: [
    {
      id: 'half-cheetah-zoo',
      title: 'RL Zoo settings for HalfCheetah, with orthogonal first weights (1,000,000 steps)',
      config: {
        envs: 1,
        rolloutSteps: 512,
        minibatches: 8,
        epochs: 20,
        lr: 2.0633e-5,
        annealLr: false,
        gamma: 0.98,
        lambda: 0.92,
        clip: 0.1,
        clipValue: false,
        entropyCoef: 0.000401762,
        valueCoef: 1.16192, // of half the squared error here, 0.58096 of the whole there
        maxGradNorm: 0.8,
        normaliseObs: true,
        normaliseReward: true,
        hidden: [256, 256],
        activation: 'relu',
        initialDeviation: { kind: 'set', logStd: -2 },
      },
    },
  ],
  check(meta) {
    if (meta.actionCount === 0) return;
    const message = 'A deviation is set, but these actions are chosen from a list.';
    throw fail('config-invalid', message, 'Leave it out, or choose an environment with continuous actions.', 'algo.initialDeviation.kind');
  },
  load: async () => (setting) => ({
    attach: ({ engine, learned }) => ({
      places() {
        if (setting.kind === 'not used') return {};
        for (const { group } of learned)
          for (const param of group.params)
            if (param.name === 'logStd') engine.write(param, new Float32Array(sizeOf(param.shape)).fill(setting.logStd));
        return {};
      },
    }),
  }),
});
