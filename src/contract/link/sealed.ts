/**
 * JSON as text for an address: `FORMAT.<base64url(deflate(canonical JSON))>.<CRC-32>`, bounded before it is decoded. Throws
 * LabError('link-damaged', 'link-future', 'link-too-long') in words about `what` it holds.
 */
import { deflateSync } from 'fflate';
import { crc32, fromBase64Url, toBase64Url } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { type Json, readJson } from '../kit/json.ts';

export interface Sealed {
  /** "lesson". */
  readonly what: string;
  /** The newest that this page knows; all before it open too. */
  readonly format: number;
  /** Characters it may have. */
  readonly longest: number;
  /** Bytes of its JSON at most. */
  readonly largest: number;
}

const crcOf = (body: string): string => {
  const crc = crc32(utf8(body));
  return toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc));
};

/** The text, whatever its length. */
export function sealJson(value: Json, { format }: Pick<Sealed, 'format'>): string {
  const body = `${format}.${toBase64Url(deflateSync(utf8(canonicalJson(value)), { level: 9 }))}`;
  return `${body}.${crcOf(body)}`;
}

export function unsealJson(packed: string, { what, format: own, longest, largest }: Sealed): Json {
  if (packed.length > longest)
    throw fail(
      'link-too-long',
      `This ${what} has ${packed.length} characters; a ${what} has at most ${longest}.`,
      'Ask for the link again.',
    );
  const [, format = '', payload = '', crc = ''] = /^(\d{1,4})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{6})$/.exec(packed) ?? [];
  if (format === '') throw damaged(what, 'its end is missing or characters were changed on the way');
  if (crcOf(`${format}.${payload}`) !== crc) throw damaged(what, 'its checksum does not match');
  if (Number(format) < 1 || Number(format) > own)
    throw fail(
      'link-future',
      `This ${what} has format ${Number(format)}; this page knows ${own === 1 ? 'format 1' : `formats 1 to ${own}`}.`,
      'Reload the page.',
    );
  const bytes = fromBase64Url(payload);
  try {
    return readJson(inflate(bytes ?? new Uint8Array(), largest));
  } catch {
    throw damaged(what, 'its content cannot be unpacked');
  }
}

export function damaged(what: string, why: string): LabError {
  return fail('link-damaged', `The link of this ${what} is damaged: ${why}.`, 'Copy the whole link again.');
}
