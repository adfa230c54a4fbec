/**
 * Option-aware temporally abstracted values (Ahn et al. 2025): HIQL (goals/hiql.ts) whose upper policy is judged by values of its own, in which a
 * step is a jump of `jump` recorded steps:
 *   V_u:    y = r + gamma V_u'(s_n, g), s_n the recorded state `jump` steps later, or g if that is sooner; r is -1 a jump, 0 at the goal
 *   upper:  weighted by exp(alpha (V_u(w, g) - V_u(s, g)));  the lower policy is HIQL's
 * A way of n steps is n / jump steps of V_u, so values of far goals do not flatten, and their differences keep their sign.
 * Differs from the authors' code: as goals/hiql.ts; V_u reads the goal itself, not its code.
 * Pseudo-code: HIQL's, with one more update in each round: V_u, on states and the states `jump` steps later.
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkRecordable } from '../lib/box.ts';
import { agreementMetric, offlineMetrics } from '../lib/data/offline.ts';
import { codeField, goalFields, goalPresets, wayField } from '../lib/goals/fields.ts';
import { checkGoals } from '../lib/goals/rows.ts';
import { trainTwoLevels, twoLevelBenchmark, twoLevelMetrics, twoLevelPolicy } from '../lib/goals/two-levels.ts';

const source = 'Ahn et al. 2025, OTA';

const config = z.strictObject({
  ...goalFields({ expectile: 0.7, alpha: 3, source }),
  lowerAlpha: fields.real(3, {
    min: 0,
    max: 100,
    title: 'inverse temperature of the lower policy',
    description: 'As the upper one’s, for single steps towards a subgoal.',
    slider: [0, 20],
    source,
    live: true,
  }),
  way: wayField(25, source),
  jump: fields.integer(5, {
    min: 1,
    max: 100,
    title: 'steps of a jump',
    description: 'The upper policy’s values count so many steps as one; 1 are HIQL’s own.',
    unit: 'steps',
    slider: [1, 25],
    source: `${source}: 5 in the large ant maze`,
    depth: 'teach',
  }),
  code: codeField(source),
});
type Config = z.infer<typeof config>;

export const ota = defineAlgo<Config>({
  spec: {
    id: 'ota',
    version: 1,
    title: 'OTA',
    summary: 'HIQL whose upper policy is judged by values in which several steps count as one, so that far goals keep apart.',
    source: {
      title: 'Option-aware Temporally Abstracted Value for Offline Goal-Conditioned Reinforcement Learning',
      authors: 'Ahn et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2505.12737',
    },
    config,
    presets: goalPresets,
    action: 'any',
    learner: 'network',
    agents: 'one',
    shown: true,
    trial: { env: 'bit-flip', steps: 256, config: { dataset: 'random', hidden: [16], batchSize: 32, recordSteps: 500 } },
    probes: [],
    probeConfig: {},
    metrics: [...offlineMetrics, ...twoLevelMetrics, agreementMetric],
  },

  fits(meta) {
    checkRecordable(meta, 'OTA');
    checkGoals(meta, 'OTA');
  },

  train: trainTwoLevels,
  policy: twoLevelPolicy,
  benchmark: ({ config: c, meta, engine }) => twoLevelBenchmark(engine, meta, c),
});
