/** Logs in a zip: a folder of runs as it was packed. */
import { inflate } from '../kit/inflate.ts';
import { ZipError, zipEntries } from '../kit/zip.ts';
import { type ForeignFile, MOST_BYTES } from './runs.ts';

const MOST_ENTRIES = 10_000;

/**
 * The names in a zip, backslashes as slashes, and the files among them that are `wanted`, unpacked within MOST_BYTES. A zip that is broken has
 * none: its own reader says what is wrong with it.
 */
export function logsOfZip(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
): { readonly names: readonly string[]; readonly logs: readonly ForeignFile[] } {
  try {
    const entries = zipEntries(bytes, MOST_ENTRIES).map((entry) => ({ ...entry, name: entry.name.replaceAll('\\', '/') }));
    let room = MOST_BYTES;
    const logs = entries
      .filter(({ name }) => wanted(name) && !/(^|\/)(__MACOSX|\.)/.test(name))
      .map(({ name, method, packed }) => {
        const content = method === 0 ? packed : inflate(packed, room);
        room -= content.length;
        return { name, bytes: content };
      });
    return { names: entries.map(({ name }) => name), logs };
  } catch (error) {
    if (error instanceof ZipError || error instanceof RangeError) return { names: [], logs: [] };
    throw error;
  }
}
