/** Worlds in which nothing can be learned, so that no view says "train" or "learn" there, and those that are promised to be learned. */
import type { EnvCard } from './catalog.ts';

/** Actions are chosen: false where every member follows a built-in rule. */
export const decides = ({ action }: Pick<EnvCard, 'action'>): boolean => action.kind !== 'box' || action.size > 0;

/** Actions are chosen and rewarded. */
export const canLearn = (env: Pick<EnvCard, 'action' | 'unrewarded'>): boolean => decides(env) && env.unrewarded !== true;

/** Of the way from random to the best known play. */
const WELL = 0.25;

/** What was measured of a recommendation is enough to say beforehand that it learns. */
export const learnsWell = ({ fraction }: { readonly fraction: number | null }): boolean => fraction !== null && fraction >= WELL;
