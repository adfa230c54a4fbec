/**
 * Canonical JSON (keys sorted by code unit, shortest number form, no spaces) and the config hash made from it:
 * SHA-256 (FIPS 180-4) over its UTF-8 bytes. Synchronous and the same in Node, workers and the page. Throws nothing.
 */
import type { RunConfig } from './config.ts';

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

/** First 12 hex digits of the SHA-256 of a complete config: what the page, links and exports call the config hash. */
export function configHash(config: RunConfig): string {
  return sha256(utf8(canonicalJson(config))).slice(0, 12);
}

/** UTF-8 bytes of a string; lone surrogates become U+FFFD. */
export function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    let code = character.codePointAt(0) as number;
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return Uint8Array.from(bytes);
}

/** The first n primes' fractional root bits, as FIPS 180-4 asks: computed with integers so that no table can hold a slip. */
function primeRootBits(count: number, root: 2 | 3): Uint32Array {
  const out = new Uint32Array(count);
  let found = 0;
  for (let n = 2; found < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    // floor(root(n) * 2^32) by bisection over integers; the low 32 bits are the fraction.
    const target = BigInt(n) << BigInt(32 * root);
    let low = 0n;
    let high = 1n << 38n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      const power = root === 2 ? middle * middle : middle * middle * middle;
      if (power <= target) low = middle;
      else high = middle;
    }
    out[found++] = Number(low & 0xffff_ffffn);
  }
  return out;
}

const START = primeRootBits(8, 2);
const ROUND = primeRootBits(64, 3);

/** SHA-256 as 64 lower-case hex digits. */
export function sha256(bytes: Uint8Array): string {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const h = START.slice();
  const w = new Uint32Array(64);
  const at = (array: Uint32Array, i: number): number => array[i]!;
  const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n));
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = at(w, i - 15);
      const b = at(w, i - 2);
      w[i] = at(w, i - 16) + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + at(w, i - 7) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    const s = h.slice();
    for (let i = 0; i < 64; i++) {
      const e = at(s, 4);
      const a = at(s, 0);
      const t1 = (at(s, 7) + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & at(s, 5)) ^ (~e & at(s, 6))) + at(ROUND, i) + at(w, i)) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & at(s, 1)) ^ (a & at(s, 2)) ^ (at(s, 1) & at(s, 2)))) | 0;
      s.copyWithin(1, 0, 7);
      s[4] = at(s, 4) + t1;
      s[0] = t1 + t2;
    }
    for (let i = 0; i < 8; i++) h[i] = at(h, i) + at(s, i);
  }
  return Array.from(h, (word) => word.toString(16).padStart(8, '0')).join('');
}
