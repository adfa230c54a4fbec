/**
 * `band`: entropy in a band (after EPO, Xu et al. 2025): a penalty on entropies outside low .. high times their mean over all updates so far, weighing more and
 * more, in a straight line over the budget, beside the entropy bonus.
 */
import { add, mul, relu, sub, sum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const field = variant(
  'off',
  [
    kind('off', {}),
    kind('on', {
      coef: fields.real(0.1, {
        above: 0,
        max: 10,
        title: 'weight of the entropy band',
        description: 'Of how far entropies lie outside the band, at the end of the budget; 0 at its beginning.',
        source: 'own choice',
        group: 'loss',
        depth: 'research',
      }),
      low: fields.real(0.8, {
        min: 0,
        max: 1,
        title: 'band from',
        description: 'Lower end of the band, as a share of the mean so far.',
        source: 'own choice',
        group: 'loss',
        depth: 'stored',
      }),
      high: fields.real(1.2, {
        min: 1,
        max: 10,
        title: 'band to',
        description: 'Upper end of the band, as a share of the mean so far.',
        source: 'own choice',
        group: 'loss',
        depth: 'stored',
      }),
    }),
  ],
  {
    title: 'entropy band',
    description: 'Entropies are held in a band around their mean so far.',
    source: 'off in GRPO',
    depth: 'research',
    group: 'loss',
  },
);
type Band = ReturnType<(typeof field)['parse']>;

/** How far entropies lie outside low .. high (after EPO, Xu et al. 2025). */
export const outsideBand = (entropy: Tensor, low: Tensor | number, high: Tensor | number): Tensor =>
  add(relu(sub(low, entropy)), relu(sub(entropy, high)));

export const band = defineExtension<Band>({
  id: 'band',
  field: ({ loop }) => (loop === 'groups' ? field : null),
  presets: [{ id: 'epo', title: 'EPO: entropy held in a band around its mean', config: { band: { kind: 'on', coef: 0.1 } } }],
  load: async () => (setting) => ({
    attach: () => ({
      inputs: () => ({ bandLow: [1], bandHigh: [1], bandCoef: [1] }),
      penalty(_network, { weight, bandLow, bandHigh, bandCoef }, _g, { entropy }) {
        if (weight === undefined || bandLow === undefined || bandHigh === undefined || bandCoef === undefined || entropy === undefined)
          return null;
        return mul(bandCoef, sum(mul(weight, outsideBand(entropy, bandLow, bandHigh))));
      },
      places() {
        if (setting.kind === 'off') return {};
        /** The mean entropy so far, and the share of the budget that is spent. */
        let [usual, done] = [Number.NaN, 0];
        return {
          compared(update) {
            [usual, done] = [update.usualEntropy, update.done];
          },
          sampled(_network, { bandLow, bandHigh, bandCoef }) {
            const begun = !Number.isNaN(usual);
            bandCoef?.fill(begun ? setting.coef * done : 0);
            bandLow?.fill(begun ? setting.low * usual : 0);
            bandHigh?.fill(begun ? setting.high * usual : 0);
          },
        };
      },
    }),
  }),
});
