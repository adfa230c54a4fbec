/**
 * NumPy's .npz: a zip of .npy arrays (formats: PKWARE APPNOTE 6.3, NEP 1). Written uncompressed with fixed dates, so that the same arrays
 * give the same bytes; read stored or deflated. Sizes are checked before anything is unpacked. Throws LabError('file-invalid').
 */
import { crc32 } from './bytes.ts';
import { utf8 } from './canonical.ts';
import { fail } from './errors.ts';
import { inflate } from './inflate.ts';
import { type ZipEntry, ZipError, zipEntries } from './zip.ts';

/** An array in row-major order; integers and booleans arrive as float64 numbers. */
export interface NpyArray {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array | Int32Array | Uint8Array;
  /** Uint8Array only: 0 and 1 stand for false and true. */
  readonly bool?: boolean;
}

const MOST_ENTRIES = 1000;
const LONGEST_HEADER = 10_000;
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** 1 January 1980, the first date a zip can say. */
const DATE = 0x21;

const broken = (why: string): Error =>
  fail('file-invalid', `This .npz file cannot be read: ${why}.`, 'Write it with numpy.savez or numpy.savez_compressed.');

function npy({ shape, data, bool }: NpyArray): Uint8Array {
  const type =
    data instanceof Float32Array ? '<f4' : data instanceof Float64Array ? '<f8' : data instanceof Int32Array ? '<i4' : bool ? '|b1' : '|u1';
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dict = `{'descr': '${type}', 'fortran_order': False, 'shape': (${dims}), }`;
  const length = Math.ceil((10 + dict.length + 1) / 64) * 64 - 10;
  const header = utf8(`${dict.padEnd(length - 1)}\n`);
  const out = new Uint8Array(10 + length + data.byteLength);
  out.set([...MAGIC, 1, 0, length & 255, length >> 8]);
  out.set(header, 10);
  out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 10 + length);
  return out;
}

