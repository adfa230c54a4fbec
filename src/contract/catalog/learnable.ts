/** Worlds in which nothing can be learned, so that no view says "train" or "learn" there. */
import type { EnvCard } from './catalog.ts';

/** Actions are chosen: false where every member follows a built-in rule. */
export const decides = ({ action }: Pick<EnvCard, 'action'>): boolean => action.kind !== 'box' || action.size > 0;

/** Actions are chosen and rewarded. */
export const canLearn = (env: Pick<EnvCard, 'action' | 'unrewarded'>): boolean => decides(env) && env.unrewarded !== true;
