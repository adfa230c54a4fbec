/** Settings of level replay. */
import { z } from 'zod';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

const plr = 'jaxued maze_plr.py';
const group = 'exploration';
const replayFields = {
  score: z.enum(['regret', 'positive value loss', 'frontier']).default('regret').meta({
    title: 'worth of a level',
    description:
      'Regret: how far values fall short of the best return seen on it (MaxMC). Positive value loss: the mean advantage above 0. Frontier: p (1 - p) of the share p of its episodes that end with a return above 0.',
    source: plr,
    depth: 'teach',
    group,
  }),
  capacity: fields.integer(256, {
    min: 2,
    max: 10_000,
    title: 'levels kept',
    description: 'Beyond them a level replaces that of the least weight, if it is worth more.',
    source: 'own choice; 4,000 in jaxued, of 30,000 updates',
    slider: [16, 4096],
    log: true,
    group,
  }),
  probability: fields.real(0.8, {
    min: 0,
    max: 1,
    title: 'replay probability',
    description: 'Share of the rollouts that play kept levels, once enough are kept.',
    source: plr,
    slider: [0, 1],
    group,
  }),
  staleness: fields.real(0.3, {
    min: 0,
    max: 1,
    title: 'weight of staleness',
    description: 'Share of a level’s weight that goes by how long it was not played: its score may be out of date.',
    source: plr,
    slider: [0, 1],
    depth: 'research',
    group,
  }),
  temperature: fields.real(0.3, {
    above: 0,
    max: 100,
    title: 'temperature of ranks',
    description: 'Weights are (1 / rank)^(1 / temperature): the lower, the more the best levels are played.',
    source: plr,
    slider: [0.1, 2],
    log: true,
    depth: 'research',
    group,
  }),
  fill: fields.real(0.5, {
    min: 0,
    max: 1,
    title: 'kept before replay',
    description: 'Share of the levels to keep that must be there before any is played again.',
    source: plr,
    slider: [0, 1],
    depth: 'research',
    group,
  }),
  learnFromNew: z.boolean().default(false).meta({
    title: 'learn from new levels',
    description: 'Off: new levels are only scored, and updates are made on kept ones alone (robust PLR).',
    source: 'robust PLR, Jiang et al. 2021b',
    group,
  }),
};

export const levelsField = variant(
  'not used',
  [
    kind('not used', {}),
    kind('replay', replayFields),
    kind('edited', {
      ...replayFields,
      edits: fields.integer(5, {
        min: 1,
        max: 100,
        title: 'edits',
        description:
          'Of each kept level that was played: so many small changes make the level that is played and scored next. One in three changes nothing.',
        source: plr,
        slider: [1, 40],
        log: true,
        group,
      }),
    }),
    kind('fixed', {
      count: fields.integer(200, {
        min: 1,
        max: 10_000,
        title: 'levels',
        description: 'The first that the environment draws; every rollout plays one of them in each copy.',
        source: 'own choice',
        slider: [1, 2000],
        log: true,
        group,
      }),
    }),
  ],
  {
    title: 'levels',
    description:
      'On which starts training plays. Replay: levels that teach are played again (PLR). Edited: as replay, and those that were just played again are changed a little, played and kept where they teach (ACCEL), in worlds whose levels can be changed. Fixed: a few alone, which a policy may learn by heart. A level is worth something once an episode of it ends within a rollout.',
    source: 'Jiang et al. 2021: Prioritized Level Replay',
    depth: 'teach',
    group,
  },
);
export type LevelSetting = z.infer<typeof levelsField>;
