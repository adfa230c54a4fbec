/**
 * A Saved as bytes, for checkpoints on disk and in project files, little-endian:
 * "RLWB", u32 format version, u32 CRC-32 of all that follows, u32 length of the header, header (UTF-8 JSON: meta and the
 * name, type, offset and length of each array), then each array at a multiple of 8 bytes from the start.
 * decodeSaved throws LabError('file-invalid').
 */
import { crc32 } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import { type JsonObject, readJson } from '../kit/json.ts';
import type { Saved } from './events.ts';

type AnyArray = Saved['arrays'][string];

const TYPES = { f32: Float32Array, f64: Float64Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array } as const;
type TypeName = keyof typeof TYPES;

/** Short name of an array's type, as files write it. */
export function typeOf(array: AnyArray): TypeName {
  if (array instanceof Float32Array) return 'f32';
  if (array instanceof Float64Array) return 'f64';
  if (array instanceof Uint32Array) return 'u32';
  if (array instanceof Int32Array) return 'i32';
  return 'u8';
}

/** An array of that type over a copy of these bytes; null if the type is unknown or the length does not fit. */
export function arrayOf(type: string, bytes: Uint8Array): AnyArray | null {
  const make = Object.hasOwn(TYPES, type) ? TYPES[type as TypeName] : undefined;
  if (make === undefined || bytes.length % make.BYTES_PER_ELEMENT !== 0) return null;
  return new make(new Uint8Array(bytes).buffer); // not slice(): of a Buffer of Node that is a view of the whole file
}

export function bytesOf(array: AnyArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

const MAGIC = 0x42_57_4c_52; // "RLWB" read little-endian
const FORMAT = 1;
const PREFIX = 16;
/** Bytes of a header: it is read as one JSON text, which takes up to twenty times its bytes. Those that are written are far below. */
const LARGEST_HEADER = 8 * 1024 * 1024;
/** Values of a header: a state of a population with its table of games has some ten thousand. */
const MOST_VALUES = 500_000;
const align = (n: number): number => (n + 7) & ~7;

interface Header {
  readonly meta: JsonObject;
  readonly arrays: readonly { readonly name: string; readonly type: TypeName; readonly offset: number; readonly length: number }[];
}

export function encodeSaved(saved: Saved): Uint8Array {
  const entries = Object.entries(saved.arrays);
  // Offsets count from the end of the header, so that the header's own length does not depend on them.
  let offset = 0;
  const arrays = entries.map(([name, array]) => {
    const entry = { name, type: typeOf(array), offset, length: array.byteLength };
    offset = align(offset + array.byteLength);
    return entry;
  });
  const header = utf8(canonicalJson({ meta: saved.meta, arrays }));
  if (header.length > LARGEST_HEADER)
    throw fail(
      'storage-full',
      `This state has a header of ${header.length} bytes, and ${LARGEST_HEADER} are the most.`,
      'Keep numbers in arrays.',
    );
  const start = align(PREFIX + header.length);
  const out = new Uint8Array(start + offset);
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT, true);
  view.setUint32(12, header.length, true);
  out.set(header, PREFIX);
  entries.forEach(([, array], i) => {
    out.set(bytesOf(array), start + (arrays[i] as { offset: number }).offset);
  });
  view.setUint32(8, crc32(out.subarray(12)), true);
  return out;
}

/** Whether bytes begin as encodeSaved writes them, with a header of a size that is read: from the first 16 of them on. */
export function isSaved(beginning: Uint8Array): boolean {
  if (beginning.length < PREFIX) return false;
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  return view.getUint32(0, true) === MAGIC && view.getUint32(12, true) <= LARGEST_HEADER;
}

const broken = (why: string): Error => fail('file-invalid', `This is not a whole saved state: ${why}.`, 'Use an older copy of it.');

/** What the first 16 bytes say of a file, so that a foreign one is refused before the rest is read. `largestHeader`: bytes. Throws LabError. */
export function checkBeginning(bytes: Uint8Array, largestHeader: number): { readonly headerBytes: number; readonly checksum: number } {
  if (bytes.length < PREFIX) throw broken('it is too short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw broken('it was not written by this workbench');
  if (view.getUint32(4, true) !== FORMAT) throw broken('a newer version wrote it');
  const headerBytes = view.getUint32(12, true);
  if (headerBytes > largestHeader) throw broken(`its list of arrays takes ${headerBytes} bytes, and at most ${largestHeader} are read`);
  return { headerBytes, checksum: view.getUint32(8, true) };
}

/** `largestHeader`: bytes, looked at before anything is decoded. */
export function decodeSaved(bytes: Uint8Array, largestHeader = LARGEST_HEADER): Saved {
  const { headerBytes: length, checksum } = checkBeginning(bytes, largestHeader);
  if (checksum !== crc32(bytes.subarray(12))) throw broken('its checksum is wrong');
  const header = headerOf(bytes.subarray(PREFIX, PREFIX + length));
  if (header === null) throw broken('its list of arrays cannot be read');
  const start = align(PREFIX + length);
  const arrays: Record<string, AnyArray> = {};
  let end = 0;
  for (const entry of header.arrays) {
    // Arrays that share bytes would be copied once each: a small file could ask for any amount of memory.
    if (entry.offset < end || entry.length < 0 || start + entry.offset + entry.length > bytes.length)
      throw broken(`its array "${entry.name}" lies outside of it`);
    end = entry.offset + entry.length;
    const array = arrayOf(entry.type, bytes.subarray(start + entry.offset, start + entry.offset + entry.length));
    if (array === null) throw broken(`its array "${entry.name}" is broken`);
    arrays[entry.name] = array;
  }
  return { meta: header.meta, arrays };
}

/** null where it is not what encodeSaved writes. */
function headerOf(bytes: Uint8Array): Header | null {
  let json: Partial<Header> | null;
  try {
    json = readJson(bytes, MOST_VALUES) as unknown as Partial<Header> | null;
  } catch {
    return null;
  }
  if (typeof json?.meta !== 'object' || json.meta === null || !Array.isArray(json.arrays)) return null;
  const whole = json.arrays.every(
    (entry: Partial<Header['arrays'][number]> | null) =>
      typeof entry?.name === 'string' &&
      entry.name !== '__proto__' &&
      typeof entry.type === 'string' &&
      Number.isInteger(entry.offset) &&
      Number.isInteger(entry.length),
  );
  return whole ? (json as Header) : null;
}
