/** JSON that a command is given as a file, bounded before it is read. */
import { readFileSync, statSync } from 'node:fs';
import { fail } from '#contract/kit/errors.ts';
import { type Json, readJson } from '#contract/kit/json.ts';
import { UsageError } from './failure.ts';

interface Bounds {
  /** Bytes of the file at most, and what to do where it has more. */
  readonly bytes: number;
  readonly smaller: string;
  /** What to do where it is no JSON. */
  readonly mend: string;
  /** Values at most; that of readJson if missing. */
  readonly values?: number;
}

/** `shown`: the path as it was given. Throws UsageError, LabError('file-invalid'). */
export function readJsonFile(path: string, shown: string, { bytes, smaller, mend, values }: Bounds): Json {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UsageError(`There is no file "${shown}".`);
  if (found.size > bytes) throw fail('file-invalid', `${shown} has ${found.size} bytes.`, smaller);
  try {
    return readJson(readFileSync(path), values);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw fail('file-invalid', `${shown} is no JSON: ${error.message}`, mend);
  }
}
