/** Curves in a file of another program, whatever wrote it; `text` is what its bytes say as UTF-8. null: it is none that is known. Throws LabError('file-invalid'). */
import { broken, type ForeignRun, MOST_BYTES } from './runs.ts';
import { isTable, readTable } from './tables.ts';
import { isEventFile, readEvents } from './tensorboard.ts';

export type { ForeignRun } from './runs.ts';

export function readForeign(bytes: Uint8Array, text: string, name: string): readonly ForeignRun[] | null {
  const events = isEventFile(bytes);
  if (!events && !isTable(text)) return null;
  if (bytes.length > MOST_BYTES) throw broken(`This file has ${bytes.length} bytes.`, `It may have ${MOST_BYTES}; open a smaller one.`);
  return events ? [readEvents(bytes, name)] : readTable(text, name);
}
