/** Every check there is: one import and one name each. */
import { actorCriticChecks } from './actor-critic.ts';
import { attackChecks } from './attacks.ts';
import type { Check } from './check.ts';
import { coalitionChecks } from './coalitions.ts';
import { continualChecks } from './continual.ts';
import { evaluationChecks } from './evaluation.ts';
import { evolutionChecks } from './evolution.ts';
import { explorationChecks } from './exploration.ts';
import { gameChecks } from './games.ts';
import { hindsightChecks } from './hindsight.ts';
import { limitChecks } from './limits.ts';
import { networkChecks } from './networks.ts';
import { offlineChecks } from './offline.ts';
import { policyChecks } from './policies.ts';
import { preferenceChecks } from './preferences.ts';
import { returnChecks } from './returns.ts';
import { searchChecks } from './search.ts';
import { tableChecks } from './tables.ts';
import { valueChecks } from './values.ts';

export const checks: readonly Check[] = [
  ...returnChecks,
  ...policyChecks,
  ...preferenceChecks,
  ...valueChecks,
  ...actorCriticChecks,
  ...offlineChecks,
  ...networkChecks,
  ...tableChecks,
  ...gameChecks,
  ...evolutionChecks,
  ...evaluationChecks,
  ...explorationChecks,
  ...searchChecks,
  ...continualChecks,
  ...coalitionChecks,
  ...hindsightChecks,
  ...attackChecks,
  ...limitChecks,
];
