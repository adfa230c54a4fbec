/** Canonical JSON: keys sorted by code unit, shortest number form, no spaces. The same in Node, workers and the page. Throws nothing. */
import { present } from './errors.ts';

/** Canonical text of a JSON value. Members that are undefined are left out; -0 becomes 0; numbers that JSON cannot say become null. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    const parts: string[] = [];
    for (const key of Object.keys(object).sort()) {
      if (object[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(object[key])}`);
    }
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Same JSON value, whatever the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/** UTF-8 bytes of a string; lone surrogates become U+FFFD. */
export function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length); // a pair of surrogates is two units and four bytes
  let n = 0;
  for (const character of text) {
    let code = present(character.codePointAt(0), 'code point');
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code >= 0x80) {
      const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      bytes[n++] = ((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more)); // 110.., 1110.. or 11110..
      for (let k = more - 1; k >= 0; k--) bytes[n++] = 0x80 | ((code >> (6 * k)) & 63);
    } else bytes[n++] = code;
  }
  return bytes.slice(0, n);
}
