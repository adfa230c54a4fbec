/**
 * Entropy in a band (after EPO, Xu et al. 2025): a penalty on entropies outside low .. high times their mean over all updates so far, weighing more and
 * more, in a straight line over the budget, beside the entropy bonus.
 */
import type { Preset } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../../envs/api/variant.ts';
import * as fields from '../../../api/fields.ts';

export const band = variant(
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
type Band = ReturnType<(typeof band)['parse']>;

export const epo: Preset = { id: 'epo', title: 'EPO: entropy held in a band around its mean', config: { band: { kind: 'on', coef: 0.1 } } };

interface Feed {
  readonly bandCoef?: Float32Array | undefined;
  readonly bandLow?: Float32Array | undefined;
  readonly bandHigh?: Float32Array | undefined;
}

/** `usual`: the mean entropy so far, NaN before the first update; `done`: share of the budget that is spent. */
export function feedBand(feed: Feed, band: Band, usual: number, done: number): void {
  if (band.kind === 'off') return;
  const begun = !Number.isNaN(usual);
  feed.bandCoef?.fill(begun ? band.coef * done : 0);
  feed.bandLow?.fill(begun ? band.low * usual : 0);
  feed.bandHigh?.fill(begun ? band.high * usual : 0);
}
