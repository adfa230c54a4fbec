/**
 * One pull of one of several arms, then the episode is over: the smallest problem a learner must solve. bsuite bandit, 11 arms.
 * Obs: one state (one-hot of length 1). Reward: the arm's mean, 0, 0.1, .., 1 in an order drawn from `mappingSeed`; no noise.
 * Source: Osband et al. 2020, bsuite at effafc0 `environments/bandit.py`; our order differs from the reference's.
 */
import { z } from 'zod';
import { Rng } from '#math/rng.ts';
import { defineEnv } from '../api/define.ts';
import { soloMeta } from '../api/meta.ts';
import { badConfig } from '../api/parse.ts';
import type { EnvMeta } from '../api/types.ts';
import { leverTable } from '../lib/levers.ts';
import { buildModel, createTabular, tabularState } from '../lib/tabular/model.ts';
import { BSUITE } from './lib/bsuite.ts';

const config = z.strictObject({
  arms: z.int().min(2).max(100).default(11).meta({ title: 'arms', description: 'Number of arms.', source: 'bsuite bandit' }),
  mappingSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .meta({ title: 'mapping seed', description: 'Which arm has which mean is drawn from this.' }),
  meanRewards: z.array(z.number()).min(2).max(100).nullable().default(null).meta({
    title: 'mean rewards',
    description: 'Means of the arms in order; empty: 0 to 1 in equal steps, in a drawn order.',
    depth: 'research',
  }),
});
type Config = z.infer<typeof config>;

function means(c: Config): readonly number[] {
  if (c.meanRewards !== null) {
    if (c.meanRewards.length !== c.arms)
      throw badConfig('meanRewards', `There are ${c.meanRewards.length} means for ${c.arms} arms.`, 'Give one mean per arm.');
    return c.meanRewards;
  }
  const order = Array.from({ length: c.arms }, (_, i) => i);
  Rng.from(c.mappingSeed).split('bandit').shuffle(order);
  return order.map((rank) => rank / (c.arms - 1));
}

function meta(c: Config): EnvMeta {
  const values = means(c);
  return soloMeta({
    id: 'bandit',
    agent: 'player',
    obs: { kind: 'discrete', n: 1 },
    action: { kind: 'discrete', n: c.arms, labels: values.map((_, i) => `arm ${i + 1}`) },
    gamma: 1,
    maxSteps: 0,
    evalMaxSteps: 1,
    state: tabularState,
    frame: leverTable(values, 'bars: what an arm pays, unknown to the player'),
    references: [
      { name: 'random', value: values.reduce((a, b) => a + b, 0) / values.length, source: 'exact' },
      { name: 'optimal', value: Math.max(...values), source: 'exact' },
    ],
    keys: values.map((_, i) => (i < 9 ? [String(i + 1)] : [])),
    idleAction: null,
    fps: 2,
  });
}

export const bandit = defineEnv<Config>({
  spec: {
    id: 'bandit',
    version: 1,
    title: 'Bandit',
    summary: 'Find the best of several arms, one pull per episode.',
    source: BSUITE,
    config,
    presets: [{ id: '11-arms', title: '11 arms', config: {} }],
    meta,
  },
  create(c, batch, options) {
    const values = means(c);
    const model = buildModel(1, c.arms, (_, a) => [{ probability: 1, next: 0, reward: values[a]!, terminated: true }], [0]);
    return createTabular(
      {
        meta: meta(c),
        model,
        frame(_state, out) {
          // The episode is over with the first pull, so that what is shown is always the moment before it.
          out.fill(0);
        },
      },
      batch,
      options?.draws,
    );
  },
  checks: { 'mean-rewards': (c) => ({ meanRewards: means(c) }) },
  policies: {
    optimal: (c) => {
      const values = means(c);
      const best = values.indexOf(Math.max(...values));
      return { act: (env, _buffers, out) => void out.fill(best, 0, env.batch) };
    },
  },
});
