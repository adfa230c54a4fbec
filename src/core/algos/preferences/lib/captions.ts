/**
 * What happened in a step of a MiniGrid world, in words that a language model would be given ("unlocks the blue door"), told from what the
 * agent saw before and after and from what it did; and a scripted annotator who says which of it is promising. Neither knows the task, nor how far
 * the goal is. Observations: minigrid/lib/core.ts, a view [size, size, 3] of object, colour and state, own cell (with what is carried) in the middle of
 * the near edge.
 */
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';

const OBJECTS = ['', 'nothing', 'wall', 'floor', 'door', 'key', 'ball', 'box', 'goal', 'lava', 'agent'] as const;
const COLOURS = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'] as const;
const EMPTY = 1;
const DOOR = 4;
const BOX = 7;
const FIRST_TOLD = DOOR; // doors, keys, balls, boxes and goals are worth a word when they come into view
const LAST_TOLD = 8;
const OPEN = 0;
const LOCKED = 2;
const FORWARD = 2;

export const EVENTS = ['nothing new', 'sees', 'picks up', 'drops', 'opens', 'unlocks', 'closes', 'walks through', 'opens up'] as const;
const [NOTHING, SEES, PICKS_UP, DROPS, OPENS, UNLOCKS, CLOSES, WALKS_THROUGH, OPENS_UP] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const PROMISING: readonly number[] = [PICKS_UP, OPENS, UNLOCKS, WALKS_THROUGH, OPENS_UP];
/** Kinds and colours of things together; a thing is a number below, a caption says one of them. */
const THINGS = OBJECTS.length * COLOURS.length;

/** Different captions; each is a number below. */
export const CAPTIONS = EVENTS.length * THINGS;
/** Numbers that say a caption to a network: its event, object and colour, one-hot. */
export const CAPTION_FEATURES = EVENTS.length + OBJECTS.length + COLOURS.length;

const captionOf = (event: number, object: number, colour: number): number => (event * OBJECTS.length + object) * COLOURS.length + colour;
const eventOf = (caption: number): number => Math.floor(caption / THINGS);
const objectOf = (caption: number): number => Math.floor(caption / COLOURS.length) % OBJECTS.length;

/** @internal Tests count the words. */
export function captionWords(caption: number): string {
  const event = EVENTS[eventOf(caption)]!;
  return caption === NOTHING ? event : `${event} the ${COLOURS[caption % COLOURS.length]!} ${OBJECTS[objectOf(caption)]!}`;
}

/** Writes CAPTION_FEATURES numbers from out[at] on. */
export function writeCaption(caption: number, out: Float32Array, at: number): void {
  out.fill(0, at, at + CAPTION_FEATURES);
  out[at + eventOf(caption)] = 1;
  out[at + EVENTS.length + objectOf(caption)] = 1;
  out[at + EVENTS.length + OBJECTS.length + (caption % COLOURS.length)] = 1;
}

/** Whether an annotator who has played games before would call it promising: what changes the world, or leads on. */
export const promising = (caption: number): boolean => PROMISING.includes(eventOf(caption));

export const thingOf = (caption: number): number => caption % THINGS;
/** The same event with another thing. */
export const withThing = (caption: number, thing: number): number => caption - thingOf(caption) + thing;

/** The thing in front of the agent, in the observation from obs[at] on of a view of size x size. */
export function thingAhead(obs: Float32Array, at: number, size: number): number {
  const front = at + 3 * ((size * (size + 1)) / 2 - 2);
  return obs[front]! * COLOURS.length + obs[front + 1]!;
}

/** Another door, key, ball or box than this one, all alike. */
export function otherThing(thing: number, rng: Rng): number {
  for (;;) {
    const other = DOOR * COLOURS.length + rng.int((BOX - DOOR + 1) * COLOURS.length);
    if (other !== thing) return other;
  }
}

/** Cells to a side of the agent's view. Throws LabError('incompatible') where nothing can be told. */
export function viewOf(meta: EnvMeta, title: string): number {
  const { obs } = meta.agents[0]!;
  if (meta.agentCount === 1 && obs.kind === 'grid' && obs.codes.join() === '11,6,3') return obs.shape[0];
  throw fail('incompatible', `${title} needs captions of what happens, and only MiniGrid worlds have them.`, 'Choose one.', 'env.id');
}

/** A set of the things in view: bit (object - DOOR) * 6 + colour. */
function inView(obs: Float32Array, at: number, size: number): number {
  let seen = 0;
  const own = (size * (size + 1)) / 2 - 1;
  for (let cell = 0; cell < size * size; cell++) {
    const object = obs[at + 3 * cell]!;
    if (object < FIRST_TOLD || object > LAST_TOLD || cell === own) continue;
    seen |= 1 << ((object - FIRST_TOLD) * COLOURS.length + obs[at + 3 * cell + 1]!);
  }
  return seen;
}

/** The caption of a step between observations at before[from] and after[to], within an episode; what is done goes before what is seen. */
export function captionFor(before: Float32Array, from: number, action: number, after: Float32Array, to: number, size: number): number {
  const own = 3 * ((size * (size + 1)) / 2 - 1);
  const front = own - 3;
  const [ahead, colour, state] = [before[from + front]!, before[from + front + 1]!, before[from + front + 2]!];
  if (action === FORWARD && ahead === DOOR && state === OPEN) return captionOf(WALKS_THROUGH, DOOR, colour);
  if (action > FORWARD) {
    const [held, holds] = [before[from + own]!, after[to + own]!];
    if (held === EMPTY && holds !== EMPTY) return captionOf(PICKS_UP, holds, after[to + own + 1]!);
    if (held !== EMPTY && holds === EMPTY) return captionOf(DROPS, held, before[from + own + 1]!);
    const then = after[to + front + 2]!;
    if (ahead === DOOR && then !== state) return captionOf(then !== OPEN ? CLOSES : state === LOCKED ? UNLOCKS : OPENS, DOOR, colour);
    if (ahead === BOX && after[to + front]! !== BOX) return captionOf(OPENS_UP, BOX, colour);
  }
  const fresh = inView(after, to, size) & ~inView(before, from, size);
  if (fresh === 0) return NOTHING;
  const bit = 31 - Math.clz32(fresh & -fresh);
  return captionOf(SEES, FIRST_TOLD + Math.floor(bit / COLOURS.length), bit % COLOURS.length);
}
