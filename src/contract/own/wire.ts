/**
 * Values as texts for the one way between the page and a sandbox: JSON in which typed arrays are base64 of their bytes, and numbers that JSON
 * has no word for stand by name. A long text goes in parts, the next when the one before was taken. What is read may be anything.
 */
import { fromBase64, toBase64 } from '../kit/bytes.ts';
import { type Json, readJson } from '../kit/json.ts';

const ARRAYS = {
  f32: Float32Array,
  f64: Float64Array,
  u32: Uint32Array,
  i32: Int32Array,
  i16: Int16Array,
  u8: Uint8Array,
} as const;
type ArrayName = keyof typeof ARRAYS;
type AnyArray = InstanceType<(typeof ARRAYS)[ArrayName]>;

/** Member that says what an object stands for; settings of an environment and methods have no such name. */
const TAG = '$as';
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** A value of numbers, texts, lists, plain objects and typed arrays as text; members without a value are left out. */
export function toWire(value: unknown): string {
  return JSON.stringify(plain(value)) ?? 'null';
}

function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : numberAsText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? { [TAG]: 'nothing' } : plain(item)));
  const array = Object.entries(ARRAYS).find(([, type]) => value instanceof type);
  if (array !== undefined && ArrayBuffer.isView(value))
    return { [TAG]: array[0], bytes: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

const numberAsText = (value: number): unknown => (value === 0 ? { [TAG]: 'number', text: '-0' } : { [TAG]: 'number', text: String(value) });

/** Values of one message, lists and objects counted with what they hold. */
const MOST_VALUES = 400_000;

/** What a text says. Throws SyntaxError for one that is no such text, or has more values than a message may have. */
export function fromWire(text: string): unknown {
  const read = (value: Json): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(read);
    const object = value as { readonly [key: string]: Json };
    if (typeof object[TAG] === 'string') return tagged(object);
    return Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, read(inner)]));
  };
  return read(readJson(text, MOST_VALUES));
}

function tagged({ [TAG]: tag, bytes, text }: { readonly [key: string]: Json }): number | AnyArray | undefined {
  if (tag === 'nothing') return undefined; // an argument that was left out
  if (tag === 'number') {
    const found = text === '-0' ? -0 : NUMBERS.get(String(text));
    if (found === undefined) throw new SyntaxError('no number');
    return found;
  }
  const Type = Object.hasOwn(ARRAYS, String(tag)) ? ARRAYS[tag as ArrayName] : undefined;
  const content = typeof bytes === 'string' ? fromBase64(bytes) : null;
  if (Type === undefined || content === null || content.length % Type.BYTES_PER_ELEMENT !== 0) throw new SyntaxError('no array');
  return new Type(content.slice().buffer);
}

/** Characters of a part, and of all parts of one text: a state of some 140 MB. */
export const PART = 2_000_000;
export const LONGEST_TEXT = 200_000_000;
/** Milliseconds between two parts, so that the frame's bounds on a second hold. */
export const PART_MS = 100;

/** Before a text: the last part of it, or one that others follow. */
const LAST = 'lab.';
const MORE = 'lab+';
/** What the taker of a part answers. */
export const TAKEN = 'lab taken';
/** Before a text to the sandbox; it is never in parts. */
export const ASKED = 'lab ';

/** A text in parts, each to be taken before the next. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at === 0 || at < text.length; at += PART)
    parts.push((at + PART < text.length ? MORE : LAST) + text.slice(at, at + PART));
  return parts;
}

/** Whether a message is a part of such a text. */
export const isPart = (data: unknown): data is string => typeof data === 'string' && (data.startsWith(LAST) || data.startsWith(MORE));
/** Whether others follow it. */
export const hasMore = (part: string): boolean => part.startsWith(MORE);

/** Puts parts together again. */
export class PartReader {
  private parts: string[] = [];
  private length = 0;

  /** The whole text with the last part; null: there is more to come. Throws SyntaxError for a text longer than any may be. */
  take(part: string): string | null {
    this.parts.push(part.slice(LAST.length));
    this.length += part.length;
    if (this.length > LONGEST_TEXT) throw new SyntaxError('too long');
    if (hasMore(part)) return null;
    const text = this.parts.join('');
    this.parts = [];
    this.length = 0;
    return text;
  }
}
