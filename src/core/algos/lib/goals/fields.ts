/** Settings of methods that learn to reach goals from recordings. */
import type { Preset } from '#contract/catalog/catalog.ts';
import * as fields from '../../api/fields.ts';
import { sourceFields } from '../data/source.ts';

export const OGBENCH = 'OGBench';

/** All but their own: data, networks and step sizes. `expectile`, `alpha`: the usual values. */
export function goalFields({ expectile, alpha, source }: { readonly expectile: number; readonly alpha: number; readonly source: string }) {
  const { share: _, ...data } = sourceFields(`${source} records 1,000,000 steps`);
  return {
    ...data,
    lr: fields.lr(3e-4, source, { description: 'Step size of Adam, for values and policies.' }),
    gamma: fields.gamma(0.99, `${source}; 0.995 in the giant maze`),
    tau: fields.tau(0.005, source),
    expectile: fields.real(expectile, {
      min: 0.5,
      max: 0.999,
      title: 'expectile',
      description: '0.5 is the mean of recorded ways to a goal; towards 1 the fastest of them counts.',
      slider: [0.5, 0.99],
      source,
      depth: 'teach',
    }),
    alpha: fields.real(alpha, {
      min: 0,
      max: 100,
      title: 'inverse temperature',
      description: '0 clones everything alike; the larger, the more only steps that come nearer are cloned.',
      slider: [0, 20],
      source,
      live: true,
      depth: 'teach',
    }),
    randomGoals: fields.real(0, {
      min: 0,
      max: 1,
      title: 'policy’s random goals',
      description: 'Share of the policy’s goals that come from anywhere in the recording; the rest come later in the same episode.',
      slider: [0, 1],
      source: `${source}: 0, and 0.5 for stitched recordings`,
      group: 'data',
    }),
    batchSize: fields.batchSize(256, `${source}: 1024`),
    hidden: fields.hidden([128, 128], `${source}: 512-512-512`, {
      description: 'Units of each layer, in policies and values; GELU between them.',
    }),
  };
}

export const goalPresets: readonly Preset[] = [
  { id: 'stitch', title: 'stitched recordings: half of the policy’s goals from anywhere (OGBench)', config: { randomGoals: 0.5 } },
  {
    id: 'small',
    title: 'a small maze in seconds: small networks, large steps',
    config: { recordSteps: 50_000, hidden: [64, 64], batchSize: 128, lr: 2e-3, tau: 0.02 },
  },
];

/** Steps from a state to its way-point. */
export const wayField = (standard: number, source: string) =>
  fields.integer(standard, {
    min: 1,
    max: 1000,
    title: 'steps to the subgoal',
    description: 'The upper policy proposes where to be so many steps later.',
    unit: 'steps',
    slider: [2, 100],
    source,
    depth: 'teach',
  });

export const codeField = (source: string) =>
  fields.integer(10, {
    min: 1,
    max: 64,
    title: 'numbers of a subgoal',
    description: 'Length of the code in which the upper policy says where to go.',
    slider: [2, 32],
    source,
    group: 'network',
  });
