/** Lines and cells of tables of text (RFC 4180, also with tabs or semicolons), as far as they are whole. */
import { textOf } from '../kit/bytes.ts';
import { cellsOf } from '../kit/csv.ts';
import type { LeftOut } from './runs.ts';

const MOST_LINES = 2_000_000;
const LONGEST_LINE = 1024 * 1024;
/** Lines that a quoted cell may take. */
const LONGEST_CELL = 50;
const SEPARATORS = [',', '\t', ';'] as const;

export interface Row {
  /** From 1 on, the header's line included. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Text of a file as it was encoded: UTF-8, or UTF-16 where it begins with its mark; without that mark, and with one kind of line end. `text`: the
 * bytes as UTF-8, where they were decoded before.
 */
export function textOfBytes(bytes: Uint8Array, text = textOf(bytes)): string {
  const read =
    bytes[0] === 0xff && bytes[1] === 0xfe ? wide(bytes, true) : bytes[0] === 0xfe && bytes[1] === 0xff ? wide(bytes, false) : text;
  const plain = read.startsWith('\ufeff') ? read.slice(1) : read;
  return plain.includes('\n') || !plain.includes('\r') ? plain : plain.replaceAll('\r', '\n');
}

/** UTF-16 as text. */
function wide(bytes: Uint8Array, little: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 8192) {
    const units = Math.min(4096, (bytes.length - at) >> 1);
    parts.push(String.fromCharCode(...Array.from({ length: units }, (_, i) => view.getUint16(at + 2 * i, little))));
  }
  return parts.join('');
}

/** What stands between the cells of a header; null: nothing, so the text is no table. */
export function separatorOf(header: string): string | null {
  const bare = header.replace(/"[^"]*"/g, '');
  return SEPARATORS.find((separator) => bare.includes(separator)) ?? null;
}

interface Line {
  readonly line: number;
  readonly text: string;
  /** It has its line end, so nothing of it is missing. */
  readonly ended: boolean;
}

/** Lines that are not empty. */
export function* linesOf(text: string, left: LeftOut): Generator<Line> {
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    if (++line > MOST_LINES) {
      left.count('part', `what stands behind the first ${MOST_LINES.toLocaleString('en')} lines`, `line ${line}`);
      return;
    }
    if (stop - at > LONGEST_LINE) left.count('line', `of more than ${LONGEST_LINE.toLocaleString('en')} characters`, `line ${line}`);
    else {
      const own = text.slice(at, stop).replace(/\r$/, '');
      if (own.trim() !== '') yield { line, text: own, ended: end >= 0 };
    }
    at = stop + 1;
  }
}

/**
 * Rows of as many cells as the header has; a cell may hold line ends within quotes. Left out and counted are lines of another number of cells,
 * and the last line where it has no line end: a table that is still being written, or was copied from a job that was killed, ends in a number
 * that looks whole and is not. (A last cell that ends with its quote is whole.)
 */
export function* rowsOf(lines: Iterable<Line>, header: readonly string[], separator: string, left: LeftOut): Generator<Row> {
  let open: Line[] = [];
  const skip = ({ line }: Line): void => left.count('line', 'with a quote that does not end or has text behind it', `line ${line}`);
  for (const next of lines) {
    open.push(next);
    const text = open.length === 1 ? next.text : open.map((one) => one.text).join('\n');
    const cells = cellsOf(text, separator);
    if (cells === null) {
      if (open.length < LONGEST_CELL && oddQuotes(text)) continue; // the cell goes on
      for (const one of open) skip(one);
      open = [];
      continue;
    }
    const { line } = open[0]!;
    open = [];
    const whole = next.ended || (cells.length === header.length && text.endsWith('"'));
    if (!whole) left.count('line', 'the last one, which has no line end and may be cut off', `line ${line}`);
    else if (cells.length !== header.length)
      left.count('line', `of another number of cells than the header's ${header.length}`, `line ${line}`);
    else if (cells.some((cell, i) => cell !== header[i])) yield { line, cells };
    // a header that is repeated, where a log goes on, is no row
  }
  for (const one of open) skip(one);
}

const oddQuotes = (text: string): boolean => (text.split('"').length - 1) % 2 === 1;
