/** Cells of CSV files. */

/** What a spreadsheet would compute instead of show, at the start of a text. */
const FORMULA = /^[\s]*[=+\-@]|^[\t\r]/;

/**
 * A text as one cell: quoted where it must be, and with an apostrophe before it where a spreadsheet would take it for a formula. Numbers
 * need neither.
 */
export function csvCell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
