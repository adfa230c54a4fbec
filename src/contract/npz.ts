/**
 * NumPy's .npz: a zip of .npy arrays (formats: PKWARE APPNOTE 6.3, NEP 1). Written uncompressed with fixed dates, so that the same arrays
 * give the same bytes; read stored or deflated. Sizes are checked before anything is unpacked. Throws LabError('file-invalid').
 */
import { crc32 } from './bytes.ts';
import { utf8 } from './canonical.ts';
import { fail } from './errors.ts';
import { inflate } from './link-inflate.ts';

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

/** Whether bytes begin as a zip does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === LOCAL;

/** The arrays of these names that the file holds; others are not unpacked. `largest`: bytes of all arrays together. */
export function readNpz(bytes: Uint8Array, names: readonly string[], largest: number): ReadonlyMap<string, NpyArray> {
  if (bytes.length > largest) throw broken(`it is larger than ${Math.round(largest / 1e6)} MB`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  const lowest = Math.max(0, end - 0xffff);
  while (end >= lowest && view.getUint32(end, true) !== END) end--;
  if (end < lowest) throw broken('it is no zip, or it is cut short');
  const count = view.getUint16(end + 10, true);
  if (count > MOST_ENTRIES) throw broken(`it has ${count} entries`);
  const found = new Map<string, NpyArray>();
  let left = largest;
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) throw broken('its list of entries is broken');
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const offset = view.getUint32(at + 42, true);
    const name = String.fromCharCode(...bytes.subarray(at + 46, at + 46 + Math.min(nameLength, 200))).replace(/\.npy$/, '');
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (!names.includes(name)) continue;
    left -= size;
    if (left < 0) throw broken(`its arrays take more than ${Math.round(largest / 1e6)} MB`);
    if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL) throw broken(`the entry "${name}" is missing`);
    const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (from + packed > bytes.length) throw broken(`the entry "${name}" is cut short`);
    found.set(name, parseNpy(name, unpacked(name, bytes.subarray(from, from + packed), method, size)));
  }
  return found;
}

function unpacked(name: string, packed: Uint8Array, method: number, size: number): Uint8Array {
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
