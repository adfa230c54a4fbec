/**
 * `forgetting`: what keeps earlier tasks while later ones are learned. Elastic weight consolidation, rehearsal with cloning, resets of dormant
 * units, borders found by a jump of the loss, heads or packed masks for tasks that agents are told; resets alone, which need no tasks.
 */
import { defineExtension } from '../../api/extension.ts';
import {
  checkForgetting,
  dormantShare,
  type Forgetting,
  forgettingFields,
  forgettingPenalty,
  replayForgettingFields,
  rolloutForgettingFields,
} from './settings.ts';

const FIELDS = { policy: rolloutForgettingFields, q: forgettingFields, soft: replayForgettingFields, deterministic: null, other: null };

export const forgetting = defineExtension<Forgetting>({
  id: 'forgetting',
  field: ({ networks }) => FIELDS[networks]?.forgetting ?? null,
  metrics: () => [forgettingPenalty, dormantShare],
  check: (meta, setting, method, { networks }) => checkForgetting(meta, setting, method, networks),
  load: async () => (await import('./wiring.ts')).against,
});
