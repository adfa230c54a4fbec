/**
 * BabyAI instructions on top of the MiniGrid core (Chevalier-Boisvert et al. 2019; rules as in Minigrid 3.1.0 `babyai/core/verifier.py`):
 * go-to, open, pickup, put-next, joined by and, before, after. Which parts are done so far is a bit set in the state, one bit per node
 * in the order below. A description { type, color, location } matches things that stood on the map at the start; location (front,
 * behind, left, right) is relative to the start pose and holds only inside the start room (places.ts).
 */
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { COLOURS, colourCode, colourOf, DOOR, LOOKS, OPEN, objectCode, objectOf, originOf, stateOf } from './cells.ts';
import { DROP, type Moment, PICKUP, TOGGLE } from './moment.ts';
import { DX, DY } from './view.ts';

export const LOCATIONS = ['front', 'behind', 'left', 'right'] as const;

export interface Description {
  readonly object: number; // -1: any
  readonly colour: number; // -1: any
  readonly location: number; // 0: anywhere, else 1 << index in LOCATIONS
}

/** A mission as a tree. `strict`: a wrong thing opened or picked up ends the episode (the reference's Debug levels). */
export type Sentence =
  | { readonly kind: 'go-to' | 'open' | 'pickup'; readonly strict: boolean; readonly what: Description }
  | { readonly kind: 'put-next'; readonly move: Description; readonly fixed: Description }
  | { readonly kind: 'and' | 'before' | 'after'; readonly first: Sentence; readonly second: Sentence };

/** What is followed: nodes have bits, and the two parts of before and after stand in the order in which they must be done. */
export type Instruction =
  | { readonly kind: 'go-to' | 'open' | 'pickup'; readonly bit: number; readonly strict: boolean; readonly what: Description }
  | { readonly kind: 'put-next'; readonly bit: number; readonly move: Description; readonly fixed: Description }
  | { readonly kind: 'and' | 'before'; readonly bit: number; readonly first: Instruction; readonly second: Instruction };

/** Set in what `follow` returns when a strict instruction was broken. */
export const BROKEN = 1 << 30;
const MOST_NODES = 30;

export function compileInstruction(sentence: Sentence): Instruction {
  let bits = 0;
  const compile = (node: Sentence): Instruction => {
    const bit = 1 << bits++;
    if (bits > MOST_NODES) throw bad('it has too many parts', `Allowed: ${MOST_NODES}.`);
    switch (node.kind) {
      case 'put-next':
        return { kind: 'put-next', bit, move: node.move, fixed: node.fixed };
      case 'and':
      case 'before':
        return { kind: node.kind, bit, first: compile(node.first), second: compile(node.second) };
      case 'after': // first after second
        return { kind: 'before', bit, first: compile(node.second), second: compile(node.first) };
      default:
        return { kind: node.kind, bit, strict: node.strict, what: node.what };
    }
  };
  return compile(sentence);
}

/** Throws LabError('config-invalid') naming what is wrong. */
export function parseSentence(value: Json | undefined): Sentence {
  const node = isObject(value) ? value : {};
  switch (node.type) {
    case 'go-to':
    case 'open':
    case 'pickup':
      return { kind: node.type, strict: node.strict === true, what: parseDescription(node.object) };
    case 'put-next':
      return { kind: 'put-next', move: parseDescription(node.move), fixed: parseDescription(node.fixed) };
    case 'and':
    case 'before':
    case 'after':
      return { kind: node.type, first: parseSentence(node.first), second: parseSentence(node.second) };
    default:
      throw bad(`there is no instruction "${String(node.type)}"`, 'Use go-to, open, pickup, put-next, and, before, after.');
  }
}

/** As parseSentence reads it. */
export function sentenceJson(node: Sentence): JsonObject {
  switch (node.kind) {
    case 'put-next':
      return { type: 'put-next', move: descriptionJson(node.move), fixed: descriptionJson(node.fixed) };
    case 'and':
    case 'before':
    case 'after':
      return { type: node.kind, first: sentenceJson(node.first), second: sentenceJson(node.second) };
    default:
      return { type: node.kind, object: descriptionJson(node.what), ...(node.strict && { strict: true }) };
  }
}

