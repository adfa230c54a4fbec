/** Parts of schemas for what comes from outside: each looks at how much there is before it looks at what it is. */
import { z } from 'zod';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Makes a schema stop at the first issue: only the first is told, and a text of a few bytes could have a million. */
export const FIRST_ISSUE: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Any JSON value. What readJson answers is one, so that nothing in it is looked at again. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined && typeof value !== 'function');
/** Any JSON object. */
export const jsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(isObject);

/** An object with at most `most` members of any names. A plain record looks at every member, whatever was wrong with the first. */
export const recordOf = <T extends z.ZodType>(value: T, most: number, key: z.ZodString = z.string()) =>
  z.preprocess(
    (given, context) => {
      if (!isObject(given) || Object.keys(given).length <= most) return given;
      context.addIssue(`must have at most ${most} members`);
      return z.NEVER;
    },
    z.record(key, value),
  );

/** A list of at most `most` elements. Its length is looked at before its elements. */
export const listOf = <T extends z.ZodType>(element: T, most = 10_000): z.ZodArray<T> => z.array(element).max(most);
