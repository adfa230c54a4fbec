/**
 * Pretrained weights: a method on tokens begins with the weights of a model that was trained before, in place of random ones. What a method has
 * beside the transformer (a critic) begins as ever. The file is found by the page or the command that starts the run (SessionOptions.weights); what was loaded is
 * part of every checkpoint from then on.
 */
import { fail } from '#contract/kit/errors.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import { MODELS, weightsIn } from './model.ts';

const field = variant('not used', [kind('not used', {}), kind('stories', {}), kind('stories-2', {})], {
  title: 'pretrained weights',
  description:
    'stories-2: the weights of the model of the little stories, for the world w-stories; stories: those of the first one, which was trained less. Width, layers and heads of the model are asked for.',
  source: 'own choice',
  group: 'warm start',
  depth: 'teach',
});
type Setting = { readonly kind: 'not used' | 'stories' | 'stories-2' };

export const pretrained = defineExtension<Setting>({
  id: 'pretrained',
  field: ({ loop }) => (loop === 'tokens' ? field : null),
  check(meta, setting, config) {
    const model = MODELS[setting.kind];
    if (model === undefined) return;
    const obs = meta.agents[0]?.obs;
    const fits = obs?.kind === 'grid' && obs.codes[0] === model.vocabulary && obs.shape[1] === model.places;
    if (!fits)
      throw fail(
        'incompatible',
        `${model.title} writes other tokens than this environment reads.`,
        'Choose Little stories, or no pretrained weights.',
        'algo.pretrained.kind',
      );
    for (const size of ['width', 'layers', 'heads'] as const)
      if (config[size] !== model[size])
        throw fail(
          'incompatible',
          `${model.title} has ${size} ${model[size]}.`,
          `Set ${size} to ${model[size]}, or choose no pretrained weights.`,
          `algo.${size}`,
        );
  },
  load: async () => (setting) => ({
    attach: (host) => ({
      places() {
        const model = MODELS[setting.kind];
        if (host.loop !== 'tokens' || model === undefined) return {};
        const counters = { loaded: 0 };
        return {
          state: { counters },
          async before() {
            if (counters.loaded === 1) return null;
            counters.loaded = 1;
            const weights = weightsIn(await host.weights(model.file, model.hash), model);
            for (const { group } of host.learned)
              for (const param of group.params) {
                const numbers = weights.get(param.name);
                if (numbers !== undefined) host.engine.write(param, numbers);
              }
            return null;
          },
        };
      },
    }),
  }),
});