function parseDescription(value: Json | undefined): Description {
  if (!isObject(value)) throw bad('a description is missing', 'Give { "type", "color", "location" }, each a name or null.');
  const object = value.type === undefined || value.type === null ? -1 : objectCode(value.type);
  const colour = value.color === undefined || value.color === null ? -1 : colourCode(value.color);
  if ((value.type ?? null) !== null && object < 0) throw bad(`there is no object "${String(value.type)}"`, 'Use door, key, ball or box.');
  if ((value.color ?? null) !== null && colour < 0)
    throw bad(`there is no colour "${String(value.color)}"`, 'Use red, green, blue, purple, yellow, grey.');
  const location = value.location ?? null;
  const at = LOCATIONS.indexOf(location as (typeof LOCATIONS)[number]);
  if (location !== null && at < 0) throw bad(`there is no location "${String(location)}"`, `Use ${LOCATIONS.join(', ')}.`);
  return { object, colour, location: location === null ? 0 : 1 << at };
}

function descriptionJson(d: Description): JsonObject {
  return {
    type: d.object < 0 ? null : (LOOKS[d.object] as string),
    color: d.colour < 0 ? null : (COLOURS[d.colour] as string),
    location: d.location === 0 ? null : (LOCATIONS[31 - Math.clz32(d.location)] as string),
  };
}

function bad(what: string, fix: string): Error {
  return fail('config-invalid', `endRule: ${what}.`, fix, 'env.endRule');
}

/** How many walks it takes at most: put-next two, the others one; what BabyAI's step limits are made of. */
export function navigations(node: Sentence | Instruction): number {
  if (node.kind === 'put-next') return 2;
  if ('first' in node) return navigations(node.first) + navigations(node.second);
  return 1;
}

export function usesLocations(node: Sentence | Instruction): boolean {
  if (node.kind === 'put-next') return node.move.location !== 0 || node.fixed.location !== 0;
  if ('first' in node) return usesLocations(node.first) || usesLocations(node.second);
  return node.what.location !== 0;
}

/** `places` from places.ts at placesBase, one number per cell; not read where the description names no location. */
export function matches(word: number, d: Description, places: Uint8Array, placesBase: number): boolean {
  const origin = originOf(word);
  if (origin === 0) return false;
  if (d.object >= 0 && objectOf(word) !== d.object) return false;
  if (d.colour >= 0 && colourOf(word) !== d.colour) return false;
  return d.location === 0 || (places[placesBase + origin - 1]! & d.location) !== 0;
}

/** New bit set of what is done after this moment; the whole is fulfilled when its own bit is set. */
export function follow(node: Instruction, done: number, m: Moment, heldBefore = m.heldBefore): number {
  if ((done & node.bit) !== 0) return done;
  const front = m.front < 0 ? 0 : m.words[m.base + m.front]!;
  switch (node.kind) {
    case 'go-to':
      return matches(front, node.what, m.places, m.placesBase) ? done | node.bit : done;
    case 'open':
      if (m.action !== TOGGLE || objectOf(front) !== DOOR) return done;
      if (stateOf(front) === OPEN && matches(front, node.what, m.places, m.placesBase)) return done | node.bit;
      return node.strict ? done | BROKEN : done;
    case 'pickup':
      if (m.action !== PICKUP) return done;
      if (heldBefore === 0 && matches(m.heldAfter, node.what, m.places, m.placesBase)) return done | node.bit;
      return node.strict && m.heldAfter !== 0 ? done | BROKEN : done;
    case 'put-next':
      return m.action === DROP && heldBefore !== 0 && m.heldAfter === 0 && putNext(node, m, heldBefore) ? done | node.bit : done;
    case 'and': {
      const after = follow(node.second, follow(node.first, done, m, heldBefore) & ~BROKEN, m, heldBefore) & ~BROKEN;
      return (after & node.first.bit) !== 0 && (after & node.second.bit) !== 0 ? after | node.bit : after;
    }
    case 'before': {
      const begun = (done & node.first.bit) !== 0;
      const first = follow(node.first, done, m, heldBefore);
      if ((first & node.first.bit) === 0) return first;
      // the second part begins to look at the hand only now, so what was held before this step is unknown to it
      const second = follow(node.second, first, m, begun ? heldBefore : 0);
      return (second & node.second.bit) !== 0 ? second | node.bit : second;
    }
  }
}

/** The dropped thing lies in front; a fixed one at Manhattan distance 1 of it. */
function putNext(node: Extract<Instruction, { kind: 'put-next' }>, m: Moment, dropped: number): boolean {
  if (!matches(dropped, node.move, m.places, m.placesBase)) return false;
  for (let d = 0; d < 4; d++) {
    const x = m.frontX + DX[d]!;
    const y = m.frontY + DY[d]!;
    if (x < 0 || y < 0 || x >= m.width || y >= m.height) continue;
    const word = m.words[m.base + y * m.width + x]!;
    if (originOf(word) !== originOf(dropped) && matches(word, node.fixed, m.places, m.placesBase)) return true;
  }
  return false;
}
