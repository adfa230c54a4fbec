/** Plain JSON data, as it travels in links, files and messages. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value of JSON is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value where it is an object; otherwise an empty one. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** Levels of objects and lists that a text from outside may have: ours have under ten. */
const DEEPEST = 64;

/**
 * JSON text from outside. Throws SyntaxError where it is not JSON, is nested deeper than 64 levels (a deep text overflows the stack of
 * whatever walks it) or has a member "__proto__" (which copying objects drops without a word).
 */
export function readJson(text: string): Json {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === 0x5c) i++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST) throw new SyntaxError(`nested deeper than ${DEEPEST} levels`);
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return JSON.parse(text, (key, value: Json) => {
    if (key === '__proto__') throw new SyntaxError('"__proto__" is not a name');
    return value;
  }) as Json;
}

/** `over` put over `base`: objects are merged key by key, everything else is replaced. Both stay as they are. */
export function mergeJson(base: JsonObject, over: JsonObject): JsonObject {
  const out: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = out[key];
    out[key] = isObject(old) && isObject(value) ? mergeJson(old, value) : value;
  }
  return out;
}
