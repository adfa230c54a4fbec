/** Parts of schemas for what comes from outside: each looks at how much there is before it looks at what it is. */
import { z } from 'zod';
import { isObject, type Json, type JsonObject, MOST_VALUES } from './json.ts';

/** Makes a schema stop at the first issue: only the first is told, and a text of a few bytes could have a million. */
export const FIRST_ISSUE: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Any JSON value. What readJson answers is one, so that nothing in it is looked at again. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined && typeof value !== 'function');
/** JSON each of whose values is looked at, from who may say anything: at most as many as readJson reads. */
export const checkedJson: z.ZodType<Json> = z.custom<Json>((value) => isJson(value));

function isJson(value: unknown, most = MOST_VALUES): boolean {
  const open: unknown[] = [value];
  for (let count = 1; open.length > 0; count++) {
    const one = open.pop();
    if (count + open.length > most) return false;
    if (one === null || typeof one === 'string' || typeof one === 'boolean' || Number.isFinite(one)) continue;
    if (typeof one !== 'object') return false;
    const isList = Array.isArray(one);
    if (!isList && Object.getPrototypeOf(one) !== Object.prototype) return false;
    const inner: readonly unknown[] = isList ? one : Object.values(one);
    if (inner.length > most) return false;
    for (const member of inner) open.push(member);
  }
  return true;
}

/** Any JSON object. */
export const jsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(isObject);

/**
 * An object with at most `most` members of any names. A plain record looks at every member, whatever was wrong with the first. No transform, behind
 * which zod leaves defaults out of the schema of a form.
 */
export function recordOf<T extends z.ZodType>(value: T, most: number, key: z.ZodString = z.string()) {
  const few = (given: unknown): boolean => !isObject(given) || Object.keys(given).length <= most;
  const record: z.ZodRecord<z.ZodString, T> = z.record(key, value);
  return z.pipe(z.custom<z.input<typeof record>>(few, `must have at most ${most} members`), record);
}

/** A list of at most `most` elements. Its length is looked at before its elements. */
export const listOf = <T extends z.ZodType>(element: T, most = 10_000): z.ZodArray<T> => z.array(element).max(most);
