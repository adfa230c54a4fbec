/**
 * Entries of a zip (PKWARE APPNOTE 6.3), read by its central directory and held against the local header of each: a name that says two
 * things, or a directory that is longer or shorter than it says, is a damaged file and not one with fewer entries.
 */
import { textOf } from './bytes.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

export interface ZipEntry {
  readonly name: string;
  /** CRC-32 of the unpacked bytes. */
  readonly crc: number;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  /** Bytes, unpacked, as the directory says. */
  readonly size: number;
  /** As they stand in the file. */
  readonly packed: Uint8Array;
}

/** What is wrong with a zip, as the end of a sentence. */
export class ZipError extends Error {}

/** Whether bytes begin as a zip does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === LOCAL;

/** The entries in the directory's order; nothing is unpacked. Throws ZipError where it is broken or has more than `most` entries. */
export function zipEntries(bytes: Uint8Array, most: number): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The end record stands before a comment of at most 65,535 bytes.
  let end = bytes.length - 22;
  const lowest = Math.max(0, end - 0xffff);
  while (end >= lowest && view.getUint32(end, true) !== END) end--;
  if (end < lowest) throw new ZipError('it is no zip, or it is cut short');
  const count = view.getUint16(end + 10, true);
  if (count > most) throw new ZipError(`it has ${count} entries, and at most ${most} are read`);
  const first = view.getUint32(end + 16, true);
  const behind = first + view.getUint32(end + 12, true);
  const entries: ZipEntry[] = [];
  let taken = 0;
  let at = first;
  while (entries.length < count) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL) throw new ZipError('its list of entries is broken');
    const nameLength = view.getUint16(at + 28, true);
    if (at + 46 + nameLength > end) throw new ZipError('its list of entries is broken');
    const name = bytes.subarray(at + 46, at + 46 + nameLength);
    const length = view.getUint32(at + 20, true);
    // Entries that share bytes would be unpacked once each: a small file could ask for any amount of memory.
    taken += 30 + nameLength + length;
    if (taken > bytes.length) throw new ZipError('its entries take more bytes than it has');
    entries.push({
      name: textOf(name),
      crc: view.getUint32(at + 16, true),
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 24, true),
      packed: packedBytes(bytes, view, view.getUint32(at + 42, true), name, length),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (at !== behind) throw new ZipError('its list of entries has another length than it says');
  return entries;
}

/** What stands behind the local header at `at`, whose name must be that of the directory. */
function packedBytes(bytes: Uint8Array, view: DataView, at: number, name: Uint8Array, length: number): Uint8Array {
  const shown = textOf(name.subarray(0, 100));
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL) throw new ZipError(`the entry "${shown}" is missing`);
  const nameLength = view.getUint16(at + 26, true);
  const start = at + 30 + nameLength + view.getUint16(at + 28, true);
  if (nameLength !== name.length || !name.every((byte, i) => bytes[at + 30 + i] === byte))
    throw new ZipError(`the entry "${shown}" has another name where its bytes stand`);
  if (start + length > bytes.length) throw new ZipError(`the entry "${shown}" is cut short`);
  return bytes.subarray(start, start + length);
}
