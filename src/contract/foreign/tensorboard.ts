/**
 * TensorBoard's event files, which CleanRL, Stable-Baselines3 and many others write. A file is records (TFRecord): length as uint64, masked
 * CRC-32C of the length, data, masked CRC-32C of the data, all little-endian. Each record is an Event (tensorflow/core/util/event.proto); read
 * are its step and the scalars of its summary, as simple_value or as a tensor of one number; everything else is skipped unread.
 * A last record that is cut off, as in the log of a program that still runs, and records that are damaged are left out, counted and named.
 * Throws LabError('file-invalid') where nothing is left.
 */
import { textOf } from '../kit/bytes.ts';
import { type Identity, identifyPath, partsOf, plain } from './names.ts';
import { broken, Collector, type ForeignFile, type ForeignRun, LeftOut } from './runs.ts';

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

/** A log as far as it is read. */
interface Log {
  readonly file: ForeignFile;
  readonly found: Collector;
  readonly left: LeftOut;
  /** What CleanRL's table of settings says; null where there is none. */
  stated: Identity | null;
}

/**
 * The runs of event files of one folder, as TensorBoard reads them: in the order of the times in their names, each going on where the one before
 * was left. A file of another seed, and one that begins no later than the one before, is a run of its own.
 */
export function readEvents(files: readonly ForeignFile[]): readonly ForeignRun[] {
  const logs: Log[] = [];
  for (const file of [...files].sort(byTime)) {
    const own: Log = { file, found: new Collector(), left: new LeftOut(), stated: null };
    readFile(file, own);
    const before = logs.at(-1);
    const [from, now] = [before?.found.first() ?? null, own.found.first()];
    const same = before !== undefined && (own.stated === null || before.stated === null || key(own.stated) === key(before.stated));
    if (same && (from === null || now === null || now > from)) readFile(file, before);
    else logs.push(own);
  }
  const runs = logs.flatMap(({ file, found, left, stated }): ForeignRun[] => {
    const identity = identityOf(file.name, stated);
    const { columns, notes } = found.finish(identity.seed);
    return columns.length === 0 ? [] : [{ ...identity, source: 'TensorBoard', columns, notes: [...notes, ...left.notes()] }];
  });
  if (runs.length > 0) return named(runs);
  const damaged = logs.flatMap(({ left }) => left.notes());
  if (damaged.length > 0) throw broken(`Nothing of this event file can be read. ${damaged.join(' ')}`, 'Copy the file again.');
  throw broken('This event file holds no scalars.', 'Choose the file of a run that logged scalars.');
}

const key = ({ name, seed }: Identity): string => `${name} ${seed}`;

/** events.out.tfevents.TIME.HOST...: the time, then the whole name. */
function byTime(a: ForeignFile, b: ForeignFile): number {
  const time = (file: ForeignFile): number => Number(/tfevents\.(\d+)/i.exec(file.name)?.[1] ?? 0);
  return time(a) - time(b) || (a.name < b.name ? -1 : 1);
}

/** Runs of one folder that have one name are told apart. */
function named(runs: readonly ForeignRun[]): readonly ForeignRun[] {
  const seen = new Map<string, number>();
  return runs.map((run) => {
    const n = (seen.get(key(run)) ?? 0) + 1;
    seen.set(key(run), n);
    return n === 1 ? run : { ...run, name: `${run.name} (${n})` };
  });
}

function readFile({ bytes }: ForeignFile, log: Log): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let record = 0;
  for (let at = 0; at < bytes.length; record++) {
    const where = `record ${record + 1} at byte ${at}`;
    if (record >= MOST_RECORDS) {
      log.left.count('part', `what stands behind the first ${MOST_RECORDS.toLocaleString('en')} records`, where);
      return;
    }
    if (at + HEADER > bytes.length) {
      log.left.count('record', 'cut off at the end of the file', where);
      return;
    }
    if (view.getUint32(at + 8, true) !== maskedCrc(bytes.subarray(at, at + 8))) {
      log.left.count('part', 'from a record on whose length is damaged (its checksum does not match)', where);
      return;
    }
    const length = Number(view.getBigUint64(at, true));
    const end = at + HEADER + length;
    if (end + FOOTER > bytes.length) {
      log.left.count('record', 'cut off at the end of the file', where);
      return;
    }
    const data = bytes.subarray(at + HEADER, end);
    if (length > LARGEST_RECORD) log.left.count('record', `of more than ${LARGEST_RECORD.toLocaleString('en')} bytes`, where);
    else if (view.getUint32(end, true) !== maskedCrc(data))
      log.left.count('record', 'damaged (the checksum of its data does not match)', where);
    else readEvent(data, log, where);
    at = end + FOOTER;
  }
}

