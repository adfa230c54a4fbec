/**
 * TensorBoard's event files, which CleanRL, Stable-Baselines3 and many others write. A file is records (TFRecord): length as uint64, masked
 * CRC-32C of the length, data, masked CRC-32C of the data, all little-endian. Each record is an Event (tensorflow/core/util/event.proto); read
 * are its step and the scalars of its summary, as simple_value or as a tensor of one number; everything else is skipped unread.
 * Throws LabError('file-invalid') naming the record. A last record that is cut off, as in the log of a program that still runs, is left out.
 */
import { textOf } from '../saved.ts';
import { broken, Collector, type ForeignRun, identify, metricOf } from './runs.ts';

const HEADER = 12;
const FOOTER = 4;
const MOST_RECORDS = 5_000_000;
/** Of one record; images and histograms lie in records of their own. */
const LARGEST_RECORD = 64 * 1024 * 1024;

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0x82f63b78 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32C (Castagnoli) as record files store it: rotated and shifted, so that a checksum of checksums is none. */
export function maskedCrc(bytes: Uint8Array): number {
  let c = 0xffff_ffff;
  for (let i = 0; i < bytes.length; i++) c = CRC[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
  c = (c ^ 0xffff_ffff) >>> 0;
  return (((c >>> 15) | (c << 17)) + 0xa282ead8) >>> 0;
}

/** Whether the first record has a length with the right checksum. */
export function isEventFile(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  return view.getUint32(8, true) === maskedCrc(bytes.subarray(0, 8));
}

export function readEvents(bytes: Uint8Array, name: string): ForeignRun {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Collector();
  let record = 0;
  for (let at = 0; at + HEADER <= bytes.length; record++) {
    const where = () => `Record ${record + 1} of this event file (byte ${at})`;
    if (record >= MOST_RECORDS) throw broken(`${where()} is one too many.`, 'Open the log of a shorter run.');
    if (view.getUint32(at + 8, true) !== maskedCrc(bytes.subarray(at, at + 8)))
      throw broken(`${where()} is damaged: the checksum of its length does not match.`, 'Copy the file again.');
    const length = Number(view.getBigUint64(at, true));
    if (length > LARGEST_RECORD) throw broken(`${where()} says that it is ${length} bytes long.`, 'Export scalars without images.');
    const end = at + HEADER + length;
    if (end + FOOTER > bytes.length) break; // still being written
    const data = bytes.subarray(at + HEADER, end);
    if (view.getUint32(end, true) !== maskedCrc(data))
      throw broken(`${where()} is damaged: the checksum of its data does not match.`, 'Copy the file again.');
    readEvent(data, found, where);
    at = end + FOOTER;
  }
  const run = identify(runName(name));
  const columns = found.columns(run.seed);
  if (columns.length === 0) throw broken('This event file holds no scalars.', 'Choose the file of a run that logged scalars.');
  return { ...run, source: 'TensorBoard', columns };
}

/** The folder's name where there is one; the file itself is events.out.tfevents.TIME.HOST.PID.N. */
function runName(file: string): string {
  const folder = file.split(/[\\/]/).at(-2) ?? '';
  return folder === '' ? file.replace(/^events\.out\.tfevents\./, 'events ') : folder;
}

/** Fields of a message: its number and where its content lies. Throws RangeError where it is none. */
class Fields {
  at = 0;
  number = 0;
  wire = 0;
  /** Of a varint; of a fixed32 its bits. */
  value = 0n;
  /** Of a length-delimited or fixed field. */
  content: Uint8Array = new Uint8Array(0);
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  next(): boolean {
    if (this.at >= this.bytes.length) return false;
    const key = this.varint();
    this.number = Number(key >> 3n);
    this.wire = Number(key & 7n);
    if (this.wire === 0) this.value = this.varint();
    else this.take(this.wire === 1 ? 8 : this.wire === 5 ? 4 : this.wire === 2 ? Number(this.varint()) : Number.POSITIVE_INFINITY);
    return true;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('cut off');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number of more than 64 bits');
  }

  private take(size: number): void {
    if (this.at + size > this.bytes.length) throw new RangeError('cut off');
    this.content = this.bytes.subarray(this.at, this.at + size);
    this.at += size;
  }
}

const numbers = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function readEvent(data: Uint8Array, found: Collector, where: () => string): void {
  try {
    let step = 0;
    const summaries: Uint8Array[] = [];
    for (const event = new Fields(data); event.next(); ) {
      if (event.number === 2 && event.wire === 0) step = Number(BigInt.asIntN(64, event.value));
      else if (event.number === 5 && event.wire === 2) summaries.push(event.content);
    }
    for (const bytes of summaries) {
      for (const summary = new Fields(bytes); summary.next(); ) {
        if (summary.number !== 1 || summary.wire !== 2) continue;
        const scalar = readValue(summary.content);
        if (scalar !== null) found.add(metricOf(scalar.tag), step, scalar.value, where);
      }
    }
  } catch (error) {
    if (error instanceof RangeError) throw broken(`${where()} is no event: ${error.message}.`, 'Copy the file again.');
    throw error;
  }
}

/** A Summary.Value; null: no scalar. */
function readValue(bytes: Uint8Array): { readonly tag: string; readonly value: number } | null {
  let tag = '';
  let value: number | null = null;
  for (const field = new Fields(bytes); field.next(); ) {
    if (field.number === 1 && field.wire === 2) tag = textOf(field.content);
    else if (field.number === 2 && field.wire === 5) value = numbers(field.content).getFloat32(0, true);
    else if (field.number === 8 && field.wire === 2) value = readTensor(field.content);
  }
  return value === null || tag === '' ? null : { tag, value };
}

/** TensorProto.dtype, and how a number of it lies in tensor_content. */
const CONTENT: Readonly<Record<number, { readonly size: number; read(view: DataView): number }>> = {
  1: { size: 4, read: (view) => view.getFloat32(0, true) },
  2: { size: 8, read: (view) => view.getFloat64(0, true) },
  3: { size: 4, read: (view) => view.getInt32(0, true) },
  9: { size: 8, read: (view) => Number(view.getBigInt64(0, true)) },
};

/** The number of a tensor that has one; null for all others. */
function readTensor(bytes: Uint8Array): number | null {
  let type = 0;
  const values: number[] = [];
  let content: Uint8Array | null = null;
  for (const field = new Fields(bytes); field.next(); ) {
    if (field.number === 1 && field.wire === 0) type = Number(field.value);
    else if (field.number === 4 && field.wire === 2) content = field.content;
    else if (field.number === 5 && field.content.length === 4) values.push(numbers(field.content).getFloat32(0, true));
    else if (field.number === 6 && field.content.length === 8) values.push(numbers(field.content).getFloat64(0, true));
    else if ((field.number === 7 || field.number === 10) && field.wire === 0) values.push(Number(BigInt.asIntN(64, field.value)));
  }
  const form = CONTENT[type];
  if (content !== null && content.length > 0)
    return form !== undefined && content.length === form.size ? form.read(numbers(content)) : null;
  return values.length === 1 ? values[0]! : null;
}
