/** Settings and metrics of bonuses for what is new. */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

/** Most bits of a hash that one number holds exactly. */
const MOST_BITS = 53;

const weight = fields.real(1, {
  min: 0,
  max: 1000,
  title: 'bonus weight',
  description: 'Of the bonus beside the reward. RND: 0.5; counts: 0.05 to 1 by the scale of rewards.',
  source: 'own choice; 0.5 in CleanRL ppo_rnd_envpool.py (1 beside 2)',
  slider: [0, 2],
  live: true,
  group: 'exploration',
});
const bits = fields.integer(32, {
  min: 1,
  max: MOST_BITS,
  title: 'bits of the hash',
  description: 'Fewer bits let more observations share a count.',
  source: 'Tang et al. 2017, control tasks',
  slider: [8, MOST_BITS],
  depth: 'research',
  group: 'exploration',
});
const gamma = fields.real(0.99, {
  min: 0,
  max: 1,
  title: 'discount of the bonus',
  description: 'Weight of a bonus one step later; bonuses go on through the ends of episodes.',
  source: 'CleanRL ppo_rnd_envpool.py',
  depth: 'research',
  slider: [0.9, 1],
  group: 'exploration',
});
const features = fields.integer(64, {
  min: 1,
  max: 1024,
  title: 'features of RND and ICM',
  description: 'Numbers that the networks which judge novelty give for an observation.',
  source: 'own choice; 512 for Atari in Burda et al. 2018',
  slider: [8, 256],
  depth: 'research',
  group: 'exploration',
});

export const statesSeen: MetricCard = {
  id: 'statesSeen',
  title: 'observations counted',
  description: 'Different observations, or hashes of them, met so far by a count bonus.',
};

/** Of methods that learn from replay: bonuses by counts. */
export const countFields = {
  bonus: variant('none', [kind('none', {}), kind('counts', { weight }), kind('hash counts', { weight, bits })], {
    title: 'exploration bonus',
    description: 'A reward for what was seldom seen, by exact or hashed counts, stored with the step that led there.',
    source: 'off in CleanRL dqn.py',
    depth: 'teach',
    group: 'exploration',
  }),
};
export type CountSettings = z.infer<typeof countFields.bonus>;

/** Settings of a method that can pay itself for what is new; by default it does not. */
export const intrinsicFields = {
  bonus: variant(
    'none',
    [
      kind('none', {}),
      kind('counts', { weight, gamma }),
      kind('hash counts', { weight, gamma, bits }),
      kind('RND', { weight, gamma, features }),
      kind('ICM', { weight, gamma, features }),
    ],
    {
      title: 'exploration bonus',
      description:
        'A reward for what is new: seldom seen (exact or hashed counts), badly predicted (RND), or of unforeseen consequence (ICM).',
      source: 'off in CleanRL ppo.py',
      depth: 'teach',
      group: 'exploration',
    },
  ),
};
export type BonusSettings = z.infer<typeof intrinsicFields.bonus>;

export const intrinsicMetrics: readonly MetricCard[] = [
  {
    id: 'bonus',
    title: 'bonus per step',
    description: 'Mean exploration bonus of the last rollout, before its weight; falls as things become known.',
  },
  { id: 'bonusLoss', title: 'bonus loss', description: 'Of the networks that judge novelty, mean over the last update.' },
  statesSeen,
];