/** The folder's name where there is one, else what the log's own settings say; the file itself is events.out.tfevents.TIME.HOST.PID.N. */
function identityOf(file: string, stated: Identity | null): Identity {
  const parts = partsOf(file);
  const folders = parts.slice(0, -1);
  if (folders.length === 0)
    return stated ?? { name: plain((parts.at(-1) ?? 'events').replace(/^events\.out\.tfevents\./i, 'events ')), seed: null };
  const found = identifyPath(folders);
  return { name: found.name, seed: found.seed ?? stated?.seed ?? null };
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

function readEvent(data: Uint8Array, log: Log, where: string): void {
  try {
    let step = 0;
    let begins = false;
    const summaries: Uint8Array[] = [];
    for (const event = new Fields(data); event.next(); ) {
      if (event.number === 2 && event.wire === 0) step = Number(BigInt.asIntN(64, event.value));
      else if (event.number === 5 && event.wire === 2) summaries.push(event.content);
      else if (event.number === 7 && event.wire === 2) begins = isStart(event.content);
    }
    if (begins) log.found.resume(step);
    for (const bytes of summaries) {
      for (const summary = new Fields(bytes); summary.next(); ) {
        if (summary.number !== 1 || summary.wire !== 2) continue;
        const { tag, value, text } = readValue(summary.content);
        if (value !== null && tag !== '') log.found.add(tag, step, value);
        if (text !== null && /^hyperparameters\b/.test(tag)) log.stated = settingsOf(text) ?? log.stated;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log.left.count('record', `no event (${error.message})`, where);
  }
}

/** SessionLog.status of a log that begins or goes on: the steps from its own on are written anew. */
function isStart(bytes: Uint8Array): boolean {
  for (const field = new Fields(bytes); field.next(); ) if (field.number === 1 && field.wire === 0) return field.value === 1n;
  return false;
}

/** CleanRL logs its settings as a table of Markdown: `|seed|1|`. null: it names no seed. */
function settingsOf(table: string): Identity | null {
  const of = (name: string): string | undefined =>
    new RegExp(`^\\|\\s*${name}\\s*\\|\\s*([^|\\n]{1,120}?)\\s*\\|`, 'm').exec(table.slice(0, 20_000))?.[1];
  const seed = /^\d{1,9}$/.exec(of('seed') ?? '');
  if (seed === null) return null;
  const names = [of('env_id'), of('exp_name')].filter((name) => name !== undefined);
  return { name: plain(names.length === 0 ? 'events' : names.join('__')), seed: Number(seed[0]) };
}

/** A Summary.Value: its number and its text, null where it has none. */
function readValue(bytes: Uint8Array): { readonly tag: string; readonly value: number | null; readonly text: string | null } {
  let tag = '';
  let value: number | null = null;
  let text: string | null = null;
  for (const field = new Fields(bytes); field.next(); ) {
    if (field.number === 1 && field.wire === 2) tag = textOf(field.content);
    else if (field.number === 2 && field.wire === 5) value = numbers(field.content).getFloat32(0, true);
    else if (field.number === 8 && field.wire === 2) ({ value, text } = readTensor(field.content));
  }
  return { tag, value, text };
}

/** TensorProto.dtype, and how a number of it lies in tensor_content. */
const CONTENT: Readonly<Record<number, { readonly size: number; read(view: DataView): number }>> = {
  1: { size: 4, read: (view) => view.getFloat32(0, true) },
  2: { size: 8, read: (view) => view.getFloat64(0, true) },
  3: { size: 4, read: (view) => view.getInt32(0, true) },
  9: { size: 8, read: (view) => Number(view.getBigInt64(0, true)) },
};

/** The number of a tensor that has one, and the first text of one of texts. */
function readTensor(bytes: Uint8Array): { readonly value: number | null; readonly text: string | null } {
  let type = 0;
  const values: number[] = [];
  let content: Uint8Array | null = null;
  let text: string | null = null;
  for (const field = new Fields(bytes); field.next(); ) {
    if (field.number === 1 && field.wire === 0) type = Number(field.value);
    else if (field.number === 4 && field.wire === 2) content = field.content;
    else if (field.number === 5 && field.content.length === 4) values.push(numbers(field.content).getFloat32(0, true));
    else if (field.number === 6 && field.content.length === 8) values.push(numbers(field.content).getFloat64(0, true));
    else if (field.number === 8 && field.wire === 2) text ??= textOf(field.content);
    else if ((field.number === 7 || field.number === 10) && field.wire === 0) values.push(Number(BigInt.asIntN(64, field.value)));
  }
  const form = CONTENT[type];
  if (content !== null && content.length > 0)
    return { value: form !== undefined && content.length === form.size ? form.read(numbers(content)) : null, text };
  return { value: values.length === 1 ? values[0]! : null, text };
}
