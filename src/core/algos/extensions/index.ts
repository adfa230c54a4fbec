/** Every extension: one line each, in the order in which they act (api/extension.ts). */
import type { Extension, Stand } from '../api/extension.ts';
import { type Extensions, standing } from '../api/standing.ts';
import { bonus } from './bonus/extension.ts';
import { forgetting } from './forgetting/extension.ts';
import { hindsight } from './hindsight/extension.ts';

const all: readonly Extension[] = [bonus, forgetting, hindsight];

/** Those that fit where a method stands. */
export const extensionsOf = (stand: Stand): Extensions => standing(all, stand);
