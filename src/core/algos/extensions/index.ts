/** Every extension: one line each, in the order in which they act (api/extension.ts). */
import type { Extension, Stand } from '../api/extension.ts';
import { type Extensions, standing } from '../api/standing.ts';
import { bonus } from './bonus/extension.ts';
import { band } from './epo/extension.ts';
import { forgetting } from './forgetting/extension.ts';
import { stateGroups } from './gigpo/extension.ts';
import { hindsight } from './hindsight/extension.ts';
import { growth } from './scaling-inter/extension.ts';
import { covarianceClip, replay, shapingUntil } from './spear/extension.ts';
import { strataWeight } from './stratified/extension.ts';
import { teamReward } from './team-reward/extension.ts';
import { copies } from './vspo/extension.ts';

const all: readonly Extension[] = [
  bonus,
  forgetting,
  hindsight,
  teamReward,
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

/** Those that fit where a method stands. */
export const extensionsOf = (stand: Stand): Extensions => standing(all, stand);
