/** What a BabyAI level is, and the sentences levels are made of. */
import type { Description, Sentence } from '../instructions.ts';
import type { LevelRooms } from './level-rooms.ts';

export interface Level {
  readonly size: number; // of a room, walls included
  readonly rows: number;
  readonly columns: number;
  /** Given by the reference for the level; else navigations x size x size x rooms. */
  readonly maxSteps?: number;
  /** Most navigations of a sentence, and most words. */
  readonly navigations: number;
  readonly tokens: number;
  readonly unblocking?: boolean;
  generate(r: LevelRooms): Sentence;
}

export const ROOM = { size: 8, rows: 1, columns: 1 } as const;
export const MAZE = { size: 8, rows: 3, columns: 3 } as const;

/** Words of "the red ball", and with "in front of you". */
const DESCRIPTION = 3;
const LOCATED = 7;
export const SAY = {
  goTo: { navigations: 1, tokens: 2 + DESCRIPTION },
  pickup: { navigations: 1, tokens: 2 + DESCRIPTION },
  pickupLocated: { navigations: 1, tokens: 2 + LOCATED },
  open: { navigations: 1, tokens: 1 + DESCRIPTION },
  openLocated: { navigations: 1, tokens: 1 + LOCATED },
  putNext: { navigations: 2, tokens: 3 + 2 * DESCRIPTION },
  putNextLocated: { navigations: 2, tokens: 3 + 2 * LOCATED },
} as const;

/** Two sentences joined by "then" or "after you". */
export function twice(one: { readonly navigations: number; readonly tokens: number }) {
  return { navigations: 2 * one.navigations, tokens: 2 * one.tokens + 2 };
}

/** Up to two pairs joined by "and". */
export function fourTimes(one: { readonly navigations: number; readonly tokens: number }) {
  return { navigations: 4 * one.navigations, tokens: 4 * one.tokens + 4 };
}

export const goTo = (what: Description): Sentence => ({ kind: 'go-to', strict: false, what });
export const pickUp = (what: Description, strict = false): Sentence => ({ kind: 'pickup', strict, what });
export const openUp = (what: Description, strict = false): Sentence => ({ kind: 'open', strict, what });
export const putNext = (move: Description, fixed: Description): Sentence => ({ kind: 'put-next', move, fixed });

export const ofType = (object: number): Description => ({ object, colour: -1, location: 0 });
