/** Curves in files of other programs, whatever wrote them. */

import { textOf } from '../kit/bytes.ts';
import { LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { textOfBytes } from './lines.ts';
import { partsOf } from './names.ts';
import { broken, counted, type ForeignFile, type ForeignRun, MOST_BYTES, quoted } from './runs.ts';
import { isMonitorText, isTable, type MonitorFile, readMonitorFiles, readTable } from './tables.ts';
import { isEventFile, readEvents } from './tensorboard.ts';

export type { ForeignFile, ForeignRun } from './runs.ts';

/** Files of other programs that are read at once. */
export const MOST_FOREIGN = 2000;

/**
 * The runs of one file; `text` is what its bytes say as UTF-8, `name` its path as far as it is known. A file packed by gzip is unpacked. null: it
 * is none that is known. Throws LabError('file-invalid') where nothing of it can be read.
 */
export function readForeign(bytes: Uint8Array, text: string, name: string): readonly ForeignRun[] | null {
  if (isGzip(bytes)) {
    const whole = unpacked(bytes, name);
    return readForeign(whole, textOf(whole), name.replace(/\.gz$/i, ''));
  }
  const events = isEventFile(bytes);
  const read = events ? '' : textOfBytes(bytes, text);
  if (!events && !isTable(read)) return null;
  if (bytes.length > MOST_BYTES) throw broken(`This file has ${bytes.length} bytes.`, `It may have ${MOST_BYTES}; open a smaller one.`);
  return events ? readEvents([{ name, bytes }]) : readTable(read, name);
}

export interface ForeignRead {
  readonly runs: readonly ForeignRun[];
  /** Sentences on the files of which nothing was read. */
  readonly left: readonly string[];
  /** Files that are none of these. */
  readonly unknown: readonly string[];
}

/**
 * The runs of several files. Event files of one folder are one run that went on, and so are the monitor files that several environments of one
 * run wrote (`0.monitor.csv`, `1.monitor.csv`); a progress.csv beside event files holds the same numbers once more and is left out.
 */
export function readForeignFiles(files: readonly ForeignFile[]): ForeignRead {
  const runs: ForeignRun[] = [];
  const left: string[] = [];
  const unknown: string[] = [];
  const folders = new Map<string, { readonly events: ForeignFile[]; readonly monitors: MonitorFile[]; readonly others: ForeignFile[] }>();
  for (const given of files) {
    const file = attempt(left, given.name, () =>
      isGzip(given.bytes) ? { name: given.name.replace(/\.gz$/i, ''), bytes: unpacked(given.bytes, given.name) } : given,
    );
    if (file === null) continue;
    const above = partsOf(file.name).slice(0, -1).join('/');
    const events = isEventFile(file.bytes);
    // without a folder nothing says that two logs are one run
    const key = above === '' && events ? file.name : above;
    const folder = folders.get(key) ?? { events: [], monitors: [], others: [] };
    folders.set(key, folder);
    const text = /^\d+\.monitor\.csv$/i.test(partsOf(file.name).at(-1) ?? '') ? textOfBytes(file.bytes) : null;
    if (!events && text !== null && isMonitorText(text)) folder.monitors.push({ name: file.name, text });
    else (events ? folder.events : folder.others).push(file);
  }
  for (const { events, monitors, others } of folders.values()) {
    if (events.length > 0) runs.push(...(attempt(left, events[0]!.name, () => readEvents(events)) ?? []));
    if (monitors.length > 0) runs.push(...(attempt(left, monitors[0]!.name, () => readMonitorFiles(monitors)) ?? []));
    for (const { name, bytes } of others) {
      if (events.length > 0 && /(^|[\\/])progress\.(csv|txt)$/i.test(name)) {
        left.push(`"${name}" left out: the event file beside it holds the same run.`);
        continue;
      }
      attempt(left, name, () => {
        const found = readForeign(bytes, textOf(bytes), name);
        if (found === null) unknown.push(name);
        else runs.push(...found);
        return null;
      });
    }
  }
  return { runs, left, unknown };
}

/** What is wrong with one of several files is noted, and the others are read. */
function attempt<T>(left: string[], name: string, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    left.push(`"${name}" left out: ${error.failure.message}`);
    return null;
  }
}

/** What is said of what was opened: which runs, and what was left out of them, each sentence once. */
export function saidOf({ runs, left, unknown }: ForeignRead): readonly string[] {
  const names = new Set(runs.map(({ name, seed }) => (seed === null ? name : `${name}, seed ${seed}`)));
  return [
    `${counted(runs.length, 'run')} opened: ${quoted([...names])}.`,
    ...new Set(runs.flatMap(({ notes }) => notes)),
    ...left,
    ...(unknown.length > 0 ? [`${counted(unknown.length, 'file')} left out, none that is known here: ${quoted(unknown)}.`] : []),
  ];
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

/** RFC 1952: a header with fields that may be there, then what is deflated. */
function unpacked(bytes: Uint8Array, name: string): Uint8Array {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    while (at < bytes.length && bytes[at] !== 0) at++;
    at++;
  }
  if (flags & 2) at += 2;
  try {
    return inflate(bytes.subarray(at, Math.max(at, bytes.length - 8)), MOST_BYTES);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const large = error.message === 'too large';
    throw broken(
      `"${name}" cannot be unpacked: ${large ? `it holds more than ${MOST_BYTES.toLocaleString('en')} bytes` : error.message}.`,
      large ? 'Open a smaller one.' : 'Copy the file again, or unpack it with gunzip.',
    );
  }
}