/** The bytes of a .npz with these arrays, in the order given. */
export function writeNpz(arrays: { readonly [name: string]: NpyArray }): Uint8Array {
  const entries = Object.entries(arrays).map(([name, array]) => {
    const body = npy(array);
    return { name: utf8(`${name}.npy`), body, crc: crc32(body) };
  });
  const size = entries.reduce((sum, { name, body }) => sum + 30 + 46 + 2 * name.length + body.length, 22);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  let at = 0;
  const offsets: number[] = [];
  // What both headers hold of an entry, from the version needed on.
  const common = (from: number, { name, body, crc }: (typeof entries)[number]): void => {
    view.setUint16(from, 20, true);
    view.setUint16(from + 8, DATE, true);
    view.setUint32(from + 10, crc, true);
    view.setUint32(from + 14, body.length, true);
    view.setUint32(from + 18, body.length, true);
    view.setUint16(from + 22, name.length, true);
  };
  for (const entry of entries) {
    offsets.push(at);
    view.setUint32(at, LOCAL, true);
    common(at + 4, entry);
    out.set(entry.name, at + 30);
    out.set(entry.body, at + 30 + entry.name.length);
    at += 30 + entry.name.length + entry.body.length;
  }
  const directory = at;
  entries.forEach((entry, i) => {
    view.setUint32(at, CENTRAL, true);
    view.setUint16(at + 4, 20, true);
    common(at + 6, entry);
    view.setUint32(at + 42, offsets[i]!, true);
    out.set(entry.name, at + 46);
    at += 46 + entry.name.length;
  });
  view.setUint32(at, END, true);
  view.setUint16(at + 8, entries.length, true);
  view.setUint16(at + 10, entries.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return out;
}

/** Bytes of an entry by its name, less than all may take together. */
export type NpzBounds = { readonly [name: string]: number };

/**
 * The arrays of these names that the file holds; others are not unpacked. `largest`: bytes of all arrays together; `bounds`: of some by
 * themselves. Sizes and names are looked at before anything is unpacked, checksums before anything is read.
 */
export function readNpz(
  bytes: Uint8Array,
  names: readonly string[],
  largest: number,
  bounds: NpzBounds = {},
): ReadonlyMap<string, NpyArray> {
  if (bytes.length > largest) throw broken(`it is larger than ${Math.round(largest / 1e6)} MB`);
  const found = new Map<string, NpyArray>();
  let left = largest;
  for (const entry of entriesOf(bytes)) {
    const name = entry.name.replace(/\.npy$/, '');
    if (!names.includes(name)) continue;
    if (entry.size > (bounds[name] ?? Number.POSITIVE_INFINITY))
      throw broken(`"${name}" takes ${entry.size} bytes, and at most ${bounds[name]} are read`);
    left -= entry.size;
    if (left < 0) throw broken(`its arrays take more than ${Math.round(largest / 1e6)} MB`);
    const body = unpacked(name, entry);
    if (crc32(body) !== entry.crc) throw broken(`the checksum of "${name}" does not match`);
    found.set(name, parseNpy(name, body));
  }
  return found;
}

function entriesOf(bytes: Uint8Array): readonly ZipEntry[] {
  try {
    return zipEntries(bytes, MOST_ENTRIES);
  } catch (error) {
    throw error instanceof ZipError ? broken(error.message) : error;
  }
}

function unpacked(name: string, { packed, method, size }: ZipEntry): Uint8Array {
  if (method !== 0 && method !== 8) throw broken(`"${name}" is packed in a way (${method}) that NumPy does not use`);
  let body = packed;
  try {
    if (method === 8) body = inflate(packed, size);
  } catch {
    throw broken(`"${name}" cannot be inflated`);
  }
  if (body.length !== size) throw broken(`"${name}" has another size than its entry says`);
  return body;
}

function parseNpy(name: string, body: Uint8Array): NpyArray {
  if (!MAGIC.every((byte, i) => body[i] === byte)) throw broken(`"${name}" is no array`);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length < 12) throw broken(`the header of "${name}" is cut short`);
  const wide = body[6]! > 1;
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = (wide ? 12 : 10) + length;
  if (length > LONGEST_HEADER || start > body.length) throw broken(`the header of "${name}" is cut short`);
  const header = String.fromCharCode(...body.subarray(wide ? 12 : 10, start));
  const type = /'descr': *'([^']+)'/.exec(header)?.[1] ?? '';
  const dims = /'shape': *\(([0-9, ]*)\)/.exec(header)?.[1];
  if (dims === undefined) throw broken(`"${name}" has no shape`);
  if (/'fortran_order': *True/.test(header)) throw broken(`"${name}" is in column order; save numpy.ascontiguousarray(...) of it`);
  const shape = dims
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(Number);
  const count = shape.reduce((a, b) => a * b, 1);
  const read = READERS[type];
  if (read === undefined) throw broken(`"${name}" holds ${type || 'no known type'}; float32, float64, integers and booleans are read`);
  if (body.length - start !== count * read.bytes) throw broken(`"${name}" does not hold the ${count} numbers of its shape`);
  return { shape, data: read.of(body.slice(start).buffer, count), ...(type === '|b1' && { bool: true }) };
}

type Reader = { readonly bytes: number; readonly of: (buffer: ArrayBuffer, count: number) => NpyArray['data'] };
const counted = (bytes: number, get: (view: DataView, at: number) => number): Reader => ({
  bytes,
  of(buffer, count) {
    const view = new DataView(buffer);
    return Float64Array.from({ length: count }, (_, i) => get(view, i * bytes));
  },
});
const READERS: { readonly [type: string]: Reader | undefined } = {
  '<f4': { bytes: 4, of: (buffer) => new Float32Array(buffer) },
  '<f8': { bytes: 8, of: (buffer) => new Float64Array(buffer) },
  '|b1': { bytes: 1, of: (buffer) => new Uint8Array(buffer) },
  '|u1': { bytes: 1, of: (buffer) => new Uint8Array(buffer) },
  '|i1': counted(1, (view, at) => view.getInt8(at)),
  '<i2': counted(2, (view, at) => view.getInt16(at, true)),
  '<u2': counted(2, (view, at) => view.getUint16(at, true)),
  '<i4': { bytes: 4, of: (buffer) => new Int32Array(buffer) },
  '<u4': counted(4, (view, at) => view.getUint32(at, true)),
  '<i8': counted(8, (view, at) => Number(view.getBigInt64(at, true))),
};
