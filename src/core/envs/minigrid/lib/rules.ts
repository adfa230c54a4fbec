/**
 * How an episode ends, tested after the move. Success gives 1 - 0.9 * steps / maxSteps, every other end 0; lava always ends with 0.
 * The type of a rule belongs to the config (or the generator); its places and things are four numbers in the state, because a
 * generator draws them anew for every episode. Sources: the classes of Minigrid 3.1.0 `envs/*.py`.
 */
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import {
  BALL,
  BOX,
  cell,
  colourCode,
  colourOf,
  contentOf,
  DOOR,
  hasOrigin,
  KEY,
  OPEN,
  objectCode,
  objectOf,
  originOf,
  stateOf,
} from './cells.ts';
import { parseSentence, type Sentence } from './instructions.ts';
import { DONE, DROP, type Moment, PICKUP, TOGGLE } from './moment.ts';

export const RULE_TYPES = [
  'goal',
  'open-door',
  'pickup',
  'fetch',
  'done-next-to',
  'open-in-order',
  'put-near',
  'reach',
  'babyai',
  'none',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** 0 goes on, 1 ends with nothing, 2 success. */
export type Verdict = 0 | 1 | 2;

const isOpen = (m: Moment, at: number) => {
  const word = m.words[m.base + at]!;
  return objectOf(word) === DOOR && stateOf(word) === OPEN;
};

/**
 * Numbers a, b by type: open-door a door's cell; pickup a thing's origin, its colour; fetch a kind; done-next-to a cell,
 * shown(); open-in-order two cells; put-near a kind, nearThing(); reach two cells + 1. A kind is object and colour, 7 bits.
 */
export function judge(type: RuleType, m: Moment): Verdict {
  switch (type) {
    case 'goal':
      return m.onGoal ? 2 : 0;
    case 'open-door':
      return m.action === TOGGLE && isOpen(m, m.a) ? 2 : 0;
    case 'pickup':
      return m.action === PICKUP && m.heldAfter !== 0 && originOf(m.heldAfter) === m.a ? 2 : 0;
    case 'fetch':
      if (m.heldAfter === 0) return 0;
      return (m.heldAfter & 127) === m.a ? 2 : 1;
    case 'done-next-to': {
      if (m.action === TOGGLE) return 1;
      if (m.action !== DONE) return 0;
      return Math.abs(m.x - (m.a % m.width)) + Math.abs(m.y - Math.floor(m.a / m.width)) === 1 ? 2 : 1;
    }
    case 'open-in-order':
      if (!isOpen(m, m.b)) return 0;
      return m.firstOpen ? 2 : 1;
    case 'put-near': {
      if (m.action === PICKUP && m.heldAfter !== 0) return (m.heldAfter & 127) === m.a ? 0 : 1;
      if (m.action !== DROP || m.heldBefore === 0) return 0;
      const dropped = m.heldAfter === 0;
      const target = m.b & 0xffff;
      return dropped && Math.abs(m.frontX - (target % m.width)) <= 1 && Math.abs(m.frontY - Math.floor(target / m.width)) <= 1 ? 2 : 1;
    }
    case 'reach': {
      const at = m.y * m.width + m.x + 1;
      return at === m.a ? 2 : at === m.b ? 1 : 0;
    }
    case 'babyai': // judged by instructions.ts
    case 'none':
      return 0;
  }
}

/** A rule of the config, ready to be put into states. */
export interface CompiledRule {
  readonly type: RuleType;
  /** The numbers of this rule on this map; cells of things are looked up in `words`. */
  numbers(words: Uint32Array, width: number, height: number): readonly [number, number];
  /** What a BabyAI rule says. */
  readonly sentence: Sentence | null;
}

/** Throws LabError('config-invalid') naming what is wrong in endRule. */
export function compileRule(rule: JsonObject): CompiledRule {
  const type = rule.type as RuleType;
  if (!RULE_TYPES.includes(type)) throw bad(`type cannot be ${JSON.stringify(rule.type)}`, `Allowed: ${RULE_TYPES.join(', ')}.`);
  const needed: { readonly [t in RuleType]: readonly string[] } = {
    goal: [],
    'open-door': ['door'],
    pickup: ['object'],
    fetch: ['object'],
    'done-next-to': ['object'],
    'open-in-order': ['first', 'second'],
    'put-near': ['move', 'target'],
    reach: ['success', 'failure'],
    babyai: ['instruction'],
    none: [],
  };
  // a fetch target may also stand flat beside the type of the rule
  for (const key of needed[type])
    if (rule[key] === undefined) throw bad(`"${type}" needs "${key}"`, `Give: ${['type', ...needed[type]].join(', ')}.`);
  for (const key of Object.keys(rule))
    if (key !== 'type' && !needed[type].includes(key))
      throw bad(`"${type}" has no "${key}"`, `Give: ${['type', ...needed[type]].join(', ')}.`);
  const sentence = type === 'babyai' ? parseSentence(rule.instruction) : null;
  const place = (key: string, width: number, height: number) => cellOf(rule[key] as Json, width, height, key);
  return {
    type,
    sentence,
    numbers(words, width, height) {
      switch (type) {
        case 'open-door':
          return [place('door', width, height), 0];
        case 'pickup': {
          const at = place('object', width, height);
          return [at + 1, colourOf(words[at]!)];
        }
        case 'fetch':
          return [kindOf(rule.object as Json, words, width, height, 'object'), 0];
        case 'done-next-to': {
          const at = place('object', width, height);
          return [at, shown(words[at]!)];
        }
        case 'open-in-order':
          return [place('first', width, height), place('second', width, height)];
        case 'put-near':
          return [kindOf(rule.move as Json, words, width, height, 'move'), nearThing(words, place('target', width, height))];
        case 'reach':
          return [place('success', width, height) + 1, rule.failure === null ? 0 : place('failure', width, height) + 1];
        default:
          return [0, 0];
      }
    },
  };
}

/** Number b of done-next-to: the colour of a door; of a thing, object and colour (7 bits). */
export function shown(word: number): number {
  return objectOf(word) === DOOR ? colourOf(word) : word & 127;
}

/** Number b of put-near: the target's cell, and above it what stands there. */
export function nearThing(words: Uint32Array, at: number): number {
  return at | ((words[at]! & 127) << 16);
}

/** [x, y] or an object with pos: the cell. */
function cellOf(value: Json, width: number, height: number, key: string): number {
  const pos = Array.isArray(value) ? value : ((value as JsonObject | null)?.pos as Json);
  const [x, y] = Array.isArray(pos) ? pos : [];
  if (
    typeof x !== 'number' ||
    typeof y !== 'number' ||
    !Number.isInteger(x) ||
    !Number.isInteger(y) ||
    x < 0 ||
    y < 0 ||
    x >= width ||
    y >= height
  )
    throw bad(`${key} is not a cell of the map`, `Give [x, y] or { "pos": [x, y] } inside ${width} x ${height}.`);
  return y * width + x;
}

/** Object and colour (7 bits) of a description { type, color }, or of the thing at its pos. */
function kindOf(value: Json, words: Uint32Array, width: number, height: number, key: string): number {
  const described = isObject(value) ? value : {};
  const object = objectCode(described.type);
  const colour = colourCode(described.color);
  if (object >= 0 && colour >= 0) return cell(object, colour);
  const word = words[cellOf(value, width, height, key)]!;
  if (!hasOrigin(objectOf(word))) throw bad(`there is nothing to take at ${key}`, 'Give { "type", "color" } or the "pos" of a thing.');
  return word & 127;
}

function bad(what: string, fix: string): Error {
  return fail('config-invalid', `endRule: ${what}.`, fix, 'env.endRule');
}

export const canTake = (word: number): boolean => {
  const object = objectOf(word);
  return object === KEY || object === BALL || object === BOX;
};

/** What is left when a box is opened: its content, without an identity. */
export function opened(word: number): number {
  const content = contentOf(word);
  return content === 0 ? cell(1) : content;
}
