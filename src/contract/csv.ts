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
