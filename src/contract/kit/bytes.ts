/** Bytes as text and as checksums, without the platform's help: UTF-8, base64, base64url, base45 and CRC-32 (IEEE 802.3, reflected). */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int16Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const left = bytes.length - i;
    parts.push(
      ALPHABET[word >> 18] as string,
      ALPHABET[(word >> 12) & 63] as string,
      left > 1 ? (ALPHABET[(word >> 6) & 63] as string) : '=',
      left > 2 ? (ALPHABET[word & 63] as string) : '=',
    );
  }
  return parts.join('');
}

/** Bytes of base64 text, padded or not; null if it is not base64. */
export function fromBase64(text: string): Uint8Array | null {
  const bare = text.replace(/={1,2}$/, '');
  if (bare.length % 4 === 1) return null;
  const out = new Uint8Array(Math.floor((bare.length * 3) / 4));
  let word = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < bare.length; i++) {
    const value = VALUES[bare.charCodeAt(i)] ?? -1;
    if (value < 0) return null;
    word = ((word << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[at++] = (word >> bits) & 255;
    }
  }
  return out;
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function fromBase64Url(text: string): Uint8Array | null {
  return /^[A-Za-z0-9_-]*$/.test(text) ? fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')) : null;
}

const BASE45 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Base45 (RFC 9285): two bytes in three of the characters that QR codes pack densely. */
export function toBase45(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 2) {
    const pair = i + 1 < bytes.length;
    let n = pair ? bytes[i]! * 256 + bytes[i + 1]! : bytes[i]!;
    for (let digit = 0; digit < (pair ? 3 : 2); digit++) {
      out += BASE45.charAt(n % 45);
      n = Math.floor(n / 45);
    }
  }
  return out;
}

/** null: not base45. */
export function fromBase45(text: string): Uint8Array | null {
  if (text.length % 3 === 1) return null;
  const out = new Uint8Array(Math.floor(text.length / 3) * 2 + (text.length % 3 === 2 ? 1 : 0));
  let at = 0;
  for (let i = 0; i < text.length; i += 3) {
    const digits = [...text.slice(i, i + 3)].map((char) => BASE45.indexOf(char));
    if (digits.includes(-1)) return null;
    const n = digits.reduceRight((sum, digit) => sum * 45 + digit, 0);
    if (n > (digits.length === 3 ? 0xffff : 0xff)) return null;
    if (digits.length === 3) out[at++] = n >> 8;
    out[at++] = n & 255;
  }
  return out;
}

/** What a byte does to the checksum, by how many bytes follow it in a group of sixteen: 256 numbers each. */
const CRC = new Int32Array(16 * 256);
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  CRC[n] = c;
}
for (let i = 256; i < CRC.length; i++) CRC[i] = (CRC[i - 256]! >>> 8) ^ CRC[CRC[i - 256]! & 255]!;

/** Of four bytes behind which as many follow as `at` / 256 says. */
function wordCrc(word: number, at: number): number {
  return (
    CRC[at + 768 + (word & 255)]! ^
    CRC[at + 512 + ((word >>> 8) & 255)]! ^
    CRC[at + 256 + ((word >>> 16) & 255)]! ^
    CRC[at + (word >>> 24)]!
  );
}

/** Bytes that begin where a number of 32 bits may begin are taken sixteen at a time, which is five times as fast as one by one. */
export function crc32(bytes: Uint8Array): number {
  let c = -1;
  let done = 0;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, (bytes.length >> 4) << 2);
    for (let k = 0; k < words.length; k += 4)
      c = wordCrc(words[k]! ^ c, 3072) ^ wordCrc(words[k + 1]!, 2048) ^ wordCrc(words[k + 2]!, 1024) ^ wordCrc(words[k + 3]!, 0);
    done = 4 * words.length;
  }
  for (; done < bytes.length; done++) c = CRC[(c ^ bytes[done]!) & 255]! ^ (c >>> 8);
  return ~c >>> 0;
}

/** UTF-16 units that become a text at a time. */
const SLICE = 8192;

/** Text of UTF-8 bytes; a broken sequence becomes U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  const units = new Uint16Array(Math.min(SLICE, bytes.length) + 1);
  let text = '';
  let filled = 0;
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++]!;
    const more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : -1;
    let code = more === 0 ? lead : lead & (0x3f >> more);
    let good = more >= 0;
    for (let k = 0; k < more; k++) {
      const next = bytes[i];
      if (next === undefined || (next & 0xc0) !== 0x80) {
        good = false;
        break;
      }
      code = (code << 6) | (next & 0x3f);
      i++;
    }
    if (!good || code > 0x10ffff) code = 0xfffd;
    if (code > 0xffff) {
      units[filled++] = 0xd800 + ((code - 0x10000) >> 10);
      units[filled++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
    } else units[filled++] = code;
    if (filled >= SLICE || i >= bytes.length) {
      text += String.fromCharCode(...units.subarray(0, filled));
      filled = 0;
    }
  }
  return text;
}

/** Little-endian float32, one part behind the other. */
export function floatBytes(parts: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * parts.reduce((sum, part) => sum + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts)
    for (const value of part) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  return bytes;
}
