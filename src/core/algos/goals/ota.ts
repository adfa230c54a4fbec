/**
 * Option-aware temporally abstracted values (Ahn et al. 2025): HIQL (goals/hiql.ts) whose upper policy is judged by values of its own, in which a
 * step is a jump of `jump` recorded steps:
 *   V_u:    y = r + gamma V_u'(s_n, g), s_n the recorded state `jump` steps later, or g if that is sooner; r is -1 a jump, 0 at the goal
 *   upper:  weighted by exp(alpha (V_u(w, g) - V_u(s, g)));  the lower policy is HIQL's
 * A way of n steps is n / jump steps of V_u, so values of far goals do not flatten, and their differences keep their sign.
 * Differs from the authors' code: as goals/hiql.ts; V_u reads the goal itself, not its code.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade
 *   repeat until the budget is spent
 *     V and V_u: V on states and the next ones, V_u on states and those `jump` steps later: descend the expectile loss of all four values
 *     lower policy: as in HIQL, weighted by V
 *     upper policy: as in HIQL, weighted by V_u
 *     target values <- (1 - tau) target values + tau values
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { twoLevelCard, twoLevelFields, twoLevels } from './hiql.ts';

const config = z.strictObject({
  ...twoLevelFields,
  jump: fields.integer(5, {
    min: 1,
    max: 100,
    title: 'steps of a jump',
    description: 'The upper policy’s values count so many steps as one; 1 are HIQL’s own.',
    unit: 'steps',
    slider: [1, 25],
    source: 'Ahn et al. 2025, OTA: 5 in the large ant maze',
    depth: 'teach',
  }),
});

export const ota = defineAlgo<z.infer<typeof config>>({
  spec: {
    ...twoLevelCard,
    id: 'ota',
    title: 'OTA',
    summary: 'HIQL whose upper policy is judged by values in which several steps count as one, so that far goals keep apart.',
    source: {
      title: 'Option-aware Temporally Abstracted Value for Offline Goal-Conditioned Reinforcement Learning',
      authors: 'Ahn et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2505.12737',
    },
    config,
  },
  ...twoLevels('OTA'),
});
