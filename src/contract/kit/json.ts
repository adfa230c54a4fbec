/** Plain JSON data, as it travels in links, files and messages, and the one way in which a text from outside is read. */
import { textOf } from './bytes.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value of JSON is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value where it is an object; otherwise an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Levels of objects and lists that a text from outside may have: ours have under ten. */
const DEEPEST = 64;
/** Values of a text, lists and objects counted with what they hold: six times those of the largest file that we write. */
export const MOST_VALUES = 250_000;

/** A text that may be JSON, but holds more than is read. The message is the end of a sentence about the text. */
export class JsonBoundError extends SyntaxError {}

/**
 * JSON from outside, as a text or as UTF-8 bytes. What it would cost is counted first: a few bytes in a list become an object of some
 * hundred, and a schema makes an issue of each. Throws JsonBoundError where it has more than `most` values or more than 64 levels (a deep
 * text overflows the stack of whatever walks it), SyntaxError where it is not JSON or has a member "__proto__" (which copying objects
 * drops without a word).
 */
export function readJson(source: string | Uint8Array, most = MOST_VALUES): Json {
  const isText = typeof source === 'string';
  let depth = 0;
  let values = 1;
  let quoted = false;
  for (let i = 0; i < source.length; i++) {
    const code = isText ? source.charCodeAt(i) : (source[i] ?? 0);
    if (quoted) {
      if (code === 0x5c) i++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      // A list of n values has n - 1 commas, so that commas and brackets together are no fewer than the values.
      if (++values > most) throw new JsonBoundError(`it holds more than ${most.toLocaleString('en')} values`);
      if (code !== 0x2c && ++depth > DEEPEST) throw new JsonBoundError(`it is nested deeper than ${DEEPEST} levels`);
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  const text = isText ? source : textOf(source);
  // Looking at every member costs more than reading them all; the name can be written with escapes of its letters.
  if (!/__proto__|\\u00[567]/i.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, (key, value: Json) => {
    if (key === '__proto__') throw new SyntaxError('"__proto__" is not a name');
    return value;
  }) as Json;
}

/** What JSON keeps of a value of this program, as a copy: members without a value are left out, and numbers that are none become null. */
export const plainJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** A text that this program has just written itself and that did not leave it. It is not counted: what comes from outside goes through readJson. */
export const ownJson = (text: string): Json => JSON.parse(text) as Json;

/** `over` put over `base`: objects are merged key by key, everything else is replaced. Both stay as they are. */
export function mergeJson(base: JsonObject, over: JsonObject): JsonObject {
  const out: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = out[key];
    out[key] = isObject(old) && isObject(value) ? mergeJson(old, value) : value;
  }
  return out;
}
