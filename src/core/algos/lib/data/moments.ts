/**
 * Standardisation of recorded observations, as TD3+BC (Fujimoto and Gu 2021, section 5) and CORL's dt.py have it. Recordings of one player from
 * one start hardly vary: with the published floor a difference of a thousandth becomes one unit, and the least deviation in play leads to
 * observations that the networks never saw.
 */
import type { VersionChange } from '#contract/run/versions.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';
import type { DataRows } from './source.ts';

const FLOOR = fields.real(1e-3, {
  above: 0,
  max: 100,
  title: 'least deviation',
  description:
    'Added to the standard deviations that observations are divided by, in units of the observation: a large one where a recording hardly varies.',
  source: 'CORL td3_bc.py; 1e-6 in dt.py',
  log: true,
  slider: [1e-4, 1],
  depth: 'research',
  group: 'normalisation',
});

export const momentsFields = {
  normaliseObs: variant('on', [kind('off', {}), kind('on', { floor: FLOOR })], {
    title: 'normalise observations',
    description: 'Subtract the mean of the recording, divide by its standard deviation.',
    source: 'CORL td3_bc.py, dt.py',
    depth: 'research',
    group: 'normalisation',
  }),
};

/** Both were fixed before. */
export const normalisationChosen = (version: number): VersionChange => ({
  version,
  what: 'Standardisation of the observations may be turned off, and its least deviation chosen.',
  before: { normaliseObs: true, deviationFloor: 1e-3 },
  rerun: false,
});

export const steadyMetric = {
  id: 'steadyObs',
  title: 'observations that hardly vary',
  description: 'Numbers of the observation whose standard deviation in the recording is below ten times the least deviation.',
};

export interface MomentsSettings {
  readonly normaliseObs: { readonly kind: 'off' } | { readonly kind: 'on'; readonly floor: number };
}

/**
 * Mean [inputs] and one over the deviation [inputs] of the numbers of the observations, and how many of them hardly vary (see steadyMetric).
 * Codes of grids, which are encoded to more columns than there are, stay as they are. `rows` null: of none, to be loaded.
 */
export function momentsOf(rows: Pick<DataRows, 'obs' | 'count'> | null, width: number, inputs: number, c: MomentsSettings) {
  const [means, scale] = [new Float32Array(inputs), new Float32Array(inputs).fill(1)];
  let steady = 0;
  if (rows === null || inputs > width || c.normaliseObs.kind === 'off') return { mean: means, scale, steady };
  for (let j = 0; j < inputs; j++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < rows.count; i++) sum += rows.obs[i * width + j]!;
    const centre = sum / rows.count;
    for (let i = 0; i < rows.count; i++) squares += (rows.obs[i * width + j]! - centre) ** 2;
    const deviation = Math.sqrt(squares / rows.count);
    means[j] = centre;
    scale[j] = 1 / (deviation + c.normaliseObs.floor);
    if (deviation < 10 * c.normaliseObs.floor) steady++;
  }
  return { mean: means, scale, steady };
}
