/** Every extension: one line each, in the list of its loop, in the order in which they act (api/extension.ts). */
import type { Extension, Stand } from '../api/extension.ts';
import { type Extensions, standing } from '../api/standing.ts';
import { bonus } from './bonus/extension.ts';
import { clipDecay } from './clip-decay/extension.ts';
import { cloneSteps, cloning } from './cloning/extension.ts';
import { correlatedNoise } from './correlated-noise/extension.ts';
import { band } from './epo/extension.ts';
import { forgetting } from './forgetting/extension.ts';
import { stateGroups } from './gigpo/extension.ts';
import { hindsight } from './hindsight/extension.ts';
import { initialDeviation } from './initial-deviation/extension.ts';
import { lagrangian } from './lagrangian/extension.ts';
import { levels } from './levels/extension.ts';
import { pretrained } from './pretrained/extension.ts';
import { growth } from './scaling-inter/extension.ts';
import { covarianceClip, replay, shapingUntil } from './spear/extension.ts';
import { strataWeight } from './stratified/extension.ts';
import { teamReward } from './team-reward/extension.ts';
import { copies } from './vspo/extension.ts';

/** A stand in a loop of this kind. */
type In<L extends Stand['loop']> = Extract<Stand, { readonly loop: L }>;

// A list for each kind of loop, so that a bundle holds no extension of another kind than its methods'.
const single: readonly Extension[] = [bonus, forgetting, hindsight, correlatedNoise, clipDecay, initialDeviation, levels, lagrangian];
const team: readonly Extension[] = [teamReward];
const tokens: readonly Extension[] = [pretrained, cloning, cloneSteps];
const groups: readonly Extension[] = [
  cloning,
  growth,
  shapingUntil,
  // of the whole episode, before what is added to single steps
  strataWeight,
  stateGroups,
  copies,
  covarianceClip,
  band,
  replay,
];

/** Those that fit where a method of one learner stands. */
export const extensionsOf = (stand: In<'rollout' | 'replay'>): Extensions => standing(single, stand);
/** Those that fit where a method of a team stands. */
export const teamExtensionsOf = (stand: In<'team'>): Extensions => standing(team, stand);
/** Those that fit where a method on groups of episodes stands. */
export const groupExtensionsOf = (stand: In<'groups'>): Extensions => standing(groups, stand);
/** Those that fit where a method on tokens stands. */
export const tokenExtensionsOf = (stand: In<'tokens'>): Extensions => standing(tokens, stand);
