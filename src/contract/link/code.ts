/**
 * Short codes that are read aloud, pasted, or shown as a QR code: `RL1:` and base45 (RFC 9285) of a length byte, at most 250 bytes and the
 * CRC-32 of both. Base45 needs only what a QR code packs densely (alphanumeric mode). In text, the space and the star of that alphabet
 * are written as a comma and a semicolon: chat programs cut spaces and take stars for markup. Throws LabError('link-damaged',
 * 'link-foreign', 'link-future').
 */
import { deflateSync } from 'fflate';
import { crc32, fromBase45, toBase45 } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { type Json, readJson } from '../kit/json.ts';

/** Bytes that a code may carry: 311 characters, a QR code of 57 modules at medium correction, which cameras read from a projector. */
export const LONGEST_CODE = 250;
const PREFIX = 'RL';
const VERSION = 1;
/** What JSON may become when it is inflated: a map of 32 x 32 cells is 1.2 kB. */
const LARGEST_JSON = 16_384;

/** The code as its QR code holds it: capitals, digits and $%*+-./: with spaces. Throws link-too-long. */
export function encodeCode(payload: Uint8Array): string {
  if (payload.length > LONGEST_CODE) {
    throw fail(
      'link-too-long',
      `This result needs ${payload.length} bytes; a code holds ${LONGEST_CODE}.`,
      'Use fewer seeds, or a smaller map.',
    );
  }
  const bytes = new Uint8Array(payload.length + 5);
  bytes[0] = payload.length;
  bytes.set(payload, 1);
  new DataView(bytes.buffer).setUint32(payload.length + 1, crc32(bytes.subarray(0, payload.length + 1)));
  return `${PREFIX}${VERSION}:${toBase45(bytes)}`;
}

/** The code as text: without spaces and stars. */
export const spelled = (code: string): string => code.replaceAll(' ', ',').replaceAll('*', ';');

/** Characters of a code at most; what follows them on the line is not read. */
const LONGEST_TEXT = 8 + Math.ceil(((LONGEST_CODE + 5) * 3) / 2);

/** Bytes of a code in either writing; capitals or not; what follows its end is ignored. */
export function decodeCode(text: string): Uint8Array {
  const bare = text
    .trimStart()
    .slice(0, LONGEST_TEXT + 3)
    .toUpperCase()
    .replaceAll(',', ' ')
    .replaceAll(';', '*');
  const [head = '', version = ''] = /^RL(\d{1,3}):/.exec(bare) ?? [];
  if (head === '') throw fail('link-foreign', 'This is not a result code.', 'A code begins with RL1: and is copied whole.');
  if (Number(version) !== VERSION) {
    throw fail(
      'link-future',
      `This code has format ${Number(version)}; this page knows format ${VERSION}.`,
      'Reload the page to get the newest version.',
    );
  }
  const body = bare.slice(head.length);
  const first = fromBase45(body.slice(0, 3));
  if (first === null || first.length === 0) throw damaged('its end is missing');
  const size = first[0]! + 5;
  if (first[0]! > LONGEST_CODE) throw damaged('its characters were changed on the way');
  const length = Math.floor(size / 2) * 3 + (size % 2) * 2;
  if (body.length < length) throw damaged('its end is missing');
  const bytes = fromBase45(body.slice(0, length));
  if (bytes === null) throw damaged('its characters were changed on the way');
  const payload = bytes.subarray(1, size - 4);
  const sum = new DataView(bytes.buffer).getUint32(size - 4);
  if (sum !== crc32(bytes.subarray(0, size - 4))) throw damaged('its checksum does not match');
  return payload;
}

export function damaged(why: string): LabError {
  return fail('link-damaged', `This code is damaged: ${why}.`, 'Copy the whole code again, or scan it.');
}

/** JSON in few bytes: a flag, then its text, deflated where that is shorter. */
export function packJson(value: Json): Uint8Array {
  const text = utf8(canonicalJson(value));
  const small = deflateSync(text, { level: 9 });
  const isSmall = small.length < text.length;
  const bytes = isSmall ? small : text;
  const out = new Uint8Array(bytes.length + 1);
  out[0] = isSmall ? 1 : 0;
  out.set(bytes, 1);
  return out;
}

/** Throws link-damaged for what is no JSON, or becomes too large. */
export function unpackJson(bytes: Uint8Array): Json {
  try {
    const text = bytes[0] === 1 ? inflate(bytes.subarray(1), LARGEST_JSON) : bytes.subarray(1);
    return readJson(text);
  } catch {
    throw damaged('its settings cannot be unpacked');
  }
}
