/** How datasets are spoken of. */

import type { DatasetCard, DatasetHeader } from '#contract/files/dataset.ts';
import { msg, t } from '#text/text.ts';

const WHO: { readonly [who in DatasetHeader['who']]: string } = {
  random: msg('random actions'),
  script: msg('a script'),
  run: msg('a trained policy'),
  population: msg('policies of a run'),
  human: msg('a person'),
  several: msg('several players'),
  import: msg('another program'),
};

export const whoWords = ({ who }: Pick<DatasetHeader, 'who'>): string => t(WHO[who]);

/** "1.2 MB" */
export function sizeWords(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The bars of a histogram: at most `most`, fewer where there are few values. */
export function histogram(
  values: ArrayLike<number>,
  most: number,
): { readonly low: number; readonly high: number; readonly counts: readonly number[] } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) [low, high] = [Math.min(low, values[i]!), Math.max(high, values[i]!)];
  if (values.length === 0) return { low: 0, high: 0, counts: [] };
  const bins = high === low ? 1 : Math.min(most, Math.max(4, Math.ceil(Math.sqrt(values.length) * 2)));
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < values.length; i++) {
    const bin = high === low ? 0 : Math.min(bins - 1, Math.floor((bins * (values[i]! - low)) / (high - low)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { low, high, counts };
}

/** Environment steps of PPO on a reward that was learned from answers. */
export const PREFER_STEPS = 100_000;

/** What can learn from a dataset. */
export const LEARNERS: readonly { readonly algo: string; readonly title: string; readonly actions: 'any' | 'discrete' | 'box' }[] = [
  { algo: 'behaviour-cloning', title: msg('clone it'), actions: 'any' },
  { algo: 'implicit-q-learning', title: msg('implicit Q-learning'), actions: 'any' },
  { algo: 'cql', title: 'CQL', actions: 'discrete' },
  { algo: 'td3-bc', title: 'TD3+BC', actions: 'box' },
];

export const learnersOf = ({ header, answers }: Pick<DatasetCard, 'header' | 'answers'>) =>
  answers > 0
    ? [{ algo: 'preference-ppo', title: msg('PPO from these answers') }]
    : LEARNERS.filter(({ actions }) => actions === 'any' || (actions === 'discrete') === header.actionCount > 0);
