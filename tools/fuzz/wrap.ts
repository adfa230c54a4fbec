/** Containers that are right on the outside, so that what is inside gets read: sealed links, saved states and zips with any numbers in them. */
import { deflateSync } from 'fflate';
import { crc32, toBase64Url } from '#contract/kit/bytes.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { DICTIONARY_1 } from '#contract/link/dictionary.ts';

/** A link with a right checksum around any payload bytes. */
export function sealedLink(packed: Uint8Array, version = '1'): string {
  const body = `${version}.${toBase64Url(packed)}`;
  const crc = crc32(utf8(body));
  return `#${body}.${toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc))}`;
}

/** A link of the newest format with any JSON text inside. */
export function linkOfJson(json: string): string {
  return sealedLink(deflateSync(utf8(json), { level: 1, dictionary: utf8(DICTIONARY_1) }));
}

/** A lesson of a link with any JSON text inside. */
export const lessonOfJson = (json: string): string => sealedLink(deflateSync(utf8(json), { level: 1 })).slice(1);

/** A saved state with a right checksum, any header text and any bytes behind it (contract/run/saved.ts). */
export function savedWith(header: string, body: Uint8Array): Uint8Array {
  const head = utf8(header);
  const start = (16 + head.length + 7) & ~7;
  const out = new Uint8Array(start + body.length);
  out.set(utf8('RLWB'));
  const view = new DataView(out.buffer);
  view.setUint32(4, 1, true);
  view.setUint32(12, head.length, true);
  out.set(head, 16);
  out.set(body, start);
  view.setUint32(8, crc32(out.subarray(12)), true);
  return out;
}

export interface ZipEntry {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly method: number;
  readonly crc: number;
  /** Unpacked bytes, as the directory says. */
  readonly size: number;
}

/** An entry that is what it says. */
export function stored(name: string, data: Uint8Array): ZipEntry {
  return { name, packed: data, method: 0, crc: crc32(data), size: data.length };
}

/** A zip (APPNOTE 4.3) whose entries say whatever they say. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const names = entries.map(({ name }) => utf8(name));
  const bodies = entries.reduce((sum, { packed }, i) => sum + 30 + names[i]!.length + packed.length, 0);
  const directory = names.reduce((sum, name) => sum + 46 + name.length, 0);
  const out = new Uint8Array(bodies + directory + 22);
  const view = new DataView(out.buffer);
  let at = 0;
  const places: number[] = [];
  entries.forEach(({ packed, method, crc, size }, i) => {
    const name = names[i]!;
    places.push(at);
    view.setUint32(at, 0x04034b50, true);
    view.setUint16(at + 8, method, true);
    view.setUint32(at + 14, crc, true);
    view.setUint32(at + 18, packed.length, true);
    view.setUint32(at + 22, size, true);
    view.setUint16(at + 26, name.length, true);
    out.set(name, at + 30);
    out.set(packed, at + 30 + name.length);
    at += 30 + name.length + packed.length;
  });
  const start = at;
  entries.forEach(({ packed, method, crc, size }, i) => {
    const name = names[i]!;
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 10, method, true);
    view.setUint32(at + 16, crc, true);
    view.setUint32(at + 20, packed.length, true);
    view.setUint32(at + 24, size, true);
    view.setUint16(at + 28, name.length, true);
    view.setUint32(at + 42, places[i]!, true);
    out.set(name, at + 46);
    at += 46 + name.length;
  });
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, Math.min(entries.length, 0xffff), true);
  view.setUint16(at + 10, Math.min(entries.length, 0xffff), true);
  view.setUint32(at + 12, directory, true);
  view.setUint32(at + 16, start, true);
  return out;
}
