/** Cells of CSV files. */

/** What a spreadsheet would compute instead of show, at the start of a text. */
const FORMULA = /^[\s]*[=+\-@]|^[\t\r]/;

/**
 * One cell. A text is quoted where it must be, and has an apostrophe before it where a spreadsheet would take it for a formula. A finite
 * number stands in its shortest exact form, without either: -1 is a number and no formula.
 */
export function csvCell(value: string | number): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const text = String(value);
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Cells of a line, quoted ones without their quotes. null: a quote does not end, or has text behind it. */
export function cellsOf(text: string, separator = ','): string[] | null {
  if (!text.includes('"')) return text.split(separator);
  const cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(separator, at);
      cells.push(text.slice(at, end < 0 ? text.length : end));
      at = end < 0 ? text.length + 1 : end + 1;
      continue;
    }
    let end = text.indexOf('"', at + 1);
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    if (end < 0 || (end + 1 < text.length && text[end + 1] !== separator)) return null;
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
    at = end + 2;
  }
  return cells;
}
