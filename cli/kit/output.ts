/** Where a command writes: results on stdout, as text or as JSON lines; progress and errors on stderr. */

export { number } from '#contract/kit/numbers.ts';

export interface Output {
  readonly json: boolean;
  /** A line for people; nothing under --json. */
  text(line: string): void;
  /** One JSON line; nothing without --json. NaN and infinities become null. */
  record(value: object): void;
  /** Progress, to stderr, only where a person watches a terminal. */
  progress(line: string): void;
}

export function createOutput(json: boolean): Output {
  const watched = process.stderr.isTTY === true && !json;
  return {
    json,
    text: (line) => {
      if (!json) process.stdout.write(`${line}\n`);
    },
    record: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value)}\n`);
    },
    progress: (line) => {
      if (watched) process.stderr.write(`\r\u001b[2K${line}`);
    },
  };
}

/** Columns aligned for reading; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const numeric = header.map((_, column) => rows.every((row) => /^[-\d.,]*( ?[%k])?$/.test(row[column] ?? '')));
  return all
    .map((row) =>
      widths
        .map((width, column) => ((numeric[column] ? row[column]?.padStart(width) : row[column]?.padEnd(width)) ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
