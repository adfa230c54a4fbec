/**
 * HIQL (Park et al. 2023): one set of values, learned from recordings without actions or rewards, judges two policies.
 *   V:      lib/goals/values.ts, over phi(s, g), a code of a goal with length sqrt(numbers of it)
 *   upper:  -min(exp(alpha (V(w, g) - V(s, g))), 100) ln pi_u(phi(s, w) | s, g): w is the recorded state `way` steps later, or g if that is sooner
 *   lower:  -min(exp(beta (V(s', w) - V(s, w))), 100) ln pi_l(a | s, phi(s, w)): w is the recorded state `way` steps later
 * Far goals give single steps hardly any advantage, and noise in V turns its sign; `way` steps have more of it. Both policies are Gaussian with
 * deviation 1, so ln pi is minus half the squared distance. The gradients of the policies do not reach phi (OGBench, hiql.py).
 * Differs from OGBench: smaller networks and batches by default; a goal is what the environment calls achieved; the distance is not halved.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade
 *   repeat until the budget is spent
 *     V: states with goals of their own episode, of anywhere, or themselves: descend the expectile loss of both values
 *     lower policy: states with what came `way` steps later: descend the weighted cloning loss of the action
 *     upper policy: states with goals that came later: descend the weighted cloning loss of the code of what came `way` steps later
 *     target values <- (1 - tau) target values + tau values
 *   to act: code = upper(s, g), scaled to its length; action = lower(s, code), anew in every step
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkRecordable } from '../lib/box.ts';
import { agreementMetric, offlineMetrics } from '../lib/data/offline.ts';
import { codeField, goalFields, goalPresets, OGBENCH, wayField } from '../lib/goals/fields.ts';
import { checkGoals } from '../lib/goals/rows.ts';
import { trainTwoLevels, twoLevelBenchmark, twoLevelMetrics, twoLevelPolicy } from '../lib/goals/two-levels.ts';

const source = `${OGBENCH} hiql.py`;

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
  way: wayField(25, `${source}; 100 for humanoids`),
  code: codeField(source),
});
type Config = z.infer<typeof config>;

export const hiql = defineAlgo<Config>({
  spec: {
    id: 'hiql',
    version: 1,
    title: 'HIQL',
    summary: 'Learns from recorded play to reach any goal: an upper policy proposes where to be in some steps, a lower one gets there.',
    source: {
      title: 'HIQL: Offline Goal-Conditioned RL with Latent States as Actions',
      authors: 'Park et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2307.11949',
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
    checkRecordable(meta, 'HIQL');
    checkGoals(meta, 'HIQL');
  },

  train: trainTwoLevels,
  policy: twoLevelPolicy,
  benchmark: ({ config: c, meta, engine }) => twoLevelBenchmark(engine, meta, c),
});
